"""What a set holds, in numbers: categories, rooms, actions, words, and how little of it a limited camera solves."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vantage.benchmarks.e3vs.e3vs_plan import SHARES
from vantage.benchmarks.labelling import WAYS
from vantage.benchmarks.sets import EpisodeSet, load_truths
from vantage.scenes.graph import SceneGraph
from vantage.splats import GRAPH_FILE, load_graph
from vantage.types import Episode, Truth


@dataclass(frozen=True)
class Described:
    """An episode with its gold data."""

    episode: Episode
    truth: Truth

    @property
    def category(self) -> str:
        return self.truth.questions[0].category


def episodes_of(episode_set: EpisodeSet) -> list[Described]:
    truths = load_truths(episode_set.folder, episode_set.episodes)
    return [Described(episode, truths[episode.episode_id]) for episode in episode_set.episodes]


def describe(episode_sets: Sequence[EpisodeSet]) -> dict[str, Any]:
    """Of all sets together, and where these are several of each by its folder's name: see ``_numbers``."""
    parts = {one.folder.name: episodes_of(one) for one in episode_sets}
    rooms = {one.folder.name: _rooms(one) for one in episode_sets}
    whole = _numbers([each for members in parts.values() for each in members], sum(rooms.values(), Counter()))
    if len(parts) < 2:
        return whole
    return {**whole, "splits": {name: _numbers(members, rooms[name]) for name, members in parts.items()}}


def _rooms(episode_set: EpisodeSet) -> Counter[str]:
    """Kinds of rooms of the homes, as far as their folders are there."""
    found: Counter[str] = Counter()
    for name in episode_set.info.scenes:
        folder = episode_set.scene_folder(name)
        graph: SceneGraph | None = load_graph(folder) if (folder / GRAPH_FILE).is_file() else None
        found.update(room.label for room in (graph.rooms if graph is not None else ()))
    return found


def shares(members: Sequence[Described]) -> dict[str, float]:
    """The share of the episodes of each category."""
    counts = Counter(each.category for each in members)
    return {category: counts[category] / len(members) for category in SHARES}


def limited(members: Sequence[Described]) -> dict[str, float]:
    """The share of the episodes that each way to move does not solve within the budget, by its name."""
    return {way: sum(way not in each.truth.solved_by for each in members) / len(members) for way in WAYS}


def _numbers(members: Sequence[Described], rooms: Mapping[str, int]) -> dict[str, Any]:
    pairs = {each.truth.pair_id: each for each in members}
    steps = [len(each.truth.oracle_actions or ()) for each in members]
    actions = Counter(action for each in members for action in each.truth.oracle_actions or ())
    return {
        "episodes": len(members),
        "pairs": len(pairs),
        "scenes": len({each.episode.scene for each in members}),
        "categories": dict(Counter(each.category for each in members)),
        "shares": shares(members),
        "limited": limited(members),
        "rooms": dict(sorted(rooms.items())),
        "actions": dict(sorted(actions.items())),
        "oracle_steps": _spread(steps),
        "question_words": _spread([len(each.episode.questions[0].text.split()) for each in pairs.values()]),
        "answer_words": _spread([len(each.truth.questions[0].answer.split()) for each in pairs.values()]),
    }


def _spread(values: Sequence[int]) -> dict[str, float]:
    return {"least": min(values), "median": statistics.median(values), "most": max(values)}


def lines_of(numbers: Mapping[str, Any]) -> list[str]:
    """The same in lines for people."""
    lines = [
        f"{numbers['episodes']} episodes of {numbers['pairs']} question-answer pairs in {numbers['scenes']} scenes",
        "categories: " + ", ".join(f"{name} {share:.1%}" for name, share in numbers["shares"].items()),
        "not solved within the budget by: " + ", ".join(f"{way} {s:.1%}" for way, s in numbers["limited"].items()),
        "rooms: " + ", ".join(f"{number} {name}" for name, number in numbers["rooms"].items()),
        "actions of the oracles: " + ", ".join(f"{number} {name}" for name, number in numbers["actions"].items()),
    ]
    titles = ("oracle_steps", "steps of the oracles"), ("question_words", "words of questions")
    for key, title in (*titles, ("answer_words", "words of answers")):
        spread = numbers[key]
        lines.append(f"{title}: {spread['least']:g} to {spread['most']:g}, {spread['median']:g} in the middle")
    return lines
