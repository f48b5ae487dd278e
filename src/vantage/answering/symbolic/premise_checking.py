"""Premise checking: false premises of a question are detected, and corrected or refused.

``CheckedPremises`` answers, corrects the question, asks back or says that there is no answer. ``frames_of`` chooses the
frames to show: few, with each object that an answer rests on in one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from vantage.answering.protocol import Assessment, LookAt, LookFor, Mode, needs_look
from vantage.answering.symbolic import closed_world, confidence, wording
from vantage.answering.symbolic.answer_basis import basis_of
from vantage.answering.symbolic.answer_selection import AnswerSelection, Bindings, CountMismatch
from vantage.answering.symbolic.answers import Finding, absence, is_partial
from vantage.answering.symbolic.evaluation import Evaluation
from vantage.answering.symbolic.next_views import closer, closer_text, look_on
from vantage.answering.symbolic.observed_facts import SeenObject
from vantage.answering.symbolic.predicates import name_of, noise
from vantage.answering.symbolic.premise_correction import (
    LOOKS,
    AmbiguousSubstitute,
    Correction,
    correct,
    fitting_on_trust,
)
from vantage.answering.symbolic.substitutes import may_hold, substitute
from vantage.answering.symbolic.three_valued_sets import (
    AmbiguousReferent,
    CannotTell,
    Looks,
    NeedsReader,
    NoReferent,
    NotSeen,
    SearchCompleteness,
    Undecided,
)
from vantage.questions import descriptions, inner_steps, programs as steps, subject, substituted
from vantage.questions.lexicon import canonical, number_word, with_article
from vantage.types import Evidence, NoiseReport, NoiseType, Verdict

MOST_FRAMES = 3


def frames_of(objects: Sequence[SeenObject]) -> tuple[Evidence, ...]:
    """At most three frames.

    Frames that show the most objects not shown yet come first, of those the best ones of the objects named first;
    frames that are left show the first objects once more.
    """
    ranks = {(obj.key, frame): rank for obj in objects for rank, frame in enumerate(obj.evidence)}
    frames = list(dict.fromkeys(frame for obj in objects for frame in obj.evidence))
    open_ones = [obj for obj in objects if obj.evidence]
    chosen: list[Evidence] = []
    while open_ones and len(chosen) < MOST_FRAMES:
        best = min(frames, key=lambda frame: _worth(frame, open_ones, ranks))
        chosen.append(best)
        open_ones = [obj for obj in open_ones if (obj.key, best) not in ranks]
    return tuple(dict.fromkeys((*chosen, *frames)))[:MOST_FRAMES]


def _worth(
    frame: Evidence, objects: Sequence[SeenObject], ranks: dict[tuple[int, Evidence], int]
) -> tuple[int, int, int]:
    """Smaller for a frame that shows more objects, then one that shows an earlier object, then one that is better."""
    shown = [(place, ranks[obj.key, frame]) for place, obj in enumerate(objects) if (obj.key, frame) in ranks]
    return -len(shown), *min(shown, default=(len(objects), 0))


def answered(found: Finding) -> Assessment:
    """An answer without objection."""
    text = wording.finished(found.explanation, found.answer)
    evidence = frames_of(found.objects)
    return Assessment(
        text,
        Verdict.ANSWERED,
        found.confidence,
        found.answer,
        evidence=evidence,
        look_for=found.look_for,
        rests_on=basis_of(found.shown, found.absent, found.attribute, found.place),
    )


class CheckedPremises:
    """One question at one moment."""

    def __init__(self, settling: AnswerSelection, mode: Mode) -> None:
        self.settling, self.program, self.facts = settling, settling.program, settling.facts
        self.mode = mode

    def assess(self) -> Assessment:
        """What can be said now."""
        try:
            return self._assess()
        except NotSeen as gap:
            return self._misremembered() or needs_look(gap.text, *gap.look_for)
        except NeedsReader as gap:
            return Assessment(str(gap), Verdict.NEEDS_MODEL, 0.0)
        except CannotTell as gap:
            return Assessment(str(gap), Verdict.UNANSWERABLE, confidence.CLOSED_REMAIN)
        except (AmbiguousReferent, AmbiguousSubstitute) as gap:
            unsure = [obj for obj in gap.options if noise(self.facts, obj) > 0.0]
            if unsure:  # a better look may leave one of them
                return needs_look(closer_text(unsure[0]), *(closer(obj) for obj in unsure))
            return self._ask_back(gap)

    def _assess(self) -> Assessment:
        try:
            return answered(self.settling.find())
        except CountMismatch as gap:
            return self._miscounted(gap)
        except NoReferent as gap:
            return self._without_premise(gap)

    def _without_premise(self, gap: NoReferent) -> Assessment:
        """Nothing fits a description: it is put right, or one that it is part of, or its object is not there."""
        around = [each for each in reversed(descriptions(self.program)) if gap.step in inner_steps(each)]
        around.sort(key=lambda each: each != gap.step)
        found = self._on_trust(around, gap) or self._put_right(around, gap, self._correct)
        doubtful = not closed_world.outweighs(gap.closure)
        if found is not None and not (doubtful and found.noise.noise_type is NoiseType.POSITION):
            return found
        if isinstance(self.program, (steps.Exist, steps.Count)):
            return found or answered(self._none_of(self.program, gap))
        if doubtful:  # it may be where nobody looked
            raise look_on(gap.step.objects, replace(gap.closure, complete=False))
        if self.mode.substitutes:
            found = self._put_right(around, gap, lambda step, choice: self._substitute(step, choice, gap))
            if found is not None:
                return self._unless_elsewhere(found, gap)
        if isinstance(self.program, steps.VerifyRelation) and gap.step == self.program.one:
            return answered(self._not_there(self.program, gap))
        return self._latent(around[-1] if around else gap.step, gap)

    def _misremembered(self) -> Assessment | None:
        """At the end of a search, a correction of what is said of an object's own look, where all of its kind that were
        seen look otherwise: that one more is in what was not seen is less likely than a slip of memory."""
        for step in reversed(descriptions(self.program)) if self.facts.exhausted else ():
            closure = closed_world.likelier_than_another(self.facts, canonical(wording.phrase(step.objects).noun))
            try:
                fitting = Evaluation(self.facts, True)
                if closure is None or fitting.objects(step.objects).candidates:
                    continue
                found = correct(step, fitting, self.mode.most_together, self._claimed(step), LOOKS)
                if found is not None:
                    return self._corrected(step, found, {}, closure)
            except Undecided:
                continue
        return None

    def _on_trust(self, around: Sequence[steps.One], gap: NoReferent) -> Assessment | None:
        """The answer about what is all that was said of it, as far as anybody can tell; of several, all alike."""
        for step in around:
            for choice in gap.choices:
                claimed = self._claimed(step)
                objects = fitting_on_trust(step, Evaluation(self.facts, True, choice), claimed)
                if not objects or claimed not in (None, len(objects)):
                    continue
                taken = {**choice, step: objects[0]}
                try:
                    finding = self.settling.about_all(step, objects, choice)
                except (CountMismatch, CannotTell):
                    return None
                except NoReferent as other:  # something else that the question speaks of is not there
                    choices = tuple({**taken, **each} for each in other.choices)
                    return self._without_premise(NoReferent(other.step, other.closure, choices))
                if claimed is not None or len(self._answers(step, objects, choice)) == 1:
                    sure = confidence.of_objects((finding.confidence,), True, True)
                    return answered(replace(finding, confidence=sure))
        return None

    def _put_right(
        self, around: Sequence[steps.One], gap: NoReferent, way: Callable[[steps.One, Bindings], Correction | None]
    ) -> Assessment | None:
        """The first of some descriptions that can be put right in a way, for each choice of what other ones mean."""
        for step in around:
            try:
                tried = ((way(step, choice), choice) for choice in gap.choices)
                found = [(correction, choice) for correction, choice in tried if correction is not None]
                if len({correction.explanation for correction, _ in found}) > 1:
                    objects = dict.fromkeys(obj for correction, _ in found for obj in correction.objects)
                    raise AmbiguousSubstitute(step, tuple(objects))
                if found:
                    return self._corrected(step, *found[0], gap.closure)
            except (NoReferent, CountMismatch):  # something else that the question speaks of is not there either
                return None
        return None

    def _correct(self, step: steps.One, choice: Bindings) -> Correction | None:
        noun = canonical(wording.phrase(step.objects).noun)
        loose = closed_world.everywhere(self.facts, noun).complete  # else the exact kind may still turn up
        return correct(step, Evaluation(self.facts, loose, choice), self.mode.most_together, self._claimed(step))

    def _substitute(self, step: steps.One, choice: Bindings, gap: NoReferent) -> Correction | None:
        """What is there instead; where there are several of one kind and no number is claimed, they answer alike."""
        so_far = gap.closure.said if is_partial(gap.closure) else ""
        found = substitute(step, Evaluation(self.facts, True, choice), so_far)
        if found is not None and self._holds_objects(step) and not all(map(may_hold, found.objects)):
            return None
        if found is None or len(found.objects) == 1:
            return found
        if step == subject(self.program) and self.settling.number in (None, len(found.objects)):
            if self.settling.number is None and len(self._answers(step, found.objects, choice)) > 1:
                raise AmbiguousSubstitute(step, found.objects, found.noise)
            return found
        raise AmbiguousSubstitute(step, found.objects, found.noise)

    def _claimed(self, step: steps.One) -> int | None:
        """How many objects a description is said to mean; None where the question does not say."""
        return self.settling.number if step == subject(self.program) else None

    def _holds_objects(self, step: steps.One) -> bool:
        """Whether a description is that of an object in which the question says that others are."""
        related = (each for each in inner_steps(self.program) if isinstance(each, steps.Relate))
        return any(each.relation == "in" and each.anchor == step for each in related)

    def _answers(self, step: steps.One, objects: Sequence[SeenObject], choice: Bindings) -> set[str]:
        return {self.settling.settle(True, {**choice, step: obj}).answer for obj in objects}

    def _unless_elsewhere(self, found: Assessment, gap: NoReferent) -> Assessment:
        """What is at the claimed place need not be meant while the object itself may be somewhere else."""
        sure, looks = self._elsewhere(gap.step.objects)
        noun, fair = wording.phrase(gap.step.objects).noun, found.noise.noise_type is NoiseType.NONE
        if looks or not (fair or closed_world.nowhere_else(self.facts, canonical(noun))):
            looks = (LookFor(LookAt.ANYWHERE, noun),)
            sure = confidence.of_stand_in(self.facts.searched(canonical(noun)), fair)
        return replace(found, confidence=min(found.confidence, sure), look_for=(*found.look_for, *looks))

    def _elsewhere(self, objects: steps.ObjectSet) -> tuple[float, Looks]:
        """How sure it is at most that what is not at the claimed place is nowhere, and where else to look for it."""
        if self.facts.exhausted:
            return 1.0, ()
        noun = wording.phrase(objects).noun
        closure = closed_world.everywhere(self.facts, canonical(noun))
        if closure.complete:
            return closure.confidence, ()
        return confidence.ELSEWHERE_OPEN, (LookFor(LookAt.ANYWHERE, noun),)

    def _none_of(self, program: steps.Exist | steps.Count, gap: NoReferent) -> Finding:
        """Where there is no table, there is nothing on it."""
        word = "no" if isinstance(program, steps.Exist) else "0"
        return Finding(word, self._absence(program.objects, gap), (), gap.closure.confidence, absent=True)

    def _not_there(self, program: steps.VerifyRelation, gap: NoReferent) -> Finding:
        """What is nowhere is not at a certain place either."""
        return Finding("no", self._absence(gap.step.objects, gap), (), gap.closure.confidence, absent=True)

    def _absence(self, step: steps.ObjectSet, gap: NoReferent) -> str:
        if step == gap.step.objects:
            return absence(step, gap.closure)
        anchor = wording.phrase(gap.step.objects).words()
        return f"there is no {wording.phrase(step).words()}; I have seen no {anchor} in all the space I could reach"

    def _latent(self, step: steps.One, gap: NoReferent) -> Assessment:
        phrase = wording.phrase(step.objects)
        if gap.step != step and not self.facts.exhausted:  # the place that is claimed was not found yet
            noun = wording.phrase(gap.step.objects).noun
            missing = wording.indefinite(gap.step.objects)
            raise NotSeen(f"I have not seen {missing} yet.", (LookFor(LookAt.LABEL, noun),))
        sure, look_for = self._elsewhere(step.objects)
        sure = min(sure, gap.closure.confidence)
        text = wording.finished(self._absence(step.objects, gap), "")
        claim = f"there is {with_article(phrase.words())}"
        report = NoiseReport(NoiseType.LATENT, claim, f"there is no {phrase.words()}", "", sure, text)
        support = () if gap.closure.support is None else (gap.closure.support,)
        return Assessment(
            text, Verdict.UNANSWERABLE, sure, "", report, frames_of(support), look_for, basis_of(support, True)
        )

    def _miscounted(self, gap: CountMismatch) -> Assessment:
        claimed, number, objects = self.settling.number or 0, len(gap.objects), gap.step.objects
        false_claim = f"there {wording.be(claimed)} {wording.counted(claimed, objects)}"
        right = f"there {wording.be(number)} {wording.counted(number, objects)}"
        explanation = f"{right}, not {number_word(claimed)}"
        found = Correction(NoiseType.COUNT, false_claim, right, explanation, gap.objects, gap.step)
        try:
            return self._corrected(gap.step, found, {}, gap.closure)
        except NoReferent as other:  # something else that the question speaks of is not there
            return self._without_premise(other)

    def _corrected(
        self, step: steps.One, found: Correction, choice: Bindings, closure: SearchCompleteness
    ) -> Assessment:
        """The answer to the corrected question, with the correction in front of it."""
        try:
            if step == subject(self.program):
                finding = self.settling.about_all(step, found.objects, choice)
            else:
                finding = self.settling.settle(True, {**choice, step: found.objects[0]})
        except AmbiguousReferent as gap:
            raise AmbiguousSubstitute(step, gap.options, found.noise) from gap
        except (CannotTell, NotSeen) as gap:  # what is wrong is known all the same
            if found.noise is NoiseType.NONE or (isinstance(gap, NotSeen) and not self.facts.exhausted):
                raise
            finding = Finding("", str(gap), found.objects, confidence.CLOSED_REMAIN)
        number = len(found.objects) if step == subject(self.program) else 1
        question = wording.question(substituted(self.program, step, found.step), number)
        report = NoiseReport(
            found.noise, found.false_claim, found.correction, question, closure.confidence, found.explanation
        )
        if found.noise is NoiseType.NONE:  # what was meant has another usual name
            return answered(replace(finding, confidence=min(closure.confidence, finding.confidence)))
        explanation = found.explanation
        if not finding.answer:
            explanation = f"{wording.finished(explanation, '')} {wording.finished(finding.explanation, '')}"
        told = answered(replace(finding, explanation=explanation))
        return replace(
            told, verdict=Verdict.CORRECTED, noise=report, confidence=min(closure.confidence, finding.confidence)
        )

    def _ask_back(self, gap: AmbiguousReferent | AmbiguousSubstitute) -> Assessment:
        if isinstance(gap, AmbiguousReferent):
            name = wording.phrase(gap.step.objects).words()
            return self._which(f"which {name} do you mean", gap.options, NoiseReport())
        text = f"I see no {wording.phrase(gap.step.objects).words()}; did you mean"
        report = NoiseReport(gap.noise, confidence=confidence.ASKING_BACK, explanation=text)
        return replace(self._which(text, gap.options, report), look_for=self._elsewhere(gap.step.objects)[1])

    def _which(self, text: str, options: tuple[SeenObject, ...], report: NoiseReport) -> Assessment:
        names = [name_of(self.facts, obj) for obj in options]
        if len(set(names)) < len(names):
            rooms = [self.facts.room_of(obj) for obj in options]
            names = [f"{n} in the {r.label}" if r and r.label else n for n, r in zip(names, rooms, strict=True)]
        mark = "," if text.endswith("did you mean") else ":"
        text = f"{text}{'' if mark == ',' else mark} {wording.listed(names)}?"
        text = text[0].upper() + text[1:]
        if report.explanation:
            report = replace(report, explanation=text)
        return Assessment(text, Verdict.NEEDS_CONFIRMATION, confidence.ASKING_BACK, "", report, frames_of(options))
