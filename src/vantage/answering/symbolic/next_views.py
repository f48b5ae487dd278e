"""What to look at to know more, and the sentence that says so."""

from __future__ import annotations

import math
from dataclasses import replace

from vantage.answering.protocol import LookAt, LookFor
from vantage.answering.symbolic import wording
from vantage.answering.symbolic.hidden_contents import looks_for_all
from vantage.answering.symbolic.masses import weight_word
from vantage.answering.symbolic.observed_facts import ObservedFacts, SeenObject
from vantage.answering.symbolic.predicates import noise
from vantage.answering.symbolic.three_valued_sets import Looks, NotSeen, SearchCompleteness, Selection
from vantage.questions import programs as steps

NEAR, READING = 1.0, 0.8  # m from which attributes of small objects are made out, and print is read
_FARTHEST = 2.5  # m from which those of large ones are
_MADE_OUT = 2500  # pixels at which they are


def telling(facts: ObservedFacts, obj: SeenObject, attribute: str) -> Looks:
    """What to look at to make out an attribute of an object; of its weight, what to weigh."""
    if attribute == "weight":
        return weight_word(facts, obj)[1]
    others = looks_for_all(facts, obj) if attribute == "size" and facts.hidden and not obj.is_room else ()
    return others or (closer(obj, attribute),)


def closer(obj: SeenObject, attribute: str = "") -> LookFor:
    """A nearer look at an object, for print at all its sides."""
    if attribute == "text":
        return LookFor(LookAt.SIDES, obj.label, obj.key, (obj.center,), READING, obj.extents)
    return LookFor(LookAt.OBJECT, obj.label, obj.key, (obj.center,), _made_out_from(obj), obj.extents)


def _made_out_from(obj: SeenObject) -> float:
    """From how near it covers enough pixels (m), by how many it covered in its best view."""
    if not obj.evidence:
        return NEAR
    away = math.dist(obj.evidence[0].viewpoint.position, obj.center)
    return min(max(NEAR, away * math.sqrt(obj.pixels / _MADE_OUT)), _FARTHEST)


def turned_to(obj: SeenObject) -> LookFor:
    """A look that does not cut the object off."""
    return LookFor(LookAt.WHOLE, obj.label, obj.key, (obj.center,), extents=obj.extents)


def unsure_boxes(facts: ObservedFacts, *objects: SeenObject) -> Looks:
    """Nearer looks at those objects whose boxes are not sure, at the first of them where all are sure."""
    unsure = [obj for obj in objects if noise(facts, obj) > 0.0]
    return tuple(closer(obj) for obj in unsure or objects[:1])


def as_label(look: LookFor) -> LookFor:
    """A look for something that describes others, wherever it may be: that object itself is to be found."""
    return replace(look, what=LookAt.LABEL) if look.what is LookAt.ANYWHERE and not look.points else look


def closer_text(obj: SeenObject) -> str:
    """That an object was not made out yet."""
    return f"I have to look closer at the {obj.label}."


def heavy_text(weighings: Looks) -> str:
    """That an object was not weighed yet."""
    return f"I do not know how heavy the {weighings[0].label} is."


def look_closer(selection: Selection) -> NotSeen:
    """That the objects which may belong to a set must be looked at from nearer."""
    first = max(selection.maybe, key=lambda obj: obj.pixels)
    doubts = selection.doubts
    if doubts and all(look.what is LookAt.WEIGH for look in doubts):
        return NotSeen(heavy_text(doubts), doubts)
    return NotSeen(closer_text(first), doubts or (closer(first),))


def look_on(step: steps.ObjectSet, closure: SearchCompleteness) -> NotSeen:
    """That the place where members of a set could be must be seen."""
    look_for = closure.about(wording.phrase(step).noun).look_for
    if closure.missing:
        return NotSeen(f"I have not seen the {closure.missing} yet.", look_for)
    if closure.support is not None and not look_for:
        return NotSeen(closure.said, ())
    if closure.support is not None:
        return NotSeen(f"I have not seen all of the {closure.support.label} yet.", look_for)
    return NotSeen(f"I have not seen {wording.indefinite(step)} yet.", look_for)


def settled(step: steps.ObjectSet, selection: Selection) -> SearchCompleteness:
    """The closure of a set all of whose members are known.

    Raises:
        NotSeen: there may be others.
    """
    if selection.maybe:
        gap = look_closer(selection)
        weighs = any(look.what is LookAt.WEIGH for look in gap.look_for) and not selection.closure.complete
        raise NotSeen(gap.text, (*gap.look_for, *selection.closure.look_for)) if weighs else gap
    if not selection.closure.complete:
        raise look_on(step, selection.closure)
    return selection.closure
