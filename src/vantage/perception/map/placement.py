"""What stands on or in what, judged from the boxes of visible surfaces.

Boxes of visible surfaces are smaller than the objects themselves, so tolerances are generous and an object without a
believable support has none: that is "not known", not "in the air".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from vantage.perception.object_categories import (
    BUILDING,
    CLOSABLE,
    CONTAINERS,
    HANGING,
    LAID_OUT,
    LARGE,
    LIMP,
    OPENINGS,
    ROOFED,
    SEATS,
    SHELVES,
    STRUCTURE,
    TOPPLING,
    WALLS,
)
from vantage.types import Point

_TOUCH = 0.08  # m between a bottom and the surface below it that still counts as contact
_HIDDEN = 0.35  # m of an object's lower part that may be hidden before its support is called unknown
_MARGIN = 0.05  # m by which a centre may lie beside a footprint
_BESIDE = 0.3  # m beside a support within which an object without a known place may still belong to it
_UNSEEN_RIM = 0.2  # m of a support that the objects on it may hide, where their height fits
_WALL = 0.15  # m from a wall within which an object without support hangs on it
_BACK = 0.35  # m from a wall within which an object has its back to it
_FLUSH, _FLAT = 0.07, 0.12  # m: a flat object so close to a wall hangs rather than stands with its foot hidden
_UNSURE = 4  # rank of the first claim that rests on guesses
_UPRIGHT = 2.0  # times its depth that the height of hanging cloth is at least
_BELOW_ROOF = 0.1  # m below the top of open furniture from which on an object is in it
_SMALL, _MOSTLY = 0.12, 0.6  # m^2; an object on a smaller support, such as a book, stands on it by this share at least
_NEAR_RUG = 0.03  # m: what stands so near the floor may stand on a rug, though part of it lies beside
_ALL = 0.9  # share of a footprint from which on all of it lies over a rug, on which it stands then


@dataclass(frozen=True)
class Box:
    """An object as far as geometry goes: world frame, m."""

    key: int
    label: str
    low: Point
    high: Point
    states: tuple[str, ...] = ()

    @property
    def area(self) -> float:
        """Of the footprint, m^2."""
        return (self.high[0] - self.low[0]) * (self.high[1] - self.low[1])

    def covers(self, x: float, y: float, margin: float) -> bool:
        """Whether a point lies above or below the footprint."""
        return self.low[0] - margin <= x <= self.high[0] + margin and self.low[1] - margin <= y <= self.high[1] + margin

    @property
    def is_open_container(self) -> bool:
        return "closed" not in self.states and (self.label in CONTAINERS or "open" in self.states)

    @property
    def is_closed_container(self) -> bool:
        """Something whose inside no camera sees."""
        if self.label in STRUCTURE:
            return False
        return "closed" in self.states or (self.label in CLOSABLE and "open" not in self.states)


@dataclass(frozen=True, order=True)
class Placement:
    """``on`` or ``in`` the object with this key; ``support`` is its label.

    A ``guess`` rests on what is not in sight, such as the foot of an object that is hidden behind another.
    """

    relation: str
    key: int
    support: str
    guess: bool = False


class Placements:
    """What each of some objects is on or in: as ``place``, but found when it is asked for, among neighbours alone."""

    def __init__(self, boxes: Sequence[Box], floor_z: float) -> None:
        self._numbers = {box.key: number for number, box in enumerate(boxes)}
        self._boxes, self._floor_z = boxes, floor_z
        self._floors = [box for box in boxes if box.label == "floor"]
        self._walls = [box for box in boxes if box.label in WALLS]
        corners = np.array([(box.low[:2], box.high[:2]) for box in boxes]).reshape(-1, 2, 2)
        self._low, self._high = corners[:, 0], corners[:, 1]
        size = self._high - self._low
        self._area = size[:, 0] * size[:, 1]
        self._carries = np.array([box.label not in STRUCTURE for box in boxes], np.bool_)
        self._found: dict[int, Placement | None] = {}

    def get(self, key: int) -> Placement | None:
        """Of the object with a key; None where the views do not tell, and for keys of none of them."""
        if key not in self._found:
            number = self._numbers.get(key)
            self._found[key] = None if number is None else self._place(number)
        return self._found[key]

    def _place(self, number: int) -> Placement | None:
        middle = 0.5 * (self._low[number] + self._high[number])
        over = ((middle >= self._low - _UNSEEN_RIM) & (middle <= self._high + _UNSEEN_RIM)).all(axis=-1)
        over &= (self._area[number] < self._area) & self._carries
        larger = [self._boxes[int(k)] for k in np.flatnonzero(over)]
        return _placed(self._boxes[number], larger, self._floors, self._walls, self._floor_z)


def place(obj: Box, others: Iterable[Box], floor_z: float) -> Placement | None:
    """What an object is on or in, or None where the views do not tell.

    Surest claim first: inside the smallest open container, on a surface that touches its bottom, on shelves or beside
    a surface of its height, on the floor, on an inner level of furniture (a mattress beside its headboard, a board
    below a table top), above a surface while its lower part is hidden, on a wall where it is of a kind that hangs.
    """
    boxes = [other for other in others if other.key != obj.key]
    larger = [other for other in boxes if other.label not in STRUCTURE and other.area > obj.area]
    floors = [other for other in boxes if other.label == "floor"]
    return _placed(obj, larger, floors, [other for other in boxes if other.label in WALLS], floor_z)


def may_rest(obj: Box, other: Box, relation: str, found: Placement | None, carrier: Box | None, floor_z: float) -> bool:
    """Whether views allow an object to be on or in another, though they do not say so.

    They do where its place is not known, or guessed, and the other is below, around or right beside it; and where the
    other has as good a claim as the ``carrier`` that is ``found`` to hold it, such as a neighbour of the same height.
    Openings are in walls alone.
    """
    if obj.label in OPENINGS:
        return False
    if found is None or found.guess:
        x, y = 0.5 * (obj.low[0] + obj.high[0]), 0.5 * (obj.low[1] + obj.high[1])
        level = other.low[2] - _MARGIN <= obj.low[2] <= other.high[2] + _HIDDEN
        return level and other.covers(x, y, _BESIDE)
    own = None if carrier is None else _claim(obj, carrier, floor_z)
    claim = _claim(obj, other, floor_z)
    return own is not None and claim is not None and claim[0] <= own[0] and relation in ("at", claim[2].relation)


def _placed(
    obj: Box, larger: Iterable[Box], floors: Iterable[Box], walls: Iterable[Box], floor_z: float
) -> Placement | None:
    if obj.label in BUILDING:
        return None
    claims = [claim for other in larger if (claim := _claim(obj, other, floor_z)) is not None]
    if obj.low[2] - floor_z <= _TOUCH and obj.label not in OPENINGS:
        claims.append((3, 0.0, Placement("on", _nearest(obj, floors), "floor")))
    wall = _wall_behind(obj, walls, _WALL) if obj.label in HANGING | OPENINGS else None
    hangs = wall is not None and _wall_behind(obj, walls, _FLUSH) is not None and _is_flat(obj)
    hangs = hangs or (wall is not None and _is_limp_upright(obj))
    if claims and not (hangs and (min(claims)[0] >= _UNSURE or _is_limp_upright(obj))):
        return min(claims)[2]
    return None if wall is None else Placement("on", wall.key, "wall", guess=not hangs)


def _claim(obj: Box, other: Box, floor_z: float) -> tuple[int, float, Placement] | None:
    """Rank (lower is surer), measure within the rank, and the place itself; None where it is not there."""
    bottom = obj.low[2]
    gap = bottom - other.high[2]
    x, y = 0.5 * (obj.low[0] + obj.high[0]), 0.5 * (obj.low[1] + obj.high[1])

    def claim(rank: int, measure: float, relation: str = "on", guess: bool = False) -> tuple[int, float, Placement]:
        return rank, measure, Placement(relation, other.key, other.label, guess)

    if not other.covers(x, y, _MARGIN):
        if other.label in TOPPLING or (other.area < _SMALL and other.label not in LARGE):
            return None
        beside = abs(gap) <= _TOUCH and other.covers(x, y, _UNSEEN_RIM) and bottom - floor_z > _UNSEEN_RIM
        return claim(2, abs(gap)) if beside else None
    if other.is_open_container and other.label not in SHELVES | SEATS:
        rim = -_BELOW_ROOF if other.label in ROOFED else 0.02
        fits = other.area >= _SMALL or _share_over(obj, other) >= _MOSTLY
        if other.low[2] - _TOUCH <= bottom and gap <= rim and obj.high[2] > other.low[2] + 0.01 and fits:
            return claim(0, other.area, "in")
    if other.label in TOPPLING or (other.area < _SMALL and _share_over(obj, other) < _MOSTLY):
        return None
    laid_out = other.label in LAID_OUT and _share_over(obj, other) < _ALL
    if abs(gap) <= (_NEAR_RUG if laid_out else _TOUCH):
        return claim(1, abs(gap))
    if other.label in SHELVES and other.low[2] - _MARGIN < bottom < other.high[2]:
        return claim(2, other.area)
    if max(floor_z + _TOUCH, other.low[2] - _MARGIN) < bottom < other.high[2] and not other.is_open_container:
        within = other.is_closed_container and obj.high[2] <= other.high[2] + _TOUCH  # seen through a gap of the door
        return claim(4, other.area, "in" if within else "on", guess=within)
    if 0 < gap <= _HIDDEN:
        return claim(5, gap, guess=True)
    return None


def _share_over(obj: Box, support: Box) -> float:
    """Share of the footprint of an object that lies over a support, 0..1."""
    across = (min(obj.high[axis], support.high[axis]) - max(obj.low[axis], support.low[axis]) for axis in (0, 1))
    return float(np.prod([max(each, 0.0) for each in across])) / max(obj.area, 1e-9)


def _nearest(obj: Box, floors: Iterable[Box]) -> int:
    """The floor below an object; 0 where none was seen."""
    x, y = 0.5 * (obj.low[0] + obj.high[0]), 0.5 * (obj.low[1] + obj.high[1])
    ranked = [
        (
            max(floor.low[0] - x, x - floor.high[0], 0.0) + max(floor.low[1] - y, y - floor.high[1], 0.0),
            floor.area,
            floor.key,
        )
        for floor in floors
    ]
    return min(ranked)[2] if ranked else 0


def _is_flat(obj: Box) -> bool:
    return _depth(obj) < _FLAT


def _is_limp_upright(obj: Box) -> bool:
    """Whether it is of cloth and much higher than deep: such objects cannot stand on what is below them."""
    return obj.label in LIMP and obj.high[2] - obj.low[2] > _UPRIGHT * _depth(obj)


def _depth(obj: Box) -> float:
    return min(obj.high[0] - obj.low[0], obj.high[1] - obj.low[1])


def front_of(obj: Box, walls: Iterable[Box]) -> Point | None:
    """The direction in which an object looks that stands with its back to a wall, a unit vector; None for others."""
    found = _nearest_wall(obj, walls, across=True)
    if found is None or found[0] > _BACK:
        return None
    _, wall, axis = found
    away = 0.5 * (obj.low[axis] + obj.high[axis]) - 0.5 * (wall.low[axis] + wall.high[axis])
    sign = 1.0 if away > 0.0 else -1.0
    return (sign, 0.0, 0.0) if axis == 0 else (0.0, sign, 0.0)


def _wall_behind(obj: Box, walls: Iterable[Box], reach: float) -> Box | None:
    """The wall that is nearest to an object, within ``reach`` m."""
    found = _nearest_wall(obj, walls)
    return None if found is None or found[0] > reach else found[1]


def _nearest_wall(obj: Box, walls: Iterable[Box], across: bool = False) -> tuple[float, Box, int] | None:
    """The gap to the wall that is nearest to an object, m, that wall and the axis along which the gap lies; ``across``:
    only gaps across walls count, not those beside their ends."""
    ranked: list[tuple[float, int, Box, int]] = []
    for wall in walls:
        for axis in (0, 1):
            other = 1 - axis
            if across and wall.high[axis] - wall.low[axis] > wall.high[other] - wall.low[other]:
                continue
            if wall.low[other] <= obj.high[other] and obj.low[other] <= wall.high[other]:
                faces = wall.low[axis], wall.high[axis]
                gap = min(abs(side - face) for side in (obj.low[axis], obj.high[axis]) for face in faces)
                ranked.append((gap, wall.key, wall, axis))
    gap, _, nearest, axis = min(ranked, key=lambda item: item[:2], default=(0.0, 0, None, 0))
    return None if nearest is None else (gap, nearest, axis)
