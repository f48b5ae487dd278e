"""Whether observed things stand in a relation: true, false, or not known because their boxes are not sure enough."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

from vantage.answering.symbolic.logic import Truth, some
from vantage.answering.symbolic.observed_facts import Sight, Thing
from vantage.perception.map.placement import may_rest
from vantage.perception.vocabulary import CLOSABLE, ROOFED, SHELVES
from vantage.scenes.geometry import relations
from vantage.types import Point

PLACED = ("on", "in", "at")
_SURE_VIEWS = 4  # views from which on a box is taken as it is
_SURE_PIXELS = 600  # of the best view, the same
_NEAR_PIXELS, _NEAR_VIEWS = 2000, 2  # seen so near, fewer views are enough
_NOISE, _CUT_OFF, _MOST = 0.05, 0.1, 0.2  # m that a box may be off; one that no view showed whole; any
_VAGUE = 0.1  # m by which people and boxes disagree on what is next to, above or under something
_DEEPEST = 8
_ABOVE = 2.0  # m above the floor up to which things are looked for
_MOVES = tuple(tuple(sign * (axis == k) for k in range(3)) for axis in range(3) for sign in (-1.0, 1.0))


@dataclass(frozen=True)
class _Box:
    bounds_min: Point
    bounds_max: Point


def stands(
    sight: Sight, thing: Thing, relation: str, anchor: Thing, viewer: Point | None = None, loose: bool = False
) -> Truth:
    """Whether a thing stands in a relation (of ``programs.RELATIONS``) to an anchor.

    Args:
        viewer: where somebody stands for whom it is left, right, before or behind, m.
        loose: take "on" and "in" for the same of what has not both a top and an inside, as people do of shelves.
    """
    if thing is anchor:
        return False
    if relation in PLACED:
        return _is_placed(sight, thing, relation, anchor, loose)
    by = max(_off(sight, thing), _off(sight, anchor))
    if relations.gap(thing, anchor) > _farthest(sight, relation) + by:
        return False
    told = _steady(thing, by, lambda moved: relations.related(relation, moved, anchor, sight.settings, viewer))
    return told if told is False else _unless_excluded(sight, told, relation, thing, (anchor,))


def may_stand(sight: Sight, thing: Thing, relation: str, anchor: Thing, viewer: Point | None = None) -> bool:
    """Whether nothing seen clearly contradicts that a thing stands in a relation to an anchor, as ``stands``; of the
    sides of an anchor, one always does."""
    if thing is anchor or relation in relations.SIDES:
        return False
    if relation in PLACED:
        return _may_be_placed(sight, thing, relation, anchor)
    steps = product((-_VAGUE, 0.0, _VAGUE), repeat=3)
    moved = (_Box(_moved(thing.bounds_min, step), _moved(thing.bounds_max, step)) for step in steps)
    told = any(relations.related(relation, box, anchor, sight.settings, viewer) for box in moved)
    return told and _excluded(sight, relation, thing, anchor) is not True


def lies_between(sight: Sight, thing: Thing, first: Thing, second: Thing) -> Truth:
    """Whether a thing is between two others."""
    if thing in (first, second):
        return False
    by = max(noise(sight, each) for each in (thing, first, second))
    told = _steady(thing, by, lambda moved: relations.between(moved, first, second, sight.settings))
    return told if told is False else _unless_excluded(sight, told, "between", thing, (first, second))


def noise(sight: Sight, thing: Thing) -> float:
    """How far the box of a thing may be off, m; 0 once more looks would not tell."""
    if sight.exhausted or thing.is_room:
        return 0.0
    few = thing.pixels < _SURE_PIXELS
    near = thing.pixels >= _NEAR_PIXELS and thing.views >= _NEAR_VIEWS
    enough = thing.views >= (_SURE_VIEWS if thing.whole else 2 * _SURE_VIEWS)
    if (enough and not few) or (near and thing.whole):
        return 0.0
    far = _NOISE * math.sqrt(_SURE_PIXELS / max(thing.pixels, 1)) if few else 0.0
    return min(_MOST, max(far, _NOISE if thing.whole else _CUT_OFF))


def _off(sight: Sight, thing: Thing) -> float:
    """As ``noise``; where a box ends that no view showed whole, many partial views do not tell."""
    return noise(sight, thing) if thing.whole or sight.exhausted else max(noise(sight, thing), _CUT_OFF)


def around(sight: Sight, relation: str, anchor: Thing) -> tuple[Point, Point]:
    """The box (m) in which all things are that stand in a relation (not of ``PLACED``) to an anchor."""
    low, high = anchor.bounds_min, anchor.bounds_max
    floor = sight.memory.floor_level
    if relation in ("under", "above"):
        bottom, top = (floor, high[2]) if relation == "under" else (low[2], max(high[2], floor + _ABOVE))
        return (low[0], low[1], bottom), (high[0], high[1], top)
    reach = _farthest(sight, relation)
    box = (low[0] - reach, low[1] - reach, floor), (high[0] + reach, high[1] + reach, max(high[2], floor + _ABOVE))
    return clipped(sight, anchor, *box)


def amid(sight: Sight, first: Thing, second: Thing) -> tuple[Point, Point]:
    """The box (m) in which all things are that are between two others."""
    low = [min(a, b) for a, b in zip(first.bounds_min, second.bounds_min, strict=True)]
    high = [max(a, b) for a, b in zip(first.bounds_max, second.bounds_max, strict=True)]
    beside = sight.settings.beside
    return (low[0], low[1], low[2] - beside), (high[0], high[1], high[2] + beside)


def clipped(sight: Sight, anchor: Thing, low: Point, high: Point) -> tuple[Point, Point]:
    """The part of a box that is in the room of a thing, where that is known: no relation passes through walls."""
    room = sight.room_of(anchor)
    if room is None:
        return low, high
    x0, y0, z0 = (max(a, b) for a, b in zip(low, room.bounds_min, strict=True))
    x1, y1, z1 = (min(a, b) for a, b in zip(high, room.bounds_max, strict=True))
    return ((x0, y0, z0), (x1, y1, z1)) if x0 < x1 and y0 < y1 and z0 < z1 else (low, high)


def _farthest(sight: Sight, relation: str) -> float:
    """Largest gap (m) between things in a relation."""
    settings = sight.settings
    if relation in ("under", "above"):
        return math.inf
    return {"next to": settings.beside, "near": settings.near}.get(relation, settings.reach)


def _steady(thing: Thing, by: float, test: Callable[[relations.Extent], bool]) -> Truth:
    """What a test says of the box of a thing, unless it says something else once that is moved ``by`` some m."""
    told = test(thing)
    if by > 0.0:
        for x, y, z in _MOVES:
            step = by * x, by * y, by * z
            if test(_Box(_moved(thing.bounds_min, step), _moved(thing.bounds_max, step))) is not told:
                return None
    return told


def _moved(point: Point, step: tuple[float, ...]) -> Point:
    return point[0] + step[0], point[1] + step[1], point[2] + step[2]


def _is_placed(sight: Sight, thing: Thing, relation: str, anchor: Thing, loose: bool) -> Truth:
    if thing.is_room:
        return False
    if anchor.is_room:
        room = sight.room_of(thing)
        if relation == "on":
            return False
        return room is anchor if room is not None or sight.exhausted else None
    at: Thing | None = thing
    for depth in range(_DEEPEST):
        if at is None:
            return False
        placement = sight.placement(at)
        if placement is None or (placement.guess and not sight.exhausted):
            return None if not sight.exhausted and _may_be_placed(sight, at, relation, anchor) else False
        if placement.key == anchor.key or anchor.kind == placement.support == "floor":
            either = anchor.kind in SHELVES or (loose and anchor.kind not in CLOSABLE | ROOFED)
            return relation in ("at", placement.relation) or (either and not anchor.closed)
        if relation != "at" or depth == _DEEPEST - 1:
            return False
        at = sight.support(at)
    return False


def _may_be_placed(sight: Sight, thing: Thing, relation: str, anchor: Thing) -> bool:
    if thing.seen is None or anchor.seen is None:
        return False
    placement, carrier = sight.placement(thing), sight.support(thing)
    held_by = None if carrier is None or carrier.seen is None else carrier.seen.box
    level = sight.memory.floor_level
    return may_rest(thing.seen.box, anchor.seen.box, relation, placement, held_by, level)


def _unless_excluded(sight: Sight, told: Truth, relation: str, thing: Thing, anchors: tuple[Thing, ...]) -> Truth:
    """What geometry told, unless one thing is on or in the other, or walls are between; not known where that is not."""
    excluded = some(_excluded(sight, relation, thing, anchor) for anchor in anchors)
    return False if excluded else (None if excluded is None else told)


def _excluded(sight: Sight, relation: str, thing: Thing, anchor: Thing) -> Truth:
    rooms = sight.room_of(thing), sight.room_of(anchor)
    same_room = (thing.is_room and anchor.is_room) or None in rooms or rooms[0] is rooms[1]
    here, there = _is_placed(sight, thing, "at", anchor, False), _is_placed(sight, anchor, "at", thing, False)
    surely = relations.ruled_out(relation, here is True, there is True, same_room)
    maybe = relations.ruled_out(relation, here is not False, there is not False, same_room)
    return surely if surely is maybe else None
