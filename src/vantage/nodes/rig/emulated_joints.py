"""An emulated joint_trajectory_controller without its ROS side: trajectories in, joints that follow them.

What it refuses and how it interpolates is that of ros2_controllers' joint_trajectory_controller with its default
parameters: no partial goals, times that increase, rest at the end, nothing that ends in the past. Its joints have
effort command interfaces besides, so that efforts are taken; without them the real one refuses them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from vantage.recording import read_stamp, read_time
from vantage.spatial import Matrix
from vantage.worlds.rig.kinematics import Joint

_STEP = 5_000_000  # ns
_MOST_STEPS = 400
_STANDING = 1.2e-7  # the largest speed at the end that counts as none
_FASTER = 1.001  # times its speed that a joint can keep


@dataclass(frozen=True, eq=False)
class Goal:
    """One point of a trajectory.

    Attributes:
        time: ns on the controller's clock.
        velocities: (N,); None where only positions were given.
    """

    time: int
    positions: Matrix
    velocities: Matrix | None


def refusal(message: Any, names: tuple[str, ...], now: int) -> str:
    """Why a controller of these joints does not take a JointTrajectory at ``now`` ns, in words; empty when it does."""
    if sorted(message.joint_names) != sorted(names):
        return f"joints {', '.join(message.joint_names) or 'none'} are not the controller's {', '.join(names)}"
    if not message.points:
        return "empty trajectory"
    times = [read_time(point.time_from_start) for point in message.points]
    if any(b <= a for a, b in pairwise(times)):
        return "times from start do not increase"
    for i, point in enumerate(message.points):
        if len(point.positions) != len(names):
            return f"point {i} has not one position for each joint"
        if any(len(values) not in (0, len(names)) for values in (point.velocities, point.effort)):
            return f"point {i} has velocities or efforts for some joints only"
        if not np.all(np.isfinite([*point.positions, *point.velocities, *point.effort])):
            return f"point {i} is not finite"
    if any(abs(value) > _STANDING for value in message.points[-1].velocities):
        return "the last point has a velocity"
    start = read_stamp(message)
    if start and start + times[-1] < now:
        return f"the trajectory ends {(now - start - times[-1]) / 1e9:.3f} s in the past"
    return ""


class EmulatedJoints:
    """Joints that follow the newest trajectory as fast as they can. Safe to use from several threads.

    Args:
        start: (N,) m or rad.
        clock: ns of the controller.
    """

    def __init__(self, joints: tuple[Joint, ...], start: Matrix, clock: Callable[[], int]) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        self._lower = np.array([joint.lower for joint in joints])
        self._upper = np.array([joint.upper for joint in joints])
        self._speed = _FASTER * np.array([joint.speed for joint in joints])
        self._positions = np.clip(start, self._lower, self._upper)
        self._reference = self._positions
        self._goals: list[Goal] = []
        self._time = clock()
        self._stuck: int | None = None
        self._sticking = False
        self._last_motion = self._time
        self._low, self._high = self._positions, self._positions

    def positions(self) -> Matrix:
        """(N,): where the joints are now."""
        with self._lock:
            self._advance()
            return np.array(self._positions)

    @property
    def extremes(self) -> tuple[Matrix, Matrix]:
        """Smallest and largest positions (N,) that the joints were sent to."""
        with self._lock:
            self._advance()
            return self._low.copy(), self._high.copy()

    @property
    def last_motion(self) -> int:
        """ns on the controller's clock at which a joint moved last."""
        with self._lock:
            self._advance()
            return self._last_motion

    def follow(self, goals: list[Goal]) -> None:
        """Go through these points from now on, whatever was to be done before."""
        with self._lock:
            self._advance()
            before = Goal(self._time, self._positions, None)
            self._goals = [before, *goals] if goals[0].time > self._time else list(goals)
            if self._sticking and self._stuck is None:
                self._stick(goals[-1].positions)

    def stick(self) -> None:
        """From now on the joint that has the farthest to go does not move."""
        with self._lock:
            self._advance()
            self._sticking = True
            if self._goals:
                self._stick(self._goals[-1].positions)

    def loosen(self) -> None:
        with self._lock:
            self._advance()
            self._sticking, self._stuck = False, None

    def displace(self, positions: Matrix) -> None:
        """Be somewhere else at once, with nothing to do."""
        with self._lock:
            self._advance()
            self._positions = np.clip(positions, self._lower, self._upper)
            self._reference, self._goals = self._positions, []

    def _stick(self, target: Matrix) -> None:
        way = np.abs(target - self._positions)
        if np.any(way > 0.0):
            self._stuck = int(np.argmax(way))

    def _advance(self) -> None:
        now = self._clock()
        steps = min(_MOST_STEPS, max(1, -(-(now - self._time) // _STEP)))
        for time in np.linspace(self._time, now, steps + 1)[1:] if now > self._time else ():
            self._move(int(time))
        self._time = max(now, self._time)

    def _move(self, time: int) -> None:
        passed = max(0, time - self._time) / 1e9
        self._reference = _sample(self._goals, time, self._reference)
        self._low, self._high = np.minimum(self._low, self._reference), np.maximum(self._high, self._reference)
        far = self._speed * passed
        step = np.clip(np.clip(self._reference, self._lower, self._upper) - self._positions, -far, far)
        if self._stuck is not None:
            step[self._stuck] = 0.0
        if np.any(step != 0.0):
            self._positions, self._last_motion = self._positions + step, time
        self._time = time


def _sample(goals: list[Goal], time: int, held: Matrix) -> Matrix:
    """(N,): positions at a time; ``held`` without any points, the last point once all are over."""
    for a, b in pairwise(goals):
        if a.time <= time < b.time:
            return _between(a, b, time)
    return held if not goals or time < goals[0].time else goals[-1].positions


def _between(a: Goal, b: Goal, time: int) -> Matrix:
    """Cubic Hermite where both ends have velocities, else linear."""
    length, u = (b.time - a.time) / 1e9, (time - a.time) / (b.time - a.time)
    if a.velocities is None or b.velocities is None:
        return np.asarray(a.positions + u * (b.positions - a.positions))
    h00, h10 = (1.0 + 2.0 * u) * (1.0 - u) ** 2, u * (1.0 - u) ** 2
    h01, h11 = u * u * (3.0 - 2.0 * u), u * u * (u - 1.0)
    tangents = length * (h10 * a.velocities + h11 * b.velocities)
    return np.asarray(h00 * a.positions + h01 * b.positions + tangents)
