"""The observed free floor: where the base can stand, and ways from place to place around furniture."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.perception.map import OCCUPIED, UNKNOWN, CoverageMap
from vantage.planning.skills.floor_ways import way_costs

Place = tuple[float, float]  # m, world frame

_LOWEST = 0.045  # m above the floor: over what is lower the robot drives, such as rugs
_SPARE = 0.02  # m: what fills a voxel ends half a voxel before its edge on the average; what is met is known then
_OWN = 0.45  # m around the robot, of which the floor below it is free though it never sees it
_ESCAPE = 0.5  # m within which a robot that stands too near to something drives back to where it has room
_WIDE = 0.15  # m of room around the base, from which on more makes a way no better
_CLEAR = 0.08  # m of room around the base that a straight way keeps where a longer one has it
_TIGHT = 2.0  # times the length of a way without any room to spare
_NEIGHBOURS = [(di, dj) for di in (-1, 0, 1) for dj in (-1, 0, 1) if di or dj]


class FloorMap:
    """The floor as a map of space shows it at one moment.

    Args:
        floor: its height, m.
        height: of the robot, m.
        here: where the robot is.
        bumps: places (x, y) where it met something that the map does not show, m.
        low, high: corners (x, y) of where the robot may be at all, m.
    """

    def __init__(
        self,
        coverage: CoverageMap,
        radius: float,
        here: Place,
        floor: float = 0.0,
        height: float = 1.45,
        bumps: Iterable[Place] = (),
        low: Place = (-math.inf, -math.inf),
        high: Place = (math.inf, math.inf),
    ) -> None:
        self.radius, self.voxel = radius, coverage.voxel
        self._low = coverage.origin[:2].copy()
        self._shape = coverage.shape[:2]
        states, z0 = coverage.states, float(coverage.origin[2])
        bottom = max(0, math.floor((floor - z0) / self.voxel))
        first = max(bottom + 1, math.ceil((floor + _LOWEST - z0) / self.voxel - 0.5))
        last = max(first + 1, math.ceil((floor + height - z0) / self.voxel))
        filled = (states[:, :, first:last] == OCCUPIED).any(axis=2)
        seen = (states[:, :, bottom : first + 1] != UNKNOWN).any(axis=2)
        own = self._disc(here, _OWN)
        free = (seen | own) & ~filled
        for bump in bumps:
            free &= ~self._disc(bump, self.voxel)
        self.filled, self.seen = filled, seen
        room = cv2.distanceTransform(np.pad(free, 1).astype(np.uint8), cv2.DIST_L2, 5)[1:-1, 1:-1]
        self._room = np.asarray(room, np.float64) * self.voxel - 0.5 * self.voxel
        self._stands: NDArray[np.bool_] = (self._room >= radius - _SPARE) & self._between(low, high)
        self._costs: NDArray[np.float64] | None = None
        self.here = here

    def stands(self, place: Place) -> bool:
        """Whether the base can stand at a place, as far as was seen."""
        cell = self._cell(place)
        return self._inside(cell) and bool(self._stands[cell])

    def room(self, place: Place) -> float:
        """m from a place to the next thing that is not free floor."""
        cell = self._cell(place)
        return float(self._room[cell]) if self._inside(cell) else 0.0

    def cost(self, place: Place) -> float:
        """Length of the way from where the robot is, longer where there is little room, m; infinite without one."""
        cell = self._cell(place)
        return float(self._ways()[cell]) if self._inside(cell) else math.inf

    def places(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """All places (N, 2), m, to which a way was seen, and the costs (N,) of these ways, as ``cost`` has them."""
        costs = self._ways()
        cells = np.argwhere(np.isfinite(costs))
        return self._low + (cells + 0.5) * self.voxel, costs[cells[:, 0], cells[:, 1]]

    def way(self, goal: Place) -> list[Place] | None:
        """The corners of a way to a place, which is the last of them; None where no way was seen."""
        costs, cell = self._ways(), self._cell(goal)
        if not self._inside(cell) or not math.isfinite(costs[cell]):
            return None
        cells = [cell]
        while costs[cells[-1]] > 0.0:
            i, j = cells[-1]
            near = [(i + di, j + dj) for di, dj in _NEIGHBOURS if self._inside((i + di, j + dj))]
            following = min(near, key=lambda at: costs[at] + math.dist(at, (i, j)) * 1e-3)
            if costs[following] >= costs[cells[-1]]:
                break
            cells.append(following)
        places = [goal, *(self._place(cell) for cell in cells[1:])][::-1]
        return self._straightened([self.here, *places[1:]] if len(places) > 1 else [self.here, goal])[1:]

    def line_is_free(self, start: Place, end: Place) -> bool:
        """Whether the base can drive straight from one place to another."""
        return all(map(self.stands, self._between_places(start, end)))

    def _is_as_roomy(self, start: Place, end: Place, room: float) -> bool:
        """Whether the base can drive straight with some room (m), as far as it needs that, to spare."""
        least = min(room - 0.5 * self.voxel, self.radius + _CLEAR)
        return all(self.stands(at) and self.room(at) >= least for at in self._between_places(start, end))

    def _between_places(self, start: Place, end: Place) -> Iterator[Place]:
        """Places on a line, without its start, half a cell apart."""
        count = max(1, math.ceil(math.dist(start, end) / (0.5 * self.voxel)))
        for k in range(1, count + 1):
            yield start[0] + (end[0] - start[0]) * k / count, start[1] + (end[1] - start[1]) * k / count

    def _straightened(self, places: list[Place]) -> list[Place]:
        """Without corners that a straight line leaves out, where that goes no nearer to what is in the way."""
        kept, at = [places[0]], 0
        rooms = [self.room(place) for place in places]
        while at < len(places) - 1:
            end = len(places) - 1
            while end > at + 1 and not self._is_as_roomy(places[at], places[end], min(rooms[at + 1 : end + 1])):
                end -= 1
            kept.append(places[end])
            at = end
        return kept

    def _ways(self) -> NDArray[np.float64]:
        """Cost of the way to each cell."""
        if self._costs is None:
            starts = self._starts()
            if starts:
                cell, away = starts[0]
                weights = 1.0 + _TIGHT * np.clip(1.0 - (self._room - self.radius) / _WIDE, 0.0, 1.0)
                straight, aslant = self.voxel * weights, math.sqrt(2.0) * self.voxel * weights
                self._costs = way_costs(self._stands, straight, aslant, cell, away)
            else:
                self._costs = np.full(self._stands.shape, np.inf)
        return self._costs

    def _starts(self) -> list[tuple[tuple[int, int], float]]:
        """Where ways begin: at the robot or, where it has too little room, at the nearest place with enough."""
        cell = self._cell(self.here)
        if self._inside(cell) and self._stands[cell]:
            return [(cell, 0.0)]
        near = np.argwhere(self._stands & self._disc(self.here, _ESCAPE))
        if not len(near):
            return []
        away = np.hypot(*(self._low + (near + 0.5) * self.voxel - self.here).T)
        best = int(np.argmin(away))
        return [((int(near[best][0]), int(near[best][1])), 0.0)]

    def _disc(self, place: Place, radius: float) -> NDArray[np.bool_]:
        xs = self._low[0] + (np.arange(self._shape[0]) + 0.5) * self.voxel
        ys = self._low[1] + (np.arange(self._shape[1]) + 0.5) * self.voxel
        return np.asarray((xs[:, None] - place[0]) ** 2 + (ys[None] - place[1]) ** 2 <= radius * radius)

    def _between(self, low: Place, high: Place) -> NDArray[np.bool_]:
        """The cells that lie between two corners as a whole."""
        xs, ys = (self._low[k] + np.arange(self._shape[k]) * self.voxel for k in (0, 1))
        inside_x = (xs >= low[0]) & (xs + self.voxel <= high[0])
        return np.asarray(inside_x[:, None] & ((ys >= low[1]) & (ys + self.voxel <= high[1]))[None])

    def _cell(self, place: Place) -> tuple[int, int]:
        i, j = ((float(value) - low) / self.voxel for value, low in zip(place, self._low, strict=True))
        return (math.floor(i), math.floor(j)) if math.isfinite(i) and math.isfinite(j) else (-1, -1)

    def _place(self, cell: tuple[int, int]) -> Place:
        x, y = self._low + (np.array(cell) + 0.5) * self.voxel
        return float(x), float(y)

    def _inside(self, cell: tuple[int, int]) -> bool:
        return 0 <= cell[0] < self._shape[0] and 0 <= cell[1] < self._shape[1]
