"""Sends motions to a controller piece by piece, and sees whether its joints follow."""

from __future__ import annotations

import math
from collections import deque
from typing import Protocol

import numpy as np

from vantage.errors import HardwareError
from vantage.nodes.rig.joint_motion import BRAKE, Motion, beginning, resting
from vantage.spatial import Matrix
from vantage.worlds.rig.drivers.driver import QUEUE
from vantage.worlds.rig.kinematics.chain import Joint
from vantage.worlds.rig.kinematics.trajectory import plan

SETTLE = 1.0  # s from the end of a motion to rest at its target
_FOLLOW = 0.3  # s that the joints may be behind
_LAG = 0.15  # s that they may be behind for the next piece of a motion to be sent
_BEHIND = 0.2  # of the tolerance, which they may be off the way besides
_PATIENCE = 0.25  # s after a motion for them to get to its end
_TRIALS = 2  # new beginnings without getting on
_UNPUBLISHED = ("link", "the motion could not be published")
_REST = 0.06  # s without motion that are rest
_PRESS = 0.2  # s at rest that mean that something is in the way
_OLD = 0.25  # s; older states say nothing about rest
_NO_WAY = 1e-9  # m or rad


def checked_goal(joints: tuple[Joint, ...], target: Matrix) -> Matrix:
    """The target (N,) as it should be.

    Raises:
        HardwareError: it is no place for these joints, or outside their limits by more than a step of the motors.
    """
    goal = np.array(target, np.float64)
    if goal.shape != (len(joints),) or not np.all(np.isfinite(goal)):
        raise HardwareError(f"expected {len(joints)} finite joint positions, got {target}")
    for joint, value in zip(joints, goal, strict=True):
        if not joint.lower - joint.resolution <= value <= joint.upper + joint.resolution:
            limits = f"[{joint.lower:.4f}, {joint.upper:.4f}]"
            raise HardwareError(f"{joint.name} = {value:.4f} {joint.unit} is outside {limits}")
    return goal


class Send(Protocol):
    """Tells a controller a motion, for its time or for at once, and whether that could be published."""

    def __call__(self, motion: Motion, at_once: bool, effort: float | None) -> bool: ...


class Follower:
    """Joints on their way. Times are monotonic, s. Not safe to use from several threads.

    Attributes:
        positions: newest ones, (N,) m or rad; None before the first.
        seen: when they were so.
        pressing: whether something in the way of the joints is fine.
        longest: s of motion that were sent at once, at most.
    """

    def __init__(self, joints: tuple[Joint, ...], tolerance: float, send: Send) -> None:
        """
        Args:
            tolerance: m or rad by which a joint may miss the way that it was sent on.
        """
        self._joints, self._tolerance, self._send = joints, tolerance, send
        self._resolution = np.array([joint.resolution for joint in joints])
        self._lower, self._upper = (np.array([getattr(joint, end) for joint in joints]) for end in ("lower", "upper"))
        self._reach = tolerance + QUEUE * np.array([joint.speed for joint in joints])
        self._recent: deque[tuple[float, Matrix]] = deque()
        self._meant: deque[tuple[float, Matrix]] = deque()
        self._motion: Motion | None = None
        self._speed = 0.0  # along the line
        self._turning = math.inf
        self._effort: float | None = None
        self._trials = 0
        self._lost = False
        self.positions: Matrix | None = None
        self.seen = 0.0
        self.pressing = False
        self.longest = 0.0

    def hear(self, time: float, positions: Matrix) -> None:
        """The joints were at ``positions`` (N,)."""
        self.positions, self.seen = positions, time
        self._recent.append((time, positions))
        while len(self._recent) > 3 and self._recent[1][0] <= time - _REST:
            self._recent.popleft()

    def forget(self) -> None:
        """What was told before is no longer in force."""
        self._motion, self._effort, self.pressing, self._lost = None, None, False, False
        self._meant.clear()

    @property
    def going(self) -> bool:
        """Whether a motion is on that has to be renewed."""
        return self._motion is not None and self._speed > 0.0 and not self._motion.arrives

    def set_off(
        self,
        goal: Matrix,
        now: float,
        effort: float | None = None,
        pressing: bool = False,
        turning: float = math.inf,
    ) -> bool:
        """Begin to go straight to ``goal`` (N,); ``renew`` keeps it going. Whether it could be published.

        Args:
            turning: rad/s that no joint that turns exceeds.
        """
        self._effort, self.pressing, self._turning, self._trials = effort, pressing, turning, 0
        return self._begin(self._stand(now), goal, now)

    def renew(self, now: float) -> tuple[str, str] | None:
        """Send the next piece where one is due; none while the joints are behind, for they may have missed some, and a
        later one would pull them along all at once. Where they came to rest short of the target, begin anew from there.

        Returns:
            What went wrong: ``link`` or ``stuck``, or ``lag`` where a new beginning was made; and a sentence.
        """
        motion = self._motion
        if motion is None or self.positions is None:
            return None
        self._mean(now)
        if self._speed == 0.0:
            return None
        if not motion.arrives and (self.pressing or not np.any(self._off(_LAG, _BEHIND * self._tolerance) > 0.0)):
            return None if self._tell(motion.onward(now, self._speed), now, at_once=False) else _UNPUBLISHED
        if now < motion.end + _PATIENCE or not self.at_rest(now) or self.pressing or self._there(motion.target):
            return None
        where = self._words(int(np.argmax(np.abs(self.positions - motion.target) / self._resolution)), motion.target)
        if np.any(np.abs(self.positions - motion.start) > self._tolerance):
            self._trials = 0  # it got on since the last beginning
        if self._trials == _TRIALS:
            return None if motion.arrives else ("stuck", where)
        self._trials += 1
        if not self._begin(self.positions, motion.target, now):
            return _UNPUBLISHED
        return "lag", f"{where}; it goes on from there"

    def lose(self) -> None:
        """The joints jumped: a glitch, or they are elsewhere. A place told now could fling them across, so nothing is
        sent until ``forget``. What was sent ends at rest by itself."""
        self._speed, self._lost = 0.0, True

    def brake(self, now: float) -> bool:
        """To rest at once and stay there; where no place to stay at can be trusted, what was sent ends at rest by
        itself. Whether all that had to be published could be."""
        self._speed = 0.0
        if self._lost or self.positions is None:
            return True
        if self._motion is not None and not self.astray(now):
            return self._tell(self._motion.braking(now), now, at_once=True)
        place = np.clip(self.positions, self._lower, self._upper)
        outside = bool(np.any(np.abs(place - self.positions) > self._resolution))
        if outside or (self._motion is not None and bool(np.any(self._off(_FOLLOW, self._reach) > 0.0))):
            return True
        return self._tell(resting(place, now), now, at_once=True)

    def at_rest(self, now: float) -> bool:
        """Whether nothing moves and no motion waits, as far as newest states tell."""
        if now - self.seen > _OLD or (self._motion is not None and now < self._motion.end):
            return False
        first, last = self._recent[0][0], self._recent[-1][0]
        places = np.array([positions for _, positions in self._recent])
        return last - first >= 0.5 * _REST and bool(np.all(np.ptp(places, axis=0) <= 2.0 * self._resolution))

    def arrived(self, now: float) -> bool:
        """Whether the motion is over: at rest at its target, or elsewhere after some patience."""
        motion = self._motion
        if motion is None or self.positions is None or self.going or not self.at_rest(now):
            return False
        return self._there(motion.target) or now >= motion.end + (_PRESS if self.pressing else SETTLE)

    def astray(self, now: float) -> str:
        """Which joint is not where it was sent, in words; empty when all are."""
        motion = self._motion
        if motion is None or self.positions is None or self.pressing or now > motion.end + SETTLE:
            return ""
        off = self._off(_FOLLOW, self._tolerance)
        return self._words(int(np.argmax(off)), motion.at(self.seen)) if np.any(off > 0.0) else ""

    def _begin(self, start: Matrix, goal: Matrix, now: float) -> bool:
        if np.all(np.abs(goal - start) < _NO_WAY):
            self._speed = 0.0
            return self._tell(resting(goal, now), now, at_once=False)
        profile = plan(start, goal, self._joints, BRAKE, self._turning)
        self._speed = profile.speed
        return self._tell(beginning(profile, now).onward(now, self._speed), now, at_once=False)

    def _there(self, target: Matrix) -> bool:
        return self.positions is not None and bool(np.all(np.abs(self.positions - target) <= self._resolution))

    def _off(self, window: float, tolerance: float | Matrix) -> Matrix:
        """(N,): by how much more than ``tolerance`` each joint is from where it was to be in the last ``window`` s."""
        assert self._motion is not None
        assert self.positions is not None
        places = [place for time, place in self._meant if time >= self.seen - window]
        meant = np.array([*places, self._motion.at(self.seen - window), self._motion.at(self.seen)])
        low, high = meant.min(axis=0) - tolerance, meant.max(axis=0) + tolerance
        return np.asarray(np.maximum(low - self.positions, self.positions - high))

    def _words(self, j: int, meant: Matrix) -> str:
        assert self.positions is not None
        joint = self._joints[j]
        return f"{joint.name} is at {self.positions[j]:.4f} {joint.unit}, but was sent to {meant[j]:.4f} {joint.unit}"

    def _stand(self, now: float) -> Matrix:
        """Where a motion begins: where the controller holds the joints, if they are about there."""
        assert self.positions is not None
        if self._motion is not None:
            held = self._motion.at(now)
            if np.all(np.abs(held - self.positions) <= self._tolerance):
                return held
        return self.positions

    def _tell(self, motion: Motion, now: float, at_once: bool) -> bool:
        self._motion = motion
        self.longest = max(self.longest, motion.end - motion.begin)
        self._mean(now)
        return self._send(motion, at_once, self._effort)

    def _mean(self, now: float) -> None:
        if self._motion is not None:
            self._meant.append((now, self._motion.at(now)))
        while len(self._meant) > 1 and self._meant[1][0] <= self.seen - _FOLLOW:
            self._meant.popleft()
