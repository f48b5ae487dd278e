"""What follows from all observed objects together: what is on or in what, in which room, how far that was looked at.

It is worked out when it is asked for, and kept until something else is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from vantage.perception.map.coverage import CoverageMap
from vantage.perception.map.hand_memory import HandMemory
from vantage.perception.map.observed_object import ObservedObject
from vantage.perception.map.placement import Box, Placement, Placements, front_of
from vantage.perception.map.rooms import ObservedRoom, room_at, room_over, seen_share
from vantage.perception.map.search_coverage import containers_looked_into, searched_share
from vantage.perception.map.surface_inspection import Inspection, SurfaceMap, inspect
from vantage.perception.object_categories import BUILDING, WALLS
from vantage.types import Point

T = TypeVar("T")

_LEAST_FLOOR = 0.5  # m along both sides, from which on a floor is that of a room


class SceneConclusions:
    """All of this about the objects that somebody else keeps.

    Args:
        objects: by identity, as their owner keeps them.
        hand: what the robot's own hand changed.

    Attributes:
        floor_z: height of the floor until a floor is seen, m.
        surfaces: what was looked at from near enough for ``min_pixels`` pixels of a small object.
    """

    def __init__(
        self, floor_z: float, surfaces: SurfaceMap, objects: dict[int, ObservedObject], hand: HandMemory
    ) -> None:
        self.floor_z, self.surfaces = floor_z, surfaces
        self._objects, self._hand = objects, hand
        self._forget_conclusions()

    def _forget_conclusions(self) -> None:
        self._placements: Placements | None = None
        self._floor_level: float | None = None
        self._rooms: tuple[ObservedRoom, ...] | None = None
        self._walls: list[Box] | None = None
        self._concluded: dict[object, object] = {}

    def once(self, key: object, work: Callable[[], T]) -> T:
        """The result of some work on what is known now, done when it is asked for the first time."""
        if key not in self._concluded:
            self._concluded[key] = work()
        return self._concluded[key]  # type: ignore[return-value]

    @property
    def objects(self) -> tuple[ObservedObject, ...]:
        """All observed objects, structure included, in the order in which they were first seen."""
        return tuple(self._objects.values())

    def get(self, instance_id: int) -> ObservedObject | None:
        """The object with an identity; None where there is none."""
        return self._objects.get(instance_id)

    @property
    def _boxes(self) -> list[Box]:
        return [self.body_of(obj) for obj in self._objects.values()]

    def body_of(self, obj: ObservedObject) -> Box:
        """The box of a thing, without the doors and lids that the hand opened: nothing is in these."""
        if obj.instance_id not in self._hand.opened or not self._hand.insides.is_swung_open(obj.instance_id):
            return obj.box
        _, (low, high) = self._hand.opened[obj.instance_id]
        return replace(obj.box, low=low, high=high)

    def is_drawn_out(self, obj: ObservedObject) -> bool:
        """Whether the hand drew out a drawer of a thing, and left it so."""
        return self._hand.insides.is_drawn_out(obj.instance_id)

    def support_of(self, obj: ObservedObject) -> Placement | None:
        """What an object is on or in; None while the views do not tell, and for what is in the robot's hand.
        ``Placement.key`` 0 is a floor never seen."""
        if self._hand.held is obj:
            return None
        container = self.get(self._hand.kept.get(obj.instance_id, 0))
        if container is not None:
            return Placement("in", container.instance_id, container.label)
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
        return self.once(("room of", obj.instance_id, obj.center), partial(self._room_at, obj.center))

    def _room_at(self, point: Point) -> ObservedRoom | None:
        return room_at(point, self.rooms, self._known_walls())

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
        key = "room seen", room.key, id(coverage), coverage.version
        return self.once(key, lambda: seen_share(room, self._boxes, coverage))

    def searched_share(self, label: str, coverage: CoverageMap, within: ObservedRoom | None = None) -> float:
        """Share of all places, or of those in a room, that were looked at in which an object with a label (anything
        without) could be, 0..1."""
        return searched_share(self, coverage, label, within)

    def containers_looked_into(self, label: str, within: ObservedRoom | None = None) -> bool:
        """Whether no open container in sight, or in a room, is left that may hold an object with a label."""
        return containers_looked_into(self, label, within)
