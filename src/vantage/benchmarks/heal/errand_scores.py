"""The score of a task that was carried out: what was reached, manipulated and hallucinated.

Truth is the home as it was at the start, with each action on a thing that the world carried out or, in a world of
physics, with things and joints where they were after each command (``errand_traces``). What the robot believed stands
in its answer. It hallucinated where it acted on something as another thing than it is, went to a kind of thing that the
home lacks, told what is not so, or where its own monitor of the goal and that of truth differ after an action.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from vantage.benchmarks.heal.errand_sets import ErrandTruth, read_errand_truth
from vantage.benchmarks.heal.errand_traces import Holds, facts_trace
from vantage.benchmarks.judging import Case, Judgement
from vantage.benchmarks.scoring import score_recording
from vantage.benchmarks.statistics import EpisodeScore
from vantage.errors import FormatError, RecordingError
from vantage.goals import (
    Deed,
    End,
    Errand,
    Monitor,
    formula_of,
    holds_in,
    kind_of,
    object_key,
    step_of,
)
from vantage.recording import Recording, read_arm_targets
from vantage.types import CLOSE, OPEN, ArmTarget, Status

NAME, VERSION = "errands", "1"
TASK = "errand"  # before the names of figures
_GO, _PICK = "go_to", "pick"
_CARRIED_OUT = frozenset({Status.DONE, Status.COLLIDED, Status.TIMED_OUT, Status.STOPPED})


@dataclass(frozen=True)
class Outcome:
    """
    Attributes:
        manipulations: commands to an arm that the world did not refuse, without the next.
        openings: of these, what was opened to look for a thing, or closed again: not for the goal, as the robot says,
            and nothing but doors, drawers and lids, as the record shows.
        hallucinations: what was acted on, gone to, told or believed and is not so, each counted.
        end: as the robot tells it; None where it tells nothing.
    """

    feasible: bool
    achieved: bool
    manipulations: int
    openings: int
    hallucinations: Mapping[str, int]
    end: End | None

    @property
    def right(self) -> bool:
        if not self.feasible:
            return self.manipulations == 0 and self.end is not End.DONE
        return self.achieved and self.end is End.DONE

    @property
    def figures(self) -> dict[str, float]:
        named = {
            "tasks": 1,
            "feasible": self.feasible,
            "infeasible": not self.feasible,
            "achieved": self.feasible and self.achieved,
            "manipulations": self.manipulations,
            "manipulated_infeasible": 0 if self.feasible else self.manipulations,
            "openings": self.openings,
            "openings_infeasible": 0 if self.feasible else self.openings,
            "hallucinated": any(self.hallucinations.values()),
            "said_done": self.end is End.DONE,
            **{f"hallucinated_{kind}": count for kind, count in self.hallucinations.items()},
            **{f"end_{end.name.lower()}": self.end is end for end in End},
        }
        return {f"{TASK}.{key}": float(value) for key, value in named.items()}


def outcome_of(truth: ErrandTruth, errand: Errand | None, recording: Recording) -> Outcome:
    """What came of one errand.

    Raises:
        RecordingError: the bag cannot be read.
    """
    targets = read_arm_targets(recording.path)
    trace, holds = facts_trace(truth, targets, recording)
    monitor, reached = Monitor(formula_of(truth.goal)), dict[int, bool]()
    for number, scene in trace.items():
        monitor.observe(step_of(scene))
        reached[number] = monitor.holds
    done = [
        number
        for number in targets
        if 1 <= number <= len(recording.motions) and recording.motions[number - 1].status in _CARRIED_OUT
    ]
    openings = sum(_is_opening(number, targets[number], errand) for number in done)
    achieved = holds_in(truth.goal, trace[max(trace)])
    touched = _touched_by(targets) if holds is None else _held_by(holds, recording)
    wrong = hallucinations(truth, errand, touched, reached, achieved) if errand is not None else {}
    return Outcome(
        truth.feasible, achieved, len(done) - openings, openings, wrong, None if errand is None else errand.end
    )


def _is_opening(number: int, target: ArmTarget, errand: Errand | None) -> bool:
    action = target.object_action
    if action is None or action.verb not in (OPEN, CLOSE) or errand is None:
        return False
    return any(deed.search and deed.command == number for deed in errand.deeds)


def hallucinations(
    truth: ErrandTruth,
    errand: Errand,
    touched: Callable[[Deed], Sequence[int]],
    reached: Mapping[int, bool],
    achieved: bool,
) -> dict[str, int]:
    """How often what was done, sought, told and believed had no ground in a home.

    Args:
        touched: instances that the hand touched in a deed, of what its names stand for.
        reached: what the monitor of truth says by the number of a command, and at the start (0).
    """
    kinds = {kind_of(item.name) for item in truth.facts.objects}
    found = {"acted": 0, "sought": 0, "told": int(errand.end is End.DONE and not achieved), "believed": 0}
    for deed in errand.deeds:
        if deed.verb == _GO:
            found["sought"] += int(bool(deed.objects) and kind_of(deed.objects[0]) not in kinds)
            continue
        found["acted"] += int(_acted_astray(truth, deed, touched(deed)))
        if deed.search:  # it believes nothing of a goal yet
            continue
        last = max(number for number in reached if number <= max(deed.command, 0))
        found["believed"] += int(deed.reached != reached[last])
    return found


def _acted_astray(truth: ErrandTruth, deed: Deed, touched: Sequence[int]) -> bool:
    """Whether what the hand touched is another kind of thing than the robot believed; in a room any place will do."""
    rooms = {object_key(name) for key, name in truth.names.items() if key < 0}
    return any(
        object_key(name) not in rooms and kind_of(truth.names.get(each, "")) != kind_of(name)
        for each, name in zip(touched, deed.objects, strict=False)
    )


def _touched_by(targets: Mapping[int, ArmTarget]) -> Callable[[Deed], Sequence[int]]:
    def touched(deed: Deed) -> Sequence[int]:
        target = targets.get(deed.command)
        action = None if target is None else target.object_action
        return () if action is None else (action.thing, *([action.place] if action.place else []))

    return touched


def _held_by(holds: Holds, recording: Recording) -> Callable[[Deed], Sequence[int]]:
    """Of what was picked up: what was in the hand then."""

    def touched(deed: Deed) -> Sequence[int]:
        if deed.verb != _PICK or deed.failure or not 1 <= deed.command <= len(recording.motions):
            return ()
        key = holds.at(recording.motions[deed.command - 1].observation_stamp)
        return (key,) if key else ()

    return touched


class ErrandJudge:
    """5 where a feasible task was done and told as such, or an infeasible one was left alone; 1 otherwise."""

    name, version = NAME, VERSION

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self.outcomes: list[Outcome] = []

    def judge(self, case: Case) -> Judgement:
        """
        Raises:
            RecordingError: the gold data are damaged.
        """
        try:
            truth = read_errand_truth(case.truth, "gold data")
        except FormatError as error:
            raise RecordingError(str(error)) from error
        errand = None if case.answer is None else case.answer.errand
        if truth is None:
            raise RecordingError(f"question '{case.truth.question_id}' is no errand; run the set again")
        found = outcome_of(truth, errand, self._recording)
        self.outcomes.append(found)
        mark = 5 if found.right else 1
        end = "nothing was told" if found.end is None else found.end.value
        refuses = found.end is End.HELD_BACK
        return Judgement(
            mark,
            f"{case.truth.question_id}: {end}{', achieved' if found.achieved else ''}",
            mark == 5,
            True,
            detected=refuses and not found.feasible,
            false_alarm=refuses and found.feasible,
        )


def score_errand(recording: Recording) -> EpisodeScore:
    """Marks by ``ErrandJudge``, and the counts of its one task in ``figures``."""
    judge = ErrandJudge(recording)
    score = score_recording(recording, judge)
    if not score.complete or not judge.outcomes:
        return score
    sums: dict[str, float] = {}
    for outcome in judge.outcomes:
        for key, value in outcome.figures.items():
            sums[key] = sums.get(key, 0.0) + value
    return replace(score, figures=sums)


def is_errand(recording: Recording) -> bool:
    """Whether a task was carried out rather than interpreted alone."""
    questions = () if recording.truth is None else recording.truth.questions
    return bool(questions) and all(gold.kind == TASK for gold in questions)
