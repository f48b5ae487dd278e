"""Which rooms the robot's base gets to, and where it can stand near something."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.scenes.geometry import Solid
from vantage.scenes.spec import RoomSpec, SceneSpec, points_inside

_STEP = 0.02  # m
_MARGIN = 0.3  # m around the bounds of the home
_LOWEST = 0.03  # m: the base drives over what is lower, such as rugs


@dataclass(frozen=True, eq=False)
class BaseMap:
    """Where the middle of the base can be.

    Attributes:
        places: cells (X, Y) of the largest floor on which it gets about.
        low: corner of the map, m.
        step: edge of a cell, m.
    """

    places: NDArray[np.bool_]
    low: tuple[float, float]
    step: float

    def points(self) -> NDArray[np.float64]:
        """Middles (N, 2) of all places, m."""
        return np.asarray(np.array(self.low) + (np.argwhere(self.places) + 0.5) * self.step)


def base_map(
    home: SceneSpec, radius: float, height: float, start: tuple[float, float] | None = None, doors_away: bool = False
) -> BaseMap:
    """Where a round base can be among all that is lower than the robot and higher than a rug, as the home stands.

    Args:
        radius, height: of the robot, m.
        start: from where it drives, m; without it, the largest floor counts.
        doors_away: whether doors between rooms are left out, as if they stood open wide.
    """
    low = (home.bounds_min[0] - _MARGIN, home.bounds_min[1] - _MARGIN)
    shape = [math.ceil((home.bounds_max[k] + _MARGIN - low[k]) / _STEP) for k in (0, 1)]
    free = np.full((shape[1], shape[0]), 255, dtype=np.uint8)
    fillers = {opening.instance for opening in home.openings}
    for obj in home.objects:
        if obj.label in ("floor", "ceiling"):
            continue
        solid = Solid.of(obj)
        moving = {joint.part for joint in obj.joints} if doors_away and obj.instance_id in fillers else set()
        for number in np.flatnonzero((solid.high[:, 2] > _LOWEST) & (solid.low[:, 2] < height)).tolist():
            if obj.parts[number].name not in moving:
                corners = (solid.outline(number) - low) / _STEP - 0.5
                cv2.fillConvexPoly(free, np.rint(16.0 * corners).astype(np.int32), 0, shift=4)
    free[[0, -1]], free[:, [0, -1]] = 0, 0
    far = cv2.distanceTransform(free, cv2.DIST_L2, cv2.DIST_MASK_PRECISE) * _STEP > radius
    count, areas = cv2.connectedComponents(far.astype(np.uint8), connectivity=4)
    cells = np.asarray(areas.T, np.int32)
    return BaseMap(np.equal(cells, _component(cells, count, home, low, start)), low, _STEP)


def _component(
    areas: NDArray[np.int32], count: int, home: SceneSpec, low: tuple[float, float], start: tuple[float, float] | None
) -> int:
    """Number of the area from which the base drives; -1 where there is none."""
    if start is not None:
        cell = tuple(math.floor((value - edge) / _STEP) for value, edge in zip(start, low, strict=True))
        inside = all(0 <= index < size for index, size in zip(cell, areas.shape, strict=True))
        return int(areas[cell]) or -1 if inside else -1
    if count < 2:
        return -1
    x, y = (edge + (np.arange(size) + 0.5) * _STEP for edge, size in zip(low, areas.shape, strict=True))
    indoors = np.zeros(areas.shape, dtype=np.bool_)
    for room in home.rooms:
        indoors |= points_inside(room.outline, x[:, None], y[None, :])
    sizes = np.bincount(areas[indoors & (areas > 0)] if home.rooms else areas[areas > 0], minlength=count)
    return int(sizes.argmax()) if sizes.any() else -1


def unreached_rooms(home: SceneSpec, places: BaseMap) -> Collection[RoomSpec]:
    """The rooms into which the base does not get."""
    points = places.points()
    return [room for room in home.rooms if not points_inside(room.outline, points[:, 0], points[:, 1]).any()]
