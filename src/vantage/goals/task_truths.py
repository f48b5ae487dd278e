"""Gold data of a task in words: the scene in which it is put, and what it means there."""

from __future__ import annotations

import math
from base64 import b64decode, b64encode
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
_MORE = ("home", "left_out", "views", "seen", "instances", "specification")


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
        instances: ids of the scene's objects in that home, in their order, of rooms with a minus; empty where nothing
            is carried out.
        specification: of that home at the start, as the file of its set compressed by zlib; empty likewise.

    Raises:
        ValueError: there are instances, and not one for each object.
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
    instances: tuple[int, ...] = ()
    specification: bytes = b""

    def __post_init__(self) -> None:
        if self.instances and len(self.instances) != len(self.scene.objects):
            raise ValueError(
                f"there are {len(self.instances)} instances for {len(self.scene.objects)} objects; give one for each"
            )

    @property
    def names(self) -> dict[int, str]:
        """Of the things in the scene, by instance id, and of rooms, by their ids with a minus."""
        return {key: item.name for key, item in zip(self.instances, self.scene.objects, strict=False)}


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
        **({"instances": [*truth.instances]} if truth.instances else {}),
        **({"specification": b64encode(truth.specification).decode()} if truth.specification else {}),
    }


def task_from_json(value: Any, where: str) -> TaskTruth:
    """
    Raises:
        FormatError: these are no gold data of a task; the message begins with ``where``.
    """
    if not isinstance(value, Mapping) or not {*_KEYS} <= {*value} <= {*_KEYS, *_MORE}:
        raise FormatError(f"{where}: expected an object with the keys {', '.join(_KEYS)}, got {shown(value)}")
    feasible, home = value["feasible"], value.get("home", "")
    if type(feasible) is not bool or not isinstance(home, str):
        raise FormatError(f"{where}: 'feasible' must be true or false and 'home' text, got {shown([feasible, home])}")
    pairs = value["old_names"] if isinstance(value["old_names"], list) else [None]
    named = [_texts(pair, f"{where}: old_names") for pair in pairs]
    if any(len(pair) != 2 for pair in named):
        raise FormatError(f"{where}: 'old_names' must hold pairs of an old and a new name, got {shown(pairs)}")
    scene, instances = facts_from_json(value["scene"], f"{where}: scene"), _ids(value, "instances", where)
    if instances and len(instances) != len(scene.objects):
        raise FormatError(f"{where}: 'instances' must hold one id for each object, got {len(instances)}")
    return TaskTruth(
        scene,
        goal_from_json(value["goal"], f"{where}: goal"),
        feasible,
        _texts(value["asked_about"], f"{where}: asked_about"),
        tuple((pair[0], pair[1]) for pair in named),
        _texts(value["states"], f"{where}: states"),
        _texts(value["relations"], f"{where}: relations"),
        home,
        _ids(value, "left_out", where),
        tuple(Viewpoint(*map(float, each)) for each in _numbers(value.get("views", []), 5, f"{where}: views")),
        tuple(map(tuple, _numbers(value.get("seen", []), 4, f"{where}: seen", whole=True))),
        instances,
        _bytes(value.get("specification", ""), f"{where}: specification"),
    )


def _ids(value: Mapping[str, Any], key: str, where: str) -> tuple[int, ...]:
    ids = value.get(key, [])
    if not isinstance(ids, list) or not all(type(thing) is int for thing in ids):
        raise FormatError(f"{where}: '{key}' must hold instance ids, got {shown(ids)}")
    return tuple(ids)


def _bytes(value: Any, where: str) -> bytes:
    try:
        return b64decode(value, validate=True)
    except (TypeError, ValueError) as error:
        raise FormatError(f"{where}: expected bytes in base64, got {shown(value)}") from error


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
