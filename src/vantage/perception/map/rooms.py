"""Rooms as far as their floors were seen, which objects are in them, and how much of them was seen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.perception.compiled import compiled
from vantage.perception.map.coverage import OCCUPIED, CoverageMap
from vantage.perception.map.placement import Box
from vantage.perception.object_categories import SEATS, STRUCTURE, WALLS
from vantage.types import Point

SEARCHED_HEIGHT = 2.0  # m above the floor up to which a room is looked through

_AT_BORDER = 0.3  # m beside a floor within which an object belongs to its room
_BEYOND_SEEN = 1.5  # m beyond the seen part of a floor within which it does where no wall is between
_AROUND = 0.1  # m around a box that still belongs to it
_WALL_END = 0.3  # m by which a wall goes on beyond what was seen of it
_SIDE_HEIGHTS = (0.4, 0.8, 1.2, 1.6)  # m
_SIDE_REACH = (-0.1, 0.0, 0.1, 0.2)  # m beyond the edge of the seen floor

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ObservedRoom:
    """A room of which some floor was seen.

    Attributes:
        key: identity of its floor.
        label: kind of room, empty where the perceiver does not tell.
        low, high: of the seen floor and the space above it that objects are looked for in, m.
    """

    key: int
    label: str
    low: Point
    high: Point


def room_over(floor: Box, label: str) -> ObservedRoom:
    """The room over a floor."""
    level = floor.high[2]
    return ObservedRoom(
        floor.key, label, (*floor.low[:2], level), (floor.high[0], floor.high[1], level + SEARCHED_HEIGHT)
    )


def room_at(point: Point, rooms: Iterable[ObservedRoom], walls: Sequence[Box]) -> ObservedRoom | None:
    """The room that a point (m) is in: over its floor, or beyond its seen part with no wall between, else beside it.

    Of floors whose boxes both hold the point, the smaller one counts, for the other room bends around it.
    """
    ranked: list[tuple[float, float, int, ObservedRoom]] = []
    for room in rooms:
        away = math.hypot(*(max(0.0, room.low[k] - point[k], point[k] - room.high[k]) for k in (0, 1)))
        area = (room.high[0] - room.low[0]) * (room.high[1] - room.low[1])
        ranked.append((away, area, room.key, room))
    ranked.sort(key=lambda item: item[:3])
    for away, _, _, room in ranked:
        nearest = min(max(point[0], room.low[0]), room.high[0]), min(max(point[1], room.low[1]), room.high[1])
        if away == 0.0 or (away <= _BEYOND_SEEN and not any(_between(wall, point, nearest) for wall in walls)):
            return room
    return ranked[0][-1] if ranked and ranked[0][0] <= _AT_BORDER else None


def _between(wall: Box, point: Point, other: tuple[float, float]) -> bool:
    """Whether the line between two points, seen from above, crosses the box of a wall."""
    enter, leave = 0.0, 1.0
    for axis in (0, 1):
        start, along = point[axis], other[axis] - point[axis]
        if abs(along) < 1e-9:
            if not wall.low[axis] <= start <= wall.high[axis]:
                return False
            continue
        first, second = sorted(((wall.low[axis] - start) / along, (wall.high[axis] - start) / along))
        enter, leave = max(enter, first), min(leave, second)
    return enter <= leave


def seen_share(room: ObservedRoom, objects: Sequence[Box], coverage: CoverageMap) -> float:
    """Share of a room that was seen, 0..1: of the space over its seen floor, times that of its sides that are known.

    The inside of objects that nobody can look into does not count, nor do corners that walls part from all that was
    seen: a room that is no rectangle does not fill the box of its floor.
    """
    solid = [(obj.low, obj.high) for obj in objects if obj.is_closed_container or obj.label in SEATS]
    columns = _open_columns(room, objects, coverage)
    return coverage.seen_in(room.low, room.high, solid, columns) * known_sides(room, objects, coverage, columns)


def _open_columns(room: ObservedRoom, objects: Sequence[Box], coverage: CoverageMap) -> NDArray[np.bool_]:
    """Which columns of the box of a room's floor walls and objects do not part from all that was seen, shape (x, y) in
    voxels of the coverage map; all of them where none was seen."""
    parting = [_with_ends(obj) if obj.label in WALLS else (obj.low, obj.high) for obj in objects if _parts(obj)]
    heights = [room.low[2] + height for height in _SIDE_HEIGHTS]
    columns = coverage.reached(room.low, room.high, heights, parting)
    return columns if columns.any() else np.ones_like(columns)


def _parts(obj: Box) -> bool:
    """Whether nobody sees through it."""
    return obj.label in WALLS or obj.label not in STRUCTURE


def _with_ends(wall: Box) -> tuple[Point, Point]:
    """The box of a wall up to where it surely ends: views along it show little of its ends."""
    along = 0 if wall.high[0] - wall.low[0] >= wall.high[1] - wall.low[1] else 1
    x, y = (_WALL_END if axis == along else 0.0 for axis in (0, 1))
    return (wall.low[0] - x, wall.low[1] - y, wall.low[2]), (wall.high[0] + x, wall.high[1] + y, wall.high[2])


def known_sides(
    room: ObservedRoom, objects: Sequence[Box], coverage: CoverageMap, columns: NDArray[np.bool_] | None = None
) -> float:
    """Share of the surroundings of a seen floor where the room is known to end, so that no part of it was not seen.

    It ends at something tall, at an object, at the floor of another room and at the bounds.

    Args:
        columns: of the floor's box that may belong to the room (``CoverageMap.reached``), all without: it ends before
            the others.
    """
    boxes = np.array(
        [
            (*obj.low[:2], -math.inf, *obj.high[:2], math.inf) if obj.label == "floor" else (*obj.low, *obj.high)
            for obj in objects
            if obj.label not in STRUCTURE or (obj.label == "floor" and obj.key != room.key)
        ]
    ).reshape(-1, 2, 3)
    boxes += np.array([[-_AROUND], [_AROUND]])
    heights = room.low[2] + np.array(_SIDE_HEIGHTS)
    known = total = 0
    for axis in (0, 1):
        along = np.arange(room.low[1 - axis], room.high[1 - axis] + 1e-6, coverage.voxel)
        for side, sign in ((room.low[axis], -1.0), (room.high[axis], 1.0)):
            across = side + sign * np.array(_SIDE_REACH)
            total += len(along) * len(heights)
            if columns is not None and columns.size:
                edge = (columns if axis == 0 else columns.T)[0 if sign < 0.0 else -1]
                inside = edge[np.minimum(np.arange(len(along)), len(edge) - 1)]
                known += int(np.count_nonzero(~inside)) * len(heights)
                along = along[inside]
            known += _ends(coverage.states, coverage.origin, coverage.voxel, boxes, axis, across, along, heights)
    return known / total


@compiled
def _ends(
    states: NDArray[np.uint8],
    origin: Floats,
    voxel: float,
    boxes: Floats,
    axis: int,
    across: Floats,
    along: Floats,
    heights: Floats,
) -> int:
    """Of how many places along one side of a room something stands in the way from there outwards.

    Args:
        states: of the coverage map, with its origin, m.
        boxes: of objects, which are in the way: low and high corners, (N, 2, 3), m.
        axis: that leads across the side.
        across: positions on the way, m.
        along, heights: of the places, m.
    """
    least, most = across.min(), across.max()
    near = [n for n in range(len(boxes)) if boxes[n, 0, axis] <= most and boxes[n, 1, axis] >= least]
    point, count = np.empty(3), 0
    for a in range(len(along)):
        for h in range(len(heights)):
            point[1 - axis], point[2] = along[a], heights[h]
            for r in range(len(across)):
                point[axis] = across[r]
                if _is_blocked(states, origin, voxel, point) or _is_inside(boxes, near, point):
                    count += 1
                    break
    return count


@compiled
def _is_blocked(states: NDArray[np.uint8], origin: Floats, voxel: float, point: Floats) -> bool:
    """Whether a point lies in something occupied or outside the bounds."""
    i = math.floor((point[0] - origin[0]) / voxel)
    j = math.floor((point[1] - origin[1]) / voxel)
    k = math.floor((point[2] - origin[2]) / voxel)
    inside = 0 <= i < states.shape[0] and 0 <= j < states.shape[1] and 0 <= k < states.shape[2]
    return not inside or states[i, j, k] == OCCUPIED


@compiled
def _is_inside(boxes: Floats, some: list[int], point: Floats) -> bool:
    """Whether a point lies in one of some boxes."""
    for n in some:
        if (
            boxes[n, 0, 0] <= point[0] <= boxes[n, 1, 0]
            and boxes[n, 0, 1] <= point[1] <= boxes[n, 1, 1]
            and boxes[n, 0, 2] <= point[2] <= boxes[n, 1, 2]
        ):
            return True
    return False
