"""What a ProcTHOR house is built of, in the frame of the world, and whether its rooms and walls fit together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

from vantage.errors import SceneError
from vantage.scenes.spec.outlines import Corner, holds, sides

LARGEST = 100.0  # m: what is farther from the origin is an error

TOUCHING = 0.05  # m: how far rooms may reach into each other, and holes beyond their wall


@dataclass(frozen=True)
class HouseRoom:
    """A room with its outline along the lines of its walls, counter-clockwise, m."""

    room_id: int
    label: str
    outline: tuple[Corner, ...]
    floor: Mapping[str, Any]


@dataclass(frozen=True)
class HouseWall:
    """One side of a room: its foot from ``start`` to ``end``, its height in m, and whether there is no wall at all."""

    name: str
    room_id: int
    start: Corner
    end: Corner
    height: float
    material: Mapping[str, Any]
    empty: bool = False

    def at(self, along: float) -> Corner:
        """The point so many m from ``start``."""
        length = math.dist(self.start, self.end)
        share = along / length
        return (
            self.start[0] + share * (self.end[0] - self.start[0]),
            self.start[1] + share * (self.end[1] - self.start[1]),
        )


@dataclass(frozen=True)
class Hole:
    """A hole in a wall line, seen from above from ``start`` to ``end``, and its lower and upper edge, m.

    Attributes:
        kind: of ``spec.OPENINGS``.
        rooms: ids on both sides, the one that a door swings into first; 0 for outside.
        open: whether a door stands open.
        filled: whether there is a door, a frame or a window in it.
    """

    name: str
    kind: str
    rooms: tuple[int, int]
    start: Corner
    end: Corner
    bottom: float
    top: float
    open: bool = False
    filled: bool = True


@dataclass(frozen=True)
class FloorPlan:
    """What a house is built of."""

    rooms: tuple[HouseRoom, ...]
    walls: tuple[HouseWall, ...]
    holes: tuple[Hole, ...]
    height: float
    thickness: float


def rectangles(outline: Sequence[Corner]) -> list[tuple[Corner, Corner]]:
    """Rectangles (low, high) that fill a polygon with right angles, without overlapping."""
    xs, ys = (sorted({corner[axis] for corner in outline}) for axis in (0, 1))
    found = []
    for y_low, y_high in pairwise(ys):
        start = None
        for x_low, x_high in pairwise(xs):
            inside = holds(outline, 0.5 * (x_low + x_high), 0.5 * (y_low + y_high))
            if inside and start is None:
                start = x_low
            if start is not None and (not inside or x_high == xs[-1]):
                found.append(((start, y_low), (x_high if inside else x_low, y_high)))
                start = None
    return found


def require_apart(rooms: Sequence[HouseRoom], where: str) -> None:
    """Make sure that no two rooms overlap.

    Raises:
        SceneError: they do.
    """
    for first, second in combinations(rooms, 2):
        for (a_low, a_high), (b_low, b_high) in (
            (a, b) for a in rectangles(first.outline) for b in rectangles(second.outline)
        ):
            if all(min(a_high[k], b_high[k]) - max(a_low[k], b_low[k]) > TOUCHING for k in (0, 1)):
                raise SceneError(
                    f"the rooms {first.room_id} and {second.room_id} of {where} overlap; give each floor its own place"
                )


def require_walls_fit(rooms: Sequence[HouseRoom], walls: Sequence[HouseWall], where: str) -> None:
    """Make sure that walls are at the sides of their rooms and do not overlap.

    Raises:
        SceneError: otherwise.
    """
    outlines = {room.room_id: room.outline for room in rooms}
    for wall in walls:
        if not any(_lies_on(wall, side) for side in sides(outlines[wall.room_id])):
            raise SceneError(f"'{wall.name}' of {where} is not at a side of room {wall.room_id}; move it there")
    for first, second in combinations(walls, 2):
        if first.room_id == second.room_id and lies_along(first, second):
            raise SceneError(f"the walls '{first.name}' and '{second.name}' of {where} overlap; leave one out")


def _lies_on(wall: HouseWall, side: tuple[Corner, Corner]) -> bool:
    for axis in (0, 1):
        if max(abs(corner[axis] - side[0][axis]) for corner in (wall.start, wall.end, side[1])) <= TOUCHING:
            low, high = sorted(corner[1 - axis] for corner in side)
            ends = sorted((wall.start[1 - axis], wall.end[1 - axis]))
            return ends[0] >= low - TOUCHING and ends[1] <= high + TOUCHING
    return False


def lies_along(first: HouseWall, second: HouseWall) -> bool:
    """Whether two walls share a stretch of their line."""
    for axis in (0, 1):
        values = [corner[axis] for corner in (first.start, first.end, second.start, second.end)]
        if max(values) - min(values) <= TOUCHING:
            one, two = (sorted((wall.start[1 - axis], wall.end[1 - axis])) for wall in (first, second))
            return min(one[1], two[1]) - max(one[0], two[0]) > TOUCHING
    return False
