"""Items of the probing set: what is asked of a model about a base task, and what only the scorer knows of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from vantage.benchmarks.heal.base_tasks import AGENTS, ENVIRONMENTS
from vantage.benchmarks.heal.sights import Seen
from vantage.errors import FormatError
from vantage.goals import (
    ActionGoal,
    Fault,
    FaultKind,
    Goal,
    Literal,
    SceneFacts,
    TaskTruth,
    fault_of,
    kind_of,
    object_key,
    ungrounded,
)
from vantage.types import TruthQuestion

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


def task_of(gold: TruthQuestion, where: str) -> TaskTruth:
    """What the gold data of an item say of its task.

    Raises:
        FormatError: they are none of this benchmark, or were written before tasks had types; the message begins with
            ``where``.
    """
    if gold.task is None or gold.category not in ENVIRONMENTS or gold.kind not in TRANSFORMATIONS:
        raise FormatError(
            f"{where}: these are no gold data of a task of benchmark heal, or older ones; make the set again and "
            "record its episodes again"
        )
    return gold.task


def sights_of(truth: TaskTruth) -> tuple[Seen, ...]:
    """How well pictures show what the goal names."""
    return tuple(Seen(*each) for each in truth.seen)


def is_pictured(truth: TaskTruth) -> bool:
    """Whether pictures show what matters."""
    return bool(truth.views) and all(each.enough for each in sights_of(truth))


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
