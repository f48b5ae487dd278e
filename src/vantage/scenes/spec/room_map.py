"""The rooms of a scene by number, and in which of them each object is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.spec.spec import ObjectSpec, RoomSpec, SceneSpec

Array = NDArray[np.float64]


def rooms_of(spec: SceneSpec) -> tuple[RoomSpec, ...]:
    """The rooms of a scene; where it names none, the space within its bounds is one."""
    if spec.rooms:
        return spec.rooms
    (x0, y0, z0), (x1, y1, z1) = spec.bounds_min, spec.bounds_max
    return (RoomSpec(1, "room", ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), z1 - z0),)


@dataclass(frozen=True)
class RoomMap:
    """Finds rooms by number in the order of the scene."""

    rooms: tuple[RoomSpec, ...]

    @cached_property
    def boxes(self) -> tuple[Array, Array]:
        """Corners (R, 2) of the rectangles around all rooms, m."""
        outlines = [np.array(room.outline) for room in self.rooms]
        return np.array([each.min(axis=0) for each in outlines]), np.array([each.max(axis=0) for each in outlines])

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return {room.room_id: number for number, room in enumerate(self.rooms)}

    def number(self, obj: ObjectSpec) -> int:
        """Of the room that an object is in, or that is nearest to it where it names none."""
        if obj.room in self._numbers:
            return self._numbers[obj.room]
        place = np.asarray(obj.position[:2]) + 0.1 * np.array([np.cos(obj.yaw), np.sin(obj.yaw)])
        low, high = self.boxes
        return int(np.argmin(np.maximum(np.maximum(low - place, place - high), 0.0).sum(axis=1)))
