"""Discrete action spaces, in which steps, the oracle and SPL are counted; other packages may register theirs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol, cast

from vantage.config import ActionSettings
from vantage.errors import ConfigError, UnknownNameError
from vantage.registry import ACTION_SPACES, did_you_mean
from vantage.spatial import Viewpoint, wrap_angle
from vantage.types import Command, Done

Offset = tuple[int, int, int]  # along the world axes, in units of one translation

OFFSETS: tuple[Offset, ...] = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
YAW, PITCH = "yaw", "pitch"  # axes of rotations


class ActionSpace(Protocol):
    """What an agent may do, by name. Registered in ``ACTION_SPACES`` as a callable that takes a translation, m, a
    rotation, rad, and a frame; an episode set names its space, and so does a bag.

    A space with further sizes names them in an attribute ``sizes`` of its class, each a key of the settings ``actions``
    and an attribute of the space; it is then given them, too.
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
    def frame(self) -> str:
        """Whose axes translations follow: ``world``, ``heading`` or ``camera``."""
        ...

    @property
    def turns(self) -> Mapping[tuple[str, int], str]:
        """Names of the rotations by axis (``yaw``, ``pitch``) and sign (1: left, up; -1: right, down)."""
        ...

    def lattice_moves(self, viewpoint: Viewpoint) -> tuple[tuple[str, Offset], ...]:
        """The actions that, taken from a viewpoint, move the camera by one whole translation along a world axis, and
        their offsets, for what plans on a lattice; none where there are none."""
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
        frame: ``world``.

    Raises:
        ValueError: a size is not possible.
        ConfigError: another frame.
    """

    translation: float
    rotation: float
    frame: str = "world"

    name = "gantry"
    names = ("x+", "x-", "y+", "y-", "z+", "z-", "yaw+", "yaw-", "pitch+", "pitch-")
    turns = MappingProxyType({(YAW, 1): "yaw+", (YAW, -1): "yaw-", (PITCH, 1): "pitch+", (PITCH, -1): "pitch-"})

    def __post_init__(self) -> None:
        check_sizes(self.translation, self.rotation)
        if self.frame != "world":
            raise ConfigError(
                f"actions.frame is '{self.frame}', but action space '{self.name}' moves along the world axes; "
                "set actions.frame=world, or actions.space=egocentric"
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
        if axis == YAW:
            return Viewpoint(x, y, z, wrap_angle(yaw + sign * self.rotation), pitch)
        if axis == PITCH:
            return Viewpoint(x, y, z, yaw, pitch + sign * self.rotation)
        by = sign * self.translation
        x, y, z = x + by if axis == "x" else x, y + by if axis == "y" else y, z + by if axis == "z" else z
        return Viewpoint(x, y, z, yaw, pitch)

    def lattice_moves(self, viewpoint: Viewpoint) -> tuple[tuple[str, Offset], ...]:
        """See ``ActionSpace.lattice_moves``; the same from everywhere."""
        return _GANTRY_MOVES

    def replay(self, start: Viewpoint, actions: Iterable[str]) -> list[Viewpoint]:
        """See ``ActionSpace.replay``."""
        return replayed(self, start, actions)


_GANTRY_MOVES = tuple(zip(GantryActions.names, OFFSETS, strict=False))


def check_sizes(translation: float, rotation: float) -> None:
    """
    Raises:
        ValueError: there is no such translation (m) or rotation (rad).
    """
    if not (translation > 0 and 0 < rotation <= math.pi):
        raise ValueError(
            f"actions need a positive translation and a rotation up to pi, got {translation} m and {rotation} rad"
        )


def replayed(space: ActionSpace, start: Viewpoint, actions: Iterable[str]) -> list[Viewpoint]:
    """The viewpoints that actions aim at one after the other, the start included.

    Raises:
        UnknownNameError: an action does not exist.
    """
    viewpoints = [start]
    for action in actions:
        viewpoints.append(space.apply(action, viewpoints[-1]))
    return viewpoints


def rotations(space: ActionSpace, yaw: int, pitch: int) -> tuple[str, ...]:
    """The names of so many rotations, yaw first; positive ones turn left and look up.

    Raises:
        KeyError: the space has no such rotation.
    """
    counted = ((YAW, yaw), (PITCH, pitch))
    return tuple(space.turns[axis, 1 if count > 0 else -1] for axis, count in counted for _ in range(abs(count)))


def make_actions(settings: ActionSettings) -> ActionSpace:
    """The action space that settings name.

    Raises:
        UnknownNameError: there is none of that name.
        ConfigError: it does not move in that frame.
        UsageError: it is another package's, which cannot be imported.
    """
    more = {name: getattr(settings, name) for name in getattr(ACTION_SPACES.get(settings.space), "sizes", ())}
    made = ACTION_SPACES.create(settings.space, settings.translation, settings.rotation, settings.frame, **more)
    return cast(ActionSpace, made)


def further_sizes(actions: ActionSpace) -> dict[str, float]:
    """What a space has besides translation and rotation, by name; see ``ActionSpace``."""
    return {name: float(getattr(actions, name)) for name in getattr(actions, "sizes", ())}
