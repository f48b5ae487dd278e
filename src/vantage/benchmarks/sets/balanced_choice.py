"""Chooses pairs among many drafts, so that no word is surely likelier in a noisy than in a clean question of the set.

Fair coins would give a word that stands in one half of n pairs a surplus on either side whose square is n on average.
What the square exceeds twice that by is the excess of the word; the same is counted of pairs of neighboring words and
of pairs of words of one question, over all pairs and over those of each type of noise. First as many pairs of each type
are taken as are wanted of it, and exchanged in turn for others that add less excess, at first by lot (simulated
annealing, Kirkpatrick et al. 1983), so that the choice does not end where no single exchange helps. Then the pairs that
cause what excess is left are dropped, and others that cause none take their places: of the same type where there are
any, else of the types that are furthest from their limits.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.sets.word_balance import Draft, Feature, difference

_TOLERATED = 2.0  # times the square of the surplus that fair coins give on average
_WEIGHTS = {"word": 1.0, "neighbors": 0.5, "together": 0.1}
_MOST_EXCESS = 3.0  # that one pair may add
_HEATS = (8.0, 5.0, 3.0, 2.0, 1.0, 0.5, 0.0, 0.0)  # of the rounds of exchanges: excess that is taken or left by lot
_REPAIRS = 4  # how often what is dropped is made up for by the same types
_SELDOM = 2  # drafts; what stands in no more of them never has an excess


def balanced_places(
    drafts: Sequence[Draft],
    wanted: Mapping[str, int],
    most: int,
    rng: np.random.Generator,
    made: Sequence[Draft] = (),
    balanced: bool = True,
    limits: Mapping[str, int] | None = None,
) -> list[int]:
    """The places of as many drafts as are wanted, or of as many as can be balanced.

    Args:
        wanted: how many pairs of each type of noise; what cannot be balanced of one is taken of all others named.
        most: pairs of one home, those made included.
        made: pairs that the set has already.
        balanced: whether fewer are taken rather than such that give themselves away by their words.
        limits: the most pairs of each type that are taken; None for any number.
    """
    if not drafts:
        return []
    choice = _Choice(drafts, made, most, rng)
    slots = [noise for noise, number in wanted.items() for _ in range(number)]
    picked: list[int | None] = [None] * len(slots)
    for heat in _HEATS:
        for k in rng.permutation(len(slots)).tolist():
            choice.put(picked[k], -1)
            picked[k] = choice.best(slots[k], heat=heat)
            choice.put(picked[k], 1)
    if balanced:
        for _ in range(_REPAIRS):
            choice.drop()
            choice.fill_up(len(slots), wanted)
        choice.fill_up(len(slots), limits or dict.fromkeys(wanted, len(slots)))
    return sorted(choice.chosen)


class _Choice:
    """The chosen drafts, and of each feature how often it is in noisy more than in clean ones, and in how many pairs.

    Features are numbered; number 0 is that of none.
    """

    def __init__(self, drafts: Sequence[Draft], made: Sequence[Draft], most: int, rng: np.random.Generator) -> None:
        found = [difference(draft) for draft in (*drafts, *made)]
        often = Counter(feature for each in found for feature in each)
        numbers: dict[Feature, int] = {}
        rows = [_signs({f: sign for f, sign in each.items() if often[f] > _SELDOM}, numbers) for each in found]
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

    def best(self, noise: str, limit: float = math.inf, heat: float = 0.0) -> int | None:
        """The free draft of a type that adds the least excess, by lot among equals; None where none is within it.

        Args:
            heat: how much excess matters little: a draft of that much more is drawn e times as seldom.
        """
        if noise not in self._of:
            return None
        costs = self._tables[noise].sums(self._changes(1, 1), self._changes(-1, 1))
        costs -= self._rng.gumbel(size=len(costs)) * heat if heat else self._rng.random(len(costs)) * 1e-6
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

    def fill_up(self, total: int, numbers: Mapping[str, int]) -> None:
        """Take drafts that add little excess until there are ``total`` or no more of some type than its number, always
        of the type that lacks the greatest part of its number."""
        taken = Counter(self._drafts[place].noise for place in self.chosen)
        left = {noise for noise, number in numbers.items() if number > taken[noise]}
        while left and len(self.chosen) < total:
            noise = min(sorted(left), key=lambda each: taken[each] / numbers[each])
            place = self.best(noise, _MOST_EXCESS)
            self.put(place, 1)
            taken[noise] += place is not None
            if place is None or taken[noise] >= numbers[noise]:
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
