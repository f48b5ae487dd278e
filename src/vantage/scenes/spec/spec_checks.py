"""Whether a scene specification contradicts itself, and what specifications and graphs of scenes both have to keep to.

Whether a scene could stand like this, ``scenes.checks`` says.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from vantage.errors import SceneError
from vantage.registry import did_you_mean
from vantage.scenes.spec.outlines import crosses_itself, signed_area
from vantage.scenes.spec.spec import (
    AXES,
    FACES,
    JOINTS,
    OPENINGS,
    OPPOSITES,
    PRINT_FACES,
    RELATIONS,
    SHAPES,
    Joint,
    ObjectSpec,
    Opening,
    Part,
    RoomSpec,
    SceneSpec,
)
from vantage.types import Point

LARGEST_ID = 2**31 - 1  # what a pixel of an instance image holds

FARTHEST = 100.0  # m: how far from the origin anything may be, and how long

_UNIT = 1e-3
_LARGEST_LETTER = 1.0  # m
_TOPPED = ("box", "cylinder")  # shapes with a flat top
_SHUT = 1e-6  # rad or m: a joint no farther open is closed
_EDGE = 0.01  # m: how far a room may reach beyond the bounds


def check_id(instance_id: int, label: str, seen: set[int], where: str) -> None:
    """Make sure that an id is new, positive and fits into an image, and remember it.

    Raises:
        SceneError: otherwise.
    """
    if instance_id <= 0 or instance_id in seen:
        raise SceneError(
            f"{where} has the instance id {instance_id} ({label}) twice or not positive; "
            "give each object its own id from 1"
        )
    if instance_id > LARGEST_ID:
        raise SceneError(f"{where} has the instance id {instance_id} ({label}); give one up to {LARGEST_ID}")
    seen.add(instance_id)


def check_label(label: str, name: str) -> None:
    """Make sure that a class is named by words in lower case with single blanks between them.

    Raises:
        SceneError: otherwise.
    """
    if not label:
        raise SceneError(f"{name} has no label; name its class")
    plain = " ".join(label.lower().split())
    if label != plain:
        raise SceneError(f"{name} has the label '{label}'; write it in lower case without spare blanks: '{plain}'")


def check_words(words: Sequence[str], kind: str, name: str) -> None:
    """Make sure that no word of a list of states or parts is empty or there twice, and no two exclude each other.

    Raises:
        SceneError: otherwise.
    """
    if "" in words or len(set(words)) < len(words):
        raise SceneError(f"{name} has a {kind} twice or without a name: {', '.join(words)}; name each one once")
    for first, second in OPPOSITES:
        if kind == "state" and first in words and second in words:
            raise SceneError(f"{name} is said to be both {first} and {second}; leave one of them out")


def check_box(low: Point, high: Point, what: str) -> None:
    """Make sure that a box is finite and not turned inside out.

    Raises:
        SceneError: otherwise.
    """
    if not all(math.isfinite(value) for value in (*low, *high)):
        raise SceneError(f"the box of {what} must be finite, got {low} to {high}")
    if any(a > b for a, b in zip(low, high, strict=True)):
        raise SceneError(f"the box of {what} has min {low} above max {high}; exchange them")


def check_rooms(rooms: Iterable[RoomSpec], where: str) -> set[int]:
    """The ids of rooms that are sound.

    Raises:
        SceneError: an id is not unique or not positive, a label is no lower-case word, or an outline encloses nothing.
    """
    known: set[int] = set()
    for room in rooms:
        _check_room(room, where)
        if room.room_id in known:
            raise SceneError(f"{where} has room {room.room_id} twice; give each room its own id")
        known.add(room.room_id)
    return known


def check_parents(relations: dict[int, tuple[str, int]], where: str) -> None:
    """Make sure that every parent of {id: (relation, parent)} exists and that no object carries itself.

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


def require_finite(values: Iterable[float], what: str) -> None:
    """Make sure that numbers are numbers.

    Raises:
        SceneError: one is NaN or infinite.
    """
    found = tuple(values)
    if not all(math.isfinite(value) for value in found):
        raise SceneError(f"{what} must be finite numbers, got {found}")


def _check_room(room: RoomSpec, where: str) -> None:
    name = f"room {room.room_id} ({room.label}) of {where}"
    if room.room_id <= 0:
        raise SceneError(f"{name} needs a positive id and a label")
    check_label(room.label, name)
    require_finite((room.height, *(value for corner in room.outline for value in corner)), f"the corners of {name}")
    if len(room.outline) >= 3 and crosses_itself(room.outline):
        raise SceneError(f"{name} has sides that cross each other; give its corners in order")
    if len(room.outline) < 3 or room.height <= 0 or signed_area(room.outline) <= 0:
        raise SceneError(f"{name} is no room: give a height and at least 3 corners counter-clockwise")


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
    for obj in spec.objects:
        check_id(obj.instance_id, obj.label, seen, where)
        _check_object(obj, where)
        if obj.room and obj.room not in rooms:
            raise SceneError(
                f"object {obj.instance_id} ({obj.label}) of {where} is in room {obj.room}, which does not exist"
            )
    check_parents({obj.instance_id: (obj.relation, obj.parent) for obj in spec.objects}, where)
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


def _check_object(obj: ObjectSpec, where: str) -> None:
    name = f"object {obj.instance_id} ({obj.label}) of {where}"
    check_label(obj.label, name)
    if not obj.parts:
        raise SceneError(f"{name} has no parts; give it at least one")
    require_finite((obj.yaw,), f"yaw of {name}")
    _require_near(obj.position, f"position of {name}")
    for part in obj.parts:
        _check_part(part, name)
    for joint in obj.joints:
        _check_joint(joint, obj, name)
    check_words(tuple(joint.part for joint in obj.joints), "joint", name)
    check_words(obj.states, "state", name)
    _check_openness(obj, name)
    require_finite((obj.mass,), f"mass of {name}")
    if obj.mass < 0:
        raise SceneError(f"{name} has a mass of {obj.mass} kg; give 0 where nobody knows it")


def _check_openness(obj: ObjectSpec, name: str) -> None:
    """Whether what is open or closed has its joints accordingly."""
    ajar = [joint.part for joint in obj.joints if joint.position > joint.low + _SHUT]
    if obj.joints and "closed" in obj.states and ajar:
        raise SceneError(f"{name} is said to be closed and its {ajar[0]} stands open; correct the joint or the state")
    if obj.joints and "open" in obj.states and not ajar:
        raise SceneError(f"{name} is said to be open and all its joints are closed; open one or correct the state")


def _check_part(part: Part, name: str) -> None:
    if part.shape not in SHAPES:
        hint = did_you_mean(part.shape, list(SHAPES))
        raise SceneError(f"{name} has a part of unknown shape '{part.shape}'{hint}")
    require_finite((*part.rgb, *part.ends, *part.rotation), f"the parts of {name}")
    _require_near((*part.center, *part.size), f"the parts of {name}")
    if min(part.size) <= 0:
        raise SceneError(f"{name} has a part of size {part.size}; every extent must be positive")
    if part.axis not in AXES or any(face not in FACES for face in part.open_faces):
        raise SceneError(f"{name} has a part with an unknown axis or face; use {AXES} and {FACES}")
    if part.print_face not in PRINT_FACES or (part.print_face == "z+" and part.shape not in _TOPPED):
        raise SceneError(
            f"{name} has print on the face '{part.print_face}' of a {part.shape}; boxes and cylinders bear it on "
            f"{' and '.join(PRINT_FACES)}"
        )
    if not 0.0 <= part.letter <= _LARGEST_LETTER:
        raise SceneError(f"{name} has letters of {part.letter} m; give a height from 0 to {_LARGEST_LETTER}")
    if min(part.ends) < 0 or max(part.ends) <= 0 or not all(0 <= value <= 1 for value in part.rgb):
        raise SceneError(f"{name} has a part with colors outside 0..1 or negative cone ends")


def _check_joint(joint: Joint, obj: ObjectSpec, name: str) -> None:
    if joint.part not in obj.part_names:
        raise SceneError(
            f"{name} has a joint for the part '{joint.part}'{did_you_mean(joint.part, list(obj.part_names))}"
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


def _check_opening(opening: Opening, rooms: set[int], objects: set[int], name: str) -> None:
    if opening.kind not in OPENINGS:
        raise SceneError(f"{name} is of unknown kind '{opening.kind}'{did_you_mean(opening.kind, list(OPENINGS))}")
    _require_near((*opening.low, *opening.high), f"the corners of {name}")
    if any(low >= high for low, high in zip(opening.low, opening.high, strict=True)):
        raise SceneError(f"{name} is empty, {opening.low} to {opening.high}; give min < max")
    if any(room and room not in rooms for room in opening.rooms):
        raise SceneError(f"{name} leads to rooms {opening.rooms}, of which one does not exist")
    if opening.instance and opening.instance not in objects:
        raise SceneError(f"{name} is filled by object {opening.instance}, which does not exist")
