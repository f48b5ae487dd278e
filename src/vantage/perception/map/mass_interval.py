"""What is known of a mass: the least and the largest that it can be."""

from __future__ import annotations

import math

MassInterval = tuple[float, float]  # kg, the largest may be infinite


def checked_mass(low: float, high: float) -> MassInterval:
    """An interval as somebody told it.

    Raises:
        ValueError: it is none: not numbers, the wrong way round, or below zero.
    """
    if not (0.0 <= low <= high) or not math.isfinite(low):
        raise ValueError(f"a mass lies between two numbers of kg from 0, the smaller one first, not {low} and {high}")
    return float(low), float(high)


def agreed(one: MassInterval | None, other: MassInterval | None) -> MassInterval | None:
    """What two weighings say together: what both allow; where they contradict each other, what either allows."""
    if one is None or other is None:
        return other if one is None else one
    low, high = max(one[0], other[0]), min(one[1], other[1])
    return (low, high) if low <= high else (min(one[0], other[0]), max(one[1], other[1]))
