"""The pieces that a scene is covered with, and what each object needs to know about those around it."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field

from vantage.errors import SceneError
from vantage.registry import did_you_mean
from vantage.scenes.spec.spec import ObjectSpec, Part, SceneSpec
from vantage.splats.synthesis.looks import LOOKS
from vantage.splats.synthesis.rings import Ring
from vantage.splats.synthesis.sheets import Sheet, Stroke
from vantage.splats.synthesis.textures import Finish

UPRIGHT = 1e-3  # rad: by how much things that stand straight to each other may be turned


@dataclass(frozen=True)
class Piece:
    """A part of a thing, or something painted on it, and how it is covered.

    Attributes:
        part_id: of the part within its thing, counted from 1.
        spacing: largest cell, m.
        spread: standard deviation of a Gaussian in widths of its cell.
        seed: varies the look.
        solid: whether what lies inside it is hidden.
    """

    thing: ObjectSpec
    part: Part
    part_id: int
    finish: Finish
    spacing: float
    spread: float
    seed: int
    solid: bool


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
    """Which things rest on which, and which walls are around them."""

    def __init__(self, spec: SceneSpec) -> None:
        self.spec = spec
        self._room_labels = {room.room_id: room.label for room in spec.rooms}
        self._by_id = {thing.instance_id: thing for thing in spec.objects}
        self._children: dict[int, list[ObjectSpec]] = defaultdict(list)
        self._by_room: dict[int, list[ObjectSpec]] = defaultdict(list)
        self._walls: dict[int, list[ObjectSpec]] = defaultdict(list)
        for thing in spec.objects:
            if thing.parent:
                self._children[thing.parent].append(thing)
            if thing.label == "wall":
                self._walls[thing.room].append(thing)
            elif not thing.is_structure:
                self._by_room[thing.room].append(thing)

    def room_label(self, room: int) -> str:
        """Its kind of room, empty where nobody knows."""
        return self._room_labels.get(room, "")

    def children(self, thing: ObjectSpec) -> list[ObjectSpec]:
        """What rests directly on or in a thing."""
        return self._children[thing.instance_id]

    def parent(self, thing: ObjectSpec) -> ObjectSpec | None:
        """What a thing rests on or in."""
        return self._by_id.get(thing.parent)

    def walls(self, thing: ObjectSpec) -> list[ObjectSpec]:
        """The walls that a thing may stand against."""
        return self._walls[thing.room] or [wall for walls in self._walls.values() for wall in walls]

    def around(self, structure: ObjectSpec) -> list[ObjectSpec]:
        """The things that may stand against a wall or on a floor."""
        if not structure.room:
            return [thing for things in self._by_room.values() for thing in things]
        return [*self._by_room[structure.room], *self._by_room[0]]


def finish_of(thing: ObjectSpec, part: Part) -> Finish:
    """The look of a part, that of its thing's material where it has none of its own.

    Raises:
        SceneError: there is no such look.
    """
    look = part.look or thing.material
    if look not in LOOKS:
        hint = did_you_mean(look, sorted(LOOKS))
        raise SceneError(f"{thing.label} {thing.instance_id} has the unknown look '{look}'{hint}")
    return LOOKS[look]


def base_of(thing: ObjectSpec) -> float:
    """Height of its lowest point in its own frame, m."""
    return min(part.center[2] - 0.5 * part.size[2] for part in thing.parts)


def place_in(thing: ObjectSpec, frame: ObjectSpec) -> tuple[float, float, float, float]:
    """Position (m) and yaw (rad) of a thing in the frame of another."""
    c, s = math.cos(frame.yaw), math.sin(frame.yaw)
    x, y, z = (a - b for a, b in zip(thing.position, frame.position, strict=True))
    return c * x + s * y, c * y - s * x, z, math.remainder(thing.yaw - frame.yaw, math.tau)
