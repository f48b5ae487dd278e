"""The score of one recorded task: the counts of its replies, by transformation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vantage.benchmarks.heal.heal_figures import input_of
from vantage.benchmarks.heal.home_kinds import reading_by_kind, scene_by_kind, truth_by_kind
from vantage.benchmarks.heal.probing_items import BASE, ItemTruth, read_truth
from vantage.benchmarks.heal.reply_scores import Counts, ReplyScore, score_reply
from vantage.benchmarks.judging import Case, Judgement
from vantage.benchmarks.scoring import score_recording
from vantage.benchmarks.statistics import EpisodeScore
from vantage.errors import FormatError, RecordingError
from vantage.goals import Feasibility, Reading, ReplyForm, read_guarded, read_reply, read_scene
from vantage.planning import IMAGE
from vantage.recording import Recording
from vantage.types import Verdict

NAME, VERSION = "goals", "1"
RAW_COUNTS = ("repurposed", "ungrounded_passed")


@dataclass(frozen=True)
class Scored:
    """One item with its reply.

    Attributes:
        raw: the score of the reply as the model gave it, whatever a guard made of it.
    """

    truth: ItemTruth
    reading: Reading
    score: ReplyScore
    raw: ReplyScore


def scored_reply(prompt: str, reply: str | None, gold: str, note: str = "", by_kind: bool = False) -> Scored:
    """
    Args:
        prompt: which tells the scene.
        by_kind: pictures alone showed it, so that names count without their numbers.
        reply: None where there is none, which counts as one that cannot be read.
        gold: ``TruthQuestion.program``.
        note: the explanation of the answer, which holds a guard's ruling and the raw reply where there was a guard.

    Raises:
        FormatError: the gold data or the ruling are damaged.
        MissingExtraError: the reply can be read by ``json-repair`` alone, and that is not installed.
    """
    truth, scene = read_truth(gold, "gold data"), read_scene(prompt)
    guarded = read_guarded(note, "the explanation of an answer")
    said = reply if guarded is None else guarded.reply
    reading = Reading(ReplyForm.UNPARSABLE) if said is None else read_reply(said)
    if by_kind:
        truth, scene, reading = truth_by_kind(truth, scene), scene_by_kind(scene), reading_by_kind(reading)
    raw = score_reply(reading, truth, scene)
    if guarded is None or guarded.ruling.passes:
        return Scored(truth, reading, raw, raw)
    asks = guarded.ruling.feasibility is Feasibility.NEEDS_CONFIRMATION
    held = Reading(ReplyForm.ASKED_BACK if asks else ReplyForm.REFUSED, refuses=not asks)
    return Scored(truth, held, score_reply(held, truth, scene), raw)


class GoalJudge:
    """5 for exactly the gold goals, or for a refusal where the scene lacks something; 1 otherwise.

    Args:
        by_kind: see ``scored_reply``.

    Attributes:
        scored: what was judged, in order.
    """

    name, version = NAME, VERSION

    def __init__(self, by_kind: bool = False) -> None:
        self._by_kind = by_kind
        self.scored: list[Scored] = []

    def judge(self, case: Case) -> Judgement:
        """
        Raises:
            RecordingError: the gold data are damaged.
        """
        reply = None if case.answer is None or case.answer.verdict is Verdict.NEEDS_MODEL else case.answer.text
        try:
            note = "" if case.answer is None else case.answer.noise.explanation
            found = scored_reply(case.question, reply, case.truth.program, note, self._by_kind)
        except FormatError as error:
            raise RecordingError(str(error)) from error
        self.scored.append(found)
        refuses = found.reading.form in (ReplyForm.EMPTY, ReplyForm.REFUSED)
        reason = f"{case.truth.question_id}: {found.reading.form.value}"
        feasible = found.truth.feasible
        mark = 5 if found.score.right else 1
        return Judgement(
            mark, reason, mark == 5, True, detected=refuses and not feasible, false_alarm=refuses and feasible
        )


def score_heal(recording: Recording) -> EpisodeScore:
    """Marks by ``GoalJudge``, and the counts of all replies in ``figures``."""
    judge = GoalJudge(by_kind=input_of(recording.control) == IMAGE)
    score = score_recording(recording, judge)
    if not score.complete or not judge.scored:
        return score
    return replace(
        score,
        figures=summed(judge.scored),
        question=f"{len(judge.scored)} items",
        answer=", ".join(each.reading.form.value for each in judge.scored),
        verdict="",
        category=judge.scored[0].truth.environment,
    )


def summed(found: Sequence[Scored]) -> dict[str, float]:
    """Counts of the items of one task, such as ``dist_inj.objects``. ``all`` is of feasible items with every reply,
    ``raw`` of what the model said, whatever a guard made of it, ``paper`` of those whose reply is grounded,
    ``paper_base`` of the base items of the latter."""
    base = next((each for each in found if each.truth.transformation == BASE), None)
    sums: dict[str, float] = {}
    for each in found:
        name, score = each.truth.transformation, each.score
        _add(sums, name, score.counts)
        _add(sums, name, {f"raw_{key}": each.raw.counts[key] for key in RAW_COUNTS})
        if each.truth.feasible:
            _add(sums, f"{name}.all", score.sorted_out)
            _add(sums, f"{name}.raw", each.raw.sorted_out)
            if score.grounded:
                _add(sums, f"{name}.paper", score.sorted_out)
                if base is not None and base.score.grounded:
                    _add(sums, f"{name}.paper_base", base.score.sorted_out)
    return sums


def _add(sums: dict[str, float], prefix: str, counts: Counts) -> None:
    for key, value in counts.items():
        sums[f"{prefix}.{key}"] = sums.get(f"{prefix}.{key}", 0.0) + value
