"""Chooses the questions and starts of a split among what its homes offer.

Categories get their shares. Within one, kinds take turns and no answer becomes common, so that words tell little;
homes get about as many questions each. The oracle of a question's episodes has about a length that is drawn evenly, and
for four of five questions, by lot, those episodes are taken at which limited cameras fail. No offer is dropped for
being answered rightly without a look: that would make the likely answer wrong.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vantage.benchmarks.e3vs.candidates import Offer
from vantage.benchmarks.e3vs.e3vs_plan import SHARES, SplitSize
from vantage.benchmarks.labelling import HEIGHT

_MOST_COMMON = 0.35  # of the questions of a kind, that one answer may have
_EVEN_KINDS = 0.02  # what one more question of a kind counts against it
_UNEVEN = 1.6  # of the mean number of questions of a home, beyond which it gets no more
_HARD = 0.8  # of the questions, those for which starts count that a limited camera fails at
_LENGTHS = (3.0, 12.0)  # actions of an oracle: the length that is wanted of a pair's is drawn evenly between them


@dataclass(frozen=True)
class Selection:
    """What was chosen: episodes in the order of their names, and how many pairs and episodes were left."""

    offers: tuple[Offer, ...]
    left: Mapping[str, int]

    @property
    def pairs(self) -> int:
        return len({offer.truth.pair_id for offer in self.offers})


def select(offers: Sequence[Offer], size: SplitSize, rng: np.random.Generator) -> Selection:
    """As many pairs and episodes as a split wants, or all that there are."""
    starts: dict[str, list[Offer]] = defaultdict(list)
    for offer in offers:
        starts[offer.truth.pair_id].append(offer)
    lots = {pair: _Lot(*rng.random(2).tolist()) for pair in starts}
    chosen = _pairs(starts, size, lots)
    left = {"pairs that balance leaves": len(starts) - len(chosen)}
    picked = _episodes(starts, chosen, size, lots)
    left["episodes that balance leaves"] = len(offers) - len(picked)
    return Selection(tuple(sorted(picked, key=lambda offer: offer.episode.episode_id)), left)


def shares_of(total: int, available: Mapping[str, int]) -> dict[str, int]:
    """How many of a total each category gets by its share, at least one; what one lacks, the others get."""
    wanted = dict.fromkeys(SHARES, 0)
    while sum(wanted.values()) < min(total, sum(available.values())):
        open_ones = [category for category in SHARES if wanted[category] < available.get(category, 0)]
        fullness = {category: (wanted[category] + 0.5) / SHARES[category] for category in open_ones}
        wanted[min(open_ones, key=lambda category: (wanted[category] > 0, fullness[category]))] += 1
    return wanted


@dataclass(frozen=True)
class _Lot:
    """What is drawn for a pair, 0..1 each: whether hard starts count, and how long its oracle should be."""

    order: float
    length: float

    def ease(self, offer: Offer) -> float:
        """Least for the start that is taken first; see ``Offer.ease``."""
        shortest, longest = _LENGTHS
        return offer.ease(shortest + self.length * (longest - shortest), self.order < _HARD)


def _pairs(starts: Mapping[str, Sequence[Offer]], size: SplitSize, lots: Mapping[str, _Lot]) -> list[str]:
    groups: dict[str, list[str]] = defaultdict(list)
    for pair, members in starts.items():
        groups[members[0].question.category].append(pair)
    wanted = shares_of(size.pairs, {category: len(members) for category, members in groups.items()})
    choice = _Choice(starts, math.ceil(_UNEVEN * size.pairs / size.homes), lots)
    chosen: list[str] = []
    for category in sorted(groups, key=lambda name: len(groups[name]) - wanted[name]):
        left = set(groups[category])
        for _ in range(wanted[category]):
            pair = min(left, key=choice.order)
            left.discard(pair)
            choice.take(pair)
            chosen.append(pair)
    return chosen


class _Choice:
    """What was chosen so far, and what is best chosen next.

    Args:
        most: questions of a home before those of others come first.
    """

    def __init__(self, starts: Mapping[str, Sequence[Offer]], most: int, lots: Mapping[str, _Lot]) -> None:
        self._starts, self._most, self._lots = starts, most, lots
        self._homes: Counter[str] = Counter()
        self._kinds: Counter[tuple[str, str]] = Counter()
        self._answers: Counter[tuple[str, str]] = Counter()
        self._ease = {pair: min(map(lots[pair].ease, members)) for pair, members in starts.items()}

    def take(self, pair: str) -> None:
        first = self._starts[pair][0]
        self._homes[first.episode.scene] += 1
        self._kinds[self._kind(first)] += 1
        self._answers[first.question.kind, first.question.answer] += 1

    def order(self, pair: str) -> tuple[bool, float, str]:
        """Least for what is best chosen next."""
        first = self._starts[pair][0]
        alike = self._answers[first.question.kind, first.question.answer]
        of_kind, of_home = self._kinds[self._kind(first)], self._homes[first.episode.scene]
        bad = alike > _MOST_COMMON * (of_kind + 1) or of_home >= self._most
        even = 0.6 * of_home / self._most + alike / (of_kind + 1) + _EVEN_KINDS * of_kind
        return bad, even + 0.2 * self._ease[pair] + 0.1 * self._lots[pair].order, pair

    @staticmethod
    def _kind(offer: Offer) -> tuple[str, str]:
        return offer.question.category, offer.question.kind


def _episodes(
    starts: Mapping[str, Sequence[Offer]], chosen: Sequence[str], size: SplitSize, lots: Mapping[str, _Lot]
) -> list[Offer]:
    """One start of each pair, then further ones by the shares of the categories: first those of what only a camera sees
    that looks up or down, for these are rare, then the harder ones of the others."""
    eases = {pair: sorted(((lots[pair].ease(offer), k) for k, offer in enumerate(starts[pair]))) for pair in chosen}
    ordered = {pair: [(ease, starts[pair][k]) for ease, k in found] for pair, found in eases.items()}
    first = [ordered[pair][0][1] for pair in chosen]
    further: dict[str, list[tuple[int, float, int, str]]] = defaultdict(list)
    for pair, members in ordered.items():
        for turn, (ease, offer) in enumerate(members[1:], start=1):
            order = 0 if HEIGHT not in offer.truth.solved_by else turn
            further[offer.question.category].append((order, ease, turn, pair))
    available = Counter(offer.question.category for offer in first)
    total = {category: available[category] + len(further[category]) for category in available}
    wanted = shares_of(size.episodes, total)
    picked = list(first)
    for category, options in further.items():
        number = max(0, wanted[category] - available[category])
        picked += [ordered[pair][turn][1] for _, _, turn, pair in sorted(options)[:number]]
    return picked
