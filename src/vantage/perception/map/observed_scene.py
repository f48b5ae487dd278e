"""The observed scene: detections of many views fused into objects, where they are, and how well they were seen.

Each view that should have shown a doubtful object (it lies in the image, near enough, with nothing before it) and did
not counts as a miss; an object that was missed too often is removed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from vantage.perception.map.association import NEW, Sighting, assign, costs
from vantage.perception.map.coverage import CoverageMap
from vantage.perception.map.expected_pixels import expected_pixels
from vantage.perception.map.extents import as_point
from vantage.perception.map.hand_memory import FormerPlace, HandMemory
from vantage.perception.map.handles import HandleMemory, ObservedHandle, is_handle
from vantage.perception.map.insides import Inside
from vantage.perception.map.mass_interval import agreed, checked_mass
from vantage.perception.map.observed_object import ObservedObject
from vantage.perception.map.placement import Box, Placement
from vantage.perception.map.robot_mask import without_robot
from vantage.perception.map.rooms import ObservedRoom
from vantage.perception.map.scene_conclusions import SceneConclusions
from vantage.perception.map.sight_line import area_at, is_within_reach, middle_in_sight, put_in_sight
from vantage.perception.map.surface_inspection import SurfaceMap
from vantage.perception.object_categories import BUILDING
from vantage.types import Detection, Observation, Point, StepResult

# What a scene is made of, in one place.
__all__ = ["MAX_OBJECTS", "ObservedObject", "ObservedRoom", "ObservedScene", "Place"]

Place = tuple[
    int, str, int
]  # beside an object: its key, in what relation to it, and of the other object if between two

MAX_OBJECTS = 4096

_MOST_FORMER = 4096  # identities that became others, of which the last are remembered
_SAME = 3.0  # cost below which two known objects are one
_EASILY_SEEN = 4  # times the pixels of an object that is just noticed, at which a view should not have missed it


class ObservedScene(SceneConclusions):
    """What was seen so far. It grows with each view and holds no more than ``MAX_OBJECTS`` objects.

    Objects whose detections carry identities are what these say. Others get negative identities here, are recognised by
    place, size and looks, become one when later views show that they coincide, and are forgotten when clear views of
    their place do not show them.

    Attributes:
        asker: position of the first observation since the last reset, m; None before it.
        given_up: places of which no further look shows more for now, as whoever looks around found.
        newest: the identity under which each detection of the newest view was taken in, as ``add`` returns them.
        changes: how often something was noted that no view shows; with ``frames``, the version of what is known.
    """

    def __init__(self, floor_z: float = 0.0, min_pixels: int = 60) -> None:
        handles = HandleMemory()
        objects: dict[int, ObservedObject] = {}
        super().__init__(floor_z, SurfaceMap(min_pixels), objects, HandMemory(objects, handles))
        self.frames = self.changes = 0
        self.asker: Point | None = None
        self.given_up: set[Place] = set()
        self.newest: tuple[int, ...] = ()
        self._min_pixels = min_pixels
        self._anonymous = 0
        self._distinct: set[tuple[int, int]] = set()
        self._now: dict[int, int] = {}
        self._handles = handles

    def reset(self) -> None:
        """Forget everything."""
        self.surfaces.reset()
        self.frames = self.changes = 0
        self.asker = None
        self.given_up.clear()
        self.newest = ()
        self._objects.clear()
        self._forget_conclusions()
        self._anonymous = 0
        self._distinct.clear()
        self._now.clear()
        self._handles.reset()
        self._hand.reset()

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
            The identity under which each detection was taken in, 0 for handles and where there was no room for it.
        """
        things = [detection for detection in detections if not is_handle(detection)]
        keys = iter(self._add_things(observation, things))
        self.newest = tuple(0 if is_handle(detection) else next(keys) for detection in detections)
        self._add_in_reach(without_robot(observation, self.held_box), detections)
        return self.newest

    def _add_in_reach(self, view: Observation, detections: Sequence[Detection]) -> None:
        """Take in where the hand finds what a view without the robot itself shows: handles, and what may be grasped."""
        handles = [seen for each in detections if is_handle(each) and (seen := put_in_sight(view, each)) is not None]
        self._handles.add(handles, view.stamp, self._objects)
        if view.touch is None:
            return
        for key, detection in zip(self.newest, detections, strict=True):
            if key < 0 and is_within_reach(view, detection) and (place := middle_in_sight(view, detection)) is not None:
                self._objects[key].spotted(as_point(place), area_at(view, detection, place))

    def _add_things(self, observation: Observation, detections: Sequence[Detection]) -> tuple[int, ...]:
        if self.asker is None:
            at = observation.viewpoint
            self.asker = at.x, at.y, at.z
        self.frames += 1
        self.surfaces.add(observation, self.held_box)
        self._hand.insides.looked(observation)
        self._hand.recheck(detections)
        nameless = [k for k, detection in enumerate(detections) if detection.instance_id <= 0]
        objects = [self._known(detection.instance_id) for detection in detections]
        for k, obj in zip(nameless, self._recognised([detections[k] for k in nameless]), strict=True):
            objects[k] = obj
        for detection, obj in zip(detections, objects, strict=True):
            if obj is not None:
                obj.add(detection, observation.stamp, observation.viewpoint)
                self._hand.kept.pop(obj.instance_id, None)
        self._hand.follow()
        if any(key < 0 for key in self._objects):
            seen = list({obj.instance_id: obj for k in nameless if (obj := objects[k]) is not None}.values())
            self._tell_apart(seen)
            self._unite(seen)
            self._doubt(observation, {obj.instance_id for obj in seen})
        self._forget_conclusions()
        found = [self.get(obj.instance_id) if obj is not None else None for obj in objects]
        return tuple(obj.instance_id if obj is not None else 0 for obj in found)

    def acted(self, result: StepResult, coverage: CoverageMap | None = None) -> None:
        """Take in what became of a command of a robot with a hand, before the view after it is taken in.

        What the hand holds stays one thing wherever it goes, and what it opened or closed is open or closed from now
        on; what was seen before of the space that they took up counts no more, here and in a ``coverage``.
        """
        if result.observation.touch is None:
            return
        asks, held = self._hand.asks_for_placements(result), self._hand.holds
        left, turned = self._hand.acted(result, self._all_placements() if asks else {})
        if asks or held or self._hand.holds:
            self._changed(left, {turned} - {0}, coverage)

    def restored(self, coverage: CoverageMap | None = None) -> None:
        """Take in that everything is as it was found: what the hand moved, opened or holds is where it was first, and
        as it was. What is known of things is kept: what they weigh, and what is inside."""
        left, turned = self._hand.restored(self._all_placements())
        self._changed(left, turned, coverage)

    def _all_placements(self) -> dict[int, Placement | None]:
        return {key: self.support_of(obj) for key, obj in self._objects.items()}

    def _changed(self, left: Iterable[tuple[Point, Point]], turned: set[int], coverage: CoverageMap | None) -> None:
        """Of boxes of space that things left or entered nothing is known; of places in what was turned, neither."""
        for low, high in left:
            self.surfaces.forget(low, high)
            if coverage is not None:
                coverage.forget(low, high)
        self.given_up = {place for place in self.given_up if place[0] not in turned}
        self.changes += 1
        self._forget_conclusions()

    def seen_at(self, instance_id: int, low: Point, high: Point) -> None:
        """Note that a thing lies in a box (m), where the newest view shows it, whatever was known of its place."""
        obj = self.get(instance_id)
        if obj is not None:
            obj.moved_to(low, high)
            self._hand.kept.pop(obj.instance_id, None)
            self._forget_conclusions()
            self.changes += 1

    def weighed(self, instance_id: int, low: float, high: float) -> None:
        """Note that a thing weighs from ``low`` to ``high`` kg, which may be infinite where it cannot be lifted. All
        weighings count; where they contradict each other, all may be right. What is not known any more is left out.

        Raises:
            ValueError: that is no interval.
        """
        mass = checked_mass(low, high)
        obj = self.get(instance_id)
        if obj is not None:
            obj.mass = agreed(obj.mass, mass)
            self.changes += 1

    def inside_of(self, obj: ObservedObject) -> Inside:
        """How much was seen of the inside of a thing that the hand opened, as long as it stood open."""
        return self._hand.insides.of(obj.instance_id, [each.center for each in self.handles_of(obj)])

    def know_inside(self, instance_id: int) -> None:
        """Note that all is known that is inside a thing."""
        self._hand.insides.know(instance_id)
        self.changes += 1

    @property
    def held(self) -> ObservedObject | None:
        """What is in the robot's hand, as far as it was seen before."""
        return self._hand.held

    @property
    def held_box(self) -> Box | None:
        """Where that is, as far as the hand tells it."""
        held = self.held
        return None if held is None else held.box

    def found_box(self, obj: ObservedObject) -> tuple[Point, Point]:
        """The box of a thing, m; of what the hand opened without the door or drawer that stands open."""
        return self._hand.opened.get(obj.instance_id, (0, (obj.bounds_min, obj.bounds_max)))[1]

    def former_place(self, obj: ObservedObject) -> FormerPlace | None:
        """Where a thing was before the hand took it last; None where it never did."""
        return self._hand.former.get(obj.instance_id)

    @property
    def handles(self) -> tuple[ObservedHandle, ...]:
        """The handles that were seen; they are no things of their own."""
        return self._handles.all

    def handles_of(self, obj: ObservedObject) -> tuple[ObservedHandle, ...]:
        """The handles on a thing."""
        return self._handles.of(obj.instance_id)

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
            self._hand.renamed(second.instance_id, first.instance_id)
            if len(self._now) > _MOST_FORMER:
                del self._now[next(iter(self._now))]  # no younger name leads through the oldest
            for pair in [pair for pair in self._distinct if second.instance_id in pair]:
                other = self._objects[pair[0] if pair[1] == second.instance_id else pair[1]]
                self._distinct.discard(pair)
                self._distinct.add(_pair(first, other))

    def _doubt(self, observation: Observation, seen: set[int]) -> None:
        """Count clear views that do not show an object against it, and forget what too many of them refute."""
        held = self._hand.held
        doubtful = [
            obj
            for key, obj in self._objects.items()
            if key < 0 and key not in seen and obj.label not in BUILDING and obj is not held
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


def _pair(first: ObservedObject, second: ObservedObject) -> tuple[int, int]:
    low, high = sorted((first.instance_id, second.instance_id))
    return low, high
