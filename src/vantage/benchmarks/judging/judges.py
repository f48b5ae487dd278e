"""What a judge is given and what it says, and judges by the name that a command line or a node gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from vantage.registry import JUDGES
from vantage.types import Answer, TruthQuestion, ViewShortfall

if TYPE_CHECKING:
    from vantage.config import Settings


@dataclass(frozen=True)
class Case:
    """One answer to be marked.

    Attributes:
        truth: gold data of the question.
        answer: what the agent said; None where it said nothing.
        visible: largest visible fraction, over the evidence and the last frame, of the target seen least; None where
            no target has to be seen.
        question: in the words in which it was put; tells which denials are objections to it.
        phase: of the episode in which it was put.
        frames: reads the pictures of the evidence and of the last look, (H, W, 3) uint8 RGB each.
        goal_image: reads what the goal viewpoint shows, (H, W, 3) uint8 RGB; None where nothing does.
        end_answers: whether the last look of the phase alone answers the question; None where that was not recorded, or
            does not decide.
        end_shortfall: why it does not; None where it does, or where that was not recorded.
        end_image: reads that look, (H, W, 3) uint8 RGB; None where there is no picture of it.
    """

    truth: TruthQuestion
    answer: Answer | None
    visible: float | None = None
    question: str = ""
    phase: str = ""
    frames: Callable[[], Sequence[NDArray[np.uint8]]] = tuple
    goal_image: Callable[[], NDArray[np.uint8] | None] = lambda: None
    end_answers: bool | None = None
    end_shortfall: ViewShortfall | None = None
    end_image: Callable[[], NDArray[np.uint8] | None] = lambda: None


@dataclass(frozen=True)
class Judgement:
    """A mark and what it rests on.

    Attributes:
        score: 1..5.
        reason: in words.
        correct: the answer says what the gold answer says.
        shown: whether the look that counts shows what the question needs; None where nothing has to be seen, or where
            nobody can tell.
        detected, corrected: the false premise was recognised, and put right (noisy questions only).
        false_alarm: the premise of a clean question was called false.
        right: whether the words alone earn mark 5, whatever was seen; None where the judge does not mark them apart.
        shortfall: why the look that counts does not show what the question needs; None where it does or nobody can
            tell.
    """

    score: int
    reason: str
    correct: bool = False
    shown: bool | None = None
    detected: bool = False
    corrected: bool = False
    false_alarm: bool = False
    right: bool | None = None
    shortfall: ViewShortfall | None = None


class Judge(Protocol):
    """Marks one answer, 1 to 5."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str:
        """Marks of different versions do not compare."""
        ...

    def judge(self, case: Case) -> Judgement:
        """
        Raises:
            ModelError: there is no mark; why not, in words.
            RecordingError: what it needs was not recorded.
        """
        ...


@runtime_checkable
class EndJudge(Protocol):
    """A judge with another rule for benchmarks in which an answer counts only where the last look bears it out."""

    def by_end(self) -> Judge:
        """The judge by that rule; its marks are of another version."""
        ...


@runtime_checkable
class Rehearsed(Protocol):
    """A judge that sees whether it can mark at all before it is given anything, such as one that shows frames to a
    model (``CheckedModel.rehearse``)."""

    def rehearse(self) -> None:
        """
        Raises:
            ModelError: it cannot.
        """
        ...


def match_name(judge: str) -> str:
    """What a judge's mean mark over 0 to 100 is called: OpenEQA's LLM-Match only where a model compared the answers.

    Args:
        judge: its name, such as ``rules`` or ``model:openai:NAME``.
    """
    if judge.partition(":")[0] == "model":
        return "LLM-Match"
    return "rule match" if judge == "rules" else f"match by {judge}"


def make_judge(name: str, settings: Settings) -> Judge:
    """``rules``, ``model:openai:NAME``, or ``model`` for the model of ``agent.model``; rehearsed where it can be.

    Raises:
        UnknownNameError: no such judge.
        UsageError: no model is named.
        ModelError: it cannot mark, and says why.
    """
    kind, _, which = name.partition(":")
    judge: Judge = (
        JUDGES.create(kind, which or settings.agent.model, settings) if kind == "model" else JUDGES.create(name)
    )
    if isinstance(judge, Rehearsed):
        judge.rehearse()
    return judge
