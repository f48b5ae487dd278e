"""The four transformations of the paper, by rules: the same seed gives the same items.

DistInj adds three things to the text that are not in the scene. TaskObjRem takes one thing of the goal out of the
scene, an item for each; the agent's own removal stands apart. SynonymSub calls the things of the scene otherwise, by
names that share no word with the old ones, where something of the goal has one. SceneTaskCon takes the scene of
another task, in which nothing of the goal is.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from vantage.benchmarks.heal.base_tasks import BaseTask
from vantage.benchmarks.heal.household_words import DISTRACTORS, OTHER_NAMES, clashing
from vantage.benchmarks.heal.probing_items import (
    AGENT_REM,
    BASE,
    DIST_INJ,
    SCENE_TASK_CON,
    SYNONYM_SUB,
    TASK_OBJ_REM,
    Item,
    is_agent,
)
from vantage.goals import SceneFacts, kind_of, object_key, objects_of, renamed
from vantage.questions.lexicon import canonical, words_for

_MOST_DISTRACTORS = 3
_PHRASES = (
    "past the {}",
    "near the {}",
    "next to the {}",
    "without bumping into the {}",
    "while making sure that the {} is not in the way",
    "in front of the {}",
)
_SENTENCE = re.compile(r"(?<=[a-z)])[.!](?=\s|$)|(?<=[a-z)])$")


def items_of(task: BaseTask, others: Sequence[BaseTask], seed: int) -> tuple[Item, ...]:
    """The base item and all that the transformations make of a task.

    Args:
        others: tasks of the same environment, whose scenes may stand in for its own.
    """
    rng = lot_of(task, seed)
    return (
        Item(BASE, BASE, task.scene, task.text, task.gold),
        with_distractors(task, rng),
        *_with_removals(task),
        *with_other_names(task),
        _in_another_scene(task, others, rng),
    )


def lot_of(task: BaseTask, seed: int) -> np.random.Generator:
    """What is drawn by lot for a task: the same in every set of a seed."""
    return np.random.default_rng([seed, int.from_bytes(hashlib.sha256(task.episode_id.encode()).digest()[:8], "big")])


def with_distractors(task: BaseTask, rng: np.random.Generator, other: Mapping[str, str] = OTHER_NAMES) -> Item:
    """
    Args:
        other: names of kinds of things, which are not added either.
    """
    known = {kind_of(item.name) for item in task.scene.objects} | {kind_of(name) for name in objects_of(task.gold)}
    known |= {other[name] for name in known if name in other}
    free = [word for word in DISTRACTORS if not any(clashing(word, name) for name in (*known, task.text, task.name))]
    drawn = [free[index] for index in rng.permutation(len(free))[:_MOST_DISTRACTORS]]
    phrases = [_PHRASES[index].format(word) for index, word in zip(rng.permutation(len(_PHRASES)), drawn, strict=False)]
    asked = tuple(object_key(word) for word in drawn)
    return Item(DIST_INJ, DIST_INJ, task.scene, with_phrases(task.text, phrases), task.gold, asked)


def with_phrases(text: str, phrases: Sequence[str]) -> str:
    """A text with a phrase at the end of each of its sentences in turn; those that are left go to the last one."""
    ends = [found.start() for found in _SENTENCE.finditer(text)] or [len(text.rstrip())]
    places = ends[: len(phrases)]
    told = {place: [phrase] for place, phrase in zip(places, phrases, strict=False)}
    if places:
        told[places[-1]] += phrases[len(places) :]
    for place in sorted(told, reverse=True):
        text = f"{text[:place]} {' and '.join(told[place])}{text[place:]}"
    return text


def _with_removals(task: BaseTask) -> Iterator[Item]:
    number = 0
    for name in objects_of(task.gold):
        if not task.scene.has(name):
            continue
        kind = AGENT_REM if is_agent(name) else TASK_OBJ_REM
        number += 1
        yield Item(f"{kind}_{number}", kind, task.scene.without(name), task.text, task.gold, (name,))


def other_names(scene: SceneFacts, known: Mapping[str, str] = OTHER_NAMES) -> dict[str, str]:
    """Other names of the things in a scene, by ``object_key`` of their own; those for which none is known, or whose
    other name is taken there, keep theirs. The agent does as well."""
    taken = {kind_of(item.name) for item in scene.objects}
    found: dict[str, str] = {}
    for item in scene.objects:
        kind = kind_of(item.name)
        other = known.get(kind, "")
        if other and other not in taken and not is_agent(item.name):
            found[object_key(item.name)] = other + item.name[len(kind) :]
    by_other: dict[str, set[str]] = {}
    for name, other in found.items():
        by_other.setdefault(other, set()).add(name)
    return {name: other for name, other in found.items() if len(by_other[other]) == 1}


def with_other_names(task: BaseTask, known: Mapping[str, str] = OTHER_NAMES) -> tuple[Item, ...]:
    """The item in which things have other names; none where nothing of the goal has one.

    Args:
        known: other names of kinds of things.
    """
    names = other_names(task.scene, known)
    asked = tuple(name for name in objects_of(task.gold) if object_key(name) in names)
    pairs = tuple((name, names[object_key(name)]) for name in asked)
    if not pairs:
        return ()
    scene, gold = task.scene.renamed(names), renamed(task.gold, names)
    return (Item(SYNONYM_SUB, SYNONYM_SUB, scene, task.text, gold, asked, pairs),)


def _in_another_scene(task: BaseTask, others: Sequence[BaseTask], rng: np.random.Generator) -> Item:
    """In the first scene by lot that has nothing of the goal; where all have something, in one from which that is taken
    away."""
    needed = [name for name in objects_of(task.gold) if not is_agent(name)]
    kinds = {each for name in needed for each in _may_be_called(name)}
    drawn = [others[index].scene for index in rng.permutation(len(others)) if others[index] != task]
    scene = next((each for each in drawn if not _shared(each, kinds)), drawn[0] if drawn else SceneFacts())
    for name in _shared(scene, kinds):
        scene = scene.without(name)
    asked = tuple(name for name in needed if not scene.has(name))
    return Item(SCENE_TASK_CON, SCENE_TASK_CON, scene, task.text, task.gold, asked)


def kinds_called(name: str, known: Mapping[str, str] = OTHER_NAMES) -> set[str]:
    """What a thing may be called: its kind, other names for it, and what the lexicon makes of these."""
    kind = kind_of(name)
    called = {kind, known.get(kind, kind)} | {each for each, other in known.items() if other == kind}
    return called | {canonical(each.replace("_", " ")) for each in called}


def _may_be_called(name: str) -> set[str]:
    """Also by words that the lexicon has for the same: whoever asks for a light is not refused where a lamp is."""
    same = words_for(kind_of(name).replace("_", " ")).same
    return kinds_called(name) | same | {word.replace(" ", "_") for word in same}


def _shared(scene: SceneFacts, kinds: set[str]) -> list[str]:
    return [item.name for item in scene.objects if kinds_called(item.name) & kinds]
