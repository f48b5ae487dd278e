"""A question whose premises are trusted: what comes nearest to a description is taken for what is meant, in silence.

The control of NoisyEQA. It sees as much as the others and looks as long; only then it answers as it would if all that
the question takes for granted were so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vantage.answering.assessment import Assessment, LookAt, LookFor, needs_look
from vantage.answering.descriptions import Condition, described, descriptions, inner_steps
from vantage.answering.symbolic import confidence, wording
from vantage.answering.symbolic.answer_selection import Bindings, Miscounted, Settling
from vantage.answering.symbolic.answers import Finding
from vantage.answering.symbolic.evaluation import Evaluation
from vantage.answering.symbolic.observed_facts import Thing
from vantage.answering.symbolic.premise_modes import answered
from vantage.answering.symbolic.three_valued_sets import Missing, NotSeen, Several, Unsettled
from vantage.questions import programs as steps

_MOST_TAKEN = 4  # descriptions of one question that fit nothing


class Trusting:
    """One question at one moment."""

    def __init__(self, settling: Settling) -> None:
        self.settling, self.program, self.sight = settling, settling.program, settling.sight

    def assess(self) -> Assessment:
        """What can be said now: an answer, or that more must be seen."""
        try:
            return answered(self.settling.find())
        except Unsettled as gap:
            return self._trusted(gap, {}, 1.0)

    def _trusted(self, gap: Unsettled, taken: Bindings, share: float) -> Assessment:
        """The answer about what comes nearest to a description that fits nothing, or too much.

        Args:
            taken: what descriptions were taken for before this.
            share: of all that was said of these that is so.
        """
        if isinstance(gap, NotSeen):
            return needs_look(gap.text, *gap.look_for)
        if isinstance(gap, Missing) and isinstance(self.program, (steps.Exist, steps.Count)):
            word = "no" if isinstance(self.program, steps.Exist) else "0"
            return answered(Finding(word, "", (), gap.closure.confidence, absent=True))
        if len(taken) == _MOST_TAKEN or not isinstance(gap, (Miscounted, Missing, Several)):
            return needs_look(str(gap))
        try:
            if isinstance(gap, Miscounted):
                return self._told(gap.step, self.settling.about_all(gap.step, gap.things, taken), share)
            step = gap.step if isinstance(gap, Several) else self._outermost(gap.step)
            thing, fits = self._nearest(step, gap.options if isinstance(gap, Several) else self._all(step), taken)
            share *= confidence.ASKING_BACK if isinstance(gap, Several) else fits
            taken = {**taken, step: thing}
            return self._told(step, self.settling.settle(True, taken), share)
        except Unsettled as other:
            return self._trusted(other, taken, share)

    def _told(self, step: steps.One, finding: Finding, share: float) -> Assessment:
        """A bare answer, as sure as what was said is so; while the search goes on, what is meant may turn up."""
        looks = finding.look_for
        if not self.sight.exhausted:
            looks = (*looks, LookFor(LookAt.ANYWHERE, wording.phrase(step.things).noun))
        return answered(Finding(finding.answer, "", finding.things, share * finding.confidence, look_for=looks))

    def _outermost(self, step: steps.One) -> steps.One:
        """The description of which another one is part, itself where there is none."""
        return next((each for each in descriptions(self.program) if step in inner_steps(each)), step)

    def _all(self, step: steps.One) -> tuple[Thing, ...]:
        rooms = isinstance(described(step.things).base, steps.Rooms)
        return self.sight.rooms if rooms else self.sight.things

    def _nearest(self, step: steps.One, options: Sequence[Thing], taken: Bindings) -> tuple[Thing, float]:
        """The thing of which most is so that was said, and the share of that; its kind counts most.

        Raises:
            NotSeen: nothing was seen at all.
        """
        if not options:
            raise NotSeen(f"I have not seen {wording.indefinite(step.things)}.", ())
        whole = described(step.things)
        evaluation = Evaluation(self.sight, True, taken)
        held = {
            thing: [each for each in whole.conditions if _holds(each, thing, whole.base, evaluation)]
            for thing in options
        }
        kinds = {each: len(whole.conditions) if _is_kind(each) else 1 for each in whole.conditions}

        def rank(thing: Thing) -> tuple[int, int]:
            return sum(kinds[each] for each in held[thing]), thing.pixels

        best = max(options, key=rank)
        return best, len(held[best]) / max(len(whole.conditions), 1)


def _holds(condition: Condition, thing: Thing, base: steps.Things, evaluation: Evaluation) -> bool:
    """Whether a condition surely holds of a thing; one that speaks of what is not there does not."""
    try:
        return evaluation.things(replace(condition, things=base)).belongs(thing) is True
    except Unsettled:
        return False


def _is_kind(condition: Condition) -> bool:
    return isinstance(condition, steps.Filter) and condition.attribute == "label"
