"""Where the robot can stand in a home as it is specified: on the floor, with nothing in its way up to its camera."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.scenes.geometry import FreeMap, Solid, free_map
from vantage.scenes.graph import SceneGraph
from vantage.scenes.spec import SceneSpec, points_inside
from vantage.spatial import Viewpoint, wrap_angle
from vantage.splats.space import FreeSpace, OccupancyGrid, regions
from vantage.types import Point
from vantage.worlds.limits import MotionLimits

CLEARANCE = 0.02  # m that a robot which begins somewhere keeps from all around it
_STEP = 0.05  # m, of the map
_LEVEL = 1.0  # m: a height at which doorways are holes
_LOWEST = 0.03  # m: the robot drives over what is lower, such as rugs


@dataclass(frozen=True, eq=False)
class HomePlace:
    """A home made ready for labellers; see ``benchmarks.labelling.LabelledPlace``.

    Attributes:
        scene: the place itself: its bounds, the height of its floor and its graph.
        limits: what motion is refused; the camera has one height.
        radius: of the robot, m.
        body_radius: of the sphere around the camera that ``occupancy`` is asked for, m.
    """

    home: SceneSpec
    limits: MotionLimits
    radius: float
    body_radius: float

    floor = 0.0

    @property
    def scene(self) -> HomePlace:
        return self

    @property
    def bounds_min(self) -> Point:
        return self.home.bounds_min

    @property
    def bounds_max(self) -> Point:
        return self.home.bounds_max

    @cached_property
    def graph(self) -> SceneGraph:
        return SceneGraph.from_spec(self.home)

    @property
    def height(self) -> float:
        """Of the camera, m."""
        return 0.5 * (self.limits.bounds_min[2] + self.limits.bounds_max[2])

    @cached_property
    def occupancy(self) -> OccupancyGrid:
        """Voxels around the camera's height that the body sphere must not meet, so that the robot below meets nothing:
        the same in all layers."""
        return self.space.grid

    @cached_property
    def space(self) -> FreeSpace:
        """Of the sphere around the camera; places are the largest floor on which the robot gets about."""
        columns = ~self._map(max(self.radius + CLEARANCE - self.body_radius, 0.0)).free
        layers = math.ceil(self.body_radius / _STEP) + 1
        low = (*self._standing.low, self.height - (layers + 0.5) * _STEP)
        occupied = np.repeat(columns[:, :, None], 2 * layers + 1, axis=2)
        corner = tuple(float(a + _STEP * n) for a, n in zip(low, occupied.shape, strict=True))
        grid = OccupancyGrid((low[0], low[1], low[2]), (corner[0], corner[1], corner[2]), _STEP, occupied)
        places = np.zeros_like(occupied)
        places[:, :, layers] = self._largest
        return FreeSpace.around(grid, places, self.body_radius)

    def is_inside(self, x: float, y: float) -> bool:
        """Whether a point of the floor, m, is in a room or an opening; any is where there are no rooms."""
        home, at = self.home, (np.array([x]), np.array([y]))
        if not home.rooms or any(bool(points_inside(room.outline, *at).any()) for room in home.rooms):
            return True
        return any(
            opening.kind != "window"
            and all(a <= value <= b for a, value, b in zip(opening.low[:2], (x, y), opening.high[:2], strict=True))
            for opening in home.openings
        )

    def is_free(self, x: float, y: float) -> bool:
        """Whether the robot can stand at a point of the floor, m, to half a step of the map."""
        column, row = (math.floor((value - low) / _STEP) for value, low in zip((x, y), self._standing.low, strict=True))
        shape = self._standing.free.shape
        return 0 <= column < shape[0] and 0 <= row < shape[1] and bool(self._standing.free[column, row])

    def nearest_free(self, x: float, y: float) -> tuple[float, float] | None:
        """The point nearest to one at which the robot can stand and get about, m; None where there is none."""
        places = np.argwhere(self._largest)
        if not len(places) or not (math.isfinite(x) and math.isfinite(y)):
            return None
        middles = np.asarray(self._standing.low) + (places + 0.5) * _STEP
        found = middles[int(np.argmin(((middles - (x, y)) ** 2).sum(axis=1)))]
        return float(found[0]), float(found[1])

    def nearest_start(self, start: Viewpoint) -> Viewpoint | None:
        """The same view from where the robot can stand, at its own height and as far up or down as it looks; None
        where it can stand nowhere."""
        spot = self.nearest_free(start.x, start.y)
        if spot is None:
            return None
        pitch = min(max(start.pitch, self.limits.pitch_min), self.limits.pitch_max)
        at = (start.x, start.y) if self.is_free(start.x, start.y) else spot
        return Viewpoint(*at, self.height, start.yaw, pitch)

    def roomy_starts(self) -> Iterator[Viewpoint]:
        """Viewpoints with much room around them, the most first, in four headings each."""
        room = cv2.distanceTransform(self._largest.astype(np.uint8), cv2.DIST_L2, 5)
        for index in np.argsort(-room, axis=None, kind="stable")[:: max(1, round(0.5 / _STEP))]:
            column, row = np.unravel_index(int(index), room.shape)
            x, y = (low + (float(k) + 0.5) * _STEP for low, k in zip(self._standing.low, (column, row), strict=True))
            for turn in range(4):
                yield Viewpoint(round(x, 3), round(y, 3), self.height, wrap_angle(0.5 * math.pi * turn), 0.0)

    @cached_property
    def _standing(self) -> FreeMap:
        """Where the robot can stand with some room around it."""
        return self._map(self.radius + CLEARANCE)

    @cached_property
    def _largest(self) -> NDArray[np.bool_]:
        """The largest connected part of that, (X, Y)."""
        labels, sizes = regions(self._standing.free[:, :, None])
        return np.asarray((labels == int(np.argmax(sizes)))[:, :, 0] & self._standing.free)

    def _map(self, radius: float) -> FreeMap:
        return free_map(self.home, _LEVEL, radius, _STEP, tuple(self._flattened()))

    def _flattened(self) -> Iterator[Solid]:
        """All that a robot would meet, brought to the height of the map."""
        for obj in self.home.objects:
            if obj.label in ("floor", "ceiling"):
                continue
            solid = Solid.of(obj)
            met = (solid.high[:, 2] > _LOWEST) & (solid.low[:, 2] < self.height)
            low, high = solid.low.copy(), solid.high.copy()
            low[:, 2] = high[:, 2] = np.where(met, _LEVEL, -1e3)
            yield replace(solid, low=low, high=high)
