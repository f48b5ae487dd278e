"""Some episodes of a set, by lot: spread over its questions, its scenes and what is asked for, the same for the same
seed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vantage.benchmarks import Stratum, benchmark_of
from vantage.benchmarks.sets import EpisodeSet, pair_name
from vantage.errors import UsageError
from vantage.registry import did_you_mean
from vantage.types import Episode, Truth


@dataclass(frozen=True)
class Sample:
    """Which episodes are taken.

    Attributes:
        number: of episodes that are drawn; with ``infeasible`` of those whose task can be done.
        infeasible: of those whose task cannot be done; None draws from all episodes alike.
        pairs: it is a number of pairs, such as of a question with a false premise and its twin.
        ids: those that are taken, whatever the lot says.
    """

    number: int
    infeasible: int | None = None
    pairs: bool = False
    ids: tuple[str, ...] = ()

    @classmethod
    def read(cls, text: str) -> Sample:
        """``100`` or ``100,50``.

        Raises:
            ValueError: it is neither, or draws nothing.
        """
        if re.fullmatch(r"\d{1,9}(,\d{1,9})?", text) is None:
            raise ValueError(f"expected N or N,M such as 100,50, got '{text}'")
        first, _, second = text.partition(",")
        made = cls(int(first), int(second) if second else None)
        if made.number + (made.infeasible or 0) < 1:
            raise ValueError("at least one episode must be drawn")
        return made

    @property
    def words(self) -> str:
        if self.pairs:
            return f"{self.number} pairs"
        if self.infeasible is None:
            return f"{self.number} episodes"
        return f"{self.number} feasible and {self.infeasible} infeasible episodes"


def sampled(episode_set: EpisodeSet, truths: Mapping[str, Truth], sample: Sample, seed: int) -> EpisodeSet:
    """The set with the chosen episodes alone, in their order.

    No question is drawn from a second start before every question was drawn once. The two questions of a pair, one of
    which has a false premise, are drawn together where the number leaves room for both.

    Raises:
        UsageError: the set has fewer, or no pairs, it lacks an episode that is named, or its benchmark does not tell
            which of its episodes are feasible.
    """
    if sample.ids:
        return _named(episode_set, sample.ids)
    if sample.pairs:
        return _whole_pairs(episode_set, truths, sample.number, seed)
    strata = benchmark_of(episode_set.info.benchmark).strata(episode_set, truths)
    groups: list[tuple[str, Sequence[Episode], int]]
    if sample.infeasible is None:
        groups = [("", episode_set.episodes, sample.number)]
    else:
        if not strata:
            raise UsageError(
                f"{episode_set.folder} does not tell which of these episodes are feasible; give --sample one number"
            )
        groups = [
            (f"{word} ", [each for each in episode_set.episodes if strata[each.episode_id].feasible is can], number)
            for word, can, number in (("feasible", True, sample.number), ("infeasible", False, sample.infeasible))
        ]
    chosen: set[str] = set()
    for place, (word, episodes, number) in enumerate(groups):
        if len(episodes) < number:
            raise UsageError(
                f"{episode_set.folder} has {len(episodes)} {word}episodes for this agent, and --sample asks for "
                f"{number}; ask for fewer, or make a larger set"
            )
        chosen |= set(_spread(episodes, truths, strata, number, np.random.default_rng([seed, place])))
    return replace(episode_set, episodes=tuple(each for each in episode_set.episodes if each.episode_id in chosen))


def _named(episode_set: EpisodeSet, ids: Sequence[str]) -> EpisodeSet:
    known = [each.episode_id for each in episode_set.episodes]
    for each in ids:
        if each not in known:
            raise UsageError(f"{episode_set.folder} has no episode '{each}' for this agent{did_you_mean(each, known)}")
    return replace(episode_set, episodes=tuple(each for each in episode_set.episodes if each.episode_id in ids))


def _whole_pairs(episode_set: EpisodeSet, truths: Mapping[str, Truth], number: int, seed: int) -> EpisodeSet:
    """So many pairs by lot, spread over scenes, each with all its episodes."""
    pairs = {each.episode_id: _pair(each, truths[each.episode_id]) for each in episode_set.episodes}
    scenes = {pairs[each.episode_id]: each.scene for each in episode_set.episodes}
    scenes.pop("", None)
    if len(scenes) < number:
        raise UsageError(
            f"{episode_set.folder} has {len(scenes)} pairs for this agent, and --pairs asks for {number}; "
            + ("ask for fewer, or make a larger set" if scenes else "draw from it by --sample")
        )
    names = sorted(scenes)
    left = [names[index] for index in np.random.default_rng([seed, 0]).permutation(len(names))]
    drawn: Counter[str] = Counter()
    chosen: set[str] = set()
    for _ in range(number):
        pair = min(left, key=lambda name: drawn[scenes[name]])
        left.remove(pair)
        drawn[scenes[pair]] += 1
        chosen.add(pair)
    kept = [each for each in episode_set.episodes if pairs[each.episode_id] in chosen]
    return replace(episode_set, episodes=tuple(kept))


def _spread(
    episodes: Sequence[Episode],
    truths: Mapping[str, Truth],
    strata: Mapping[str, Stratum],
    number: int,
    rng: np.random.Generator,
) -> Iterable[str]:
    """Ids of episodes by lot, each with the question, then from the scene, and then with the name, that was drawn least
    so far."""
    left = [episodes[index] for index in rng.permutation(len(episodes))]
    questions = {each.episode_id: _question(each, truths[each.episode_id]) for each in left}
    asked: Counter[Hashable] = Counter()
    scenes: Counter[str] = Counter()
    names: Counter[str] = Counter()

    def drawn_so_far(place: int) -> tuple[int, int, int, int]:
        each = left[place]
        return asked[questions[each.episode_id]], scenes[each.scene], names[_name(each, strata)], place

    while number > 0:
        drawn = left.pop(min(range(len(left)), key=drawn_so_far))
        twins = [each for each in left if _are_twins(each, drawn)][: min(1, number - 1)]
        for each in (drawn, *twins):
            asked[questions[each.episode_id]] += 1
            scenes[each.scene] += 1
            names[_name(each, strata)] += 1
            number -= 1
            yield each.episode_id
        left = [each for each in left if each not in twins]


def _are_twins(one: Episode, other: Episode) -> bool:
    """Whether they are a question with a false premise and the same with one that holds."""
    pair, half = pair_name(one.episode_id)
    return half != "" and pair_name(other.episode_id)[0] == pair


def _pair(episode: Episode, truth: Truth) -> str:
    """The name of the pair that an episode is of; empty where it is of none."""
    pair, half = pair_name(episode.episode_id)
    return pair if half else truth.pair_id


def _question(episode: Episode, truth: Truth) -> Hashable:
    """What episodes have in common that ask the same of the same scene, whatever their starts."""
    return _pair(episode, truth) or (episode.scene, tuple(question.text for question in episode.questions))


def _name(episode: Episode, strata: Mapping[str, Stratum]) -> str:
    stratum = strata.get(episode.episode_id)
    return "" if stratum is None else stratum.name
