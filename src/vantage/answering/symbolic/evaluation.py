"""Runs the steps of a program that give objects, on what was seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from vantage.answering.protocol import LookAt, LookFor
from vantage.answering.symbolic import closed_world
from vantage.answering.symbolic.masses import estimate, feels, heavier, heaviest, span_of, weigh, weight_word
from vantage.answering.symbolic.next_views import (
    as_label,
    closer,
    closer_text,
    heavy_text,
    look_closer,
    look_on,
    telling,
    unsure_boxes,
)
from vantage.answering.symbolic.observed_facts import ObservedFacts, SeenObject
from vantage.answering.symbolic.predicates import (
    PLACED,
    has,
    lies_between,
    may_stand,
    noise,
    same,
    stands,
    word_of,
)
from vantage.answering.symbolic.quantities import at_end, span_of_measure, surpassed
from vantage.answering.symbolic.three_valued_sets import (
    AmbiguousReferent,
    CannotTell,
    Looks,
    NeedsReader,
    NoReferent,
    NotSeen,
    Selection,
    Truth,
    exceeds,
)
from vantage.questions import programs as steps
from vantage.questions.lexicon import SORTS, canonical
from vantage.scenes.geometry import SIDES, gap
from vantage.scenes.spec import STRUCTURE_LABELS
from vantage.types import Point

UNTOLD = ("size", "text")  # what may be true of an object though nobody can tell
_BESIDE = ("next to", "near")
_FARTHER, _FARTHER_BY = 1.5, 0.05  # ratio, and m on top, from which on one of two gaps is clearly the larger


class Evaluation:
    """One reading of a program.

    Attributes:
        picked: the object that each description of one object was taken for.
        bindings: what some descriptions are taken for, as given.
        guessed: some description was taken for the only object that may fit it.
        rivals: where to look for other objects of a kind, of which one was called small or large.
        certainty: of the least sure comparison of masses, 0..1.
    """

    def __init__(
        self,
        facts: ObservedFacts,
        loose: bool = False,
        bindings: Mapping[steps.One, SeenObject] | None = None,
        trusting: bool = False,
    ) -> None:
        """
        Args:
            loose: take words in a wider sense; for use once their exact sense is ruled out.
            bindings: what some descriptions are taken for.
            trusting: believe what is said of size, print and place where nothing seen contradicts it clearly.
        """
        self.facts = facts
        self.loose = loose
        self.trusting = trusting
        self.picked: dict[steps.One, SeenObject] = {}
        self.guessed = False
        self.rivals: Looks = ()
        self.certainty = 1.0
        self.bindings = dict(bindings or {})
        self._sets: dict[steps.ObjectSet, Selection] = {}

    def on_trust(self) -> Evaluation:
        """The same, ``trusting``."""
        return Evaluation(self.facts, self.loose, self.bindings, trusting=True)

    # Sets of objects.

    def objects(self, step: steps.ObjectSet) -> Selection:
        """The members of a set.

        Raises:
            Unsettled: it is described by an object that is not known.
        """
        if step not in self._sets:
            self._sets[step] = self._set(step)
        return self._sets[step]

    def _set(self, step: steps.ObjectSet) -> Selection:
        facts = self.facts
        if isinstance(step, steps.Scene):
            return Selection(facts.objects, {}, lambda: closed_world.everywhere(facts))
        if isinstance(step, steps.Rooms):
            return Selection(facts.rooms, {}, lambda: closed_world.everywhere(facts))
        if isinstance(step, steps.Filter):
            return self._filtered(step)
        if isinstance(step, steps.Relate):
            return self._related(step)
        if isinstance(step, steps.Between):
            first, second = self.anchor(step.first), self.anchor(step.second)
            found = self.objects(step.objects).where(
                lambda obj: lies_between(facts, obj, first, second),
                lambda obj: unsure_boxes(facts, obj, first, second),
            )
            return found.within(lambda: closed_world.between(facts, first, second))
        if isinstance(step, steps.Compared):
            return self._compared(step)
        if isinstance(step, steps.Union):
            return self.objects(step.first).union(self.objects(step.second))
        if isinstance(step, steps.Intersect):
            return self.objects(step.first).intersection(self.objects(step.second))
        one = self.anchor(step.one)
        everything = self.objects(steps.Rooms() if one.is_room else steps.Scene())
        others = everything.where(lambda obj: obj is not one, lambda obj: ())
        return others.where(
            lambda obj: same(facts, one, obj, step.attribute),
            lambda obj: (*telling(facts, obj, step.attribute), *telling(facts, one, step.attribute)),
        )

    def _filtered(self, step: steps.Filter) -> Selection:
        facts, attribute, value = self.facts, step.attribute, step.value
        base = self.objects(step.objects)
        if attribute == "label" and isinstance(step.objects, steps.Scene) and canonical(value) in STRUCTURE_LABELS:
            base = Selection(facts.structure, {}, base.closing)
        loose = attribute == "label" and self._takes_loosely(value)
        believed = self._believed(base.sure, attribute, value) if self.trusting else ()
        of_sort = attribute == "label" and value in SORTS and any(obj.label == value for obj in base.sure)

        def fits(obj: SeenObject) -> Truth:
            return False if of_sort and obj.label != value else has(facts, obj, attribute, value, loose)

        found = base.where(lambda obj: obj in believed or fits(obj), lambda obj: telling(facts, obj, attribute))
        if attribute == "weight":
            self.certainty = min((self.certainty, *(weight_word(facts, obj)[2] for obj in found.sure)))
        if attribute == "text" and found.maybe:
            self.need_text()
        if attribute == "room":
            return found.within(lambda: closed_world.room(facts, value, closed_world.kind_of(step.objects)))
        if attribute == "label" and isinstance(step.objects, steps.Scene):
            return replace(found, closing=lambda: closed_world.everywhere(facts, canonical(value)))
        return found

    def _believed(self, objects: tuple[SeenObject, ...], attribute: str, value: str) -> tuple[SeenObject, ...]:
        """Of some objects, those of which nobody could tell whether they are small or large, or bear print.

        Small and large are said in comparison: where several may be meant, it is the one that is clearly at that end.
        """
        if attribute not in UNTOLD:
            return ()
        untold = tuple(obj for obj in objects if word_of(self.facts, obj, attribute) == "")
        return at_end(untold, value) if attribute == "size" else untold

    def _takes_loosely(self, label: str) -> bool:
        """Whether another name may stand for this one: nothing bears it, in all that was looked at."""
        if not self.loose or any(has(self.facts, obj, "label", label) for obj in self.facts.objects):
            return False
        return closed_world.everywhere(self.facts, canonical(label)).complete

    def _related(self, step: steps.Relate) -> Selection:
        facts, relation = self.facts, step.relation
        base = self.objects(step.objects)
        anchor = self.anchor(step.anchor)
        if relation in PLACED and anchor.kind == "floor":
            return base.where(lambda obj: stands(facts, obj, relation, anchor), lambda obj: unsure_boxes(facts, obj))
        viewer = self.viewer(relation, step.viewer)

        def test(obj: SeenObject) -> Truth:
            told = stands(facts, obj, relation, anchor, viewer, self.loose)
            return told or (self.trusting and may_stand(facts, obj, relation, anchor, viewer)) or told

        found = base.where(test, lambda obj: unsure_boxes(facts, obj, anchor))
        return found.within(lambda: closed_world.related(facts, relation, anchor, closed_world.kind_of(step.objects)))

    def _compared(self, step: steps.Compared) -> Selection:
        """Those with clearly more of a quantity than one, or clearly less."""
        one = self.anchor(step.one)
        if step.quantity == "mass":
            return self._heavier(step, one)
        spans = {obj: self.measured(obj, step.quantity) for obj in (one, *self.objects(step.objects).candidates)}

        def test(obj: SeenObject) -> Truth:
            more, less = (spans[one], spans[obj]) if step.least else (spans[obj], spans[one])
            return exceeds(more, less, self.facts.settings.ratio)

        others = self.objects(step.objects).where(lambda obj: obj is not one, lambda obj: ())
        return others.where(test, lambda obj: (closer(obj, step.quantity), closer(one, step.quantity)))

    def _heavier(self, step: steps.Compared, one: SeenObject) -> Selection:
        """Those that are clearly heavier than one, or lighter; that and what is likeliest so is to be weighed first."""
        self.need_touch()
        facts, base = self.facts, self.objects(step.objects)

        def test(obj: SeenObject) -> Truth:
            judged = heavier(facts, one, obj) if step.least else heavier(facts, obj, one)
            self.certainty = min(self.certainty, judged.certainty)
            return judged.truth

        others = base.where(lambda obj: obj is not one, lambda obj: ())
        ranked = others.ordered(lambda obj: estimate(obj, span_of(facts, obj))[0] * (1.0 if step.least else -1.0))
        return ranked.where(test, lambda obj: weigh((one, obj)))

    def need_touch(self) -> None:
        """Make sure that weight can be felt.

        Raises:
            CannotTell: it cannot.
        """
        if not feels(self.facts):
            raise CannotTell("I cannot see how heavy things are.")

    def need_text(self) -> None:
        """Make sure that print can be read.

        Raises:
            NeedsReader: it cannot.
        """
        if self.facts.unreadable:
            raise NeedsReader(self.facts.unreadable)

    def viewer(self, relation: str, step: steps.One | None) -> Point | None:
        """Where somebody stands for whom objects are left, right, before or behind, m.

        Raises:
            Unsettled: nobody knows.
        """
        if relation not in SIDES:
            return None
        return self.anchor(step).center if step is not None else self.asker()

    def asker(self) -> Point:
        """Where the search began, m.

        Raises:
            CannotTell: it has not begun.
        """
        if self.facts.memory.asker is None:
            raise CannotTell("I do not know from where you look.")
        return self.facts.memory.asker

    # One object.

    def one(self, step: steps.One) -> SeenObject:
        """The object that a description means.

        The word "the" takes for granted that there is one such object, so the first that surely fits is accepted before
        all space was seen; the most or least of something needs all candidates.

        Raises:
            Unsettled: none fits, several do, or more must be seen.
        """
        if step not in self.picked:
            bound = self.bindings.get(step)
            self.picked[step] = bound if bound is not None else self._find(step)
            self._compare(step.objects, self.picked[step])
        return self.picked[step]

    def _compare(self, place: steps.ObjectSet, obj: SeenObject) -> None:
        """Note that one which is smaller or larger still may turn up, where an object is said to be small or large."""
        while isinstance(place, (steps.Filter, steps.Relate)):
            if isinstance(place, steps.Filter) and place.attribute == "size" and not obj.is_room:
                open_space = not self.facts.exhausted and not closed_world.everywhere(self.facts, obj.kind).complete
                self.rivals = (LookFor(LookAt.ANYWHERE, obj.label),) if open_space else self.rivals
            place = place.objects

    def anchor(self, step: steps.One) -> SeenObject:
        """The object by which others are described; while it is not found, it is what to look for.

        Raises:
            Unsettled: none fits, several do, or more must be seen.
        """
        try:
            return self.one(step)
        except NotSeen as gap:
            raise NotSeen(gap.text, tuple(map(as_label, gap.look_for))) from None

    def _find(self, step: steps.One) -> SeenObject:
        selection = self.objects(step.objects)
        options = (
            self._extreme(step, selection) if isinstance(step, steps.Most) else self.nearest(step.objects, selection)
        )
        if len(options) == 1:
            return options[0]
        if options:
            raise AmbiguousReferent(step, options)
        if selection.maybe:
            if self.facts.exhausted and len(selection.maybe) == 1:
                self.guessed = True
                return next(iter(selection.maybe))
            raise look_closer(selection)
        if selection.closure.complete:
            raise NoReferent(step, selection.closure)
        raise look_on(step.objects, selection.closure)

    def nearest(
        self, place: steps.ObjectSet, selection: Selection, number: int | None = None
    ) -> tuple[SeenObject, ...]:
        """The members of a set; of those said to be next to something, the one that is clearly nearest if any is, and
        of those said to be small or large, the one that clearly is most so.

        Args:
            place: the step that gave them.
            number: of objects that are claimed; of several, none is meant alone.

        Raises:
            NotSeen: what may belong to it is nearer than all that surely do.
        """
        if number is not None and number > 1:
            return selection.sure
        size = ""
        while isinstance(place, steps.Filter):
            size = place.value if place.attribute == "size" else size
            place = place.objects
        if size:
            return at_end(selection.sure, size)
        candidates = (*selection.sure, *selection.maybe)
        beside = isinstance(place, steps.Relate) and place.relation in _BESIDE
        if not (isinstance(place, steps.Relate) and beside and selection.sure and len(candidates) > 1):
            return selection.sure
        anchor = self.anchor(place.anchor)
        first, second = sorted(candidates, key=lambda obj: gap(obj, anchor))[:2]
        if gap(second, anchor) < _FARTHER * gap(first, anchor) + _FARTHER_BY:
            return selection.sure
        if first in selection.maybe and not self.facts.exhausted:
            raise NotSeen(closer_text(first), selection.maybe[first])
        return (first,)

    def _extreme(self, step: steps.Most, selection: Selection) -> tuple[SeenObject, ...]:
        """The objects that no other surpasses, one where that is clear; none where there is nothing to compare."""
        if step.quantity == "mass":
            return self._heaviest(step, selection)
        anchor = None if step.anchor is None else self.anchor(step.anchor)
        sure = tuple(obj for obj in selection.sure if obj is not anchor)
        maybe = {obj: looks for obj, looks in selection.maybe.items() if obj is not anchor}
        measured = {obj: self.measured(obj, step.quantity, anchor) for obj in (*sure, *maybe)}
        ratio = self.facts.settings.ratio
        rivals = [obj for obj in measured if not surpassed(obj, measured, sure, ratio, step.least)]
        if not selection.closure.complete:
            raise look_on(step.objects, selection.closure)
        open_ones = {obj: maybe[obj] for obj in rivals if obj in maybe}
        if open_ones and not (self.facts.exhausted and sure):
            raise look_closer(Selection(sure, open_ones, selection.closing))
        unsure = [obj for obj in rivals if noise(self.facts, obj) > 0.0]
        if len(rivals) > 1 and unsure:
            raise NotSeen(closer_text(unsure[0]), tuple(closer(obj, step.quantity) for obj in unsure))
        return tuple(obj for obj in rivals if obj in sure)

    def _heaviest(self, step: steps.Most, selection: Selection) -> tuple[SeenObject, ...]:
        if not feels(self.facts):
            raise CannotTell(f"I cannot see which is {'lighter' if step.least else 'heavier'}.")
        found, looks, sure = heaviest(self.facts, selection.sure, tuple(selection.maybe), step.least)
        if not selection.closure.complete:
            gap = look_on(step.objects, selection.closure)
            raise NotSeen(gap.text, (*gap.look_for, *looks))
        open_ones = {obj: selection.maybe[obj] for obj in found if obj in selection.maybe}
        if open_ones and not (self.facts.exhausted and selection.sure):
            raise look_closer(Selection(selection.sure, open_ones, selection.closing))
        if looks:
            raise NotSeen(heavy_text(looks), looks)
        self.certainty = min(self.certainty, sure)
        return tuple(obj for obj in found if obj in selection.sure)

    def measured(self, obj: SeenObject, quantity: str, anchor: SeenObject | None = None) -> tuple[float, float]:
        """Least and largest value that a quantity of an object can have; of ``distance``, that to an anchor or the
        asker.

        Raises:
            CannotTell: it cannot be seen.
        """
        if quantity == "mass":
            raise CannotTell("I cannot see how heavy things are.")
        off = 2.0 * noise(self.facts, obj)
        if quantity == "distance":
            spot = anchor if anchor is not None else SeenObject(0, "", self.asker(), self.asker())
            value = gap(obj, spot)
            return max(0.0, value - off), value + off
        return span_of_measure(obj, quantity, off)
