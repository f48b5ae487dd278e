"""Gold data of a task in words: the scene in which it is put, and what it means there."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Any

from vantage.errors import FormatError
from vantage.goals.facts import SceneFacts
from vantage.goals.goal_json import facts_from_json, facts_to_json, goal_from_json, goal_to_json
from vantage.goals.goals import Goal
from vantage.spatial import Viewpoint
from vantage.wording import shown

_KEYS = ("scene", "goal", "feasible", "asked_about", "old_names", "states", "relations")  # of all
_MORE = ("home", "left_out", "views", "seen")


@dataclass(frozen=True)
class TaskTruth:
    """What only the scorer knows of a task.

    Attributes:
        scene: in which the task is put.
        goal: in the names of the scene, or of what it lacks.
        feasible: the scene supports the goal, so that refusing is wrong.
        asked_about: names that are not in the scene, of which it is asked whether a reply mentions them.
        old_names: of what was renamed, with the new ones.
        states, relations: all of the environment.
        home: that the task is about; empty where it is about none.
        left_out: instance ids of what is left out of that home.
        views: from which pictures of that home are taken, whatever is left out of it.
        seen: of each thing and room that the goal names and the home still has, how well these show it: its instance
            id, the number of a view, pixels and per cent there.
    """

    scene: SceneFacts
    goal: Goal
    feasible: bool
    asked_about: tuple[str, ...] = ()
    old_names: tuple[tuple[str, str], ...] = ()
    states: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    home: str = ""
    left_out: tuple[int, ...] = ()
    views: tuple[Viewpoint, ...] = ()
    seen: tuple[tuple[int, ...], ...] = ()


def task_to_json(truth: TaskTruth) -> dict[str, Any]:
    """As plain JSON values, which ``task_from_json`` reads."""
    return {
        "scene": facts_to_json(truth.scene),
        "goal": goal_to_json(truth.goal),
        "feasible": truth.feasible,
        "asked_about": [*truth.asked_about],
        "old_names": [[*pair] for pair in truth.old_names],
        "states": [*truth.states],
        "relations": [*truth.relations],
        **({"home": truth.home, "left_out": [*truth.left_out]} if truth.home else {}),
        **({"views": [astuple(view) for view in truth.views]} if truth.views else {}),
        **({"seen": [[*each] for each in truth.seen]} if truth.views else {}),
    }


def task_from_json(value: Any, where: str) -> TaskTruth:
    """
    Raises:
        FormatError: these are no gold data of a task; the message begins with ``where``.
    """
    if not isinstance(value, Mapping) or not {*_KEYS} <= {*value} <= {*_KEYS, *_MORE}:
        raise FormatError(f"{where}: expected an object with the keys {', '.join(_KEYS)}, got {shown(value)}")
    feasible, home, left_out = value["feasible"], value.get("home", ""), value.get("left_out", [])
    if type(feasible) is not bool or not isinstance(home, str):
        raise FormatError(f"{where}: 'feasible' must be true or false and 'home' text, got {shown([feasible, home])}")
    if not isinstance(left_out, list) or not all(type(thing) is int for thing in left_out):
        raise FormatError(f"{where}: 'left_out' must hold instance ids, got {shown(left_out)}")
    pairs = value["old_names"] if isinstance(value["old_names"], list) else [None]
    named = [_texts(pair, f"{where}: old_names") for pair in pairs]
    if any(len(pair) != 2 for pair in named):
        raise FormatError(f"{where}: 'old_names' must hold pairs of an old and a new name, got {shown(pairs)}")
    return TaskTruth(
        facts_from_json(value["scene"], f"{where}: scene"),
        goal_from_json(value["goal"], f"{where}: goal"),
        feasible,
        _texts(value["asked_about"], f"{where}: asked_about"),
        tuple((pair[0], pair[1]) for pair in named),
        _texts(value["states"], f"{where}: states"),
        _texts(value["relations"], f"{where}: relations"),
        home,
        tuple(left_out),
        tuple(Viewpoint(*map(float, each)) for each in _numbers(value.get("views", []), 5, f"{where}: views")),
        tuple(map(tuple, _numbers(value.get("seen", []), 4, f"{where}: seen", whole=True))),
    )


def _numbers(value: Any, count: int, where: str, whole: bool = False) -> list[list[Any]]:
    """A list of lists of so many finite numbers."""
    kinds = (int,) if whole else (int, float)
    if not isinstance(value, list):
        raise FormatError(f"{where}: expected a list, got {shown(value)}")
    for each in value:
        good = isinstance(each, list) and len(each) == count
        if not (good and all(type(number) in kinds and math.isfinite(number) for number in each)):
            raise FormatError(f"{where}: expected {count} numbers, got {shown(each)}")
    return value


def _texts(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise FormatError(f"{where}: expected a list of texts, got {shown(value)}")
    return tuple(value)
