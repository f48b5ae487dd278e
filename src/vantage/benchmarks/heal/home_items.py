"""The transformations of tasks in generated homes: what is left out of a home, how its things are called, which home.

A thing is left out of the facts with all that it carries, and an item says which things of the home these are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from vantage.benchmarks.heal.base_tasks import BaseTask
from vantage.benchmarks.heal.home_facts import HomeFacts
from vantage.benchmarks.heal.home_words import HOME_NAMES
from vantage.benchmarks.heal.probing_items import BASE, SCENE_TASK_CON, SYNONYM_SUB, TASK_OBJ_REM, Item
from vantage.benchmarks.heal.transformations import (
    kinds_called,
    lot_of,
    other_names,
    with_distractors,
    with_other_names,
)
from vantage.goals import Goal, SceneFacts, kind_of, object_key, objects_of
from vantage.questions.lexicon import canonical, loosely, words_for


@dataclass(frozen=True)
class HomeTask:
    """A task in a home.

    Attributes:
        things: instance ids of what its goals name, without rooms.
    """

    base: BaseTask
    home: str
    things: tuple[int, ...]


@dataclass(frozen=True)
class HomeItem:
    """An item, and the home in which it is put.

    Attributes:
        home: its name; empty where the item is not about a home.
        gone: instance ids of what is left out of that home.
    """

    item: Item
    home: str = ""
    gone: tuple[int, ...] = ()


def home_items(task: HomeTask, homes: Mapping[str, HomeFacts], seed: int) -> tuple[HomeItem, ...]:
    """The base item and all that the transformations make of a task.

    Args:
        homes: two or more, by name; one of the others stands in for its own.
    """
    base, rng = task.base, lot_of(task.base, seed)
    return (
        HomeItem(Item(BASE, BASE, base.scene, base.text, base.gold), task.home),
        HomeItem(with_distractors(base, rng, HOME_NAMES), task.home),
        *(_without(task, homes[task.home], number) for number in range(len(task.things))),
        *(HomeItem(item, task.home) for item in with_other_names(base, HOME_NAMES)),
        _in_another_home(base, task.home, homes, rng),
    )


def told_scene(home: HomeFacts, gone: Iterable[int], transformation: str) -> SceneFacts:
    """A home as items of a transformation tell it."""
    scene = home.without(gone)
    return scene.renamed(other_names(scene, HOME_NAMES)) if transformation == SYNONYM_SUB else scene


def named_things(goal: Goal, home: HomeFacts, gone: Collection[int], transformation: str) -> tuple[int, ...]:
    """Instance ids of things, and of rooms with a minus, that a goal names and a home still has."""
    others = other_names(home.without(gone), HOME_NAMES) if transformation == SYNONYM_SUB else {}
    named = set(map(object_key, objects_of(goal)))
    told = {thing: others.get(object_key(name), name) for thing, name in home.names.items() if thing not in gone}
    return tuple(sorted(thing for thing, name in told.items() if object_key(name) in named))


def _without(task: HomeTask, home: HomeFacts, number: int) -> HomeItem:
    thing, base = task.things[number], task.base
    gone = home.carried_by((thing,))
    scene, name = home.without(gone), f"{TASK_OBJ_REM}_{number + 1}"
    return HomeItem(Item(name, TASK_OBJ_REM, scene, base.text, base.gold, (home.names[thing],)), task.home, gone)


def _in_another_home(base: BaseTask, own: str, homes: Mapping[str, HomeFacts], rng: np.random.Generator) -> HomeItem:
    """In that one of the other homes, by lot among the best, from which fewest things must be left out to have nothing
    of the goal. Rooms stay."""
    needed = objects_of(base.gold)
    kinds = {each for name in needed for each in _called(kind_of(name))}
    others = [name for name in sorted(homes) if name != own]
    drawn = [others[index] for index in rng.permutation(len(others))]
    gone = {name: homes[name].carried_by(_of_kinds(homes[name], kinds)) for name in drawn}
    home = min(drawn, key=lambda name: len(gone[name]))
    scene = homes[home].without(gone[home])
    asked = tuple(name for name in needed if not scene.has(name))
    return HomeItem(Item(SCENE_TASK_CON, SCENE_TASK_CON, scene, base.text, base.gold, asked), home, gone[home])


def _of_kinds(home: HomeFacts, kinds: set[str]) -> list[int]:
    """Things that words for such kinds may mean: also by broader words, as a lantern is a lamp."""
    return [thing for thing, name in home.names.items() if thing > 0 and _may_be_called(kind_of(name)) & kinds]


@cache
def _may_be_called(kind: str) -> frozenset[str]:
    """What a thing is called, what it is a kind of, and the last word of its name."""
    plain = kind.replace("_", " ")
    found = words_for(plain)
    further = found.same | found.broader | found.narrower | loosely(canonical(plain)) | {plain.split()[-1]}
    return _called(kind) | further | {word.replace(" ", "_") for word in further}


@cache
def _called(kind: str) -> frozenset[str]:
    return frozenset(kinds_called(kind, HOME_NAMES))
