"""Whether a scene specification contradicts itself. Whether it could stand like this, ``checks`` says."""

from __future__ import annotations

import math

from vantage.errors import SceneError
from vantage.registry import did_you_mean
from vantage.scenes.spec.shared_checks import (
    check_id,
    check_label,
    check_parents,
    check_rooms,
    check_words,
    require_finite,
)
from vantage.scenes.spec.spec import (
    AXES,
    FACES,
    JOINTS,
    OPENINGS,
    SHAPES,
    Joint,
    ObjectSpec,
    Opening,
    Part,
    RoomSpec,
    SceneSpec,
)

FARTHEST = 100.0  # m: how far from the origin anything may be, and how long

_UNIT = 1e-3
_SHUT = 1e-6  # rad or m: a joint no farther open is closed
_EDGE = 0.01  # m: how far a room may reach beyond the bounds


def check_spec(spec: SceneSpec) -> None:
    """Make sure that a specification does not contradict itself.

    Raises:
        SceneError: ids not unique and positive, unknown shapes, sizes not positive, numbers not finite or huge,
            parents that do not exist or are each other's parents, joints of parts or openings of rooms that do not
            exist, states that exclude each other or that the joints contradict, or bounds that are empty or do not
            hold the rooms.
    """
    where = f"scene '{spec.name}'"
    _require_near((*spec.bounds_min, *spec.bounds_max), f"the bounds of {where}")
    if any(low >= high for low, high in zip(spec.bounds_min, spec.bounds_max, strict=True)):
        raise SceneError(f"{where} has empty bounds {spec.bounds_min} to {spec.bounds_max}; give min < max")
    rooms = check_rooms(spec.rooms, where)
    for room in spec.rooms:
        _check_within(room, spec, where)
    seen: set[int] = set()
    for thing in spec.objects:
        check_id(thing.instance_id, thing.label, seen, where)
        _check_object(thing, where)
        if thing.room and thing.room not in rooms:
            raise SceneError(
                f"object {thing.instance_id} ({thing.label}) of {where} is in room {thing.room}, which does not exist"
            )
    check_parents({thing.instance_id: (thing.relation, thing.parent) for thing in spec.objects}, where)
    for number, opening in enumerate(spec.openings):
        _check_opening(opening, rooms, seen, f"opening {number} of {where}")


def _require_near(values: tuple[float, ...], what: str) -> None:
    require_finite(values, what)
    if max(map(abs, values)) > FARTHEST:
        raise SceneError(f"{what} must be within {FARTHEST:g} m of the origin, got {values}; give metres")


def _check_within(room: RoomSpec, spec: SceneSpec, where: str) -> None:
    for corner in room.outline:
        if any(not spec.bounds_min[k] - _EDGE <= corner[k] <= spec.bounds_max[k] + _EDGE for k in (0, 1)):
            raise SceneError(
                f"room {room.room_id} ({room.label}) of {where} has the corner {corner} outside the bounds "
                f"{spec.bounds_min} to {spec.bounds_max}; correct one of them"
            )


def _check_object(thing: ObjectSpec, where: str) -> None:
    name = f"object {thing.instance_id} ({thing.label}) of {where}"
    check_label(thing.label, name)
    if not thing.parts:
        raise SceneError(f"{name} has no parts; give it at least one")
    require_finite((thing.yaw,), f"yaw of {name}")
    _require_near(thing.position, f"position of {name}")
    for part in thing.parts:
        _check_part(part, name)
    for joint in thing.joints:
        _check_joint(joint, thing, name)
    check_words(tuple(joint.part for joint in thing.joints), "joint", name)
    check_words(thing.states, "state", name)
    _check_openness(thing, name)
    require_finite((thing.mass,), f"mass of {name}")
    if thing.mass < 0:
        raise SceneError(f"{name} has a mass of {thing.mass} kg; give 0 where nobody knows it")


def _check_openness(thing: ObjectSpec, name: str) -> None:
    """Whether what is open or closed has its joints accordingly."""
    ajar = [joint.part for joint in thing.joints if joint.position > joint.low + _SHUT]
    if thing.joints and "closed" in thing.states and ajar:
        raise SceneError(f"{name} is said to be closed and its {ajar[0]} stands open; correct the joint or the state")
    if thing.joints and "open" in thing.states and not ajar:
        raise SceneError(f"{name} is said to be open and all its joints are closed; open one or correct the state")


def _check_part(part: Part, name: str) -> None:
    if part.shape not in SHAPES:
        hint = did_you_mean(part.shape, list(SHAPES))
        raise SceneError(f"{name} has a part of unknown shape '{part.shape}'{hint}")
    require_finite((*part.rgb, *part.ends), f"the parts of {name}")
    _require_near((*part.center, *part.size), f"the parts of {name}")
    if min(part.size) <= 0:
        raise SceneError(f"{name} has a part of size {part.size}; every extent must be positive")
    if part.axis not in AXES or any(face not in FACES for face in part.open_faces):
        raise SceneError(f"{name} has a part with an unknown axis or face; use {AXES} and {FACES}")
    if min(part.ends) < 0 or max(part.ends) <= 0 or not all(0 <= value <= 1 for value in part.rgb):
        raise SceneError(f"{name} has a part with colors outside 0..1 or negative cone ends")


def _check_joint(joint: Joint, thing: ObjectSpec, name: str) -> None:
    if joint.part not in thing.part_names:
        raise SceneError(
            f"{name} has a joint for the part '{joint.part}'{did_you_mean(joint.part, list(thing.part_names))}"
        )
    if joint.kind not in JOINTS:
        raise SceneError(f"{name} has a joint of unknown kind '{joint.kind}'{did_you_mean(joint.kind, list(JOINTS))}")
    values = (*joint.axis, *joint.origin, joint.low, joint.high, joint.position)
    require_finite(values, f"the joint '{joint.part}' of {name}")
    if abs(math.hypot(*joint.axis) - 1.0) > _UNIT:
        raise SceneError(f"the joint '{joint.part}' of {name} has the axis {joint.axis}; give a unit vector")
    if not joint.low <= joint.position <= joint.high:
        raise SceneError(
            f"the joint '{joint.part}' of {name} is at {joint.position}, outside its range {joint.low} to {joint.high}"
        )


def _check_opening(opening: Opening, rooms: set[int], things: set[int], name: str) -> None:
    if opening.kind not in OPENINGS:
        raise SceneError(f"{name} is of unknown kind '{opening.kind}'{did_you_mean(opening.kind, list(OPENINGS))}")
    _require_near((*opening.low, *opening.high), f"the corners of {name}")
    if any(low >= high for low, high in zip(opening.low, opening.high, strict=True)):
        raise SceneError(f"{name} is empty, {opening.low} to {opening.high}; give min < max")
    if any(room and room not in rooms for room in opening.rooms):
        raise SceneError(f"{name} leads to rooms {opening.rooms}, of which one does not exist")
    if opening.instance and opening.instance not in things:
        raise SceneError(f"{name} is filled by object {opening.instance}, which does not exist")
