"""Which types of questions, and which relations in them, a house is asked about (EXCALIBUR, section 3.3)."""

from __future__ import annotations

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
        yes: the answer of a yes/no question.
    """

    kind: str
    relations: frozenset[str]
    yes: bool


def quotas(count: int, rng: np.random.Generator) -> list[Quota]:
    """For so many questions of one house, in random order: the published shares to within one question each."""
    kinds = [kind for kind, number in _parted(TYPE_SHARES, count, rng).items() for _ in range(number)]
    kinds = [kinds[k] for k in rng.permutation(count)]
    sets: list[set[str]] = [set() for _ in range(count)]
    for relation in sorted(RELATION_SHARES, key=lambda each: -RELATION_SHARES[each]):
        number = _rounded(RELATION_SHARES[relation] * count, rng)
        order = rng.permutation(count).tolist()
        order.sort(key=lambda place: len(sets[place]) >= _MOST_RELATIONS)
        for place in order[:number]:
            sets[place].add(relation)
    answers = [k % 2 == 0 for k in range(count)]
    answers = [answers[k] for k in rng.permutation(count)]
    return [Quota(kind, frozenset(each), yes) for kind, each, yes in zip(kinds, sets, answers, strict=True)]


def _parted(shares: Mapping[str, float], count: int, rng: np.random.Generator) -> dict[str, int]:
    """Numbers that add up to ``count``; what rounding leaves goes to the largest."""
    first, *rest = sorted(shares, key=lambda each: -shares[each])
    numbers = {each: _rounded(shares[each] * count, rng) for each in rest}
    return {first: max(count - sum(numbers.values()), 0), **numbers}


def _rounded(value: float, rng: np.random.Generator) -> int:
    """The whole number below or above, which is right on average."""
    return int(value) + int(rng.random() < value - int(value))
