"""Chooses among drafts of pairs so that, over a set, each word is as often in noisy as in clean questions.

What differs between the halves of a pair is a word or two. Counted are words, pairs of neighboring words, and pairs of
words of one question (a kind and its place, a kind and its color), over all pairs and over those of each type of noise:
how often each stands in noisy questions minus how often in clean ones. The sum of the squares of these differences is
made small, one choice at a time (coordinate descent).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

_SWEEPS = 4  # over all choices; later ones hardly change any
Feature = tuple[str, ...]


@dataclass(frozen=True)
class Draft:
    """What is known of a pair when it is chosen.

    Attributes:
        noisy, clean: the two questions in words.
        noise: name of the type.
        keys: two drafts of one home that share one are not both chosen.
    """

    noisy: str
    clean: str
    noise: str
    keys: frozenset[str] = frozenset()


class WordBalance:
    """How often each feature stands in noisy questions minus how often in clean ones: ``surplus``."""

    def __init__(self) -> None:
        self.surplus: Counter[Feature] = Counter()

    def add(self, difference: Mapping[Feature, int], times: int = 1) -> None:
        for feature, number in difference.items():
            self.surplus[feature] += times * number

    def cost(self, difference: Mapping[Feature, int]) -> int:
        """By how much a further pair raises the sum of squares."""
        return sum(number * (2 * self.surplus[feature] + number) for feature, number in difference.items())


def difference(draft: Draft) -> dict[Feature, int]:
    """What a pair adds to the balance: of all types of noise, under an empty name, and of its own."""
    found = Counter(_features(draft.noisy))
    found.subtract(_features(draft.clean))
    return {(noise, *each): number for noise in ("", draft.noise) for each, number in found.items() if number}


def _features(text: str) -> Iterator[Feature]:
    words = re.findall(r"[a-z0-9]+", text.lower())
    yield from ((word,) for word in words)
    yield from pairwise(words)
    yield from (("with", *sorted(pair)) for pair in combinations(dict.fromkeys(words), 2))


def by_balance(offered: Sequence[Sequence[Draft]], homes: Sequence[int], made: Iterable[Draft] = ()) -> list[list[int]]:
    """For each wanted pair the places of its drafts, the best one first.

    Args:
        offered: drafts of each wanted pair.
        homes: of each wanted pair.
        made: pairs that the set has already.
    """
    balance = WordBalance()
    for draft in made:
        balance.add(difference(draft))
    differences = [[difference(draft) for draft in drafts] for drafts in offered]
    ranked = [list(range(len(drafts))) for drafts in offered]
    chosen: list[int | None] = [None] * len(offered)
    neighbors = [[k for k, other in enumerate(homes) if other == home] for home in homes]
    for _ in range(_SWEEPS):
        for slot, drafts in enumerate(offered):
            if (before := chosen[slot]) is not None:
                balance.add(differences[slot][before], -1)
            others = [(k, chosen[k]) for k in neighbors[slot] if k != slot]
            taken = frozenset[str]().union(*(offered[k][place].keys for k, place in others if place is not None))
            costs = [
                (not each.keys.isdisjoint(taken), balance.cost(differences[slot][k])) for k, each in enumerate(drafts)
            ]
            ranked[slot].sort(key=lambda k: (*costs[k], k))
            now = ranked[slot][0] if drafts else None
            if now is not None and not costs[now][0]:
                balance.add(differences[slot][now])
                chosen[slot] = now
            else:
                chosen[slot] = None
    return ranked
