"""Which rooms a camera can see, and within which part of its picture: from room to room through the openings.

The part of a picture is a rectangle in the tangents of the angles to its optical axis: left, right, top and bottom.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.spec import Opening, RoomMap, SceneSpec, points_inside, rooms_of
from vantage.spatial import Intrinsics, Matrix

Array = NDArray[np.float64]

_NEAR = 0.05  # m: corners of openings that are nearer to the plane of the camera are not projected
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
        self._floor = home.bounds_min[2]
        self._ceiling = self._floor + max(room.height for room in self.rooms)
        numbers = {room.room_id: number for number, room in enumerate(self.rooms)}
        self._doors: dict[int, list[tuple[int, Opening]]] = defaultdict(list)
        self._sides: dict[int, tuple[int, int]] = {}
        for opening in home.openings:
            first, second = (numbers.get(room, -1) for room in opening.rooms)
            if opening.kind == "window" or first < 0 or second < 0:
                continue
            self._doors[first].append((second, opening))
            self._doors[second].append((first, opening))
            self._sides[opening.instance] = first, second

    def rooms_beside(self, instance: int, room: int) -> tuple[int, int]:
        """The rooms that an object can be seen from without an opening between: two for what fills one."""
        return self._sides.get(instance, (room, room)) if instance else (room, room)

    def seen(self, intrinsics: Intrinsics, T_world_camera: Matrix) -> Array | None:
        """The part of the picture (R, 4) that each room can be seen in; None for a camera that is in no room."""
        x, y, z = T_world_camera[:3, 3]
        picture = whole_picture(intrinsics)
        if not self._floor < z < self._ceiling:
            return None
        start = {number for number, room in enumerate(self.rooms) if points_inside(room.outline, x, y)}
        for number, doors in self._doors.items():
            for _, opening in doors:
                if all(opening.low[k] - _AROUND < (x, y)[k] < opening.high[k] + _AROUND for k in range(2)):
                    start.add(number)
        if not start:
            return None
        found = [NOTHING] * len(self.rooms)
        for number in start:
            self._look(number, picture, T_world_camera, (number,), found)
        return np.array(found, dtype=np.float64)

    def _look(
        self, room: int, part: Rectangle, T_world_camera: Matrix, way: tuple[int, ...], found: list[Rectangle]
    ) -> None:
        found[room] = found[room].around(part)
        for other, opening in self._doors[room]:
            if other in way:
                continue
            rest = part.within(_outline(opening, T_world_camera, part))
            if rest is not None:
                self._look(other, rest, T_world_camera, (*way, other), found)


def _outline(opening: Opening, T_world_camera: Matrix, part: Rectangle) -> Rectangle:
    """What of a picture an opening fills; all of ``part`` where it reaches past the camera."""
    ends = np.array([opening.low, opening.high])
    corners = np.array([(ends[i, 0], ends[j, 1], ends[k, 2]) for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    local = (corners - T_world_camera[:3, 3]) @ T_world_camera[:3, :3]
    before = local[:, 2] > _NEAR
    if not before.any():
        return NOTHING
    if not before.all():
        return part
    x, y = local[:, 0] / local[:, 2], local[:, 1] / local[:, 2]
    return Rectangle(float(x.min()), float(x.max()), float(y.min()), float(y.max()))
