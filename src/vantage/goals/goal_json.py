"""Goals and scene facts as plain JSON values, and back; unknown keys and values of the wrong kind are errors.

A goal is a list of parts, a part a list of alternatives, an alternative a list of goals, each a list of words:
``["node", "lamp", "ON"]``, ``["edge", "cup", "ON", "table"]``, ``["action", "GRAB"]``; ``["not", "node", ...]`` denies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from vantage.errors import FormatError
from vantage.goals.facts import Fact, SceneFacts, SceneObject
from vantage.goals.goals import ActionGoal, EdgeGoal, Goal, Literal, NodeGoal
from vantage.wording import shown

T = TypeVar("T")


def goal_to_json(goal: Goal) -> list[Any]:
    return [[[_plain(literal) for literal in alternative] for alternative in part] for part in goal.parts]


def _plain(literal: Literal) -> list[str]:
    if isinstance(literal, ActionGoal):
        return ["action", literal.action, *([literal.description] if literal.description else [])]
    denied = [] if literal.holds else ["not"]
    if isinstance(literal, NodeGoal):
        return [*denied, "node", literal.object, literal.state]
    return [*denied, "edge", literal.subject, literal.relation, literal.object]


def goal_from_json(value: Any, where: str) -> Goal:
    """
    Raises:
        FormatError: it is no goal; the message begins with ``where``.
    """

    def alternative(item: Any, place: str) -> tuple[Literal, ...]:
        return _each(item, place, _literal)

    return Goal(_each(value, where, lambda part, place: _each(part, place, alternative)))


def _literal(value: Any, where: str) -> Literal:
    words = _words(value, where)
    denied = words[:1] == ("not",)
    kind, *names = words[1:] if denied else words or ("",)
    if kind == "node" and len(names) == 2:
        return NodeGoal(names[0], names[1], not denied)
    if kind == "edge" and len(names) == 3:
        return EdgeGoal(names[0], names[1], names[2], not denied)
    if kind == "action" and len(names) in (1, 2) and not denied:
        return ActionGoal(*names)
    raise FormatError(f"{where}: {shown(value)} is no goal; expected one such as ['node', 'lamp', 'ON']")


def facts_to_json(scene: SceneFacts) -> dict[str, Any]:
    return {
        "objects": [
            {"name": item.name, "initial": [*item.initial], "possible": [*item.possible]} for item in scene.objects
        ],
        "facts": [[*([] if fact.holds else ["not"]), fact.predicate, *fact.objects] for fact in scene.facts],
    }


def facts_from_json(value: Any, where: str) -> SceneFacts:
    """
    Raises:
        FormatError: it is no scene; the message begins with ``where``.
    """
    keys = _keys(value, where, ("objects", "facts"))
    return SceneFacts(
        _each(keys["objects"], f"{where}: objects", _object), _each(keys["facts"], f"{where}: facts", _fact)
    )


def _object(value: Any, where: str) -> SceneObject:
    keys = _keys(value, where, ("name", "initial", "possible"))
    if not isinstance(keys["name"], str):
        raise FormatError(f"{where}: 'name' must be text, got {shown(keys['name'])}")
    return SceneObject(keys["name"], *(_words(keys[key], f"{where}: {key}") for key in ("initial", "possible")))


def _fact(value: Any, where: str) -> Fact:
    words = _words(value, where)
    denied = words[:1] == ("not",)
    predicate, *objects = words[1:] if denied else words or ("",)
    if not (predicate and objects):
        raise FormatError(f"{where}: {shown(value)} is no fact; expected one such as ['inside', 'cup', 'sink']")
    return Fact(predicate, tuple(objects), not denied)


def _keys(value: Any, where: str, known: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping) or {*value} != {*known}:
        raise FormatError(f"{where}: expected an object with the keys {', '.join(known)}, got {shown(value)}")
    return value


def _words(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not {*map(type, value)} <= {str}:
        raise FormatError(f"{where}: expected a list of texts, got {shown(value)}")
    return tuple(value)


def _each(value: Any, where: str, read: Callable[[Any, str], T]) -> tuple[T, ...]:
    if not isinstance(value, (list, tuple)):
        raise FormatError(f"{where}: expected a list, got {shown(value)}")
    return tuple(read(item, f"{where}[{index}]") for index, item in enumerate(value))
