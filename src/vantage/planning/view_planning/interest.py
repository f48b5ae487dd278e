"""How much a question cares about each place that was not seen yet: the prior of where things are."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np
from numpy.typing import NDArray

from vantage.perception.map.coverage import CoverageMap
from vantage.perception.map.observed_scene import ObservedScene
from vantage.perception.object_categories import HIGH, likely
from vantage.types import Point

_HIGH_HEIGHTS = ((0.6, 0.5), (2.2, 1.0), (np.inf, 0.03))  # the same of things that hang or stand high
_HEIGHTS = ((1.3, 1.0), (2.3, 0.35), (np.inf, 0.03))  # up to which height (m) unknown space has which weight
_ELSEWHERE = 0.2  # weight of all unknown space while something better leads the search
_OTHER_ROOM = 0.4  # of a kind of room where the thing usually is not
_NOT_NAMED = 0.3  # of all other space while a room that the question names is in sight
_LIKELY_ROOM = 3.0
_BEYOND = 1.0  # m around the part of a room that was seen, in which it may go on
_ON_SUPPORT = 3.0  # above a support on which such things usually are
_ABOVE = 0.5  # m above a support in which things on it show


def by_height(coverage: CoverageMap, floor: float, weight: float, high: bool = False) -> NDArray[np.float32]:
    """Weights of all voxels: most things rest low, few under the ceiling."""
    heights = coverage.origin[2] + (np.arange(coverage.shape[2]) + 0.5) * coverage.voxel - floor
    shares = _HIGH_HEIGHTS if high else _HEIGHTS
    tops = np.array([top for top, _ in shares])
    levels = np.array([share for _, share in shares], np.float32)[np.searchsorted(tops, heights)]
    return np.asarray(np.broadcast_to(weight * levels, coverage.shape).astype(np.float32))


def interest(
    coverage: CoverageMap, memory: ObservedScene, labels: Iterable[str], leads: bool, done: Collection[str] = ()
) -> NDArray[np.float32]:
    """Weights of all voxels for a search for things with these labels, most wanted first; labels may be rooms.

    Args:
        leads: the reasoner knows where to look, so that unknown space elsewhere counts little.
        done: kinds of rooms that were seen as far as that matters, so that the rest of their space counts little.
    """
    labels = tuple(labels)
    high = any(label in HIGH for label in labels[:1])
    weights = by_height(coverage, memory.floor_level, _ELSEWHERE if leads else 1.0, high)
    seen = {thing.label for thing in memory.objects}
    kinds = {room.label for room in memory.rooms}
    missing = [label for label in labels if label not in seen]
    named = [label for label in missing if label in kinds] + [label for label in labels if label in kinds]
    habits = [likely(label) for label in missing if label not in kinds]
    rooms = set(named) or {room for habit in habits for room in habit.rooms}
    for room in memory.rooms:
        if room.label in done:
            weights[_block(coverage, room.low, room.high, upwards=np.inf)] *= _ELSEWHERE
    if rooms:
        if named:  # it is here, and not in what was not seen of other rooms
            weights *= _NOT_NAMED
        factors = np.ones(coverage.shape, np.float32)
        likelier_last = sorted(memory.rooms, key=lambda room: room.label in rooms)
        for around in (_BEYOND, 0.0):  # what a room may go on to, and over it what surely is of one
            for room in likelier_last:
                box = _grown(room.low, -around), _grown(room.high, around)
                factors[_block(coverage, *box, upwards=np.inf)] = _LIKELY_ROOM if room.label in rooms else _OTHER_ROOM
        weights *= factors
    supports = {support for habit in habits for support in habit.supports}
    for thing in memory.objects:
        if thing.label in supports:
            weights[_block(coverage, thing.bounds_min, thing.bounds_max, upwards=_ABOVE)] *= _ON_SUPPORT
    return weights


def _grown(corner: Point, by: float) -> Point:
    return corner[0] + by, corner[1] + by, corner[2]


def _block(coverage: CoverageMap, low: Point, high: Point, upwards: float) -> tuple[slice, slice, slice]:
    """The voxels of a box (m) that reaches ``upwards`` m higher."""
    first = np.floor((np.array(low) - coverage.origin) / coverage.voxel)
    last = np.ceil((np.array([high[0], high[1], high[2] + upwards]) - coverage.origin) / coverage.voxel)
    first = np.clip(first, 0, coverage.shape).astype(int)
    last = np.clip(last, 0, coverage.shape).astype(int)
    return slice(first[0], last[0]), slice(first[1], last[1]), slice(first[2], last[2])
