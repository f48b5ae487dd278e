"""Answers from the observed scene: a program is run on what was seen, with three values: yes, no and not known yet.

What was not seen is absent only where seeing was complete (``closing``). A description that fits nothing is put right
where one wrong condition explains that (``premises``); the answer is then that to the corrected question. Where several
things may be meant and would be answered differently, the question back is which.
"""

from __future__ import annotations

from dataclasses import replace

from vantage.answering import confidence, wording
from vantage.answering.answers import Finding, absence
from vantage.answering.assessment import NOT_UNDERSTOOD, Assessment, LookAt, LookFor, needs_look
from vantage.answering.attributes import name_of
from vantage.answering.descriptions import descriptions, inner_steps, subject, substituted
from vantage.answering.evaluation import Evaluation
from vantage.answering.evidence import frames_of
from vantage.answering.looks import closer, closer_text
from vantage.answering.premises import Correction, Unclear, correct
from vantage.answering.relating import noise
from vantage.answering.sets import CannotTell, Closure, Missing, NotSeen, Several
from vantage.answering.settling import Bindings, Miscounted, Settling
from vantage.answering.sight import Sight, Thing
from vantage.config import RelationSettings
from vantage.perception.coverage import CoverageMap
from vantage.perception.memory import ObservedScene
from vantage.questions import programs as steps
from vantage.questions.inflection import number_word, with_article
from vantage.questions.parsed import ParsedQuestion
from vantage.types import NoiseReport, NoiseType, Verdict


class SymbolicReasoner:
    """Everything it knows is in its arguments; it only keeps what it worked out for the last state of a memory."""

    name = "symbolic"

    def __init__(self, settings: RelationSettings | None = None) -> None:
        self._settings = settings or RelationSettings()
        self._state: tuple[object, ...] = ()
        self._sights: dict[bool, Sight] = {}
        self._assessed: dict[tuple[ParsedQuestion, bool], Assessment] = {}

    def assess(
        self,
        question: ParsedQuestion | None,
        memory: ObservedScene,
        coverage: CoverageMap | None = None,
        exhausted: bool = False,
        unprinted: frozenset[int] = frozenset(),
        unreadable: str = "",
    ) -> Assessment:
        """What can be said about a question now.

        Args:
            question: None when it was not understood.
            coverage: makes "looked at completely" strict; without it, a support seen clear of the image border counts
                as known up to its edges.
            exhausted: all reachable space has been looked at.
            unprinted: keys of things that were looked at from near enough and bear no print.
            unreadable: why print cannot be read, in a sentence; empty when it can.
        """
        if question is None:
            return NOT_UNDERSTOOD
        state = (memory.frames, memory.objects, memory, coverage, unprinted, unreadable)
        if state != self._state:
            self._state = state
            self._sights.clear()
            self._assessed.clear()
        if exhausted not in self._sights:
            self._sights[exhausted] = Sight(memory, coverage, exhausted, self._settings, unprinted, unreadable)
        case = question, exhausted
        if case not in self._assessed:
            self._assessed[case] = _Case(Settling(question.program, question.number, self._sights[exhausted])).assess()
        return self._assessed[case]


class _Case:
    def __init__(self, settling: Settling) -> None:
        self.settling, self.program, self.sight = settling, settling.program, settling.sight

    def assess(self) -> Assessment:
        try:
            return self._assess()
        except NotSeen as gap:
            return needs_look(gap.text, *gap.look_for)
        except CannotTell as gap:
            return Assessment(str(gap), Verdict.UNANSWERABLE, confidence.CLOSED_REMAIN)
        except (Several, Unclear) as gap:
            unsure = [thing for thing in gap.options if noise(self.sight, thing) > 0.0]
            if unsure:  # a better look may leave one of them
                return needs_look(closer_text(unsure[0]), *(closer(thing) for thing in unsure))
            return self._ask_back(gap)

    def _ask_back(self, gap: Several | Unclear) -> Assessment:
        if isinstance(gap, Several):
            name = wording.phrase(gap.step.things).words()
            return self._which(f"which {name} do you mean", gap.options, NoiseReport())
        text = f"I see no {wording.phrase(gap.step.things).words()}; did you mean"
        report = NoiseReport(gap.noise, confidence=confidence.ASKING_BACK, explanation=text)
        return self._which(text, gap.options, report)

    def _assess(self) -> Assessment:
        try:
            return _answered(self.settling.find())
        except Miscounted as gap:
            return self._miscounted(gap)
        except Missing as gap:
            return self._without_premise(gap)

    def _without_premise(self, gap: Missing) -> Assessment:
        """Nothing fits a description: it is put right, or one that it is part of, or its thing is not there."""
        around = [each for each in reversed(descriptions(self.program)) if gap.step in inner_steps(each)]
        for step in sorted(around, key=lambda each: each != gap.step):
            found = self._corrections(step, gap)
            if len({correction.explanation for correction, _ in found}) > 1:
                raise Unclear(
                    step, tuple(dict.fromkeys(thing for correction, _ in found for thing in correction.things))
                )
            if found:
                try:
                    return self._corrected(step, *found[0], gap.closure)
                except (Missing, Miscounted):
                    break
        if isinstance(self.program, (steps.Exist, steps.Count)):
            return _answered(self._none_of(self.program, gap))
        return self._latent(around[-1] if around else gap.step, gap)

    def _corrections(self, step: steps.One, gap: Missing) -> list[tuple[Correction, Bindings]]:
        """How a description can be put right, for each choice of what other ones are taken for."""
        found = ((correct(step, Evaluation(self.sight, True, choice)), choice) for choice in gap.choices)
        return [(correction, choice) for correction, choice in found if correction is not None]

    def _none_of(self, program: steps.Exist | steps.Count, gap: Missing) -> Finding:
        """Where there is no table, there is nothing on it."""
        word = "no" if isinstance(program, steps.Exist) else "0"
        return Finding(word, self._absence(program.things, gap), (), gap.closure.confidence, absent=True)

    def _absence(self, step: steps.Things, gap: Missing) -> str:
        if step == gap.step.things:
            return absence(step, gap.closure)
        anchor = wording.phrase(gap.step.things).words()
        return f"there is no {wording.phrase(step).words()}; I have seen no {anchor} in all the space I could reach"

    def _latent(self, step: steps.One, gap: Missing) -> Assessment:
        phrase = wording.phrase(step.things)
        sure = gap.closure.confidence
        look_for: tuple[LookFor, ...] = ()
        if not self.sight.exhausted:
            sure, look_for = min(sure, confidence.ELSEWHERE_OPEN), (LookFor(LookAt.ANYWHERE, phrase.noun),)
        text = wording.finished(self._absence(step.things, gap), "")
        claim = f"there is {with_article(phrase.words())}"
        report = NoiseReport(NoiseType.LATENT, claim, f"there is no {phrase.words()}", "", sure, text)
        support = () if gap.closure.support is None else (gap.closure.support,)
        return Assessment(text, Verdict.UNANSWERABLE, sure, "", report, frames_of(support), look_for)

    def _miscounted(self, gap: Miscounted) -> Assessment:
        claimed, number, things = self.settling.number or 0, len(gap.things), gap.step.things
        false_claim = f"there {wording.be(claimed)} {wording.counted(claimed, things)}"
        right = f"there {wording.be(number)} {wording.counted(number, things)}"
        explanation = f"{right}, not {number_word(claimed)}"
        found = Correction(NoiseType.COUNT, false_claim, right, explanation, gap.things, gap.step)
        try:
            return self._corrected(gap.step, found, {}, gap.closure)
        except Missing as other:  # something else that the question speaks of is not there
            return self._without_premise(other)

    def _corrected(self, step: steps.One, found: Correction, choice: Bindings, closure: Closure) -> Assessment:
        """The answer to the corrected question, with the correction in front of it."""
        if step == subject(self.program):
            finding = self.settling.about_all(step, found.things, choice)
        else:
            finding = self.settling.settle(True, {**choice, step: found.things[0]})
        number = len(found.things) if step == subject(self.program) else 1
        question = wording.question(substituted(self.program, step, found.step), number)
        report = NoiseReport(
            found.noise, found.false_claim, found.correction, question, closure.confidence, found.explanation
        )
        told = _answered(replace(finding, explanation=found.explanation))
        return replace(
            told, verdict=Verdict.CORRECTED, noise=report, confidence=min(closure.confidence, finding.confidence)
        )

    def _which(self, text: str, options: tuple[Thing, ...], report: NoiseReport) -> Assessment:
        names = [name_of(self.sight, thing) for thing in options]
        if len(set(names)) < len(names):
            rooms = [self.sight.room_of(thing) for thing in options]
            names = [f"{n} in the {r.label}" if r and r.label else n for n, r in zip(names, rooms, strict=True)]
        mark = "," if text.endswith("did you mean") else ":"
        text = f"{text}{'' if mark == ',' else mark} {wording.listed(names)}?"
        text = text[0].upper() + text[1:]
        if report.explanation:
            report = replace(report, explanation=text)
        return Assessment(text, Verdict.NEEDS_CONFIRMATION, confidence.ASKING_BACK, "", report, frames_of(options))


def _answered(found: Finding) -> Assessment:
    text = wording.finished(found.explanation, found.answer)
    evidence = frames_of(found.things)
    return Assessment(
        text, Verdict.ANSWERED, found.confidence, found.answer, evidence=evidence, look_for=found.look_for
    )
