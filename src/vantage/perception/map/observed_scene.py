"""The observed scene: detections of many views fused into objects, where they are, and how well they were seen.

Each view that should have shown a doubtful object (it lies in the image, near enough, with nothing before it) and did
not counts as a miss; an object that was missed too often is removed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from vantage.perception.compiled import compiled
from vantage.perception.map.association import NEW, Sighting, assign, costs
from vantage.perception.map.coverage import CoverageMap
from vantage.perception.map.observed_object import ObservedObject
from vantage.perception.map.placement import Box, Placement, Placements, front_of
from vantage.perception.map.rooms import ObservedRoom, room_at, room_over, seen_share
from vantage.perception.map.search_coverage import containers_looked_into, searched_share
from vantage.perception.map.surface_inspection import Inspection, SurfaceMap, inspect
from vantage.perception.object_categories import BUILDING, WALLS
from vantage.types import Detection, Observation, Point

_GRID = 6  # rays across and down the image of a box
_MOST_HIDDEN = 0.2  # share of the rays that may end before the box
_SLACK = 0.05  # m before the box in which a ray already belongs to it
_FILLED = 0.5  # share of its box in the image that an object covers

Floats = NDArray[np.float64]


def expected_pixels(observation: Observation, lows: Floats, highs: Floats) -> Floats:
    """How many pixels of the color image boxes (N, 3; world frame, m) would cover if objects filled half of them, (N,).

    0 where the box is cut by the image border, behind the camera, or hidden by something nearer; all 0 without a depth
    image.
    """
    if observation.depth is None or len(lows) == 0:
        return np.zeros(len(lows))
    camera = observation.depth_camera
    T_world_camera_optical = observation.viewpoint.T_world_camera_optical()
    expected = _expected(
        np.ascontiguousarray(observation.depth, dtype=np.float32),
        np.array([camera.fx, camera.fy, camera.cx, camera.cy]),
        np.ascontiguousarray(T_world_camera_optical[:3, :3]),
        np.ascontiguousarray(T_world_camera_optical[:3, 3]),
        lows,
        highs,
    )
    return expected if camera is observation.intrinsics else expected * observation.color_pixels


@compiled
def _expected(
    depth: NDArray[np.float32], camera: Floats, rotation: Floats, position: Floats, lows: Floats, highs: Floats
) -> Floats:
    height, width = depth.shape
    found = np.zeros(len(lows))
    for box in range(len(lows)):
        left, top, right, bottom, near, far = np.inf, np.inf, -np.inf, -np.inf, np.inf, -np.inf
        for corner in range(8):
            optical = np.zeros(3)
            for axis in range(3):
                along = (highs if corner >> axis & 1 else lows)[box, axis] - position[axis]
                for k in range(3):
                    optical[k] += rotation[axis, k] * along
            near, far = min(near, optical[2]), max(far, optical[2])
            if optical[2] < 0.05:
                continue
            u, v = camera[0] * optical[0] / optical[2] + camera[2], camera[1] * optical[1] / optical[2] + camera[3]
            left, right, top, bottom = min(left, u), max(right, u), min(top, v), max(bottom, v)
        if near < 0.05 or left < 0.0 or top < 0.0 or right >= width or bottom >= height:
            continue
        hidden = 0
        for row in range(_GRID):
            for column in range(_GRID):
                u = left + (right - left) * (column + 0.5) / _GRID
                v = top + (bottom - top) * (row + 0.5) / _GRID
                z = depth[int(v), int(u)]
                hidden += not z >= near - _SLACK  # no depth tells nothing
        if hidden <= _MOST_HIDDEN * _GRID * _GRID:
            found[box] = _FILLED * (right - left) * (bottom - top)
    return found


# What a scene is made of, in one place.
__all__ = ["MAX_OBJECTS", "ObservedObject", "ObservedRoom", "ObservedScene", "Place"]

Place = tuple[
    int, str, int
]  # beside an object: its key, in what relation to it, and of the other object if between two

MAX_OBJECTS = 4096

_MOST_FORMER = 4096  # identities that became others, of which the last are remembered
_LEAST_FLOOR = 0.5  # m along both sides, from which on a floor is that of a room
_SAME = 3.0  # cost below which two known objects are one
_EASILY_SEEN = 4  # times the pixels of an object that is just noticed, at which a view should not have missed it


class ObservedScene:
    """What was seen so far. It grows with each view and holds no more than ``MAX_OBJECTS`` objects.

    Objects whose detections carry identities are what these say. Others get negative identities here, are recognised by
    place, size and looks, become one when later views show that they coincide, and are forgotten when clear views of
    their place do not show them.

    Attributes:
        floor_z: height of the floor until a floor is seen, m.
        surfaces: what was looked at from near enough for ``min_pixels`` pixels of a small object.
        asker: position of the first observation since the last reset, m; None before it.
        given_up: places of which no further look shows more for now, as whoever looks around found.
        newest: the identity under which each detection of the newest view was taken in, as ``add`` returns them.
    """

    def __init__(self, floor_z: float = 0.0, min_pixels: int = 60) -> None:
        self.floor_z = floor_z
        self.surfaces = SurfaceMap(min_pixels)
        self.frames = 0
        self.asker: Point | None = None
        self.given_up: set[Place] = set()
        self.newest: tuple[int, ...] = ()
        self._min_pixels = min_pixels
        self._objects: dict[int, ObservedObject] = {}
        self._placements: Placements | None = None
        self._floor_level: float | None = None
        self._rooms: tuple[ObservedRoom, ...] | None = None
        self._walls: list[Box] | None = None
        self._anonymous = 0
        self._distinct: set[tuple[int, int]] = set()
        self._now: dict[int, int] = {}

    def reset(self) -> None:
        """Forget everything."""
        self.surfaces.reset()
        self.frames = 0
        self.asker = None
        self.given_up.clear()
        self.newest = ()
        self._objects.clear()
        self._forget_conclusions()
        self._anonymous = 0
        self._distinct.clear()
        self._now.clear()

    @property
    def objects(self) -> tuple[ObservedObject, ...]:
        """All observed objects, structure included, in the order in which they were first seen."""
        return tuple(self._objects.values())

    def get(self, instance_id: int) -> ObservedObject | None:
        """The object with an identity, also where it turned out to be one with another, unless thousands did since;
        None where there is none."""
        while instance_id in self._now:
            instance_id = self._now[instance_id]
        return self._objects.get(instance_id)

    def find(self, labels: Iterable[str]) -> tuple[ObservedObject, ...]:
        """All observed objects with one of the labels."""
        wanted = set(labels)
        return tuple(obj for obj in self._objects.values() if obj.label in wanted)

    def add(self, observation: Observation, detections: Sequence[Detection]) -> tuple[int, ...]:
        """Fuse the detections of one view; its depth image, if any, tells which surfaces were seen.

        Only detections name objects here: instance ids and legend of the observation are not looked at.

        Returns:
            The identity under which each detection was taken in, 0 where there was no room for it.
        """
        if self.asker is None:
            at = observation.viewpoint
            self.asker = at.x, at.y, at.z
        self.frames += 1
        self.surfaces.add(observation)
        nameless = [k for k, detection in enumerate(detections) if detection.instance_id <= 0]
        objects = [self._known(detection.instance_id) for detection in detections]
        for k, obj in zip(nameless, self._recognised([detections[k] for k in nameless]), strict=True):
            objects[k] = obj
        for detection, obj in zip(detections, objects, strict=True):
            if obj is not None:
                obj.add(detection, observation.stamp, observation.viewpoint)
        if any(key < 0 for key in self._objects):
            seen = list({obj.instance_id: obj for k in nameless if (obj := objects[k]) is not None}.values())
            self._tell_apart(seen)
            self._unite(seen)
            self._doubt(observation, {obj.instance_id for obj in seen})
        self._forget_conclusions()
        found = [self.get(obj.instance_id) if obj is not None else None for obj in objects]
        self.newest = tuple(obj.instance_id if obj is not None else 0 for obj in found)
        return self.newest

    def _forget_conclusions(self) -> None:
        """What follows from all objects together is worked out again when it is asked for."""
        self._placements = self._floor_level = self._rooms = self._walls = None

    def _known(self, key: int) -> ObservedObject | None:
        """The object with a positive identity, new where it is seen for the first time."""
        if key > 0 and key not in self._objects and len(self._objects) < MAX_OBJECTS:
            self._objects[key] = ObservedObject(key)
        return self._objects.get(key) if key > 0 else None

    def _recognised(self, detections: Sequence[Detection]) -> list[ObservedObject | None]:
        """The object that each detection of one view shows, new ones included."""
        if not detections:
            return []
        known = [obj for key, obj in self._objects.items() if key < 0]
        pairs = costs([Sighting.of(detection) for detection in detections], [obj.looks for obj in known])
        return [known[k] if k is not None else self._new() for k in assign(pairs)]

    def _new(self) -> ObservedObject | None:
        if len(self._objects) >= MAX_OBJECTS:
            return None
        self._anonymous -= 1
        return self._objects.setdefault(self._anonymous, ObservedObject(self._anonymous))

    def _tell_apart(self, seen: Sequence[ObservedObject]) -> None:
        """Objects that one view shows side by side are never one."""
        looks = [obj.looks for obj in seen]
        for i, j in np.argwhere(np.triu(costs(looks, looks) < NEW, 1)):
            self._distinct.add(_pair(seen[i], seen[j]))

    def _unite(self, seen: Sequence[ObservedObject]) -> None:
        """Make one of those objects that turn out to coincide, and were never seen side by side."""
        known = [obj for key, obj in self._objects.items() if key < 0]
        pairs = costs([obj.looks for obj in seen], [obj.looks for obj in known], _SAME)
        for i, j in np.argwhere(pairs < _SAME):
            first, second = self.get(seen[i].instance_id), self.get(known[j].instance_id)
            if first is None or second is None or first is second or _pair(first, second) in self._distinct:
                continue
            if first.instance_id < second.instance_id:
                first, second = second, first
            first.take_over(second)
            del self._objects[second.instance_id]
            self._now[second.instance_id] = first.instance_id
            if len(self._now) > _MOST_FORMER:
                del self._now[next(iter(self._now))]  # no younger name leads through the oldest
            for pair in [pair for pair in self._distinct if second.instance_id in pair]:
                other = self._objects[pair[0] if pair[1] == second.instance_id else pair[1]]
                self._distinct.discard(pair)
                self._distinct.add(_pair(first, other))

    def _doubt(self, observation: Observation, seen: set[int]) -> None:
        """Count clear views that do not show an object against it, and forget what too many of them refute."""
        doubtful = [
            obj for key, obj in self._objects.items() if key < 0 and key not in seen and obj.label not in BUILDING
        ]
        lows = np.array([obj.bounds_min for obj in doubtful]).reshape(-1, 3)
        highs = np.array([obj.bounds_max for obj in doubtful]).reshape(-1, 3)
        expected = expected_pixels(observation, lows, highs)
        for obj, pixels in zip(doubtful, expected, strict=True):
            if pixels >= _EASILY_SEEN * self._min_pixels:
                obj.miss(observation.viewpoint)
                if obj.is_refuted:
                    del self._objects[obj.instance_id]
                    self._distinct = {pair for pair in self._distinct if obj.instance_id not in pair}

    @property
    def _boxes(self) -> list[Box]:
        return [obj.box for obj in self._objects.values()]

    def support_of(self, obj: ObservedObject) -> Placement | None:
        """What an object is on or in; None while the views do not tell. ``Placement.key`` 0 is a floor never seen."""
        if self._placements is None:
            self._placements = Placements(self._boxes, self.floor_level)
        return self._placements.get(obj.instance_id)

    @property
    def floor_level(self) -> float:
        """Height of the floor, m: as seen, or ``floor_z``."""
        if self._floor_level is None:
            floors = [obj for obj in self._objects.values() if obj.label == "floor"]
            best = max(floors, key=lambda obj: obj.pixels, default=None)
            self._floor_level = self.floor_z if best is None else best.bounds_max[2]
        return self._floor_level

    def objects_at(self, support: ObservedObject, relation: str = "") -> tuple[ObservedObject, ...]:
        """The objects on or in a support, or only those with one ``relation``."""
        found = []
        for obj in self._objects.values():
            placement = self.support_of(obj)
            if placement is None or placement.key != support.instance_id:
                continue
            if relation in ("", placement.relation):
                found.append(obj)
        return tuple(found)

    def count_at(self, support: ObservedObject, labels: Iterable[str]) -> int:
        """How many observed objects with one of the labels are on or in a support."""
        wanted = set(labels)
        return sum(obj.label in wanted for obj in self.objects_at(support))

    def inspection_of(self, support: ObservedObject, coverage: CoverageMap | None, relation: str = "") -> Inspection:
        """How much of the places on or in a support was looked at, and where it was not.

        ``relation`` ``on`` or ``in`` tells which places of open furniture are meant; both where it is empty.
        """
        there = [obj.box for obj in self.objects_at(support)]
        others = [obj.box for obj in self._objects.values() if obj is not support]
        grounded = support.whole or support.label in BUILDING or self.support_of(support) is not None
        return inspect(
            support.box, support.whole, there, others, self.surfaces, coverage, relation, self.floor_level, grounded
        )

    def closed_containers(self) -> tuple[ObservedObject, ...]:
        """Objects seen that may hide other objects inside."""
        return tuple(obj for obj in self._objects.values() if obj.box.is_closed_container)

    @property
    def rooms(self) -> tuple[ObservedRoom, ...]:
        """The rooms of whose floors more than a sliver was seen, in the order in which they were first seen."""
        if self._rooms is None:
            floors = [obj for obj in self._objects.values() if obj.label == "floor"]
            rooms = [room_over(obj.box, obj.room) for obj in floors]
            self._rooms = tuple(r for r in rooms if min(r.high[k] - r.low[k] for k in (0, 1)) >= _LEAST_FLOOR)
        return self._rooms

    def room_of(self, obj: ObservedObject) -> ObservedRoom | None:
        """The room that an object is in; None while no floor near it was seen."""
        if obj.label == "floor":
            return next((room for room in self.rooms if room.key == obj.instance_id), None)
        return room_at(obj.center, self.rooms, self._known_walls())

    def front_of(self, obj: ObservedObject) -> Point | None:
        """The direction in which an object looks that stands with its back to a wall, a unit vector; None for others.

        What stands on furniture has its back to the wall behind that.
        """
        own = front_of(obj.box, self._known_walls())
        support = self.support_of(obj)
        below = self.get(support.key) if own is None and support is not None else None
        return own if below is None or below.label in BUILDING else front_of(below.box, self._known_walls())

    def _known_walls(self) -> list[Box]:
        if self._walls is None:
            self._walls = [box for box in self._boxes if box.label in WALLS]
        return self._walls

    def room_seen(self, room: ObservedRoom, coverage: CoverageMap) -> float:
        """Share of a room's space up to 2 m that was seen, 0..1; what lies in closed containers does not count."""
        return seen_share(room, self._boxes, coverage)

    def searched_share(self, label: str, coverage: CoverageMap, within: ObservedRoom | None = None) -> float:
        """Share of all places, or of those in a room, that were looked at in which an object with a label (anything
        without) could be, 0..1."""
        return searched_share(self, coverage, label, within)

    def containers_looked_into(self, label: str, within: ObservedRoom | None = None) -> bool:
        """Whether no open container in sight, or in a room, is left that may hold an object with a label."""
        return containers_looked_into(self, label, within)


def _pair(first: ObservedObject, second: ObservedObject) -> tuple[int, int]:
    low, high = sorted((first.instance_id, second.instance_id))
    return low, high
