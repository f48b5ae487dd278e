"""The pieces that a scene is covered with, and what each object needs to know about those around it."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field, replace

import numpy as np

from vantage.scenes.looks import Finish
from vantage.scenes.spec import ObjectSpec, Part, SceneSpec, part_reach
from vantage.spatial import rotation_matrix
from vantage.splats.synthesis.rings import Ring
from vantage.splats.synthesis.samples import Array
from vantage.splats.synthesis.sheets import Sheet, Stroke, Vector

_ALIKE = 1e-9  # rad: parts whose rotations differ less are turned together
UPRIGHT = 1e-3  # rad: by how much objects that stand straight to each other may be turned


@dataclass(frozen=True)
class Turn:
    """How the primitives of a part that stands ajar are turned together: a rotation (3, 3) about an anchor (3,), m."""

    rotation: Array
    anchor: Array

    def applied(self, points: Array) -> Array:
        """Points (N, 3) as they are in the object frame."""
        turned: Array = self.anchor + (points - self.anchor) @ self.rotation.T
        return turned

    def undone(self, points: Array) -> Array:
        """The inverse of ``applied``."""
        straight: Array = self.anchor + (points - self.anchor) @ self.rotation
        return straight


Frame = tuple[Turn | None, list[tuple[int, Part]]]


def frames_of(obj: ObjectSpec) -> list[Frame]:
    """The parts of an object, by number, as they are when none is turned, those first that are not.

    Parts with the same rotation are brought back together, so that they lie against each other as they do.
    """
    groups: dict[Vector, list[tuple[int, Part]]] = {(0.0, 0.0, 0.0): []}
    for number, part in enumerate(obj.parts):
        near = (key for key in groups if math.dist(key, part.rotation) < _ALIKE)
        groups.setdefault(next(near, part.rotation), []).append((number, part))
    frames: list[Frame] = []
    for rotation, members in groups.items():
        if rotation == (0.0, 0.0, 0.0):
            frames.append((None, members))
            continue
        turn = Turn(rotation_matrix(rotation), np.asarray(members[0][1].center))
        straight = turn.undone(np.array([part.center for _, part in members])).tolist()
        frames.append(
            (
                turn,
                [
                    (number, replace(part, center=(x, y, z), rotation=(0.0, 0.0, 0.0)))
                    for (number, part), (x, y, z) in zip(members, straight, strict=True)
                ],
            )
        )
    return frames


@dataclass(frozen=True)
class Piece:
    """A part of an object, or something painted on it, and how it is covered.

    Attributes:
        part_id: of the part within its object, counted from 1.
        spacing: largest cell, m.
        spread: standard deviation of a Gaussian in widths of its cell.
        seed: varies the look.
        solid: whether what lies inside it is hidden.
        turn: of a part that is turned, which is covered as if it were not; None for others.
    """

    obj: ObjectSpec
    part: Part
    part_id: int
    finish: Finish
    spacing: float
    spread: float
    seed: int
    solid: bool
    turn: Turn | None = None


@dataclass
class Plan:
    """All pieces of a scene and the shapes that cover them."""

    pieces: list[Piece] = field(default_factory=list)
    sheets: list[Sheet] = field(default_factory=list)
    rings: list[Ring] = field(default_factory=list)
    strokes: list[Stroke] = field(default_factory=list)

    def add(self, piece: Piece) -> int:
        """The number of a new piece."""
        self.pieces.append(piece)
        return len(self.pieces) - 1


class Neighbours:
    """Which objects rest on which, and which walls are around them."""

    def __init__(self, spec: SceneSpec) -> None:
        self.spec = spec
        self._room_labels = {room.room_id: room.label for room in spec.rooms}
        self._by_id = {obj.instance_id: obj for obj in spec.objects}
        self._children: dict[int, list[ObjectSpec]] = defaultdict(list)
        self._by_room: dict[int, list[ObjectSpec]] = defaultdict(list)
        self._walls: dict[int, list[ObjectSpec]] = defaultdict(list)
        for obj in spec.objects:
            if obj.parent:
                self._children[obj.parent].append(obj)
            if obj.label == "wall":
                self._walls[obj.room].append(obj)
            elif not obj.is_structure:
                self._by_room[obj.room].append(obj)

    def room_label(self, room: int) -> str:
        """Its kind of room, empty where unknown."""
        return self._room_labels.get(room, "")

    def children(self, obj: ObjectSpec) -> list[ObjectSpec]:
        """What rests directly on or in an object."""
        return self._children[obj.instance_id]

    def parent(self, obj: ObjectSpec) -> ObjectSpec | None:
        """What an object rests on or in."""
        return self._by_id.get(obj.parent)

    def walls(self, obj: ObjectSpec) -> list[ObjectSpec]:
        """The walls that an object may stand against."""
        return self._walls[obj.room] or [wall for walls in self._walls.values() for wall in walls]

    def around(self, structure: ObjectSpec) -> list[ObjectSpec]:
        """The objects that may stand against a wall or on a floor."""
        if not structure.room:
            return [obj for objects in self._by_room.values() for obj in objects]
        return [*self._by_room[structure.room], *self._by_room[0]]


def base_of(obj: ObjectSpec) -> float:
    """Height of its lowest point in its own frame, m."""
    return min(part.center[2] - part_reach(part)[2] for part in obj.parts)


def place_in(obj: ObjectSpec, frame: ObjectSpec) -> tuple[float, float, float, float]:
    """Position (m) and yaw (rad) of an object in the frame of another."""
    c, s = math.cos(frame.yaw), math.sin(frame.yaw)
    x, y, z = (a - b for a, b in zip(obj.position, frame.position, strict=True))
    return c * x + s * y, c * y - s * x, z, math.remainder(obj.yaw - frame.yaw, math.tau)
