"""Handles by which things are opened: where they were seen last, and what they are on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from vantage.perception.map.observed_object import ObservedObject
from vantage.perception.object_categories import BUILDING, CLOSABLE
from vantage.types import HANDLE, Detection, Point

MAX_HANDLES = 1024

_SAME, _BESIDE = 0.1, 0.04  # m between the middles of two sightings of one handle without an identity, and beside a box
_BAR = 0.06  # m between handles, never seen side by side, that are parts of one
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
        self._together: set[tuple[int, int]] = set()  # without identities, that one view showed side by side
        self._anonymous = 0

    def reset(self) -> None:
        """Forget all."""
        self._handles.clear()
        self._together.clear()
        self._anonymous = 0

    @property
    def all(self) -> tuple[ObservedHandle, ...]:
        """In the order in which they were first seen."""
        return tuple(self._handles.values())

    def add(self, detections: Sequence[Detection], stamp: int, objects: Mapping[int, ObservedObject]) -> None:
        """Take in the handles that one view shows, each of which is another one."""
        keys = self._recognised(detections)
        for detection, key in zip(detections, keys, strict=True):
            self._add(key, detection, stamp, objects)
        nameless = sorted(key for key in keys if key < 0 and key in self._handles)
        self._together.update(combinations(nameless, 2))
        for key in nameless:
            self._unite(key)

    def _add(self, key: int, detection: Detection, stamp: int, objects: Mapping[int, ObservedObject]) -> None:
        known = self._handles.get(key)
        if known is None and len(self._handles) >= MAX_HANDLES:
            return
        if known is not None and detection.pixels < _ENOUGH * known.pixels:
            return
        pixels = max(detection.pixels, 0 if known is None else known.pixels)
        low, high = detection.bounds_min, detection.bounds_max
        weight = 0
        if key < 0:  # as a perceiver sees it that errs: views from several places say more than the newest
            before = 0 if known is None else min(known.weight, _MOST_WEIGHT)
            weight = before + detection.pixels
            if known is not None:
                low, high = _mean(known.low, low, before / weight), _mean(known.high, high, before / weight)
        x, y, z = (0.5 * (a + b) for a, b in zip(low, high, strict=True))
        owner = detection.part_of if detection.part_of > 0 else owner_of((x, y, z), objects)
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
            self._forget(handle.key)

    def _unite(self, key: int) -> None:
        """Keep of a handle without an identity and those that are parts of it, as they are so near and none was ever
        seen beside another, the one that was seen best."""
        handle = self._handles.get(key)
        if handle is None:
            return
        near = sorted(
            (distance, other.key)
            for other in self._handles.values()
            if other.key < 0 and (distance := math.dist(other.center, handle.center)) <= _BAR
        )
        same: list[int] = []
        for _, other in near:
            if self._together.isdisjoint(_pair(other, part) for part in same):
                same.append(other)
        best = max(same, key=lambda part: self._handles[part].pixels)
        beside = {other for pair in self._together for part, other in (pair, pair[::-1]) if part in same}
        for part in same:
            if part != best:
                self._forget(part)
        self._together.update(_pair(best, other) for other in beside)

    def _forget(self, key: int) -> None:
        self._handles.pop(key, None)
        self._together = {pair for pair in self._together if key not in pair}

    def _recognised(self, detections: Sequence[Detection]) -> list[int]:
        """The key of each handle of one view: of those without an identity, that of the known one that is nearest, the
        nearest pair first, so that two knobs side by side stay two."""
        keys = [max(detection.instance_id, 0) for detection in detections]
        pairs = sorted(
            (distance, number, key)
            for number, detection in enumerate(detections)
            if not keys[number]
            for key, handle in self._handles.items()
            if key < 0 and (distance := _apart(handle, detection)) <= _SAME
        )
        taken: set[int] = set()
        for _, number, key in pairs:
            if not keys[number] and key not in taken:
                keys[number] = key
                taken.add(key)
        for number, key in enumerate(keys):
            if not key:
                self._anonymous -= 1
                keys[number] = self._anonymous
        return keys


def _pair(first: int, second: int) -> tuple[int, int]:
    """The keys of two handles, the lower one first."""
    return min(first, second), max(first, second)


def _apart(handle: ObservedHandle, seen: Detection) -> float:
    """m between a handle and a sighting of it or of a part of it; infinite where it cannot be one."""
    beside = min(
        distance_to(seen.center, handle.low, handle.high),
        distance_to(handle.center, seen.bounds_min, seen.bounds_max),
    )
    return math.dist(handle.center, seen.center) if beside <= _BESIDE else math.inf


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
