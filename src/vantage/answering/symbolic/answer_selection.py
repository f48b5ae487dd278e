"""Which reading of a program is answered.

Words are taken exactly at first, and in a wider sense (a cup for a mug) once nothing fits them exactly. A description
that fits several objects is tried with each: where all that make sense lead to one answer, that is it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from vantage.answering.symbolic import wording
from vantage.answering.symbolic.answers import Finding, answer, yes_or_no
from vantage.answering.symbolic.evaluation import Evaluation
from vantage.answering.symbolic.next_views import closer, closer_text, settled
from vantage.answering.symbolic.observed_facts import ObservedFacts, SeenObject
from vantage.answering.symbolic.predicates import word_of
from vantage.answering.symbolic.three_valued_sets import (
    AmbiguousReferent,
    CannotTell,
    NoReferent,
    NotSeen,
    SearchCompleteness,
    Undecided,
)
from vantage.questions import programs as steps, subject

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
        if not exact.absent or self.facts.hidden:  # where all is said of single things, words are meant exactly
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
            return replace(_together(found), answer=yes_or_no(len(answers) == 1), explanation=f"they are {are}")
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
    shown = tuple(dict.fromkeys(obj for each in found for obj in each.shown))
    return replace(first, objects=objects, confidence=sure, explanation=said, look_for=looks, shown=shown)
