"""The score of one recorded task: the counts of its replies, by transformation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from vantage.benchmarks.heal.probing_items import BASE, ItemTruth, read_truth
from vantage.benchmarks.heal.reply_scores import Counts, ReplyScore, score_reply
from vantage.benchmarks.judging import Case, Judgement
from vantage.benchmarks.scoring import score_recording
from vantage.benchmarks.statistics import EpisodeScore
from vantage.errors import FormatError, RecordingError
from vantage.goals import Reading, ReplyForm, read_reply, read_scene
from vantage.recording import Recording
from vantage.types import Verdict

NAME, VERSION = "goals", "1"


@dataclass(frozen=True)
class Scored:
    """One item with its reply."""

    truth: ItemTruth
    reading: Reading
    score: ReplyScore


def scored_reply(prompt: str, reply: str | None, gold: str) -> Scored:
    """
    Args:
        prompt: which tells the scene.
        reply: None where there is none, which counts as one that cannot be read.
        gold: ``TruthQuestion.program``.

    Raises:
        FormatError: the gold data are damaged.
        MissingExtraError: the reply can be read by ``json-repair`` alone, and that is not installed.
    """
    truth = read_truth(gold, "gold data")
    reading = Reading(ReplyForm.UNPARSABLE) if reply is None else read_reply(reply)
    return Scored(truth, reading, score_reply(reading, truth, read_scene(prompt)))


class GoalJudge:
    """5 for exactly the gold goals, or for a refusal where the scene lacks something; 1 otherwise.

    Attributes:
        scored: what was judged, in order.
    """

    name, version = NAME, VERSION

    def __init__(self) -> None:
        self.scored: list[Scored] = []

    def judge(self, case: Case) -> Judgement:
        """
        Raises:
            RecordingError: the gold data are damaged.
        """
        reply = None if case.answer is None or case.answer.verdict is Verdict.NEEDS_MODEL else case.answer.text
        try:
            found = scored_reply(case.question, reply, case.truth.program)
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
    judge = GoalJudge()
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
    ``paper`` of those whose reply is grounded, ``paper_base`` of the base items of the latter."""
    base = next((each for each in found if each.truth.transformation == BASE), None)
    sums: dict[str, float] = {}
    for each in found:
        name, score = each.truth.transformation, each.score
        _add(sums, name, score.counts)
        if each.truth.feasible:
            _add(sums, f"{name}.all", score.sorted_out)
            if score.grounded:
                _add(sums, f"{name}.paper", score.sorted_out)
                if base is not None and base.score.grounded:
                    _add(sums, f"{name}.paper_base", base.score.sorted_out)
    return sums


def _add(sums: dict[str, float], prefix: str, counts: Counts) -> None:
    for key, value in counts.items():
        sums[f"{prefix}.{key}"] = sums.get(f"{prefix}.{key}", 0.0) + value
