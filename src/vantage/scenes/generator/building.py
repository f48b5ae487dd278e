"""The building of a home: floors, ceilings and walls around the planned openings, and what fills these."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from vantage.scenes.catalog import ObjectClass, fixtures
from vantage.scenes.generator.home_layout import usual_rooms
from vantage.scenes.generator.object_models import Model
from vantage.scenes.generator.opening_plan import OUTSIDE, PlannedOpening
from vantage.scenes.generator.placement import Home, Room
from vantage.scenes.generator.planned_rooms import PlannedRoom, Side
from vantage.scenes.geometry import Design, Style
from vantage.scenes.spec import COLORS, Color, Opening, Part, Wall
from vantage.types import Point

_TINTS: tuple[Color, ...] = ((0.93, 0.89, 0.81), (0.87, 0.91, 0.86), (0.86, 0.90, 0.93), (0.94, 0.88, 0.86))
_BOARDS: tuple[Color, ...] = ((0.52, 0.34, 0.19), (0.44, 0.28, 0.16))
_TILES: Color = (0.54, 0.54, 0.53)
_TILED = ("kitchen", "bathroom", "storage room")
_BARE = ("bathroom", "kitchen", "hall")  # rooms whose windows have no curtains

_PASSAGE = 0.75  # m before an opening that stay free
_VIEW = 0.6  # m before a window that only low objects may take up
_BELOW_VIEW = 0.08  # m above its sill that such objects reach at most
_LEANING = 0.12  # m beside the swing of a door that stay free
_WAY = 0.6  # m to each side of the middle of an open side that stay free
_SHORTEST = 0.6  # m of wall beside an open side along which things can stand


def raise_building(home: Home, plan: Sequence[PlannedRoom], openings: Sequence[PlannedOpening]) -> tuple[Opening, ...]:
    """Put all rooms of a plan into an empty home, and return the openings between them.

    Rooms get the ids 1, 2, ... in the order of the plan.
    """
    height = round(float(home.rng.uniform(2.5, 2.6)), 2)
    boards = _BOARDS[int(home.rng.integers(len(_BOARDS)))]
    openings = [replace(each, top=min(each.top, height)) for each in openings]
    for index, planned in enumerate(plan):
        low, high = (*planned.inner_low, 0.0), (*planned.inner_high, height)
        size = usual_rooms(planned.label, planned.area, len(plan))
        room = Room(home, index + 1, planned.label, low, high, planned.inner_notch, size)
        own = [opening for opening in openings if index in opening.rooms]
        _floor_and_ceiling(room, planned, own, boards)
        tint = _TINTS[int(home.rng.integers(len(_TINTS)))]
        for side in planned.sides():
            middle = 0.5 * (side.low + side.high)
            x, y = (side.face, middle) if side.axis == 0 else (middle, side.face)
            facing = (0.5 - 0.5 * side.inward) * math.pi if side.axis == 0 else 0.5 * side.inward * math.pi
            holes = [each for each in own if _is_in(each, side)]
            _wall(room, Wall(len(home.objects) + 1, x, y, facing, side.high - side.low), holes, tint)
    return tuple(_fill(home, opening) for opening in openings)


def _is_in(opening: PlannedOpening, side: Side) -> bool:
    return opening.axis == side.axis and abs(opening.at - side.at) < fixtures.WALL_THICKNESS


def _floor_and_ceiling(room: Room, planned: PlannedRoom, openings: Sequence[PlannedOpening], boards: Color) -> None:
    """A ceiling and a floor, which reach through doors and open sides to the middle of the wall."""
    low, high, thick = room.low, room.high, fixtures.WALL_THICKNESS
    middle = (0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]))
    color, material, rgb, look = ("brown", "wood", boards, "boards")
    if room.label in _TILED:
        color, material, rgb, look = ("gray", "ceramic", _TILES, "tiles")
    floor = _layer(planned, middle, -0.5 * thick, rgb, look, "z+")
    ceiling = _layer(planned, middle, 0.5 * thick, COLORS["white"], "ceiling", "z-")
    for opening in openings:
        if opening.kind == "window":
            continue
        center, step = [0.0, 0.0, -0.5 * thick], [thick, thick, thick]
        inward = next(side.inward for side in planned.sides() if _is_in(opening, side))
        center[opening.axis] = opening.at + 0.5 * inward * thick - middle[opening.axis]
        center[1 - opening.axis] = 0.5 * (opening.low + opening.high) - middle[1 - opening.axis]
        step[1 - opening.axis] = opening.high - opening.low
        floor.append(replace(floor[0], center=_point(center), size=_point(step)))
        if opening.is_open_side:
            ceiling.append(replace(ceiling[0], center=_point([*center[:2], 0.5 * thick]), size=_point(step)))
    _put_slabs(room, "floor", color, material, (*middle, 0.0), 0.0, floor)
    _put_slabs(room, "ceiling", "white", "", (*middle, high[2]), 0.0, ceiling)


def _layer(
    planned: PlannedRoom, middle: tuple[float, float], z: float, rgb: Color, look: str, inner: str
) -> list[Part]:
    """Slabs all over a room, in the frame of its middle."""
    parts = []
    for low, high in planned.rectangles():
        slab = fixtures.slab((high[0] - low[0], high[1] - low[1], fixtures.WALL_THICKNESS), z, rgb, look, inner)
        parts.append(
            replace(slab, center=(0.5 * (low[0] + high[0]) - middle[0], 0.5 * (low[1] + high[1]) - middle[1], z))
        )
    return parts


def _wall(room: Room, wall: Wall, openings: Sequence[PlannedOpening], tint: Color) -> None:
    """A wall out of slabs beside, below and above its openings."""
    thick, height = fixtures.WALL_THICKNESS, room.high[2]
    parts = []

    def piece(low: float, high: float, bottom: float, top: float) -> None:
        if high - low > 1e-6 and top - bottom > 1e-6:
            slab = fixtures.slab((thick, high - low, top - bottom), 0.5 * (bottom + top), tint, "wall", "x+")
            parts.append(replace(slab, center=(0.0, 0.5 * (low + high), slab.center[2])))

    holes = sorted((*_span(wall, opening), opening.bottom, opening.top) for opening in openings)
    start = -0.5 * wall.length
    for low, high, bottom, top in holes:
        piece(start, low, 0.0, height)
        piece(low, high, 0.0, bottom)
        piece(low, high, top, height)
        start = high
    piece(start, 0.5 * wall.length, 0.0, height)
    position = (*wall.place(0.0, -0.5 * thick), 0.0)
    _put_slabs(room, "wall", "white", "", position, wall.facing, parts)
    room.faces.append(wall)
    room.walls += _beside(wall, [_span(wall, opening) for opening in openings if opening.is_open_side])


def _beside(wall: Wall, left_out: Sequence[tuple[float, float]]) -> list[Wall]:
    """The stretches of a wall that are left beside others, all of it where there are none."""
    if not left_out:
        return [wall]
    half = 0.5 * wall.length
    ends = [-half, *(end for stretch in sorted(left_out) for end in stretch), half]
    return [
        replace(wall, x=x, y=y, length=high - low)
        for low, high in list(pairwise(ends))[::2]
        if high - low >= _SHORTEST
        for x, y in [wall.place(0.5 * (low + high), 0.0)]
    ]


def _put_slabs(
    room: Room, label: str, color: str, material: str, position: Point, yaw: float, parts: Sequence[Part]
) -> None:
    design = Design(tuple(parts))
    kind = ObjectClass(label, label, lambda style, rng: design, (color,), (material,))
    room.put(Model(kind, Style(color, material, parts[0].rgb), design), position, yaw)


def _span(wall: Wall, opening: PlannedOpening) -> tuple[float, float]:
    """Ends of an opening along a wall, m from its middle."""
    along = 1 - opening.axis
    middle = (wall.x, wall.y)[along]
    sign = wall.place(1.0, 0.0)[along] - middle
    ends = sorted(sign * (end - middle) for end in (opening.low, opening.high))
    return ends[0], ends[1]


def _fill(home: Home, planned: PlannedOpening) -> Opening:
    """Put a door, a doorway or a window with curtains into its hole."""
    thick = fixtures.WALL_THICKNESS
    rooms = [home.rooms[index] if index != OUTSIDE else None for index in planned.rooms]
    owner = rooms[0]
    assert owner is not None
    wall = _wall_at(owner, planned)
    low, high = _span(wall, planned)
    middle, outside, instance = 0.5 * (low + high), rooms[1] is None, 0
    if planned.kind == "window":
        window = owner.model("window")
        instance = _put_at(owner, window, wall, middle, -0.5 * thick, planned.bottom)
        deep = window.extent()[1][0] + 0.04
        owner.keep_free(wall.box((low - 0.05, high + 0.05), (0.0, deep), (planned.bottom - 0.02, planned.top + 0.05)))
        owner.keep_in_sight(wall.box((low, high), (0.0, _VIEW), (planned.bottom + _BELOW_VIEW, planned.top)))
        if owner.label not in _BARE:
            _curtains(owner, wall, low, high)
    else:
        if not planned.is_open_side:
            instance = _put_at(owner, _door(owner, wall, planned), wall, middle, -thick, planned.bottom)
        for room in rooms:
            if room is not None:
                _keep_passage(room, planned, swing=room is owner and planned.kind == "door")
    toward = -1.0 if (math.cos(wall.facing), math.sin(wall.facing))[planned.axis] > 0 else 1.0
    across = sorted((planned.at - toward * thick, planned.at + toward * (0.0 if outside else thick)))
    corners = [[0.0, 0.0, planned.bottom], [0.0, 0.0, planned.top]]
    for corner, at, end in zip(corners, across, (planned.low, planned.high), strict=True):
        corner[planned.axis], corner[1 - planned.axis] = at, end
    ids = [room.room_id if room is not None else 0 for room in rooms]
    return Opening(planned.kind, (ids[0], ids[1]), _point(corners[0]), _point(corners[1]), instance)


def _door(room: Room, wall: Wall, planned: PlannedOpening) -> Model:
    if planned.kind == "doorway":
        return room.model("doorway")
    along = 1 - planned.axis
    left = planned.hinge * (wall.place(1.0, 0.0)[along] - wall.place(0.0, 0.0)[along]) > 0
    states = ("closed",) if OUTSIDE in planned.rooms else ("open",)
    return room.model("door" if left else "mirrored door", states=states)


def _put_at(room: Room, model: Model, wall: Wall, along: float, away: float, z: float) -> int:
    return room.put(model, (*wall.place(along, away), z), wall.facing, "on", wall.instance_id)


def _keep_passage(room: Room, planned: PlannedOpening, swing: bool) -> None:
    """Keep the space before an opening free, of an open side that before its middle, and all that a door sweeps."""
    wall = _wall_at(room, planned)
    low, high = _span(wall, planned)
    beside, deep = (_LEANING, max(_PASSAGE, high - low)) if swing else (0.0, _PASSAGE)
    if planned.is_open_side:
        low, high = 0.5 * (low + high) - _WAY, 0.5 * (low + high) + _WAY
    room.keep_free(wall.box((low - beside, high + beside), (0.0, deep), (0.0, 2.2)))
    room.ways.add_station(*wall.place(0.5 * (low + high), 0.4))


def _curtains(room: Room, wall: Wall, low: float, high: float) -> None:
    curtain = room.model("curtain")
    reach = 0.12 + 0.5 * fixtures.CURTAIN_WIDTH
    for along in (low - reach, high + reach):
        room.on_wall(curtain, wall, along, fixtures.WINDOW_SILL - 0.03)


def _wall_at(room: Room, opening: PlannedOpening) -> Wall:
    """The wall of a room that an opening is in."""
    across = [wall for wall in room.faces if (abs(math.cos(wall.facing)) > 0.5) == (opening.axis == 0)]
    return min(across, key=lambda wall: abs((wall.x, wall.y)[opening.axis] - opening.at))


def _point(values: Sequence[float]) -> Point:
    x, y, z = (round(value, 6) + 0.0 for value in values)
    return x, y, z
