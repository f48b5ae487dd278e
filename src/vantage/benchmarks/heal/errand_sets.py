"""Tasks in generated homes as errands: what is carried out of a set of HEAL, and what only the scorer knows of it.

Of each task in a home the base item is one, and of its infeasible items those whose scene is a home as it stands in the
set, nothing left out. An episode has one errand, and its question is the instruction alone.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from vantage.benchmarks import Stratum
from vantage.benchmarks.heal.base_tasks import HOMES
from vantage.benchmarks.heal.home_facts import HomeFacts, read_home
from vantage.benchmarks.heal.probing_items import BASE, task_of
from vantage.benchmarks.sets import EpisodeSet
from vantage.errors import FormatError, SceneError
from vantage.files import parse_json
from vantage.goals import Goal, SceneFacts, TaskTruth, kind_of, objects_of, read_task
from vantage.scenes.spec import SceneSpec, spec_from_json, spec_to_json
from vantage.types import Episode, Question, Truth, TruthQuestion

ERRAND = "errand"  # kind of the gold question of one
_LARGEST = 2**24  # bytes of a specification
_KEPT = 16  # homes


@dataclass(frozen=True)
class ErrandTruth:
    """Gold data of an errand, as the bag holds them.

    Attributes:
        facts: of the home at the start.
        names: of things in ``facts``, by instance id, and of rooms, by their ids with a minus.
        home: its shapes at the start, by which a world of physics is judged.
    """

    goal: Goal
    feasible: bool
    facts: SceneFacts
    names: Mapping[int, str]
    home: SceneSpec


def errands_of(episode_set: EpisodeSet, truths: Mapping[str, Truth]) -> tuple[EpisodeSet, dict[str, Truth]]:
    """The errands of a set; none of one without homes."""
    made = [*_errands(episode_set, truths)]
    episodes = tuple(episode for episode, _ in made)
    return replace(episode_set, episodes=episodes), {truth.episode_id: truth for _, truth in made}


def _errands(episode_set: EpisodeSet, truths: Mapping[str, Truth]) -> Iterator[tuple[Episode, Truth]]:
    starts = {episode.scene: episode.start for episode in episode_set.episodes}
    homes: dict[str, HomeFacts] = {}
    packed: dict[str, bytes] = {}
    for episode in episode_set.episodes:
        truth = truths[episode.episode_id]
        for question, gold in zip(episode.questions, truth.questions, strict=True):
            where = f"episode '{episode.episode_id}', item '{question.question_id}'"
            if gold.category != HOMES:
                continue
            item = task_of(gold, where)
            is_base = gold.kind == BASE
            if not is_base and (item.feasible or item.left_out or item.home not in starts):
                continue
            if item.home not in homes:
                homes[item.home] = read_home(episode_set.scene_folder(item.home))
                packed[item.home] = _packed(homes[item.home].spec)
            home = homes[item.home]
            episode_id = episode.episode_id if is_base else f"{episode.episode_id}-{gold.kind}"
            asked = Question(question.question_id, read_task(question.text).text)
            told = TaskTruth(
                home.facts,
                item.goal,
                item.feasible,
                states=item.states,
                relations=item.relations,
                home=item.home,
                instances=_instances(home),
                specification=packed[item.home],
            )
            known = replace(gold, kind=ERRAND, task=told)
            start = episode.start if is_base else starts[item.home]
            yield (
                replace(episode, episode_id=episode_id, scene=item.home, start=start, questions=(asked,)),
                replace(truth, episode_id=episode_id, questions=(known,)),
            )


def _instances(home: HomeFacts) -> tuple[int, ...]:
    """Ids of the objects of its facts, in their order."""
    ids = {name: key for key, name in home.names.items()}
    return tuple(ids[item.name] for item in home.facts.objects)


def strata_of(episode_set: EpisodeSet, truths: Mapping[str, Truth]) -> dict[str, Stratum]:
    """Whether errands are feasible, and what they ask for, by the kinds of things; of other episodes none.

    Raises:
        FormatError: gold data are damaged.
    """
    found: dict[str, Stratum] = {}
    for episode in episode_set.episodes:
        for gold in truths[episode.episode_id].questions:
            errand = read_errand_truth(gold, f"episode '{episode.episode_id}'")
            if errand is not None:
                kinds = [kind_of(name) for name in objects_of(errand.goal)]
                words = [*{literal.key[0]: None for literal in errand.goal.literals}, *kinds]
                found[episode.episode_id] = Stratum(errand.feasible, " ".join(dict.fromkeys(words)))
    return found


def _packed(spec: SceneSpec) -> bytes:
    return zlib.compress(json.dumps(spec_to_json(spec), separators=(",", ":"), allow_nan=False).encode(), 9)


def read_errand_truth(gold: TruthQuestion, where: str) -> ErrandTruth | None:
    """None of the gold data of anything else.

    Raises:
        FormatError: they are those of an errand, and do not tell of the home; the message begins with ``where``.
    """
    if gold.kind != ERRAND:
        return None
    task = gold.task
    if task is None or not task.instances:
        raise FormatError(f"{where}: the gold data of a task do not say which home it is about; run the task again")
    try:
        return ErrandTruth(task.goal, task.feasible, task.scene, task.names, _unpacked(task.specification))
    except (zlib.error, ValueError, FormatError, SceneError) as error:
        raise FormatError(f"{where}: the home of a task cannot be read ({error}); run the task again") from error


@lru_cache(maxsize=_KEPT)
def _unpacked(packed: bytes) -> SceneSpec:
    """
    Raises:
        zlib.error, ValueError, FormatError, SceneError: it is no specification.
    """
    reader = zlib.decompressobj()
    text = reader.decompress(packed, _LARGEST)
    if not reader.eof:
        raise ValueError(f"it does not end within {_LARGEST} bytes")
    return spec_from_json(parse_json(text.decode(), "its specification"), "its specification")
