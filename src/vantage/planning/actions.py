"""The discrete action space in which steps, the oracle and SPL are counted."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from vantage.errors import UnknownNameError
from vantage.registry import did_you_mean
from vantage.spatial import Viewpoint, wrap_angle


@dataclass(frozen=True)
class ActionSpace:
    """Ten motions of a five-axis camera: one axis, one increment at a time.

    Translations follow the world axes, as the axes of a gantry do, so positions lie on a lattice around the start and
    collisions do not depend on the heading. Positive yaw turns left, positive pitch looks up.

    Attributes:
        translation: m per action.
        rotation: rad per action.
    """

    translation: float
    rotation: float

    NAMES = ("x+", "x-", "y+", "y-", "z+", "z-", "yaw+", "yaw-", "pitch+", "pitch-")

    def __post_init__(self) -> None:
        if not (self.translation > 0 and 0 < self.rotation <= math.pi):
            raise ValueError(
                f"actions need a positive translation and a rotation up to pi, got {self.translation} m and "
                f"{self.rotation} rad"
            )

    def apply(self, action: str, viewpoint: Viewpoint) -> Viewpoint:
        """The viewpoint that an action aims at.

        Raises:
            UnknownNameError: the action does not exist.
        """
        if action not in self.NAMES:
            raise UnknownNameError(f"unknown action '{action}'{did_you_mean(action, list(self.NAMES))}")
        axis, sign = action[:-1], 1.0 if action[-1] == "+" else -1.0
        if axis == "yaw":
            return replace(viewpoint, yaw=wrap_angle(viewpoint.yaw + sign * self.rotation))
        if axis == "pitch":
            return replace(viewpoint, pitch=viewpoint.pitch + sign * self.rotation)
        return replace(viewpoint, **{axis: getattr(viewpoint, axis) + sign * self.translation})

    def replay(self, start: Viewpoint, actions: Iterable[str]) -> list[Viewpoint]:
        """The viewpoints that actions aim at one after the other, the start included.

        Raises:
            UnknownNameError: an action does not exist.
        """
        viewpoints = [start]
        for action in actions:
            viewpoints.append(self.apply(action, viewpoints[-1]))
        return viewpoints
