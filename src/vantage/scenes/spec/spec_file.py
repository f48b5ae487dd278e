"""Scene specifications as JSON files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from vantage.decoding import decode
from vantage.files import read_json, write_whole
from vantage.scenes.spec import decoding
from vantage.scenes.spec.spec import Joint, ObjectSpec, Opening, Part, RoomSpec, SceneSpec
from vantage.scenes.spec.spec_checks import check_spec

SPEC_SCHEMA = "vantage/scene-spec"
VERSION = 2

_KEYS = (
    "schema",
    "version",
    "name",
    "seed",
    "generator_version",
    "bounds_min",
    "bounds_max",
    "rooms",
    "openings",
    "objects",
)


def save_spec(spec: SceneSpec, path: str | Path) -> None:
    """Write the whole file or nothing; equal specifications give equal bytes.

    Raises:
        SceneError: the scene contradicts itself.
    """
    check_spec(spec)
    write_whole(path, json.dumps(spec_to_json(spec), indent=1, allow_nan=False) + "\n")


def load_spec(path: str | Path) -> SceneSpec:
    """Read what ``save_spec`` wrote.

    Raises:
        FormatError: the file is missing, no JSON or of another kind.
        SceneError: the scene contradicts itself.
    """
    return spec_from_json(read_json(path), str(path))


def spec_to_json(spec: SceneSpec) -> dict[str, Any]:
    """Plain data for ``json``."""
    return {
        "schema": SPEC_SCHEMA,
        "version": VERSION,
        "name": spec.name,
        "seed": spec.seed,
        "generator_version": spec.generator_version,
        "bounds_min": list(spec.bounds_min),
        "bounds_max": list(spec.bounds_max),
        "rooms": [room_to_json(room) for room in spec.rooms],
        "openings": [_opening_to_json(opening) for opening in spec.openings],
        "objects": [_object_to_json(obj) for obj in spec.objects],
    }


def spec_from_json(document: Any, where: str = "the scene specification") -> SceneSpec:
    """The checked inverse of ``spec_to_json``.

    Raises:
        FormatError: a field is missing or of the wrong type.
        SceneError: the scene contradicts itself.
    """
    record = decoding.schema(document, SPEC_SCHEMA, VERSION, where)
    decoding.no_others(record, _KEYS, where)
    objects = decoding.records(record, "objects", where)
    rooms = decoding.records(record, "rooms", where, [])
    openings = decoding.records(record, "openings", where, [])
    spec = SceneSpec(
        name=decoding.text(record, "name", where),
        seed=decoding.integer(record, "seed", where),
        generator_version=decoding.integer(record, "generator_version", where),
        bounds_min=decoding.point(record, "bounds_min", where),
        bounds_max=decoding.point(record, "bounds_max", where),
        objects=tuple(_object_from_json(entry, f"object {k} of {where}") for k, entry in enumerate(objects)),
        rooms=tuple(room_from_json(entry, f"room {k} of {where}") for k, entry in enumerate(rooms)),
        openings=tuple(_opening_from_json(entry, f"opening {k} of {where}") for k, entry in enumerate(openings)),
    )
    check_spec(spec)
    return spec


def _object_to_json(obj: ObjectSpec) -> dict[str, Any]:
    return {
        "id": obj.instance_id,
        "label": obj.label,
        "color": obj.color,
        "material": obj.material,
        "position": list(obj.position),
        "yaw": obj.yaw,
        "relation": obj.relation,
        "parent": obj.parent,
        "states": list(obj.states),
        "shape": obj.shape,
        "mass": obj.mass,
        "room": obj.room,
        "kind": obj.kind,
        "joints": [_joint_to_json(joint) for joint in obj.joints],
        "parts": [_part_to_json(part) for part in obj.parts],
    }


def _part_to_json(part: Part) -> dict[str, Any]:
    record: dict[str, Any] = {
        "shape": part.shape,
        "center": list(part.center),
        "size": list(part.size),
        "rgb": list(part.rgb),
    }
    if part.open_faces:
        record["open_faces"] = list(part.open_faces)
    if part.axis != "z":
        record["axis"] = part.axis
    if part.shape == "cone":
        record["ends"] = list(part.ends)
    if part.look:
        record["look"] = part.look
    if part.name != "body":
        record["name"] = part.name
    if part.text:
        record["text"] = part.text
    if part.print_face != "x+":
        record["print_face"] = part.print_face
    if part.letter:
        record["letter"] = part.letter
    if part.is_turned:
        record["rotation"] = list(part.rotation)
    return record


def _joint_to_json(joint: Joint) -> dict[str, Any]:
    return {
        "part": joint.part,
        "kind": joint.kind,
        "axis": list(joint.axis),
        "origin": list(joint.origin),
        "range": [joint.low, joint.high],
        "position": joint.position,
    }


def room_to_json(room: RoomSpec) -> dict[str, Any]:
    """Plain data for ``json``."""
    outline = [list(corner) for corner in room.outline]
    return {"id": room.room_id, "label": room.label, "outline": outline, "height": room.height}


def _opening_to_json(opening: Opening) -> dict[str, Any]:
    return {
        "kind": opening.kind,
        "rooms": list(opening.rooms),
        "low": list(opening.low),
        "high": list(opening.high),
        "object": opening.instance,
    }


def _object_from_json(value: Any, where: str) -> ObjectSpec:
    record = dict(decoding.mapping(value, where))
    joints = decoding.records(record, "joints", where, [])
    record["joints"] = [_joint_from_json(entry, f"joint {k} of {where}") for k, entry in enumerate(joints)]
    return decode(ObjectSpec, record, where, names={"id": "instance_id"})


def _joint_from_json(value: Any, where: str) -> Joint:
    record = dict(decoding.mapping(value, where))
    record["low"], record["high"] = decoding.numbers(record, "range", 2, where)
    return decode(Joint, record, where)


def room_from_json(value: Any, where: str) -> RoomSpec:
    """The inverse of ``room_to_json``; the room is not checked.

    Raises:
        FormatError: a field is missing or of the wrong type.
    """
    return decode(RoomSpec, value, where, names={"id": "room_id"})


def _opening_from_json(value: Any, where: str) -> Opening:
    return decode(Opening, value, where, names={"object": "instance"})
