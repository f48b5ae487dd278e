"""The inner walls of rooms, along which things are placed."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vantage.types import Point

Box = tuple[Point, Point]


@dataclass(frozen=True)
class Wall:
    """An inner wall: its id, the middle of its foot, the direction into the room (rad) and its length (m)."""

    instance_id: int
    x: float
    y: float
    facing: float
    length: float

    def place(self, along: float, away: float) -> tuple[float, float]:
        """The point at a distance (m) from the wall, ``along`` m to the left of its middle, seen from it."""
        c, s = math.cos(self.facing), math.sin(self.facing)
        return self.x + c * away - s * along, self.y + s * away + c * along

    def box(self, along: tuple[float, float], away: tuple[float, float], heights: tuple[float, float]) -> Box:
        """A world-aligned box before the wall."""
        ends = np.array([self.place(along[0], away[0]), self.place(along[1], away[1])])
        (x_low, y_low), (x_high, y_high) = ends.min(axis=0).tolist(), ends.max(axis=0).tolist()
        return (x_low, y_low, heights[0]), (x_high, y_high, heights[1])
