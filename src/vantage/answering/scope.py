"""Which observed things a question speaks of, and whether enough was seen to say that there are no others."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from vantage.answering.assessment import LookAt, LookFor
from vantage.perception.coverage import CoverageMap
from vantage.perception.inspection import Inspection
from vantage.perception.memory import ObservedObject, ObservedScene
from vantage.questions.parsed import ParsedQuestion
from vantage.questions.synonyms import canonical, loosely

_MOSTLY = 0.5  # share of a place that must be seen, when the search can show no more of it
_BESIDE = 0.3  # m beside a support within which a thing without known place may still belong to it


@dataclass(frozen=True)
class Candidate:
    """A thing with the right label.

    Attributes:
        there: it is at the named place: True, False, or None while that is not known.
        wrong: aspects (``color``, ``material``) in which it differs from the description.
        unclear: aspects of the description that were not made out yet.
    """

    thing: ObservedObject
    there: bool | None
    wrong: tuple[str, ...]
    unclear: tuple[str, ...]

    @property
    def fits(self) -> bool:
        return not self.wrong and not self.unclear


class Scope:
    """A question against what was seen.

    ``exhausted`` says that all reachable space has been looked at: only then may "not seen" become "not there" in
    places that could not be looked at completely.
    """

    def __init__(
        self, question: ParsedQuestion, memory: ObservedScene, coverage: CoverageMap | None, exhausted: bool
    ) -> None:
        self.question = question
        self.memory = memory
        self.coverage = coverage
        self.exhausted = exhausted

    def _labelled(self, label: str, loose: bool) -> list[ObservedObject]:
        """Things with a label or, where ``loose`` and there are none, with a label that people confuse with it."""
        exact = [thing for thing in self.memory.objects if canonical(thing.label) == label]
        if exact or not loose:
            return exact
        others = loosely(label)
        return [thing for thing in self.memory.objects if canonical(thing.label) in others]

    @cached_property
    def supports(self) -> list[ObservedObject]:
        """The observed things that the named place can mean."""
        place = self.question.place
        if place is None:
            return []
        found = self._labelled(place.label, self.exhausted)
        described = [
            thing
            for thing in found
            if place.color in ("", thing.color or place.color)
            and place.material in ("", thing.material or place.material)
        ]
        return described or found

    @cached_property
    def inspections(self) -> list[Inspection]:
        """How well each of the supports was looked at; a floor never counts as seen completely."""
        return [
            Inspection(0.0, 0.0, ())
            if canonical(support.label) == "floor"
            else self.memory.inspection_of(support, self.coverage)
            for support in self.supports
        ]

    @property
    def closed(self) -> bool:
        """The question is about the inside of something closed."""
        place = self.question.place
        inside = place is not None and place.relation == "in"
        return inside and bool(self.supports) and all(thing.box.is_closed_container for thing in self.supports)

    @property
    def seen(self) -> float:
        """Share of the named place that was looked at, 0..1; 0 for the whole room."""
        return min((inspection.seen for inspection in self.inspections), default=0.0)

    @property
    def inspected(self) -> bool:
        """Each place that may be meant was looked at completely."""
        return bool(self.inspections) and all(inspection.complete for inspection in self.inspections)

    @property
    def complete(self) -> bool:
        """Whether what was not seen may be called absent: where space is mapped, never of a place mostly unseen."""
        if not self.exhausted or self.coverage is None or not self.supports:
            return self.exhausted or self.inspected
        on_floor = self.question.place is not None and self.question.place.label == "floor"
        return self.inspected or on_floor or self.seen >= _MOSTLY

    @cached_property
    def candidates(self) -> list[Candidate]:
        """All observed things with the label asked for."""
        subject = self.question.subject
        found = []
        for thing in self._labelled(subject.label, self.exhausted or self.question.place is not None):
            wrong, unclear = [], []
            for aspect, claimed, actual in (
                ("color", subject.color, thing.color),
                ("material", subject.material, thing.material),
            ):
                if claimed and not actual:
                    unclear.append(aspect)
                elif claimed and actual != claimed:
                    wrong.append(aspect)
            found.append(Candidate(thing, self._is_there(thing), tuple(wrong), tuple(unclear)))
        return found

    def _is_there(self, thing: ObservedObject) -> bool | None:
        if self.question.place is None:
            return True
        keys = {
            support.instance_id: {self.question.place.relation} if support.box.is_closed_container else {"on", "in"}
            for support in self.supports
        }
        floor = self.question.place.label == "floor"
        first = self.memory.support_of(thing)
        if first is None or (first.guess and not self.exhausted):
            return self._may_be_there(thing)
        at: ObservedObject | None = thing
        for _ in range(8):  # an apple in a bowl on a table is on the table
            placement = self.memory.support_of(at) if at is not None else None
            if placement is None:
                break
            on_floor = floor and at is thing and placement.support == "floor"
            if on_floor or placement.relation in keys.get(placement.key, ()):
                return True
            at = self.memory.get(placement.key)
        return False

    def _may_be_there(self, thing: ObservedObject) -> bool | None:
        """Of a thing whose support is not known: None when it is over or beside the place, else False."""
        x, y, _ = thing.center
        return None if any(support.box.covers(x, y, _BESIDE) for support in self.supports) else False

    def look_at_place(self) -> tuple[LookFor, ...]:
        """Where the things asked about could still be."""
        place = self.question.place
        if place is None or place.label == "floor":
            return (self.look_anywhere(),)
        if not self.supports:
            return (LookFor(LookAt.LABEL, place.label),)
        return tuple(
            LookFor(LookAt.SURFACE, support.label, support.instance_id, inspection.unseen or (support.center,))
            for support, inspection in zip(self.supports, self.inspections, strict=True)
            if not inspection.complete
        )

    def look_anywhere(self) -> LookFor:
        """Whatever was not seen yet."""
        return LookFor(LookAt.ANYWHERE, self.question.subject.label)
