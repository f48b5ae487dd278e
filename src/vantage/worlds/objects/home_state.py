"""Where the things of a home are, how its doors stand, what is on, and what the hand holds."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from vantage.scenes.generator import is_loose
from vantage.scenes.geometry import Seat, known_masses, posed, supports
from vantage.scenes.spec import ObjectSpec, SceneSpec
from vantage.spatial import Matrix, invert, rigid, rotation_matrix

HELD_DEPTH = 100.0  # m below its last place: where the pose of what the hand holds is told
AJAR = 0.1  # share of its way from which on a part is open

_ON, _OFF = "on", "off"


class HomeState:
    """A home that changes. Things that lie on or in others go with them, and with the drawers that they lie in.

    Args:
        spec: how it is at the start.
    """

    def __init__(self, spec: SceneSpec) -> None:
        resting = supports(spec)
        weighed = known_masses(spec)
        self.start = replace(
            weighed,
            objects=tuple(
                replace(obj, relation=resting[obj.instance_id][0], parent=resting[obj.instance_id][1])
                for obj in weighed.objects
            ),
        )
        self._start = {obj.instance_id: obj for obj in self.start.objects}
        self._loose = tuple(obj.instance_id for obj in self.start.objects if is_loose(obj, self.start))
        self._switches = tuple(obj.instance_id for obj in self.start.objects if {_ON, _OFF} & set(obj.states))
        self.reset()

    def reset(self) -> None:
        """All is as at the start."""
        self._objects = dict(self._start)
        self._home: SceneSpec | None = self.start
        self.held: int | None = None
        self.away: frozenset[int] = frozenset()  # the held thing with all that is on or in it

    @property
    def changed(self) -> bool:
        """Whether anything was done since the start."""
        return bool(self.away) or any(now is not self._start[key] for key, now in self._objects.items())

    @property
    def home(self) -> SceneSpec:
        """All but what the hand holds, as it is now."""
        if self._home is None:
            there = tuple(obj for obj in self._objects.values() if obj.instance_id not in self.away)
            self._home = replace(self.start, objects=there)
        return self._home

    @property
    def objects(self) -> Mapping[int, ObjectSpec]:
        """By instance id; what the hand holds is where it was taken from."""
        return self._objects

    @property
    def loose(self) -> Collection[int]:
        """Ids of what neither belongs to the building nor hangs on it."""
        return self._loose

    def poses(self) -> dict[int, Matrix]:
        """T_world_object (4, 4) of all that is loose, by instance id; see ``HELD_DEPTH``."""
        poses = {}
        for instance in self._loose:
            poses[instance] = pose_of(self._objects[instance])
            if instance in self.away:
                poses[instance][2, 3] -= HELD_DEPTH
        return poses

    def joint_positions(self) -> dict[tuple[int, str], float]:
        """Of all joints, rad or m, by instance id and name of the part."""
        return {(obj.instance_id, joint.part): joint.position for obj in self._objects.values() for joint in obj.joints}

    def switched(self) -> dict[int, bool]:
        """Whether each thing is on that can be switched, by instance id."""
        return {instance: _ON in self._objects[instance].states for instance in self._switches}

    def carried(self, instance: int) -> frozenset[int]:
        """Ids of all that is on or in an object, at any depth."""
        found: set[int] = set()
        waiting = [instance]
        while waiting:
            owner = waiting.pop()
            children = {obj.instance_id for obj in self._objects.values() if obj.parent == owner} - found
            found |= children
            waiting += children
        return frozenset(found)

    def closed_around(self, instance: int) -> ObjectSpec | None:
        """The closed object that a thing is in, the outermost of several; None where it lies open."""
        found, obj = None, self._objects[instance]
        while obj.parent:
            owner = self._objects[obj.parent]
            if obj.relation == "in" and is_closed(owner):
                found = owner
            obj = owner
        return found

    def move_joints(self, instance: int, opened: bool) -> None:
        """All joints of an object to the open or the closed ends of their ranges."""
        ends = {(instance, joint.part): joint.high if opened else joint.low for joint in self._objects[instance].joints}
        for obj in posed(self.home, ends).objects:
            if obj is not self._objects[obj.instance_id]:
                x, y, z = (round(value, 9) for value in obj.position)
                self._set(replace(obj, position=(x, y, z)))

    def switch(self, instance: int, on: bool) -> None:
        """A thing on or off."""
        obj = self._objects[instance]
        states = tuple(sorted({*obj.states} - {_ON, _OFF} | {_ON if on else _OFF}))
        self._set(replace(obj, states=states))

    def take(self, instance: int) -> None:
        """A thing into the hand, with all that is on or in it."""
        self.held, self.away = instance, frozenset({instance}) | self.carried(instance)
        self._set(replace(self._objects[instance], relation="", parent=0))

    def put(self, seat: Seat, relation: str, parent: int, room: int) -> None:
        """What the hand holds to a place.

        Args:
            relation, parent: of the thing there, as of ``ObjectSpec``.
            room: that the place is in.
        """
        assert self.held is not None
        old = self._objects[self.held]
        turn = seat.yaw - old.yaw
        move = rigid(rotation_matrix((0.0, 0.0, seat.yaw)), np.array(seat.position)) @ invert(pose_of(old))
        for instance in sorted(self.away):
            obj = self._objects[instance]
            x, y, z = (round(float(value), 9) for value in (move @ np.append(obj.position, 1.0))[:3])
            self._set(replace(obj, position=(x, y, z), yaw=round(obj.yaw + turn, 9), room=room))
        self._set(replace(self._objects[self.held], relation=relation, parent=parent))
        self.held, self.away = None, frozenset()

    def _set(self, obj: ObjectSpec) -> None:
        """What an object is now; that of the start where it is as it was, so that nothing drifts."""
        start = self._start[obj.instance_id]
        self._objects[obj.instance_id] = start if replace(obj, parts=start.parts) == start else obj
        self._home = None


def pose_of(obj: ObjectSpec) -> Matrix:
    """T_world_object (4, 4)."""
    return rigid(rotation_matrix((0.0, 0.0, obj.yaw)), np.array(obj.position))


def is_closed(obj: ObjectSpec) -> bool:
    """Whether nothing gets in or out: all its joints are closed, or it has none and is said to be closed."""
    if not obj.joints:
        return "closed" in obj.states
    return all(joint.position - joint.low <= AJAR * (joint.high - joint.low) for joint in obj.joints)
