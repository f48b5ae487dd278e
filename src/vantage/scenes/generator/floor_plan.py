"""Which rooms a home of some size has, and how they fill one rectangle: a hall or living room amid bands of the others.

Rectangles are bounded by the centre lines of walls; the inner face of a wall is half a double wall away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.catalog import WALL_THICKNESS

Array = NDArray[np.float64]

Corner = tuple[float, float]

STUDIOS = ("living room", "bedroom", "office")  # what the only room of a home can be

MIN_ROOMS, MAX_ROOMS = 1, 10

_SMALL_HOMES: dict[int, tuple[tuple[str, ...], ...]] = {
    2: (("living room", "kitchen"), ("living room", "bedroom"), ("living room", "bathroom")),
    3: (
        ("living room", "kitchen", "bathroom"),
        ("living room", "kitchen", "bedroom"),
        ("living room", "bathroom", "bedroom"),
    ),
    4: (
        ("hall", "living room", "kitchen", "bathroom"),
        ("hall", "living room", "kitchen", "bedroom"),
        ("hall", "living room", "bathroom", "bedroom"),
        ("hall", "kitchen", "bathroom", "bedroom"),
    ),
}
_COMMON = ("hall", "living room", "kitchen", "bathroom", "bedroom")
_FIRST_EXTRAS = ("bedroom", "office", "storage room", "bathroom")
_LAST_EXTRAS = ("bedroom", "office", "storage room")

MIN_SHARED = 1.4  # m of wall that two rooms need to share for a door between them

_BATCH, _BATCHES = 4096, 200  # drafts looked at together, and how often
_SHARES = np.array([0, 0, 1, 1, 2, 2, 2, 3, 3, 3])  # how often a room is in which band
_END = 3  # the band that is left out where a hall has a free end, by which the home is entered
_ENTERED = 25  # batches in which halls have one; large homes may have no such plan
_ORDERS = 16  # of the rooms along the bands of one draft
_STEP = 0.05  # m, of which all lengths are multiples
_STUDIO = ((4.8, 5.4), (4.0, 4.5))


@dataclass(frozen=True)
class RoomKind:
    """A kind of room.

    Attributes:
        area: least and largest floor, m2.
        side: shortest side, m.
        slenderness: largest ratio of its sides.
        passage: whether people walk through it to other rooms.
        private: whether a door, rather than an open doorway, leads into it.
    """

    area: tuple[float, float]
    side: float
    slenderness: float
    passage: bool = False
    private: bool = False


ROOM_KINDS: dict[str, RoomKind] = {
    "kitchen": RoomKind((10.0, 14.0), 2.6, 1.9, passage=True),
    "bathroom": RoomKind((5.0, 7.0), 1.65, 2.4, private=True),
    "bedroom": RoomKind((11.0, 16.0), 2.9, 1.7, private=True),
    "living room": RoomKind((16.0, 22.0), 3.4, 1.7, passage=True),
    "office": RoomKind((10.0, 13.0), 2.7, 1.8, private=True),
    "hall": RoomKind((5.0, 12.0), 1.3, 7.0, passage=True),
    "storage room": RoomKind((4.0, 7.0), 1.6, 2.6, private=True),
}


def room_program(rng: np.random.Generator, rooms: int) -> tuple[str, ...]:
    """The kinds of 1 to 10 rooms; the first is the one that leads to the others."""
    if rooms == 1:
        return (STUDIOS[int(rng.integers(len(STUDIOS)))],)
    if rooms in _SMALL_HOMES:
        choices = _SMALL_HOMES[rooms]
        return choices[int(rng.integers(len(choices)))]
    extras = [extra for pool in (_FIRST_EXTRAS, _LAST_EXTRAS) for extra in rng.permutation(pool).tolist()]
    return (*_COMMON, *extras[: rooms - len(_COMMON)])


@dataclass(frozen=True)
class PlannedRoom:
    """A rectangle of a floor plan, between the centre lines of its walls, m."""

    label: str
    low: Corner
    high: Corner

    @property
    def inner_low(self) -> Corner:
        """The corner with the smallest coordinates between the inner faces of the walls."""
        return self.low[0] + WALL_THICKNESS, self.low[1] + WALL_THICKNESS

    @property
    def inner_high(self) -> Corner:
        """The corner with the largest coordinates between the inner faces of the walls."""
        return self.high[0] - WALL_THICKNESS, self.high[1] - WALL_THICKNESS


@dataclass(frozen=True)
class SharedWall:
    """The stretch of a wall between two rooms: perpendicular to ``axis`` (0 x, 1 y) at ``at``, ``low`` to ``high``."""

    axis: int
    at: float
    low: float
    high: float


def shared_wall(first: PlannedRoom, second: PlannedRoom) -> SharedWall | None:
    """Where two rooms stand wall to wall, None where they do not; ends at the inner faces of the walls across."""
    for axis in (0, 1):
        along = 1 - axis
        low = max(first.inner_low[along], second.inner_low[along])
        high = min(first.inner_high[along], second.inner_high[along])
        if high <= low:
            continue
        for one, other in ((first, second), (second, first)):
            if abs(one.high[axis] - other.low[axis]) < 1e-6:
                return SharedWall(axis, one.high[axis], low, high)
    return None


def plan_rooms(rng: np.random.Generator, rooms: int) -> tuple[PlannedRoom, ...] | None:
    """Rooms about the origin, the one that leads to the others first; None where no plan was found.

    Every room is of the size of its kind, and one gets from each to each through halls, living rooms and kitchens.
    """
    if rooms == 1:
        width, depth = (_whole(float(rng.uniform(*sides))) for sides in _STUDIO)
        return _centred((PlannedRoom(room_program(rng, 1)[0], (0.0, 0.0), (width, depth)),))
    labels = room_program(rng, rooms)
    for batch in range(_BATCHES):
        for draft in _drafts(rng, labels, free_end=labels[0] == "hall" and batch < _ENTERED):
            for _ in range(_ORDERS):
                plan = _drawn(rng, labels, *draft)
                if all(_is_fit(room) for room in plan) and leads_to(plan) is not None:
                    return _centred(_turned(rng, plan))
    return None


def leads_to(plan: Sequence[PlannedRoom]) -> tuple[tuple[int, int], ...] | None:
    """Pairs (from, to) of indices by which all rooms are reached from the first; None where one cannot be reached.

    Nobody has to walk through a room that is no passage, and halls are preferred to living rooms to kitchens.
    """
    preference = {"hall": 0, "living room": 1, "kitchen": 2}
    ranks = [preference.get(room.label, 3) for room in plan]
    leading = [k for k, room in enumerate(plan) if k == 0 or ROOM_KINDS[room.label].passage]
    ways = {(start, end) for start in leading for end in range(1, len(plan)) if start != end}
    ways = {(start, end) for start, end in ways if has_room_for_door(plan[start], plan[end])}
    reached, pairs = {0}, []
    while len(reached) < len(plan):
        steps = [(ranks[start], start, end) for start, end in ways if start in reached and end not in reached]
        if not steps:
            return None
        _, start, end = min(steps)
        pairs.append((start, end))
        reached.add(end)
    return tuple(pairs)


def has_room_for_door(first: PlannedRoom, second: PlannedRoom) -> bool:
    """Whether the wall between two rooms is long enough for a door."""
    shared = shared_wall(first, second)
    return shared is not None and shared.high - shared.low >= MIN_SHARED


def _drafts(
    rng: np.random.Generator, labels: Sequence[str], free_end: bool
) -> Iterator[tuple[Array, Array, NDArray[np.int64]]]:
    """Sizes of the first room (2,), areas (N,) and bands (N,) of all rooms with which each is about what it should be.

    The bands are a row below and one above the first room, as long as it, and a column at each end of these three, or
    at one of them only where the first room is to have a free end.
    """
    kinds = [ROOM_KINDS[label] for label in labels]
    least, largest = (np.array([kind.area[k] for kind in kinds]) for k in (0, 1))
    areas = rng.uniform(least, 1.06 * largest, (_BATCH, len(labels)))
    shares = _SHARES[_SHARES != _END] if free_end else _SHARES
    bands = shares[rng.integers(len(shares), size=(_BATCH, len(labels)))]
    side = kinds[0].side + 2 * WALL_THICKNESS
    breadth = rng.uniform(side, np.maximum(side, np.minimum(np.sqrt(areas[:, 0]), 2.0 * side)))
    length = areas[:, 0] / breadth
    bands[:, 0] = -1
    sums = np.stack([np.where(bands == band, areas, 0.0).sum(axis=1) for band in range(4)], axis=1)
    rows = sums[:, :2] / length[:, None]
    columns = sums[:, 2:] / (breadth + rows.sum(axis=1))[:, None]
    deep = np.concatenate([rows, columns, breadth[:, None]], axis=1)
    across = np.take_along_axis(deep, bands % 5, axis=1) - 2 * WALL_THICKNESS
    along = areas / (across + 2 * WALL_THICKNESS) - 2 * WALL_THICKNESS
    small, large = np.minimum(across, along), np.maximum(across, along)
    fits = (small >= np.array([kind.side for kind in kinds])) & (small * large >= least) & (small * large <= largest)
    fits &= large <= np.array([kind.slenderness for kind in kinds]) * small
    for k in np.flatnonzero(fits.all(axis=1)):
        yield np.array([length[k], breadth[k]]), areas[k], bands[k]


def _drawn(
    rng: np.random.Generator, labels: Sequence[str], size: Array, areas: Array, bands: NDArray[np.int64]
) -> tuple[PlannedRoom, ...]:
    """The plan of a draft, with the rooms of each band in random order and all lengths in whole steps."""
    length, breadth = (_whole(float(side)) for side in size)
    order = rng.permutation(np.arange(1, len(labels)))
    below, above, before, behind = ([int(room) for room in order if bands[room] == band] for band in range(4))
    lower, upper = (_whole(sum(areas[room] for room in band) / length) for band in (below, above))
    depth = lower + breadth + upper
    left, right = (_whole(sum(areas[room] for room in band) / depth) for band in (before, behind))
    found = {0: ((0.0, lower), (length, lower + breadth))}
    found |= _row(below, areas, (0.0, 0.0), (length, lower), 0)
    found |= _row(above, areas, (0.0, lower + breadth), (length, depth), 0)
    found |= _row(before, areas, (-left, 0.0), (0.0, depth), 1)
    found |= _row(behind, areas, (length, 0.0), (length + right, depth), 1)
    return tuple(PlannedRoom(label, *found[room]) for room, label in enumerate(labels))


def _row(rooms: Sequence[int], areas: Array, low: Corner, high: Corner, axis: int) -> dict[int, tuple[Corner, Corner]]:
    """Cut a rectangle across an axis into rooms in proportion to their areas."""
    total, found, done = float(sum(areas[room] for room in rooms)), {}, 0.0
    start = low[axis]
    for room in rooms:
        done += float(areas[room])
        end = low[axis] + _whole((high[axis] - low[axis]) * done / total)
        if axis == 0:
            found[room] = ((start, low[1]), (end, high[1]))
        else:
            found[room] = ((low[0], start), (high[0], end))
        start = end
    return found


def _is_fit(room: PlannedRoom) -> bool:
    kind = ROOM_KINDS[room.label]
    sides = [high - low for low, high in zip(room.inner_low, room.inner_high, strict=True)]
    small, large = min(sides), max(sides)
    return (
        small >= kind.side - 1e-9
        and large <= kind.slenderness * small
        and kind.area[0] <= small * large <= kind.area[1]
    )


def _turned(rng: np.random.Generator, plan: tuple[PlannedRoom, ...]) -> tuple[PlannedRoom, ...]:
    """The plan mirrored in x or y and turned by a quarter, at random."""
    signs = [-1.0 if rng.random() < 0.5 else 1.0 for _ in range(2)]
    order = (1, 0) if rng.random() < 0.5 else (0, 1)
    turned = []
    for room in plan:
        corners = np.sort(np.array([room.low, room.high]) * signs, axis=0)[:, order]
        turned.append(PlannedRoom(room.label, *((float(x), float(y)) for x, y in corners)))
    return tuple(turned)


def _centred(plan: tuple[PlannedRoom, ...]) -> tuple[PlannedRoom, ...]:
    corners = np.array([(room.low, room.high) for room in plan])
    middle = 0.5 * (corners[:, 0].min(axis=0) + corners[:, 1].max(axis=0))
    moved = np.round(corners - middle, 4) + 0.0
    return tuple(
        PlannedRoom(room.label, (float(low[0]), float(low[1])), (float(high[0]), float(high[1])))
        for room, (low, high) in zip(plan, moved, strict=True)
    )


def _whole(value: float) -> float:
    return round(value / _STEP) * _STEP
