"""Where a camera may be, and how far one command may take it."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from vantage.spatial import Viewpoint, wrap_angle
from vantage.types import Point

_SLACK = 1e-6  # m or rad: float noise in a target that is meant to lie on a limit
_ONE_VALUE = 0.01  # m or rad within which an axis has one value alone


@dataclass(frozen=True)
class MotionLimits:
    """Where the camera may be and how far one command may take it (m, rad, world frame).

    Attributes:
        yaw_min, yaw_max: headings, counted on beyond pi, between which the camera turns without an unwind; infinite
            where nothing ends its turning, or where more than one joint gives the heading.
    """

    bounds_min: Point = (-math.inf, -math.inf, -math.inf)
    bounds_max: Point = (math.inf, math.inf, math.inf)
    pitch_min: float = -math.pi / 2
    pitch_max: float = math.pi / 2
    max_translation: float = math.inf
    max_rotation: float = math.inf
    yaw_min: float = -math.inf
    yaw_max: float = math.inf

    @property
    def keeps_height(self) -> bool:
        """Whether the camera has one height alone, as on a robot that stands on the floor."""
        return "z" in self.fixed

    @property
    def fixed(self) -> tuple[str, ...]:
        """The axes of x, y, z, yaw and pitch that have one value alone."""
        lows = (*self.bounds_min, self.yaw_min, self.pitch_min)
        highs = (*self.bounds_max, self.yaw_max, self.pitch_max)
        axes = ("x", "y", "z", "yaw", "pitch")
        return tuple(axis for axis, low, high in zip(axes, lows, highs, strict=True) if high - low <= _ONE_VALUE)

    def pose_violation(self, viewpoint: Viewpoint) -> str | None:
        """Why a pose is not allowed, in words, or None."""
        if not viewpoint.is_finite:
            return f"the target {viewpoint} is not finite"
        position = (viewpoint.x, viewpoint.y, viewpoint.z)
        for axis, value, low, high in zip("xyz", position, self.bounds_min, self.bounds_max, strict=True):
            if not low - _SLACK <= value <= high + _SLACK:
                return f"{axis} = {value:.3f} m is outside the limits [{low:.3f}, {high:.3f}] m"
        if not self.pitch_min - _SLACK <= viewpoint.pitch <= self.pitch_max + _SLACK:
            return (
                f"pitch = {viewpoint.pitch:.3f} rad is outside the limits "
                f"[{self.pitch_min:.3f}, {self.pitch_max:.3f}] rad"
            )
        return None

    def violation(self, current: Viewpoint, target: Viewpoint) -> str | None:
        """Why a motion is not allowed, in words, or None."""
        reason = self.pose_violation(target)
        if reason is not None:
            return reason
        if not current.is_finite:
            return f"the present pose {current} is not finite"
        distance = current.distance(target)
        if distance > self.max_translation + _SLACK:
            return f"a move of {distance:.3f} m exceeds the limit of {self.max_translation:.3f} m per command"
        turn = max(abs(wrap_angle(target.yaw - current.yaw)), abs(target.pitch - current.pitch))
        if turn > self.max_rotation + _SLACK:
            return f"a turn of {turn:.3f} rad exceeds the limit of {self.max_rotation:.3f} rad per command"
        return None

    def can_turn(self, yaw: float, *turns: float) -> bool:
        """Whether turns, one after the other, are possible from a heading without an unwind; rad, positive to the left.

        How often the camera has been turned round already is not known; that it can be done from some count is enough.
        """
        if math.isinf(self.yaw_min) or math.isinf(self.yaw_max):
            return True
        ways = [0.0, *itertools.accumulate(turns)]
        rounds = math.ceil((self.yaw_min - _SLACK - yaw - min(ways)) / math.tau)
        return yaw + rounds * math.tau + max(ways) <= self.yaw_max + _SLACK
