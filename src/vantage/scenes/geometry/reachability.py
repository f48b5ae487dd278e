"""Where the camera can be at one height, and which rooms it gets to from which."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.scenes.geometry.solids import Solid
from vantage.scenes.spec import RoomSpec, SceneSpec, points_inside

Grid = NDArray[np.bool_]

EYE_HEIGHT = 1.2  # m, at which the camera moves about
BODY_RADIUS = 0.15  # m
SHIN_HEIGHT = 0.3  # m, at which nothing may be in the way of people

_MARGIN = 0.3  # m around the bounds of a scene that the map shows


@dataclass(frozen=True)
class FreeMap:
    """Cells of a level in which a sphere fits.

    Attributes:
        free: (X, Y).
        low: corner of the map, m.
        step: edge of a cell, m.
    """

    free: Grid
    low: tuple[float, float]
    step: float

    def middles(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Coordinates x (X,) and y (Y,) of the middles of the cells, m."""
        x = np.asarray(self.low[0] + (np.arange(self.free.shape[0]) + 0.5) * self.step, dtype=np.float64)
        y = np.asarray(self.low[1] + (np.arange(self.free.shape[1]) + 0.5) * self.step, dtype=np.float64)
        return x, y

    def cells_of(self, room: RoomSpec) -> Grid:
        """The cells (X, Y) whose middles are in a room."""
        x, y = self.middles()
        return points_inside(room.outline, x[:, None], y[None, :])


def free_map(spec: SceneSpec, z: float, radius: float, step: float = 0.05, solids: Iterable[Solid] = ()) -> FreeMap:
    """Where the middle of a sphere of a radius can be at height z (m).

    Parts count with the boxes around them, so the map is on the safe side. A scene without rooms is open within its
    bounds; in a home, what is neither a room nor an opening is closed.
    """
    low = (spec.bounds_min[0] - _MARGIN, spec.bounds_min[1] - _MARGIN)
    shape = tuple(math.ceil((spec.bounds_max[k] + _MARGIN - low[k]) / step) for k in (0, 1))
    empty = FreeMap(np.zeros(shape, dtype=np.bool_), low, step)
    x, y = empty.middles()
    free = _open_space(empty, spec, z)
    walled = spec.rooms and any(obj.label == "wall" for obj in spec.objects)
    if not walled:
        reach = radius - 1e-9
        inner = (x >= spec.bounds_min[0] + reach) & (x <= spec.bounds_max[0] - reach)
        free &= inner[:, None] & ((y >= spec.bounds_min[1] + reach) & (y <= spec.bounds_max[1] - reach))[None, :]
    for solid in solids or (Solid.of(obj) for obj in spec.objects):
        gaps = np.maximum(np.maximum(solid.low[:, 2] - z, z - solid.high[:, 2]), 0.0)
        for part in np.flatnonzero(gaps < radius):
            dx, dy = (
                np.maximum(np.maximum(solid.low[part, k] - axis, axis - solid.high[part, k]), 0.0)
                for k, axis in enumerate((x, y))
            )
            columns, rows = np.flatnonzero(dx < radius), np.flatnonzero(dy < radius)
            if len(columns) and len(rows):
                near = np.s_[columns[0] : columns[-1] + 1, rows[0] : rows[-1] + 1]
                apart = dx[near[0], None] ** 2 + dy[None, near[1]] ** 2 > radius**2 - gaps[part] ** 2
                free[near] &= apart
    return FreeMap(free, low, step)


def free_floor(spec: SceneSpec, z: float, radius: float, step: float = 0.05) -> float:
    """Share (0..1) of the floor above which a sphere of a radius fits, centred at height z (m)."""
    level = free_map(spec, z, radius, step)
    x, y = level.middles()
    within = np.ones(level.free.shape, dtype=np.bool_)
    within &= ((x > spec.bounds_min[0]) & (x < spec.bounds_max[0]))[:, None]
    within &= ((y > spec.bounds_min[1]) & (y < spec.bounds_max[1]))[None, :]
    if spec.rooms:
        within &= np.any([level.cells_of(room) for room in spec.rooms], axis=0)
    return float(level.free[within].mean())


def parted_rooms(spec: SceneSpec, z: float = EYE_HEIGHT, solids: Mapping[int, Solid] | None = None) -> tuple[int, ...]:
    """Ids of the rooms to which a sphere of the size of the camera does not get at height z (m).

    It starts in the largest space that it can move in.
    """
    if not spec.rooms:
        return ()
    level = free_map(spec, z, BODY_RADIUS, solids=solids.values() if solids else ())
    space = _largest_space(level)
    return tuple(room.room_id for room in spec.rooms if not (level.cells_of(room) & space).any())


def reachable_area(spec: SceneSpec) -> float:
    """Floor (m2) above which the camera can be at eye height in the largest space that it can move in."""
    level = free_map(spec, EYE_HEIGHT, BODY_RADIUS)
    return float(_largest_space(level).sum()) * level.step**2


def _largest_space(level: FreeMap) -> Grid:
    """The cells of the largest space within which a sphere can move; none where it fits nowhere."""
    count, areas = cv2.connectedComponents(level.free.astype(np.uint8), connectivity=4)
    if count < 2:
        return np.zeros_like(level.free)
    largest = 1 + int(np.bincount(np.asarray(areas.ravel(), np.int32), minlength=count)[1:].argmax())
    space: Grid = areas == largest
    return space


def _open_space(level: FreeMap, spec: SceneSpec, z: float) -> Grid:
    """The cells of rooms and of openings that one gets through."""
    if not spec.rooms:
        return np.ones(level.free.shape, dtype=np.bool_)
    space: Grid = np.zeros(level.free.shape, dtype=np.bool_)
    for room in spec.rooms:
        space |= level.cells_of(room)
    x, y = level.middles()
    for opening in spec.openings:
        if opening.kind != "window" and 0 not in opening.rooms and opening.low[2] < z < opening.high[2]:
            across = min((0, 1), key=lambda k: opening.high[k] - opening.low[k])
            (x0, y0), (x1, y1) = (
                [corner[k] + (sign * level.step if k == across else 0.0) for k in (0, 1)]
                for corner, sign in ((opening.low, -1), (opening.high, 1))
            )
            space |= ((x > x0) & (x < x1))[:, None] & ((y > y0) & (y < y1))[None, :]
    return space
