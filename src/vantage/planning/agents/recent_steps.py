"""What whoever chooses every action, a model or a person, is told of what came before."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vantage.planning.agents.result_words import RESULT_WORDS
from vantage.types import Observation, StepResult

NONE = "none"  # told of what has not been yet


class RecentSteps:
    """The last pictures of an episode, and its actions with what became of them.

    Args:
        most: how many pictures are kept.

    Attributes:
        pictures: (H, W, 3) each, the newest last.
        history: each action by its name, with its result in words, the newest last.
    """

    def __init__(self, most: int) -> None:
        self.pictures: deque[NDArray[np.uint8]] = deque(maxlen=most)
        self._stamp = -1
        self.history: list[tuple[str, str]] = []

    @property
    def action(self) -> str:
        """The last action by its name; "none" before the first one."""
        return self.history[-1][0] if self.history else NONE

    @property
    def result(self) -> str:
        """Its result in words; "none" before the first one."""
        return self.history[-1][1] if self.history else NONE

    def forget_actions(self) -> None:
        """As when the world was put back since; the pictures are kept."""
        self.history.clear()

    def saw(self, observation: Observation, last: StepResult | None) -> bool:
        """Take in an observation and the motion that led to it; false for one that is known already."""
        if observation.stamp == self._stamp:
            return False
        self._stamp = observation.stamp
        self.pictures.append(observation.rgb)
        if last is not None:
            self.history.append((last.command.action, RESULT_WORDS[last.status]))
        return True


def numbered(lines: Sequence[str]) -> str:
    """Lines with their numbers, as a model is told what it did; ``none`` where there is none."""
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, start=1)) or NONE
