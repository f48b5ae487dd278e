"""Sends straight motions in joint space to a controller in short pieces that each end at rest, and sees whether the
joints follow.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from vantage.errors import HardwareError
from vantage.spatial import Matrix
from vantage.worlds.rig.drivers import QUEUE
from vantage.worlds.rig.kinematics import Joint, Profile, plan

LEAD = 0.08  # s of a piece that go on with the motion; the rest of it brakes
BRAKE = QUEUE - LEAD  # s within which every motion can come to rest
_HOLD = 0.05  # s, of a piece that only stays where it is
_INSTANT = 1e-6  # s; phases that are shorter are left out
_ALL = 1.0 - 1e-9


@dataclass(frozen=True)
class Phase:
    """Constant acceleration along a line.

    Attributes:
        begin: s on the monotonic clock.
        duration: s
        share, speed, acceleration: at its begin, in lengths of the line.
    """

    begin: float
    duration: float
    share: float
    speed: float
    acceleration: float

    @property
    def end(self) -> float:
        return self.begin + self.duration

    def at(self, time: float) -> tuple[float, float]:
        """Share and speed at a time within it."""
        t = min(max(0.0, time - self.begin), self.duration)
        return self.share + self.speed * t + 0.5 * self.acceleration * t * t, self.speed + self.acceleration * t


@dataclass(frozen=True, eq=False)
class Motion:
    """What a controller was told last: some way along a line in phases, then rest.

    Attributes:
        start, target: ends of the line, (N,) m or rad.
        acceleration: along the line, in lengths of it per s^2.
    """

    start: Matrix
    target: Matrix
    acceleration: float
    phases: tuple[Phase, ...]

    @property
    def begin(self) -> float:
        """s on the monotonic clock."""
        return self.phases[0].begin

    @property
    def end(self) -> float:
        """s on the monotonic clock, from when on it rests."""
        return self.phases[-1].end

    @property
    def rest(self) -> Matrix:
        """(N,): where it ends."""
        return self._place(self._along(self.end)[0])

    @property
    def arrives(self) -> bool:
        """Whether it ends at the target."""
        return self._along(self.end)[0] >= _ALL

    def at(self, time: float) -> Matrix:
        """(N,): where the joints are meant to be."""
        return self._place(self._along(time)[0])

    def waypoints(self) -> list[tuple[float, Matrix, Matrix]]:
        """Seconds from its begin, positions and velocities (N,) at the ends of its phases.

        The cubic through two of them, by which controllers interpolate, is exactly the phase between them.
        """
        way = self.target - self.start
        points = []
        for phase in self.phases:
            points.append((phase.begin - self.begin, self._place(phase.share), phase.speed * way))
        points.append((self.end - self.begin, self.rest, np.zeros_like(way)))
        return points

    def onward(self, time: float, speed: float) -> Motion:
        """From where it is at ``time``: ``LEAD`` s more towards the target, then to rest."""
        share, now = self._along(time)
        drive = _drive(time, share, now, speed, self.acceleration)
        phases = _until(drive, time + LEAD)
        if phases:
            time = phases[-1].end
            share, now = phases[-1].at(time)
        return self._with([*phases, *_brake(time, share, now, self.acceleration)], time, share)

    def braking(self, time: float) -> Motion:
        """From where it is at ``time`` to rest, as fast as may be."""
        share, speed = self._along(time)
        return self._with(_brake(time, share, speed, self.acceleration), time, share)

    def _with(self, phases: list[Phase], time: float, share: float) -> Motion:
        return Motion(self.start, self.target, self.acceleration, tuple(phases) or (_still(time, share),))

    def _along(self, time: float) -> tuple[float, float]:
        """Share and speed at a time."""
        for phase in self.phases:
            if time < phase.end:
                return phase.at(time)
        return self.phases[-1].at(self.end)[0], 0.0

    def _place(self, share: float) -> Matrix:
        if share >= _ALL:
            return self.target
        return np.asarray(self.start + share * (self.target - self.start))


def resting(positions: Matrix, time: float) -> Motion:
    """Staying at ``positions`` (N,)."""
    return Motion(positions, positions, 1.0, (_still(time, 1.0),))


def beginning(profile: Profile, time: float) -> Motion:
    """At rest at the start of a profile; ``onward`` sets it going."""
    return Motion(profile.start, profile.target, profile.acceleration, (_still(time, 0.0),))


def _still(time: float, share: float) -> Phase:
    return Phase(time, _HOLD, share, 0.0, 0.0)


def _brake(time: float, share: float, speed: float, acceleration: float) -> list[Phase]:
    duration = speed / acceleration
    return [Phase(time, duration, share, speed, -acceleration)] if duration > _INSTANT else []


def _drive(time: float, share: float, speed: float, top: float, acceleration: float) -> list[Phase]:
    """To the end of the line: speed up, go at ``top`` and brake; a trapezoid, or a triangle on a short way."""
    way = max(0.0, 1.0 - share)
    peak = max(speed, min(top, math.sqrt(acceleration * way + 0.5 * speed * speed)))
    if peak <= 0.0:
        return []
    ramps = (2.0 * peak * peak - speed * speed) / (2.0 * acceleration)
    phases = []
    for duration, change in (((peak - speed) / acceleration, acceleration), (max(0.0, way - ramps) / peak, 0.0)):
        if duration > _INSTANT:
            phases.append(Phase(time, duration, share, speed, change))
            time = phases[-1].end
            share, speed = phases[-1].at(time)
    return phases + _brake(time, share, speed, acceleration)


def _until(phases: list[Phase], time: float) -> list[Phase]:
    """The part of them before a time."""
    return [
        Phase(item.begin, min(item.end, time) - item.begin, item.share, item.speed, item.acceleration)
        for item in phases
        if item.begin < time - _INSTANT
    ]


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


class TrajectoryFollower:
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
