"""Discrete action spaces, in which steps, the oracle and SPL are counted; other packages may register theirs."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, cast

from vantage.config import ActionSettings
from vantage.errors import UnknownNameError
from vantage.registry import ACTION_SPACES, did_you_mean
from vantage.spatial import Viewpoint, wrap_angle
from vantage.types import Command, Done

Offset = tuple[int, int, int]  # along the world axes, in units of one translation

LATTICE_MOVES: tuple[tuple[str, Offset], ...] = (
    ("x+", (1, 0, 0)),
    ("x-", (-1, 0, 0)),
    ("y+", (0, 1, 0)),
    ("y-", (0, -1, 0)),
    ("z+", (0, 0, 1)),
    ("z-", (0, 0, -1)),
)


class ActionSpace(Protocol):
    """What an agent may do, by name. Registered in ``ACTION_SPACES`` as a callable that takes a translation, m, and a
    rotation, rad; an episode set names its space, and so does a bag.
    """

    @property
    def name(self) -> str:
        """Under which it is registered."""
        ...

    @property
    def names(self) -> tuple[str, ...]:
        """Of its actions."""
        ...

    @property
    def translation(self) -> float:
        """m per action that moves the camera."""
        ...

    @property
    def rotation(self) -> float:
        """rad per action that turns it."""
        ...

    @property
    def lattice_moves(self) -> tuple[tuple[str, Offset], ...]:
        """Actions that move the camera along the world axes whatever its heading, for what plans on a lattice; none
        where translations follow the heading."""
        ...

    def decision(self, action: str, viewpoint: Viewpoint) -> Command | Done:
        """What an agent returns to take an action from a viewpoint: a command, with a camera or an arm target, or
        ``Done`` for an action that ends the phase.

        Raises:
            UnknownNameError: the action does not exist.
        """
        ...

    def apply(self, action: str, viewpoint: Viewpoint) -> Viewpoint:
        """The viewpoint that an action aims at; the same one where it does not move the camera.

        Raises:
            UnknownNameError: the action does not exist.
        """
        ...

    def replay(self, start: Viewpoint, actions: Iterable[str]) -> list[Viewpoint]:
        """The viewpoints that actions aim at one after the other, the start included.

        Raises:
            UnknownNameError: an action does not exist.
        """
        ...


@dataclass(frozen=True)
class GantryActions:
    """Ten motions of a five-axis camera: one axis, one increment at a time.

    Translations follow the world axes, as the axes of a gantry do, so positions lie on a lattice around the start and
    collisions do not depend on the heading. Positive yaw turns left, positive pitch looks up.

    Attributes:
        translation: m per action.
        rotation: rad per action.
    """

    translation: float
    rotation: float

    name = "gantry"
    names = ("x+", "x-", "y+", "y-", "z+", "z-", "yaw+", "yaw-", "pitch+", "pitch-")
    lattice_moves = LATTICE_MOVES

    def __post_init__(self) -> None:
        if not (self.translation > 0 and 0 < self.rotation <= math.pi):
            raise ValueError(
                f"actions need a positive translation and a rotation up to pi, got {self.translation} m and "
                f"{self.rotation} rad"
            )

    def decision(self, action: str, viewpoint: Viewpoint) -> Command:
        """See ``ActionSpace.decision``."""
        return Command(target=self.apply(action, viewpoint), action=action)

    def apply(self, action: str, viewpoint: Viewpoint) -> Viewpoint:
        """See ``ActionSpace.apply``."""
        if action not in self.names:
            raise UnknownNameError(f"unknown action '{action}'{did_you_mean(action, list(self.names))}")
        axis, sign = action[:-1], 1.0 if action[-1] == "+" else -1.0
        x, y, z, yaw, pitch = viewpoint.x, viewpoint.y, viewpoint.z, viewpoint.yaw, viewpoint.pitch
        if axis == "yaw":
            return Viewpoint(x, y, z, wrap_angle(yaw + sign * self.rotation), pitch)
        if axis == "pitch":
            return Viewpoint(x, y, z, yaw, pitch + sign * self.rotation)
        by = sign * self.translation
        x, y, z = x + by if axis == "x" else x, y + by if axis == "y" else y, z + by if axis == "z" else z
        return Viewpoint(x, y, z, yaw, pitch)

    def replay(self, start: Viewpoint, actions: Iterable[str]) -> list[Viewpoint]:
        """See ``ActionSpace.replay``."""
        viewpoints = [start]
        for action in actions:
            viewpoints.append(self.apply(action, viewpoints[-1]))
        return viewpoints


def make_actions(settings: ActionSettings) -> ActionSpace:
    """The action space that settings name.

    Raises:
        UnknownNameError: there is none of that name.
        UsageError: it is another package's, which cannot be imported.
    """
    return cast(ActionSpace, ACTION_SPACES.create(settings.space, settings.translation, settings.rotation))
