"""What to look at to know more, and the sentence that says so."""

from __future__ import annotations

from dataclasses import replace

from vantage.answering.protocol import LookAt, LookFor
from vantage.answering.symbolic import wording
from vantage.answering.symbolic.observed_facts import ObservedFacts, Thing
from vantage.answering.symbolic.predicates import noise
from vantage.answering.symbolic.three_valued_sets import Closure, Looks, NotSeen, Selection
from vantage.questions import programs as steps

NEAR, READING = 1.0, 0.8  # m from which attributes are made out, and print is read


def closer(thing: Thing, attribute: str = "") -> LookFor:
    """A nearer look at a thing."""
    distance = READING if attribute == "text" else NEAR
    return LookFor(LookAt.OBJECT, thing.label, thing.key, (thing.center,), distance)


def turned_to(thing: Thing) -> LookFor:
    """A look that does not cut the thing off."""
    return LookFor(LookAt.WHOLE, thing.label, thing.key, (thing.center,))


def unsure_boxes(facts: ObservedFacts, *things: Thing) -> Looks:
    """Nearer looks at those things whose boxes are not sure, at the first of them where all are sure."""
    unsure = [thing for thing in things if noise(facts, thing) > 0.0]
    return tuple(closer(thing) for thing in unsure or things[:1])


def as_label(look: LookFor) -> LookFor:
    """A look for something that describes others, wherever it may be: that thing itself is to be found."""
    return replace(look, what=LookAt.LABEL) if look.what is LookAt.ANYWHERE and not look.points else look


def closer_text(thing: Thing) -> str:
    """That a thing was not made out yet."""
    return f"I have to look closer at the {thing.label}."


def look_closer(selection: Selection) -> NotSeen:
    """That the things which may belong to a set must be looked at from nearer."""
    first = max(selection.maybe, key=lambda thing: thing.pixels)
    return NotSeen(closer_text(first), selection.doubts or (closer(first),))


def look_on(step: steps.Things, closure: Closure) -> NotSeen:
    """That the place where members of a set could be must be seen."""
    look_for = closure.about(wording.phrase(step).noun).look_for
    if closure.missing:
        return NotSeen(f"I have not seen the {closure.missing} yet.", look_for)
    if closure.support is not None and not look_for:
        return NotSeen(closure.said, ())
    if closure.support is not None:
        return NotSeen(f"I have not seen all of the {closure.support.label} yet.", look_for)
    return NotSeen(f"I have not seen {wording.indefinite(step)} yet.", look_for)


def settled(step: steps.Things, selection: Selection) -> Closure:
    """The closure of a set all of whose members are known.

    Raises:
        NotSeen: there may be others.
    """
    if selection.maybe:
        raise look_closer(selection)
    if not selection.closure.complete:
        raise look_on(step, selection.closure)
    return selection.closure
