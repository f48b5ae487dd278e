"""Tasks in generated homes as errands: what is carried out of a set of HEAL, and what only the scorer knows of it.

Of each task in a home the base item is one, and of its infeasible items those whose scene is a home as it stands in the
set, nothing left out. An episode has one errand, and its question is the instruction alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from vantage.benchmarks import Stratum
from vantage.benchmarks.heal.base_tasks import HOMES
from vantage.benchmarks.heal.home_facts import HomeFacts, read_home
from vantage.benchmarks.heal.probing_items import BASE, task_of
from vantage.benchmarks.sets import EpisodeSet
from vantage.errors import FormatError
from vantage.files import parse_json
from vantage.goals import (
    Goal,
    SceneFacts,
    facts_from_json,
    facts_to_json,
    goal_from_json,
    goal_to_json,
    kind_of,
    objects_of,
    read_task,
)
from vantage.types import Episode, Question, Truth, TruthQuestion

ERRAND = "errand"  # kind of the gold question of one


@dataclass(frozen=True)
class ErrandTruth:
    """Gold data of an errand, as the bag holds them.

    Attributes:
        facts: of the home at the start.
        names: of things in ``facts``, by instance id.
    """

    goal: Goal
    feasible: bool
    facts: SceneFacts
    names: Mapping[int, str]


def errands_of(episode_set: EpisodeSet, truths: Mapping[str, Truth]) -> tuple[EpisodeSet, dict[str, Truth]]:
    """The errands of a set; none of one without homes."""
    made = [*_errands(episode_set, truths)]
    episodes = tuple(episode for episode, _ in made)
    return replace(episode_set, episodes=episodes), {truth.episode_id: truth for _, truth in made}


def _errands(episode_set: EpisodeSet, truths: Mapping[str, Truth]) -> Iterator[tuple[Episode, Truth]]:
    starts = {episode.scene: episode.start for episode in episode_set.episodes}
    homes: dict[str, HomeFacts] = {}
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
            home = homes[item.home]
            episode_id = episode.episode_id if is_base else f"{episode.episode_id}-{gold.kind}"
            asked = Question(question.question_id, read_task(question.text).text)
            told = ErrandTruth(item.goal, item.feasible, home.facts, _names(home))
            known = replace(gold, kind=ERRAND, program=_text(told), task=None)
            start = episode.start if is_base else starts[item.home]
            yield (
                replace(episode, episode_id=episode_id, scene=item.home, start=start, questions=(asked,)),
                replace(truth, episode_id=episode_id, questions=(known,)),
            )


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


def _names(home: HomeFacts) -> dict[int, str]:
    return {key: name for key, name in home.names.items() if key > 0}


def _text(truth: ErrandTruth) -> str:
    plain = {
        ERRAND: goal_to_json(truth.goal),
        "feasible": truth.feasible,
        "facts": facts_to_json(truth.facts),
        "names": {str(key): name for key, name in truth.names.items()},
    }
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def read_errand_truth(gold: TruthQuestion, where: str) -> ErrandTruth | None:
    """None of the gold data of anything else.

    Raises:
        FormatError: they are those of an errand, and damaged; the message begins with ``where``.
    """
    if gold.kind != ERRAND:
        return None
    try:
        value = parse_json(gold.program, where)
        return ErrandTruth(
            goal_from_json(value[ERRAND], where),
            bool(value["feasible"]),
            facts_from_json(value["facts"], where),
            {int(key): str(name) for key, name in value["names"].items()},
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"{where}: these are no gold data of an errand ({error}); run the task again") from error
