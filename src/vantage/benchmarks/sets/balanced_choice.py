"""Chooses pairs among many drafts, so that no word is surely likelier in a noisy than in a clean question of the set.

Fair coins would give a word that stands in one half of n pairs a surplus on either side whose square is n on average.
What the square exceeds twice that by is the excess of the word; the same is counted of pairs of neighboring words and
of pairs of words of one question, over all pairs and over those of each type of noise. First as many pairs of each type
are taken as are wanted of it, each the one that adds the least excess, and exchanged in turn for better ones. Then the
pairs that cause what excess is left are dropped, and others that cause none, of any wanted type, take their places.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.sets.word_balance import Draft, Feature, difference

_TOLERATED = 2.0  # times the square of the surplus that fair coins give on average
_WEIGHTS = {"word": 1.0, "neighbors": 0.5, "together": 0.1}
_MOST_EXCESS = 3.0  # that one pair may add
_ROUNDS = 4  # of exchanges


def balanced_places(
    drafts: Sequence[Draft],
    wanted: Mapping[str, int],
    most: int,
    rng: np.random.Generator,
    made: Sequence[Draft] = (),
    balanced: bool = True,
) -> list[int]:
    """The places of as many drafts as are wanted, or of as many as can be balanced.

    Args:
        wanted: how many pairs of each type of noise; what cannot be balanced of one is taken of all others named.
        most: pairs of one home, those made included.
        made: pairs that the set has already.
        balanced: whether fewer are taken rather than such that give themselves away by their words.
    """
    if not drafts:
        return []
    choice = _Choice(drafts, made, most, rng)
    slots = [noise for noise, number in wanted.items() for _ in range(number)]
    picked: list[int | None] = [None] * len(slots)
    for _ in range(_ROUNDS):
        for k in rng.permutation(len(slots)).tolist():
            choice.put(picked[k], -1)
            picked[k] = choice.best(slots[k])
            choice.put(picked[k], 1)
    if balanced:
        choice.drop()
        choice.fill_up(len(slots), list(wanted))
    return sorted(choice.chosen)


class _Choice:
    """The chosen drafts, and of each feature how often it is in noisy more than in clean ones, and in how many pairs.

    Features are numbered; number 0 is that of none.
    """

    def __init__(self, drafts: Sequence[Draft], made: Sequence[Draft], most: int, rng: np.random.Generator) -> None:
        numbers: dict[Feature, int] = {}
        rows = [_signs(difference(draft), numbers) for draft in (*drafts, *made)]
        self.chosen: set[int] = set()
        self._drafts, self._most, self._rng = drafts, most, rng
        self._rows = rows
        self._weights = np.array([0.0, *map(_weight, numbers)])
        self._surplus, self._number = np.zeros(len(self._weights)), np.zeros(len(self._weights))
        types = sorted({draft.noise for draft in drafts})
        self._of = {kind: np.array([k for k, draft in enumerate(drafts) if draft.noise == kind]) for kind in types}
        self._tables = {kind: _Table([rows[k] for k in members]) for kind, members in self._of.items()}
        self._homes = Counter(draft.home for draft in made)
        self._taken = Counter(key for draft in made for key in draft.keys)
        for row in rows[len(drafts) :]:
            self._count(row, 1)

    def _count(self, row: NDArray[np.int64], sign: int) -> None:
        self._surplus[np.abs(row)] += sign * np.sign(row)
        self._number[np.abs(row)] += sign

    def put(self, place: int | None, sign: int) -> None:
        """Take a draft, 1, or put it back, -1."""
        if place is None:
            return
        (self.chosen.add if sign > 0 else self.chosen.discard)(place)
        self._count(self._rows[place], sign)
        draft = self._drafts[place]
        self._homes[draft.home] += sign
        for key in draft.keys:
            self._taken[key] += sign

    def best(self, noise: str, limit: float = math.inf) -> int | None:
        """The free draft of a type that adds the least excess, by lot among equals; None where none is within it."""
        if noise not in self._of:
            return None
        costs = self._tables[noise].sums(self._changes(1, 1), self._changes(-1, 1))
        costs += self._rng.random(len(costs)) * 1e-6
        for k in np.argsort(costs).tolist():
            if costs[k] > limit:
                return None
            place = int(self._of[noise][k])
            if self._free(place):
                return place
        return None

    def _free(self, place: int) -> bool:
        draft = self._drafts[place]
        taken = place in self.chosen or any(self._taken[key] for key in draft.keys)
        return not taken and self._homes[draft.home] < self._most

    def _changes(self, surplus: int, number: int) -> NDArray[np.float64]:
        """What the excess of each feature changes by if its surplus and its number do."""
        return self._excess(self._surplus + surplus, self._number + number) - self._excess(self._surplus, self._number)

    def _excess(self, surplus: NDArray[np.float64], number: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(self._weights * np.maximum(0.0, surplus**2 - _TOLERATED * number))

    def drop(self) -> None:
        """Put back what causes most excess, one draft after the other."""
        while self.chosen:
            places = sorted(self.chosen)
            table = _Table([self._rows[place] for place in places])
            gains = table.sums(self._changes(-1, -1), self._changes(1, -1))
            worst = int(np.argmin(gains))
            if gains[worst] >= -_MOST_EXCESS:
                return
            self.put(places[worst], -1)

    def fill_up(self, total: int, types: Sequence[str]) -> None:
        """Take drafts of each type in turn, until there are so many or none adds little enough."""
        left = list(types)
        for noise in itertools.cycle(types):
            if not left or len(self.chosen) >= total:
                return
            if noise in left:
                place = self.best(noise, _MOST_EXCESS)
                self.put(place, 1)
                if place is None:
                    left.remove(noise)


class _Table:
    """Signed features of many drafts, one after the other."""

    def __init__(self, rows: Sequence[NDArray[np.int64]]) -> None:
        signed = np.concatenate(rows)
        self._features, self._noisy = np.abs(signed), signed > 0
        self._starts = np.cumsum([0, *(len(row) for row in rows[:-1])])

    def sums(self, noisy: NDArray[np.float64], clean: NDArray[np.float64]) -> NDArray[np.float64]:
        """For each draft the sum of a value of each feature: one for those of the noisy half or of the clean one."""
        values = np.where(self._noisy, noisy[self._features], clean[self._features])
        return np.asarray(np.add.reduceat(values, self._starts))


def _signs(found: Mapping[Feature, int], numbers: dict[Feature, int]) -> NDArray[np.int64]:
    """The numbers of features, less than 0 for those of the clean half, after a 0."""
    signed = (math.copysign(numbers.setdefault(feature, len(numbers) + 1), sign) for feature, sign in found.items())
    return np.array([0, *map(int, signed)], dtype=np.int64)


def _weight(feature: Feature) -> float:
    """Of a feature as ``difference`` has it, the type first."""
    words = feature[1:]
    return _WEIGHTS["word" if len(words) == 1 else "neighbors" if len(words) == 2 else "together"]
