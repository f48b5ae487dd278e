"""What of a home is fixed, what can be picked up and what moves on a joint, and what of an object is to be touched."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vantage.scenes.geometry import estimated_mass
from vantage.scenes.spec import AXES, Joint, ObjectSpec, Part, SceneSpec, object_bounds, part_reach
from vantage.worlds.house.bodies.touch_pieces import Array, Piece, pieces

CARRIED_MASS = 5.0  # kg: what weighs less can be picked up

_CARPET = (0.5, 0.05)  # m: what is wider both ways and less high lies on the floor for good
_LIQUID = "water"  # look of what fills a cup: nothing stops at it
_PROUD = 0.0035  # m: how far what is only seen may stand out of a solid primitive of the same thing
_FLUSH = 0.0005  # m: the same where other things may lie on it
_CRUMB = 0.012  # m: what is smaller is only seen
_BASE = 0.0005  # m: parts no higher than this above the lowest one carry the whole thing


@dataclass(frozen=True, eq=False)
class RigidGroup:
    """Primitives of one object that move together.

    Attributes:
        name: of the moving part; empty for the body of the object.
        joint: by which it moves, None for the body.
        parts: indices among the parts of the object.
        pieces: of it that can be touched, in the frame of the object.
        volume: of the pieces, m^3.
    """

    name: str
    joint: Joint | None
    parts: tuple[int, ...]
    pieces: tuple[Piece, ...]

    @property
    def volume(self) -> float:
        return sum(piece.volume for piece in self.pieces)


def rigid_groups(obj: ObjectSpec, movable: bool) -> list[RigidGroup]:
    """The body of an object first, which may be empty, and then one group for every joint."""
    joints = {joint.part: joint for joint in obj.joints}
    members: dict[str, list[int]] = {"": [], **{name: [] for name in joints}}
    for index, part in enumerate(obj.parts):
        members[part.name if part.name in joints else ""].append(index)
    base = min(_bottom(part) for part in obj.parts)
    return [
        RigidGroup(name, joints.get(name), tuple(indices), tuple(_touched(obj, indices, movable, base)))
        for name, indices in members.items()
    ]


def movable_instances(home: SceneSpec) -> frozenset[int]:
    """Ids of what can be picked up: it weighs less than 5 kg and stands, lies or is on or in something."""
    objects = {obj.instance_id: obj for obj in home.objects}
    fillers = {opening.instance for opening in home.openings}
    return frozenset(
        obj.instance_id
        for obj in home.objects
        if obj.instance_id not in fillers
        and not obj.is_structure
        and mass_of(obj) < CARRIED_MASS
        and not _hangs(obj, objects)
        and not _is_carpet(obj)
    )


def mass_of(obj: ObjectSpec) -> float:
    """Mass of an object, kg; of one whose mass nobody knows, that of its materials."""
    return obj.mass if obj.mass > 0.0 else estimated_mass(obj)


def _hangs(obj: ObjectSpec, objects: Mapping[int, ObjectSpec]) -> bool:
    parent = objects.get(obj.parent)
    return parent is not None and parent.label in ("wall", "ceiling")


def _is_carpet(obj: ObjectSpec) -> bool:
    low, high = object_bounds(obj)
    wide = min(high[0] - low[0], high[1] - low[1])
    return obj.parent == 0 and wide > _CARPET[0] and high[2] - low[2] < _CARPET[1]


def _touched(obj: ObjectSpec, indices: Sequence[int], movable: bool, base: float) -> list[Piece]:
    """Pieces of the primitives that can be touched: not what is drawn on others, liquids and crumbs."""
    solid = obj.is_structure
    chosen = [index for index in indices if not _only_seen(obj, index, indices, movable, base)]
    middle = np.mean([part.center for part in obj.parts], axis=0)
    found = []
    for index in chosen or indices:
        part = obj.parts[index]
        lowest = _bottom(part) <= base + _BASE
        inward = [-math.copysign(1.0, part.center[k] - middle[k]) for k in (0, 1)]
        upward = 1.0 if movable and lowest else -1.0
        found += pieces(part, solid, (inward[0], inward[1], upward))
    return found


def _only_seen(obj: ObjectSpec, index: int, indices: Sequence[int], movable: bool, base: float) -> bool:
    part = obj.parts[index]
    if part.look == _LIQUID:
        return True
    if obj.is_structure or any(part.rotation) or _bottom(part) <= base + _BASE:
        return False
    if movable and max(part.size) < _CRUMB:
        return True
    proud = _PROUD if movable else _FLUSH
    points = _rim(part)
    return any(
        _covers(obj.parts[other], points, proud) and _outweighs(obj.parts[other], other, part, index)
        for other in indices
        if other != index
    )


def _bottom(part: Part) -> float:
    return part.center[2] - part_reach(part)[2]


def _outweighs(one: Part, first: int, other: Part, second: int) -> bool:
    """Whether of two primitives that cover each other the first one is kept."""
    return (math.prod(one.size), -first) > (math.prod(other.size), -second)


def _rim(part: Part) -> Array:
    """Points (N, 3) of the frame of the object that lie around a primitive that is not turned."""
    half = 0.5 * np.array(part.size)
    if part.shape == "ellipsoid":
        unit = np.concatenate([np.eye(3), -np.eye(3)])
    elif part.shape == "box":
        unit = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
    else:
        k = AXES.index(part.axis)
        angles = math.tau * np.arange(16) / 16
        unit = np.empty((32, 3))
        unit[:, (k + 1) % 3] = np.tile(np.cos(angles), 2)
        unit[:, (k + 2) % 3] = np.tile(np.sin(angles), 2)
        unit[:, k] = np.repeat([-1.0, 1.0], 16)
    return np.asarray(np.array(part.center) + unit * half)


def _covers(part: Part, points: Array, proud: float) -> bool:
    """Whether a solid primitive, grown by ``proud`` m, holds all points."""
    if part.open_faces or part.shape == "cone" or any(part.rotation):
        return False
    half = 0.5 * np.array(part.size) + proud
    ratio = np.abs(points - np.array(part.center)) / half
    if part.shape == "box":
        return bool((ratio <= 1.0).all())
    if part.shape == "ellipsoid":
        return bool(((ratio**2).sum(axis=1) <= 1.0).all())
    k = AXES.index(part.axis)
    across = ratio[:, (k + 1) % 3] ** 2 + ratio[:, (k + 2) % 3] ** 2
    return bool((ratio[:, k] <= 1.0).all() and (across <= 1.0).all())
