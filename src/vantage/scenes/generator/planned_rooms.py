"""Rooms of a floor plan and their walls: rectangles, also without one corner (an L), between the centre lines of walls.

The inner face of a wall is half a double wall away from its centre line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from vantage.scenes.catalog import WALL_THICKNESS
from vantage.scenes.spec import Corner

Rectangle = tuple[Corner, Corner]  # smallest and largest coordinates, m

_SAME = 1e-6  # m: coordinates that differ by less are one


@dataclass(frozen=True)
class SharedWall:
    """The stretch of a wall between two rooms: perpendicular to ``axis`` (0 x, 1 y) at ``at``, ``low`` to ``high``."""

    axis: int
    at: float
    low: float
    high: float


@dataclass(frozen=True)
class Side:
    """One side of a room: its centre line at ``at`` across ``axis``, the ends of its inner face, and the way inward.

    Attributes:
        inward: 1 where the room lies towards larger coordinates along ``axis``, else -1.
    """

    axis: int
    at: float
    low: float
    high: float
    inward: int

    @property
    def face(self) -> float:
        """Coordinate of the inner face along ``axis``, m."""
        return self.at + self.inward * WALL_THICKNESS


@dataclass(frozen=True)
class PlannedRoom:
    """A room of a floor plan, between the centre lines of its walls, m.

    Attributes:
        low, high: of the rectangle around it.
        notch: rectangle in one corner that is not part of the room; None for a plain rectangle.
    """

    label: str
    low: Corner
    high: Corner
    notch: Rectangle | None = None

    @property
    def inner_low(self) -> Corner:
        """The corner with the smallest coordinates between the inner faces of the walls."""
        return self.low[0] + WALL_THICKNESS, self.low[1] + WALL_THICKNESS

    @property
    def inner_high(self) -> Corner:
        """The corner with the largest coordinates between the inner faces of the walls."""
        return self.high[0] - WALL_THICKNESS, self.high[1] - WALL_THICKNESS

    @property
    def inner_notch(self) -> Rectangle | None:
        """What of the rectangle between the inner faces of the outer walls is not part of the room."""
        if self.notch is None:
            return None
        low, high = self.notch
        (x0, y0), (x1, y1) = self.inner_low, self.inner_high
        low_x, low_y = (low[k] - WALL_THICKNESS if low[k] > self.low[k] + _SAME else (x0, y0)[k] for k in (0, 1))
        high_x, high_y = (high[k] + WALL_THICKNESS if high[k] < self.high[k] - _SAME else (x1, y1)[k] for k in (0, 1))
        return (low_x, low_y), (high_x, high_y)

    @property
    def outline(self) -> tuple[Corner, ...]:
        """The corners of its floor between the inner faces, counter-clockwise."""
        return _outline((self.inner_low, self.inner_high), self.inner_notch)

    @property
    def area(self) -> float:
        """Of its floor between the inner faces, m2."""
        return _area((self.inner_low, self.inner_high)) - (_area(self.inner_notch) if self.inner_notch else 0.0)

    def rectangles(self) -> tuple[Rectangle, ...]:
        """One or two rectangles that make up its floor."""
        (x0, y0), (x1, y1) = whole = self.inner_low, self.inner_high
        if self.inner_notch is None:
            return (whole,)
        (a0, b0), (a1, b1) = self.inner_notch
        beside = ((x0, y0), (a0, y1)) if a0 > x0 else ((a1, y0), (x1, y1))
        along = ((a0, y0), (a1, b0)) if b0 > y0 else ((a0, b1), (a1, y1))
        return beside, along

    def sides(self) -> tuple[Side, ...]:
        """Its sides counter-clockwise; the first one of a rectangle is that with the smallest x."""
        lines = _outline((self.low, self.high), self.notch)
        faces = self.outline
        found = []
        for (start, end), (first, last) in zip(
            pairwise([lines[-1], *lines]), pairwise([faces[-1], *faces]), strict=True
        ):
            axis = 0 if abs(end[0] - start[0]) < _SAME else 1
            along = 1 - axis
            inward = 1 if (end[along] < start[along]) == (axis == 0) else -1
            found.append(
                Side(axis, start[axis], min(first[along], last[along]), max(first[along], last[along]), inward)
            )
        return tuple(found)


def shared_wall(first: PlannedRoom, second: PlannedRoom) -> SharedWall | None:
    """Where two rooms stand wall to wall, at the longest of such places; None where they do not.

    It ends at the inner faces of the walls across.
    """
    stretches = [
        SharedWall(one.axis, one.at, max(one.low, other.low), min(one.high, other.high))
        for one in first.sides()
        for other in second.sides()
        if one.axis == other.axis and one.inward != other.inward and abs(one.at - other.at) < _SAME
    ]
    stretches = [stretch for stretch in stretches if stretch.high > stretch.low]
    return max(stretches, key=lambda stretch: stretch.high - stretch.low) if stretches else None


def outer_walls(plan: Sequence[PlannedRoom], index: int) -> Iterator[SharedWall]:
    """The sides of a room behind which no other room is."""
    corners = [corner for room in plan for corner in (room.low, room.high)]
    for side in sorted(plan[index].sides(), key=lambda side: (side.axis, side.at)):
        edge = (min if side.inward > 0 else max)(corner[side.axis] for corner in corners)
        if abs(side.at - edge) <= _SAME:
            yield SharedWall(side.axis, side.at, side.low, side.high)


def _outline(whole: Rectangle, notch: Rectangle | None) -> tuple[Corner, ...]:
    (x0, y0), (x1, y1) = whole
    corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    if notch is None:
        return tuple(corners)
    k = next(
        k for k, (x, y) in enumerate(corners) if x in (notch[0][0], notch[1][0]) and y in (notch[0][1], notch[1][1])
    )
    (a0, b0), (a1, b1) = notch
    ends = [(a0, b0), (a1, b0), (a1, b1), (a0, b1)]
    return (*corners[:k], ends[k - 1], ends[k - 2], ends[(k + 1) % 4], *corners[k + 1 :])


def _area(rectangle: Rectangle) -> float:
    (x0, y0), (x1, y1) = rectangle
    return (x1 - x0) * (y1 - y0)
