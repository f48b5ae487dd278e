"""Which rooms a camera can see, and within which part of its picture: from room to room through the openings.

The part of a picture is a rectangle in the tangents of the angles to its optical axis: left, right, top and bottom.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.spec import Opening, RoomMap, RoomSpec, SceneSpec, points_inside, rooms_of, signed_area
from vantage.spatial import Intrinsics, Matrix

Array = NDArray[np.float64]

_NEAR = 0.01  # m before the camera: what of an opening is nearer is not projected
_EDGES = np.array([(a, a ^ bit) for bit in (1, 2, 4) for a in range(8) if not a & bit])  # of a box, by its corners
_AROUND = 0.05  # m: a camera that is so near to an opening sees both of its rooms whole


class Rectangle(NamedTuple):
    """Part of a picture, as tangents."""

    left: float
    right: float
    top: float
    bottom: float

    def within(self, other: Rectangle) -> Rectangle | None:
        """What lies in both, None for nothing."""
        found = Rectangle(
            max(self.left, other.left),
            min(self.right, other.right),
            max(self.top, other.top),
            min(self.bottom, other.bottom),
        )
        return found if found.left < found.right and found.top < found.bottom else None

    def around(self, other: Rectangle) -> Rectangle:
        """The smallest one that holds both."""
        return Rectangle(
            min(self.left, other.left),
            max(self.right, other.right),
            min(self.top, other.top),
            max(self.bottom, other.bottom),
        )


NOTHING = Rectangle(1e9, -1e9, 1e9, -1e9)


def whole_picture(intrinsics: Intrinsics) -> Rectangle:
    """All that a camera shows."""
    return Rectangle(
        -intrinsics.cx / intrinsics.fx,
        (intrinsics.width - intrinsics.cx) / intrinsics.fx,
        -intrinsics.cy / intrinsics.fy,
        (intrinsics.height - intrinsics.cy) / intrinsics.fy,
    )


class SightLines:
    """The rooms of a home by number, in the order of the scene, and the openings between them."""

    def __init__(self, home: SceneSpec) -> None:
        self.rooms = rooms_of(home)
        self.where = RoomMap(self.rooms)
        self._bent = [number for number, room in enumerate(self.rooms) if not _is_rectangle(room)]
        self._floor = home.bounds_min[2]
        self._ceiling = self._floor + max(room.height for room in self.rooms)
        numbers = {room.room_id: number for number, room in enumerate(self.rooms)}
        self._doors: dict[int, list[tuple[int, int]]] = defaultdict(list)
        self._sides: dict[int, tuple[int, int]] = {}
        doors: list[Opening] = []
        for opening in home.openings:
            first, second = (numbers.get(room, -1) for room in opening.rooms)
            if opening.kind == "window" or first < 0 or second < 0:
                continue
            self._doors[first].append((second, len(doors)))
            self._doors[second].append((first, len(doors)))
            self._sides[opening.instance] = first, second
            doors.append(opening)
        ends = np.array([(door.low, door.high) for door in doors]).reshape(-1, 2, 3)
        self._corners = np.stack(
            [np.stack([ends[:, i, 0], ends[:, j, 1], ends[:, k, 2]], axis=1) for i, j, k in np.ndindex(2, 2, 2)], axis=1
        )

    def rooms_beside(self, instance: int, room: int) -> tuple[int, int]:
        """The rooms that an object can be seen from without an opening between: two for what fills one."""
        return self._sides.get(instance, (room, room)) if instance else (room, room)

    def rooms_at(self, x: Array, y: Array) -> NDArray[np.int64]:
        """Numbers of the rooms that places (N,) are in, -1 for none."""
        low, high = self.where.boxes
        places = np.stack([x, y], axis=1)[:, None]
        inside = np.asarray(((low <= places) & (places <= high)).all(axis=2))
        for number in self._bent:
            inside[:, number] &= points_inside(self.rooms[number].outline, x, y)
        found: NDArray[np.int64] = np.where(inside.any(axis=1), inside.argmax(axis=1), -1)
        return found

    def seen(self, intrinsics: Intrinsics, T_world_camera: Matrix) -> Array | None:
        """The part of the picture (R, 4) that each room can be seen in; None for a camera that is in no room."""
        x, y, z = T_world_camera[:3, 3]
        picture = whole_picture(intrinsics)
        if not self._floor < z < self._ceiling:
            return None
        start = set(self.rooms_at(np.array([x]), np.array([y])).tolist()) - {-1}
        low, high = self._corners[:, 0, :2] - _AROUND, self._corners[:, -1, :2] + _AROUND
        beside = np.asarray(((low < (x, y)) & ((x, y) < high)).all(axis=1))
        start |= {number for number, doors in self._doors.items() if any(beside[door] for _, door in doors)}
        if not start:
            return None
        found = [NOTHING] * len(self.rooms)
        outlines = _outlines(self._corners, T_world_camera)
        for number in start:
            self._look(number, picture, outlines, (number,), found)
        return np.array(found, dtype=np.float64)

    def _look(
        self, room: int, part: Rectangle, outlines: list[Rectangle], way: tuple[int, ...], found: list[Rectangle]
    ) -> None:
        found[room] = found[room].around(part)
        for other, door in self._doors[room]:
            if other not in way and (rest := part.within(outlines[door])) is not None:
                self._look(other, rest, outlines, (*way, other), found)


def _is_rectangle(room: RoomSpec) -> bool:
    """Whether the floor of a room fills the box around it."""
    width, depth = np.ptp(np.array(room.outline), axis=0)
    return math.isclose(abs(signed_area(room.outline)), width * depth, rel_tol=1e-9)


def _outlines(corners: Array, T_world_camera: Matrix) -> list[Rectangle]:
    """What of a picture openings fill, by their corners (D, 8, 3)."""
    local = (corners - T_world_camera[:3, 3]) @ T_world_camera[:3, :3]
    start, end = local[:, _EDGES[:, 0]], local[:, _EDGES[:, 1]]
    crosses = (start[..., 2] > _NEAR) != (end[..., 2] > _NEAR)
    share = (_NEAR - start[..., 2]) / np.where(crosses, end[..., 2] - start[..., 2], 1.0)
    points = np.concatenate([local, start + share[..., None] * (end - start)], axis=1)
    before = np.concatenate([local[..., 2] > _NEAR, crosses], axis=1)
    places = points[..., :2] / np.where(before, points[..., 2], 1.0)[..., None]
    low = np.where(before[..., None], places, NOTHING.left).min(axis=1)
    high = np.where(before[..., None], places, NOTHING.right).max(axis=1)
    return [Rectangle(*row) for row in np.stack([low, high], axis=2).reshape(-1, 4).tolist()]
