"""The goal of an inverse kinematics problem, and candidate solutions with their errors."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.spatial import Matrix, Viewpoint
from vantage.worlds.rig.kinematics.chain import PRISMATIC, Chain

TOLERANCE = 1e-9  # m or rad: a camera this close is where it should be
_VERTICAL = 1e-9  # a direction with a smaller level part has no yaw of its own, as in Viewpoint.from_T_world_body
_SLACK = 1e-6  # rad beyond a limit that may be rounding, where the camera looks almost along an axis


@dataclass(frozen=True, eq=False)
class PoseGoal:
    """Where the camera should be.

    Attributes:
        position: (3,) m, world frame.
        rotation: (3, 3) R_world_camera.
        roll: whether all of ``rotation`` is required, or only the direction of its x axis, the optical axis.
    """

    position: Matrix
    rotation: Matrix
    roll: bool

    @staticmethod
    def at(viewpoint: Viewpoint, roll: bool) -> PoseGoal:
        return PoseGoal(viewpoint.position, viewpoint.rotation(), roll)

    @property
    def vertical(self) -> bool:
        """Whether the direction alone does not determine the yaw."""
        return math.hypot(self.rotation[0, 0], self.rotation[1, 0]) <= _VERTICAL

    def misses(self, rotation: Matrix, position: Matrix) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """How far cameras at rotations (B, 3, 3) and positions (B, 3) are from here: m and rad, both (B,)."""
        axes = 3 if self.roll else 1
        chords = np.linalg.norm((rotation - self.rotation)[..., :axes], axis=(-2, -1)) / math.sqrt(
            2 if self.roll else 1
        )
        return np.linalg.norm(position - self.position, axis=-1), 2.0 * np.arcsin(np.minimum(chords / 2.0, 1.0))

    def turned(self, upright: float) -> bool:
        """Whether a picture is turned too much to pass for that of the viewpoint.

        Straight up or down every roll is another yaw, so any other one counts.

        Args:
            upright: cosine between the z axes of the camera and of ``rotation``.
        """
        return upright < (1.0 - 1e-12 if self.vertical else -0.5)


@dataclass(frozen=True, eq=False)
class Finding:
    """Joint positions (N,), and what is wrong with them.

    Attributes:
        metres, radians: by which the camera misses.
        beyond: s that the joints would move past their limits.
        worse: whether one that is right otherwise is preferred, however far.
        cost: s from where the joints are now.
    """

    q: Matrix
    metres: float
    radians: float
    beyond: float
    worse: bool
    cost: float

    @property
    def exact(self) -> bool:
        return self.metres <= TOLERANCE and self.radians <= TOLERANCE

    @property
    def fits(self) -> bool:
        return self.exact and self.beyond == 0.0


def finding(chain: Chain, q: Matrix, near: Matrix, miss: tuple[float, float], worse: bool) -> Finding:
    """Judge joint positions (N,) by limits and by the time that the way from ``near`` takes."""
    beyond = np.maximum(np.maximum(chain.lower - q, q - chain.upper), 0.0)
    times = np.abs(q - near) / chain.speed
    return Finding(q, *miss, float((beyond / chain.speed).sum()), worse, math.sqrt(float(times @ times)))


@dataclass(frozen=True, eq=False)
class StepLimit:
    """Where the joints are, (N,), and how far each should travel at most, (N,), infinite for as far as it likes."""

    near: Matrix
    most: Matrix

    def exceeded(self, q: Matrix) -> bool:
        """Whether a joint would travel farther to ``q`` (N,)."""
        return bool(np.any(np.abs(q - self.near) > self.most + _SLACK))


def best(findings: list[Finding], stride: StepLimit | None = None) -> Finding | None:
    """The closest of those that fit; the closest within a stride, where there is one."""

    def order(f: Finding) -> tuple[bool, bool, float]:
        return f.worse, stride is not None and stride.exceeded(f.q), f.cost

    return min((f for f in findings if f.fits), key=order, default=None)


def problem(chain: Chain, findings: list[Finding]) -> str:
    """Why none fits, in words."""
    exact = [f for f in findings if f.exact]
    if not exact:
        within = [f for f in findings if f.beyond == 0.0] or findings
        f = min(within, key=lambda f: f.metres + f.radians)
        return f"it comes no nearer than {_number(f.metres)} m and {_number(f.radians)} rad"
    q = min(exact, key=lambda f: f.beyond).q
    parts = []
    for joint, value in zip(chain.joints, q, strict=True):
        over = max(joint.lower - value, value - joint.upper)
        if over > 0:
            digits = 3 if over >= 5e-4 else 9
            parts.append(
                f"{joint.name} would have to be at {value:.{digits}f} {joint.unit}, beyond its limits "
                f"[{joint.lower:.3f}, {joint.upper:.3f}] {joint.unit}"
            )
    return " and ".join(parts)


def nearest_turn(angle: float, near: float, low: float, high: float) -> float:
    """The angle plus full turns, closest to ``near`` within the limits; the least outside where none is within.

    What is beyond a limit by no more than rounding is put on it.
    """
    turns = round((near - angle) / math.tau)
    first = math.ceil((low - _SLACK - angle) / math.tau) if math.isfinite(low) else turns
    last = math.floor((high + _SLACK - angle) / math.tau) if math.isfinite(high) else turns
    if first > last:
        below, above = angle + last * math.tau, angle + first * math.tau
        return below if low - below < above - high else above
    turned = angle + min(max(turns, first), last) * math.tau
    return min(max(turned, low), high)


def turned_near(chain: Chain, q: Matrix, near: Matrix) -> Matrix:
    """Joint positions (N,) with full turns added, see ``nearest_turn``; slides too are rounded into their limits."""
    inside = np.clip(q, chain.lower, chain.upper)
    turned = np.where(np.abs(inside - q) < _SLACK, inside, q)
    for i, joint in enumerate(chain.joints):
        if joint.kind != PRISMATIC:
            turned[i] = nearest_turn(float(q[i]), float(near[i]), joint.lower, joint.upper)
    return turned


def _number(value: float) -> str:
    return f"{value:.3f}" if value >= 5e-4 or value <= TOLERANCE else f"{value:.1e}"
