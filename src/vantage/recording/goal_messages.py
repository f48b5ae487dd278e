"""Goals, rulings and gold data of tasks as their messages have them, and back.

What a message has is told by tuples with the fields of Goal.msg, Ruling.msg and TaskTruth.msg; numbers of rulings and
reasons are the places of ``Feasibility``, from 1 on, and of ``ReasonKind``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from vantage.goals import (
    ActionGoal,
    EdgeGoal,
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
_FEASIBILITIES, _KINDS = tuple(Feasibility), tuple(ReasonKind)
_NUMBERS = {each: number for number, each in enumerate(_FEASIBILITIES, start=1)}
_KIND_NUMBERS = {each: number for number, each in enumerate(_KINDS)}


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
    )


def read_task_truth(message: Any) -> TaskTruth:
    """
    Raises:
        ValueError: its goal is none, old and new names differ in number, or what is seen is not told by fours.
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
    )


def read_scene_facts(message: Any) -> SceneFacts:
    return SceneFacts(
        tuple(SceneObject(each.name, tuple(each.initial), tuple(each.possible)) for each in message.objects),
        tuple(Fact(each.predicate, tuple(each.objects), bool(each.holds)) for each in message.facts),
    )
