"""The answer to a program on the observed scene, in words, with the objects that it rests on.

Words are taken exactly at first, and in a wider sense (a cup for a mug) once nothing fits them exactly. A description
that fits several objects is tried with each: where all that make sense lead to one answer, that is it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from vantage.answering.protocol import LookAt, LookFor
from vantage.answering.symbolic import confidence, wording
from vantage.answering.symbolic.evaluation import Evaluation
from vantage.answering.symbolic.next_views import closer, closer_text, settled, turned_to
from vantage.answering.symbolic.observed_facts import ObservedFacts, SeenObject
from vantage.answering.symbolic.predicates import PLACED, has, place_of, same, stands, word_of
from vantage.answering.symbolic.three_valued_sets import (
    AmbiguousReferent,
    CannotTell,
    Looks,
    NoReferent,
    NotSeen,
    SearchCompleteness,
    Truth,
    Undecided,
)
from vantage.questions import programs as steps, subject


@dataclass(frozen=True)
class Finding:
    """An answer.

    Attributes:
        answer: bare, such as ``blue`` or ``yes``.
        explanation: a sentence in front of it, empty where it needs none.
        objects: what it is about, and then what that was described by.
        confidence: 0..1.
        absent: it says that nothing is there.
        look_for: what to look at again to become surer.
    """

    answer: str
    explanation: str
    objects: tuple[SeenObject, ...]
    confidence: float
    absent: bool = False
    look_for: Looks = ()


def answer(program: steps.Program, number: int | None, evaluation: Evaluation) -> Finding:
    """The answer to a program.

    Args:
        number: claimed of the objects that it is about, or asked about in a count.

    Raises:
        Unsettled: a premise fails, or more must be seen.
    """
    if isinstance(program, steps.Exist):
        return _exist(program, evaluation)
    if isinstance(program, steps.Count):
        return _count(program, number, evaluation)
    if isinstance(program, steps.Query):
        return _query(program, evaluation)
    if isinstance(program, steps.Alike):  # one of them at a time
        return _query(steps.Query(program.one, program.attribute), evaluation)
    if isinstance(program, steps.Verify):
        return _verify(program, evaluation)
    if isinstance(program, steps.VerifyRelation):
        return _verify_relation(program, evaluation)
    if isinstance(program, steps.CompareNumber):
        return _compare_number(program, evaluation)
    if isinstance(program, steps.CompareQuantity):
        return _compare_quantity(program, evaluation)
    return _compare_attribute(program, evaluation)


def absence(step: steps.ObjectSet, closure: SearchCompleteness) -> str:
    """That there is nothing of the kind, and how far that was looked at."""
    comma = "," if is_partial(closure) else ";"
    return f"there is no {wording.phrase(step).words()}{comma} {closure.said}"


def is_partial(closure: SearchCompleteness) -> bool:
    """Whether a space counts as seen though part of it was not."""
    return closure.said.startswith("as far")


def _exist(program: steps.Exist, evaluation: Evaluation) -> Finding:
    selection = evaluation.objects(program.objects)
    if selection.sure:
        best = max(selection.sure, key=lambda obj: obj.confidence)
        return _found("yes", "", (best,), evaluation, taken=False)
    closure = settled(program.objects, selection)
    explanation = absence(program.objects, closure)
    return Finding("no", explanation, _around(closure, evaluation), closure.confidence, absent=True)


def _count(program: steps.Count, number: int | None, evaluation: Evaluation) -> Finding:
    selection = evaluation.objects(program.objects)
    closure = settled(program.objects, selection)
    count = len(selection.sure)
    objects = selection.sure or _around(closure, evaluation)
    sure = min((closure.confidence, *(obj.confidence for obj in selection.sure)))
    if number is None:
        return Finding(str(count), "", objects, sure, absent=count == 0)
    explanation = f"there {wording.be(count)} {wording.counted(count, program.objects)}"
    return Finding(_yes(number == count), explanation, objects, sure)


def _query(program: steps.Query, evaluation: Evaluation) -> Finding:
    obj = evaluation.one(program.one)
    attribute = program.attribute
    word = _word(obj, attribute, evaluation)
    found = _found(word, "", (obj, *_rests_on(obj, attribute, evaluation)), evaluation)
    return _agreed(found, obj, attribute)


def _word(obj: SeenObject, attribute: str, evaluation: Evaluation) -> str:
    """The value of an attribute.

    Raises:
        NotSeen: it was not made out yet.
        CannotTell: the object has none.
    """
    facts = evaluation.facts
    word = word_of(facts, obj, attribute)
    if word:
        return word
    if attribute == "place" and (word == "" or facts.exhausted):
        room = facts.room_of(obj)
        if room is not None and room is not obj and room.label:
            return f"in the {room.label}"
    if word == "" and attribute == "text" and obj.key not in facts.unprinted and not obj.is_room:
        evaluation.need_text()
        text = f"I see the {obj.label}, but could not read anything on the sides of it that I saw."
        raise NotSeen(text, (closer(obj, attribute),))
    if word == "" or (facts.exhausted and attribute in ("size", "room")):
        none = {"text": "nothing readable is written on it", "size": "it is neither small nor large"}
        said = none.get(attribute, f"it has no {attribute} that I could name")
        raise CannotTell(wording.finished(f"I see the {obj.label}, but {said}", ""))
    if attribute in ("size", "room"):
        look = LookFor(LookAt.ANYWHERE, obj.label)
        raise NotSeen(f"I have not seen enough around the {obj.label} to tell its {attribute} yet.", (look,))
    if attribute == "text":
        evaluation.need_text()
    raise NotSeen(closer_text(obj), (closer(obj, attribute),))


def _verify(program: steps.Verify, evaluation: Evaluation) -> Finding:
    facts, obj = evaluation.facts, evaluation.one(program.one)
    attribute, value = program.attribute, program.value
    holds = has(facts, obj, attribute, value)
    if holds is None:
        _word(obj, attribute, evaluation)
    word = word_of(facts, obj, attribute)
    explanation = ""
    if word:
        explanation = f"{wording.the(program.one)} is {wording.predicate(attribute, word)}"
    rests = _rests_on(obj, attribute, evaluation)
    return _agreed(_found(_yes(holds), explanation, (obj, *rests), evaluation), obj, attribute)


def _verify_relation(program: steps.VerifyRelation, evaluation: Evaluation) -> Finding:
    """Whether an object is there; at a place that was looked at completely, it need not be found anywhere else."""
    relation = program.relation
    try:
        obj = evaluation.one(program.one)
    except (NotSeen, AmbiguousReferent):
        if relation not in PLACED or not isinstance(program.one, steps.Unique):
            raise
        return _exist(steps.Exist(steps.Relate(program.one.objects, relation, program.anchor)), evaluation)
    anchor = evaluation.anchor(program.anchor)
    viewer = evaluation.viewer(relation, program.viewer)
    holds = stands(evaluation.facts, obj, relation, anchor, viewer, evaluation.loose)
    if holds is None:
        unsure = tuple(closer(each) for each in (obj, anchor))
        raise NotSeen(closer_text(obj), unsure)
    explanation = ""
    if not holds and relation in PLACED:
        place = place_of(evaluation.facts, obj)
        explanation = f"{wording.the(program.one)} is {place}" if place else ""
    return _found(_yes(holds), explanation, (obj, anchor), evaluation)


def _compare_number(program: steps.CompareNumber, evaluation: Evaluation) -> Finding:
    pairs = [(step, evaluation.objects(step)) for step in (program.first, program.second)]
    first, second = (selection.number for _, selection in pairs)
    holds = {
        "more": lambda: first.is_more(second),
        "fewer": lambda: second.is_more(first),
        "equal": lambda: first.is_equal(second),
    }[program.relation]()
    if holds is None:
        for step, selection in pairs:
            settled(step, selection)
    objects = tuple(dict.fromkeys(obj for _, selection in pairs for obj in selection.sure))
    sure = [obj.confidence for obj in objects]
    sure += [selection.closure.confidence for _, selection in pairs if selection.closure.complete]
    counts = [wording.counted(len(selection.sure), step) for step, selection in pairs]
    explanation = (
        f"there {wording.be(len(pairs[0][1].sure))} {' and '.join(counts)}" if first.exact and second.exact else ""
    )
    return Finding(_yes(holds), explanation, objects, min(sure, default=confidence.ASKING_BACK))


def _compare_quantity(program: steps.CompareQuantity, evaluation: Evaluation) -> Finding:
    facts = evaluation.facts
    if program.quantity == "mass":
        raise CannotTell(f"I cannot see which is {'lighter' if program.least else 'heavier'}.")
    first, second = evaluation.one(program.first), evaluation.one(program.second)
    spans = [evaluation.measured(obj, program.quantity) for obj in (first, second)]
    more, less = reversed(spans) if program.least else spans
    ratio = facts.settings.ratio
    holds: Truth = None
    if more[0] > less[1] and more[0] >= ratio * less[1]:
        holds = True
    elif more[1] <= less[0] or more[1] < ratio * less[0]:
        holds = False
    if holds is None:
        raise NotSeen(closer_text(first), (closer(first), closer(second)))
    return _found(_yes(holds), "", (first, second), evaluation)


def _compare_attribute(program: steps.CompareAttribute, evaluation: Evaluation) -> Finding:
    first, second = evaluation.one(program.first), evaluation.one(program.second)
    holds = same(evaluation.facts, first, second, program.attribute)
    words = [word_of(evaluation.facts, obj, program.attribute) for obj in (first, second)]
    if holds is None:
        for obj, word in zip((first, second), words, strict=True):
            if word is None:
                _word(obj, program.attribute, evaluation)
    explanation = ""
    if not holds and all(words):
        names = wording.the(program.first), wording.the(program.second)
        said = [wording.predicate(program.attribute, str(word)) for word in words]
        explanation = f"{names[0]} is {said[0]}, {names[1]} is {said[1]}"
    return _found(_yes(holds), explanation, (first, second), evaluation)


def _found(
    word: str, explanation: str, objects: tuple[SeenObject, ...], evaluation: Evaluation, taken: bool = True
) -> Finding:
    about = tuple(dict.fromkeys((*objects, *evaluation.picked.values())))
    exhausted = evaluation.facts.exhausted or not taken
    sure = confidence.of_objects((obj.confidence for obj in about), exhausted, evaluation.guessed)
    looks = tuple(closer(obj) for obj in about if obj.confidence < confidence.SURE)
    cut_off = [turned_to(obj) for obj in objects if obj.cut_off]
    cut_off += [closer(obj) for obj in objects if obj.glimpsed]
    if cut_off and not evaluation.facts.exhausted:
        sure = min(sure, confidence.CUT_OFF)
        looks += tuple(cut_off)
    if evaluation.rivals:
        sure = min(sure, confidence.ELSEWHERE_OPEN)
        looks += evaluation.rivals
    return Finding(word, explanation, about, sure, look_for=looks)


def _agreed(found: Finding, obj: SeenObject, attribute: str) -> Finding:
    """As sure as views agree on an attribute; another look helps where they do not."""
    agreement = obj.agreement(attribute)
    looks = (closer(obj, attribute),) if agreement < confidence.SURE else found.look_for
    return replace(found, confidence=found.confidence * agreement, look_for=looks)


def _around(closure: SearchCompleteness, evaluation: Evaluation) -> tuple[SeenObject, ...]:
    support = () if closure.support is None else (closure.support,)
    return tuple(dict.fromkeys((*support, *evaluation.picked.values())))


def _rests_on(obj: SeenObject, attribute: str, evaluation: Evaluation) -> tuple[SeenObject, ...]:
    """What else an attribute is told by: a place by a support, and a size by all others of the kind."""
    facts = evaluation.facts
    if attribute == "size":
        return tuple(each for each in (facts.rooms if obj.is_room else facts.objects) if each.kind == obj.kind)
    support = facts.support(obj) if attribute == "place" else None
    return () if support is None else (support,)


def _yes(holds: Truth) -> str:
    return "yes" if holds else "no"


Bindings = Mapping[steps.One, SeenObject]

_MOST_OPTIONS = 12  # objects that a description may fit before the question is which one is meant
_MOST_NESTED = 3  # descriptions within each other that may fit several objects


class CountMismatch(Undecided):
    """There is another number of objects than the question claims."""

    def __init__(self, step: steps.One, objects: tuple[SeenObject, ...], closure: SearchCompleteness) -> None:
        super().__init__("another number of things")
        self.step, self.objects, self.closure = step, objects, closure


@dataclass(frozen=True)
class AnswerSelection:
    """A program on what was seen; ``number`` is claimed of what it is about, or asked about in a count."""

    program: steps.Program
    number: int | None
    facts: ObservedFacts

    def find(self) -> Finding:
        """The answer.

        Raises:
            Unsettled: a premise fails, or more must be seen.
        """
        try:
            exact = self.settle(False, {})
        except NoReferent as gap:
            try:
                return self.settle(True, {})
            except (NoReferent, AmbiguousReferent, CannotTell, CountMismatch):
                raise gap from None
        if not exact.absent:
            return exact
        try:
            return self.settle(True, {})
        except Undecided:
            return exact

    def settle(self, loose: bool, bindings: Bindings, depth: int = 0) -> Finding:
        """The answer with some descriptions taken for certain objects.

        Raises:
            Unsettled: a premise fails, or more must be seen.
        """
        evaluation = Evaluation(self.facts, loose, bindings)
        step = subject(self.program)
        try:
            several = self.number is not None or isinstance(self.program, steps.Alike)
            if several and step is not None and step not in bindings:
                return self._of_several(step, evaluation, bindings)
            return answer(self.program, self.number, evaluation)
        except AmbiguousReferent as several:
            if depth >= _MOST_NESTED or len(several.options) > _MOST_OPTIONS:
                raise
            return self._settle_each(several, loose, bindings, depth)

    def _settle_each(self, several: AmbiguousReferent, loose: bool, bindings: Bindings, depth: int) -> Finding:
        found: dict[SeenObject, Finding] = {}
        open_one: NotSeen | None = None
        missing: list[NoReferent] = []
        for option in several.options:
            try:
                found[option] = self.settle(loose, {**bindings, several.step: option}, depth + 1)
            except NotSeen as gap:
                open_one = open_one or gap
                continue
            except NoReferent as gap:
                choices = tuple({**choice, several.step: option} for choice in gap.choices)
                missing.append(NoReferent(gap.step, gap.closure, choices))
                continue
            except CannotTell:
                continue
            if isinstance(self.program, steps.Exist) and found[option].answer == "yes":
                return found[option]
        about_all = several.step == subject(self.program) or isinstance(self.program, (steps.Exist, steps.Count))
        if open_one is not None and (not found or (about_all and not self.facts.exhausted)):
            raise open_one
        if len(missing) == len(several.options) and len({gap.step for gap in missing}) == 1:
            least = min((gap.closure for gap in missing), key=lambda closure: closure.confidence)
            raise NoReferent(missing[0].step, least, tuple(choice for gap in missing for choice in gap.choices))
        if not found:
            raise several
        if len({each.answer for each in found.values()}) > 1:
            raise AmbiguousReferent(several.step, tuple(found))
        return _together(tuple(found.values()))

    def _of_several(self, step: steps.One, evaluation: Evaluation, bindings: Bindings) -> Finding:
        """The answer about several objects, a claimed number of them or all there are; all have to be seen."""
        selection = evaluation.objects(step.objects)
        if self.facts.exhausted and self.number is not None:
            selection = selection.as_many_as(self.number)
        differing = self._differing(step, selection.sure, bindings)
        if differing is not None:
            return differing
        closure = settled(step.objects, selection)
        if not selection.sure:
            raise NoReferent(step, closure)
        passing = [obj for obj in selection.sure if obj.passing]
        if passing and len(selection.sure) > 1 and not self.facts.exhausted:
            raise NotSeen(closer_text(passing[0]), tuple(map(closer, passing)))
        if self.number is not None and len(selection.sure) != self.number:
            raise CountMismatch(step, selection.sure, closure)
        return self.about_all(step, selection.sure, bindings)

    def _differing(self, step: steps.One, objects: tuple[SeenObject, ...], bindings: Bindings) -> Finding | None:
        """That objects are not alike, however many more there are: two of them are known to differ; None otherwise."""
        if not isinstance(self.program, steps.Alike) or self.number is not None:
            return None
        attribute = self.program.attribute
        told = [obj for obj in objects if not obj.passing and obj.is_plain(attribute)]
        words = {word: obj for obj in reversed(told) if (word := word_of(self.facts, obj, attribute))}
        return self.about_all(step, tuple(words.values())[:2], bindings) if len(words) > 1 else None

    def about_all(self, step: steps.One, objects: tuple[SeenObject, ...], bindings: Bindings | None = None) -> Finding:
        """What holds of each of some objects that a description is taken for: one answer, or several joined; not all
        of a claimed number are what only some are.

        Raises:
            Several: one object was spoken of, and it is so of some only.
            Unsettled: a premise fails, or more must be seen.
        """
        found = tuple(self.settle(True, {**(bindings or {}), step: obj}) for obj in objects)
        answers = {each.answer for each in found}
        if isinstance(self.program, steps.Alike):
            are = wording.joined([wording.predicate(self.program.attribute, each) for each in sorted(answers)])
            return replace(_together(found), answer=_yes(len(answers) == 1), explanation=f"they are {are}")
        if answers != {"no", "yes"}:
            return replace(_together(found), answer=wording.joined(sorted(answers)))
        if self.number is None:
            raise AmbiguousReferent(step, objects)
        return replace(_together(found), answer="no")


def _together(found: tuple[Finding, ...]) -> Finding:
    """Findings with one answer: about all their objects, as sure as the one that is least sure."""
    objects = tuple(dict.fromkeys(obj for each in found for obj in each.objects))
    first = found[0]
    same_words = all(each.explanation == first.explanation for each in found)
    sure = min(each.confidence for each in found)
    looks = tuple(dict.fromkeys(look for each in found for look in each.look_for))
    said = first.explanation if same_words else ""
    return replace(first, objects=objects, confidence=sure, explanation=said, look_for=looks)
