"""Openings in sight whose other side was not seen yet: the way to rooms that nobody knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vantage.perception.map.coverage import CoverageMap
from vantage.perception.map.observed_object import ObservedObject

if TYPE_CHECKING:
    from vantage.perception.map.observed_scene import ObservedScene  # which asks these in turn

_OPENINGS = frozenset({"door", "doorway"})
_BEYOND = (0.3, 1.3)  # m from the middle of an opening: the space that tells whether the room there was seen
_AIM = 0.8  # m beyond the opening, where a look is aimed
_HEIGHTS = (0.6, 1.2)  # m above the floor
_SEEN = 0.5  # share of that space from which on the other side counts as seen
_NARROWEST = 0.4  # m: less of an opening in sight tells nothing of where it leads


def unseen_doorways(memory: ObservedScene, coverage: CoverageMap) -> list[NDArray[np.float64]]:
    """Points (N, 3) behind each opening, on the sides that were not seen, m."""
    found = []
    for thing in memory.objects:
        if thing.label not in _OPENINGS or "closed" in thing.states:
            continue
        for axis in _axes(thing):
            for side in (-1.0, 1.0):
                points = _behind(thing, axis, side, memory.floor_level, coverage)
                if points is not None:
                    found.append(points)
    return found


def _axes(thing: ObservedObject) -> tuple[int, ...]:
    """The axes along which one may pass: across a frame; both where a leaf stands open, for that hides which it is."""
    extent = np.subtract(thing.bounds_max, thing.bounds_min)[:2]
    if extent.max() < _NARROWEST:
        return ()
    return (0, 1) if extent.min() >= _NARROWEST else (int(np.argmin(extent)),)


def _behind(
    thing: ObservedObject, axis: int, side: float, floor: float, coverage: CoverageMap
) -> NDArray[np.float64] | None:
    """Points on one side of an opening, or None where that was seen or lies outside."""
    box = np.array([thing.bounds_min, thing.bounds_max])
    middle = box.mean(axis=0)
    box[:, axis] = np.sort(middle[axis] + side * np.array(_BEYOND))
    box[:, 2] = floor + 0.2, floor + 1.8
    upper = coverage.origin + np.array(coverage.shape) * coverage.voxel
    aim = middle[axis] + side * _AIM
    if not coverage.origin[axis] < aim < upper[axis]:
        return None
    (x0, y0, z0), (x1, y1, z1) = box.tolist()
    if coverage.seen_fraction((x0, y0, z0), (x1, y1, z1)) >= _SEEN:
        return None
    points = np.tile(middle, (len(_HEIGHTS), 1))
    points[:, axis] = aim
    points[:, 2] = floor + np.array(_HEIGHTS)
    return points
