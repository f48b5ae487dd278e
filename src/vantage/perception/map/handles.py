"""Handles by which things are opened: where they were seen last, and what they are on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from vantage.perception.map.observed_object import ObservedObject
from vantage.perception.object_categories import BUILDING, CLOSABLE
from vantage.types import HANDLE, Detection, Point

MAX_HANDLES = 1024

_SAME = 0.1  # m between two sightings of one handle that has no identity
_ON = 0.12  # m beside the box of an object at which a handle is on it
_MOST_WEIGHT = 3000  # pixels that what was seen before counts as, next to a new view
_ENOUGH = 0.5  # share of the pixels of the best view that a newer one needs to tell where it is now


@dataclass(frozen=True)
class ObservedHandle:
    """A handle as the newest view shows it that shows it well.

    Attributes:
        key: the perceiver's identity, or a negative number given here where it has none.
        owner: identity of the object that it is on, 0 where none of those seen is.
        center, low, high: of its visible surface, world frame, m.
        pixels: of the best view since it was last moved.
        stamp: of the newest view that told its place, ns.
        weight: pixels of all views that its place is the mean of, where it has no identity of its own.
    """

    key: int
    owner: int
    center: Point
    low: Point
    high: Point
    pixels: int
    stamp: int
    weight: int = 0


class HandleMemory:
    """The handles that were seen, at most ``MAX_HANDLES``."""

    def __init__(self) -> None:
        self._handles: dict[int, ObservedHandle] = {}
        self._anonymous = 0

    def reset(self) -> None:
        """Forget all."""
        self._handles.clear()
        self._anonymous = 0

    @property
    def all(self) -> tuple[ObservedHandle, ...]:
        """In the order in which they were first seen."""
        return tuple(self._handles.values())

    def add(self, detection: Detection, stamp: int, objects: Mapping[int, ObservedObject]) -> None:
        """Take in what one view shows of a handle."""
        key = detection.instance_id if detection.instance_id > 0 else self._recognised(detection.center)
        known = self._handles.get(key)
        if known is None and len(self._handles) >= MAX_HANDLES:
            return
        if known is not None and detection.pixels < _ENOUGH * known.pixels:
            return
        owner = detection.part_of if detection.part_of > 0 else owner_of(detection.center, objects)
        pixels = max(detection.pixels, 0 if known is None else known.pixels)
        low, high = detection.bounds_min, detection.bounds_max
        weight = 0
        if key < 0:  # as a perceiver sees it that errs: views from several places say more than the newest
            before = 0 if known is None else min(known.weight, _MOST_WEIGHT)
            weight = before + detection.pixels
            if known is not None:
                low, high = _mean(known.low, low, before / weight), _mean(known.high, high, before / weight)
        x, y, z = (0.5 * (a + b) for a, b in zip(low, high, strict=True))
        self._handles[key] = ObservedHandle(key, owner, (x, y, z), low, high, pixels, stamp, weight)

    def of(self, owner: int) -> tuple[ObservedHandle, ...]:
        """The handles on an object."""
        return tuple(handle for handle in self._handles.values() if handle.owner == owner)

    def nearest(self, point: Point, reach: float) -> ObservedHandle | None:
        """The handle that is nearest to a point, within ``reach`` m."""
        near = [(math.dist(handle.center, point), handle.key) for handle in self._handles.values()]
        distance, key = min(near, default=(math.inf, 0))
        return self._handles[key] if distance <= reach else None

    def renamed(self, former: int, now: int) -> None:
        """Two objects turned out to be one, which keeps the identity of one of them."""
        for handle in self.of(former):
            self._handles[handle.key] = replace(handle, owner=now)

    def moved(self, handle: ObservedHandle) -> None:
        """It was opened or closed: any newer view tells where it is; one without an identity is found anew."""
        if handle.key > 0:
            x = self._handles[handle.key]
            self._handles[handle.key] = ObservedHandle(x.key, x.owner, x.center, x.low, x.high, 0, x.stamp)
        else:
            self._handles.pop(handle.key, None)

    def _recognised(self, center: Point) -> int:
        near = [(math.dist(handle.center, center), key) for key, handle in self._handles.items() if key < 0]
        distance, key = min(near, default=(math.inf, 0))
        if distance <= _SAME:
            return key
        self._anonymous -= 1
        return self._anonymous


def _mean(first: Point, second: Point, share: float) -> Point:
    """Between two points, with a share of the first."""
    x, y, z = (share * a + (1.0 - share) * b for a, b in zip(first, second, strict=True))
    return x, y, z


def is_handle(detection: Detection) -> bool:
    """Whether a detection is no thing, but a handle on one."""
    return detection.part_of != 0 or detection.label == HANDLE


def owner_of(center: Point, objects: Mapping[int, ObservedObject]) -> int:
    """The identity of the smallest object that a handle can be on, of those first that can be opened; 0 for none."""
    found = [
        (not _opens(obj), _volume(obj), obj.instance_id)
        for obj in objects.values()
        if obj.label not in BUILDING and distance_to(center, obj.bounds_min, obj.bounds_max) <= _ON
    ]
    return min(found, default=(True, 0.0, 0))[2]


def distance_to(point: Iterable[float], low: Point, high: Point) -> float:
    """From a point to a box, m; 0 inside."""
    return math.hypot(*(max(a - x, x - b, 0.0) for x, a, b in zip(point, low, high, strict=True)))


def _opens(obj: ObservedObject) -> bool:
    return obj.label in CLOSABLE or not {"open", "closed"}.isdisjoint(obj.states)


def _volume(obj: ObservedObject) -> float:
    return math.prod(b - a for a, b in zip(obj.bounds_min, obj.bounds_max, strict=True))
