"""The object that must be meant by the name of one that is not there: it looks alike, or is related in meaning.

"What color is the basketball on the table?" where an orange lies: of all objects at the claimed place that
have the stated attributes, one kind is most easily confused with the one that was named. Where several kinds are
equally likely, the question is which; where none is, the object is not there.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import lru_cache

from vantage.answering.symbolic import wording
from vantage.answering.symbolic.evaluation import Evaluation
from vantage.answering.symbolic.next_views import closer, look_closer
from vantage.answering.symbolic.observed_facts import ObservedFacts, SeenObject
from vantage.answering.symbolic.predicates import has
from vantage.answering.symbolic.premise_correction import OWN, AmbiguousSubstitute, Correction
from vantage.answering.symbolic.three_valued_sets import Truth, Undecided, every
from vantage.perception import CLOSABLE, CONTAINERS, ROOFED, SHELVES
from vantage.questions import Description, described, programs as steps
from vantage.questions.lexicon import (
    appearances,
    canonical,
    confusable,
    may_be_called,
    number_word,
    plural,
    semantic_neighbours,
    with_article,
)
from vantage.types import NoiseType

_FAINTLY = 0.1  # of a likeness that only counts together with attributes
_CALLED_SO = 1.0  # nearness of kinds of which one may be called by the other's name


@dataclass(frozen=True)
class Confusability:
    """What two kinds have in common.

    Attributes:
        likeness: of their looks, 0..1.
        nearness: of their meanings, 0..1.
        fair: what was seen may be called by the name of the other.
    """

    likeness: float
    nearness: float
    fair: bool = False

    def __bool__(self) -> bool:
        return self.strength > 0.0

    @property
    def strength(self) -> float:
        """For comparison with others."""
        return self.likeness + self.nearness

    @property
    def noise(self) -> NoiseType:
        """What goes wrong when one is named for the other, if anything: seeing, where they look alike, else words."""
        if self.fair:
            return NoiseType.NONE
        return NoiseType.PERCEPTION if self.likeness > 0.0 else NoiseType.SEMANTIC


SAME = Confusability(1.0, 1.0, fair=True)


def confusability(named: str, seen: str, attributes: int = 0) -> Confusability:
    """What the kind that a question names and a kind that was seen have in common, whichever way round.

    Args:
        attributes: of what was named that the object which was seen has. With one, the same outline at another size
            makes a likeness, with two, no more is needed.
    """
    found = _confusability(canonical(named), canonical(seen))
    if not found and (attributes > 1 or (attributes == 1 and _same_outline(canonical(named), canonical(seen)))):
        return Confusability(_FAINTLY, 0.0)
    return found


@lru_cache(maxsize=4096)
def _confusability(one: str, other: str) -> Confusability:
    alike = other in _canonical(confusable(one)) or one in _canonical(confusable(other))
    if may_be_called(other, one):
        return Confusability(float(alike), _CALLED_SO, fair=True)
    nearness = max(_nearness(one, other), _nearness(other, one))
    return Confusability(float(alike), nearness or (_CALLED_SO if may_be_called(one, other) else 0.0))


def _canonical(labels: tuple[str, ...]) -> set[str]:
    return {canonical(label) for label in labels}


def _nearness(one: str, other: str) -> float:
    found = (near.similarity for near in semantic_neighbours(one) if canonical(near.label) == other)
    return max(found, default=0.0)


def _same_outline(one: str, other: str) -> bool:
    first, second = appearances().get(one), appearances().get(other)
    return first is not None and second is not None and first.form == second.form != ""


_AS_NEAR = 0.05  # difference in strength of kinship that says nothing
_SEEN_SO = 0.3  # share of the views that took an object for what was named, from which on the name may be right


@dataclass(frozen=True)
class _Kind:
    """Objects of one kind that may be meant."""

    label: str
    objects: tuple[SeenObject, ...]
    confusability: Confusability


def substitute(step: steps.One, evaluation: Evaluation, so_far: str = "") -> Correction | None:
    """A description of an object that is not there, with the name of what is there instead; None where nothing is.

    Args:
        so_far: how far the place was seen, in words, where that was not all of it.

    Raises:
        Unclear: objects of several kinds may be meant.
        NotSeen: what may be meant was not made out yet.
    """
    whole = described(step.objects)
    named = [each for each in whole.conditions if isinstance(each, steps.Filter) and each.attribute == "label"]
    if len(named) != 1 or not isinstance(whole.base, steps.Scene):
        return None
    kinds = _kinds(named[0], whole, evaluation) or _kinds(named[0], whole, evaluation.on_trust())
    if not kinds:
        return None
    best = max(kind.confusability.strength for kind in kinds)
    likely = [kind for kind in kinds if kind.confusability.strength >= best - _AS_NEAR]
    if len(likely) > 1:
        noises = {kind.confusability.noise for kind in likely}
        told = noises.pop() if len(noises) == 1 else NoiseType.UNKNOWN
        raise AmbiguousSubstitute(step, tuple(obj for kind in likely for obj in kind.objects), told)
    return _correction(step, whole, named[0], likely[0], so_far)


def _kinds(named: steps.Filter, whole: Description, evaluation: Evaluation) -> list[_Kind]:
    """The kinds at the claimed place that have the attributes and are akin to what was named."""
    own = [each for each in whole.conditions if isinstance(each, steps.Filter) and each.attribute in OWN]
    try:
        there = evaluation.objects(whole.without([named, *own]).objects)
    except Undecided:
        return []
    facts = evaluation.facts

    def kin(obj: SeenObject) -> Confusability:
        if obj.said("label", named.value) >= _SEEN_SO:
            return SAME
        held = sum(_has(facts, obj, each) is True for each in own)
        return confusability(named.value, obj.kind, held)

    akin = there.where(lambda obj: bool(kin(obj)), lambda obj: ())
    fitting = akin.where(
        lambda obj: every(_has(facts, obj, each) for each in own),
        lambda obj: (closer(obj, own[0].attribute),),
    )
    if not fitting.sure and fitting.maybe and not facts.exhausted:
        raise look_closer(fitting)
    found: dict[str, list[SeenObject]] = defaultdict(list)
    for obj in fitting.sure:
        found[obj.kind].append(obj)
    if len(found) == 1 and whole.conditions:
        kind = next(iter(found))
        same = fitting.where(lambda obj: obj.kind == kind, lambda obj: ())
        found[kind] = list(evaluation.nearest(whole.objects, same))
    return [_Kind(objects[0].label, tuple(objects), kin(objects[0])) for objects in found.values()]


def may_hold(obj: SeenObject) -> bool:
    """Whether other objects can be in it."""
    return obj.is_room or obj.kind in CONTAINERS | CLOSABLE | ROOFED | SHELVES


def _has(facts: ObservedFacts, obj: SeenObject, said: steps.Filter) -> Truth:
    return has(facts, obj, said.attribute, said.value, loose=True)


def _correction(step: steps.One, whole: Description, named: steps.Filter, kind: _Kind, so_far: str) -> Correction:
    number = len(kind.objects)
    right: steps.One = replace(step, objects=whole.instead({named: replace(named, value=kind.label)}).objects)
    absent = wording.phrase(step.objects).words()
    seen = with_article(kind.label) if number == 1 else f"{number_word(number)} {plural(kind.label)}"
    claimed, said = f"there is {with_article(absent)}", wording.there_is(number, right.objects)
    explanation = f"there is no {absent}{', ' * bool(so_far)}{so_far}; there {wording.be(number)} {seen}"
    return Correction(kind.confusability.noise, claimed, said, explanation, kind.objects, right)
