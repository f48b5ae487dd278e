"""Relations between objects, by their world-aligned boxes alone; ``support`` finds what is on or in what.

The same rules hold for true boxes and for observed ones. They know nothing of what rests where and of rooms:
``ruled_out`` says which relations these exclude, and callers ask it first.
"""

from __future__ import annotations

import math
from typing import Protocol

from vantage.config import RelationSettings
from vantage.types import Point

SIDES = ("left of", "right of", "in front of", "behind")
GEOMETRIC = ("under", "above", "next to", "near", *SIDES)

_TURNS = {"behind": 0.0, "left of": 0.5 * math.pi, "in front of": math.pi, "right of": -0.5 * math.pi}  # rad


class Extent(Protocol):
    """A world-aligned box: ``bounds_min`` and ``bounds_max`` are its corners, m."""

    @property
    def bounds_min(self) -> Point: ...

    @property
    def bounds_max(self) -> Point: ...


def related(
    relation: str, obj: Extent, anchor: Extent, settings: RelationSettings, viewer: Point | None = None
) -> bool:
    """Whether an object stands in a relation (of ``GEOMETRIC``) to an anchor.

    Under: it ends below the anchor's lowest point and shares ``overlap`` of the smaller footprint, or it is below the
    top of the anchor with that share of its own footprint within the anchor's (a box between the legs of a table).
    Above: the anchor is under the object. Next to and near: the gap between them is small, and for ``next to`` neither
    is under the other. The sides are as seen by somebody at ``viewer`` who looks at the anchor; without a viewer
    nothing is on any side.
    """
    if relation == "under":
        return _is_under(obj, anchor, settings)
    if relation == "above":
        return _is_under(anchor, obj, settings)
    if relation == "near":
        return gap(obj, anchor) <= settings.near
    if relation == "next to":
        stacked = _is_under(obj, anchor, settings) or _is_under(anchor, obj, settings)
        return gap(obj, anchor) <= settings.beside and not stacked
    return viewer is not None and _is_at_side(_TURNS[relation], obj, anchor, settings, viewer)


def ruled_out(relation: str, object_at_anchor: bool, anchor_at_object: bool, same_room: bool) -> bool:
    """Whether a relation (of ``GEOMETRIC``) cannot hold, whatever the boxes say.

    Args:
        thing_at_anchor: the object is on or in the anchor, at any depth; then no other relation is said of them.
        anchor_at_thing: the other way round; then the object can still be under the anchor.
        same_room: False only where both rooms are known and differ: a wall is between the two.
    """
    return object_at_anchor or not same_room or (anchor_at_object and relation != "under")


def between(obj: Extent, first: Extent, second: Extent, settings: RelationSettings) -> bool:
    """Whether an object is between two others: its centre, seen from above, is beside the way from one to the other.

    It may be off the straight line by ``beside`` and by half the distance of the two, and above or below both by
    ``beside``.
    """
    a, b, p = _middle(first), _middle(second), _middle(obj)
    way = (b[0] - a[0], b[1] - a[1])
    length = math.hypot(*way)
    if length == 0:
        return False
    offset = (p[0] - 0.5 * (a[0] + b[0]), p[1] - 0.5 * (a[1] + b[1]))
    along = abs(offset[0] * way[0] + offset[1] * way[1]) / length
    aside = abs(offset[0] * way[1] - offset[1] * way[0]) / length
    lowest = min(first.bounds_min[2], second.bounds_min[2]) - settings.beside
    highest = max(first.bounds_max[2], second.bounds_max[2]) + settings.beside
    level = obj.bounds_max[2] >= lowest and obj.bounds_min[2] <= highest
    return along < 0.5 * length and aside <= min(settings.beside, 0.5 * length) and level


def gap(first: Extent, second: Extent) -> float:
    """Shortest distance between two boxes, m; 0 where they touch or overlap."""
    return math.hypot(*(_axis_gap(first, second, axis) for axis in range(3)))


def measure(quantity: str, obj: Extent) -> float:
    """``size`` (largest extent, m), ``height`` (m), ``length`` (largest level extent, m) or ``volume`` (m^3) of a box.

    Raises:
        KeyError: another quantity, which a box does not have.
    """
    x, y, z = (high - low for low, high in zip(obj.bounds_min, obj.bounds_max, strict=True))
    return {"size": max(x, y, z), "height": z, "length": max(x, y), "volume": x * y * z}[quantity]


def _is_under(obj: Extent, anchor: Extent, settings: RelationSettings) -> bool:
    if obj.bounds_min[2] + obj.bounds_max[2] >= anchor.bounds_min[2] + anchor.bounds_max[2]:
        return False
    if obj.bounds_max[2] <= anchor.bounds_min[2] + settings.touch:
        shared = _shared(obj, anchor, settings.touch)
        return shared >= settings.overlap * min(_footprint(obj, settings.touch), _footprint(anchor, settings.touch))
    within = _shared(obj, anchor, 0.0) >= settings.overlap * _footprint(obj, 0.0)
    return within and obj.bounds_max[2] <= anchor.bounds_max[2] - settings.touch and _overlaps(obj, anchor)


def _overlaps(obj: Extent, anchor: Extent) -> bool:
    return all(obj.bounds_min[k] < anchor.bounds_max[k] and anchor.bounds_min[k] < obj.bounds_max[k] for k in (0, 1))


def _footprint(obj: Extent, margin: float) -> float:
    """Area seen from above of a box grown by a margin to all sides, so that what hangs on a wall has one too, m^2."""
    x, y = (obj.bounds_max[k] - obj.bounds_min[k] + 2 * margin for k in (0, 1))
    return x * y


def _shared(first: Extent, second: Extent, margin: float) -> float:
    x, y = (
        min(first.bounds_max[k], second.bounds_max[k]) - max(first.bounds_min[k], second.bounds_min[k]) + 2 * margin
        for k in (0, 1)
    )
    return max(x, 0.0) * max(y, 0.0)


def _is_at_side(turn: float, obj: Extent, anchor: Extent, settings: RelationSettings, viewer: Point) -> bool:
    """Whether an object lies off an anchor in the direction of the look turned by an angle (rad, to the left)."""
    middle, target = _middle(anchor), _middle(obj)
    nearest = [min(max(target[k], anchor.bounds_min[k]), anchor.bounds_max[k]) for k in (0, 1)]
    start = middle if nearest == list(target) else nearest  # a middle that is within the anchor is off its centre
    look = (middle[0] - viewer[0], middle[1] - viewer[1])
    offset = (target[0] - start[0], target[1] - start[1])
    if not any(look) or not any(offset):
        return False
    level_gap = math.hypot(_axis_gap(obj, anchor, 0), _axis_gap(obj, anchor, 1))
    angle = math.remainder(math.atan2(offset[1], offset[0]) - math.atan2(look[1], look[0]) - turn, math.tau)
    return abs(angle) <= settings.direction and level_gap <= settings.reach


def _axis_gap(first: Extent, second: Extent, axis: int) -> float:
    return max(first.bounds_min[axis] - second.bounds_max[axis], second.bounds_min[axis] - first.bounds_max[axis], 0.0)


def _middle(obj: Extent) -> tuple[float, float]:
    return (
        0.5 * (obj.bounds_min[0] + obj.bounds_max[0]),
        0.5 * (obj.bounds_min[1] + obj.bounds_max[1]),
    )
