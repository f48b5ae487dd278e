"""The protocol of question answering, kept by the embedded reasoner, by models and by calibrated answering.

An ``Assessment`` says what can be answered now and which views would settle the rest. ``Mode`` says how premises are
treated: NoisyEQA's three ways to answer (arXiv 2412.10726, section 4), as steps that are taken.

``plain`` is the control: it trusts every premise. Where nothing fits a description it takes what fits most of it, and
answers as if nothing were wrong. It looks around, and looks on, as the others do.

``nap`` checks the question once against what was seen. It notices when nothing fits a description as it is worded, puts
one wrong attribute, place or number right, asks back where several objects may be meant, and says what is not there.

``nacot`` goes step by step. Do all named objects exist? Do the attributes agree, also where two of them are wrong at
once? By looks, function and meaning, is there something that must be meant instead? Then come the explanation and the
answer.

The modes differ in nothing but these steps.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from vantage.errors import UnknownNameError
from vantage.perception import Perceiver
from vantage.perception.map import CoverageMap, ObservedScene, Place
from vantage.registry import did_you_mean
from vantage.types import (
    Answer,
    Detection,
    Evidence,
    NoiseReport,
    NoiseType,
    Observation,
    Point,
    Question,
    StepResult,
    Verdict,
)


@dataclass(frozen=True)
class Mode:
    """The steps of one way.

    Attributes:
        checks: premises are checked at all.
        most_together: conditions of one description that are found to be wrong at once.
        substitutes: an object that is not there may be another one that looks alike or is related.
    """

    name: str
    checks: bool
    most_together: int
    substitutes: bool


PLAIN = Mode("plain", checks=False, most_together=0, substitutes=False)
NAP = Mode("nap", checks=True, most_together=1, substitutes=False)
NACOT = Mode("nacot", checks=True, most_together=2, substitutes=True)
MODES = {mode.name: mode for mode in (PLAIN, NAP, NACOT)}


def mode_of(name: str) -> Mode:
    """The mode of a name.

    Raises:
        UnknownNameError: there is none.
    """
    if name not in MODES:
        raise UnknownNameError(f"unknown mode '{name}'{did_you_mean(name, list(MODES))}")
    return MODES[name]


class LookAt(str, Enum):
    """What kind of look would help."""

    OBJECT = "object"  # an object that was noticed but not made out: go nearer
    SIDES = "sides"  # an object whose print may be on any side: look at each of them from near
    WHOLE = "whole"  # an object that the image border cut off: turn towards it
    SURFACE = "surface"  # the unseen part of a known support, or unseen space around a known object
    OPEN = "open"  # a closed container whose inside would decide: open it, and look into it
    WEIGH = "weigh"  # an object whose weight would decide: lift it
    LABEL = "label"  # an object or room that has not been found yet
    ANYWHERE = "anywhere"  # whatever was not seen yet, within a room where there are points


@dataclass(frozen=True)
class LookFor:
    """One object worth looking at next.

    Attributes:
        label: of the object or support; with ``ANYWHERE``, of what may turn up.
        instance_id: of an observed object or support, 0 where it has not been found.
        points: where to look, world frame, m; empty where nobody knows.
        closeness: from how near, m; 0 where any distance will do from which small objects are made out.
        extents: of the object that fills the space around its point, m; zeros for others.
        left: share of a place that was not seen, 0..1.
        place: whose unseen part it is, None where it is none beside an object.
    """

    what: LookAt
    label: str
    instance_id: int = 0
    points: tuple[Point, ...] = ()
    closeness: float = 0.0
    extents: Point = (0.0, 0.0, 0.0)
    left: float = 1.0
    place: Place | None = None

    @property
    def is_lost(self) -> bool:
        """Whether something has to be found of which nobody knows where it is."""
        return self.what in (LookAt.LABEL, LookAt.ANYWHERE)


@dataclass(frozen=True)
class Basis:
    """An object that one look must show for an answer to be read off it, as far as it was seen.

    Attributes:
        bounds_min, bounds_max: world frame, m.
        top: nothing of a kind is on it, so that all of its top has to be seen.
        among: things on it are counted or compared, so that most of its top has to be seen.
        attribute: that is told of it, such as ``state``; empty where it is enough to recognise it.
    """

    instance_id: int
    label: str
    bounds_min: Point
    bounds_max: Point
    top: bool = False
    attribute: str = ""
    among: bool = False


@dataclass(frozen=True)
class Assessment:
    """The state of a question.

    Attributes:
        answer: the bare answer ("blue", "2", "yes", "on the table"), empty when there is none.
        text: what to say; see ``vantage.answering.engine`` for its format.
        confidence: that the verdict and the answer are right, 0..1.
        evidence: frames that show it.
        look_for: what to look at to become more certain, most useful first.
        rests_on: what one look must show for the answer to be read off it; empty where that is not known.
    """

    text: str
    verdict: Verdict
    confidence: float
    answer: str = ""
    noise: NoiseReport = field(default_factory=NoiseReport)
    evidence: tuple[Evidence, ...] = ()
    look_for: tuple[LookFor, ...] = ()
    rests_on: tuple[Basis, ...] = ()


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


class Answering(Protocol):
    """Takes in views and answers from them; never moves. Safe to call from several threads."""

    @property
    def perceiver(self) -> Perceiver:
        """Through which it sees."""
        ...

    @property
    def memory(self) -> ObservedScene:
        """Observed objects; read it from the thread that observes."""
        ...

    @property
    def coverage(self) -> CoverageMap | None:
        """What was seen free and filled; None before the first depth image."""
        ...

    def reset(self, bounds_min: Point | None = None, bounds_max: Point | None = None) -> None:
        """Forget everything; optionally for a place with other bounds."""
        ...

    def observe(self, observation: Observation) -> tuple[Detection, ...]:
        """Take in one view.

        Raises:
            VantageError: the perceiver cannot work with this observation.
        """
        ...

    def acted(self, result: StepResult) -> None:
        """Take in what became of a command of a robot with a hand, before the view after it is taken in."""
        ...

    def restored(self) -> None:
        """Take in that the place is as it was found: what was moved, opened or held is where and as it was."""
        ...

    def assess(self, text: str, exhausted: bool = False) -> Assessment:
        """Everything that can be said about a question now."""
        ...

    def ask(self, question: Question, exhausted: bool = False, last: bool = False) -> Answer:
        """The answer from memory; ``exhausted``: all was looked at, ``last``: no other look can be taken."""
        ...

    def confirm(self, question: Question, accept: bool) -> Answer:
        """What follows once a person has agreed to what ``ask`` proposed, or has not."""
        ...

    def check(self, text: str) -> tuple[bool, bool, NoiseReport]:
        """Whether a question was understood, whether its premises were verified, and what is wrong with them."""
        ...

    def look_for(self, text: str) -> tuple[LookFor, ...]:
        """What to look at to answer a question, most useful first; empty when nothing would help."""
        ...
