"""Whether a home has room for what a task puts somewhere, by the geometry by which worlds put things."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from vantage.scenes.generator import can_be_picked_up
from vantage.scenes.geometry import can_hold, known_masses, posed, seat_beside, seat_of, supports
from vantage.scenes.spec import OPENINGS, ObjectSpec, SceneSpec

HEAVIEST = 5.0  # kg of what is carried, with all that is on or in it


class FreeRoom:
    """A home as it is at the start, asked what can be taken and where it can be put.

    Args:
        onto: labels of what things are put on in rooms.
    """

    def __init__(self, spec: SceneSpec, onto: Iterable[str]) -> None:
        resting, weighed = supports(spec), known_masses(spec)
        objects = (
            replace(obj, relation=resting[obj.instance_id][0], parent=resting[obj.instance_id][1])
            for obj in weighed.objects
        )
        self._spec = replace(weighed, objects=tuple(objects))
        self._objects = {obj.instance_id: obj for obj in self._spec.objects}
        self._onto = frozenset(onto)
        self._found: dict[tuple[int, int, bool], bool] = {}

    def can_take(self, thing: int) -> bool:
        """Whether a thing can be lifted with all that is on or in it, and gotten at: what is closed for ever keeps
        what is in it."""
        obj = self._objects[thing]
        if not can_be_picked_up(obj, self._spec):
            return False
        if sum(self._objects[each].mass for each in self._carried(thing)) >= HEAVIEST:
            return False
        while obj.parent:
            owner = self._objects[obj.parent]
            if obj.relation == "in" and "closed" in owner.states and not owner.joints:
                return False
            obj = owner
        return True

    def at(self, thing: int, place: int, inside: bool) -> bool:
        """Whether a thing has room on or in an object, which is opened for it."""
        key = thing, place, inside
        if key not in self._found:
            self._found[key] = self._seated(thing, place, inside)
        return self._found[key]

    def _seated(self, thing: int, place: int, inside: bool) -> bool:
        there = self._spec
        if inside:
            there = posed(there, {(place, joint.part): joint.high for joint in self._objects[place].joints})
        others = [obj for obj in self._others(there, thing) if not obj.is_structure]
        found = next(obj for obj in there.objects if obj.instance_id == place)
        built_in = found.is_structure or found.label in OPENINGS
        return (
            not built_in
            and can_hold(found, inside)
            and seat_of(self._objects[thing], found, others, inside) is not None
        )

    def in_room(self, thing: int, room: int) -> bool:
        """Whether a thing has room on something in a room, or else on the floor beside something."""
        carried = self._carried(thing)
        near = [
            obj
            for obj in self._spec.objects
            if obj.room == room
            and not obj.is_structure
            and obj.instance_id not in carried
            and obj.label not in OPENINGS
        ]
        if any(self.at(thing, obj.instance_id, inside=False) for obj in near if obj.label in self._onto):
            return True
        others, floor = [*self._others(self._spec, thing)], self._spec.bounds_min[2]
        own = self._objects[thing]
        standing = (obj for obj in near if obj.label in self._onto and self._on_floor(obj))
        return any(seat_beside(own, obj, None, others, floor) is not None for obj in standing)

    def _on_floor(self, obj: ObjectSpec) -> bool:
        return not obj.parent or self._objects[obj.parent].label == "floor"

    def _carried(self, thing: int) -> frozenset[int]:
        """A thing with all that is on or in it, however deep."""
        found = {thing}
        while True:
            more = {obj.instance_id for obj in self._spec.objects if obj.parent in found} - found
            if not more:
                return frozenset(found)
            found |= more

    def _others(self, spec: SceneSpec, thing: int) -> Iterator[ObjectSpec]:
        carried = self._carried(thing)
        return (obj for obj in spec.objects if obj.instance_id not in carried)
