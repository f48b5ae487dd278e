"""How the rooms of a home fill one rectangle: a hall or living room amid bands of the others.

Rectangles are bounded by the centre lines of walls; the inner face of a wall is half a double wall away.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.catalog import WALL_THICKNESS
from vantage.scenes.generator.home_layout import ROOM_KINDS, USUAL_FORM, HomeForm, RoomKind, room_program
from vantage.scenes.generator.planned_rooms import PlannedRoom, Rectangle, SharedWall, shared_wall
from vantage.scenes.spec import Corner

Array = NDArray[np.float64]

MIN_SHARED = 1.4  # m of wall that two rooms need to share for a door between them
MIN_OPEN = 2.4  # m by which rooms lie open to each other at least

_BATCH, _BATCHES = 4096, 200  # drafts looked at together, and how often
_SHARES = np.array([0, 0, 1, 1, 2, 2, 2, 3, 3, 3])  # how often a room is in which band
_END = 3  # the band that is left out where a hall has a free end, by which the home is entered
_ENTERED = 25  # batches in which halls have one; large homes may have no such plan
_ORDERS = 16  # of the rooms along the bands of one draft
_STEP = 0.05  # m, of which all lengths are multiples
_STUDIO = ((4.8, 5.4), (4.0, 4.5))
_LONG_STUDIO = 1.5  # largest ratio of its sides
_ARM = 2.2  # m: least width of the arms of an L
_CORNER_SHARE = (0.12, 0.25)  # of a studio that its missing corner takes up
_SMALLER = 0.75  # of the area of a room that what stands in its corner has at most
_SPLITS = 20  # corners tried for one plan


def plan_rooms(rng: np.random.Generator, rooms: int, form: HomeForm = USUAL_FORM) -> tuple[PlannedRoom, ...] | None:
    """Rooms about the origin, the one that leads to the others first; None where no plan was found.

    Every room is of the size of its kind, and one gets from each to each through halls, living rooms and kitchens.
    """
    if rooms == 1:
        return _centred((_studio(rng, form),))
    labels = room_program(rng, rooms, form.open_plan)
    pair = _corner_pair(rng, labels, form) if form.notched else None
    slots = [k for k in range(rooms) if pair is None or k != pair[1]]
    kinds = [form.kinds[labels[k]] for k in slots]
    if pair is not None:
        kinds[slots.index(pair[0])] = _around(kinds[slots.index(pair[0])], form.kinds[labels[pair[1]]])
    for batch in range(_BATCHES):
        for draft in _drafts(rng, kinds, free_end=labels[0] == "hall" and batch < _ENTERED):
            for _ in range(_ORDERS):
                plan = _drawn(rng, [labels[k] for k in slots], *draft)
                if not all(_is_fit(room, kind) for room, kind in zip(plan, kinds, strict=True)):
                    continue
                whole = plan if pair is None else _with_corner(rng, plan, slots, pair, labels[pair[1]], form)
                if whole is None or leads_to(whole) is None or (form.open_plan and not open_stretches(whole)):
                    continue
                return _centred(_turned(rng, whole))
    return None


def open_stretches(plan: Sequence[PlannedRoom]) -> dict[tuple[int, int], SharedWall]:
    """Where, in an open plan, rooms that people walk through lie open to each other, by their indices."""
    passages = [k for k, room in enumerate(plan) if ROOM_KINDS[room.label].passage]
    walls = {(j, k): shared_wall(plan[j], plan[k]) for j in passages for k in passages if j < k}
    return {pair: wall for pair, wall in walls.items() if wall is not None and wall.high - wall.low >= MIN_OPEN}


def _studio(rng: np.random.Generator, form: HomeForm) -> PlannedRoom:
    """The only room of a home."""
    if form.studio is None:
        width, depth = (_whole(float(rng.uniform(*sides))) for sides in _STUDIO)
    else:
        area, ratio = float(rng.uniform(*form.studio)), float(rng.uniform(1.0, _LONG_STUDIO))
        depth = math.sqrt(area / ratio)
        width, depth = (_whole(side + 2 * WALL_THICKNESS) for side in (ratio * depth, depth))
    room = PlannedRoom(room_program(rng, 1)[0], (0.0, 0.0), (width, depth))
    if not form.notched:
        return room
    share = math.sqrt(float(rng.uniform(*_CORNER_SHARE)))
    return _turned(rng, (replace(room, notch=((0.0, 0.0), (_whole(share * width), _whole(share * depth)))),))[0]


def _corner_pair(rng: np.random.Generator, labels: Sequence[str], form: HomeForm) -> tuple[int, int] | None:
    """Indices of a room that is an L and of the one in its corner; None where the rooms of a home are too alike."""
    middles = [sum(form.kinds[label].area) / 2 for label in labels]
    pairs = [
        (large, small)
        for large in range(len(labels))
        for small in range(1, len(labels))
        if labels[large] != "hall" and labels[small] != "hall" and middles[small] <= _SMALLER * middles[large]
    ]
    return pairs[int(rng.integers(len(pairs)))] if pairs else None


def _around(large: RoomKind, small: RoomKind) -> RoomKind:
    """The size of a rectangle that a room and another one in its corner make up."""
    area = (large.area[0] + small.area[0], large.area[1] + small.area[1])
    return replace(large, area=area, side=max(large.side, small.side + _ARM))


def _with_corner(
    rng: np.random.Generator,
    plan: Sequence[PlannedRoom],
    slots: Sequence[int],
    pair: tuple[int, int],
    label: str,
    form: HomeForm,
) -> tuple[PlannedRoom, ...] | None:
    """A plan with one more room, of a label, in a corner of the room ``pair[0]``; None where none fits there.

    Args:
        slots: indices that the rooms of the plan have among all rooms.
    """
    large = plan[slots.index(pair[0])]
    kind, least, largest = form.kinds[label], *form.kinds[large.label].area
    sides = [large.high[k] - large.low[k] for k in (0, 1)]
    for _ in range(_SPLITS):
        area = float(rng.uniform(*kind.area))
        width = _whole(float(rng.uniform(kind.side, math.sqrt(area * kind.slenderness))) + 2 * WALL_THICKNESS)
        depth = _whole(area / width + 2 * WALL_THICKNESS)
        starts = [side - own if rng.random() < 0.5 else 0.0 for side, own in zip(sides, (width, depth), strict=True)]
        if any(side - own < _ARM for side, own in zip(sides, (width, depth), strict=True)):
            continue
        low = large.low[0] + starts[0], large.low[1] + starts[1]
        high = tuple(large.high[k] if starts[k] else large.low[k] + own for k, own in enumerate((width, depth)))
        corner = PlannedRoom(label, low, (high[0], high[1]))
        bent = replace(large, notch=(corner.low, corner.high))
        if _is_fit(corner, kind) and least <= bent.area <= largest:
            rooms = dict(zip(slots, plan, strict=True)) | {pair[0]: bent, pair[1]: corner}
            return tuple(rooms[k] for k in sorted(rooms))
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
    rng: np.random.Generator, kinds: Sequence[RoomKind], free_end: bool
) -> Iterator[tuple[Array, Array, NDArray[np.int64]]]:
    """Sizes of the first room (2,), areas (N,) and bands (N,) of all rooms with which each is about what it should be.

    The bands are a row below and one above the first room, as long as it, and a column at each end of these three, or
    at one of them only where the first room is to have a free end.
    """
    least, largest = (np.array([kind.area[k] for kind in kinds]) for k in (0, 1))
    areas = rng.uniform(least, 1.06 * largest, (_BATCH, len(kinds)))
    shares = _SHARES[_SHARES != _END] if free_end else _SHARES
    bands = shares[rng.integers(len(shares), size=(_BATCH, len(kinds)))]
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


def _is_fit(room: PlannedRoom, kind: RoomKind) -> bool:
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

    def turned(corners: Rectangle) -> Rectangle:
        low, high = np.sort(np.array(corners) * signs, axis=0)[:, order].tolist()
        return (low[0], low[1]), (high[0], high[1])

    return _moved(plan, turned)


def _centred(plan: tuple[PlannedRoom, ...]) -> tuple[PlannedRoom, ...]:
    corners = np.array([(room.low, room.high) for room in plan])
    middle = 0.5 * (corners[:, 0].min(axis=0) + corners[:, 1].max(axis=0))

    def moved(corners: Rectangle) -> Rectangle:
        low, high = (np.round(np.array(corners) - middle, 4) + 0.0).tolist()
        return (low[0], low[1]), (high[0], high[1])

    return _moved(plan, moved)


def _moved(plan: Sequence[PlannedRoom], move: Callable[[Rectangle], Rectangle]) -> tuple[PlannedRoom, ...]:
    return tuple(
        PlannedRoom(room.label, *move((room.low, room.high)), move(room.notch) if room.notch else None) for room in plan
    )


def _whole(value: float) -> float:
    return round(value / _STEP) * _STEP
