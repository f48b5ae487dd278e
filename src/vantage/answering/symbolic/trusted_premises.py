"""Premises trusted: the control of NoisyEQA, which sees as much and looks as long.

It takes whatever comes nearest to a description for what is meant, and answers as if all that the question takes for
granted were so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vantage.answering.protocol import Assessment, LookAt, LookFor, needs_look
from vantage.answering.symbolic import confidence, wording
from vantage.answering.symbolic.answer_selection import AnswerSelection, Bindings, CountMismatch
from vantage.answering.symbolic.answers import Finding
from vantage.answering.symbolic.evaluation import Evaluation
from vantage.answering.symbolic.observed_facts import SeenObject
from vantage.answering.symbolic.premise_checking import answered
from vantage.answering.symbolic.three_valued_sets import AmbiguousReferent, NoReferent, NotSeen, Undecided
from vantage.questions import Condition, described, descriptions, inner_steps, programs as steps

_MOST_TAKEN = 4  # descriptions of one question that fit nothing


class TrustedPremises:
    """One question at one moment."""

    def __init__(self, settling: AnswerSelection) -> None:
        self.settling, self.program, self.facts = settling, settling.program, settling.facts

    def assess(self) -> Assessment:
        """What can be said now: an answer, or that more must be seen."""
        try:
            return answered(self.settling.find())
        except Undecided as gap:
            return self._trusted(gap, {}, 1.0)

    def _trusted(self, gap: Undecided, taken: Bindings, share: float) -> Assessment:
        """The answer about what comes nearest to a description that fits nothing, or too much.

        Args:
            taken: what descriptions were taken for before this.
            share: of all that was said of these that is so.
        """
        if isinstance(gap, NotSeen):
            return needs_look(gap.text, *gap.look_for)
        if isinstance(gap, NoReferent) and isinstance(self.program, (steps.Exist, steps.Count)):
            word = "no" if isinstance(self.program, steps.Exist) else "0"
            return answered(Finding(word, "", (), gap.closure.confidence, absent=True))
        if len(taken) == _MOST_TAKEN or not isinstance(gap, (CountMismatch, NoReferent, AmbiguousReferent)):
            return needs_look(str(gap))
        try:
            if isinstance(gap, CountMismatch):
                return self._told(gap.step, self.settling.about_all(gap.step, gap.objects, taken), share)
            step = gap.step if isinstance(gap, AmbiguousReferent) else self._outermost(gap.step)
            obj, fits = self._nearest(
                step, gap.options if isinstance(gap, AmbiguousReferent) else self._all(step), taken
            )
            share *= confidence.ASKING_BACK if isinstance(gap, AmbiguousReferent) else fits
            taken = {**taken, step: obj}
            return self._told(step, self.settling.settle(True, taken), share)
        except Undecided as other:
            return self._trusted(other, taken, share)

    def _told(self, step: steps.One, finding: Finding, share: float) -> Assessment:
        """A bare answer, as sure as what was said is so; while the search goes on, what is meant may turn up."""
        looks = finding.look_for
        if not self.facts.exhausted:
            looks = (*looks, LookFor(LookAt.ANYWHERE, wording.phrase(step.objects).noun))
        return answered(Finding(finding.answer, "", finding.objects, share * finding.confidence, look_for=looks))

    def _outermost(self, step: steps.One) -> steps.One:
        """The description of which another one is part, itself where there is none."""
        return next((each for each in descriptions(self.program) if step in inner_steps(each)), step)

    def _all(self, step: steps.One) -> tuple[SeenObject, ...]:
        rooms = isinstance(described(step.objects).base, steps.Rooms)
        return self.facts.rooms if rooms else self.facts.objects

    def _nearest(self, step: steps.One, options: Sequence[SeenObject], taken: Bindings) -> tuple[SeenObject, float]:
        """The object of which most is so that was said, and the share of that; its kind counts most.

        Raises:
            NotSeen: nothing was seen at all.
        """
        if not options:
            raise NotSeen(f"I have not seen {wording.indefinite(step.objects)}.", ())
        whole = described(step.objects)
        evaluation = Evaluation(self.facts, True, taken)
        held = {
            obj: [each for each in whole.conditions if _holds(each, obj, whole.base, evaluation)] for obj in options
        }
        kinds = {each: len(whole.conditions) if _is_kind(each) else 1 for each in whole.conditions}

        def rank(obj: SeenObject) -> tuple[int, int]:
            return sum(kinds[each] for each in held[obj]), obj.pixels

        best = max(options, key=rank)
        return best, len(held[best]) / max(len(whole.conditions), 1)


def _holds(condition: Condition, obj: SeenObject, base: steps.ObjectSet, evaluation: Evaluation) -> bool:
    """Whether a condition surely holds of an object; one that speaks of what is not there does not."""
    try:
        return evaluation.objects(replace(condition, objects=base)).belongs(obj) is True
    except Undecided:
        return False


def _is_kind(condition: Condition) -> bool:
    return isinstance(condition, steps.Filter) and condition.attribute in ("label", "use")
