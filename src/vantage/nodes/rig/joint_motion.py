"""A straight motion in joint space, told to a controller in short pieces that each end at rest."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vantage.spatial import Matrix
from vantage.worlds.rig.drivers.driver import QUEUE
from vantage.worlds.rig.kinematics.trajectory import Profile

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
