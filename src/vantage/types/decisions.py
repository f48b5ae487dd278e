"""What agents decide: answers with verdicts and evidence, motions, or that they are done; and what they mean to do."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from vantage.goals import Errand, Goal, Ruling
from vantage.spatial import Viewpoint
from vantage.types.commands import Command
from vantage.types.episodes import Key, Phase
from vantage.types.observations import Point


class Verdict(IntEnum):
    """What an answer is. Values equal those of Answer.msg."""

    ANSWERED = 0
    CORRECTED = 1
    UNANSWERABLE = 2
    NEEDS_CONFIRMATION = 3
    NEEDS_LOOK = 4
    NEEDS_MODEL = 5


class NoiseType(IntEnum):
    """What is wrong with a premise (NoisyEQA, section 3). Values equal those of NoiseReport.msg."""

    NONE = 0
    LATENT = 1
    COLOR = 2
    MATERIAL = 3
    COUNT = 4
    POSITION = 5
    SHAPE = 6
    PERCEPTION = 7
    SEMANTIC = 8
    UNKNOWN = 9


@dataclass(frozen=True)
class NoiseReport:
    """What is wrong with a question's premise, and what would be right."""

    noise_type: NoiseType = NoiseType.NONE
    false_claim: str = ""
    correction: str = ""
    corrected_question: str = ""
    confidence: float = 0.0
    explanation: str = ""


@dataclass(frozen=True)
class Evidence:
    """A frame that supports an answer."""

    stamp: int
    viewpoint: Viewpoint


@dataclass(frozen=True)
class Answer:
    """What an agent says to one question.

    Attributes:
        goal: of a task in words, what it was taken to ask for.
        ruling: of a guard on that goal; None where nobody ruled. A goal that is held back is not in the text.
        reply: what a model said word by word, where the text says something else.
        thinking: what the model thought before, where it tells.
        errand: of a task that was carried out, what became of it.
    """

    question_id: str
    text: str
    verdict: Verdict
    confidence: float
    noise: NoiseReport = field(default_factory=NoiseReport)
    evidence: tuple[Evidence, ...] = ()
    perception: str = ""
    model: str = ""
    phase: str = Phase.ANSWER.value
    goal: Goal = field(default_factory=Goal)
    ruling: Ruling | None = None
    reply: str = ""
    thinking: str = ""
    errand: Errand | None = None

    @property
    def key(self) -> Key:
        return self.phase, self.question_id


@dataclass(frozen=True)
class Done:
    """An agent's word that it has nothing more to do in a phase that asks no question. It costs no step."""


Decision = Command | Answer | Done  # what an agent returns


@dataclass(frozen=True)
class Participation:
    """Who a person is that decides as an agent, and how long she thought about her newest decision.

    Attributes:
        pseudonym: drawn at random; never a name.
        consent_sha256: of the text that she agreed to, in UTF-8, as hexadecimal digits.
        mode: whose words she was shown, or ``replay``: those of ``plain``, and her own exploration again.
        client_id: of her browser, drawn at random.
        thinking_time: s, from when the picture was shown until she decided; 0 before the first decision.
    """

    pseudonym: str
    consent_sha256: str
    mode: str
    client_id: str
    thinking_time: float = 0.0


@dataclass(frozen=True)
class SearchView:
    """What a planner has in mind, for people to watch: where it means to go and what it looks at.

    Attributes:
        path: viewpoints that it means to take, the present one first.
        targets: points that it wants to see, world frame, m.
        doing: in words.
        worth: of the view that it goes for, in unknown voxels weighted by how much the question cares about them.
        known: share of the space that it has seen, 0..1.
    """

    path: tuple[Viewpoint, ...] = ()
    targets: tuple[Point, ...] = ()
    doing: str = ""
    worth: float = 0.0
    known: float = 0.0
