"""Some episodes of a set, by lot: spread over its questions, its scenes and what is asked for, the same for the same
seed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vantage.benchmarks import Stratum, benchmark_of
from vantage.benchmarks.sets import EpisodeSet
from vantage.errors import UsageError
from vantage.types import Episode, Truth


@dataclass(frozen=True)
class Sample:
    """How many episodes are drawn.

    Attributes:
        number: of episodes; with ``infeasible`` of those whose task can be done.
        infeasible: of those whose task cannot be done; None draws from all episodes alike.
    """

    number: int
    infeasible: int | None = None

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
        if self.infeasible is None:
            return f"{self.number} episodes"
        return f"{self.number} feasible and {self.infeasible} infeasible episodes"


def sampled(episode_set: EpisodeSet, truths: Mapping[str, Truth], sample: Sample, seed: int) -> EpisodeSet:
    """The set with the drawn episodes alone, in their order.

    No question is drawn from a second start before every question was drawn once.

    Raises:
        UsageError: the set has fewer, or its benchmark does not tell which of its episodes are feasible.
    """
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

    for _ in range(number):
        drawn = left.pop(min(range(len(left)), key=drawn_so_far))
        asked[questions[drawn.episode_id]] += 1
        scenes[drawn.scene] += 1
        names[_name(drawn, strata)] += 1
        yield drawn.episode_id


def _question(episode: Episode, truth: Truth) -> Hashable:
    """What episodes have in common that ask the same of the same scene, whatever their starts."""
    return truth.pair_id or (episode.scene, tuple(question.text for question in episode.questions))


def _name(episode: Episode, strata: Mapping[str, Stratum]) -> str:
    stratum = strata.get(episode.episode_id)
    return "" if stratum is None else stratum.name
