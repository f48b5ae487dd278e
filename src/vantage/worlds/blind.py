"""A world without images, for blind baselines: questions that are answered from their words alone."""

from __future__ import annotations

import numpy as np

from vantage.config import Settings
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Cause, Command, Episode, Observation, Status, StepResult
from vantage.worlds.limits import MotionLimits
from vantage.worlds.protocol import WorldInfo
from vantage.worlds.warrants import Warrant, require_signed

_SIZE = 8  # pixels
_LOOK_TIME = 1_000_000  # ns


class BlindWorld:
    """Shows a small black picture and refuses every motion. Stamps rise by 1 ms a look."""

    def __init__(self, settings: Settings | None = None) -> None:
        self._radius = (settings or Settings()).world.body_radius
        self._at = Viewpoint(0.0, 0.0, 0.0, 0.0, 0.0)
        self._now = 0

    @property
    def info(self) -> WorldInfo:
        here = (-1.0, -1.0, -1.0), (1.0, 1.0, 1.0)
        return WorldInfo("none", frozenset({"rgb"}), frozenset(), self._radius, MotionLimits(*here))

    def reset(self, episode: Episode, seed: int) -> Observation:
        self._at = episode.start
        return self.observe()

    def step(self, command: Command) -> StepResult:
        """Always refused: there is nowhere to go."""
        reason = "there is no place here in which to move; use world 'splat' for scenes"
        return StepResult(Status.REJECTED, reason, command, self.observe(), Cause.CAPABILITY)

    def grant(self, warrant: Warrant) -> None:
        """Nothing is here that a warrant could let anybody do."""
        require_signed(warrant)

    def observe(self) -> Observation:
        self._now += _LOOK_TIME
        black = np.zeros((_SIZE, _SIZE, 3), dtype=np.uint8)
        return Observation(self._now, self._at, Intrinsics.from_fov(_SIZE, _SIZE, 1.0), black)

    def stop(self, reason: str) -> None:
        """Nothing moves anyway."""

    def clear_stop(self) -> None:
        """Nothing moves anyway."""

    def close(self) -> None:
        """Nothing is held."""
