"""What whoever chooses every action, a model or a person, is told of what came before."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from vantage.planning.agents.result_words import RESULT_WORDS
from vantage.types import Observation, StepResult


class RecentSteps:
    """The last pictures of an episode, the last action, and what became of it.

    Args:
        most: how many pictures are kept.

    Attributes:
        pictures: (H, W, 3) each, the newest last.
        action: by its name; "none" before the first one.
        result: in words; "none" before the first one.
    """

    def __init__(self, most: int) -> None:
        self.pictures: deque[NDArray[np.uint8]] = deque(maxlen=most)
        self._stamp = -1
        self.forget_action()

    def forget_action(self) -> None:
        """As when the world was put back since; the pictures are kept."""
        self.action, self.result = "none", "none"

    def saw(self, observation: Observation, last: StepResult | None) -> bool:
        """Take in an observation and the motion that led to it; false for one that is known already."""
        if observation.stamp == self._stamp:
            return False
        self._stamp = observation.stamp
        self.pictures.append(observation.rgb)
        if last is not None:
            self.action, self.result = last.command.action, RESULT_WORDS[last.status]
        return True
