"""How a straight line in joint space is driven: a trapezoid of speed within the limits of every joint."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vantage.spatial import Matrix
from vantage.worlds.rig.kinematics.chain import PRISMATIC, Joint

NO_WAY = 1e-12  # m or rad: no joint moves so little


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

    @cached_property
    def ramp(self) -> float:
        """s from rest to the highest speed reached; 0 where there is no way to go."""
        return min(self.speed / self.acceleration, math.sqrt(1.0 / self.acceleration)) if self._moves else 0.0

    @cached_property
    def duration(self) -> float:
        """s; 0 where there is no way to go."""
        if not self._moves:
            return 0.0
        top = self.acceleration * self.ramp
        return 2.0 * self.ramp + max(0.0, 1.0 - top * self.ramp) / top

    @cached_property
    def _moves(self) -> bool:
        return float(np.abs(self.target - self.start).max(initial=0.0)) > NO_WAY

    def at(self, t: float) -> Matrix:
        """(N,): where the joints are t s after the beginning; ``start`` before it, ``target`` after the end."""
        share = self.share(t)
        return self.target.copy() if share == 1.0 else np.asarray(self.start + share * (self.target - self.start))

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

    def velocity(self, t: float) -> float:
        """How fast the line is passed after t s, in lengths of the line per s."""
        total, ramp = self.duration, self.ramp
        return self.acceleration * max(0.0, min(t, ramp, total - t))

    def braked(self, t: float) -> Braking:
        """The way to rest when the brake is put on after t s."""
        velocity = self.velocity(t)
        share = min(1.0, self.share(t) + 0.5 * velocity**2 / self.acceleration)
        return Braking(self.start + share * (self.target - self.start), velocity / self.acceleration)


@dataclass(frozen=True, eq=False)
class Braking:
    """Where the joints (N,) come to rest, and after how many s."""

    target: Matrix
    duration: float


def plan(
    start: Matrix, target: Matrix, joints: Sequence[Joint], brake: float = math.inf, turning: float = math.inf
) -> Profile:
    """The fastest profile within every joint's speed and acceleration.

    Args:
        brake: s, positive, within which the motion must be able to come to rest at any time; limits the speed to
            ``acceleration * brake``.
        turning: rad/s, positive, that no joint that turns exceeds.
    """
    begin, end = np.array(start, dtype=np.float64), np.array(target, dtype=np.float64)
    ways = [(joint, way) for joint, way in zip(joints, np.abs(end - begin).tolist(), strict=True) if way > NO_WAY]
    speeds = (joint.speed if joint.kind == PRISMATIC else min(joint.speed, turning) for joint, _ in ways)
    speed = min((speed / way for speed, (_, way) in zip(speeds, ways, strict=True)), default=1.0)
    acceleration = min((joint.acceleration / way for joint, way in ways), default=1.0)
    return Profile(begin, end, min(speed, acceleration * brake), acceleration)
