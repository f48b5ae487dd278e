"""A scene specification: what is where, in words and metres. It knows nothing of splats or physics.

World frame: Z up, floor at z = 0, metres and radians.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vantage.errors import SceneError
from vantage.files import read_json, write_whole
from vantage.registry import did_you_mean
from vantage.scenes import decoding
from vantage.types import Point

Color = tuple[float, float, float]

SHAPES = ("box", "cylinder", "ellipsoid", "cone")
AXES = ("x", "y", "z")
FACES = ("x+", "x-", "y+", "y-", "z+", "z-")
RELATIONS = ("", "on", "in")
STRUCTURE_LABELS = ("floor", "wall", "ceiling")

SCHEMA = "vantage/scene-spec"
VERSION = 1


@dataclass(frozen=True)
class Part:
    """A primitive of an object.

    Attributes:
        shape: one of ``SHAPES``; cylinders and cones stand along ``axis``.
        center: of its bounding box in the object frame, m.
        size: full extents along the object's axes, m.
        rgb: 0..1.
        open_faces: faces of a box that are left out, of ``FACES`` (a hollow, open container). Cylinders and cones know
            the two caps of their axis.
        axis: the object axis along which a cylinder or cone stands.
        ends: radii of a cone at the low and the high end of its axis, as fractions of half its size.
        look: surface finish such as ``sky`` or ``screen``; empty stands for the look of the object's material.
    """

    shape: str
    center: Point
    size: Point
    rgb: Color
    open_faces: tuple[str, ...] = ()
    axis: str = "z"
    ends: tuple[float, float] = (1.0, 0.0)
    look: str = ""

    @property
    def is_round(self) -> bool:
        """Whether its outline seen from above is an ellipse rather than a rectangle."""
        return self.shape == "ellipsoid" or (self.shape in ("cylinder", "cone") and self.axis == "z")


@dataclass(frozen=True)
class ObjectSpec:
    """A thing with a class, attributes and a place.

    Attributes:
        instance_id: unique and positive; 0 stands for "nothing".
        label, color, material: words, lower case; color and material are empty where no single word is right.
        position: of the object frame (centre of the base) in the world, m.
        yaw: of the object frame, rad.
        relation, parent: ``on`` or ``in`` another object, or ``""`` and 0 (parent) when it stands on the floor or is
            part of the building.
        states: such as ``open`` or ``closed``.
    """

    instance_id: int
    label: str
    color: str
    material: str
    position: Point
    yaw: float
    parts: tuple[Part, ...]
    relation: str = ""
    parent: int = 0
    states: tuple[str, ...] = ()

    @property
    def is_structure(self) -> bool:
        """Whether it is the building itself."""
        return self.label in STRUCTURE_LABELS


@dataclass(frozen=True)
class SceneSpec:
    """One room with its things.

    Attributes:
        bounds_min, bounds_max: of the room's inner space, m.
    """

    name: str
    seed: int
    generator_version: int
    bounds_min: Point
    bounds_max: Point
    objects: tuple[ObjectSpec, ...]

    def check(self) -> None:
        """Make sure that the specification does not contradict itself.

        Raises:
            SceneError: ids not unique and positive, unknown shapes, sizes not positive, numbers not finite, parents
                that do not exist or are each other's parents, or empty bounds.
        """
        where = f"scene '{self.name}'"
        _require_finite((*self.bounds_min, *self.bounds_max), f"the bounds of {where}")
        if any(low >= high for low, high in zip(self.bounds_min, self.bounds_max, strict=True)):
            raise SceneError(f"{where} has empty bounds {self.bounds_min} to {self.bounds_max}; give min < max")
        seen: set[int] = set()
        for thing in self.objects:
            if thing.instance_id <= 0 or thing.instance_id in seen:
                raise SceneError(
                    f"{where} has the instance id {thing.instance_id} ({thing.label}) twice or not positive; "
                    "give each object its own id from 1"
                )
            seen.add(thing.instance_id)
            _check_object(thing, where)
        check_parents({thing.instance_id: (thing.relation, thing.parent) for thing in self.objects}, where)

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``json``."""
        return {
            "schema": SCHEMA,
            "version": VERSION,
            "name": self.name,
            "seed": self.seed,
            "generator_version": self.generator_version,
            "bounds_min": list(self.bounds_min),
            "bounds_max": list(self.bounds_max),
            "objects": [_object_to_json(thing) for thing in self.objects],
        }

    @staticmethod
    def from_json(document: Any, where: str = "the scene specification") -> SceneSpec:
        """The checked inverse of ``to_json``.

        Raises:
            FormatError: a field is missing or of the wrong type.
            SceneError: the scene contradicts itself.
        """
        record = decoding.schema(document, SCHEMA, VERSION, where)
        objects = decoding.records(record, "objects", where)
        spec = SceneSpec(
            name=decoding.text(record, "name", where),
            seed=decoding.integer(record, "seed", where),
            generator_version=decoding.integer(record, "generator_version", where),
            bounds_min=decoding.point(record, "bounds_min", where),
            bounds_max=decoding.point(record, "bounds_max", where),
            objects=tuple(_object_from_json(entry, f"object {k} of {where}") for k, entry in enumerate(objects)),
        )
        spec.check()
        return spec

    def save(self, path: str | Path) -> None:
        """Write the whole file or nothing; equal specifications give equal bytes.

        Raises:
            SceneError: the scene contradicts itself.
        """
        self.check()
        write_whole(path, json.dumps(self.to_json(), indent=1, allow_nan=False) + "\n")

    @staticmethod
    def load(path: str | Path) -> SceneSpec:
        """Read what ``save`` wrote.

        Raises:
            FormatError: the file is missing, no JSON or of another kind.
            SceneError: the scene contradicts itself.
        """
        return SceneSpec.from_json(read_json(path), str(path))


def object_bounds(thing: ObjectSpec) -> tuple[Point, Point]:
    """Smallest world-aligned box (min, max in m) around an object; tight for every shape but a tapered cone."""
    c, s = math.cos(thing.yaw), math.sin(thing.yaw)
    low, high = [math.inf] * 3, [-math.inf] * 3
    for part in thing.parts:
        a, b, h = (0.5 * extent for extent in part.size)
        if part.is_round:
            half = (math.hypot(a * c, b * s), math.hypot(a * s, b * c), h)
        else:
            half = (abs(a * c) + abs(b * s), abs(a * s) + abs(b * c), h)
        x, y, z = part.center
        center = (thing.position[0] + c * x - s * y, thing.position[1] + s * x + c * y, thing.position[2] + z)
        for k in range(3):
            low[k] = min(low[k], center[k] - half[k])
            high[k] = max(high[k], center[k] + half[k])
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])


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


def _object_to_json(thing: ObjectSpec) -> dict[str, Any]:
    return {
        "id": thing.instance_id,
        "label": thing.label,
        "color": thing.color,
        "material": thing.material,
        "position": list(thing.position),
        "yaw": thing.yaw,
        "relation": thing.relation,
        "parent": thing.parent,
        "states": list(thing.states),
        "parts": [_part_to_json(part) for part in thing.parts],
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
    return record


def _object_from_json(value: Any, where: str) -> ObjectSpec:
    record = decoding.mapping(value, where)
    parts = decoding.records(record, "parts", where)
    return ObjectSpec(
        instance_id=decoding.integer(record, "id", where),
        label=decoding.text(record, "label", where),
        color=decoding.text(record, "color", where, ""),
        material=decoding.text(record, "material", where, ""),
        position=decoding.point(record, "position", where),
        yaw=decoding.number(decoding.item(record, "yaw", where), f"'yaw' of {where}"),
        parts=tuple(_part_from_json(entry, f"part {k} of {where}") for k, entry in enumerate(parts)),
        relation=decoding.text(record, "relation", where, ""),
        parent=decoding.integer(record, "parent", where, 0),
        states=decoding.words(record, "states", where),
    )


def _part_from_json(value: Any, where: str) -> Part:
    record = decoding.mapping(value, where)
    ends = decoding.numbers(record, "ends", 2, where) if "ends" in record else (1.0, 0.0)
    return Part(
        shape=decoding.text(record, "shape", where),
        center=decoding.point(record, "center", where),
        size=decoding.point(record, "size", where),
        rgb=decoding.point(record, "rgb", where),
        open_faces=decoding.words(record, "open_faces", where),
        axis=decoding.text(record, "axis", where, "z"),
        ends=(ends[0], ends[1]),
        look=decoding.text(record, "look", where, ""),
    )
