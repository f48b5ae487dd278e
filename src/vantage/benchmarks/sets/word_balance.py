"""Draws among drafts of pairs by lot, so that each word is as likely in a noisy as in a clean question of the set.

What differs between the halves of a pair is a word or two. Counted are words, pairs of neighboring words, and pairs of
words of one question (a kind and its place, a kind and its color), over all pairs and over those of each type of noise:
how often each stands in noisy questions minus how often in clean ones. In some rounds every wanted pair, in a random
order, gives a lot to the draft by which the sum of the squares of these differences, over all lots, stays the smallest,
among those that the round has not used up. Most pairs are those of one round, since drafts of several rounds may be the
same; some are drawn from any, so that the differences vary as those of fair coins do. Were the set itself balanced
exactly, what a word tells of some of its homes would be the opposite of what it tells of others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

_ROUNDS = 16  # lots of each wanted pair
_ALONE = 0.25  # of the wanted pairs draw a lot of any round, the others those of one round
Feature = tuple[str, ...]


@dataclass(frozen=True)
class Draft:
    """What is known of a pair when it is chosen.

    Attributes:
        noisy, clean: the two questions in words.
        noise: name of the type.
        keys: two drafts that share one are not both drawn first.
        home: what it is about.
    """

    noisy: str
    clean: str
    noise: str
    keys: frozenset[str] = frozenset()
    home: str = ""


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


def by_balanced_lot(
    offered: Sequence[Sequence[Draft]], rng: np.random.Generator, made: Iterable[Draft] = ()
) -> list[list[int]]:
    """For each wanted pair the places of its drafts, in the order in which lots were drawn.

    Args:
        offered: drafts of each wanted pair.
        made: pairs that the set has already.
    """
    balance = WordBalance()
    for draft in made:
        balance.add(difference(draft), _ROUNDS)
    differences = [[difference(draft) for draft in drafts] for drafts in offered]
    lots: list[Counter[int]] = [Counter() for _ in offered]
    rounds: list[dict[int, int]] = []
    for _ in range(_ROUNDS):
        taken: set[str] = set()
        rounds.append({})
        for slot in rng.permutation(len(offered)).tolist():
            each, drafts = differences[slot], offered[slot]
            costs = {k: balance.cost(each[k]) for k, draft in enumerate(drafts) if taken.isdisjoint(draft.keys)}
            if costs:
                best = min(costs, key=costs.__getitem__)
                balance.add(each[best])
                taken |= drafts[best].keys
                lots[slot][best] += 1
                rounds[-1][slot] = best
    together = rounds[int(rng.integers(_ROUNDS))]
    orders: list[list[int]] = [[] for _ in offered]
    taken = set()
    for slot, alone in enumerate(rng.random(len(offered)) < _ALONE):
        drafts, lot = offered[slot], lots[slot]
        drawn = rng.exponential(size=len(drafts))  # the more lots, the sooner (Efraimidis and Spirakis 2006)
        ranks = [
            (
                not draft.keys.isdisjoint(taken),
                not alone and together.get(slot) != k,
                not lot[k],
                drawn[k] / max(lot[k], 1),
            )
            for k, draft in enumerate(drafts)
        ]
        orders[slot] = sorted(range(len(drafts)), key=ranks.__getitem__)
        taken |= {key for k in orders[slot][:1] for key in drafts[k].keys}
    return orders
