"""Quantities of which only the least and the largest value is known, compared by a ratio that people can tell."""

from __future__ import annotations

from collections.abc import Mapping

from vantage.answering.symbolic.observed_facts import SeenObject
from vantage.answering.symbolic.predicates import amount

_CLEARLY = 1.05  # ratio of two sizes from which on one is the smaller


def span_of_measure(obj: SeenObject, quantity: str, off: float) -> tuple[float, float]:
    """Least and largest value that a measure of an object can have whose extents may be off by so many m."""
    value = amount(obj, quantity)
    extent = max(amount(obj, "height"), amount(obj, "length"), 1e-3)
    factor = (1.0 + off / extent) ** {"volume": 3, "size": 2 if obj.is_room else 1}.get(quantity, 1)
    return value / factor, value * factor


def at_end(objects: tuple[SeenObject, ...], value: str) -> tuple[SeenObject, ...]:
    """Of some objects, the one that is clearly the small or large one where there is one, else all of them."""
    if len(objects) < 2:
        return objects
    ordered = sorted(objects, key=lambda obj: amount(obj, "size"), reverse=value == "large")
    first, second = (amount(obj, "size") for obj in ordered[:2])
    return (ordered[0],) if max(first, second) >= _CLEARLY * min(first, second) else objects


def surpassed(
    obj: SeenObject,
    measured: Mapping[SeenObject, tuple[float, float]],
    sure: tuple[SeenObject, ...],
    ratio: float,
    least: bool,
) -> bool:
    """Whether some sure member has clearly more than an object, or clearly less where the least is asked for."""
    low, high = measured[obj]
    if least:
        return any(low > ratio * measured[other][1] for other in sure if other is not obj)
    return any(ratio * high < measured[other][0] for other in sure if other is not obj)
