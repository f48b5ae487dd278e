"""What closed containers may hide: which of them nobody looked into, what fits in them, and how to find out.

Only where contents of closed containers count (``ObservedFacts.hidden``). Elsewhere nothing is hidden.
"""

from __future__ import annotations

import math

from vantage.answering.protocol import LookAt, LookFor
from vantage.answering.symbolic.observed_facts import ObservedFacts, SeenObject
from vantage.answering.symbolic.three_valued_sets import Looks
from vantage.perception import FOLDING, LARGE, OPENINGS, usual_places
from vantage.perception.map import Inside
from vantage.questions.lexicon import appearances
from vantage.scenes.spec import STRUCTURE_LABELS
from vantage.types import Point

_FITS = 0.6  # of the usual extents of a kind, that the least of it have
_NO_HANDLE_VIEWS, _NO_HANDLE_PLACES = 8, 3  # of a closed thing, from which its handle would have been seen
_NO_HANDLE_FROM = 1.3  # m from which on
_USUAL, _UNUSUAL = 0.3, 0.08  # chance that one more of a kind is in a container where such are usually kept, or another
_LEAST_SURE = 0.3
_DEEPEST = 8


def inside_of(facts: ObservedFacts, obj: SeenObject) -> Inside:
    """How much of the inside of an object was seen since the hand opened it."""
    item = obj.seen
    return Inside() if item is None else facts.once(("inside", obj.key), lambda: facts.memory.inside_of(item))


def hides(facts: ObservedFacts, obj: SeenObject) -> bool:
    """Whether an object may hold others that nobody can have seen."""
    return facts.hidden and facts.once(("hides", obj.key), lambda: _hides(facts, obj))


def _hides(facts: ObservedFacts, obj: SeenObject) -> bool:
    if obj.seen is None or obj.kind in FOLDING | OPENINGS or obj.kind in STRUCTURE_LABELS:
        return False
    inside = inside_of(facts, obj)
    if inside.complete:
        return False
    opened = inside.seen > 0.0 or bool(inside.unseen)
    return opened or (obj.closed and not _cannot_open(facts, obj))


def _cannot_open(facts: ObservedFacts, obj: SeenObject) -> bool:
    """It was seen from near and from all around, and has no handle."""
    if obj.seen is None or facts.memory.handles_of(obj.seen):
        return False
    if obj.views < _NO_HANDLE_VIEWS or obj.seen.places < _NO_HANDLE_PLACES or not obj.evidence:
        return False
    return math.dist(obj.evidence[0].viewpoint.position, obj.center) <= _NO_HANDLE_FROM


def hiding(facts: ObservedFacts, kind: str = "", within: SeenObject | None = None) -> tuple[SeenObject, ...]:
    """The containers that nobody looked into and that may hold an object of a kind, of any without; only those that may
    be in a room where one is given."""
    if not facts.hidden:
        return ()
    every = facts.once(("hiding", kind), lambda: tuple(obj for obj in facts.objects if _may_hide(facts, obj, kind)))
    if within is None:
        return every
    return tuple(obj for obj in every if facts.room_of(obj) in (within, None))


def _may_hide(facts: ObservedFacts, obj: SeenObject, kind: str) -> bool:
    return hides(facts, obj) and _fits(kind, obj)


def _fits(kind: str, container: SeenObject) -> bool:
    if not kind:
        return True
    if kind in LARGE or kind == container.kind:
        return False
    usual = appearances().get(kind)
    if usual is None:
        return True
    return all(_FITS * a <= b for a, b in zip(sorted(usual.extents), sorted(container.extents), strict=True))


def hiding_at(facts: ObservedFacts, place: SeenObject, kind: str = "") -> tuple[SeenObject, ...]:
    """Those of them that are a place, or are on or in it at any depth."""
    return tuple(obj for obj in hiding(facts, kind) if _is_at(facts, obj, place))


def _is_at(facts: ObservedFacts, obj: SeenObject, place: SeenObject) -> bool:
    at: SeenObject | None = obj
    for _ in range(_DEEPEST):
        if at is None or at is place:
            break
        at = facts.support(at)
    return at is place


def hiding_in(
    facts: ObservedFacts, low: Point, high: Point, beside: tuple[SeenObject, ...], kind: str = ""
) -> tuple[SeenObject, ...]:
    """Those of them that reach into a box (m), but for what is on, in or the same as what it is ``beside`` of."""
    return tuple(
        obj
        for obj in hiding(facts, kind)
        if all(obj.bounds_min[k] < high[k] and obj.bounds_max[k] > low[k] for k in range(3))
        and not any(_is_at(facts, obj, place) for place in beside)
    )


def looks_into(facts: ObservedFacts, containers: tuple[SeenObject, ...], kind: str = "") -> Looks:
    """What to open and look into, the likeliest to hold an object of a kind first."""
    ordered = sorted(containers, key=lambda obj: (-_worth(facts, obj, kind), obj.key < 0, abs(obj.key)))
    return tuple(_look_into(facts, obj) for obj in ordered)


def looks_for_all(facts: ObservedFacts, obj: SeenObject) -> Looks:
    """What to look at until all objects of the kind of one were seen; nothing once they were."""
    return facts.once(("all of", obj.kind), lambda: _looks_for_all(facts, obj))


def _looks_for_all(facts: ObservedFacts, obj: SeenObject) -> Looks:
    hidden = looks_into(facts, hiding(facts, obj.kind), obj.kind)
    return hidden if facts.noticed(obj.kind) else (*hidden, LookFor(LookAt.ANYWHERE, obj.label))


def _look_into(facts: ObservedFacts, obj: SeenObject) -> LookFor:
    inside = inside_of(facts, obj)
    if inside.unseen and not inside.shut:
        return LookFor(LookAt.SURFACE, obj.label, obj.key, inside.unseen, left=1.0 - inside.seen)
    handles = () if obj.seen is None else tuple(handle.center for handle in facts.memory.handles_of(obj.seen))
    points = inside.shut or handles or (obj.center,)
    return LookFor(LookAt.OPEN, obj.label, obj.key, points, extents=obj.extents, left=1.0 - inside.seen)


def _worth(facts: ObservedFacts, obj: SeenObject, kind: str) -> float:
    """How likely it holds one: where such are usually kept, in a room where they usually are; larger ones more."""
    habit = usual_places(kind)
    room = facts.room_of(obj)
    worth = 2.0 * (obj.kind in habit.supports) + (room is not None and room.kind in habit.rooms)
    return worth + min(math.prod(obj.extents), 0.9)


def certainty(facts: ObservedFacts, containers: tuple[SeenObject, ...], kind: str = "") -> float:
    """How sure it is that none of some containers holds an object of a kind, 0..1."""
    usual = usual_places(kind).supports
    chances = [_USUAL if obj.kind in usual else _UNUSUAL for obj in containers]
    return max(math.prod(1.0 - chance for chance in chances), _LEAST_SURE)
