"""From a program to one answer: in the exact sense of its words or a wider one, of one thing or of several.

Words are taken exactly at first, and in a wider sense (a cup for a mug) once nothing fits them exactly. A description
that fits several things is tried with each: where all that make sense lead to one answer, that is it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from vantage.answering.descriptions import subject
from vantage.answering.symbolic import wording
from vantage.answering.symbolic.answers import Finding, answer
from vantage.answering.symbolic.evaluation import Evaluation
from vantage.answering.symbolic.next_views import closer, closer_text, settled
from vantage.answering.symbolic.observed_facts import Sight, Thing
from vantage.answering.symbolic.three_valued_sets import CannotTell, Closure, Missing, NotSeen, Several, Unsettled
from vantage.questions import programs as steps

Bindings = Mapping[steps.One, Thing]

_MOST_OPTIONS = 12  # things that a description may fit before the question is which one is meant
_MOST_NESTED = 3  # descriptions within each other that may fit several things


class Miscounted(Unsettled):
    """There is another number of things than the question claims."""

    def __init__(self, step: steps.One, things: tuple[Thing, ...], closure: Closure) -> None:
        super().__init__("another number of things")
        self.step, self.things, self.closure = step, things, closure


@dataclass(frozen=True)
class Settling:
    """A program on what was seen; ``number`` is claimed of what it is about, or asked about in a count."""

    program: steps.Program
    number: int | None
    sight: Sight

    def find(self) -> Finding:
        """The answer.

        Raises:
            Unsettled: a premise fails, or more must be seen.
        """
        try:
            exact = self.settle(False, {})
        except Missing as gap:
            try:
                return self.settle(True, {})
            except (Missing, Several, CannotTell, Miscounted):
                raise gap from None
        if not exact.absent:
            return exact
        try:
            return self.settle(True, {})
        except Unsettled:
            return exact

    def settle(self, loose: bool, bindings: Bindings, depth: int = 0) -> Finding:
        """The answer with some descriptions taken for certain things.

        Raises:
            Unsettled: a premise fails, or more must be seen.
        """
        evaluation = Evaluation(self.sight, loose, bindings)
        step = subject(self.program)
        try:
            if self.number is not None and step is not None and step not in bindings:
                return self._of_several(step, evaluation, bindings)
            return answer(self.program, self.number, evaluation)
        except Several as several:
            if depth >= _MOST_NESTED or len(several.options) > _MOST_OPTIONS:
                raise
            return self._settle_each(several, loose, bindings, depth)

    def _settle_each(self, several: Several, loose: bool, bindings: Bindings, depth: int) -> Finding:
        found: dict[Thing, Finding] = {}
        open_one: NotSeen | None = None
        missing: list[Missing] = []
        for option in several.options:
            try:
                found[option] = self.settle(loose, {**bindings, several.step: option}, depth + 1)
            except NotSeen as gap:
                open_one = open_one or gap
                continue
            except Missing as gap:
                choices = tuple({**choice, several.step: option} for choice in gap.choices)
                missing.append(Missing(gap.step, gap.closure, choices))
                continue
            except CannotTell:
                continue
            if isinstance(self.program, steps.Exist) and found[option].answer == "yes":
                return found[option]
        about_all = several.step == subject(self.program) or isinstance(self.program, (steps.Exist, steps.Count))
        if open_one is not None and (not found or (about_all and not self.sight.exhausted)):
            raise open_one
        if len(missing) == len(several.options) and len({gap.step for gap in missing}) == 1:
            least = min((gap.closure for gap in missing), key=lambda closure: closure.confidence)
            raise Missing(missing[0].step, least, tuple(choice for gap in missing for choice in gap.choices))
        if not found:
            raise several
        if len({each.answer for each in found.values()}) > 1:
            raise Several(several.step, tuple(found))
        return _together(tuple(found.values()))

    def _of_several(self, step: steps.One, evaluation: Evaluation, bindings: Bindings) -> Finding:
        """The answer about a claimed number of things, all of which have to be seen."""
        selection = evaluation.things(step.things)
        if self.sight.exhausted and self.number is not None:
            selection = selection.as_many_as(self.number)
        closure = settled(step.things, selection)
        if not selection.sure:
            raise Missing(step, closure)
        passing = [thing for thing in selection.sure if thing.passing]
        if passing and len(selection.sure) > 1 and not self.sight.exhausted:
            raise NotSeen(closer_text(passing[0]), tuple(map(closer, passing)))
        if len(selection.sure) != self.number:
            raise Miscounted(step, selection.sure, closure)
        return self.about_all(step, selection.sure, bindings)

    def about_all(self, step: steps.One, things: tuple[Thing, ...], bindings: Bindings | None = None) -> Finding:
        """What holds of each of some things that a description is taken for: one answer, or several joined; not all
        of a claimed number are what only some are.

        Raises:
            Several: one thing was spoken of, and it is so of some only.
            Unsettled: a premise fails, or more must be seen.
        """
        found = tuple(self.settle(True, {**(bindings or {}), step: thing}) for thing in things)
        answers = {each.answer for each in found}
        if answers != {"no", "yes"}:
            return replace(_together(found), answer=wording.joined(sorted(answers)))
        if self.number is None:
            raise Several(step, things)
        return replace(_together(found), answer="no")


def _together(found: tuple[Finding, ...]) -> Finding:
    """Findings with one answer: about all their things, as sure as the one that is least sure."""
    things = tuple(dict.fromkeys(thing for each in found for thing in each.things))
    first = found[0]
    same_words = all(each.explanation == first.explanation for each in found)
    sure = min(each.confidence for each in found)
    looks = tuple(dict.fromkeys(look for each in found for look in each.look_for))
    said = first.explanation if same_words else ""
    return replace(first, things=things, confidence=sure, explanation=said, look_for=looks)
