"""Motions named as the camera sees them: forward, left and up along its own axes, its heading's, or the world's."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from vantage.config import FRAMES
from vantage.errors import ConfigError, UnknownNameError
from vantage.planning.actions import PITCH, YAW, Offset, check_sizes, replayed
from vantage.registry import did_you_mean
from vantage.spatial import Viewpoint, wrap_angle
from vantage.types import Command, Point

_STRAIGHT = 0.02  # from the components of a world axis: a translation within it counts as along the axis
_KEPT = 1024  # headings whose directions are remembered
_DIGITS = 12  # of the components of directions, so that quarter turns lead exactly along the world axes
_TRANSLATIONS = MappingProxyType(  # axis of the frame (0: forward, 1: left, 2: up) and sign
    {
        "move_forward": (0, 1),
        "move_backward": (0, -1),
        "move_left": (1, 1),
        "move_right": (1, -1),
        "move_up": (2, 1),
        "move_down": (2, -1),
    }
)
_ROTATIONS = MappingProxyType(
    {(YAW, 1): "turn_left", (YAW, -1): "turn_right", (PITCH, 1): "look_up", (PITCH, -1): "look_down"}
)
_AXES = MappingProxyType({name: turn for turn, name in _ROTATIONS.items()})


@dataclass(frozen=True)
class EgocentricActions:
    """Ten motions of a free camera, as in E3VS-Bench (arXiv 2604.17969), whose eleventh action is the answer.

    Positions lie on a lattice along the world axes as long as translations are made at headings where the frame lies
    along them; ``lattice_moves`` tells which do.

    Attributes:
        translation: m per action.
        rotation: rad per action.
        frame: whose axes translations follow. ``world``: forward is x, left y and up z; ``heading``: forward and left
            are turned by yaw, up is z; ``camera``: all are turned by yaw and pitch, forward is the optical axis.

    Raises:
        ValueError: a size is not possible.
        ConfigError: there is no such frame.
    """

    translation: float
    rotation: float
    frame: str = "world"

    name = "egocentric"
    names = (*_TRANSLATIONS, *_ROTATIONS.values())
    turns = _ROTATIONS

    def __post_init__(self) -> None:
        check_sizes(self.translation, self.rotation)
        if self.frame not in FRAMES:
            raise ConfigError(f"unknown actions.frame '{self.frame}'{did_you_mean(self.frame, list(FRAMES))}")

    def decision(self, action: str, viewpoint: Viewpoint) -> Command:
        """See ``ActionSpace.decision``."""
        return Command(target=self.apply(action, viewpoint), action=action)

    def apply(self, action: str, viewpoint: Viewpoint) -> Viewpoint:
        """See ``ActionSpace.apply``."""
        if action not in self.names:
            raise UnknownNameError(f"unknown action '{action}'{did_you_mean(action, list(self.names))}")
        if action in _AXES:
            axis, side = _AXES[action]
            x, y, z, yaw, pitch = viewpoint.x, viewpoint.y, viewpoint.z, viewpoint.yaw, viewpoint.pitch
            if axis == YAW:
                return Viewpoint(x, y, z, wrap_angle(yaw + side * self.rotation), pitch)
            return Viewpoint(x, y, z, yaw, pitch + side * self.rotation)
        number, sign = _TRANSLATIONS[action]
        by = sign * self.translation
        x, y, z = _axes(*self._turned(viewpoint))[number]
        here = viewpoint
        return Viewpoint(here.x + by * x, here.y + by * y, here.z + by * z, here.yaw, here.pitch)

    def lattice_moves(self, viewpoint: Viewpoint) -> tuple[tuple[str, Offset], ...]:
        """See ``ActionSpace.lattice_moves``."""
        return _moves(*self._turned(viewpoint))

    def replay(self, start: Viewpoint, actions: Iterable[str]) -> list[Viewpoint]:
        """See ``ActionSpace.replay``."""
        return replayed(self, start, actions)

    def _turned(self, viewpoint: Viewpoint) -> tuple[float, float]:
        """Yaw and pitch by which the frame is turned, rad."""
        yaw = 0.0 if self.frame == "world" else viewpoint.yaw
        return yaw, viewpoint.pitch if self.frame == "camera" else 0.0


@lru_cache(maxsize=_KEPT)
def _axes(yaw: float, pitch: float) -> tuple[Point, Point, Point]:
    """Unit vectors forward, left and up of a frame that is turned so (rad), world frame."""
    cy, sy, cp, sp = (
        round(value, _DIGITS) for value in (math.cos(yaw), math.sin(yaw), math.cos(pitch), math.sin(pitch))
    )
    return (cy * cp, sy * cp, sp), (-sy, cy, 0.0), (-cy * sp, -sy * sp, cp)


@lru_cache(maxsize=_KEPT)
def _moves(yaw: float, pitch: float) -> tuple[tuple[str, Offset], ...]:
    """See ``ActionSpace.lattice_moves``, in a frame that is turned so (rad)."""
    axes = _axes(yaw, pitch)
    found = []
    for name, (number, sign) in _TRANSLATIONS.items():
        x, y, z = (sign * part for part in axes[number])
        offset = round(x), round(y), round(z)
        if max(abs(x - offset[0]), abs(y - offset[1]), abs(z - offset[2])) <= _STRAIGHT:
            found.append((name, offset))
    return tuple(found)
