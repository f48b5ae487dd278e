"""Where the objects of a house are: within their rooms, out of the walls, and on something.

The size of an asset that no database tells is a guess; as it is, some objects would reach through walls or hang in the
air.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import shapely
from shapely import affinity
from shapely.ops import nearest_points

from vantage.scenes.catalog import CATALOG
from vantage.scenes.geometry import Solid, supports
from vantage.scenes.procthor.asset_database import CLASSES, HANGING
from vantage.scenes.procthor.house_contents import HouseObject
from vantage.scenes.procthor.house_models import SNAP, shaped
from vantage.scenes.spec import Corner, ObjectSpec, RoomSpec, SceneSpec, object_bounds, polygon, sides

_PUSH = 0.06  # m: how far into a wall an object may reach to be moved out of it
_ASTRAY = 0.3  # m: how far from a room, in a wall or a doorway, an object may be to be of that room
_LEAST = 0.25  # share of an object that has to be left when it is clipped
_SHRINK = 0.9
_THINNEST = 0.002  # m
_FLOATS = 0.003  # m: what is nearer to what is under it rests there
_FALLS = 5  # times that an object is moved down
_HUNG = 0.25  # m: how far from a wall an object in the air is taken to hang there
_HIGH = 0.5  # m above the floor: objects in the air below that stand
_HANGING = frozenset(CLASSES[kind].label or CATALOG[CLASSES[kind].entry].label for kind in HANGING)


@dataclass
class Placement:
    """Puts objects into the rooms of a house.

    Attributes:
        lines: outlines of the rooms along the lines of their walls, by id.
        inner: the rooms between the inner faces of these walls.
        clipped, left_out: names of the objects that reach out of their rooms, and of those that are outside of all.
    """

    lines: dict[int, Sequence[Corner]]
    inner: dict[int, RoomSpec]
    clipped: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def make(self, objects: Sequence[HouseObject], first_id: int) -> list[ObjectSpec]:
        """All objects of a house with ids from ``first_id``; relations are not set.

        Objects that reach into a wall by a few cm, because its line is in its middle, are moved out of it.
        """
        made: list[ObjectSpec] = []

        def add(obj: HouseObject) -> None:
            room = self._room_at(*obj.center[:2])
            within = None if room is None else self._clip(obj, room)
            if within is None or room is None:
                self.left_out += [each.name for each in obj.all()]
                return
            model, children = shaped(within)
            x, y, _ = within.center
            made.append(model.at(first_id + len(made), (x, y, within.bottom), within.yaw, room=room.room_id))
            for child in children:
                add(child)

        for obj in objects:
            room = self._room_at(*obj.center[:2])
            aside = (0.0, 0.0) if room is None else _out_of_walls(obj, room.outline)
            add(obj.moved(*aside, -obj.bottom if abs(obj.bottom) <= SNAP else 0.0))
        return made

    def _room_at(self, x: float, y: float) -> RoomSpec | None:
        """The room that has a point, or the nearest one that is not far; None where there is none."""
        point = shapely.Point(x, y)
        away = {number: polygon(outline).distance(point) for number, outline in self.lines.items()}
        nearest = min(away, key=lambda number: away[number])
        return self.inner[nearest] if away[nearest] <= _ASTRAY else None

    def _clip(self, obj: HouseObject, room: RoomSpec) -> HouseObject | None:
        """What of an object is in its room; None where that is too little."""
        low, high = max(obj.bottom, 0.0), min(obj.bottom + obj.asset.size[2], room.height)
        if high - low < min(_THINNEST, obj.asset.size[2]):
            return None
        area = polygon(room.outline)
        depth, width, _ = obj.asset.size
        within = replace(obj, center=(*obj.center[:2], 0.5 * (low + high)))
        if not area.buffer(_PUSH, join_style="mitre").covers(_footprint(obj)):
            spot = shapely.Point(obj.center[:2])
            x, y = obj.center[:2] if area.contains(spot) else nearest_points(area, spot)[0].coords[0]
            own = affinity.rotate(affinity.translate(area, -x, -y), -obj.yaw, origin=(0, 0), use_radians=True)
            x0, y0, x1, y1 = _largest_within(own, 0.5 * depth, 0.5 * width)
            if (x1 - x0) * (y1 - y0) < _LEAST * depth * width:
                return None
            middle = shapely.Point(0.5 * (x0 + x1), 0.5 * (y0 + y1))
            middle = affinity.rotate(middle, obj.yaw, origin=(0, 0), use_radians=True)
            within = replace(within, center=(x + middle.x, y + middle.y, within.center[2]))
            depth, width = x1 - x0, y1 - y0
        size = depth, width, high - low
        if max(abs(new - old) for new, old in zip(size, obj.asset.size, strict=True)) > SNAP:
            self.clipped.append(obj.name)
        return replace(within, asset=replace(obj.asset, size=size))


def _footprint(obj: HouseObject) -> shapely.Polygon:
    depth, width, _ = obj.asset.size
    flat = shapely.box(-0.5 * depth, -0.5 * width, 0.5 * depth, 0.5 * width)
    turned = affinity.rotate(flat, obj.yaw, origin=(0, 0), use_radians=True)
    return affinity.translate(turned, *obj.center[:2])


def _largest_within(area: shapely.Polygon, a: float, b: float) -> tuple[float, float, float, float]:
    """Edges (x0, y0, x1, y1) of the rectangle from (-a, -b) to (a, b), pulled in to where an area ends around the
    origin."""
    origin, edges = shapely.Point(0, 0), []
    for x, y in ((-a, 0.0), (0.0, -b), (a, 0.0), (0.0, b)):
        stop = shapely.LineString([(0, 0), (x, y)]).intersection(area.boundary)
        edges.append((x + y) if stop.is_empty else np.sign(x + y) * float(origin.distance(stop)))
    found = np.array(edges)
    while not area.buffer(_THINNEST).covers(shapely.box(*found)) and np.ptp(found) > _THINNEST:
        found = _SHRINK * found
    x0, y0, x1, y1 = found.tolist()
    return x0, y0, x1, y1


def _out_of_walls(obj: HouseObject, outline: Sequence[Corner]) -> tuple[float, float]:
    """How far to move an object (m) so that it does not reach beyond the sides of a room."""
    low, high = obj.footprint()
    push = [0.0, 0.0]
    for start, end in sides(outline):
        axis = 0 if abs(start[0] - end[0]) < 1e-6 else 1
        ends = sorted((start[1 - axis], end[1 - axis]))
        if high[1 - axis] <= ends[0] or low[1 - axis] >= ends[1]:
            continue
        inward = 1.0 if (end[1 - axis] < start[1 - axis]) == (axis == 0) else -1.0
        depth = start[axis] - low[axis] if inward > 0 else high[axis] - start[axis]
        if 0 < depth <= _PUSH:
            push[axis] = inward * depth
    return push[0], push[1]


def settled(spec: SceneSpec) -> SceneSpec:
    """The scene with what is on or in what, and nothing in the air.

    What would be there is moved to the wall beside it where such objects hang on walls, or else down to what is under
    it; where that turns out not to carry it, farther down.
    """
    placed = supports(spec)
    for turn in range(_FALLS):
        floating = _floating(spec, placed)
        if not floating:
            break
        solids = {obj.instance_id: Solid.of(obj) for obj in spec.objects}
        moved: dict[int, ObjectSpec] = {obj.instance_id: obj for obj in spec.objects}
        for obj in floating:
            way = _way_to_rest(obj, spec, solids, turn)
            for each in _carried(obj.instance_id, placed):
                x, y, z = (a + b for a, b in zip(moved[each].position, way, strict=True))
                moved[each] = replace(moved[each], position=(round(x, 6), round(y, 6), round(z, 6)))
                solids[each] = Solid.of(moved[each])
        spec = replace(spec, objects=tuple(moved.values()))
        placed = supports(spec)
    objects = (
        replace(obj, relation=placed[obj.instance_id][0], parent=placed[obj.instance_id][1]) for obj in spec.objects
    )
    return replace(spec, objects=tuple(objects))


def _floating(spec: SceneSpec, placed: dict[int, tuple[str, int]]) -> list[ObjectSpec]:
    """What is above the floor and on nothing, the lowest first."""
    fillers = {opening.instance for opening in spec.openings}
    loose = [
        (object_bounds(obj)[0][2], obj.instance_id, obj)
        for obj in spec.objects
        if not (obj.is_structure or placed[obj.instance_id][1] or obj.instance_id in fillers)
    ]
    return [obj for base, _, obj in sorted(loose, key=lambda each: each[:2]) if base > _FLOATS]


def _carried(carrier: int, placed: dict[int, tuple[str, int]]) -> list[int]:
    """An object and all that is on or in it."""
    found = [carrier]
    for each in found:
        found += [child for child, (_, parent) in placed.items() if parent == each]
    return found


def _way_to_rest(obj: ObjectSpec, spec: SceneSpec, solids: dict[int, Solid], turn: int) -> tuple[float, float, float]:
    """How far to move an object that is in the air, m; at the first turn to what it may touch already, at the last to
    the floor."""
    low, high = solids[obj.instance_id].bounds
    room = next((room for room in spec.rooms if room.room_id == obj.room), None)
    if turn == 0 and room is not None and low[2] > _HIGH and obj.label in _HANGING:
        flat, wall = shapely.box(*low[:2], *high[:2]), polygon(room.outline).exterior
        if flat.distance(wall) <= _HUNG:
            here, there = (end.coords[0] for end in nearest_points(flat, wall))
            return there[0] - here[0], there[1] - here[1], 0.0
    middle = 0.5 * (low + high)[:2]
    ground = 0.0
    for number, other in solids.items():
        if number != obj.instance_id and turn < _FALLS - 1:
            under = ((other.low[:, :2] <= middle) & (middle <= other.high[:, :2])).all(axis=1)
            tops = other.high[under & (other.high[:, 2] <= low[2] + (_FLOATS if turn == 0 else -_FLOATS)), 2]
            ground = max(ground, float(tops.max(initial=0.0)))
    return 0.0, 0.0, ground - float(low[2])
