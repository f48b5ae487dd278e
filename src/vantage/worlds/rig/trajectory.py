"""How a straight line in joint space is driven: a trapezoid of speed within the limits of every joint."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vantage.spatial import Matrix
from vantage.worlds.rig.chain import Joint


@dataclass(frozen=True, eq=False)
class Profile:
    """Motion from ``start`` to ``target`` (both (N,)), all joints in step.

    Attributes:
        speed, acceleration: along the line, in lengths of the line per s and s^2.
    """

    start: Matrix
    target: Matrix
    speed: float
    acceleration: float

    @property
    def ramp(self) -> float:
        """s from rest to the highest speed reached."""
        return min(self.speed / self.acceleration, math.sqrt(1.0 / self.acceleration))

    @property
    def duration(self) -> float:
        """s"""
        if not np.any(self.target != self.start):
            return 0.0
        ramp = self.ramp
        top = self.acceleration * ramp
        return 2.0 * ramp + max(0.0, 1.0 - top * ramp) / top

    def at(self, t: float) -> Matrix:
        """(N,): where the joints are t s after the beginning."""
        return np.asarray(self.start + self.share(t) * (self.target - self.start))

    def share(self, t: float) -> float:
        """0..1: how much of the line lies behind after t s."""
        total = self.duration
        if t >= total:
            return 1.0
        ramp, a = self.ramp, self.acceleration
        if t <= ramp:
            return 0.5 * a * max(0.0, t) ** 2
        if t >= total - ramp:
            return 1.0 - 0.5 * a * (total - t) ** 2
        return 0.5 * a * ramp**2 + a * ramp * (t - ramp)


def plan(start: Matrix, target: Matrix, joints: Sequence[Joint], brake: float = math.inf) -> Profile:
    """The fastest profile within every joint's speed and acceleration.

    Args:
        brake: s within which the motion must be able to come to rest at any time; limits the speed to
            ``acceleration * brake``.
    """
    way = np.abs(np.asarray(target, dtype=np.float64) - start)
    speed = min((j.speed / w for j, w in zip(joints, way, strict=True) if w > 0), default=1.0)
    acceleration = min((j.acceleration / w for j, w in zip(joints, way, strict=True) if w > 0), default=1.0)
    return Profile(np.array(start, float), np.array(target, float), min(speed, acceleration * brake), acceleration)
