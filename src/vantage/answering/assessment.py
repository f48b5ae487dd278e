"""What can be said about a question at one moment, and what would have to be looked at to say more."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from vantage.perception.map.observed_scene import Place
from vantage.types import Answer, Evidence, NoiseReport, NoiseType, Point, Question, Verdict


class LookAt(str, Enum):
    """What kind of look would help."""

    OBJECT = "object"  # a thing that was noticed but not made out: go nearer
    WHOLE = "whole"  # a thing that the image border cut off: turn towards it
    SURFACE = "surface"  # the unseen part of a known support, or unseen space around a known thing
    LABEL = "label"  # a thing or room that has not been found yet
    ANYWHERE = "anywhere"  # whatever was not seen yet, within a room where there are points


@dataclass(frozen=True)
class LookFor:
    """One thing worth looking at next.

    Attributes:
        label: of the object or support; with ``ANYWHERE``, of what may turn up.
        instance_id: of an observed object or support, 0 where it has not been found.
        points: where to look, world frame, m; empty where nobody knows.
        closeness: from how near, m; 0 where any distance will do from which small things are made out.
        left: share of a place that was not seen, 0..1.
        place: whose unseen part it is, None where it is none beside a thing.
    """

    what: LookAt
    label: str
    instance_id: int = 0
    points: tuple[Point, ...] = ()
    closeness: float = 0.0
    left: float = 1.0
    place: Place | None = None


@dataclass(frozen=True)
class Assessment:
    """The state of a question.

    Attributes:
        answer: the bare answer ("blue", "2", "yes", "on the table"), empty when there is none.
        text: what to say; see ``vantage.answering.engine`` for its format.
        confidence: that the verdict and the answer are right, 0..1.
        evidence: frames that show it.
        look_for: what to look at to become more certain, most useful first.
    """

    text: str
    verdict: Verdict
    confidence: float
    answer: str = ""
    noise: NoiseReport = field(default_factory=NoiseReport)
    evidence: tuple[Evidence, ...] = ()
    look_for: tuple[LookFor, ...] = ()


def needs_look(text: str, *look_for: LookFor, confidence: float = 0.0) -> Assessment:
    """Undecided until more is seen."""
    noise = NoiseReport(noise_type=NoiseType.UNKNOWN, explanation=text)
    return Assessment(text, Verdict.NEEDS_LOOK, confidence, noise=noise, look_for=look_for)


def as_answer(question: Question, found: Assessment, perception: str, model: str) -> Answer:
    """What is told of an assessment; ``perception`` and ``model`` are the names of who saw and who reasoned."""
    return Answer(
        question_id=question.question_id,
        text=found.text,
        verdict=found.verdict,
        confidence=found.confidence,
        noise=found.noise,
        evidence=found.evidence,
        perception=perception,
        model=model,
        phase=question.phase,
    )


NOT_UNDERSTOOD = Assessment(
    "I did not understand the question; a language model is needed to answer it.",
    Verdict.NEEDS_MODEL,
    0.0,
    noise=NoiseReport(noise_type=NoiseType.UNKNOWN, explanation="the question was not understood"),
)
