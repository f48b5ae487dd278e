"""Items of the probing set: what is asked of a model about a base task, and what only the scorer knows of it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, replace
from typing import Any

from vantage.benchmarks.heal.base_tasks import AGENTS, ENVIRONMENTS, listed, mapping, texts
from vantage.benchmarks.heal.sights import Seen
from vantage.errors import FormatError
from vantage.files import parse_json
from vantage.goals import (
    ActionGoal,
    Fault,
    FaultKind,
    Goal,
    Literal,
    SceneFacts,
    fault_of,
    goal_from_json,
    goal_to_json,
    kind_of,
    object_key,
    ungrounded,
)
from vantage.spatial import Viewpoint
from vantage.wording import shown

BASE = "base"
DIST_INJ, TASK_OBJ_REM, AGENT_REM = "dist_inj", "task_obj_rem", "agent_rem"
SYNONYM_SUB, SCENE_TASK_CON = "synonym_sub", "scene_task_con"
TRANSFORMATIONS = (BASE, DIST_INJ, TASK_OBJ_REM, AGENT_REM, SYNONYM_SUB, SCENE_TASK_CON)
TITLES = {
    BASE: "base",
    DIST_INJ: "DistInj",
    TASK_OBJ_REM: "TaskObjRem",
    AGENT_REM: "agent removed",
    SYNONYM_SUB: "SynonymSub",
    SCENE_TASK_CON: "SceneTaskCon",
}


@dataclass(frozen=True)
class Item:
    """One base task under one transformation.

    Attributes:
        item_id: unique among those of its task.
        gold: in the names of ``scene``, or of what it lacks.
        asked_about: names that are not in the scene, of which it is asked whether a reply mentions them.
        old_names: of what was renamed, with the new ones.
    """

    item_id: str
    transformation: str
    scene: SceneFacts
    text: str
    gold: Goal
    asked_about: tuple[str, ...] = ()
    old_names: tuple[tuple[str, str], ...] = ()

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Why the goal cannot be pursued in the scene; empty where it can."""
        return ungrounded(self.gold, self.scene)


@dataclass(frozen=True)
class ItemTruth:
    """Gold data of an item, as the bag holds them.

    Attributes:
        feasible: the goal can be pursued in the scene, so that refusing is wrong.
        states: every state of the environment.
        home: that the item is about; empty where it is about none.
        gone: instance ids of what is left out of that home.
        views: from which pictures of that home are taken, whatever is left out of it.
        seen: of each thing and room that the goal names and the home still has, how well these show it.
    """

    environment: str
    transformation: str
    gold: Goal
    feasible: bool
    asked_about: tuple[str, ...]
    old_names: tuple[tuple[str, str], ...]
    states: tuple[str, ...]
    home: str = ""
    gone: tuple[int, ...] = ()
    views: tuple[Viewpoint, ...] = ()
    seen: tuple[Seen, ...] = ()

    @property
    def pictured(self) -> bool:
        """Whether pictures show what matters."""
        return bool(self.views) and all(each.enough for each in self.seen)


def truth_text(truth: ItemTruth) -> str:
    """As ``read_truth`` reads it."""
    plain = {
        "environment": truth.environment,
        "transformation": truth.transformation,
        "goal": goal_to_json(truth.gold),
        "feasible": truth.feasible,
        "asked_about": truth.asked_about,
        "old_names": truth.old_names,
        "states": truth.states,
        **({"home": truth.home, "gone": truth.gone} if truth.home else {}),
        **({"views": [astuple(view) for view in truth.views]} if truth.views else {}),
        **({"seen": [astuple(each) for each in truth.seen]} if truth.views else {}),
    }
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def read_truth(text: str, where: str) -> ItemTruth:
    """
    Raises:
        FormatError: these are no gold data of an item; the message begins with ``where``.
    """
    try:
        keys = mapping(parse_json(text, where), where)
    except ValueError as error:
        raise FormatError(f"{where}: these are no gold data of an item ({error}); make the set again") from error
    environment, transformation, feasible = (keys.get(key) for key in ("environment", "transformation", "feasible"))
    if environment not in ENVIRONMENTS or transformation not in TRANSFORMATIONS or not isinstance(feasible, bool):
        raise FormatError(f"{where}: these are no gold data of an item of benchmark heal; make the set again")
    renamed = keys.get("old_names")
    pairs = [texts(pair, where) for pair in renamed] if isinstance(renamed, list) else []
    return ItemTruth(
        environment,
        transformation,
        goal_from_json(keys.get("goal"), f"{where}: goal"),
        feasible,
        texts(keys.get("asked_about"), f"{where}: asked_about"),
        tuple((pair[0], pair[1]) for pair in pairs if len(pair) == 2),
        texts(keys.get("states"), f"{where}: states"),
        *_home(keys, where),
        *_pictures(keys, where),
    )


def _home(keys: Mapping[str, Any], where: str) -> tuple[str, tuple[int, ...]]:
    name, gone = keys.get("home", ""), listed(keys.get("gone", []), f"{where}: gone")
    if not (isinstance(name, str) and all(type(thing) is int for thing in gone)):
        raise FormatError(f"{where}: 'home' must be text and 'gone' hold whole numbers; make the set again")
    return name, tuple(gone)


def _pictures(keys: Mapping[str, Any], where: str) -> tuple[tuple[Viewpoint, ...], tuple[Seen, ...]]:
    views = [_numbers(each, 5, f"{where}: views") for each in listed(keys.get("views", []), f"{where}: views")]
    seen = [_numbers(each, 4, f"{where}: seen") for each in listed(keys.get("seen", []), f"{where}: seen")]
    if not all(type(value) is int for each in seen for value in each):
        raise FormatError(f"{where}: 'seen' must hold whole numbers; make the set again")
    return tuple(Viewpoint(*map(float, each)) for each in views), tuple(Seen(*each) for each in seen)


def _numbers(value: Any, count: int, where: str) -> list[Any]:
    found = listed(value, where)
    if len(found) != count or not all(type(each) in (int, float) and math.isfinite(each) for each in found):
        raise FormatError(f"{where}: expected {count} numbers, got {shown(value)}; make the set again")
    return found


def pursuable(gold: Goal, scene: SceneFacts) -> tuple[Literal, ...]:
    """Of each part the first alternative that the scene allows and that contradicts nothing chosen before, each goal
    once; of parts of which it allows none, the first."""
    chosen: dict[tuple[str, ...], Literal] = {}
    for part in gold.parts:
        allowed = [each for each in part if not any(fault_of(literal, scene) for literal in each)] or [part[0]]
        best = next((each for each in allowed if not any(_denied(literal) in chosen for literal in each)), allowed[0])
        chosen.update((literal.key, literal) for literal in best if literal.key not in chosen)
    return tuple(chosen.values())


def _denied(literal: Literal) -> tuple[str, ...]:
    """The key of the goal that contradicts another one."""
    if isinstance(literal, ActionGoal):
        return ()
    return replace(literal, holds=not literal.holds).key


def missing_names(faults: Iterable[Fault]) -> tuple[str, ...]:
    return tuple(fault.name for fault in faults if fault.kind is FaultKind.MISSING_OBJECT)


def is_agent(name: str) -> bool:
    """Whether an object is the agent itself."""
    return kind_of(name) in AGENTS


def is_mentioned(asked: str, names: Iterable[str], scene: SceneFacts) -> bool:
    """Whether names of a reply mention something that is not there: by its own name, or by that of its kind where one
    of the two has no number and the scene has nothing of that name."""
    wanted, kind = object_key(asked), kind_of(asked)
    for name in map(object_key, names):
        if name == wanted or (kind_of(name) == kind and kind in (name, wanted) and not scene.has(name)):
            return True
    return False
