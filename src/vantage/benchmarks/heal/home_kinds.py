"""Things by their kinds alone, as pictures tell them: nobody reads the number of a mug from a picture.

Where pictures alone show a home, a prompt lists all names that things and rooms of generated homes can have, the same
for every task; SynonymSub has the other name of those that have one. Replies, goals and scenes are then compared by
kinds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from vantage.benchmarks.heal.home_words import HOME_NAMES
from vantage.benchmarks.heal.probing_items import SYNONYM_SUB
from vantage.goals import Goal, Literal, Reading, SceneFacts, TaskTruth, kind_of, object_key, objects_of, renamed
from vantage.scenes.catalog import labels

ROOMS = ("bathroom", "bedroom", "hall", "kitchen", "living_room", "office", "storage_room")


@cache
def vocabulary(transformation: str) -> tuple[str, ...]:
    """Every name that things and rooms of generated homes can have in items of a transformation, sorted."""
    known = (*ROOMS, *(label.replace(" ", "_") for label in labels()))
    return tuple(sorted(HOME_NAMES.get(name, name) if transformation == SYNONYM_SUB else name for name in known))


def truth_by_kind(truth: TaskTruth) -> TaskTruth:
    """Gold data as pictures can tell them; kinds that are in the scene are not asked about as absent."""
    there = {kind_of(item.name) for item in truth.scene.objects}
    asked = tuple(kind for kind in dict.fromkeys(map(kind_of, truth.asked_about)) if kind not in there)
    pairs = dict.fromkeys((kind_of(old), kind_of(new)) for old, new in truth.old_names)
    scene, goal = scene_by_kind(truth.scene), goal_by_kind(truth.goal)
    return replace(truth, scene=scene, goal=goal, asked_about=asked, old_names=tuple(pairs))


def goal_by_kind(goal: Goal) -> Goal:
    """What several alternatives of a part say alike is one of them."""
    kinds = renamed(goal, _kinds(objects_of(goal)))
    return Goal(tuple(tuple(dict.fromkeys(part)) for part in kinds.parts))


def scene_by_kind(scene: SceneFacts) -> SceneFacts:
    return scene.renamed(_kinds(item.name for item in scene.objects))


def reading_by_kind(reading: Reading) -> Reading:
    """A reply whose names have lost their numbers; each goal once."""
    goal = Goal.of(reading.goals)
    found: dict[tuple[str, ...], Literal] = {}
    for literal in renamed(goal, _kinds(objects_of(goal))).literals:
        found.setdefault(literal.key, literal)
    return replace(reading, goals=tuple(found.values()))


def _kinds(names: Iterable[str]) -> dict[str, str]:
    return {object_key(name): kind_of(name) for name in names}
