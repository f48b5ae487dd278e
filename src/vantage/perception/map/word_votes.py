"""A weighted vote of views on one word, such as the label of an object.

Each viewpoint counts once, because what makes a camera misread an object once from there does so again.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable

PLAIN_PIXELS = 600  # of an object, from two places, at which a word that both say needs no further look
CLEAR = 0.6  # share of the weight from which on the first word is known
KEPT_VIEWS = 64
_MOST_PIXELS = 4000  # beyond which a view knows no better


def weight_of(pixels: int) -> float:
    """Of the vote of a view that shows so many pixels of an object; one near view does not outvote five far ones."""
    return math.sqrt(min(max(pixels, 1), _MOST_PIXELS))


class WordVotes:
    """One vote for each of at most ``KEPT_VIEWS`` views, of which the heaviest counts where a view votes twice."""

    def __init__(self) -> None:
        self._by_view: dict[Hashable, tuple[str, float]] = {}
        self._totals: dict[str, float] = {}
        self._weight = 0.0  # of all words
        self._first = ""

    def cast(self, view: Hashable, word: str, weight: float) -> None:
        """Vote for a word; an empty word is no vote."""
        if not word:
            return
        before = self._by_view.get(view)
        if before is None and len(self._by_view) >= KEPT_VIEWS:
            return
        if before is not None:
            if before[1] >= weight:
                return
            self._totals[before[0]] -= before[1]
        self._by_view[view] = word, weight
        self._totals[word] = self._totals.get(word, 0.0) + weight
        self._weight = sum(self._totals.values())
        self._first = max(self._totals, key=lambda known: (self._totals[known], known))

    def take_over(self, other: WordVotes) -> None:
        """Add the votes of another, as far as there is room for them."""
        for view, (word, weight) in other._by_view.items():
            self.cast(view, word, weight)

    @property
    def first(self) -> str:
        """The word with most weight, empty without votes."""
        return self._first

    @property
    def words(self) -> tuple[str, ...]:
        """All words that have votes."""
        return tuple(word for word, weight in self._totals.items() if weight > 0.0)

    @property
    def clear(self) -> str:
        """The first word where it has ``CLEAR`` of the weight, else empty: not known."""
        return self._first if self.share((self._first,)) >= CLEAR else ""

    @property
    def plain(self) -> bool:
        """Whether one near view, or several places, say the first word, and hardly any other."""
        return self._totals.get(self._first, 0.0) >= 2.0 * weight_of(PLAIN_PIXELS) and bool(self.clear)

    def share(self, words: Iterable[str]) -> float:
        """Share of the weight that some words have together, 0..1."""
        return sum(self._totals.get(word, 0.0) for word in words) / self._weight if self._weight else 0.0
