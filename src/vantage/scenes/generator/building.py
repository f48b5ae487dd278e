"""The building of a home: floors, ceilings and walls of its rooms, and what fills the openings in them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from vantage.scenes.catalog import fixtures
from vantage.scenes.catalog.catalog import ObjectClass
from vantage.scenes.generator.floor_plan import PlannedRoom
from vantage.scenes.generator.object_models import Model
from vantage.scenes.generator.openings import OUTSIDE, PlannedOpening
from vantage.scenes.generator.placing import Home, Room
from vantage.scenes.generator.walls import Wall
from vantage.scenes.geometry.design import Design, Style
from vantage.scenes.spec.palette import COLORS
from vantage.scenes.spec.spec import Color, Opening, Part
from vantage.types import Point

_TINTS: tuple[Color, ...] = ((0.93, 0.89, 0.81), (0.87, 0.91, 0.86), (0.86, 0.90, 0.93), (0.94, 0.88, 0.86))
_BOARDS: tuple[Color, ...] = ((0.52, 0.34, 0.19), (0.44, 0.28, 0.16))
_TILES: Color = (0.54, 0.54, 0.53)
_TILED = ("kitchen", "bathroom", "storage room")
_BARE = ("bathroom", "kitchen", "hall")  # rooms whose windows have no curtains

_PASSAGE = 0.75  # m before an opening that stay free
_VIEW = 0.6  # m before a window that only low things may take up
_BELOW_VIEW = 0.08  # m above its sill that such things reach at most
_LEANING = 0.12  # m beside the swing of a door that stay free


def raise_building(home: Home, plan: Sequence[PlannedRoom], openings: Sequence[PlannedOpening]) -> tuple[Opening, ...]:
    """Put all rooms of a plan into an empty home, and return the openings between them.

    Rooms get the ids 1, 2, ... in the order of the plan.
    """
    height = round(float(home.rng.uniform(2.5, 2.6)), 2)
    boards = _BOARDS[int(home.rng.integers(len(_BOARDS)))]
    for index, planned in enumerate(plan):
        low, high = (*planned.inner_low, 0.0), (*planned.inner_high, height)
        room = Room(home, index + 1, planned.label, low, high)
        own = [opening for opening in openings if index in opening.rooms]
        _floor_and_ceiling(room, own, boards)
        tint = _TINTS[int(home.rng.integers(len(_TINTS)))]
        middle = (0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]))
        for axis, at, facing in (
            (0, low[0], 0.0),
            (1, low[1], 0.5 * math.pi),
            (0, high[0], math.pi),
            (1, high[1], -0.5 * math.pi),
        ):
            x, y = (at, middle[1]) if axis == 0 else (middle[0], at)
            holes = [each for each in own if each.axis == axis and abs(each.at - at) < 2 * fixtures.WALL_THICKNESS]
            _wall(room, Wall(len(home.objects) + 1, x, y, facing, high[1 - axis] - low[1 - axis]), holes, tint)
    return tuple(_fill(home, opening) for opening in openings)


def _floor_and_ceiling(room: Room, openings: Sequence[PlannedOpening], boards: Color) -> None:
    """A ceiling, and a floor that reaches through doors to the middle of the wall."""
    low, high, thick = room.low, room.high, fixtures.WALL_THICKNESS
    middle = (0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]))
    size = (high[0] - low[0], high[1] - low[1], thick)
    color, material, rgb, look = ("brown", "wood", boards, "boards")
    if room.label in _TILED:
        color, material, rgb, look = ("gray", "ceramic", _TILES, "tiles")
    parts = [fixtures.slab(size, -0.5 * thick, rgb, look, "z+")]
    for opening in openings:
        if opening.kind == "window":
            continue
        center, step = [0.0, 0.0, -0.5 * thick], [thick, thick, thick]
        side = 1.0 if opening.at > middle[opening.axis] else -1.0
        center[opening.axis] = opening.at - 0.5 * side * thick - middle[opening.axis]
        center[1 - opening.axis] = 0.5 * (opening.low + opening.high) - middle[1 - opening.axis]
        step[1 - opening.axis] = opening.high - opening.low
        parts.append(replace(parts[0], center=_point(center), size=_point(step)))
    _put_slabs(room, "floor", color, material, (*middle, 0.0), 0.0, parts)
    ceiling = fixtures.slab(size, 0.5 * thick, COLORS["white"], "ceiling", "z-")
    _put_slabs(room, "ceiling", "white", "", (*middle, high[2]), 0.0, [ceiling])


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
    room.walls.append(wall)


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
    middle, outside = 0.5 * (low + high), rooms[1] is None
    if planned.kind == "window":
        window = owner.model("window")
        instance = _put_at(owner, window, wall, middle, -0.5 * thick, planned.bottom)
        deep = window.extent()[1][0] + 0.04
        owner.keep_free(wall.box((low - 0.05, high + 0.05), (0.0, deep), (planned.bottom - 0.02, planned.top + 0.05)))
        owner.keep_in_sight(wall.box((low, high), (0.0, _VIEW), (planned.bottom + _BELOW_VIEW, planned.top)))
        if owner.label not in _BARE:
            _curtains(owner, wall, low, high)
    else:
        instance = _put_at(owner, _door(owner, wall, planned), wall, middle, -thick, planned.bottom)
        for room in rooms:
            if room is not None:
                _keep_passage(room, planned, swing=room is owner and planned.kind == "door")
    toward = 1.0 if planned.at > 0.5 * (owner.low[planned.axis] + owner.high[planned.axis]) else -1.0
    across = sorted((planned.at - toward * thick, planned.at + toward * (0.0 if outside else thick)))
    corners = [[0.0, 0.0, planned.bottom], [0.0, 0.0, planned.top]]
    for corner, at, end in zip(corners, across, (planned.low, planned.high), strict=True):
        corner[planned.axis], corner[1 - planned.axis] = at, end
    ids = [room.room_id if room is not None else 0 for room in rooms]
    return Opening(planned.kind, (ids[0], ids[1]), _point(corners[0]), _point(corners[1]), instance or 0)


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
    """Keep the space before an opening free, and all that a door sweeps."""
    wall = _wall_at(room, planned)
    low, high = _span(wall, planned)
    beside, deep = (_LEANING, max(_PASSAGE, high - low)) if swing else (0.0, _PASSAGE)
    room.keep_free(wall.box((low - beside, high + beside), (0.0, deep), (0.0, 2.2)))
    room.ways.add_station(*wall.place(0.5 * (low + high), 0.4))


def _curtains(room: Room, wall: Wall, low: float, high: float) -> None:
    curtain = room.model("curtain")
    reach = 0.12 + 0.5 * fixtures.CURTAIN_WIDTH
    for along in (low - reach, high + reach):
        room.on_wall(curtain, wall, along, fixtures.WINDOW_SILL - 0.03)


def _wall_at(room: Room, opening: PlannedOpening) -> Wall:
    """The wall of a room that an opening is in."""
    across = [wall for wall in room.walls if (abs(math.cos(wall.facing)) > 0.5) == (opening.axis == 0)]
    return min(across, key=lambda wall: abs((wall.x, wall.y)[opening.axis] - opening.at))


def _point(values: Sequence[float]) -> Point:
    x, y, z = (round(value, 6) + 0.0 for value in values)
    return x, y, z
