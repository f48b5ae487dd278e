"""The likeliest answer where evidence is missing: of the right type, from what was seen, never a refusal.

What may be so is taken for so where nothing surely is; what was not seen is taken not to be there; what several objects
fit is the one that was seen best, and what none fits is the one that most of it fits. Weights are estimated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from vantage.answering.symbolic.answers import Finding, answer
from vantage.answering.symbolic.evaluation import Evaluation
from vantage.answering.symbolic.observed_facts import ObservedFacts, SeenObject
from vantage.answering.symbolic.predicates import word_of
from vantage.answering.symbolic.three_valued_sets import (
    CannotTell,
    SearchCompleteness,
    Selection,
    Space,
    Undecided,
)
from vantage.questions import Condition, described, programs as steps

YES_NO, NUMBER, WORD = 0.5, 0.25, 0.2  # how sure a mere guess is
_CLOSED = SearchCompleteness(True, YES_NO, Space.EVERYWHERE, "")
_UNKNOWN = {"color": "white", "material": "wood", "room": "living room", "place": "on the floor", "label": "table"}
_NO_OBJECTS = "1"


class Guessing(Evaluation):
    """One reading of a program in which everything is decided.

    Args:
        facts: with all that can be looked at taken for looked at.

    Attributes:
        stands_in: something was taken for what is described that fits only part of it.
    """

    def __init__(self, facts: ObservedFacts) -> None:
        super().__init__(facts, loose=True, trusting=True)
        self.stands_in = False

    def objects(self, step: steps.ObjectSet) -> Selection:
        """The members of a set; what may be one is where nothing else is."""
        if step not in self._sets:
            found = self._set(step)
            members = found.sure or tuple(sorted(found.maybe, key=lambda obj: -obj.pixels)[:1])
            self._sets[step] = Selection(members, {}, lambda: _CLOSED)
        return self._sets[step]

    def _find(self, step: steps.One) -> SeenObject:
        selection = self.objects(step.objects)
        options = selection.sure
        try:
            fitting = self._extreme(step, selection) if isinstance(step, steps.Most) else None
            options = fitting or self.nearest(step.objects, selection) or options
        except Undecided:
            pass
        return max(options, key=lambda obj: obj.pixels) if options else self._closest(step.objects)

    def _closest(self, objects: steps.ObjectSet) -> SeenObject:
        """The object that most of a description fits, its kind before all.

        Raises:
            CannotTell: nothing was seen at all.
        """
        whole = described(objects)
        everything = self.facts.rooms if isinstance(whole.base, steps.Rooms) else self.facts.objects
        if not everything:
            raise CannotTell("I have seen nothing yet.")

        self.stands_in = True

        def fits(obj: SeenObject) -> tuple[int, int]:
            return sum(self._weight(each, obj, whole.base) for each in whole.conditions), obj.pixels

        return max(everything, key=fits)

    def _weight(self, condition: Condition, obj: SeenObject, base: steps.ObjectSet) -> int:
        try:
            holds = self.objects(replace(condition, objects=base)).belongs(obj)
        except Undecided:
            return 0
        is_kind = isinstance(condition, steps.Filter) and condition.attribute in ("label", "use")
        return int(holds is True) * (4 if is_kind else 1)


def best_guess(program: steps.Program, facts: ObservedFacts) -> Finding:
    """The likeliest answer, with what it rests on as far as it rests on anything."""
    floor = _floor(program)
    reading = Guessing(facts)
    try:
        found = answer(program, None, reading)
        found = replace(found, confidence=floor) if reading.stands_in else found
    except Undecided:
        found = Finding(_usual(program, facts), "", (), floor)
    return replace(found, explanation="", confidence=min(max(found.confidence, floor), 0.9), look_for=())


def _floor(program: steps.Program) -> float:
    if isinstance(program, steps.Count):
        return NUMBER
    return WORD if isinstance(program, (steps.Query, steps.QueryEach)) else YES_NO


def _usual(program: steps.Program, facts: ObservedFacts) -> str:
    """What is usually answered where nothing tells: of a word, the one that most things have."""
    if isinstance(program, steps.Count):
        return _NO_OBJECTS
    if not isinstance(program, (steps.Query, steps.QueryEach)):
        return "no"
    place = program.one.objects if isinstance(program, steps.Query) else program.objects
    evaluation = Guessing(facts)
    try:
        alike = evaluation.objects(place).sure
    except Undecided:
        alike = ()
    for objects in (alike, facts.objects):
        words = _words(facts, objects, program.attribute)
        if words:
            return Counter(words).most_common(1)[0][0]
    return _UNKNOWN.get(program.attribute, "unknown")


def _words(facts: ObservedFacts, objects: Iterable[SeenObject], attribute: str) -> list[str]:
    told = (obj.likeliest(attribute) or word_of(facts, obj, attribute) for obj in objects)
    return [word for word in told if word]
