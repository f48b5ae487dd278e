"""What stands on or in what, judged from the boxes of visible surfaces.

Boxes of visible surfaces are smaller than the things themselves, so tolerances are generous and a thing without a
believable support has none: that is "not known", not "in the air".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from vantage.types import Point

STRUCTURE = frozenset({"floor", "wall", "walls", "ceiling", "door", "window"})
SHELVES = frozenset({"shelves", "bookshelf", "bookcase", "rack", "shelving unit", "shoe rack"})
SEATS = frozenset({"bed", "sofa", "couch", "chair", "armchair", "bench", "office chair", "crib", "loveseat"})
CONTAINERS = frozenset(
    {"box", "basket", "bin", "crate", "bucket", "bowl", "trash can", "trash bin", "sink", "bathtub", "laundry basket"}
)
CLOSABLE = frozenset(
    {"cabinet", "cupboard", "wardrobe", "fridge", "refrigerator", "chest", "drawer", "dresser", "safe", "microwave"}
)
HANGING = frozenset(
    {"picture", "painting", "poster", "photo", "calendar", "sign", "mirror", "clock", "shelf", "curtain", "blind"}
    | {"television", "tv", "whiteboard", "radiator", "coat rack", "hook", "switch", "outlet", "thermostat"}
)

_TOUCH = 0.08  # m between a bottom and the surface below it that still counts as contact
_HIDDEN = 0.35  # m of a thing's lower part that may be hidden before its support is called unknown
_MARGIN = 0.05  # m by which a centre may lie beside a footprint
_UNSEEN_RIM = 0.2  # m of a support that the things on it may hide, where their height fits
_WALL = 0.15  # m from a wall within which a thing without support hangs on it
_FLUSH, _FLAT = 0.07, 0.12  # m: a flat thing so close to a wall hangs rather than stands with its foot hidden
_UNSURE = 4  # rank of the first claim that rests on guesses


@dataclass(frozen=True)
class Box:
    """A thing as far as geometry goes: world frame, m."""

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
    """``on`` or ``in`` the thing with this key; ``support`` is its label.

    A ``guess`` rests on what is not in sight, such as the foot of a thing that is hidden behind another.
    """

    relation: str
    key: int
    support: str
    guess: bool = False


def place(thing: Box, others: Iterable[Box], floor_z: float) -> Placement | None:
    """What a thing is on or in, or None where the views do not tell.

    Surest claim first: inside the smallest open container, on a surface that touches its bottom, on shelves or beside
    a surface of its height, on the floor, on an inner level of furniture (a mattress beside its headboard, a board
    below a table top), above a surface while its lower part is hidden, on a wall where it is of a kind that hangs.
    """
    bottom = thing.low[2]
    x, y = 0.5 * (thing.low[0] + thing.high[0]), 0.5 * (thing.low[1] + thing.high[1])
    claims: list[tuple[int, float, Placement]] = []
    floor_key, walls = 0, []
    for other in others:
        if other.label == "floor":
            floor_key = other.key
        if other.label in ("wall", "walls"):
            walls.append(other)
        if other.key == thing.key or other.label in STRUCTURE or other.area <= thing.area:
            continue
        gap = bottom - other.high[2]
        if not other.covers(x, y, _MARGIN):
            if abs(gap) <= _TOUCH and other.covers(x, y, _UNSEEN_RIM) and bottom - floor_z > _UNSEEN_RIM:
                claims.append((2, abs(gap), Placement("on", other.key, other.label)))
            continue
        fits = other.is_open_container and other.label not in SHELVES | SEATS
        if fits and other.low[2] - _TOUCH <= bottom <= other.high[2] + 0.02 and thing.high[2] > other.low[2] + 0.01:
            claims.append((0, other.area, Placement("in", other.key, other.label)))
        elif abs(gap) <= _TOUCH:
            claims.append((1, abs(gap), Placement("on", other.key, other.label)))
        elif other.label in SHELVES and other.low[2] - _MARGIN < bottom < other.high[2]:
            claims.append((2, other.area, Placement("on", other.key, other.label)))
        elif max(floor_z + _TOUCH, other.low[2] - _MARGIN) < bottom < other.high[2] and not other.is_open_container:
            relation = "in" if other.is_closed_container else "on"  # seen through a gap of its door
            claims.append((4, other.area, Placement(relation, other.key, other.label)))
        elif 0 < gap <= _HIDDEN:
            claims.append((5, gap, Placement("on", other.key, other.label, guess=True)))
    if bottom - floor_z <= _TOUCH:
        claims.append((3, 0.0, Placement("on", floor_key, "floor")))
    wall = _wall_behind(thing, walls, _WALL) if thing.label in HANGING | STRUCTURE else None
    hangs = wall is not None and _wall_behind(thing, walls, _FLUSH) is wall and _is_flat(thing)
    if claims and not (hangs and min(claims)[0] >= _UNSURE):
        return min(claims)[2]
    return None if wall is None else Placement("on", wall.key, "wall", guess=not hangs)


def _is_flat(thing: Box) -> bool:
    return min(thing.high[0] - thing.low[0], thing.high[1] - thing.low[1]) < _FLAT


def _wall_behind(thing: Box, walls: list[Box], reach: float) -> Box | None:
    for wall in walls:
        for axis in (0, 1):
            other = 1 - axis
            if not (wall.low[other] <= thing.high[other] and thing.low[other] <= wall.high[other]):
                continue
            gap = min(abs(thing.low[axis] - plane) for plane in (wall.low[axis], wall.high[axis]))
            gap = min(gap, *(abs(thing.high[axis] - plane) for plane in (wall.low[axis], wall.high[axis])))
            if gap <= reach:
                return wall
    return None
