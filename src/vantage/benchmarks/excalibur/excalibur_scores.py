"""EXCALIBUR's score of one recording, from its bag alone (Zhu et al., CVPR 2023, section 4).

``ExQA = Acc_exp + (Acc_ref - Acc_exp) exp(-k T3)``: accuracy after exploration, accuracy after re-entry, and the steps
of the re-entry. The paper does not tell k. Inverting its Table 2 gives 5.0e-4 and 5.2e-4 for its two human rows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from vantage.benchmarks.excalibur.exact_matches import is_right
from vantage.benchmarks.excalibur.gathered_facts import MISUSED, Missing, missing_for
from vantage.benchmarks.excalibur.question_labels import PHASES, RELATIONS, TYPES
from vantage.benchmarks.judging import Judge
from vantage.benchmarks.protocol import AnswerMark
from vantage.benchmarks.statistics import EpisodeScore
from vantage.errors import RecordingError
from vantage.recording import PlaceEvidence, Recording, read_evidence, recorded_setup
from vantage.types import Answer, Key, Phase, Status, Truth, TruthQuestion

USUAL_K = 5e-4
OTHER_KS = (2.5e-4, 5.2e-4, 1e-3)  # told beside
JUDGE, JUDGE_VERSION = "exact", "1"
_K, _GRASP, _FEEL = "agent.step_discount", "house.grasp", "house.weighing"  # in what a bag says of how it was recorded
_ANSWER, _REFINE, _REENTER = Phase.ANSWER.value, Phase.REFINE.value, Phase.REENTER.value


@dataclass(frozen=True)
class _Marks:
    """One phase that asks.

    Attributes:
        right: whether each question was answered rightly, with its gold data.
        missing: of each wrong answer, what was never gathered until then.
        stamp: of the last look before the phase ended, ns.
        said: the answers that were given.
    """

    right: tuple[tuple[TruthQuestion, bool], ...]
    missing: tuple[Missing, ...]
    stamp: int
    said: tuple[Answer, ...]

    @property
    def accuracy(self) -> float:
        return _share([right for _, right in self.right])


def exqa(acc_exp: float, acc_ref: float, steps: float, k: float) -> float:
    """The paper's measure; NaN where the re-entry was not gone through to its end."""
    return acc_exp + (acc_ref - acc_exp) * math.exp(-k * steps)


def key_of_k(k: float) -> str:
    """The name of the figure at another k, such as ``exqa_k_0.00025``."""
    return f"exqa_k_{k:.6f}".rstrip("0")


def key_of(name: str) -> str:
    """How the name of a type or a relation stands in those of figures: ``yes_no``, ``on_top``."""
    return name.replace("/", "_").replace(" ", "_")


def score_excalibur(recording: Recording, judge: Judge) -> EpisodeScore:
    """The score of one recording; the same for ever.

    Phases that ended are scored although a later one failed or came out of order: figures of the others are NaN, and
    ``incomplete_reason`` says why of an episode that is ``complete`` all the same. Where not even the first answers
    were all asked for, ``complete`` is false. Who judges is the comparison of ``exact_matches``, whatever judge is
    given.
    """
    episode, reason = recording.episode, _out_of_order(recording) or recording.shortfall()
    name = recording.path.name
    unscored = EpisodeScore(name, incomplete_reason=reason, bag=name, judge=JUDGE, judge_version=JUDGE_VERSION)
    if episode is None:
        return unscored
    try:
        setup = recorded_setup(recording.path) or {}
        evidence = read_evidence(recording.path)
    except RecordingError as error:
        return replace(unscored, episode_id=episode.episode_id, incomplete_reason=str(error))
    unscored = replace(
        unscored,
        episode_id=episode.episode_id,
        benchmark=episode.benchmark,
        agent=recording.agent,
        perception=recording.perception,
        scene=episode.scene,
        control=_control(recording.control, setup),
        verified=recording.verified,
        participant=recording.participant,
        view_rule=recording.view_rule,
        set_view_rule=recording.set_view_rule,
    )
    whole = _until(recording, _REFINE)
    first = _until(recording, _ANSWER) if whole is None else whole
    if first is None or first.truth is None:
        return replace(unscored, incomplete_reason=reason or f"phase '{_ANSWER}' did not end, in which it asks first")
    # Questions come in the order of their phases, and the same ones are asked twice: figures are of the first asking.
    answered = _marks(first, evidence, _ANSWER)
    refined = None if whole is None else _marks(whole, evidence, _REFINE)
    steps = float(len(whole.motions_in(_REENTER))) if whole is not None else math.nan
    figures = _figures(answered, refined, steps, evidence, _k_of(setup))
    given = (*answered.said, *(() if refined is None else refined.said))
    right = [each for marks in (answered, refined) if marks is not None for _, each in marks.right]
    return replace(
        unscored,
        complete=True,
        incomplete_reason="" if whole is not None else _why(reason, recording),
        judge_score=1.0 + 4.0 * _share(right),
        judge_reason="; ".join(filter(None, (_told(answered, refined, steps), recording.reason))),
        success=all(right),
        right=all(right),  # no look has to show it: words alone are marked
        steps=len(recording.motions),
        path_length=sum((a.distance(b) for way in recording.ways() for a, b in pairwise(way)), 0.0),
        collisions=sum(motion.status == Status.COLLIDED for motion in recording.motions),
        messages_dropped=recording.dropped,
        kind=", ".join(dict.fromkeys(gold.kind for gold, _ in answered.right)),
        question=" ".join(question.text for question in first.episode.questions if question.phase == _ANSWER)
        if first.episode is not None
        else "",
        verdict=", ".join(dict.fromkeys(answer.verdict.name for answer in given)),
        model=", ".join(dict.fromkeys(answer.model for answer in given if answer.model)),
        confidence=sum(answer.confidence for answer in given) / len(given) if given else math.nan,
        category=", ".join(dict.fromkeys(each for gold, _ in answered.right for each in relations_of(gold))),
        split=first.truth.split,
        figures=figures,
    )


def answer_marks(recording: Recording) -> dict[Key, AnswerMark]:
    """Of each question of the phases that ended, whether its answer is right, and what was never gathered until then.

    Raises:
        RecordingError: the bag cannot be read.
    """
    evidence = read_evidence(recording.path)
    found: dict[Key, AnswerMark] = {}
    for phase in (_ANSWER, _REFINE):
        part = _until(recording, phase)
        if part is None or part.truth is None:
            continue
        stamp = part.end_of(phase)
        for gold in part.truth.questions:
            if gold.phase == phase:
                missing = missing_for(part, evidence, gold, stamp)
                found[phase, gold.question_id] = AnswerMark(is_right(gold, part.answer_to(gold)), missing.named)
    return found


def relations_of(gold: TruthQuestion) -> tuple[str, ...]:
    """The relations of a question, as its category lists them."""
    return tuple(filter(None, (part.strip() for part in gold.category.split(","))))


def _until(recording: Recording, phase: str) -> Recording | None:
    """The recording until a phase ended; None where that did not end, others came before it than should, or not all of
    it was recorded."""
    before = PHASES[: PHASES.index(phase) + 1]
    if recording.ended_phases[: len(before)] != before:
        return None
    part = recording.until(phase)
    return None if part.shortfall() else part


def _out_of_order(recording: Recording) -> str:
    """That its phases are not those of the benchmark in their order, in words; empty where they are."""
    names = tuple(begin.episode.phase for begin in recording.phases)
    if names == PHASES[: len(names)]:
        return ""
    return f"its phases came in the order {', '.join(names)}, and not {', '.join(PHASES)}"


def _why(reason: str, recording: Recording) -> str:
    if _out_of_order(recording):
        return f"scored until phase '{_ANSWER}': {reason}"
    ended = ", ".join(recording.ended_phases)
    return f"scored until phase '{recording.ended_phases[-1]}' (ended are: {ended}): {reason or 'it broke off there'}"


def _control(control: str, setup: Mapping[str, Any]) -> str:
    """The control with how things are grasped and weight is felt, by which setups are told apart."""
    named = (("grasp", setup.get(_GRASP)), ("feel", setup.get(_FEEL)))
    return ",".join(filter(None, (control, *(f"{key}={value}" for key, value in named if value))))


def _k_of(setup: Mapping[str, Any]) -> float:
    k = setup.get(_K, USUAL_K)
    return float(k) if isinstance(k, (int, float)) and k >= 0 else USUAL_K


def _marks(recording: Recording, evidence: PlaceEvidence, phase: str) -> _Marks:
    truth = recording.truth or Truth("", ())
    stamp = recording.end_of(phase)
    right, missing, said = [], [], []
    for gold in truth.questions:
        if gold.phase != phase:
            continue
        answer = recording.answer_to(gold)
        right.append((gold, is_right(gold, answer)))
        if answer is not None:
            said.append(answer)
        if not right[-1][1]:
            missing.append(missing_for(recording, evidence, gold, stamp))
    return _Marks(tuple(right), tuple(missing), stamp, tuple(said))


def _figures(
    answered: _Marks, refined: _Marks | None, steps: float, evidence: PlaceEvidence, k: float
) -> dict[str, float]:
    acc_exp, acc_ref = answered.accuracy, math.nan if refined is None else refined.accuracy
    found = {"acc_exp": acc_exp, "acc_ref": acc_ref, "t3": steps, "exqa": exqa(acc_exp, acc_ref, steps, k), "k": k}
    found |= {key_of_k(other): exqa(acc_exp, acc_ref, steps, other) for other in OTHER_KS}
    for word, marks in (("exp", answered), ("ref", refined)):
        for name in (*TYPES, *RELATIONS):
            found[f"acc_{word}_{key_of(name)}"] = _accuracy_of(marks, name)
    found |= _gathered(answered, evidence, "")
    found |= _wrong(answered, "")
    if refined is not None:
        found |= _gathered(refined, evidence, "_ref") | _wrong(refined, "_ref")
    return found


def _accuracy_of(marks: _Marks | None, name: str) -> float:
    """Over the questions of a type or with a relation; NaN without one."""
    members = () if marks is None else marks.right
    return _share([right for gold, right in members if name == gold.kind or name in relations_of(gold)])


def _gathered(marks: _Marks, evidence: PlaceEvidence, suffix: str) -> dict[str, float]:
    """What was known of the place when the answers of a phase were given; NaN where the bag does not tell.

    Coverage is the share of the floor of all rooms on which nothing stands that was in view within 5 m.
    """
    last, stamp = evidence.last_until(marks.stamp), marks.stamp
    coverage = things = opened = math.nan
    if last is not None:
        coverage = last.floor_seen / last.floor_area if last.floor_area > 0 else math.nan
        things = len(evidence.seen_until(stamp)) / last.things if last.things > 0 else math.nan
        opened = float(len(evidence.opened_until(stamp)))
    needed = {key for gold, _ in marks.right for key in gold.to_weigh}
    lifted = evidence.lifted_until(stamp)
    return {
        f"coverage{suffix}": coverage,
        f"things_seen{suffix}": things,
        f"containers_opened{suffix}": opened,
        f"things_weighed{suffix}": float(len(lifted)),
        f"needed_weighed{suffix}": len(needed & lifted) / len(needed) if needed else math.nan,
        f"acc_weight_lifted{suffix}": _share(
            [right for gold, right in marks.right if gold.to_weigh and lifted.issuperset(gold.to_weigh)]
        ),
    }


def _wrong(marks: _Marks, suffix: str) -> dict[str, float]:
    """Shares of all questions that were answered wrongly, by why."""
    total = max(len(marks.right), 1)
    causes = [missing.causes for missing in marks.missing]
    named = {"not_gathered": [MISUSED not in each for each in causes], "misused": [MISUSED in each for each in causes]}
    named |= {key_of(word): [word in each for each in causes] for word in ("not seen", "not lifted", "not opened")}
    return {f"wrong_{word}{suffix}": sum(flags) / total for word, flags in named.items()}


def _share(flags: Sequence[bool]) -> float:
    return sum(flags) / len(flags) if flags else math.nan


def _told(answered: _Marks, refined: _Marks | None, steps: float) -> str:
    """In one line what became of the phases, for tables and pages."""
    hits = [f"{sum(right for _, right in answered.right)} of {len(answered.right)} right after exploring"]
    if refined is not None:
        again = f"{sum(right for _, right in refined.right)} of {len(refined.right)} after re-entry"
        hits.append(f"{again} in {steps:.0f} steps")
    return ", ".join(hits)
