"""Outlines of rooms, polygons of the floor plan given by their corners in m, and the inner walls along them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import shapely
from numpy.typing import NDArray

from vantage.errors import SceneError
from vantage.types import Point

Box = tuple[Point, Point]

Corner = tuple[float, float]

_STRAIGHT = 1e-6  # m: how far a corner that is none is off its side
_SHARPEST = 5.0  # distance of a moved corner from where it was, in margins, beyond which it is cut off


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
    """Enclosed area, m^2; positive when the corners go counter-clockwise."""
    ring = shapely.LinearRing(outline)
    area = float(shapely.Polygon(ring).area)
    return area if ring.is_ccw else -area


def sides(outline: Sequence[Corner]) -> list[tuple[Corner, Corner]]:
    """Each corner with the next one; the last leads back to the first."""
    return list(pairwise([*outline, outline[0]]))


def polygon(outline: Sequence[Corner]) -> shapely.Polygon:
    """The area within an outline, m; prepared for many questions about points."""
    return _polygon(tuple((float(x), float(y)) for x, y in outline))


@lru_cache(maxsize=256)
def _polygon(outline: tuple[Corner, ...]) -> shapely.Polygon:
    found = shapely.Polygon(outline)
    shapely.prepare(found)
    return found


def holds(outline: Sequence[Corner], x: float, y: float) -> bool:
    """Whether a point is inside, and not on a side."""
    return bool(shapely.contains_xy(polygon(outline), x, y))


def points_inside(outline: Sequence[Corner], x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which of many points are inside, as coordinates that broadcast against each other."""
    found: NDArray[np.bool_] = shapely.contains_xy(polygon(outline), x, y)
    return found


def crosses_itself(outline: Sequence[Corner]) -> bool:
    """Whether two sides that are not neighbours touch or cross."""
    return not polygon(outline).is_valid


def inset(outline: Sequence[Corner], margin: float) -> tuple[Corner, ...]:
    """The outline, counter-clockwise, with each side moved inward by a margin (m), outward by a negative one.

    Where that closes a narrow place, it is the larger of the parts that are left.

    Raises:
        SceneError: nothing is left.
    """
    left = polygon(outline).buffer(-margin, join_style="mitre", mitre_limit=_SHARPEST)
    largest = max(getattr(left, "geoms", [left]), key=lambda each: each.area)
    if largest.is_empty:
        raise SceneError(f"a room with the corners {list(outline)[:8]} is too narrow for walls of {margin} m")
    plain = largest.normalize().simplify(_STRAIGHT)
    corners = shapely.get_coordinates(shapely.orient_polygons(plain).exterior)[:-1]
    return tuple((round(x, 6) + 0.0, round(y, 6) + 0.0) for x, y in corners.tolist())
