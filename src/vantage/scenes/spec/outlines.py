"""Outlines of rooms, polygons of the floor plan given by their corners in m, and the inner walls along them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from vantage.types import Point

Box = tuple[Point, Point]

Corner = tuple[float, float]


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


def signed_area(outline: Sequence[Corner]) -> float:
    """Enclosed area, m^2; positive when the corners go counter-clockwise (shoelace formula)."""
    return 0.5 * sum(a[0] * b[1] - b[0] * a[1] for a, b in sides(outline))


def sides(outline: Sequence[Corner]) -> list[tuple[Corner, Corner]]:
    """Each corner with the next one; the last leads back to the first."""
    return list(pairwise([*outline, outline[0]]))


def holds(outline: Sequence[Corner], x: float, y: float) -> bool:
    """Whether a point is inside: a ray to the right crosses an odd number of sides."""
    return sum((a[1] > y) != (b[1] > y) and x < _crossing(a, b, y) for a, b in sides(outline)) % 2 == 1


def crosses_itself(outline: Sequence[Corner]) -> bool:
    """Whether two sides that are not neighbours touch or cross."""
    edges = sides(outline)
    count = len(edges)
    return any(
        _meet(edges[j], edges[k]) for j in range(count) for k in range(j + 2, count) if not (j == 0 and k == count - 1)
    )


def _crossing(a: Corner, b: Corner, y: float) -> float:
    return a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0])


def _meet(first: tuple[Corner, Corner], second: tuple[Corner, Corner]) -> bool:
    (a, b), (c, d) = first, second
    turns = _turn(a, b, c), _turn(a, b, d), _turn(c, d, a), _turn(c, d, b)
    if turns[0] * turns[1] > 0 or turns[2] * turns[3] > 0:
        return False
    return all(max(min(a[k], b[k]), min(c[k], d[k])) <= min(max(a[k], b[k]), max(c[k], d[k])) for k in (0, 1))


def _turn(a: Corner, b: Corner, c: Corner) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
