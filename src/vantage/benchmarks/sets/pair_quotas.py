"""How many pairs of each type of noise a set should have: its share, or nearly that.

The figures of a type are worth nothing where a handful of pairs has it, so that a large set has some of each.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from vantage.benchmarks.sets.noisy_pairs import numbers_of
from vantage.types import NoiseType

LEAST_OF_TYPE = 25  # pairs, of fewer of which a table tells little
_DEVIATION = 0.2  # of a share
_SOME = 2  # pairs more than its share that a type may always have


@dataclass(frozen=True)
class Quota:
    """How many pairs of a type a set should have: ``wanted``, and from ``least`` to ``most`` will do."""

    least: int
    wanted: int
    most: int

    def holds(self, number: int) -> bool:
        return self.least <= number <= self.most


def quotas_of(pairs: int, shares: Mapping[NoiseType, float]) -> dict[NoiseType, Quota]:
    """The quota of each type that has a share of ``pairs``: 20 % less or more than its share, and not fewer than 25, or
    than its share where that is less; in small sets two more."""
    total, quotas = sum(shares.values()), {}
    for kind, wanted in numbers_of(pairs, shares).items():
        if shares.get(kind):
            exact = pairs * shares[kind] / total
            least = max(math.ceil((1 - _DEVIATION) * exact - 1e-9), LEAST_OF_TYPE)
            most = max(math.floor((1 + _DEVIATION) * exact + 1e-9), wanted + _SOME)
            quotas[kind] = Quota(min(least, wanted), wanted, most)
    return quotas


def still_wanted(quotas: Mapping[NoiseType, Quota], found: Mapping[NoiseType, int]) -> dict[NoiseType, int]:
    """How many pairs of each type are wanted besides those found, so that all add up.

    Where some types have more than is wanted of them, others get less: first those that have most of their number,
    below their least only where nothing else is left.
    """
    wanted = {kind: max(quota.wanted - found.get(kind, 0), 0) for kind, quota in quotas.items()}

    def filled(kind: NoiseType) -> tuple[bool, float]:
        number = found.get(kind, 0) + wanted[kind]
        return number > quotas[kind].least, number / quotas[kind].wanted

    total = sum(quota.wanted for quota in quotas.values())
    for _ in range(min(sum(wanted.values()), sum(wanted.values()) + sum(found.values()) - total)):
        wanted[max((kind for kind in wanted if wanted[kind]), key=filled)] -= 1
    return wanted
