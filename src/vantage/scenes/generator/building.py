"""The building of a home: where its doors, doorways and windows are, and the floors, ceilings and walls around them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vantage.scenes.catalog import ObjectClass, fixtures
from vantage.scenes.generator.floor_plan import (
    ROOM_KINDS,
    PlannedRoom,
    SharedWall,
    has_room_for_door,
    leads_to,
    shared_wall,
)
from vantage.scenes.generator.object_models import Model
from vantage.scenes.generator.placement import Home, Room
from vantage.scenes.geometry import Design, Style
from vantage.scenes.spec import COLORS, Color, Opening, Part, Wall
from vantage.types import Point

OUTSIDE = -1

_CORNER = 0.12  # m between a door and the corner of the room, behind which its leaf stands open
_APART = 0.25  # m between two openings of one wall
_CORNER_SPACE = 0.95  # m from a corner that a leaf sweeps
_WINDOW_MARGIN = 0.55  # m beside a window, for curtains
_TRIES = 30
_ARRANGEMENTS = 20  # of all openings of a plan
_DOORS_BETWEEN_LIVING_ROOMS = 0.2  # share of openings between rooms that are not private
_EXTRA = 0.5  # chance of a second way between kitchen and living room
_WINDOWS = {
    "kitchen": 1.0,
    "bedroom": 1.0,
    "living room": 1.0,
    "office": 1.0,
    "hall": 0.3,
}  # chance that a room has one

_TINTS: tuple[Color, ...] = ((0.93, 0.89, 0.81), (0.87, 0.91, 0.86), (0.86, 0.90, 0.93), (0.94, 0.88, 0.86))
_BOARDS: tuple[Color, ...] = ((0.52, 0.34, 0.19), (0.44, 0.28, 0.16))
_TILES: Color = (0.54, 0.54, 0.53)
_TILED = ("kitchen", "bathroom", "storage room")
_BARE = ("bathroom", "kitchen", "hall")  # rooms whose windows have no curtains

_PASSAGE = 0.75  # m before an opening that stay free
_VIEW = 0.6  # m before a window that only low objects may take up
_BELOW_VIEW = 0.08  # m above its sill that such objects reach at most
_LEANING = 0.12  # m beside the swing of a door that stay free


@dataclass(frozen=True)
class PlannedOpening:
    """A hole in the walls between two rooms, or between a room and the outside.

    Attributes:
        kind: of ``spec.OPENINGS``.
        rooms: indices of the room that what fills it belongs to (a door swings into it), and of the other one.
        axis: perpendicular to the wall, 0 for x and 1 for y.
        at: coordinate of the centre line of the wall, m.
        low, high: ends along the wall, m.
        bottom, top: heights, m.
        hinge: end at which the leaf of a door hangs, -1 for ``low`` and 1 for ``high``.
    """

    kind: str
    rooms: tuple[int, int]
    axis: int
    at: float
    low: float
    high: float
    bottom: float
    top: float
    hinge: int = -1


def plan_openings(rng: np.random.Generator, plan: Sequence[PlannedRoom]) -> tuple[PlannedOpening, ...] | None:
    """Doors and doorways by which one gets everywhere, an entrance and windows; None where they find no room."""
    pairs = leads_to(plan)
    if pairs is None:
        return None
    for _ in range(_ARRANGEMENTS):
        placed = _arrange(rng, plan, pairs)
        if placed is not None:
            return placed
    return None


def _arrange(
    rng: np.random.Generator, plan: Sequence[PlannedRoom], pairs: Sequence[tuple[int, int]]
) -> tuple[PlannedOpening, ...] | None:
    entrance = _entrance(rng, plan, ())
    if entrance is None:
        return None
    placed = [entrance]
    for first, second in (pairs[int(k)] for k in rng.permutation(len(pairs))):
        opening = _between(rng, plan, first, second, placed)
        if opening is None:
            return None
        placed.append(opening)
    kitchens = [k for k, room in enumerate(plan) if room.label == "kitchen"]
    for first, second in ((k, j) for k in kitchens for j, room in enumerate(plan) if room.label == "living room"):
        linked = {first, second} in [set(pair) for pair in pairs]
        if not linked and has_room_for_door(plan[first], plan[second]) and rng.random() < _EXTRA:
            placed += filter(None, [_between(rng, plan, first, second, placed)])
    for index, room in enumerate(plan):
        if rng.random() < _WINDOWS.get(room.label, 0.0):
            placed += filter(None, [_window(rng, plan, index, placed)])
    return tuple(placed)


def outer_walls(plan: Sequence[PlannedRoom], index: int) -> Iterator[SharedWall]:
    """The sides of a room behind which no other room is."""
    room = plan[index]
    for axis in (0, 1):
        low, high = room.inner_low[1 - axis], room.inner_high[1 - axis]
        if room.low[axis] <= min(other.low[axis] for other in plan) + 1e-6:
            yield SharedWall(axis, room.low[axis], low, high)
        if room.high[axis] >= max(other.high[axis] for other in plan) - 1e-6:
            yield SharedWall(axis, room.high[axis], low, high)


def _between(
    rng: np.random.Generator, plan: Sequence[PlannedRoom], first: int, second: int, placed: Sequence[PlannedOpening]
) -> PlannedOpening | None:
    wall = shared_wall(plan[first], plan[second])
    if wall is None:
        return None
    private = [k for k in (second, first) if ROOM_KINDS[plan[k].label].private]
    owner = private[0] if private else second
    rooms = (owner, first if owner == second else second)
    kind = "door" if private or rng.random() < _DOORS_BETWEEN_LIVING_ROOMS else "doorway"
    return _first_free(_doors(rng, kind, rooms, wall, plan[owner]), placed)


def _entrance(
    rng: np.random.Generator, plan: Sequence[PlannedRoom], placed: Sequence[PlannedOpening]
) -> PlannedOpening | None:
    order = [k for label in ("hall", "living room", "kitchen") for k, room in enumerate(plan) if room.label == label]
    for index in order or [0]:
        walls = [wall for wall in outer_walls(plan, index) if wall.high - wall.low >= fixtures.DOOR_WIDTH + 0.3]
        for wall in (walls[int(k)] for k in rng.permutation(len(walls))):
            found = _first_free(_doors(rng, "door", (index, OUTSIDE), wall, plan[index]), placed)
            if found is not None:
                return found
    return None


def _window(
    rng: np.random.Generator, plan: Sequence[PlannedRoom], index: int, placed: Sequence[PlannedOpening]
) -> PlannedOpening | None:
    width, sill = fixtures.WINDOW_WIDTH, fixtures.WINDOW_SILL
    walls = [wall for wall in outer_walls(plan, index) if wall.high - wall.low >= width + 2 * _WINDOW_MARGIN]
    for wall in (walls[int(k)] for k in rng.permutation(len(walls))):
        free = 0.5 * (wall.high - wall.low - width) - _WINDOW_MARGIN
        for _ in range(_TRIES):
            low = round(0.5 * (wall.low + wall.high - width) + float(rng.uniform(-free, free)), 2)
            top = sill + fixtures.WINDOW_HEIGHT
            opening = PlannedOpening("window", (index, OUTSIDE), wall.axis, wall.at, low, low + width, sill, top)
            if not any(_conflict(opening, other) for other in placed):
                return opening
    return None


def _doors(
    rng: np.random.Generator, kind: str, rooms: tuple[int, int], wall: SharedWall, owner: PlannedRoom
) -> Iterator[PlannedOpening]:
    """Places for a door in a stretch of wall, those first where its open leaf stands against a wall of its room."""
    width, top = fixtures.DOOR_WIDTH, fixtures.DOOR_HEIGHT
    along = 1 - wall.axis
    corners = [(wall.low + _CORNER, -1, wall.low == owner.inner_low[along])]
    corners.append((wall.high - _CORNER - width, 1, wall.high == owner.inner_high[along]))
    starts = [(low, hinge) for low, hinge, corner in corners if corner]
    starts = [starts[int(k)] for k in rng.permutation(len(starts))] if kind == "door" else []
    for _ in range(_TRIES):
        low = round(float(rng.uniform(wall.low + _CORNER, wall.high - _CORNER - width)), 2)
        starts.append((low, -1 if low - wall.low < wall.high - low - width else 1))
    for low, hinge in starts:
        yield PlannedOpening(kind, rooms, wall.axis, wall.at, low, low + width, 0.0, top, hinge)


def _first_free(options: Iterator[PlannedOpening], placed: Sequence[PlannedOpening]) -> PlannedOpening | None:
    return next((each for each in options if not any(_conflict(each, other) for other in placed)), None)


def _conflict(first: PlannedOpening, second: PlannedOpening) -> bool:
    """Whether two openings are too near each other in one wall, or the spaces before them overlap."""
    if first.axis == second.axis and abs(first.at - second.at) < 1e-6:
        return first.low < second.high + _APART and second.low < first.high + _APART
    if first.axis == second.axis:
        return False
    shared = set(first.rooms) & set(second.rooms) - {OUTSIDE}
    if not any(_takes_space(opening, room) for opening in (first, second) for room in shared):
        return False
    # In two walls that meet in a corner: the squares before the openings must not overlap.
    return all(
        abs(one.at - min(max(one.at, other.low), other.high)) < _CORNER_SPACE
        for one, other in ((first, second), (second, first))
    )


def _takes_space(opening: PlannedOpening, room: int) -> bool:
    """Whether a leaf swings into a room."""
    return opening.kind != "doorway" and opening.rooms[0] == room


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
