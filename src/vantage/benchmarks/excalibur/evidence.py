"""What can be found out in a house, by its geometry: what can be seen, lifted and opened by a robot that gets about."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.labelling import PlaceSight, VisibilitySettings
from vantage.config import Settings
from vantage.scenes.generator import can_be_picked_up
from vantage.scenes.geometry import handle_of
from vantage.scenes.spec import ObjectSpec, SceneSpec, object_bounds
from vantage.spatial import Intrinsics, Viewpoint, rotation_matrix
from vantage.types import Point, Poses

_WIDEST = 0.45  # m along the second longest side, of what is lifted
_GRID = 0.4  # m between places from which one looks
_MOST_PLACES = 30  # of these, the nearest ones to a thing
_PITCHES = (-1.04, 0.78)  # rad
_REACHES = tuple(round(0.35 + 0.05 * k, 2) for k in range(10))  # m of the hand before the base's axis
_DIRECTIONS = 16
_ABOVE, _BEFORE = 0.03, 0.05  # m above a thing, and before a handle, to which the hand goes
_FACING = 0.3  # cosine of the angle from straight before a front, from which on a handle is got at
_NEAR = 0.1  # m from a place at which the robot gets about, that count as there

Floats = NDArray[Any]
Reaches = Callable[[float, float], bool]  # whether the hand gets to a distance and a height, m


class RobotPlace(Protocol):
    """A house in which it is known where the robot stands and gets about."""

    @property
    def height(self) -> float:
        """Of the camera, m."""
        ...

    def is_free(self, x: float, y: float) -> bool: ...

    def nearest_free(self, x: float, y: float) -> tuple[float, float] | None: ...


@dataclass(frozen=True)
class Evidence:
    """Of one house, by instance id.

    Attributes:
        seen: things that a look from free floor shows well enough, or would show with what holds them opened.
        lifted: things that can be weighed.
        holders: what has to be opened to get at a thing; only things in something closed that can be opened.
        opened: what is closed and can be opened.
    """

    seen: frozenset[int]
    lifted: frozenset[int]
    holders: dict[int, int]
    opened: frozenset[int]


def evidence_of(
    home: SceneSpec, place: RobotPlace, reaches: Reaches, camera: Intrinsics, visibility: VisibilitySettings
) -> Evidence:
    """What can be found out in a house.

    Args:
        reaches: whether the hand gets to a point so far before the base's axis and so high above the floor, m.
    """
    objects = {obj.instance_id: obj for obj in home.objects}
    floor = _Floor(place, reaches)
    opened = {
        obj.instance_id
        for obj in home.objects
        if obj.joints and "closed" in obj.states and any(floor.opens(obj, joint.part) for joint in obj.joints)
    }
    holders: dict[int, int] = {}
    hidden: set[int] = set()
    for obj in home.objects:
        closed = [holder for holder in _holders(obj, objects) if "closed" in holder.states]
        if len(closed) == 1 and closed[0].instance_id in opened:
            holders[obj.instance_id] = closed[0].instance_id
        elif closed:
            hidden.add(obj.instance_id)
    seen = _seen(home, place, camera, visibility, opened) - hidden
    lifted = {key for key in seen if can_be_picked_up(objects[key], home) and floor.gets_at(objects[key])}
    return Evidence(frozenset(seen), frozenset(lifted), holders, frozenset(opened))


def looking(settings: Settings) -> Intrinsics:
    """The camera that depth and ids are seen by, which decides what a look shows."""
    house = settings.house
    return Intrinsics.from_fov(house.depth_width, house.depth_height, settings.camera.horizontal_fov)


def _holders(obj: ObjectSpec, objects: dict[int, ObjectSpec]) -> Iterator[ObjectSpec]:
    """What a thing is in, at any depth."""
    while obj.parent in objects:
        if obj.relation == "in":
            yield objects[obj.parent]
        obj = objects[obj.parent]


class _Floor:
    """Where the hand gets to from the free floor."""

    def __init__(self, place: RobotPlace, reaches: Reaches) -> None:
        self._place, self._reaches = place, reaches
        self._known: dict[tuple[float, int], bool] = {}
        self._stands: dict[tuple[int, int], bool] = {}

    def opens(self, obj: ObjectSpec, part: str) -> bool:
        """Whether it gets before the handle of a part."""
        grip = handle_of(obj, next(joint for joint in obj.joints if joint.part == part))
        turn = rotation_matrix((0.0, 0.0, obj.yaw))
        out = turn @ np.array(grip.outward)
        x, y, z = (turn @ np.array(grip.center) + np.array(obj.position) + _BEFORE * out).tolist()
        return self._gets_to((x, y, z), math.atan2(float(out[1]), float(out[0])))

    def gets_at(self, obj: ObjectSpec) -> bool:
        """Whether it gets over a thing that is small enough for it."""
        low, high = object_bounds(obj)
        sides = sorted(b - a for a, b in zip(low, high, strict=True))
        return sides[1] <= _WIDEST and self._gets_to(
            (0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), high[2] + _ABOVE)
        )

    def _gets_to(self, point: Point, outward: float | None = None) -> bool:
        x, y, z = point
        for distance in _REACHES:
            key = distance, round(z / 0.02)
            if key not in self._known:
                self._known[key] = self._reaches(distance, 0.02 * key[1])
            if not self._known[key]:
                continue
            for k in range(_DIRECTIONS):
                angle = 2.0 * math.pi * k / _DIRECTIONS
                before = outward is None or math.cos(angle - outward) >= _FACING
                if before and self._is_place(x + distance * math.cos(angle), y + distance * math.sin(angle)):
                    return True
        return False

    def _is_place(self, x: float, y: float) -> bool:
        key = round(x / 0.05), round(y / 0.05)
        if key not in self._stands:
            self._stands[key] = gets_about(self._place, x, y)
        return self._stands[key]


def gets_about(place: RobotPlace, x: float, y: float) -> bool:
    """Whether the robot can stand at a point of the floor (m) and get from there to where most of the floor is."""
    if not place.is_free(x, y):
        return False
    near = place.nearest_free(x, y)
    return near is not None and math.dist(near, (x, y)) <= _NEAR


def _seen(
    home: SceneSpec, place: RobotPlace, camera: Intrinsics, visibility: VisibilitySettings, opened: set[int]
) -> set[int]:
    """Things that a look at them from one of the nearest places shows, as they stand or with all opened that opens."""
    sight = PlaceSight(home, visibility)
    joints = {
        (obj.instance_id, joint.part): joint.high
        for obj in home.objects
        if obj.instance_id in opened
        for joint in obj.joints
    }
    places = np.array(list(_places(home, place))).reshape(-1, 2)
    middles = {obj.instance_id: np.mean(object_bounds(obj), axis=0) for obj in home.objects}
    found: set[int] = set()
    for moved in (Poses(), Poses(joints=joints)):
        for key in sight.things:
            if key not in found and any(
                key in sight.look(view, camera, (key,), np.zeros(1, np.bool_), moved).enough
                for view in _views(places, middles[key], place.height)
            ):
                found.add(key)
    return found


def _places(home: SceneSpec, place: RobotPlace) -> Iterator[tuple[float, float]]:
    (x0, y0, _), (x1, y1, _) = home.bounds_min, home.bounds_max
    for x in np.arange(x0 + 0.25, x1, _GRID).tolist():
        for y in np.arange(y0 + 0.25, y1, _GRID).tolist():
            if gets_about(place, x, y):
                yield x, y


def _views(places: Floats, middle: Floats, height: float) -> Iterator[Viewpoint]:
    """Towards a point (3,) from the nearest of places (N, 2)."""
    ways = middle[:2] - places
    distances = np.linalg.norm(ways, axis=1)
    for k in np.argsort(distances, kind="stable")[:_MOST_PLACES].tolist():
        dx, dy = ways[k].tolist()
        pitch = math.atan2(float(middle[2]) - height, max(float(distances[k]), 0.01))
        pitch = min(max(pitch, _PITCHES[0]), _PITCHES[1])
        x, y = places[k].tolist()
        yield Viewpoint(x, y, height, math.atan2(dy, dx), pitch)
