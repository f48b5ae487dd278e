"""Answers from the observed scene by rules, with three values: yes, no and not seen yet.

What was not seen is absent only where seeing was complete: on a support whose places were looked at (see
``vantage.perception.inspection``), or in a room whose reachable space is exhausted.

Confidence. Of a thing: that of ``ObservedObject.confidence`` (it grows with pixels and viewpoints). Of an absence on a
support with the share ``s`` of its places seen: 0.7 + 0.25 s once it was looked at completely, 0.5 + 0.35 s when only
the search is exhausted. Of an absence in the room: 0.9 when the search is exhausted, 0.8 when closed containers
remain; 0.6 while the named place was seen but the thing may still turn up elsewhere. Several findings: the least.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from vantage.answering import phrasing
from vantage.answering.assessment import NOT_UNDERSTOOD, Assessment, LookAt, LookFor, needs_look
from vantage.answering.scope import Candidate, Scope
from vantage.perception.coverage import CoverageMap
from vantage.perception.memory import ObservedObject, ObservedScene
from vantage.questions.kinds import QuestionKind
from vantage.questions.parsed import ParsedQuestion, Place, number_word
from vantage.types import Evidence, NoiseReport, NoiseType, Verdict

_KEPT_EVIDENCE = 3
_ELSEWHERE_OPEN = 0.6


class SymbolicReasoner:
    """Stateless; everything it knows is in its arguments."""

    name = "symbolic"

    def assess(
        self,
        question: ParsedQuestion | None,
        memory: ObservedScene,
        coverage: CoverageMap | None = None,
        exhausted: bool = False,
    ) -> Assessment:
        """What can be said about a question now.

        Args:
            question: None when it was not understood.
            coverage: makes "looked at completely" strict; without it, a support seen clear of the image border counts
                as known up to its edges.
            exhausted: all reachable space has been looked at.
        """
        if question is None:
            return NOT_UNDERSTOOD
        return _Case(Scope(question, memory, coverage, exhausted)).assess()


class _Case:
    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.question = scope.question
        self.subject = scope.question.subject
        self.memory = scope.memory
        self.place = "" if scope.question.place is None else f" {scope.question.place}"

    def assess(self) -> Assessment:
        if self.scope.closed:
            inside = phrasing.closed_ones(self.scope.supports)
            return needs_look(f"I cannot look into {inside}.")
        if self.question.kind is QuestionKind.EXISTENCE:
            return self._existence()
        if self.question.kind is QuestionKind.COUNT:
            return self._count()
        return self._described()

    # Existence and count take nothing for granted.

    def _existence(self) -> Assessment:
        found = [c.thing for c in self.scope.candidates if c.there and c.fits]
        if found:
            best = max(found, key=lambda thing: thing.confidence)
            return self._answered("yes", best.confidence, best.evidence)
        open_ones = self._undecided()
        if open_ones:
            return self._look_closer(open_ones)
        if not self.scope.complete:
            return self._look_at_place()
        text = phrasing.finished(self._absence(), "no")
        return Assessment(text, Verdict.ANSWERED, self._absent_confidence(), "no", evidence=self._place_evidence())

    def _count(self) -> Assessment:
        found = [c.thing for c in self.scope.candidates if c.there and c.fits]
        open_ones = self._undecided()
        if open_ones:
            return self._look_closer(open_ones)
        if not self.scope.complete:
            return self._look_at_place()
        confidence = min([self._absent_confidence(), *(thing.confidence for thing in found)])
        evidence = self._evidence(found) or self._place_evidence()
        if not self.question.proposed:
            return self._answered(str(len(found)), confidence, evidence)
        answer = "yes" if self.question.proposed == str(len(found)) else "no"
        number = len(found)
        noun = phrasing.description(replace(self.subject, label=self._noun(number)))
        amount = "no" if number == 0 else number_word(number)
        text = phrasing.finished(f"there {phrasing.be(number)} {amount} {noun}{self.place}", answer)
        return Assessment(text, Verdict.ANSWERED, confidence, answer, evidence=evidence)

    # Color, material and location take a thing for granted.

    def _described(self) -> Assessment:
        candidates = self.scope.candidates
        found = [c.thing for c in candidates if c.there and c.fits]
        several = self.subject.plural or self.subject.number is not None
        if found and not several:
            return self._answer_about(found)
        open_ones = self._undecided()
        if open_ones:
            return self._look_closer(open_ones)
        if not self.scope.complete:
            return self._look_at_place()
        if found and self.subject.number in (None, len(found)):
            return self._answer_about(found)
        if found:
            return self._miscounted(found)
        unclear = [c.thing for c in candidates if c.there is False and c.unclear and not c.wrong]
        if unclear and not self.scope.exhausted:
            return self._look_closer(unclear)
        misdescribed = [c for c in candidates if c.there]
        elsewhere = [c.thing for c in candidates if not c.there and c.fits]
        if misdescribed and elsewhere:
            return self._which([*(c.thing for c in misdescribed), *elsewhere], NoiseType.UNKNOWN)
        if misdescribed:
            return self._misdescribed(misdescribed)
        if elsewhere:
            return self._misplaced(elsewhere)
        return self._latent()

    def _miscounted(self, found: list[ObservedObject]) -> Assessment:
        claimed, number = self.subject.number or 0, len(found)
        false_claim = f"there {phrasing.be(claimed)} {phrasing.counted(claimed, self.subject.label)}{self.place}"
        correction = f"there {phrasing.be(number)} {phrasing.counted(number, self.subject.label)}{self.place}"
        explanation = f"{correction}, not {number_word(claimed)}"
        corrected = replace(self.subject, number=number, plural=number > 1)
        answer = self._answer_about(found)
        return self._corrected(
            answer, NoiseType.COUNT, false_claim, correction, explanation, replace(self.question, subject=corrected)
        )

    def _misdescribed(self, candidates: list[Candidate]) -> Assessment:
        wrong = candidates[0].wrong
        actual = {tuple(getattr(c.thing, aspect) for aspect in c.wrong) for c in candidates}
        if len(actual) > 1 or any(c.wrong != wrong for c in candidates):
            return self._which([c.thing for c in candidates], NoiseType.UNKNOWN)
        things = [c.thing for c in candidates]
        said, right, corrected = [], [], self.subject
        for aspect in wrong:
            value = getattr(things[0], aspect)
            made_of = "made of " if aspect == "material" else ""
            said.append(f"{made_of}{getattr(self.subject, aspect)}")
            right.append(f"{made_of}{value}")
            corrected = replace(corrected, color=value) if aspect == "color" else replace(corrected, material=value)
        name, verb = f"the {self._noun(len(things))}{self.place}", phrasing.be(len(things))
        noise = NoiseType.COLOR if "color" in wrong else NoiseType.MATERIAL
        return self._corrected(
            self._answer_about(things),
            noise,
            f"{name} {verb} {' and '.join(said)}",
            f"{name} {verb} {' and '.join(right)}",
            f"{name} {verb} {' and '.join(right)}, not {' and '.join(said)}",
            replace(self.question, subject=corrected),
        )

    def _misplaced(self, things: list[ObservedObject]) -> Assessment:
        wanted = len(things) if self.subject.plural else 1
        places = {phrasing.where(thing, self.memory, self.scope.exhausted) for thing in things}
        if len(things) > wanted or len(places) > 1:
            return self._which(things, NoiseType.POSITION)
        actual = places.pop()
        if not actual:
            return self._look_closer(things)
        relation, _, label = actual.partition(" the ")
        subject = replace(self.subject, label=self._noun(wanted))
        name, verb = f"the {phrasing.description(subject)}", phrasing.be(wanted)
        return self._corrected(
            self._answer_about(things),
            NoiseType.POSITION,
            f"{name} {verb}{self.place}",
            f"{name} {verb} {actual}",
            f"{name} {verb} {actual}, not{self.place}",
            replace(self.question, place=Place(relation, label)),
        )

    def _latent(self) -> Assessment:
        name = phrasing.description(self.subject)
        confidence = self._absent_confidence()
        look_for: tuple[LookFor, ...] = ()
        if not self.scope.exhausted:
            confidence, look_for = min(confidence, _ELSEWHERE_OPEN), (self.scope.look_anywhere(),)
        text = phrasing.finished(self._absence(), "")
        noise = NoiseReport(
            NoiseType.LATENT,
            f"there is {phrasing.a(name)}{self.place}",
            f"there is no {name}{self.place}",
            "",
            confidence,
            text,
        )
        evidence = self._place_evidence()
        return Assessment(text, Verdict.UNANSWERABLE, confidence, "", noise, evidence, look_for)

    # Answers.

    def _answer_about(self, things: list[ObservedObject]) -> Assessment:
        kind = self.question.kind
        if kind is QuestionKind.LOCATION:
            values = [phrasing.where(thing, self.memory, self.scope.exhausted) for thing in things]
        else:
            values = [thing.color if kind is QuestionKind.COLOR else thing.material for thing in things]
        unclear = [thing for thing, value in zip(things, values, strict=True) if not value]
        if unclear and (len(unclear) == len(things) or not self.scope.exhausted):
            return self._look_closer(unclear)
        different = sorted({value for value in values if value})
        several = self.subject.plural or (self.subject.number or 1) > 1
        if len(different) > 1 and not several:
            return self._which(things, NoiseType.NONE)
        confidence = min(thing.confidence for thing in things) * (1.0 - len(unclear) / len(things))
        answer = phrasing.joined(different)
        if not self.question.proposed:
            return self._answered(answer, confidence, self._evidence(things))
        yes_no = "yes" if different == [self.question.proposed] else "no"
        made_of = "made of " if kind is QuestionKind.MATERIAL else ""
        name = f"the {self._noun(len(things))}{self.place}"
        text = phrasing.finished(f"{name} {phrasing.be(len(things))} {made_of}{answer}", yes_no)
        return Assessment(text, Verdict.ANSWERED, confidence, yes_no, evidence=self._evidence(things))

    def _corrected(
        self,
        found: Assessment,
        noise_type: NoiseType,
        false_claim: str,
        correction: str,
        explanation: str,
        question: ParsedQuestion,
    ) -> Assessment:
        """The answer to the corrected question, with the correction in front of it."""
        if found.verdict is not Verdict.ANSWERED:
            return found
        absent = self._absent_confidence()
        confidence = min(absent, found.confidence)
        corrected = phrasing.question(question.kind, question.subject, question.place)
        if question.proposed:
            corrected = ""  # a yes/no question has no plain wording here
        noise = NoiseReport(noise_type, false_claim, correction, corrected, absent, explanation)
        text = phrasing.finished(explanation, found.answer)
        return replace(found, text=text, verdict=Verdict.CORRECTED, confidence=confidence, noise=noise)

    def _answered(self, answer: str, confidence: float, evidence: tuple[Evidence, ...]) -> Assessment:
        return Assessment(answer, Verdict.ANSWERED, confidence, answer, evidence=evidence[:_KEPT_EVIDENCE])

    def _which(self, things: list[ObservedObject], noise_type: NoiseType) -> Assessment:
        name = phrasing.description(self.subject)
        noise = NoiseReport()
        text = f"I see more than one {name}; did you mean {phrasing.choices(things, self.memory)}?"
        if noise_type is not NoiseType.NONE:
            text = f"I see no {name}{self.place}; did you mean {phrasing.choices(things, self.memory)}?"
            noise = NoiseReport(noise_type, confidence=0.5, explanation=text)
        return Assessment(text, Verdict.NEEDS_CONFIRMATION, 0.5, "", noise, self._evidence(things))

    # What is still open.

    def _undecided(self) -> list[ObservedObject]:
        """Things that may be what is asked about, if one looked closer."""
        return [
            c.thing
            for c in self.scope.candidates
            if not c.wrong and not (c.there and c.fits) and (c.there or (c.there is None and not self.scope.exhausted))
        ]

    def _look_closer(self, things: Sequence[ObservedObject]) -> Assessment:
        first = max(things, key=lambda thing: thing.pixels)
        targets = [LookFor(LookAt.OBJECT, t.label, t.instance_id, (t.center,)) for t in [first, *things]]
        return needs_look(f"I have to look closer at the {first.label}.", *dict.fromkeys(targets))

    def _look_at_place(self) -> Assessment:
        place = self.question.place
        if place is None or place.label == "floor":
            text = f"I have not seen {phrasing.a(phrasing.description(self.subject))}{self.place} yet."
        elif not self.scope.supports:
            text = f"I have not seen the {place.label} yet."
        else:
            text = f"I have not seen all of the {place.label} yet."
        return needs_look(text, *self.scope.look_at_place())

    def _absence(self) -> str:
        """There is no such thing, and how far that was looked at."""
        place = self.question.place
        name = phrasing.description(self.subject)
        if place is not None and not self.scope.supports:
            return f"there is no {name}{self.place}; I have seen no {place.label} in all the space I could reach"
        if self.scope.inspected and place is not None:
            return f"there is no {name}{self.place}; I have seen all of it"
        closed = phrasing.closed_ones(self.memory.closed_containers())
        limits = f", but could not look into {closed}" if closed else ""
        if place is not None and place.label != "floor":
            return f"there is no {name}{self.place}, as far as I could see it ({self.scope.seen:.0%})"
        return f"there is no {name}{self.place}; I have seen all the space I could reach{limits}"

    def _absent_confidence(self) -> float:
        place = self.question.place
        if place is not None and self.scope.supports and place.label != "floor":
            seen = min(self.scope.seen, 1.0)
            return 0.7 + 0.25 * seen if self.scope.inspected else 0.5 + 0.35 * seen
        return 0.8 if self.memory.closed_containers() else 0.9

    def _place_evidence(self) -> tuple[Evidence, ...]:
        return self._evidence(self.scope.supports)

    def _evidence(self, things: Sequence[ObservedObject]) -> tuple[Evidence, ...]:
        """The best frame of each thing first."""
        ranks = max((len(thing.evidence) for thing in things), default=0)
        found = [thing.evidence[k] for k in range(ranks) for thing in things if k < len(thing.evidence)]
        return tuple(dict.fromkeys(found))[:_KEPT_EVIDENCE]

    def _noun(self, number: int) -> str:
        return self.subject.label if number == 1 else phrasing.plural(self.subject.label)
