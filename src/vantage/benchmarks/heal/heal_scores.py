"""The score of one recorded task: the counts of its replies, by transformation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from vantage.benchmarks.heal.heal_figures import input_of
from vantage.benchmarks.heal.home_kinds import reading_by_kind, truth_by_kind
from vantage.benchmarks.heal.probing_items import BASE, TASK_OBJ_REM, task_of
from vantage.benchmarks.heal.reply_resolving import resolved
from vantage.benchmarks.heal.reply_scores import Counts, ReplyScore, score_reply
from vantage.benchmarks.heal.reply_thoughts import notices
from vantage.benchmarks.judging import Case, Judgement
from vantage.benchmarks.scoring import score_recording
from vantage.benchmarks.statistics import EpisodeScore
from vantage.errors import FormatError, RecordingError
from vantage.goals import Feasibility, Reading, ReplyForm, TaskTruth, object_key, read_reply
from vantage.planning import IMAGE
from vantage.recording import Recording
from vantage.types import Answer, TruthQuestion, Verdict

NAME, VERSION = "goals", "1"
RAW_COUNTS = ("right", "repurposed", "ungrounded_passed")
RESOLVED_COUNTS = ("right", "ungrounded_passed")
_NUMBERED = re.compile(r"(.+_)([0-9]{1,6})")


@dataclass(frozen=True)
class Scored:
    """One item with its reply.

    Attributes:
        transformation, environment: what was made of which task.
        raw: the score of the reply as the model gave it, whatever a guard made of it.
        resolved: that of the same with synonyms taken for what they mean.
        more: counts of single transformations and of what the model thought.
    """

    transformation: str
    environment: str
    truth: TaskTruth
    reading: Reading
    score: ReplyScore
    raw: ReplyScore
    resolved: ReplyScore
    more: Counts


def scored_reply(answer: Answer | None, gold: TruthQuestion, by_kind: bool = False) -> Scored:
    """
    Args:
        answer: None where there is none, which counts as one that cannot be read.
        by_kind: pictures alone showed the scene, so that names count without their numbers.

    Raises:
        FormatError: the gold data are none of an item.
        MissingExtraError: the reply can be read by ``json-repair`` alone, and that is not installed.
    """
    truth = task_of(gold, f"item '{gold.question_id}'")
    told = None if answer is None or answer.verdict is Verdict.NEEDS_MODEL else answer
    said = "" if told is None else told.reply or told.text
    reading = Reading(ReplyForm.UNPARSABLE) if told is None else read_reply(said)
    if by_kind:
        truth, reading = truth_by_kind(truth), reading_by_kind(reading)
    raw = score_reply(reading, truth, truth.scene)
    meant = resolved(reading, truth.scene, gold.category)
    better = raw if meant is reading else score_reply(meant, truth, truth.scene)
    thoughts = "" if told is None else told.thinking or said.rpartition("</think>")[0]
    more = {**_of_removal(gold.kind, truth, raw), **_of_thoughts(thoughts, truth, reading)}
    ruling = None if told is None else told.ruling
    held, score = reading, raw
    if ruling is not None and not ruling.passes:
        asks = ruling.feasibility is Feasibility.NEEDS_CONFIRMATION
        held = Reading(ReplyForm.ASKED_BACK if asks else ReplyForm.REFUSED, refuses=not asks)
        score = score_reply(held, truth, truth.scene)
    return Scored(gold.kind, gold.category, truth, held, score, raw, better, more)


def _of_removal(transformation: str, truth: TaskTruth, raw: ReplyScore) -> Counts:
    """Of an item without a thing: whether the goal was about that thing (core), or it only was the place of another
    (side); and whether it was the last of several that are numbered from 1, so that the scene does not show that one is
    missing (last), or not (shown)."""
    if transformation != TASK_OBJ_REM or truth.feasible:
        return {}
    gone = {object_key(name) for name in truth.asked_about}
    about = {object_key(goal.objects[0]) for goal in truth.goal.literals if goal.objects}
    part = "core" if gone & about else "side"
    seen = "last" if any(_was_last(name, truth) for name in truth.asked_about) else "shown"
    return {
        f"{seen}_infeasible": 1.0,
        f"{seen}_refused": raw.counts["refused_infeasible"],
        f"{part}_infeasible": 1.0,
        f"{part}_refused": raw.counts["refused_infeasible"],
        f"{part}_asked": raw.counts["asked"],
        f"{part}_mentioned": raw.counts["mentioned"],
    }


def _was_last(name: str, truth: TaskTruth) -> bool:
    """Whether a thing that is gone had the highest number of its kind, of which 1 and all between are there."""
    found = _NUMBERED.fullmatch(object_key(name))
    if found is None:
        return False
    alike = (_NUMBERED.fullmatch(object_key(item.name)) for item in truth.scene.objects)
    others = {int(each[2]) for each in alike if each is not None and each[1] == found[1]}
    return bool(others) and others == set(range(1, int(found[2])))


def _of_thoughts(thoughts: str, truth: TaskTruth, reading: Reading) -> Counts:
    """Of a reply to what is not feasible, with thoughts before it."""
    if truth.feasible or not thoughts.strip():
        return {}
    noticed = notices(thoughts, truth.asked_about)
    went_on = noticed and reading.form is ReplyForm.GOALS
    return {"thought": 1.0, "noticed": float(noticed), "noticed_and_went_on": float(went_on)}


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
        try:
            found = scored_reply(case.answer, case.truth, self._by_kind)
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
        category=judge.scored[0].environment,
    )


def summed(found: Sequence[Scored]) -> dict[str, float]:
    """Counts of the items of one task, such as ``dist_inj.objects``. ``all`` is of feasible items with every reply,
    ``raw`` of what the model said, whatever a guard made of it, ``resolved`` of that with
    synonyms taken for what they mean, ``paper`` of those whose reply is grounded,
    ``paper_base`` of the base items of the latter."""
    base = next((each for each in found if each.transformation == BASE), None)
    sums: dict[str, float] = {}
    for each in found:
        name, score = each.transformation, each.score
        _add(sums, name, score.counts)
        _add(sums, name, {f"raw_{key}": each.raw.counts[key] for key in RAW_COUNTS})
        _add(sums, name, {f"resolved_{key}": each.resolved.counts[key] for key in RESOLVED_COUNTS})
        _add(sums, name, each.more)
        if each.truth.feasible:
            _add(sums, f"{name}.all", score.sorted_out)
            _add(sums, f"{name}.raw", each.raw.sorted_out)
            _add(sums, f"{name}.resolved", each.resolved.sorted_out)
            if score.grounded:
                _add(sums, f"{name}.paper", score.sorted_out)
                if base is not None and base.score.grounded:
                    _add(sums, f"{name}.paper_base", base.score.sorted_out)
    return sums


def _add(sums: dict[str, float], prefix: str, counts: Counts) -> None:
    for key, value in counts.items():
        sums[f"{prefix}.{key}"] = sums.get(f"{prefix}.{key}", 0.0) + value
