"""Answers behind a calibration: given where they are sure enough, looked into further, or put to a person."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from vantage.answering.assessment import Assessment, LookFor
from vantage.answering.calibration import Calibration
from vantage.answering.protocol import Answering
from vantage.answering.vlm.verdicts import ANYWHERE
from vantage.perception.map.coverage import CoverageMap
from vantage.perception.map.observed_scene import ObservedScene
from vantage.perception.protocol import Perceiver
from vantage.types import Answer, Detection, NoiseReport, Observation, Point, Question, Verdict

SUFFIX = "+calibrated"  # of the name under which such answers are scored
_CLAIMS = (Verdict.ANSWERED, Verdict.CORRECTED, Verdict.UNANSWERABLE)
_Said = TypeVar("_Said", Assessment, Answer)


class CalibratedAnswering:
    """States confidences as they turned out to be. What is not sure enough asks for another look, and for a person's
    consent where no look is left; then the text still proposes the answer."""

    def __init__(self, inner: Answering, calibration: Calibration) -> None:
        self._inner, self._calibration = inner, calibration

    @property
    def perceiver(self) -> Perceiver:
        return self._inner.perceiver

    @property
    def memory(self) -> ObservedScene:
        return self._inner.memory

    @property
    def coverage(self) -> CoverageMap | None:
        return self._inner.coverage

    def reset(self, bounds_min: Point | None = None, bounds_max: Point | None = None) -> None:
        self._inner.reset(bounds_min, bounds_max)

    def observe(self, observation: Observation) -> tuple[Detection, ...]:
        return self._inner.observe(observation)

    def assess(self, text: str, exhausted: bool = False) -> Assessment:
        found = self._decided(self._inner.assess(text, exhausted), exhausted)
        if found.verdict is Verdict.NEEDS_LOOK and not found.look_for:
            return replace(found, look_for=ANYWHERE)
        return found

    def ask(self, question: Question, exhausted: bool = False, last: bool = False) -> Answer:
        answer = self._decided(self._inner.ask(question, exhausted, last), exhausted or last)
        return replace(answer, model=answer.model + SUFFIX)

    def confirm(self, question: Question, accept: bool) -> Answer:
        """A person settles what the calibration left open; who does not agree leaves it open."""
        answer = self._inner.confirm(question, accept)
        sure = self._calibration.calibrated(answer.confidence)
        answer = replace(answer, confidence=sure, model=answer.model + SUFFIX)
        if accept or answer.verdict is not Verdict.ANSWERED:
            return answer
        text = f"I am {sure:.0%} sure of an answer that was not confirmed."
        noise = NoiseReport(answer.noise.noise_type, explanation=text)
        return replace(answer, text=text, verdict=Verdict.NEEDS_LOOK, noise=noise)

    def check(self, text: str) -> tuple[bool, bool, NoiseReport]:
        found = self.assess(text)
        return found.verdict is not Verdict.NEEDS_MODEL, found.verdict is Verdict.ANSWERED, found.noise

    def look_for(self, text: str) -> tuple[LookFor, ...]:
        return self._inner.look_for(text) or self.assess(text).look_for

    def _decided(self, said: _Said, final: bool) -> _Said:
        """Claims are kept where only "it is right" remains."""
        if said.verdict not in _CLAIMS:
            return said
        certain = self._calibration.is_sure(said.confidence)
        sure = self._calibration.calibrated(said.confidence)
        said = replace(said, confidence=sure, noise=replace(said.noise, confidence=min(sure, said.noise.confidence)))
        if certain:
            return said
        verdict = Verdict.NEEDS_CONFIRMATION if final else Verdict.NEEDS_LOOK
        return replace(said, verdict=verdict, text=_doubted(said.text, sure, final))


def _doubted(text: str, sure: float, final: bool) -> str:
    """The proposal with how sure it is; a bare answer is marked as one."""
    doubt = f"I am only {sure:.0%} sure" + ("; please confirm." if final else ", so I look further.")
    proposal = text if "Answer:" in text or text.endswith(".") else f"Answer: {text}."
    return f"{doubt} {proposal}"
