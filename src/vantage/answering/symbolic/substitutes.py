"""The thing that must be meant by the name of one that is not there: it looks alike, or is related in meaning.

"What color is the basketball on the table?" where an orange lies: of all that is at the claimed place and has the
attributes that are said of it, one kind has most in common with what was named. Where several kinds have as much, the
question is which; where none has anything, the thing is simply not there.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace

from vantage.answering.descriptions import Description, described
from vantage.answering.symbolic import wording
from vantage.answering.symbolic.attributes import has
from vantage.answering.symbolic.confusability import SAME, Kinship, kinship
from vantage.answering.symbolic.evaluation import Evaluation
from vantage.answering.symbolic.logic import Truth, every
from vantage.answering.symbolic.next_views import closer, look_closer
from vantage.answering.symbolic.observed_facts import Sight, Thing
from vantage.answering.symbolic.premises import OWN, Correction, Unclear
from vantage.answering.symbolic.three_valued_sets import Unsettled
from vantage.perception.vocabulary import CLOSABLE, CONTAINERS, ROOFED, SHELVES
from vantage.questions import programs as steps
from vantage.questions.lexicon.inflection import number_word, plural, with_article
from vantage.types import NoiseType

_AS_NEAR = 0.05  # difference in strength of kinship that says nothing
_SEEN_SO = 0.3  # share of the views that took a thing for what was named, from which on the name may be right


@dataclass(frozen=True)
class _Kind:
    """Things of one kind that may be meant."""

    label: str
    things: tuple[Thing, ...]
    kinship: Kinship


def substitute(step: steps.One, evaluation: Evaluation, so_far: str = "") -> Correction | None:
    """A description of a thing that is not there, with the name of what is there instead; None where nothing is.

    Args:
        so_far: how far the place was seen, in words, where that was not all of it.

    Raises:
        Unclear: things of several kinds may be meant.
        NotSeen: what may be meant was not made out yet.
    """
    whole = described(step.things)
    named = [each for each in whole.conditions if isinstance(each, steps.Filter) and each.attribute == "label"]
    if len(named) != 1 or not isinstance(whole.base, steps.Scene):
        return None
    kinds = _kinds(named[0], whole, evaluation) or _kinds(named[0], whole, evaluation.on_trust())
    if not kinds:
        return None
    best = max(kind.kinship.strength for kind in kinds)
    likely = [kind for kind in kinds if kind.kinship.strength >= best - _AS_NEAR]
    if len(likely) > 1:
        noises = {kind.kinship.noise for kind in likely}
        told = noises.pop() if len(noises) == 1 else NoiseType.UNKNOWN
        raise Unclear(step, tuple(thing for kind in likely for thing in kind.things), told)
    return _correction(step, whole, named[0], likely[0], so_far)


def _kinds(named: steps.Filter, whole: Description, evaluation: Evaluation) -> list[_Kind]:
    """The kinds at the claimed place that have the attributes and are akin to what was named."""
    own = [each for each in whole.conditions if isinstance(each, steps.Filter) and each.attribute in OWN]
    try:
        there = evaluation.things(whole.without([named, *own]).things)
    except Unsettled:
        return []
    sight = evaluation.sight

    def kin(thing: Thing) -> Kinship:
        if thing.said("label", named.value) >= _SEEN_SO:
            return SAME
        held = sum(_has(sight, thing, each) is True for each in own)
        return kinship(named.value, thing.kind, held)

    akin = there.where(lambda thing: bool(kin(thing)), lambda thing: ())
    fitting = akin.where(
        lambda thing: every(_has(sight, thing, each) for each in own),
        lambda thing: (closer(thing, own[0].attribute),),
    )
    if not fitting.sure and fitting.maybe and not sight.exhausted:
        raise look_closer(fitting)
    found: dict[str, list[Thing]] = defaultdict(list)
    for thing in fitting.sure:
        found[thing.kind].append(thing)
    if len(found) == 1 and whole.conditions:
        kind = next(iter(found))
        same = fitting.where(lambda thing: thing.kind == kind, lambda thing: ())
        found[kind] = list(evaluation.nearest(whole.things, same))
    return [_Kind(things[0].label, tuple(things), kin(things[0])) for things in found.values()]


def may_hold(thing: Thing) -> bool:
    """Whether other things can be in it."""
    return thing.is_room or thing.kind in CONTAINERS | CLOSABLE | ROOFED | SHELVES


def _has(sight: Sight, thing: Thing, said: steps.Filter) -> Truth:
    return has(sight, thing, said.attribute, said.value, loose=True)


def _correction(step: steps.One, whole: Description, named: steps.Filter, kind: _Kind, so_far: str) -> Correction:
    number = len(kind.things)
    right: steps.One = replace(step, things=whole.instead({named: replace(named, value=kind.label)}).things)
    absent = wording.phrase(step.things).words()
    seen = with_article(kind.label) if number == 1 else f"{number_word(number)} {plural(kind.label)}"
    claimed, said = f"there is {with_article(absent)}", wording.there_is(number, right.things)
    explanation = f"there is no {absent}{', ' * bool(so_far)}{so_far}; there {wording.be(number)} {seen}"
    return Correction(kind.kinship.noise, claimed, said, explanation, kind.things, right)
