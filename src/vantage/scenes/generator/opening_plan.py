"""Where the doors, doorways and windows of a home are, and where its rooms lie open to each other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vantage.scenes.catalog import fixtures
from vantage.scenes.generator.floor_plan import has_room_for_door, leads_to, open_stretches
from vantage.scenes.generator.home_layout import ROOM_KINDS
from vantage.scenes.generator.planned_rooms import PlannedRoom, SharedWall, outer_walls, shared_wall

OUTSIDE = -1

_CORNER = 0.12  # m between a door and the corner of the room, behind which its leaf stands open
_POST = 0.1  # m of wall that stay at the ends of an open side
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


@dataclass(frozen=True)
class PlannedOpening:
    """A hole in the walls between two rooms, or between a room and the outside.

    Attributes:
        kind: of ``spec.OPENINGS``.
        rooms: indices of the room that what fills it belongs to (a door swings into it), and of the other one.
        axis: perpendicular to the wall, 0 for x and 1 for y.
        at: coordinate of the centre line of the wall, m.
        low, high: ends along the wall, m.
        bottom, top: heights, m; what has no top reaches to the ceiling.
        hinge: end at which the leaf of a door hangs, -1 for ``low`` and 1 for ``high``.
        is_open_side: whether it is no frame in a wall, but the place of a wall that is left out up to the ceiling.
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
    is_open_side: bool = False


def plan_openings(
    rng: np.random.Generator, plan: Sequence[PlannedRoom], open_plan: bool = False
) -> tuple[PlannedOpening, ...] | None:
    """Doors and doorways by which one gets everywhere, an entrance and windows; None where they find no room.

    Rooms of an open plan that people walk through lie open to each other where they touch.
    """
    pairs = leads_to(plan)
    if pairs is None:
        return None
    for _ in range(_ARRANGEMENTS):
        placed = _arrange(rng, plan, pairs, _open_sides(plan) if open_plan else [])
        if placed is not None:
            return placed
    return None


def _open_sides(plan: Sequence[PlannedRoom]) -> list[PlannedOpening]:
    """The walls that an open plan leaves out, but for posts at their ends."""
    return [
        PlannedOpening(
            "doorway", pair, wall.axis, wall.at, wall.low + _POST, wall.high - _POST, 0.0, math.inf, is_open_side=True
        )
        for pair, wall in open_stretches(plan).items()
    ]


def _arrange(
    rng: np.random.Generator,
    plan: Sequence[PlannedRoom],
    pairs: Sequence[tuple[int, int]],
    open_sides: Sequence[PlannedOpening],
) -> tuple[PlannedOpening, ...] | None:
    joined = [set(side.rooms) for side in open_sides]
    pairs = [pair for pair in pairs if set(pair) not in joined]
    entrance = _entrance(rng, plan, open_sides)
    if entrance is None:
        return None
    placed = [*open_sides, entrance]
    for first, second in (pairs[int(k)] for k in rng.permutation(len(pairs))):
        opening = _between(rng, plan, first, second, placed)
        if opening is None:
            return None
        placed.append(opening)
    kitchens = [k for k, room in enumerate(plan) if room.label == "kitchen"]
    for first, second in ((k, j) for k in kitchens for j, room in enumerate(plan) if room.label == "living room"):
        linked = {first, second} in [*joined, *(set(pair) for pair in pairs)]
        if not linked and has_room_for_door(plan[first], plan[second]) and rng.random() < _EXTRA:
            placed += filter(None, [_between(rng, plan, first, second, placed)])
    for index, room in enumerate(plan):
        if rng.random() < _WINDOWS.get(room.label, 0.0):
            placed += filter(None, [_window(rng, plan, index, placed)])
    return tuple(placed)


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
