"""Rooms as far as their floors were seen, which objects are in them, and how much of them was seen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.perception.map.coverage import OCCUPIED, OUTSIDE, CoverageMap
from vantage.perception.map.placement import Box
from vantage.perception.object_categories import SEATS, STRUCTURE
from vantage.types import Point

SEARCHED_HEIGHT = 2.0  # m above the floor up to which a room is looked through

_AT_BORDER = 0.3  # m beside a floor within which an object belongs to its room
_BEYOND_SEEN = 1.5  # m beyond the seen part of a floor within which it does where no wall is between
_AROUND = 0.1  # m around a box that still belongs to it
_SIDE_HEIGHTS = (0.4, 0.8, 1.2, 1.6)  # m
_SIDE_REACH = (-0.1, 0.0, 0.1, 0.2)  # m beyond the edge of the seen floor


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

    The inside of objects that nobody can look into does not count.
    """
    solid = [(obj.low, obj.high) for obj in objects if obj.is_closed_container or obj.label in SEATS]
    return coverage.seen_in(room.low, room.high, solid) * known_sides(room, objects, coverage)


def known_sides(room: ObservedRoom, objects: Sequence[Box], coverage: CoverageMap) -> float:
    """Share of the surroundings of a seen floor where the room is known to end, so that no part of it was not seen.

    It ends at something tall, at an object, at the floor of another room and at the bounds.
    """
    solid = [obj for obj in objects if obj.label not in STRUCTURE]
    floors = [obj for obj in objects if obj.label == "floor" and obj.key != room.key]
    parts = []
    for axis in (0, 1):
        along = np.arange(room.low[1 - axis], room.high[1 - axis] + 1e-6, coverage.voxel)
        for side, sign in ((room.low[axis], -1.0), (room.high[axis], 1.0)):
            points = np.empty((len(_SIDE_REACH), len(_SIDE_HEIGHTS), len(along), 3))
            points[..., axis] = side + sign * np.array(_SIDE_REACH)[:, None, None]
            points[..., 1 - axis] = along
            points[..., 2] = room.low[2] + np.array(_SIDE_HEIGHTS)[:, None]
            states = coverage.state(points.reshape(-1, 3)).reshape(points.shape[:3])
            ends = (states == OCCUPIED) | (states == OUTSIDE) | _inside(points, solid, 3) | _inside(points, floors, 2)
            parts.append(ends.any(axis=0).ravel())
    return float(np.concatenate(parts).mean())


def _inside(points: NDArray[np.float64], objects: Sequence[Box], axes: int) -> NDArray[np.bool_]:
    """Which points lie in the box of an object, as far as the first two or three axes go."""
    found = np.zeros(points.shape[:-1], np.bool_)
    least, most = (pick(points.reshape(-1, 3), axis=0).tolist() for pick in (np.min, np.max))
    for obj in objects:
        if any(obj.low[k] - _AROUND > most[k] or obj.high[k] + _AROUND < least[k] for k in range(axes)):
            continue  # far from all of them
        low, high = np.array(obj.low[:axes]) - _AROUND, np.array(obj.high[:axes]) + _AROUND
        found |= ((points[..., :axes] >= low) & (points[..., :axes] <= high)).all(axis=-1)
    return found
