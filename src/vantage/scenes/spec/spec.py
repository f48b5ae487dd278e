"""A scene specification: what is where, in words and metres. It knows nothing of splats or physics.

World frame: Z up, floor at z = 0, metres and radians.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from vantage.spatial import Matrix, rotation_matrix
from vantage.types import Point

Color = tuple[float, float, float]

SHAPES = ("box", "cylinder", "ellipsoid", "cone")
AXES = ("x", "y", "z")
FACES = ("x+", "x-", "y+", "y-", "z+", "z-")
RELATIONS = ("", "on", "in")
JOINTS = ("hinge", "slide")
PRINT_FACES = ("x+", "z+")
OPENINGS = ("door", "doorway", "window")
OPPOSITES = (("open", "closed"), ("on", "off"), ("full", "empty"), ("dirty", "clean"))  # states
STRUCTURE_LABELS = ("floor", "wall", "ceiling")


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
        name: of the part of the object that this primitive belongs to, such as ``drawer 1``; several primitives may
            share one.
        text: words printed on its front (the face or the side towards the object's +x axis), empty for none.
        print_face: on which face the words are, of ``PRINT_FACES``; boxes and cylinders may bear them on top, to be
            read by somebody who stands before the object.
        letter: height of the largest letters, m; 0 for usual ones, 1.9 cm.
        rotation: rotation vector, rad, in the object frame: how the primitive is turned about its center after it was
            given its size along the object's axes. A part of a hinge that stands ajar is turned; others are not.
    """

    shape: str
    center: Point
    size: Point
    rgb: Color
    open_faces: tuple[str, ...] = ()
    axis: str = "z"
    ends: tuple[float, float] = (1.0, 0.0)
    look: str = ""
    name: str = "body"
    text: str = ""
    print_face: str = "x+"
    letter: float = 0.0
    rotation: Point = (0.0, 0.0, 0.0)

    @property
    def is_round(self) -> bool:
        """Whether its outline seen from above is an ellipse rather than a rectangle."""
        return self.shape == "ellipsoid" or (self.shape in ("cylinder", "cone") and self.axis == "z")

    @property
    def is_turned(self) -> bool:
        """Whether its axes are not those of its object."""
        return self.rotation != (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Joint:
    """How one part of an object can move against its body. Parts are given where they are now, at ``position``.

    Attributes:
        part: name of the moving part.
        kind: of ``JOINTS``: a hinge turns about its axis, a slide moves along it.
        axis: unit vector in the object frame; positive is opening.
        origin: a point on the axis in the object frame, m.
        low, high: range, rad or m; ``low`` is closed.
        position: now, rad or m.
    """

    part: str
    kind: str
    axis: Point
    origin: Point
    low: float
    high: float
    position: float


@dataclass(frozen=True)
class ObjectSpec:
    """An object with a class, attributes and a place.

    Attributes:
        instance_id: unique and positive; 0 stands for "nothing".
        label, color, material: words, lower case; color and material are empty where no single word is right.
        position: of the object frame (centre of the base) in the world, m.
        yaw: of the object frame, rad.
        relation, parent: ``on`` or ``in`` another object, or ``""`` and 0 (parent) when it stands on the floor or is
            part of the building.
        states: such as ``open`` or ``closed``, ``on`` or ``off``, ``full`` or ``empty``, ``dirty`` or ``clean``.
        shape: one word such as ``round``, empty where none is right.
        mass: kg; 0 where nobody knows, and for the building.
        room: id of the room it is in, 0 for none.
        joints: of its moving parts.
        kind: name of the catalog entry or asset that it was made from, empty where there is none.
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
    shape: str = ""
    mass: float = 0.0
    room: int = 0
    joints: tuple[Joint, ...] = ()
    kind: str = ""

    @property
    def is_structure(self) -> bool:
        """Whether it is the building itself."""
        return self.label in STRUCTURE_LABELS

    @property
    def part_names(self) -> tuple[str, ...]:
        """Names of its parts in order of appearance; part ids count them from 1."""
        return tuple(dict.fromkeys(part.name for part in self.parts))

    @property
    def text(self) -> str:
        """All words printed on it, in order, empty for none."""
        return " ".join(dict.fromkeys(part.text for part in self.parts if part.text))


@dataclass(frozen=True)
class RoomSpec:
    """A room of a home.

    Attributes:
        room_id: unique and positive.
        label: such as ``kitchen``; several rooms may share one.
        outline: corners of its floor, counter-clockwise seen from above, m.
        height: from floor to ceiling, m.
    """

    room_id: int
    label: str
    outline: tuple[tuple[float, float], ...]
    height: float


@dataclass(frozen=True)
class Opening:
    """A hole in a wall.

    Attributes:
        kind: of ``OPENINGS``; a doorway has no leaf.
        rooms: ids of the rooms on both sides, 0 for outside.
        low, high: corners of the hole through the whole wall, world frame, m.
        instance: id of the object that fills it, 0 for none.
    """

    kind: str
    rooms: tuple[int, int]
    low: Point
    high: Point
    instance: int = 0


@dataclass(frozen=True)
class SceneSpec:
    """A home: rooms, openings and objects.

    Attributes:
        bounds_min, bounds_max: of the inner space of all rooms together, m.
    """

    name: str
    seed: int
    generator_version: int
    bounds_min: Point
    bounds_max: Point
    objects: tuple[ObjectSpec, ...]
    rooms: tuple[RoomSpec, ...] = ()
    openings: tuple[Opening, ...] = ()


def turned_reach(part: Part, turn: Matrix) -> Point:
    """Half the extents of the smallest box, along the axes of a frame, around a part.

    Args:
        part: whose own ``rotation`` counts no more.
        turn: (3, 3), from the part's frame, in which it has its size, to the frame of the box.
    """
    halves = [0.5 * extent for extent in part.size]
    rows = [[float(turn[i, k]) * halves[k] for k in range(3)] for i in range(3)]
    if part.shape == "ellipsoid":
        x, y, z = (math.hypot(*row) for row in rows)
    elif part.shape == "box":
        x, y, z = (sum(map(abs, row)) for row in rows)
    else:
        along = AXES.index(part.axis)
        x, y, z = (abs(row[along]) + math.hypot(*(row[k] for k in range(3) if k != along)) for row in rows)
    return x, y, z


def part_reach(part: Part) -> Point:
    """Half the extents of the box, along the axes of its object, around a part: half its size where it is not turned.

    Tight for every shape but a tapered cone.
    """
    if not part.is_turned:
        x, y, z = part.size
        return 0.5 * x, 0.5 * y, 0.5 * z
    return turned_reach(part, rotation_matrix(part.rotation))


def object_bounds(obj: ObjectSpec) -> tuple[Point, Point]:
    """Smallest world-aligned box (min, max in m) around an object; tight for every shape but a tapered cone."""
    c, s = math.cos(obj.yaw), math.sin(obj.yaw)
    low, high = [math.inf] * 3, [-math.inf] * 3
    for part in obj.parts:
        a, b, h = (0.5 * extent for extent in part.size)
        if part.is_turned:
            half = turned_reach(part, rotation_matrix((0.0, 0.0, obj.yaw)) @ rotation_matrix(part.rotation))
        elif part.is_round:
            half = (math.hypot(a * c, b * s), math.hypot(a * s, b * c), h)
        else:
            half = (abs(a * c) + abs(b * s), abs(a * s) + abs(b * c), h)
        x, y, z = part.center
        center = (obj.position[0] + c * x - s * y, obj.position[1] + s * x + c * y, obj.position[2] + z)
        for k in range(3):
            low[k] = min(low[k], center[k] - half[k])
            high[k] = max(high[k], center[k] + half[k])
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])
