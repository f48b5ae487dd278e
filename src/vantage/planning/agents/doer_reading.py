"""How a doer reads a task in the scene that it believes in, and how it tells what became of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from vantage.answering import SYMBOLIC
from vantage.config import Settings
from vantage.errors import MissingExtraError, ModelError
from vantage.goals import (
    End,
    Errand,
    Feasibility,
    Goal,
    Reason,
    ReasonKind,
    Ruling,
    SceneFacts,
    SceneObject,
    TaskText,
    kind_of,
    object_key,
    objects_of,
    read_reply,
    read_task,
    scene_lines,
)
from vantage.models import prompt, shared_model
from vantage.planning.execution import Belief
from vantage.planning.goals import GoalInterpreter
from vantage.planning.guard import Guard, Licences, Robot, closes, instead_of_hidden
from vantage.types import Answer, NoiseReport, Question, Verdict

_VERDICTS = {
    Feasibility.UNKNOWN: Verdict.NEEDS_LOOK,
    Feasibility.NEEDS_CONFIRMATION: Verdict.NEEDS_CONFIRMATION,
}
_STATES, _RELATIONS = ("open", "closed", "on", "off"), ("in", "on")
_DOORS = ("open", "closed")
_ABSENT = (ReasonKind.MISSING_OBJECT, ReasonKind.UNSEEN_OBJECT)
_SURE, _HALF_SURE = 0.9, 0.5
_LONGEST = 10_000  # characters of a task


class TaskReader:
    """Interprets tasks, by a model or by itself, and has the guard of a robot rule on each goal.

    Args:
        settings: groups ``agent`` and ``model`` are used.

    Attributes:
        guard: of the robot.
    """

    def __init__(self, settings: Settings, robot: Robot) -> None:
        self._settings = settings
        self.guard, self._interpreter = Guard(robot), GoalInterpreter()

    def read(self, task: TaskText, scene: SceneFacts, complete: bool, missing: Sequence[str]) -> tuple[Goal, Ruling]:
        """The goal of a task, and the ruling on it.

        Args:
            complete: all of the scene is known.
            missing: what the words name and was not seen.

        Raises:
            ModelError: the model did not answer.
            MissingExtraError: its reply is broken, and nothing is installed that reads it.
        """
        if self._settings.agent.model != SYMBOLIC:
            model = shared_model(self._settings.agent.model, self._settings.model)
            given = {"scene": scene_lines(scene), "name": task.name, "text": " ".join(task.text.split())}
            given |= {"states": ", ".join(_STATES), "relations": ", ".join(_RELATIONS)}
            reading = read_reply(model.chat(prompt("goals_in_words").fill(**given)))
            goal = Goal.of(reading.goals)
            ruling = self.guard.judge(task, goal, scene, complete=complete, unread=reading.unread)
            return goal, _unless_hidden(ruling, task, goal, scene)
        found = self._interpreter.interpret(task, scene)
        if not found.refused:
            ruling = self.guard.judge(task, found.goal, scene, complete=complete)
            return found.goal, _unless_hidden(ruling, task, found.goal, scene)
        kind = ReasonKind.MISSING_OBJECT if complete else ReasonKind.UNSEEN_OBJECT
        reasons = [Reason(kind, name) for name in found.missing or missing]
        return Goal(), Ruling.of(reasons or [Reason(ReasonKind.NO_GOAL, detail=found.reason)])

    def would_pass(self, task: TaskText, scene: SceneFacts, thing: str) -> bool:
        """Whether the task would be feasible in a scene with one more thing of a kind, of which no state is known; of
        what usually closes, closed or open."""
        name = _free_name(scene, thing)
        states: list[tuple[str, ...]] = [(), *((state,) for state in _DOORS if closes(thing))]
        for state in states:
            there = SceneObject(name, state, _DOORS if state else ())
            try:
                _, ruling = self.read(task, replace(scene, objects=(*scene.objects, there)), False, ())
            except (ModelError, MissingExtraError):
                return False  # what becomes of the task is told where it is judged
            if ruling.passes:
                return True
        return False


def _free_name(scene: SceneFacts, thing: str) -> str:
    """Of a thing that is not there: its kind with a number that no name of the scene has."""
    taken = {object_key(each.name) for each in scene.objects}
    return next(name for n in count(1) if (name := f"{thing.replace(' ', '_')}_{n}") not in taken)


def _unless_hidden(ruling: Ruling, task: TaskText, goal: Goal, scene: SceneFacts) -> Ruling:
    """A ruling, unless it lets things pass that take the place of what was not found."""
    return Ruling.of(instead_of_hidden(task, goal, scene)) if ruling.passes else ruling


def task_of(said: str) -> TaskText:
    """A task as somebody gave it."""
    found = read_task(said[:_LONGEST])
    return found if found.text else TaskText("", said[:_LONGEST])


def missing_of(task: TaskText, belief: Belief, ruling: Ruling, known: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Labels of what the words name and nothing seen is called, and of what the guard found unseen.

    Args:
        known: labels of the belief on which the guard ruled: what it found unseen and was seen since is not missing.
    """
    named = Licences(task, belief.facts).words.things()
    unseen = [object_key(name) for name in named if object_key(name) not in belief.labels]
    found = belief.labels - known
    unknown = (kind_of(each.name) for each in ruling.reasons if each.kind is ReasonKind.UNSEEN_OBJECT)
    held = (kind for kind in unknown if object_key(kind) not in found)
    return tuple(dict.fromkeys(name.replace("_", " ") for name in (*unseen, *held)))


def errand_answer(
    question: Question, errand: Errand, goal: Goal, ruling: Ruling, model: str, unseen: str = ""
) -> Answer:
    """What a robot says of a task, with all that it knows of it.

    Args:
        unseen: what was put somewhere and not seen there, in words.
    """
    absent = [each for each in ruling.reasons if each.kind in _ABSENT]
    near = dict.fromkeys(name for reason in absent for name in reason.nearest)
    note = NoiseReport(false_claim=", ".join(reason.name for reason in absent), correction=", ".join(near))
    text, verdict, sure = errand.reason or "not done", Verdict.UNANSWERABLE, _HALF_SURE
    if errand.end is End.DONE:
        text, verdict, sure = f"Done: {', '.join(objects_of(goal))}.", Verdict.ANSWERED, _SURE
    elif unseen and errand.reason == unseen:
        text, verdict = f"Not seen to be done: {unseen}", Verdict.NEEDS_LOOK
    elif errand.end is End.UNREAD:
        text, verdict, sure = f"The model could not answer: {text}", Verdict.NEEDS_MODEL, 0.0
    elif errand.end is End.HELD_BACK:
        verdict = _VERDICTS.get(ruling.feasibility, Verdict.UNANSWERABLE)
    else:
        text = f"Not done, {errand.end.value}: {text}"
    told = Answer(question.question_id, text, verdict, sure, note, phase=question.phase, model=model)
    return replace(told, goal=goal, ruling=ruling, errand=errand)
