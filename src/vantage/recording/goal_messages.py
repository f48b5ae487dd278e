"""Goals, rulings, errands and gold data of tasks as their messages have them, and back.

What a message has is told by tuples with the fields of Goal.msg, Ruling.msg, Errand.msg and TaskTruth.msg; numbers of
rulings and ends are the places of ``Feasibility`` and ``End``, from 1 on, those of reasons those of ``ReasonKind``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vantage.goals import (
    ActionGoal,
    Deed,
    EdgeGoal,
    End,
    Errand,
    Fact,
    Feasibility,
    Goal,
    Literal,
    NodeGoal,
    Reason,
    ReasonKind,
    Ruling,
    SceneFacts,
    SceneObject,
    TaskTruth,
)
from vantage.spatial import Viewpoint

_NODE, _EDGE, _ACTION = range(3)
_FEASIBILITIES, _KINDS, _ENDS = tuple(Feasibility), tuple(ReasonKind), tuple(End)
_NUMBERS = {each: number for number, each in enumerate(_FEASIBILITIES, start=1)}
_KIND_NUMBERS = {each: number for number, each in enumerate(_KINDS)}
_END_NUMBERS = {each: number for number, each in enumerate(_ENDS, start=1)}


class LiteralFields(NamedTuple):
    """Of GoalLiteral.msg."""

    sort: int
    word: str
    objects: tuple[str, ...]
    holds: bool
    description: str
    part: int
    alternative: int


class GoalFields(NamedTuple):
    """Of Goal.msg."""

    literals: tuple[LiteralFields, ...] = ()


class ReasonFields(NamedTuple):
    """Of RulingReason.msg."""

    kind: int
    name: str
    detail: str
    nearest: tuple[str, ...]


class RulingFields(NamedTuple):
    """Of Ruling.msg."""

    feasibility: int = 0
    reasons: tuple[ReasonFields, ...] = ()


class ErrandFields(NamedTuple):
    """Of Errand.msg."""

    end: int = 0
    deeds: tuple[Deed, ...] = ()
    sought: tuple[str, ...] = ()
    replans: int = 0
    reason: str = ""


class TaskFields(NamedTuple):
    """Of TaskTruth.msg."""

    scene: SceneFacts
    goal: Goal
    feasible: bool
    asked_about: tuple[str, ...]
    old_names: tuple[str, ...]
    new_names: tuple[str, ...]
    states: tuple[str, ...]
    relations: tuple[str, ...]
    home: str
    left_out: tuple[int, ...]
    views: tuple[Viewpoint, ...]
    seen: tuple[int, ...]
    instances: tuple[int, ...]
    specification: NDArray[np.uint8]


def goal_fields(goal: Goal) -> GoalFields:
    return GoalFields(
        tuple(
            _literal_fields(literal, part, alternative)
            for part, alternatives in enumerate(goal.parts)
            for alternative, literals in enumerate(alternatives)
            for literal in literals
        )
    )


def _literal_fields(literal: Literal, part: int, alternative: int) -> LiteralFields:
    if isinstance(literal, ActionGoal):
        return LiteralFields(_ACTION, literal.action, (), True, literal.description, part, alternative)
    if isinstance(literal, NodeGoal):
        return LiteralFields(_NODE, literal.state, literal.objects, literal.holds, "", part, alternative)
    return LiteralFields(_EDGE, literal.relation, literal.objects, literal.holds, "", part, alternative)


def read_goal(message: Any) -> Goal:
    """
    Raises:
        ValueError: a literal is of no known sort, or has not as many objects as its sort.
    """
    parts: dict[int, dict[int, list[Literal]]] = {}
    for each in message.literals:
        parts.setdefault(each.part, {}).setdefault(each.alternative, []).append(_literal(each))
    return Goal(tuple(tuple(map(tuple, alternatives.values())) for alternatives in parts.values()))


def _literal(message: Any) -> Literal:
    sort, objects = message.sort, message.objects
    if sort == _NODE and len(objects) == 1:
        return NodeGoal(objects[0], message.word, bool(message.holds))
    if sort == _EDGE and len(objects) == 2:
        return EdgeGoal(objects[0], message.word, objects[1], bool(message.holds))
    if sort == _ACTION and not objects and message.holds:
        return ActionGoal(message.word, message.description)
    raise ValueError(
        f"a goal of sort {sort} with {len(objects)} objects is neither a state (0, with one), a relation (1, with two) "
        "nor an action (2, with none, never denied)"
    )


def ruling_fields(ruling: Ruling | None) -> RulingFields:
    """None where nobody ruled."""
    if ruling is None:
        return RulingFields()
    reasons = (ReasonFields(_KIND_NUMBERS[each.kind], each.name, each.detail, each.nearest) for each in ruling.reasons)
    return RulingFields(_NUMBERS[ruling.feasibility], tuple(reasons))


def read_ruling(message: Any) -> Ruling | None:
    """None where nobody ruled.

    Raises:
        ValueError: there is no such ruling or reason.
    """
    if message.feasibility > len(_FEASIBILITIES):
        raise ValueError(f"a ruling of number {message.feasibility} is none; there are {len(_FEASIBILITIES)}")
    if not message.feasibility:
        return None
    return Ruling(_FEASIBILITIES[message.feasibility - 1], tuple(map(_reason, message.reasons)))


def _reason(message: Any) -> Reason:
    if message.kind >= len(_KINDS):
        raise ValueError(f"a reason of number {message.kind} is none; they go up to {len(_KINDS) - 1}")
    return Reason(_KINDS[message.kind], message.name, message.detail, tuple(message.nearest))


def errand_fields(errand: Errand | None) -> ErrandFields:
    """None where no task was carried out."""
    if errand is None:
        return ErrandFields()
    return ErrandFields(_END_NUMBERS[errand.end], errand.deeds, errand.sought, errand.replans, errand.reason)


def read_errand(message: Any) -> Errand | None:
    """None where no task was carried out.

    Raises:
        ValueError: there is no such end, or a deed that came off tells why it did not.
    """
    if message.end > len(_ENDS):
        raise ValueError(f"an end of number {message.end} is none; there are {len(_ENDS)}")
    if not message.end:
        return None
    deeds, sought = tuple(map(_deed, message.deeds)), tuple(message.sought)
    return Errand(_ENDS[message.end - 1], deeds, sought, int(message.replans), message.reason)


def _deed(message: Any) -> Deed:
    if bool(message.done) == bool(message.failure):
        raise ValueError(f"a deed that is done has no failure, and any other has one: '{message.failure}'")
    return Deed(
        int(message.command),
        message.verb,
        tuple(message.objects),
        message.failure,
        bool(message.reached),
        bool(message.search),
    )


def task_fields(task: TaskTruth | None) -> TaskFields:
    """Those that say nothing where there is no task."""
    given = TaskTruth(SceneFacts(), Goal(), False) if task is None else task
    old, new = zip(*given.old_names, strict=True) if given.old_names else ((), ())
    return TaskFields(
        given.scene,
        given.goal,
        given.feasible,
        given.asked_about,
        old,
        new,
        given.states,
        given.relations,
        given.home,
        given.left_out,
        given.views,
        tuple(number for each in given.seen for number in each),
        given.instances,
        np.frombuffer(given.specification, np.uint8),
    )


def read_task_truth(message: Any) -> TaskTruth:
    """
    Raises:
        ValueError: its goal is none, old and new names differ in number, what is seen is not told by fours, or
            instances are not as many as objects.
    """
    return TaskTruth(
        read_scene_facts(message.scene),
        read_goal(message.goal),
        bool(message.feasible),
        tuple(message.asked_about),
        tuple(zip(message.old_names, message.new_names, strict=True)),
        tuple(message.states),
        tuple(message.relations),
        message.home,
        tuple(map(int, message.left_out)),
        tuple(Viewpoint(each.x, each.y, each.z, each.yaw, each.pitch) for each in message.views),
        tuple(zip(*[iter(map(int, message.seen))] * 4, strict=True)),
        tuple(map(int, message.instances)),
        bytes(message.specification),
    )


def read_scene_facts(message: Any) -> SceneFacts:
    return SceneFacts(
        tuple(SceneObject(each.name, tuple(each.initial), tuple(each.possible)) for each in message.objects),
        tuple(Fact(each.predicate, tuple(each.objects), bool(each.holds)) for each in message.facts),
    )
