"""Where the light of a home comes from: panes of daylight, lamps, and one on the ceiling where there is no window."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.spec import ObjectSpec, RoomMap, SceneSpec, rooms_of

Array = NDArray[np.float64]

SUN = np.array([1.0, 0.93, 0.78])
SKY = np.array([0.985, 0.995, 1.02])
_LAMP = np.array([1.0, 0.86, 0.60])
_CEILING_LAMP = np.array([1.0, 0.93, 0.80])
_UP = np.array([0.3, 0.2, 1.1])  # towards the brightest light of a room without windows
_LEAST_BULB = 0.04  # m: flames and toy eyes are too small to light a room
_BELOW_CEILING = 0.1  # m


@dataclass(frozen=True)
class Pane:
    """A pane of daylight: its middle (3,), the horizontal direction into the room, its width and height, m.

    Attributes:
        room: number of the room in the order of the scene.
    """

    room: int
    middle: Array
    inward: Array
    width: float
    height: float

    @property
    def sunray(self) -> Array:
        """The direction (3,), a unit vector, in which sunlight falls through it."""
        side = np.array([-self.inward[1], self.inward[0], 0.0])
        ray: Array = 0.80 * self.inward + 0.30 * side - np.array([0.0, 0.0, 0.62])
        ray /= np.linalg.norm(ray)
        return ray


@dataclass(frozen=True)
class Lamp:
    """A source of light that reaches about as far as ``reach``, m, perhaps past what stands in its way.

    Attributes:
        room: number of the room in the order of the scene.
        place: (3,), world frame, m.
        color: RGB (3,), 1 for white.
        strength: what it adds to the light of a surface beside it, of about 1.
        shadows: whether what stands in its way keeps it from what is behind.
    """

    room: int
    place: Array
    color: Array
    strength: float
    reach: float
    shadows: bool


@dataclass(frozen=True)
class LightSources:
    """All light of a home.

    Attributes:
        keys: for every room in the order of the scene, the unit vector (3,) towards its brightest light, (R, 3).
    """

    panes: tuple[Pane, ...]
    lamps: tuple[Lamp, ...]
    keys: Array


def light_sources(spec: SceneSpec) -> LightSources:
    """What lights a home, room by room; a room without a pane has a lamp on the ceiling."""
    rooms = rooms_of(spec)
    where = RoomMap(rooms)
    panes = [pane for obj in spec.objects for pane in _panes(obj, where)]
    lamps = [lamp for obj in spec.objects for lamp in _bulbs(obj, where)]
    low, high = where.boxes
    middles = 0.5 * (low + high)
    first = {pane.room: pane for pane in reversed(panes)}
    keys = np.array([_key(first.get(number)) for number in range(len(rooms))])
    for number, room in enumerate(rooms):
        if number not in first:
            place = np.array([*middles[number], spec.bounds_min[2] + room.height - _BELOW_CEILING])
            lamps.append(Lamp(number, place, _CEILING_LAMP, 0.20, 2.6, True))
    return LightSources(tuple(panes), tuple(lamps), keys)


def _key(pane: Pane | None) -> Array:
    """Towards the brightest part of a room's light: its window and up."""
    direction = _UP if pane is None else np.array([0.0, 0.0, 1.0]) - 0.9 * pane.inward
    unit: Array = direction / np.linalg.norm(direction)
    return unit


def _world(obj: ObjectSpec, local: tuple[float, float, float]) -> Array:
    c, s = math.cos(obj.yaw), math.sin(obj.yaw)
    x, y, z = obj.position
    return np.array([x + c * local[0] - s * local[1], y + s * local[0] + c * local[1], z + local[2]])


def _panes(obj: ObjectSpec, where: RoomMap) -> list[Pane]:
    inward = np.array([math.cos(obj.yaw), math.sin(obj.yaw), 0.0])
    return [
        Pane(where.number(obj), _world(obj, part.center), inward, part.size[1], part.size[2])
        for part in obj.parts
        if part.look == "sky"
    ]


def _bulbs(obj: ObjectSpec, where: RoomMap) -> list[Lamp]:
    return [
        Lamp(where.number(obj), _world(obj, part.center), _LAMP, 0.24, 0.75, False)
        for part in obj.parts
        if part.look == "light" and min(part.size) > _LEAST_BULB
    ]
