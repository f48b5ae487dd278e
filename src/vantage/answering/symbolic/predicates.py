"""Attributes and relations of observed objects under three truth values: true, false, or not known.

A relation is not known where boxes are not sure enough, and an attribute where no view has shown it clearly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import product

from vantage.answering.symbolic.hidden_contents import looks_for_all
from vantage.answering.symbolic.masses import weight_word
from vantage.answering.symbolic.observed_facts import ObservedFacts, SeenObject
from vantage.answering.symbolic.three_valued_sets import Truth, some
from vantage.perception import CLOSABLE, ROOFED, SHELVES, SOFT, alike, mixed_up
from vantage.perception.map import may_rest
from vantage.questions import OPPOSITES
from vantage.questions.lexicon import canonical, is_for, loosely, may_serve, use_of
from vantage.scenes.geometry import measure, relations
from vantage.scenes.spec import STRUCTURE_LABELS
from vantage.types import Point

PLACED = ("on", "in", "at")
_SURE_VIEWS = 4  # views from which on a box is taken as it is
_SURE_PIXELS = 600  # of the best view, the same
_NEAR_PIXELS, _NEAR_VIEWS = 2000, 2  # seen so near, fewer views are enough
_NOISE, _CUT_OFF, _MOST = 0.05, 0.1, 0.2  # m that a box may be off; one that no view showed whole; any
_VAGUE = 0.1  # m by which people and boxes disagree on what is next to, above or under something
_DEEPEST = 8
_ABOVE = 2.0  # m above the floor up to which objects are looked for
_MOVES = tuple(tuple(sign * (axis == k) for k in range(3)) for axis in range(3) for sign in (-1.0, 1.0))


@dataclass(frozen=True)
class _Box:
    bounds_min: Point
    bounds_max: Point


def stands(
    facts: ObservedFacts,
    obj: SeenObject,
    relation: str,
    anchor: SeenObject,
    viewer: Point | None = None,
    loose: bool = False,
) -> Truth:
    """Whether an object stands in a relation (of ``programs.RELATIONS``) to an anchor.

    Args:
        viewer: where somebody stands for whom it is left, right, before or behind, m.
        loose: take "on" and "in" for the same of what has not both a top and an inside, as people do of shelves, and
            what is on a pillow to be on the bed below it.
    """
    if obj is anchor:
        return False
    if relation in PLACED:
        return _is_placed(facts, obj, relation, anchor, loose)
    by = max(_off(facts, obj), _off(facts, anchor))
    if relations.gap(obj, anchor) > _farthest(facts, relation) + by:
        return False
    told = _steady(obj, by, lambda moved: relations.related(relation, moved, anchor, facts.settings, viewer))
    return told if told is False else _unless_excluded(facts, told, relation, obj, (anchor,))


def may_stand(
    facts: ObservedFacts, obj: SeenObject, relation: str, anchor: SeenObject, viewer: Point | None = None
) -> bool:
    """Whether nothing seen clearly contradicts that an object stands in a relation to an anchor, as ``stands``; of the
    sides of an anchor, one always does."""
    if obj is anchor or relation in relations.SIDES:
        return False
    if relation in PLACED:
        return _may_be_placed(facts, obj, relation, anchor)
    steps = product((-_VAGUE, 0.0, _VAGUE), repeat=3)
    moved = (_Box(_moved(obj.bounds_min, step), _moved(obj.bounds_max, step)) for step in steps)
    told = any(relations.related(relation, box, anchor, facts.settings, viewer) for box in moved)
    return told and _excluded(facts, relation, obj, anchor) is not True


def lies_between(facts: ObservedFacts, obj: SeenObject, first: SeenObject, second: SeenObject) -> Truth:
    """Whether an object is between two others."""
    if obj in (first, second):
        return False
    by = max(noise(facts, each) for each in (obj, first, second))
    told = _steady(obj, by, lambda moved: relations.between(moved, first, second, facts.settings))
    return told if told is False else _unless_excluded(facts, told, "between", obj, (first, second))


def noise(facts: ObservedFacts, obj: SeenObject) -> float:
    """How far the box of an object may be off, m; 0 once more looks would not tell."""
    if facts.exhausted or obj.is_room or facts.is_shut_in(obj):
        return 0.0
    few = obj.pixels < _SURE_PIXELS
    near = obj.pixels >= _NEAR_PIXELS and obj.views >= _NEAR_VIEWS
    enough = obj.views >= (_SURE_VIEWS if obj.whole else 2 * _SURE_VIEWS)
    if (enough and not few) or (near and obj.whole):
        return 0.0
    far = _NOISE * math.sqrt(_SURE_PIXELS / max(obj.pixels, 1)) if few else 0.0
    return min(_MOST, max(far, _NOISE if obj.whole else _CUT_OFF))


def _off(facts: ObservedFacts, obj: SeenObject) -> float:
    """As ``noise``; where a box ends that no view showed whole, many partial views do not tell."""
    return noise(facts, obj) if obj.whole or facts.exhausted else max(noise(facts, obj), _CUT_OFF)


def around(facts: ObservedFacts, relation: str, anchor: SeenObject) -> tuple[Point, Point]:
    """The box (m) in which all objects are that stand in a relation (not of ``PLACED``) to an anchor."""
    low, high = anchor.bounds_min, anchor.bounds_max
    floor = facts.memory.floor_level
    if relation in ("under", "above"):
        bottom, top = (floor, high[2]) if relation == "under" else (low[2], max(high[2], floor + _ABOVE))
        return (low[0], low[1], bottom), (high[0], high[1], top)
    reach = _farthest(facts, relation)
    bottom, top = max(floor, low[2] - reach), min(high[2] + reach, max(high[2], floor + _ABOVE))
    box = (low[0] - reach, low[1] - reach, min(bottom, top)), (high[0] + reach, high[1] + reach, top)
    return clipped(facts, anchor, *box)


def amid(facts: ObservedFacts, first: SeenObject, second: SeenObject) -> tuple[Point, Point]:
    """The box (m) in which all objects are that are between two others."""
    low = [min(a, b) for a, b in zip(first.bounds_min, second.bounds_min, strict=True)]
    high = [max(a, b) for a, b in zip(first.bounds_max, second.bounds_max, strict=True)]
    beside = facts.settings.beside
    return (low[0], low[1], low[2] - beside), (high[0], high[1], high[2] + beside)


def clipped(facts: ObservedFacts, anchor: SeenObject, low: Point, high: Point) -> tuple[Point, Point]:
    """The part of a box that is in the room of an object, where that is known: no relation passes through walls."""
    room = facts.room_of(anchor)
    if room is None:
        return low, high
    x0, y0, z0 = (max(a, b) for a, b in zip(low, room.bounds_min, strict=True))
    x1, y1, z1 = (min(a, b) for a, b in zip(high, room.bounds_max, strict=True))
    return ((x0, y0, z0), (x1, y1, z1)) if x0 < x1 and y0 < y1 and z0 < z1 else (low, high)


def _farthest(facts: ObservedFacts, relation: str) -> float:
    """Largest gap (m) between objects in a relation."""
    settings = facts.settings
    if relation in ("under", "above"):
        return math.inf
    return {"next to": settings.beside, "near": settings.near}.get(relation, settings.reach)


def _steady(obj: SeenObject, by: float, test: Callable[[relations.Extent], bool]) -> Truth:
    """What a test says of the box of an object, unless it says something else once that is moved ``by`` some m."""
    told = test(obj)
    if by > 0.0:
        for x, y, z in _MOVES:
            step = by * x, by * y, by * z
            if test(_Box(_moved(obj.bounds_min, step), _moved(obj.bounds_max, step))) is not told:
                return None
    return told


def _moved(point: Point, step: tuple[float, ...]) -> Point:
    return point[0] + step[0], point[1] + step[1], point[2] + step[2]


def _is_placed(facts: ObservedFacts, obj: SeenObject, relation: str, anchor: SeenObject, loose: bool) -> Truth:
    if obj.is_room:
        return False
    if anchor.is_room:
        room = facts.room_of(obj)
        if relation == "on":
            return False
        return room is anchor if room is not None or facts.exhausted else None
    at: SeenObject | None = obj
    for depth in range(_DEEPEST):
        if at is None or (facts.hidden and at.kind in STRUCTURE_LABELS):
            return False
        placement = facts.placement(at)
        if placement is None or (placement.guess and not facts.exhausted):
            return None if not facts.exhausted and _may_be_placed(facts, at, relation, anchor) else False
        if placement.key == anchor.key or anchor.kind == placement.support == "floor":
            either = anchor.kind in SHELVES or (loose and anchor.kind not in CLOSABLE | ROOFED)
            return relation in ("at", placement.relation) or (either and not anchor.closed)
        at = facts.support(at)
        through = relation == "at" or (relation == "on" and loose and at is not None and at.kind in SOFT)
        if not through or depth == _DEEPEST - 1:
            return False
    return False


def _may_be_placed(facts: ObservedFacts, obj: SeenObject, relation: str, anchor: SeenObject) -> bool:
    if obj.seen is None or anchor.seen is None:
        return False
    placement, carrier = facts.placement(obj), facts.support(obj)
    held_by = None if carrier is None or carrier.seen is None else carrier.seen.box
    level = facts.memory.floor_level
    return may_rest(obj.seen.box, anchor.seen.box, relation, placement, held_by, level)


def _unless_excluded(
    facts: ObservedFacts, told: Truth, relation: str, obj: SeenObject, anchors: tuple[SeenObject, ...]
) -> Truth:
    """What geometry told, unless one object is on or in the other, or walls are between; else not known."""
    excluded = some(_excluded(facts, relation, obj, anchor) for anchor in anchors)
    return False if excluded else (None if excluded is None else told)


def _excluded(facts: ObservedFacts, relation: str, obj: SeenObject, anchor: SeenObject) -> Truth:
    rooms = facts.room_of(obj), facts.room_of(anchor)
    same_room = (obj.is_room and anchor.is_room) or None in rooms or rooms[0] is rooms[1]
    here, there = _is_placed(facts, obj, "at", anchor, False), _is_placed(facts, anchor, "at", obj, False)
    surely = relations.ruled_out(relation, here is True, there is True, same_room)
    maybe = relations.ruled_out(relation, here is not False, there is not False, same_room)
    return surely if surely is maybe else None


_MADE_OUT_PIXELS, _MADE_OUT_VIEWS = 1500, 3  # seen so well, an object of which no word is told has none
_SAID = 0.15  # share of the views that must say a word for it to be taken in a wider sense
_UNDISPUTED = 0.75  # share of the views that call an object by one name, below which others may be right
_ALIKE = 0.8  # share of letters in common at which print that was read is print that was asked for


def word_of(facts: ObservedFacts, obj: SeenObject, attribute: str) -> str | None:
    """The value of an attribute in words; empty where it surely has none, None while nobody knows."""
    if attribute == "label":
        return obj.label
    if attribute == "room":
        room = facts.room_of(obj)
        return ("" if facts.exhausted else None) if room is None else room.label or None
    if attribute == "place":
        return place_of(facts, obj)
    if attribute == "size":
        return _size(facts, obj)
    if attribute == "weight":
        return weight_word(facts, obj)[0]
    if attribute == "text":
        no_print = facts.exhausted or obj.key in facts.unprinted or obj.is_room
        return obj.word("text") or ("" if no_print else None)
    word = obj.word(attribute)
    made_out = obj.is_room or (obj.pixels >= _MADE_OUT_PIXELS and obj.witnesses >= _MADE_OUT_VIEWS)
    return word or (obj.likeliest(attribute) if made_out or facts.exhausted else "") or ("" if made_out else None)


def has(facts: ObservedFacts, obj: SeenObject, attribute: str, value: str, loose: bool = False) -> Truth:
    """Whether an attribute has a value.

    Args:
        loose: take labels that people mix up for the same, and what some views say for true.
    """
    if attribute == "label":
        kind = canonical(value)
        if obj.kind == kind or (loose and obj.kind in loosely(kind)):
            return True
        return None if _may_be(obj, kind) else False
    if attribute == "use":
        if (may_serve if loose else is_for)(obj.kind, value):
            return True
        return None if any(_may_be(obj, canonical(kind)) for kind in use_of(value).kinds) else False
    known = word_of(facts, obj, attribute)
    if known is None:
        return None
    if attribute == "room":
        return canonical(known) == canonical(value)
    if attribute == "state":
        return value in obj.states
    if attribute == "text":
        return bool(known) and reads_as(known, value)
    if known == value or (loose and obj.said(attribute, value) >= _SAID):
        return True
    plain = obj.is_plain(attribute) and (obj.pixels >= _MADE_OUT_PIXELS or not mixed_up(known, value))
    return False if facts.exhausted or plain else None


def _may_be(obj: SeenObject, kind: str) -> bool:
    """Whether some views call an object by the name of a kind, or all by several that are taken for it."""
    votes = None if obj.seen is None or obj.key > 0 else obj.seen.votes.get("label")
    if votes is None:
        return False
    disputed = votes.share((votes.first,)) < _UNDISPUTED and any(alike(kind, label) for label in votes.words)
    return disputed or votes.share((kind,)) >= _SAID


def same(facts: ObservedFacts, one: SeenObject, other: SeenObject, attribute: str) -> Truth:
    """Whether two objects share an attribute that both have; rooms and places are the same, not just alike."""
    if attribute == "room":
        rooms = facts.room_of(one), facts.room_of(other)
        return (False if facts.exhausted else None) if None in rooms else rooms[0] is rooms[1]
    if attribute == "place":
        places = facts.placement(one), facts.placement(other)
        if places[0] is None or places[1] is None or None in (place_of(facts, one), place_of(facts, other)):
            return False if facts.exhausted else None
        if places[0].support == places[1].support == "floor":
            return same(facts, one, other, "room")
        return (places[0].relation, places[0].key) == (places[1].relation, places[1].key)
    words = word_of(facts, one, attribute), word_of(facts, other, attribute)
    if "" in words or (facts.exhausted and None in words):
        return False
    return None if None in words else canonical(str(words[0])) == canonical(str(words[1]))


def place_of(facts: ObservedFacts, obj: SeenObject) -> str | None:
    """``on the table``, for objects on a floor ``on the floor in the kitchen``; None while that is not known."""
    if obj.is_room:
        return ""
    placement = facts.placement(obj)
    if placement is None or (placement.guess and not facts.exhausted):
        return None
    place = f"{placement.relation} the {placement.support}"
    room = facts.room_of(obj) if placement.support == "floor" else None
    return place if room is None or not room.label else f"{place} in the {room.label}"


def name_of(facts: ObservedFacts, obj: SeenObject) -> str:
    """``the blue mug on the table``: what tells an object from others of its kind."""
    words = ("the", obj.word("color"), obj.label, place_of(facts, obj))
    return " ".join(word for word in words if word)


def opposite(state: str) -> str:
    """``closed`` for ``open``; empty for a word without an opposite."""
    return OPPOSITES.get(state, "")


def reads_as(printed: str, asked: str) -> bool:
    """Whether print that was read, letters of which may be wrong, is what was asked for."""
    first, second = ("".join(filter(str.isalnum, text.casefold())) for text in (printed, asked))
    return bool(second) and SequenceMatcher(None, first, second, autojunk=False).ratio() >= _ALIKE


def amount(obj: SeenObject, quantity: str) -> float:
    """A measure of its box, see ``scenes.geometry.relations.measure``; of rooms, size is the area of the floor, m^2."""
    if obj.is_room and quantity == "size":
        return measure("volume", obj) / max(measure("height", obj), 1e-9)
    return measure(quantity, obj)


def nearer_size(facts: ObservedFacts, obj: SeenObject) -> str:
    """Small or large, whichever comes nearer; empty where nothing of its label is known to compare it with."""
    alike = [other for other in (facts.rooms if obj.is_room else facts.objects) if other.kind == obj.kind]
    if len(alike) < 2:
        return ""
    return "large" if amount(obj, "size") >= _mean_size(alike) else "small"


def _mean_size(objects: Sequence[SeenObject]) -> float:
    return sum(amount(obj, "size") for obj in objects) / len(objects)


def _size(facts: ObservedFacts, obj: SeenObject) -> str | None:
    """Small and large are said in comparison with all objects of one label, of which at least two must be known."""
    alike = [other for other in (facts.rooms if obj.is_room else facts.objects) if other.kind == obj.kind]
    settled = facts.exhausted or (len(alike) > 1 and all(noise(facts, other) == 0.0 for other in alike))
    if facts.hidden and not facts.exhausted and not obj.is_room and looks_for_all(facts, obj):
        return None  # one more may be of another size
    if len(alike) < 2:
        return "" if facts.exhausted or (facts.hidden and not obj.is_room) else None
    own, ratio, mean = amount(obj, "size"), facts.settings.ratio, _mean_size(alike)
    if own >= ratio * mean:
        return "large"
    if ratio * own <= mean:
        return "small"
    return "" if settled else None  # a nearer look would not tell, others of the kind might
