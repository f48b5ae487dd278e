"""Correction of a false description that fits nothing: the condition without which it would fit something."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from vantage.answering.symbolic import wording
from vantage.answering.symbolic.evaluation import UNTOLD, Evaluation
from vantage.answering.symbolic.next_views import closer, closer_text, look_closer
from vantage.answering.symbolic.observed_facts import ObservedFacts, SeenObject
from vantage.answering.symbolic.predicates import opposite, place_of, stands, word_of
from vantage.answering.symbolic.three_valued_sets import NotSeen, Selection, Undecided
from vantage.questions import Condition, Description, described, programs as steps
from vantage.scenes.geometry import SIDES
from vantage.types import NoiseType

_NOISE = {
    "color": NoiseType.COLOR,
    "material": NoiseType.MATERIAL,
    "shape": NoiseType.SHAPE,
    "size": NoiseType.SHAPE,
    "state": NoiseType.PERCEPTION,
    "text": NoiseType.PERCEPTION,
    "room": NoiseType.POSITION,
}
OWN = ("color", "material", "state", "shape", "size", "text")  # of an object itself, not of where it is
LOOKS = ("color", "material", "shape")  # of these, what stays and is told by a look alone


@dataclass(frozen=True)
class Correction:
    """What is wrong with a description, and what would be right.

    Attributes:
        objects: that the description must mean.
        step: the description put right.
    """

    noise: NoiseType
    false_claim: str
    correction: str
    explanation: str
    objects: tuple[SeenObject, ...]
    step: steps.One


class AmbiguousSubstitute(Undecided):
    """Several objects may be meant by a description that fits none of them."""

    def __init__(self, step: steps.One, options: tuple[SeenObject, ...], noise: NoiseType = NoiseType.UNKNOWN) -> None:
        super().__init__("several things may be meant")
        self.step, self.options, self.noise = step, options, noise


def correct(
    step: steps.One,
    evaluation: Evaluation,
    most_together: int = 2,
    number: int | None = None,
    attributes: Collection[str] = (),
) -> Correction | None:
    """The correction of a description that nothing fits; None when the object itself is not there.

    Args:
        most_together: conditions that may be wrong at once.
        number: of objects that the description is said to mean; None where it is one, or nothing is said.
        attributes: of which alone what is said may be wrong; anything where none are given.

    Raises:
        Unclear: there are several ways to put it right.
        NotSeen: an object elsewhere may fit, and was not made out yet.
    """
    whole = described(step.objects)
    changeable = [each for each in whole.conditions if not _names_a_kind(each) and _is_among(each, attributes)]
    options = _relaxed(whole, [(each,) for each in changeable], evaluation, number)
    sizes = [each for each in changeable if _is_size(each)]
    if not options and any(map(_is_untold, changeable)):
        told = [(each,) for each in changeable if not _is_untold(each)]
        options = _relaxed(whole, told, evaluation.on_trust(), number)
        whole = whole.without(sizes) if options else whole
    if not options and sizes:  # they are vague: what is wrong is something else
        plain: steps.One = replace(step, objects=whole.without(sizes).objects)
        return correct(plain, evaluation, most_together, number, attributes)
    if not options and most_together > 1:
        own = [each for each in changeable if _is_own(each)]
        where = tuple(each for each in changeable if not _is_own(each))
        together = [*combinations(own, most_together), *([where] if len(where) > 1 else [])]
        options = _relaxed(whole, together, evaluation, number)
    if not options:
        return None
    objects = tuple(dict.fromkeys(obj for found in options.values() for obj in found))
    if len(options) > 1 and not all(set(found) == set(objects) for found in options.values()):
        raise AmbiguousSubstitute(step, objects)
    wrong = min(options, key=lambda conditions: [changeable.index(each) for each in conditions])
    return _correction(step, whole, wrong, options[wrong], evaluation.facts)


def fitting_on_trust(step: steps.One, evaluation: Evaluation, number: int | None = None) -> tuple[SeenObject, ...]:
    """The objects that fit a description but for size, print or place, of which nobody can clearly tell otherwise.

    Small and large are said in comparison with others, which need not have been seen; print may face a wall; what a
    object stands on may be hidden, and where next to something ends is a matter of taste.

    Raises:
        NotSeen: what may fit was not made out yet.
    """
    if not any(map(_is_untold, described(step.objects).conditions)):
        return ()
    trusting = evaluation.on_trust()
    try:
        selection = trusting.objects(step.objects)
    except Undecided:
        return ()
    if selection.sure:
        return trusting.nearest(step.objects, selection, number)
    if selection.maybe and not evaluation.facts.exhausted:
        raise look_closer(selection)
    return tuple(selection.maybe)


def _relaxed(
    whole: Description, choices: Sequence[tuple[Condition, ...]], evaluation: Evaluation, number: int | None
) -> dict[tuple[Condition, ...], tuple[SeenObject, ...]]:
    """Which objects fit when some conditions are left out, for each choice of conditions that lets any fit.

    Raises:
        NotSeen: something elsewhere may fit, or something of the kind at this place and nothing else.
    """
    found = {}
    unsure: list[Selection] = []
    for left_out in choices:
        rest = whole.without(left_out)
        if not rest.conditions:
            continue  # anything at all would fit
        try:
            selection = evaluation.objects(rest.objects)
            fitting = evaluation.nearest(rest.objects, selection, number)
        except Undecided:
            continue
        if fitting:
            found[left_out] = fitting
        elif selection.maybe and not evaluation.facts.exhausted:
            if not all(map(_is_own, left_out)):
                raise look_closer(selection)
            unsure.append(selection)
    if unsure and not found and any(map(_names_a_kind, whole.conditions)):
        raise look_closer(unsure[0])
    return found


def _correction(
    step: steps.One,
    whole: Description,
    wrong: tuple[Condition, ...],
    objects: tuple[SeenObject, ...],
    facts: ObservedFacts,
) -> Correction:
    told = {tuple(_actual(facts, obj, each) for each in wrong) for obj in objects}
    if len(told) > 1:
        raise AmbiguousSubstitute(step, objects, NoiseType.UNKNOWN if all(map(_is_own, wrong)) else NoiseType.POSITION)
    actual = told.pop()
    rest: steps.One = replace(step, objects=whole.without(wrong).objects)
    name, verb = wording.the(rest, len(objects)), wording.be(len(objects))
    said = " and ".join(_claimed(each) for each in wrong)
    right = " and ".join(dict.fromkeys(words for words, _ in actual))
    changes = dict(zip(wrong, (condition for _, condition in actual), strict=True))
    return Correction(
        _noise_type(wrong[0]),
        f"{name} {verb} {said}",
        f"{name} {verb} {right}",
        f"{name} {verb} {right}, not {said}",
        objects,
        replace(step, objects=whole.instead(changes).objects),
    )


def _actual(facts: ObservedFacts, obj: SeenObject, condition: Condition) -> tuple[str, Condition]:
    """What is true of an object instead of a condition, in words and as a condition.

    Raises:
        NotSeen: it was not made out yet.
    """
    if isinstance(condition, steps.Filter) and condition.attribute != "room":
        word = word_of(facts, obj, condition.attribute) or ""
        if condition.attribute == "state":
            word = next((state for state in obj.states if state == opposite(condition.value)), word)
        if not word:
            return f"not {_claimed(condition)}", condition
        return wording.predicate(condition.attribute, word), replace(condition, value=word)
    if isinstance(condition, steps.Relate) and condition.relation in SIDES:
        found = _other_side(facts, obj, condition)
        if found is not None:
            return _claimed(found), found
    placement = facts.placement(obj) if place_of(facts, obj) is not None else None
    if placement is None and isinstance(condition, steps.Relate) and not facts.exhausted:
        raise NotSeen(closer_text(obj), (closer(obj),))
    room = facts.room_of(obj)
    on_floor = placement is not None and placement.support == "floor"
    if room is not None and room.label and (isinstance(condition, steps.Filter) or placement is None or on_floor):
        floor = "on the floor " if on_floor else ""
        return f"{floor}in the {room.label}", steps.Filter(condition.objects, "room", room.label)
    if placement is None:
        raise NotSeen(closer_text(obj), (closer(obj),))
    anchor = steps.Unique(steps.Filter(steps.Scene(), "label", placement.support))
    place = steps.Relate(condition.objects, placement.relation, anchor)
    return f"{placement.relation} the {placement.support}", place


def _other_side(facts: ObservedFacts, obj: SeenObject, condition: steps.Relate) -> steps.Relate | None:
    """The side of the anchor on which an object is, where that can be told."""
    evaluation = Evaluation(facts)
    try:
        anchor = evaluation.one(condition.anchor)
        viewer = evaluation.viewer(condition.relation, condition.viewer)
    except Undecided:
        return None
    holds = [side for side in SIDES if stands(facts, obj, side, anchor, viewer)]
    return replace(condition, relation=holds[0]) if holds else None


def _claimed(condition: Condition) -> str:
    if isinstance(condition, steps.Filter):
        return wording.predicate(condition.attribute, condition.value)
    if isinstance(condition, steps.Relate):
        return wording.relation(condition.relation, wording.the(condition.anchor))
    if isinstance(condition, steps.Compared):
        return wording.comparison(condition)
    return f"between {wording.the(condition.first)} and {wording.the(condition.second)}"


def _noise_type(condition: Condition) -> NoiseType:
    return _NOISE[condition.attribute] if isinstance(condition, steps.Filter) else NoiseType.POSITION


def _names_a_kind(condition: Condition) -> bool:
    """By its label or its use."""
    return isinstance(condition, steps.Filter) and condition.attribute in ("label", "use")


def _is_among(condition: Condition, attributes: Collection[str]) -> bool:
    return not attributes or (isinstance(condition, steps.Filter) and condition.attribute in attributes)


def _is_size(condition: Condition) -> bool:
    return isinstance(condition, steps.Filter) and condition.attribute == "size"


def _is_untold(condition: Condition) -> bool:
    return isinstance(condition, steps.Relate) or (
        isinstance(condition, steps.Filter) and condition.attribute in UNTOLD
    )


def _is_own(condition: Condition) -> bool:
    return isinstance(condition, steps.Filter) and condition.attribute in OWN
