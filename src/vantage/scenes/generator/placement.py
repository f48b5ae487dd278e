"""A home during generation: puts objects along walls, on and in each other, where they fit and leave ways to walk."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.scenes.catalog import BRIGHT, object_class
from vantage.scenes.checks import TOLERANCE
from vantage.scenes.generator.object_models import Model, design_model
from vantage.scenes.geometry import Solid, Surface
from vantage.scenes.spec import STRUCTURE_LABELS, Box, Corner, ObjectSpec, Wall
from vantage.types import Point

Array = NDArray[np.float64]

AISLE = 0.6  # m: width of the ways on which one walks
FLAT = 0.05  # m: what is no higher is walked upon
HEAD = 1.9  # m: what is no lower is walked under

_CELL = 0.05  # m

GAP = 0.02  # m between furniture and the wall behind it, and between objects on one surface

_RECENT = 4  # bright colors that do not come again at once, so that a room is colorful
_OPEN = 0.25  # share of doors, drawers and lids that stand open
_EDGE = 0.005  # m between an object and the edge of its surface
_STEP_UP = 0.45  # m: free depth before an object from which on it is kept within reach
_SLACK = 1e-4  # m by which objects may reach out of a room
_FIRST = 64  # rows that a table of boxes begins with


class Walkways:
    """Where the middle of somebody who walks can be in a room with an inner space from ``low`` to ``high`` (m)."""

    def __init__(self, low: Point, high: Point) -> None:
        self._low = low
        edge = math.ceil(0.5 * AISLE / _CELL)
        shape = [math.ceil((high[k] - low[k]) / _CELL) for k in (0, 1)]
        self._open = np.zeros(shape, dtype=np.uint8)
        self._open[edge:-edge, edge:-edge] = 255
        self._stations: list[tuple[int, int]] = []

    def copy(self) -> Walkways:
        """The same map, which then changes for itself."""
        return copy.deepcopy(self)

    def add_station(self, x: float, y: float) -> None:
        """Keep a way from the free place nearest to a point to all other stations."""
        free = np.argwhere(self._open)
        if len(free):
            distances = ((free + 0.5) * _CELL + self._low[:2] - (x, y)) ** 2
            row, column = free[int(distances.sum(axis=1).argmin())]
            self._stations.append((int(row), int(column)))

    def shut(self, area: tuple[Corner, Corner]) -> None:
        """Let nobody walk in a rectangle of the floor."""
        (x0, x1), (y0, y1) = (self._cells(k, area[0][k] - 0.5 * AISLE, area[1][k] + 0.5 * AISLE) for k in (0, 1))
        self._open[x0:x1, y0:y1] = 0

    def block(self, solid: Solid) -> None:
        """Let an object stand in the way, whatever that shuts."""
        reach = 0.5 * AISLE
        for low, high in zip(solid.low.tolist(), solid.high.tolist(), strict=True):
            if low[2] < HEAD and high[2] > FLAT:
                (x0, x1), (y0, y1) = (self._cells(k, low[k] - reach, high[k] + reach) for k in (0, 1))
                self._open[x0:x1, y0:y1] = 0

    def try_block(self, solid: Solid) -> bool:
        """Let an object stand in the way, unless one could then no longer walk from each station to each."""
        before = self._open.copy()
        self.block(solid)
        if len(self._stations) < 2:
            return True
        _, areas = cv2.connectedComponents(self._open, connectivity=4)
        found = {int(areas[station]) for station in self._stations}
        if len(found) == 1 and 0 not in found:
            return True
        self._open = before
        return False

    def _cells(self, axis: int, low: float, high: float) -> tuple[int, int]:
        """The cells whose middles are within a range."""
        first, last = ((value - self._low[axis]) / _CELL - 0.5 for value in (low, high))
        return max(0, math.ceil(first + 1e-6)), max(0, math.ceil(last - 1e-6))


@dataclass(frozen=True)
class Snapshot:
    """How much there was in a home, a room and its list of free spaces, and the ways in the room."""

    objects: int
    members: int
    free: int
    ways: Walkways


class Home:
    """All objects placed so far; their ids count up from 1."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.objects: list[ObjectSpec] = []
        self.models: list[Model] = []
        self.solids: list[Solid] = []
        self.rooms: list[Room] = []

    def obj(self, instance_id: int) -> ObjectSpec:
        """What has been placed under an id."""
        return self.objects[instance_id - 1]

    def add(self, model: Model, position: Point, yaw: float, relation: str, parent: int, room: int) -> int:
        """Place an object without asking whether it fits."""
        obj = model.at(len(self.objects) + 1, position, yaw, relation, parent, room)
        self.objects.append(obj)
        self.models.append(model)
        self.solids.append(Solid.of(obj))
        return obj.instance_id


class Room:
    """One room of a home, its objects, and what of it is to stay free.

    Args:
        home: that it belongs to.
        room_id, label: of the room.
        low, high: its inner space, m.
        notch: smallest and largest x and y of a corner of that space which is not part of the room, m.
        size: how many usual rooms of its kind it is as large as.

    Attributes:
        faces: its walls, as wide as it.
        walls: those along which things can stand, without what is left out of them up to the ceiling.
    """

    def __init__(
        self,
        home: Home,
        room_id: int,
        label: str,
        low: Point,
        high: Point,
        notch: tuple[Corner, Corner] | None = None,
        size: int = 1,
    ) -> None:
        self.home, self.rng = home, home.rng
        self.room_id, self.label, self.size = room_id, label, size
        self.low, self.high = low, high
        self._outside: list[Box] = []
        self.faces: list[Wall] = []
        self.walls: list[Wall] = []
        self.members: list[int] = []
        self._boxes: Array = np.zeros((_FIRST, 2, 3))
        self._free: list[Box] = []
        self._views: list[Box] = []
        self._recent: list[str] = []
        self.ways = Walkways(low, high)
        if notch is not None:
            (x0, y0), (x1, y1) = notch
            self._outside = [((x0 + _SLACK, y0 + _SLACK, low[2]), (x1 - _SLACK, y1 - _SLACK, high[2]))]
            self.ways.shut(notch)
        home.rooms.append(self)

    def obj(self, instance_id: int) -> ObjectSpec:
        """What has been placed in the home under an id."""
        return self.home.obj(instance_id)

    def objects(self, *labels: str) -> list[ObjectSpec]:
        """All objects of the room with one of these labels, or all."""
        items = [self.home.obj(member) for member in self.members]
        return [obj for obj in items if not labels or obj.label in labels]

    def model(self, name: str, color: str = "", avoid: Sequence[str] = (), states: Sequence[str] = ()) -> Model:
        """Design an object in a given color, or in one that is not to be avoided and has not been used just now."""
        if not states and any("open" in axis and "closed" in axis for axis in object_class(name).states):
            states = ("open",) if self.rng.random() < _OPEN else ("closed",)
        model = design_model(name, self.rng, color, (*avoid, *self._recent), states)
        if model.style.color in BRIGHT and not color:
            self._recent = [*self._recent, model.style.color][-_RECENT:]
        return model

    def surfaces_of(self, owner: int, relation: str) -> list[Surface]:
        """The surfaces of an object on which (or in which) other objects can be."""
        design = self.home.models[owner - 1].design
        return [surface for surface in design.surfaces if surface.relation == relation]

    def put(self, model: Model, position: Point, yaw: float, relation: str = "", parent: int = 0) -> int:
        """Place an object without asking whether it fits."""
        placed = self.home.add(model, position, yaw, relation, parent, self.room_id)
        solid = self.home.solids[placed - 1]
        if len(self.members) == len(self._boxes):
            self._boxes = np.concatenate([self._boxes, np.zeros_like(self._boxes)])
        self._boxes[len(self.members)] = solid.bounds
        self.members.append(placed)
        if model.kind.label not in STRUCTURE_LABELS:
            self.ways.block(solid)
        return placed

    def try_put(
        self,
        model: Model,
        position: Point,
        yaw: float,
        relation: str = "",
        parent: int = 0,
        spacing: float = 0.0,
        in_aisle: bool = False,
    ) -> int | None:
        """Place an object where it fits and leaves the ways open; None where it does not.

        ``in_aisle`` lets it stand in a space that is kept free, as a chair does before its desk.
        """
        solid = model.shape.placed(position, yaw)
        if not self._fits(solid, relation, parent, spacing, in_aisle) or not self._opens(
            model, position, yaw, relation
        ):
            return None
        if self._stands(parent) and not self.ways.try_block(solid):
            return None
        return self.put(model, position, yaw, relation, parent)

    def fits(self, model: Model, position: Point, yaw: float) -> bool:
        """Whether an object that stands there would enter nothing, and be in the room and out of the way."""
        solid = model.shape.placed(position, yaw)
        return self._fits(solid, "", 0, 0.0, False) and self._opens(model, position, yaw, "")

    def mark(self) -> Snapshot:
        """How much there is, to which ``undo`` leads back while nothing is placed in or taken from other rooms."""
        return Snapshot(len(self.home.objects), len(self.members), len(self._free), self.ways.copy())

    def undo(self, mark: Snapshot) -> None:
        """Take away all that has been placed in this room since a mark; colors used since then stay used."""
        for placed in (self.home.objects, self.home.models, self.home.solids):
            del placed[mark.objects :]
        del self.members[mark.members :]
        del self._free[mark.free :]
        self.ways = mark.ways.copy()

    def keep_free(self, box: Box) -> None:
        """Let nothing more stand or hang in a box."""
        self._free.append(box)

    def keep_in_sight(self, box: Box) -> None:
        """Let nothing more be in a box, as before a window, not even what stands on other objects."""
        self._views.append(box)

    def is_free(self, box: Box) -> bool:
        """Whether nothing stands in a box."""
        low, high = np.add(box[0], TOLERANCE), np.subtract(box[1], TOLERANCE)
        if (low < self.low).any() or (high > self.high).any() or _meets_any(low, high, self._outside):
            return False
        boxes = self._boxes[: len(self.members)]
        near = ((low < boxes[:, 1]) & (high > boxes[:, 0])).all(axis=1)
        for k in np.flatnonzero(near):
            solid = self.home.solids[self.members[k] - 1]
            if ((low < solid.high) & (high > solid.low)).all(axis=1).any():
                return False
        return True

    def along_wall(
        self, model: Model, walls: Sequence[Wall] = (), tries: int = 40, aisle: float = 0.0, gap: float = GAP
    ) -> int | None:
        """Stand an object with its back to one of the walls (all when none are given), ``aisle`` m free before it."""
        low, high = model.reach()
        walls = walls or self.walls
        for _ in range(tries):
            wall = walls[int(self.rng.integers(len(walls)))]
            free = 0.5 * wall.length - GAP - max(high[1], -low[1])
            if free <= 0:
                continue
            placed = self.at_wall(model, wall, float(self.rng.uniform(-free, free)), aisle, 0.06, gap)
            if placed is not None:
                return placed
        return None

    def at_wall(
        self, model: Model, wall: Wall, along: float, aisle: float = 0.0, spacing: float = 0.0, gap: float = GAP
    ) -> int | None:
        """Stand an object before a wall at one place, and keep the space before its whole front free.

        All that moves when it opens stays ``gap`` m away from the wall.
        """
        low, high = model.extent()
        back = model.reach()[0][0]
        ends, depth = (along + low[1], along + high[1]), gap + high[0] - back
        if aisle > 0 and not self.is_free(wall.box(ends, (depth, depth + aisle), (FLAT, HEAD))):
            return None
        x, y = wall.place(along, gap - back)
        placed = self.try_put(model, (x, y, 0.0), wall.facing, spacing=spacing)
        if placed is not None and aisle > 0:
            self.keep_free(wall.box(ends, (gap + body_front(model) - back, depth + aisle), (FLAT, HEAD)))
            if aisle >= _STEP_UP:
                self.ways.add_station(*wall.place(along, depth + 0.5 * AISLE))
        return placed

    def on_wall(self, model: Model, wall: Wall, along: float, z: float) -> int | None:
        """Fix an object to a wall with its back touching it."""
        low, _ = model.extent()
        x, y = wall.place(along, -low[0])
        return self.try_put(model, (x, y, z), wall.facing, "on", wall.instance_id, spacing=0.04)

    def onto(
        self,
        model: Model,
        owner: int,
        name: str,
        tries: int = 12,
        turn: float = 0.4,
        part: Box | None = None,
        front: bool = False,
    ) -> int | None:
        """Put an object on (or in) a surface, turned by up to ``turn`` rad from the front of the owner.

        ``part`` restricts its origin to a part of the surface, given in the frame of the owner; ``front`` puts it into
        the front half.
        """
        surface = next(each for each in self.home.models[owner - 1].design.surfaces if each.name == name)
        host, shape = self.obj(owner), model.shape
        c, s = math.cos(host.yaw), math.sin(host.yaw)
        for _ in range(tries):
            angle = float(self.rng.uniform(-turn, turn)) if turn > 0 else 0.0
            low, high = shape.placed((0.0, 0.0, 0.0), angle).bounds.tolist()
            if high[2] - low[2] > surface.clearance:
                return None
            x_low, x_high = surface.x_min - low[0] + _EDGE, surface.x_max - high[0] - _EDGE
            y_low, y_high = surface.y_min - low[1] + _EDGE, surface.y_max - high[1] - _EDGE
            if front:
                x_low = max(x_low, 0.5 * (x_low + x_high))
            if part is not None:
                x_low, x_high = max(x_low, part[0][0]), min(x_high, part[1][0])
                y_low, y_high = max(y_low, part[0][1]), min(y_high, part[1][1])
            if x_low > x_high or y_low > y_high:
                continue
            x, y = float(self.rng.uniform(x_low, x_high)), float(self.rng.uniform(y_low, y_high))
            position = (
                host.position[0] + c * x - s * y,
                host.position[1] + s * x + c * y,
                host.position[2] + surface.z,
            )
            placed = self.try_put(model, position, host.yaw + angle, surface.relation, owner, spacing=GAP)
            if placed is not None:
                return placed
        return None

    def _stands(self, parent: int) -> bool:
        """Whether something with that parent stands on the floor or hangs on a wall."""
        return parent == 0 or self.obj(parent).is_structure

    def _fits(self, solid: Solid, relation: str, parent: int, spacing: float, in_aisle: bool) -> bool:
        """Whether it would enter nothing and be in the room, out of the way and ``spacing`` m from its neighbours."""
        low, high = solid.bounds
        if not self._holds(low, high):
            return False
        if self._stands(parent) and not in_aisle and _meets_any(low, high, self._free):
            return False
        if _meets_any(low, high, self._views):
            return False
        boxes = self._boxes[: len(self.members)]
        near = ((low - spacing < boxes[:, 1]) & (high + spacing > boxes[:, 0])).all(axis=1)
        for k in np.flatnonzero(near):
            other = self.obj(self.members[k])
            if spacing > 0 and other.parent == parent and not other.is_structure:
                return False
            nested = relation == "in" and other.instance_id == parent
            if solid.enters(self.home.solids[other.instance_id - 1], TOLERANCE, nested):
                return False
        return self._stands(parent) or solid.rests_on(self.home.solids[parent - 1], TOLERANCE)

    def _opens(self, model: Model, position: Point, yaw: float, relation: str) -> bool:
        """Whether its doors and lids can open without entering a wall; what is in an object is taken out first."""
        if relation == "in" or not model.design.joints:
            return True
        low, high = model.open_shape.placed(position, yaw).bounds
        return self._holds(low, high)

    def _holds(self, low: Array, high: Array) -> bool:
        """Whether a box is in the room."""
        within = (low >= np.subtract(self.low, _SLACK)).all() and (high <= np.add(self.high, _SLACK)).all()
        return bool(within) and not _meets_any(low, high, self._outside)


def _meets_any(low: Array, high: Array, boxes: Sequence[Box]) -> bool:
    return any(all(low[k] < box[1][k] - 1e-9 and high[k] > box[0][k] + 1e-9 for k in range(3)) for box in boxes)


def body_front(model: Model) -> float:
    """Where the front of an object is without the doors and drawers that move, m along x of its frame."""
    moving = {joint.part for joint in model.design.joints}
    fronts = [part.center[0] + 0.5 * part.size[0] for part in model.design.parts if part.name not in moving]
    return max(fronts)
