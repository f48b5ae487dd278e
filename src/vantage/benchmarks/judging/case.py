"""What a judge is given: one answer, the gold data, and what was seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.types import Answer, TruthQuestion


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
    """

    truth: TruthQuestion
    answer: Answer | None
    visible: float | None = None
    question: str = ""
    phase: str = ""
    frames: Callable[[], Sequence[NDArray[np.uint8]]] = tuple
    goal_image: Callable[[], NDArray[np.uint8] | None] = lambda: None
