"""The floor plan of a ProcTHOR house in the frame of the world: rooms, the walls around them and the holes in these.

Unity's frame is left-handed with y up; the world here is right-handed with z up. The map between them is
``(x, y, z) -> (x, z, y)``, a mirror at the plane y = z, and a turn by ``rotation.y`` degrees about Unity's y, after
which an object looks along z, becomes a yaw of 90 degrees minus that. ``coordinates`` and ``procthor_objects`` apply it
once, while reading.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any

import shapely

from vantage.errors import SceneError
from vantage.scenes.procthor.asset_database import ROOM_TYPES, in_words
from vantage.scenes.procthor.house_slants import SlantedSides
from vantage.scenes.spec import Corner, crosses_itself, decoding, holds, polygon, sides, signed_area
from vantage.types import Point

WALL_THICKNESS = 0.02  # m: of each wall inward from its line; furniture of ProcTHOR stands 2.5 cm off the line

_SAME = 1e-3  # m

LARGEST = 100.0  # m: what is farther from the origin is an error

TOUCHING = 0.05  # m: how far rooms may reach into each other, and holes beyond their wall

_LINE = 0.02  # m: coordinates of corners that are nearer are of one line, for a wall is thicker

LINTEL = 0.02  # m: what is left of a wall above a hole that reaches to the ceiling

_NARROWEST = 0.05  # m, of a hole


def read_plan(house: Mapping[str, Any], where: str) -> FloorPlan:
    """The checked floor plan of a house.

    Raises:
        FormatError: a key is missing or its value of the wrong type.
        SceneError: outlines that cross themselves or overlap; walls that overlap each other or are
            not at their room; holes that do not fit their wall; rooms and walls that do not exist; absurd sizes.
    """
    entries = decoding.records(house, "rooms", where)
    if not entries:
        raise SceneError(f"{where} has no rooms; it needs at least one")
    drawn = [_floor(entry, where) for entry in entries]
    slants = SlantedSides(drawn)
    floors = [slants.squared(floor) for floor in drawn]
    lines = [_lines([corner[axis] for floor in floors for corner in floor]) for axis in (0, 1)]
    rooms = tuple(
        _room(entry, [(lines[0][x], lines[1][y]) for x, y in floor], where)
        for entry, floor in zip(entries, floors, strict=True)
    )
    ids = [room.room_id for room in rooms]
    if len(set(ids)) < len(ids):
        raise SceneError(f"{where} has two rooms of the number {max(ids, key=ids.count)}; number them one by one")
    metadata = decoding.mapping(house.get("metadata", {}), f"'metadata' of {where}")
    thickness = decoding.number(metadata.get("wallThickness", WALL_THICKNESS), f"'wallThickness' of {where}")
    if not 0.005 <= thickness <= 0.3:
        raise SceneError(f"{where} has walls of {thickness} m; give a thickness from 0.005 to 0.3")
    require_apart(rooms, 2 * thickness, where)
    inner = tuple(
        wall for entry in decoding.records(house, "walls", where) for wall in _walls(entry, set(ids), slants, where)
    )
    if not inner:
        raise SceneError(f"{where} has no walls; it needs those of its rooms")
    if slants.farthest_off == 0:  # else some walls are longer than the sides that are left of theirs
        require_walls_fit(rooms, inner, where)
    known = {wall.name: wall for wall in inner}
    holes = [
        _hole(entry, kind, rooms, known, where)
        for kind in ("door", "window")
        for entry in decoding.records(house, f"{kind}s", where, [])
    ]
    height = max(wall.height for wall in inner)
    return FloorPlan(rooms, inner, (*holes, *_gaps(inner, thickness)), height, thickness, slants.farthest_off)


def coordinates(value: Any, where: str) -> Point:
    """A point (m) of a house in the frame of the world.

    Raises:
        FormatError: it is no point.
        SceneError: it is absurdly far away.
    """
    record = decoding.mapping(value, where)
    x, y, z = (decoding.number(decoding.item(record, axis, where), f"'{axis}' of {where}") for axis in "xyz")
    if max(abs(x), abs(y), abs(z)) > LARGEST:
        raise SceneError(f"{where} is at ({x:g}, {y:g}, {z:g}); no house is larger than {LARGEST:g} m")
    return x, z, y


def number_of(name: str, where: str) -> int:
    """The number in the name of a room, such as 2 of ``room|2``.

    Raises:
        SceneError: there is none.
    """
    match = re.fullmatch(r"room\|(\d{1,9})", name)
    if match is None or int(match[1]) == 0:
        raise SceneError(f"{where} speaks of a room '{name[:40]}'; rooms are named room|1, room|2 and so on")
    return int(match[1])


def _floor(entry: Any, where: str) -> list[Corner]:
    """Corners of the floor of a room."""
    record = decoding.mapping(entry, f"a room of {where}")
    what = f"the floor of '{decoding.text(record, 'id', f'a room of {where}')}' in {where}"
    corners = [coordinates(corner, what)[:2] for corner in decoding.records(record, "floorPolygon", what)]
    if len(corners) < 3:
        raise SceneError(f"{what} encloses no room; give at least 4 corners")
    return corners


def _lines(values: Sequence[float]) -> dict[float, float]:
    """The wall line that each coordinate (m) belongs to: the first of those that are near each other."""
    lines: dict[float, float] = {}
    for value in sorted(values):
        last = next(reversed(lines.values()), -math.inf)
        lines[value] = last if value - last < _LINE else value
    return lines


def _room(record: Mapping[str, Any], corners: Sequence[Corner], where: str) -> HouseRoom:
    name = decoding.text(record, "id", f"a room of {where}")
    kind = decoding.text(record, "roomType", f"'{name}' of {where}")
    what = f"the floor of '{name}' in {where}"
    outline = _without_straight(corners)
    if len(outline) < 4 or abs(signed_area(outline)) < 0.1:
        raise SceneError(f"{what} encloses no room; give at least 4 corners")
    if crosses_itself(outline):
        raise SceneError(f"{what} has sides that cross each other; give its corners in order")
    if signed_area(outline) < 0:
        outline.reverse()
    material = decoding.mapping(record.get("floorMaterial", {}), f"'floorMaterial' of '{name}' in {where}")
    return HouseRoom(number_of(name, where), ROOM_TYPES.get(kind, in_words(kind) or "room"), tuple(outline), material)


def _without_straight(corners: Sequence[Corner]) -> list[Corner]:
    """Corners of a polygon without those that repeat or lie on a straight side."""
    kept: list[Corner] = []
    for corner in corners:
        if not kept or math.dist(kept[-1], corner) > _SAME:
            kept.append(corner)
    while len(kept) > 1 and math.dist(kept[0], kept[-1]) <= _SAME:
        kept.pop()
    count = len(kept)
    return [
        corner
        for k, corner in enumerate(kept)
        if not any(
            abs(kept[k - 1][axis] - corner[axis]) <= _SAME and abs(kept[(k + 1) % count][axis] - corner[axis]) <= _SAME
            for axis in (0, 1)
        )
    ]


def _walls(entry: Any, rooms: set[int], slants: SlantedSides, where: str) -> list[HouseWall]:
    """One inner wall, or the two that stand for a slanted one: the longer of them, which has its holes, comes last.

    None for an outer one.
    """
    record = decoding.mapping(entry, f"a wall of {where}")
    name = decoding.text(record, "id", f"a wall of {where}")
    if "exterior" in name:
        return []
    what = f"'{name}' of {where}"
    room = number_of(decoding.text(record, "roomId", what), what)
    if room not in rooms:
        raise SceneError(f"{what} belongs to room {room}, which does not exist")
    corners = [coordinates(corner, what) for corner in decoding.records(record, "polygon", what)]
    height = max((corner[2] for corner in corners), default=0.0)
    foot = [corner[:2] for corner in corners if corner[2] < 0.5 * height]
    if len(foot) != 2 or math.dist(*foot) < _SAME or not 1.0 <= height <= 20.0:
        raise SceneError(f"{what} is no upright wall of 1 to 20 m; give two corners on the floor and two above them")
    material = decoding.mapping(record.get("material", {}), f"'material' of {what}")
    wall = HouseWall(name, room, foot[0], foot[1], height, material, record.get("empty") is True)
    corner = slants.corner(wall.start, wall.end)
    if corner is None:
        return [wall]
    legs = [replace(wall, end=corner), replace(wall, start=corner)]
    return [replace(leg, slant=math.dist(*foot)) for leg in sorted(legs, key=lambda leg: math.dist(leg.start, leg.end))]


def _hole(entry: Any, kind: str, rooms: Sequence[HouseRoom], walls: Mapping[str, HouseWall], where: str) -> Hole:
    record = decoding.mapping(entry, f"a {kind} of {where}")
    name = decoding.text(record, "id", f"a {kind} of {where}")
    what = f"'{name}' of {where}"
    sided = [number_of(decoding.text(record, key, what), what) for key in ("room0", "room1")]
    if not set(sided) <= {room.room_id for room in rooms}:
        raise SceneError(f"{what} leads to the rooms {sided}, of which one does not exist")
    wall = walls.get(decoding.text(record, "wall0", what))
    if wall is None:
        raise SceneError(
            f"{what} is in the wall '{str(record['wall0'])[:60]}', which does not exist or is an outer one"
        )
    corners = [coordinates(corner, what) for corner in decoding.records(record, "holePolygon", what)]
    if len(corners) != 2:
        raise SceneError(f"{what} has a hole with {len(corners)} corners; give the lower and the upper one")
    (along_low, _, bottom), (along_high, _, top) = corners
    length = math.dist(wall.start, wall.end)
    if wall.slant:
        shift = 0.5 * (along_low + along_high) * (length / wall.slant - 1.0)
        shift = max(min(shift, length - along_high), -along_low)
        along_low, along_high = along_low + shift, along_high + shift
    fits = -TOUCHING <= along_low < along_high <= length + TOUCHING
    if not (fits and -TOUCHING <= bottom < top <= wall.height + TOUCHING):
        raise SceneError(
            f"the hole of {what} from {along_low:.2f} to {along_high:.2f} m and {bottom:.2f} to {top:.2f} m high does "
            f"not fit its wall of {length:.2f} x {wall.height:.2f} m"
        )
    ends = wall.at(max(along_low, 0.0)), wall.at(min(along_high, length))
    low, high = max(bottom, 0.0), min(top, wall.height - LINTEL)
    if min(math.dist(*ends), high - low) < _NARROWEST:
        raise SceneError(f"the hole of {what} is narrower than {_NARROWEST} m; leave it out or make it larger")
    behind = _beside(ends, rooms) - {wall.room_id}
    beyond = min(behind, default=0)
    between = (beyond, wall.room_id) if beyond and beyond == sided[0] else (wall.room_id, beyond)
    asset = decoding.text(record, "assetId", what, "")
    if kind == "door" and asset.lower().startswith("doorframe"):
        kind = "doorway"
    openness = decoding.number(record.get("openness", 0), f"'openness' of {what}")
    return Hole(name, kind, between, *ends, low, high, openness >= 0.5)


def _beside(ends: tuple[Corner, Corner], rooms: Sequence[HouseRoom]) -> set[int]:
    """The rooms on both sides of a hole in a wall line."""
    (x0, y0), (x1, y1) = ends
    x, y, length = 0.5 * (x0 + x1), 0.5 * (y0 + y1), math.dist(*ends)
    aside = TOUCHING * (y0 - y1) / length, TOUCHING * (x1 - x0) / length
    spots = ((x + aside[0], y + aside[1]), (x - aside[0], y - aside[1]))
    return {room.room_id for room in rooms for spot in spots if holds(room.outline, *spot)}


def _gaps(walls: Sequence[HouseWall], thickness: float) -> list[Hole]:
    """Where two rooms lie open to each other without a wall, but for the posts of the walls at both ends."""
    found: list[Hole] = []
    for first, second in combinations([wall for wall in walls if wall.empty], 2):
        if first.room_id != second.room_id and lies_along(first, second):
            way = shapely.LineString([first.start, first.end])
            low, high = sorted(float(way.project(shapely.Point(end))) for end in (second.start, second.end))
            if high - low > 2 * thickness + _NARROWEST:
                rooms, top = (first.room_id, second.room_id), min(first.height, second.height) - LINTEL
                ends = first.at(low + thickness), first.at(high - thickness)
                found.append(Hole(first.name, "doorway", rooms, *ends, 0.0, top, filled=False))
    return found


@dataclass(frozen=True)
class HouseRoom:
    """A room with its outline along the lines of its walls, counter-clockwise, m."""

    room_id: int
    label: str
    outline: tuple[Corner, ...]
    floor: Mapping[str, Any]


@dataclass(frozen=True)
class HouseWall:
    """One side of a room: its foot from ``start`` to ``end``, its height in m, and whether there is no wall at all.

    ``slant`` is the length (m) of the slanted wall that it and another one stand for, 0 for a straight one.
    """

    name: str
    room_id: int
    start: Corner
    end: Corner
    height: float
    material: Mapping[str, Any]
    empty: bool = False
    slant: float = 0.0

    def at(self, along: float) -> Corner:
        """The point so many m from ``start``."""
        length = math.dist(self.start, self.end)
        share = along / length
        return (
            self.start[0] + share * (self.end[0] - self.start[0]),
            self.start[1] + share * (self.end[1] - self.start[1]),
        )


@dataclass(frozen=True)
class Hole:
    """A hole in a wall line, seen from above from ``start`` to ``end``, and its lower and upper edge, m.

    Attributes:
        kind: of ``spec.OPENINGS``.
        rooms: ids on both sides, the one that a door swings into first; 0 for outside.
        open: whether a door stands open.
        filled: whether there is a door, a frame or a window in it.
    """

    name: str
    kind: str
    rooms: tuple[int, int]
    start: Corner
    end: Corner
    bottom: float
    top: float
    open: bool = False
    filled: bool = True


@dataclass(frozen=True)
class FloorPlan:
    """What a house is built of; slanted sides are up to ``slant_off`` m from where the file has them."""

    rooms: tuple[HouseRoom, ...]
    walls: tuple[HouseWall, ...]
    holes: tuple[Hole, ...]
    height: float
    thickness: float
    slant_off: float = 0.0


def rectangles(outline: Sequence[Corner]) -> list[tuple[Corner, Corner]]:
    """Rectangles (low, high) that fill a polygon with right angles, without overlapping."""
    xs, ys = (sorted({corner[axis] for corner in outline}) for axis in (0, 1))
    found = []
    for y_low, y_high in pairwise(ys):
        start = None
        for x_low, x_high in pairwise(xs):
            inside = holds(outline, 0.5 * (x_low + x_high), 0.5 * (y_low + y_high))
            if inside and start is None:
                start = x_low
            if start is not None and (not inside or x_high == xs[-1]):
                found.append(((start, y_low), (x_high if inside else x_low, y_high)))
                start = None
    return found


def require_apart(rooms: Sequence[HouseRoom], most: float, where: str) -> None:
    """Make sure that no two rooms reach farther into each other than the walls between them are thick, m.

    Raises:
        SceneError: they do.
    """
    for first, second in combinations(rooms, 2):
        shared = polygon(first.outline).intersection(polygon(second.outline))
        if not shared.buffer(-0.5 * most, join_style="mitre").is_empty:
            raise SceneError(
                f"the rooms {first.room_id} and {second.room_id} of {where} overlap; give each floor its own place"
            )


def require_walls_fit(rooms: Sequence[HouseRoom], walls: Sequence[HouseWall], where: str) -> None:
    """Make sure that walls are at the sides of their rooms and do not overlap.

    Raises:
        SceneError: otherwise.
    """
    outlines = {room.room_id: room.outline for room in rooms}
    for wall in walls:
        if not any(_lies_on(wall, side) for side in sides(outlines[wall.room_id])):
            raise SceneError(f"'{wall.name}' of {where} is not at a side of room {wall.room_id}; move it there")
    for first, second in combinations(walls, 2):
        if first.room_id == second.room_id and lies_along(first, second):
            raise SceneError(f"the walls '{first.name}' and '{second.name}' of {where} overlap; leave one out")


def _lies_on(wall: HouseWall, side: tuple[Corner, Corner]) -> bool:
    for axis in (0, 1):
        if max(abs(corner[axis] - side[0][axis]) for corner in (wall.start, wall.end, side[1])) <= TOUCHING:
            low, high = sorted(corner[1 - axis] for corner in side)
            ends = sorted((wall.start[1 - axis], wall.end[1 - axis]))
            return ends[0] >= low - TOUCHING and ends[1] <= high + TOUCHING
    return False


def lies_along(first: HouseWall, second: HouseWall) -> bool:
    """Whether two walls share a stretch of their line."""
    for axis in (0, 1):
        values = [corner[axis] for corner in (first.start, first.end, second.start, second.end)]
        if max(values) - min(values) <= TOUCHING:
            one, two = (sorted((wall.start[1 - axis], wall.end[1 - axis])) for wall in (first, second))
            return min(one[1], two[1]) - max(one[0], two[0]) > TOUCHING
    return False
