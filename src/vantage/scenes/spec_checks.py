"""Whether a scene specification contradicts itself. Whether it could stand like this, ``checks`` says."""

from __future__ import annotations

import math
from collections.abc import Iterable

from vantage.errors import SceneError
from vantage.registry import did_you_mean
from vantage.scenes.outlines import crosses_itself, signed_area
from vantage.scenes.spec import (
    AXES,
    FACES,
    JOINTS,
    OPENINGS,
    RELATIONS,
    SHAPES,
    Joint,
    ObjectSpec,
    Opening,
    RoomSpec,
    SceneSpec,
)

_UNIT = 1e-3


def check_spec(spec: SceneSpec) -> None:
    """Make sure that a specification does not contradict itself.

    Raises:
        SceneError: ids not unique and positive, unknown shapes, sizes not positive, numbers not finite, parents that do
            not exist or are each other's parents, joints of parts or openings of rooms that do not exist, or empty
            bounds.
    """
    where = f"scene '{spec.name}'"
    _require_finite((*spec.bounds_min, *spec.bounds_max), f"the bounds of {where}")
    if any(low >= high for low, high in zip(spec.bounds_min, spec.bounds_max, strict=True)):
        raise SceneError(f"{where} has empty bounds {spec.bounds_min} to {spec.bounds_max}; give min < max")
    rooms = check_rooms(spec.rooms, where)
    seen: set[int] = set()
    for thing in spec.objects:
        if thing.instance_id <= 0 or thing.instance_id in seen:
            raise SceneError(
                f"{where} has the instance id {thing.instance_id} ({thing.label}) twice or not positive; "
                "give each object its own id from 1"
            )
        seen.add(thing.instance_id)
        _check_object(thing, where)
        if thing.room and thing.room not in rooms:
            raise SceneError(
                f"object {thing.instance_id} ({thing.label}) of {where} is in room {thing.room}, which does not exist"
            )
    check_parents({thing.instance_id: (thing.relation, thing.parent) for thing in spec.objects}, where)
    for number, opening in enumerate(spec.openings):
        _check_opening(opening, rooms, seen, f"opening {number} of {where}")


def check_rooms(rooms: Iterable[RoomSpec], where: str) -> set[int]:
    """The ids of rooms that are sound.

    Raises:
        SceneError: an id is not unique or not positive, a label is empty, or an outline encloses nothing.
    """
    known: set[int] = set()
    for room in rooms:
        _check_room(room, where)
        if room.room_id in known:
            raise SceneError(f"{where} has room {room.room_id} twice; give each room its own id")
        known.add(room.room_id)
    return known


def check_parents(relations: dict[int, tuple[str, int]], where: str) -> None:
    """Make sure that every parent of {id: (relation, parent)} exists and that no thing carries itself.

    Raises:
        SceneError: otherwise.
    """
    for child, (relation, parent) in relations.items():
        if relation not in RELATIONS:
            raise SceneError(f"object {child} of {where} has the unknown relation '{relation}'; use 'on', 'in' or ''")
        if (parent == 0) != (relation == ""):
            raise SceneError(f"object {child} of {where} is '{relation}' of parent {parent}; give both or none")
        if parent and parent not in relations:
            raise SceneError(f"object {child} of {where} is {relation} object {parent}, which does not exist")
        steps, above = 0, parent
        while above:
            steps, above = steps + 1, relations[above][1] if above in relations else 0
            if above == child or steps > len(relations):
                raise SceneError(f"object {child} of {where} is its own parent or theirs in turn; break the cycle")


def _require_finite(values: tuple[float, ...], what: str) -> None:
    if not all(math.isfinite(value) for value in values):
        raise SceneError(f"{what} must be finite numbers, got {values}")


def _check_object(thing: ObjectSpec, where: str) -> None:
    name = f"object {thing.instance_id} ({thing.label}) of {where}"
    if not thing.label:
        raise SceneError(f"{name} has no label; name its class")
    if not thing.parts:
        raise SceneError(f"{name} has no parts; give it at least one")
    _require_finite((*thing.position, thing.yaw), f"position and yaw of {name}")
    for part in thing.parts:
        if part.shape not in SHAPES:
            hint = did_you_mean(part.shape, list(SHAPES))
            raise SceneError(f"{name} has a part of unknown shape '{part.shape}'{hint}")
        _require_finite((*part.center, *part.size, *part.rgb, *part.ends), f"the parts of {name}")
        if min(part.size) <= 0:
            raise SceneError(f"{name} has a part of size {part.size}; every extent must be positive")
        if part.axis not in AXES or any(face not in FACES for face in part.open_faces):
            raise SceneError(f"{name} has a part with an unknown axis or face; use {AXES} and {FACES}")
        if min(part.ends) < 0 or max(part.ends) <= 0 or not all(0 <= value <= 1 for value in part.rgb):
            raise SceneError(f"{name} has a part with colors outside 0..1 or negative cone ends")
    for joint in thing.joints:
        _check_joint(joint, thing, name)
    _require_finite((thing.mass,), f"mass of {name}")
    if thing.mass < 0:
        raise SceneError(f"{name} has a mass of {thing.mass} kg; give 0 where nobody knows it")


def _check_joint(joint: Joint, thing: ObjectSpec, name: str) -> None:
    if joint.part not in thing.part_names:
        raise SceneError(
            f"{name} has a joint for the part '{joint.part}'{did_you_mean(joint.part, list(thing.part_names))}"
        )
    if joint.kind not in JOINTS:
        raise SceneError(f"{name} has a joint of unknown kind '{joint.kind}'{did_you_mean(joint.kind, list(JOINTS))}")
    values = (*joint.axis, *joint.origin, joint.low, joint.high, joint.position)
    _require_finite(values, f"the joint '{joint.part}' of {name}")
    if abs(math.hypot(*joint.axis) - 1.0) > _UNIT:
        raise SceneError(f"the joint '{joint.part}' of {name} has the axis {joint.axis}; give a unit vector")
    if not joint.low <= joint.position <= joint.high:
        raise SceneError(
            f"the joint '{joint.part}' of {name} is at {joint.position}, outside its range {joint.low} to {joint.high}"
        )


def _check_room(room: RoomSpec, where: str) -> None:
    name = f"room {room.room_id} ({room.label}) of {where}"
    if room.room_id <= 0 or not room.label:
        raise SceneError(f"{name} needs a positive id and a label")
    _require_finite((room.height, *(value for corner in room.outline for value in corner)), f"the corners of {name}")
    if len(room.outline) < 3 or room.height <= 0 or signed_area(room.outline) <= 0:
        raise SceneError(f"{name} is no room: give a height and at least 3 corners counter-clockwise")
    if crosses_itself(room.outline):
        raise SceneError(f"{name} has sides that cross each other; give its corners in order")


def _check_opening(opening: Opening, rooms: set[int], things: set[int], name: str) -> None:
    if opening.kind not in OPENINGS:
        raise SceneError(f"{name} is of unknown kind '{opening.kind}'{did_you_mean(opening.kind, list(OPENINGS))}")
    _require_finite((*opening.low, *opening.high), f"the corners of {name}")
    if any(low >= high for low, high in zip(opening.low, opening.high, strict=True)):
        raise SceneError(f"{name} is empty, {opening.low} to {opening.high}; give min < max")
    if any(room and room not in rooms for room in opening.rooms):
        raise SceneError(f"{name} leads to rooms {opening.rooms}, of which one does not exist")
    if opening.instance and opening.instance not in things:
        raise SceneError(f"{name} is filled by object {opening.instance}, which does not exist")
