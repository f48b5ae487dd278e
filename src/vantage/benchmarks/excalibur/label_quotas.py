"""Which types of questions, and which relations in them, a house is asked about (EXCALIBUR, section 3.3)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from vantage.benchmarks.excalibur.question_labels import COUNT, QUERY, RELATIONS, YES_NO

TYPE_SHARES: Mapping[str, float] = MappingProxyType({YES_NO: 0.788, COUNT: 0.123, QUERY: 0.089})
RELATION_SHARES: Mapping[str, float] = MappingProxyType(
    dict(zip(RELATIONS, (0.267, 0.662, 0.082, 0.395, 0.008, 0.306, 0.189), strict=True))
)
_MOST_RELATIONS = 3  # in one question


@dataclass(frozen=True)
class Quota:
    """What one question of a house is about.

    Attributes:
        kind: of question.
        relations: that it turns on.
    """

    kind: str
    relations: frozenset[str]


def quotas(count: int, rng: np.random.Generator, house: int = 0, seed: int = 0) -> list[Quota]:
    """For so many questions of one house, in random order: the published shares to within one question each, and so for
    all houses of a set together.

    Args:
        house: its place in the set. seed: of the set.
    """
    numbers = _numbers(count, house, seed)
    kinds = [kind for kind in (COUNT, QUERY) for _ in range(numbers[kind])]
    kinds += [YES_NO] * (count - len(kinds))
    kinds = [kinds[k] for k in rng.permutation(count)]
    sets: list[set[str]] = [set() for _ in range(count)]
    for relation in sorted(RELATION_SHARES, key=lambda each: -RELATION_SHARES[each]):
        order = rng.permutation(count).tolist()
        order.sort(key=lambda place: len(sets[place]) >= _MOST_RELATIONS)
        for place in order[: numbers[relation]]:
            sets[place].add(relation)
    return [Quota(kind, frozenset(each)) for kind, each in zip(kinds, sets, strict=True)]


def _numbers(count: int, house: int, seed: int) -> dict[str, int]:
    """How many questions of a house are of each type but yes/no, and turn on each relation: the share of all houses up
    to it that the houses before it leave, from a beginning by lot."""
    rng = np.random.default_rng([seed, count])
    found = {}
    for name, share in {COUNT: TYPE_SHARES[COUNT], QUERY: TYPE_SHARES[QUERY], **RELATION_SHARES}.items():
        begun = float(rng.random())
        found[name] = math.floor(begun + (house + 1) * share * count) - math.floor(begun + house * share * count)
    return found
