"""A room that is being furnished: puts things along walls, on and in each other, where they fit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vantage.scenes.catalog import BRIGHT, ObjectClass, object_class
from vantage.scenes.checks import entering
from vantage.scenes.design import Design, Style, Surface
from vantage.scenes.palette import COLORS, shade
from vantage.scenes.solids import Prism, object_prisms
from vantage.scenes.spec import ObjectSpec, Part, object_bounds
from vantage.types import Point

GAP = 0.02  # m between furniture and the wall behind it, and between things on one surface

_RECENT = 4  # bright colors that do not come again at once, so that a room is colorful

Box = tuple[Point, Point]


@dataclass(frozen=True)
class Model:
    """A thing that has been designed and not yet placed."""

    kind: ObjectClass
    style: Style
    design: Design

    def at(self, instance_id: int, position: Point, yaw: float, relation: str = "", parent: int = 0) -> ObjectSpec:
        """The thing in its place, with coordinates rounded to micrometres."""
        x, y, z = (round(value, 6) + 0.0 for value in position)
        parts = tuple(_rounded(part) for part in self.design.parts)
        turn = round(math.remainder(yaw, math.tau), 6) + 0.0
        kind, style = self.kind, self.style
        return ObjectSpec(
            instance_id, kind.label, style.color, style.material, (x, y, z), turn, parts, relation, parent, kind.states
        )

    def extent(self) -> Box:
        """Bounds in the object frame, m."""
        return object_bounds(self.at(1, (0.0, 0.0, 0.0), 0.0))


def _rounded(part: Part) -> Part:
    def trim(values: tuple[float, float, float]) -> tuple[float, float, float]:
        a, b, c = (round(value, 6) + 0.0 for value in values)
        return a, b, c

    return Part(
        part.shape,
        trim(part.center),
        trim(part.size),
        trim(part.rgb),
        part.open_faces,
        part.axis,
        part.ends,
        part.look,
    )


@dataclass(frozen=True)
class Wall:
    """An inner wall: its id, the middle of its foot, the direction into the room (rad) and its length (m)."""

    instance_id: int
    x: float
    y: float
    facing: float
    length: float

    def place(self, along: float, away: float) -> tuple[float, float]:
        """The point at a distance (m) from the wall, ``along`` m to the left of its middle, seen from it."""
        c, s = math.cos(self.facing), math.sin(self.facing)
        return self.x + c * away - s * along, self.y + s * away + c * along


class Room:
    """Things placed so far, and those surfaces and aisles that matter to the next one."""

    def __init__(self, rng: np.random.Generator, bounds_min: Point, bounds_max: Point) -> None:
        self.rng = rng
        self.bounds_min, self.bounds_max = bounds_min, bounds_max
        self.objects: list[ObjectSpec] = []
        self.walls: list[Wall] = []
        self._surfaces: dict[tuple[int, str], Surface] = {}
        self._prisms: dict[int, list[Prism]] = {}
        self._boxes: dict[int, Box] = {}
        self._aisles: list[Box] = []
        self._recent: list[str] = []

    def model(self, name: str, color: str = "", avoid: Sequence[str] = ()) -> Model:
        """Design a thing of a catalog entry, in a given color or in one that is not to be avoided and long unused."""
        kind = object_class(name)
        choices = [word for word in kind.colors if word not in avoid] or list(kind.colors)
        choices = [word for word in choices if word not in self._recent] or choices
        word = color or choices[int(self.rng.integers(len(choices)))]
        if word in BRIGHT and not color:
            self._recent = [*self._recent, word][-_RECENT:]
        material = kind.materials[int(self.rng.integers(len(kind.materials)))]
        style = Style(word, material, shade(COLORS[word], float(self.rng.uniform(0.95, 1.04))))
        return Model(kind, style, kind.build(style, self.rng))

    def thing(self, instance_id: int) -> ObjectSpec:
        """What has been placed under an id (ids count from 1 in the order of placement)."""
        return self.objects[instance_id - 1]

    def surfaces(self, relation: str | None = None) -> list[tuple[int, Surface]]:
        """All surfaces in the room with the ids of their owners."""
        return [
            (owner, surface)
            for (owner, _), surface in self._surfaces.items()
            if relation is None or surface.relation == relation
        ]

    def surface(self, owner: int, name: str) -> Surface:
        """One surface of a thing."""
        return self._surfaces[owner, name]

    def put(self, model: Model, position: Point, yaw: float, relation: str = "", parent: int = 0) -> int:
        """Place a thing without asking whether it fits."""
        thing = model.at(len(self.objects) + 1, position, yaw, relation, parent)
        return self._register(thing, object_prisms(thing), model.design)

    def try_put(
        self, model: Model, position: Point, yaw: float, relation: str = "", parent: int = 0, spacing: float = 0.0
    ) -> int | None:
        """Place a thing where it enters nothing and leaves the room nowhere; None when it does not fit."""
        thing = model.at(len(self.objects) + 1, position, yaw, relation, parent)
        low, high = object_bounds(thing)
        if any(low[k] < self.bounds_min[k] - 1e-4 or high[k] > self.bounds_max[k] + 1e-4 for k in range(3)):
            return None
        prisms = object_prisms(thing)
        for other in self.objects:
            room_for = spacing if other.parent == parent and not other.is_structure else 0.0
            if _apart((low, high), self._boxes[other.instance_id], room_for):
                continue
            nested = relation == "in" and other.instance_id == parent
            if room_for > 0 or entering(prisms, self._prisms[other.instance_id], nested):
                return None
        return self._register(thing, prisms, model.design)

    def keep_free(self, low: Point, high: Point) -> None:
        """Let no more furniture stand in a box."""
        self._aisles.append((low, high))

    def in_the_way(self, model: Model, position: Point, yaw: float) -> bool:
        """Whether a thing would stand in a space that is kept free."""
        box = object_bounds(model.at(1, position, yaw))
        return any(not _apart(box, aisle, 0.0) for aisle in self._aisles)

    def along_wall(self, model: Model, walls: Sequence[Wall], tries: int = 40, aisle: float = 0.0) -> int | None:
        """Stand a thing with its back to one of the walls, and keep an aisle of some depth in front of it free."""
        low, high = model.extent()
        for _ in range(tries):
            wall = walls[int(self.rng.integers(len(walls)))]
            free = 0.5 * wall.length - GAP - max(high[1], -low[1])
            if free <= 0:
                continue
            along = float(self.rng.uniform(-free, free))
            x, y = wall.place(along, GAP - low[0])
            if self.in_the_way(model, (x, y, 0.0), wall.facing):
                continue
            placed = self.try_put(model, (x, y, 0.0), wall.facing, spacing=0.06)
            if placed is not None:
                if aisle > 0:
                    near, far = wall.place(along - 0.3, high[0] - low[0]), wall.place(along + 0.3, high[0] + aisle)
                    self.keep_free(
                        (min(near[0], far[0]), min(near[1], far[1]), 0.05),
                        (max(near[0], far[0]), max(near[1], far[1]), 2.0),
                    )
                return placed
        return None

    def on_wall(self, model: Model, wall: Wall, along: float, z: float) -> int | None:
        """Fix a thing to a wall with its back touching it."""
        low, _ = model.extent()
        x, y = wall.place(along, -low[0])
        return self.try_put(model, (x, y, z), wall.facing, "on", wall.instance_id, spacing=0.04)

    def onto(
        self, model: Model, owner: int, name: str, tries: int = 12, turn: float = 0.4, part: Box | None = None
    ) -> int | None:
        """Put a thing on (or in) a surface, turned by up to ``turn`` rad from the front of the owner.

        ``part`` restricts it to a part of the surface, given in the frame of the owner.
        """
        surface, host = self._surfaces[owner, name], self.thing(owner)
        for _ in range(tries):
            yaw = float(self.rng.uniform(-turn, turn)) if turn > 0 else 0.0
            low, high = object_bounds(model.at(1, (0.0, 0.0, 0.0), yaw))
            if high[2] - low[2] > surface.clearance:
                return None
            x_low, x_high = surface.x_min - low[0] + 0.005, surface.x_max - high[0] - 0.005
            y_low, y_high = surface.y_min - low[1] + 0.005, surface.y_max - high[1] - 0.005
            if part is not None:
                x_low, x_high = max(x_low, part[0][0]), min(x_high, part[1][0])
                y_low, y_high = max(y_low, part[0][1]), min(y_high, part[1][1])
            if x_low > x_high or y_low > y_high:
                continue
            x, y = float(self.rng.uniform(x_low, x_high)), float(self.rng.uniform(y_low, y_high))
            c, s = math.cos(host.yaw), math.sin(host.yaw)
            position = (
                host.position[0] + c * x - s * y,
                host.position[1] + s * x + c * y,
                host.position[2] + surface.z,
            )
            placed = self.try_put(model, position, host.yaw + yaw, surface.relation, owner, spacing=GAP)
            if placed is not None:
                return placed
        return None

    def _register(self, thing: ObjectSpec, prisms: list[Prism], design: Design) -> int:
        self.objects.append(thing)
        self._prisms[thing.instance_id] = prisms
        self._boxes[thing.instance_id] = object_bounds(thing)
        for surface in design.surfaces:
            self._surfaces[thing.instance_id, surface.name] = surface
        return thing.instance_id


def _apart(first: Box, second: Box, spacing: float) -> bool:
    return any(
        first[0][k] - second[1][k] >= spacing - 1e-9 or second[0][k] - first[1][k] >= spacing - 1e-9 for k in range(3)
    )
