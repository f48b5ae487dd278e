"""Places where an object that was not found may still be, and how far such places were searched.

These are supports in sight that were not looked at from near enough, walls on which objects hang, and doorways whose
other side was not seen. A large object is seen wherever its room was seen. Of smaller ones only some are noticed from
afar; the others are when the supports are looked at from near, of which those count most on which such objects usually
are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vantage.perception.label_confusions import alike
from vantage.perception.map.coverage import UNKNOWN, CoverageMap
from vantage.perception.map.observed_object import ObservedObject
from vantage.perception.map.rooms import ObservedRoom
from vantage.perception.map.surface_inspection import CELL
from vantage.perception.object_categories import KEEPING, LARGE, ROOFED, SHELVES, STRUCTURE, usual_places
from vantage.types import Point

if TYPE_CHECKING:
    from vantage.perception.map.scene_conclusions import SceneConclusions


_OPENINGS = frozenset({"door", "doorway"})
_BEYOND = (0.3, 1.3)  # m from the middle of an opening: the space that tells whether the room there was seen
_AIM = 0.8  # m beyond the opening, where a look is aimed
_HEIGHTS = (0.6, 1.2)  # m above the floor
_SEEN = 0.5  # share of that space from which on the other side counts as seen
_NARROWEST_DOORWAY = 0.4  # m: less of an opening in sight tells nothing of where it leads


def unseen_doorways(memory: SceneConclusions, coverage: CoverageMap) -> list[NDArray[np.float64]]:
    """Points (N, 3) behind each opening, on the sides that were not seen, m."""
    found = []
    for obj in memory.objects:
        if obj.label not in _OPENINGS or "closed" in obj.states:
            continue
        for axis in _axes(obj):
            for side in (-1.0, 1.0):
                points = _behind(obj, axis, side, memory.floor_level, coverage)
                if points is not None:
                    found.append(points)
    return found


def _axes(obj: ObservedObject) -> tuple[int, ...]:
    """The axes along which one may pass: across a frame; both where a leaf stands open, for that hides which it is."""
    extent = np.subtract(obj.bounds_max, obj.bounds_min)[:2]
    if extent.max() < _NARROWEST_DOORWAY:
        return ()
    return (0, 1) if extent.min() >= _NARROWEST_DOORWAY else (int(np.argmin(extent)),)


def _behind(
    obj: ObservedObject, axis: int, side: float, floor: float, coverage: CoverageMap
) -> NDArray[np.float64] | None:
    """Points on one side of an opening, or None where that was seen or lies outside."""
    box = np.array([obj.bounds_min, obj.bounds_max])
    middle = box.mean(axis=0)
    box[:, axis] = np.sort(middle[axis] + side * np.array(_BEYOND))
    box[:, 2] = floor + 0.2, floor + 1.8
    upper = coverage.origin + np.array(coverage.shape) * coverage.voxel
    aim = middle[axis] + side * _AIM
    if not coverage.origin[axis] < aim < upper[axis]:
        return None
    (x0, y0, z0), (x1, y1, z1) = box.tolist()
    if coverage.seen_fraction((x0, y0, z0), (x1, y1, z1)) >= _SEEN:
        return None
    points = np.tile(middle, (len(_HEIGHTS), 1))
    points[:, axis] = aim
    points[:, 2] = floor + np.array(_HEIGHTS)
    return points


_USUAL, _UNUSUAL = 1.0, 0.35  # worth of a support on which such objects usually are, and of any other
_LIKELY_ROOM, _OTHER_ROOM = 1.5, 0.5
_SMALLEST = 0.06  # m^2 of a footprint on which it is worth looking
_SMALLEST_INSIDE = 0.02  # the same of what is seen of a container, into which it is worth looking
_HIGHEST = 2.0  # m
_HIGH, _ON_HIGH = 1.3, 0.4  # m from which on few objects lie on a support, and what that makes of its worth
_NARROWEST = 0.15  # m
_FRONT, _DEPTH = 0.25, 0.5  # m: what is thinner is a front, and how deep furniture is behind it
_ABOVE = 0.3  # m over a support in which a surface shows that it was looked at
_BELOW = 0.1  # m
_RIM = 0.06  # m below the rim of a container from which on a surface is its inside
_BOTTOM = 0.05  # m above the underside of a container
_UNTOUCHED = 0.5  # share of a place beyond which it was not looked at
_MADE_OUT = 800  # pixels from which on an object is hardly taken for another
_MAX_POINTS = 12  # of one support
_BESIDE_WALL = 0.2  # m
_HANGING_HEIGHTS = (1.0, 2.2)  # m above the floor


@dataclass(frozen=True)
class UnsearchedPlace:
    """Points (N, 3) of a support that were not looked at, m, and what seeing all of them is worth (about 0..1).

    Attributes:
        from_above: it is a level surface.
        inside: it is the inside of a container, over whose rim one has to look.
    """

    points: NDArray[np.float64]
    worth: float
    from_above: bool
    inside: bool = False


def unsearched_places(memory: SceneConclusions, labels: Sequence[str], rooms: Sequence[str]) -> list[UnsearchedPlace]:
    """Supports in sight on which objects with these labels may lie, as far as they were not looked at.

    Args:
        rooms: kinds of rooms that the question names; where it names none, habit decides.
    """
    return [
        UnsearchedPlace(
            points[:: 1 + len(points) // _MAX_POINTS],
            worth * unseen.share,
            obj.label not in SHELVES,
            _is_open_container(obj) and obj.label not in ROOFED | SHELVES,
        )
        for obj, worth, unseen in _supports(memory, labels, rooms)
        if len(points := unseen.points())
    ]


def supports_looked_at(memory: SceneConclusions, label: str, within: ObservedRoom | None = None) -> float:
    """Share of the places on supports in sight, or on those in a room, that were looked at, 0..1.

    Places on which such objects usually are count most; without a label, all count alike.
    """
    supports = [(worth, unseen.share) for _, worth, unseen in _supports(memory, [label] if label else [], [], within)]
    total = sum(worth for worth, _ in supports)
    return 1.0 - sum(worth * share for worth, share in supports) / total if total else 1.0


def containers_looked_into(memory: SceneConclusions, label: str, within: ObservedRoom | None = None) -> bool:
    """Whether every open container in sight, or in a room, that may hold such an object was looked into."""
    supports = _supports(memory, [label] if label else [], [], within)
    return not any(_is_open_container(obj) and unseen.share > _UNTOUCHED for obj, _, unseen in supports)


def _supports(
    memory: SceneConclusions, labels: Sequence[str], rooms: Sequence[str], within: ObservedRoom | None = None
) -> Iterator[tuple[ObservedObject, float, _Unseen]]:
    """What may carry such objects: its worth, and what of it was not looked at."""
    habits = [usual_places(label) for label in labels]
    usual = {support for habit in habits for support in habit.supports}
    kinds = set(rooms) or {room for habit in habits for room in habit.rooms}
    for obj in memory.objects:
        if obj.label in STRUCTURE or obj.label in labels:
            continue
        is_open = _is_open_container(obj)
        box = _deep(obj) if obj.label in usual else (obj.bounds_min, obj.bounds_max)
        if not (is_open or _may_carry(obj.label, *box, memory.floor_level)):
            continue
        worth = _USUAL if obj.label in usual or not usual or is_open else _UNUSUAL
        room = memory.room_of(obj) if kinds or within is not None else None
        if within is not None and (room is None or room.key != within.key):
            continue
        if room is not None and kinds:
            worth *= _LIKELY_ROOM if room.label in kinds else _OTHER_ROOM
        if obj.bounds_max[2] - memory.floor_level > _HIGH and obj.label not in SHELVES:
            worth *= _ON_HIGH
        key = "not looked at", is_open, obj.label, box, memory.surfaces.version
        yield obj, worth, memory.once(key, partial(_not_looked_at, obj, is_open, box, memory))


def _not_looked_at(obj: ObservedObject, is_open: bool, box: tuple[Point, Point], memory: SceneConclusions) -> _Unseen:
    return _unseen_inside(*box, memory) if is_open else _unseen(obj.label, *box, memory)


def unseen_walls(memory: SceneConclusions, coverage: CoverageMap) -> list[NDArray[np.float64]]:
    """Points (N, 3), m, along each side of each room where objects hang and nothing was seen yet."""
    found = []
    for room in memory.rooms:
        for axis in (0, 1):
            for side in (room.low[axis], room.high[axis]):
                low, high = list(room.low), list(room.high)
                low[axis], high[axis] = side - _BESIDE_WALL, side + _BESIDE_WALL
                low[2], high[2] = (memory.floor_level + height for height in _HANGING_HEIGHTS)
                points = coverage.centers(UNKNOWN, (low[0], low[1], low[2]), (high[0], high[1], high[2]))
                if len(points) >= _MAX_POINTS:
                    found.append(points[:: 1 + len(points) // _MAX_POINTS])
    return found


def possibly_mislabelled(memory: SceneConclusions, labels: Sequence[str]) -> list[ObservedObject]:
    """Objects seen from afar that may be one with such a label and have been taken for another kind."""
    wanted = set(labels)
    return [
        obj
        for obj in memory.objects
        if obj.pixels < _MADE_OUT and obj.label not in wanted and any(alike(label, obj.label) for label in wanted)
    ]


def _deep(obj: ObservedObject) -> tuple[Point, Point]:
    """The box of furniture; where no more than a front was seen, made as deep as such objects are."""
    low, high = list(obj.bounds_min), list(obj.bounds_max)
    thin = int(np.argmin(np.subtract(high, low)[:2]))
    if high[thin] - low[thin] < _FRONT and obj.evidence:
        seen_from = obj.evidence[0].viewpoint.position[thin]
        if seen_from > high[thin]:
            low[thin] = high[thin] - _DEPTH
        elif seen_from < low[thin]:
            high[thin] = low[thin] + _DEPTH
    return (low[0], low[1], low[2]), (high[0], high[1], high[2])


def _is_open_container(obj: ObservedObject) -> bool:
    """Whether objects are kept in it that show only from above, and enough of it was seen."""
    return obj.label in KEEPING and obj.box.is_open_container and obj.box.area >= _SMALLEST_INSIDE


def _may_carry(label: str, low: Point, high: Point, floor: float) -> bool:
    width, depth = (high[axis] - low[axis] for axis in (0, 1))
    large = width * depth >= _SMALLEST and min(width, depth) >= _NARROWEST
    return large and (high[2] - floor <= _HIGHEST or label in SHELVES)


@dataclass(frozen=True)
class _Unseen:
    """What of a face of a support was not looked at.

    Attributes:
        cells: shape (N, M), True where a cell of the face was not looked at.
        axes: along which the cells lie.
        first: the center of cell (0, 0) in the plane of the face, shape (3,), m.
    """

    cells: NDArray[np.bool_]
    axes: tuple[int, int]
    first: NDArray[np.float64]

    @property
    def share(self) -> float:
        return float(np.count_nonzero(self.cells)) / self.cells.size

    def points(self) -> NDArray[np.float64]:
        """Centers of the cells that were not looked at, shape (K, 3), m."""
        at = np.argwhere(self.cells)
        points = np.tile(self.first, (len(at), 1))
        points[:, self.axes] = self.first[list(self.axes)] + at * CELL
        return points


def _unseen(label: str, low: Point, high: Point, memory: SceneConclusions) -> _Unseen:
    if label in SHELVES:
        return _unseen_front(low, high, memory)
    top = high[2]
    low, high = (low[0], low[1], top - _BELOW), (high[0], high[1], top + _ABOVE)
    cells, first = memory.surfaces.cells(low, high, from_above=True)
    return _Unseen(np.asarray(~cells.any(axis=2)), (0, 1), np.array([first[0], first[1], top]))


def _unseen_inside(low: Point, high: Point, memory: SceneConclusions) -> _Unseen:
    """The same for the inside of an open container."""
    bottom = low[2] + _BOTTOM
    rim = max(high[2] - _RIM, bottom)
    cells, first = memory.surfaces.cells((low[0], low[1], low[2] - _RIM), (high[0], high[1], rim), from_above=True)
    return _Unseen(np.asarray(~cells.any(axis=2)), (0, 1), np.array([first[0], first[1], bottom]))


def _unseen_front(low: Point, high: Point, memory: SceneConclusions) -> _Unseen:
    """The same for shelves, which are looked into from the front; their depth is the shorter side."""
    cells, first = memory.surfaces.cells(low, high, from_above=False)
    thin = int(np.argmin([high[axis] - low[axis] for axis in (0, 1)]))
    corner = np.array(first, np.float64)
    corner[thin] = 0.5 * (low[thin] + high[thin])
    return _Unseen(np.asarray(~cells.any(axis=thin)), (1 - thin, 2), corner)


_ALL_OF_A_ROOM = 0.88  # share of the space of a room that can be seen at all: the inside of objects never is
_NOTICED_FROM_AFAR = 0.5  # share of small objects


def searched_share(
    memory: SceneConclusions, coverage: CoverageMap, label: str = "", within: ObservedRoom | None = None
) -> float:
    """Share of the places that were looked at in which an object with this label (any small one without) could be,
    0..1.

    Rooms count alike, however little of their floors was seen; openings behind which nothing was seen are one more.

    Args:
        within: the room that it would be in, where that is known.
    """
    rooms = memory.rooms if within is None else (within,)
    if not rooms:
        return 0.0
    seen = [min(1.0, memory.room_seen(room, coverage) / _ALL_OF_A_ROOM) for room in rooms]
    others = int(within is None and bool(unseen_doorways(memory, coverage)))
    space = sum(seen) / (len(seen) + others)
    if label in LARGE:
        return space
    return space * (_NOTICED_FROM_AFAR + (1.0 - _NOTICED_FROM_AFAR) * supports_looked_at(memory, label, within))
