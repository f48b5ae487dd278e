"""The ways in a room: a map of where somebody can walk, so that furniture does not shut them."""

from __future__ import annotations

import copy
import math

import cv2
import numpy as np

from vantage.scenes.geometry.solids import Solid
from vantage.types import Point

AISLE = 0.6  # m: width of the ways on which one walks
FLAT = 0.05  # m: what is no higher is walked upon
HEAD = 1.9  # m: what is no lower is walked under

_CELL = 0.05  # m


class Walkways:
    """Where the middle of somebody who walks can be in a room with an inner space from ``low`` to ``high`` (m)."""

    def __init__(self, low: Point, high: Point) -> None:
        self._low = low
        edge = math.ceil(0.5 * AISLE / _CELL)
        shape = [math.ceil((high[k] - low[k]) / _CELL) for k in (0, 1)]
        self._open = np.zeros(shape, dtype=np.uint8)
        self._open[edge:-edge, edge:-edge] = 255
        self._stations: list[tuple[int, int]] = []

    def copy(self) -> Walkways:
        """The same map, which then changes for itself."""
        return copy.deepcopy(self)

    def add_station(self, x: float, y: float) -> None:
        """Keep a way from the free place nearest to a point to all other stations."""
        free = np.argwhere(self._open)
        if len(free):
            distances = ((free + 0.5) * _CELL + self._low[:2] - (x, y)) ** 2
            row, column = free[int(distances.sum(axis=1).argmin())]
            self._stations.append((int(row), int(column)))

    def block(self, solid: Solid) -> None:
        """Let a thing stand in the way, whatever that shuts."""
        reach = 0.5 * AISLE
        for low, high in zip(solid.low.tolist(), solid.high.tolist(), strict=True):
            if low[2] < HEAD and high[2] > FLAT:
                (x0, x1), (y0, y1) = (self._cells(k, low[k] - reach, high[k] + reach) for k in (0, 1))
                self._open[x0:x1, y0:y1] = 0

    def try_block(self, solid: Solid) -> bool:
        """Let a thing stand in the way, unless one could then no longer walk from each station to each."""
        before = self._open.copy()
        self.block(solid)
        if len(self._stations) < 2:
            return True
        _, areas = cv2.connectedComponents(self._open, connectivity=4)
        found = {int(areas[station]) for station in self._stations}
        if len(found) == 1 and 0 not in found:
            return True
        self._open = before
        return False

    def _cells(self, axis: int, low: float, high: float) -> tuple[int, int]:
        """The cells whose middles are within a range."""
        first, last = ((value - self._low[axis]) / _CELL - 0.5 for value in (low, high))
        return max(0, math.ceil(first + 1e-6)), max(0, math.ceil(last - 1e-6))
