"""Pictures that a task is put with, where its scene is not told in words alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

TEXT, IMAGE, BOTH = "text", "image", "both"  # values of ``control.input``


@dataclass(frozen=True, eq=False)
class ShownTask:
    """What a model is sent of a task.

    Attributes:
        prompt: with the task, and with what words tell of the scene.
        pictures: each (H, W, 3) uint8 RGB.
        names: of the pictures, one each.
    """

    prompt: str
    pictures: tuple[NDArray[np.uint8], ...] = ()
    names: tuple[str, ...] = ()


class TaskPictures(Protocol):
    """Shows the tasks of an episode set."""

    def shows(self, episode_id: str) -> bool:
        """Whether pictures show all that the task of an episode needs; others are left out."""
        ...

    def shown(self, episode_id: str, question_id: str) -> ShownTask:
        """What a model is sent of a question.

        Raises:
            EpisodeError: the set has no such question, or pictures do not show what its task needs.
            VantageError: its pictures cannot be made.
        """
        ...
