"""The homing cycle of an emulated controller: seek the switches, pull off, touch again slowly, pull off."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from vantage.worlds.rig.emulators.grbl.axes import Axis, Mechanism
from vantage.worlds.rig.emulators.grbl.replies import Alarm
from vantage.worlds.rig.emulators.grbl.settings import GrblSettings

_SEARCH, _LOCATE = 1.5, 5.0  # of the travel, of the pull-off distance: how far a switch is looked for


@dataclass(frozen=True)
class SpeedProfile:
    """``way`` mm or degrees from rest to rest."""

    way: float
    speed: float
    acceleration: float

    @property
    def _rise(self) -> float:
        return min(self.speed / self.acceleration, math.sqrt(self.way / self.acceleration))

    @property
    def duration(self) -> float:
        rise = self._rise
        return rise + self.way / (self.acceleration * rise) if self.way else 0.0

    def at(self, t: float) -> float:
        """How far it is after t s."""
        rise, a, left = self._rise, self.acceleration, self.duration - t
        if left <= 0.0:
            return self.way
        if left < rise:
            return self.way - 0.5 * a * left**2
        return 0.5 * a * t**2 if t < rise else 0.5 * a * rise**2 + a * rise * (t - rise)

    def speed_at(self, t: float) -> float:
        return max(0.0, self.acceleration * min(t, self._rise, self.duration - t))

    def when(self, distance: float) -> float:
        """s until it is so far."""
        rise, a = self._rise, self.acceleration
        if distance >= self.way:
            return self.duration
        if distance <= 0.5 * a * rise**2:
            return math.sqrt(max(0.0, 2.0 * distance / a))
        if distance >= self.way - 0.5 * a * rise**2:
            return self.duration - math.sqrt(max(0.0, 2.0 * (self.way - distance) / a))
        return rise + (distance - 0.5 * a * rise**2) / (a * rise)


@dataclass(frozen=True)
class _HomingMove:
    """One axis in one phase: from ``start``, in a direction of 1 or -1, until ``contact`` if that is finite."""

    axis: int
    start: float
    direction: int
    ramp: SpeedProfile
    contact: float


class Homing:
    """Axes home in groups, those of a group together. Drive it with ``advance`` up to ``end``.

    Attributes:
        end: when the phase under way ends.
        alarm: why it failed, if it did.
        done: all axes stand off their switches.
    """

    def __init__(
        self, mechanism: Mechanism, settings: GrblSettings, groups: Sequence[Sequence[int]], now: float
    ) -> None:
        self._mechanism, self._settings = mechanism, settings
        self._phases = [
            (group, towards, fast) for group in groups for towards, fast in ((1, 1), (-1, 1), (1, 0), (-1, 0))
        ]
        self._legs: list[_HomingMove] = []
        self.end = self._begin = self._now = now
        self.alarm, self.done = Alarm.NONE, False
        self._start_phase(now)

    def advance(self, now: float) -> None:
        """Go on to a time; phases follow each other after the debounce delay ($26)."""
        while not self.done and not self.alarm:
            self._now = min(now, self.end)
            self._move(self._now - self._begin)
            if now < self.end:
                return
            self._end_phase()

    @property
    def under_way(self) -> list[int]:
        """Axes that move in this phase, by number."""
        return [leg.axis for leg in self._legs]

    def rates(self) -> dict[int, float]:
        """Commanded speed of each axis under way, per s."""
        t = self._now - self._begin
        return {
            leg.axis: leg.direction * leg.ramp.speed_at(t) if leg.ramp.at(t) < self._reach(leg) else 0.0
            for leg in self._legs
        }

    def refresh(self) -> None:
        """After an axis got stuck or came free: reckon again when the phase ends."""
        if not self.done and not self.alarm:
            self.end = self._begin + self._duration()

    def place(self, axis: Axis, number: int) -> float:
        """The machine coordinate of an axis that has homed: off the switch by the pull-off distance."""
        pull = self._settings[27]
        return axis.switches[0] + pull if self._direction(number) < 0 else axis.switches[1] - pull

    def _direction(self, number: int) -> int:
        return -1 if self._settings.mask(23) >> number & 1 else 1

    def _start_phase(self, now: float) -> None:
        group, towards, fast = self._phases[0]
        pull, seek = self._settings[27], self._settings[25 if fast else 24] / 60.0
        self._begin, self._legs = now, []
        for i in group:
            axis, true = self._mechanism.axes[i], self._mechanism.true[i]
            direction = self._direction(i) * towards
            travel = self._settings.each("travels")[i]
            way = pull if towards < 0 else _SEARCH * travel if fast else _LOCATE * pull
            ramp = SpeedProfile(
                way,
                min(seek, self._settings.each("rates")[i]),
                self._settings.each("accelerations")[i],
            )
            switch = axis.switches[direction > 0]
            contact = math.inf if towards < 0 else max(0.0, (switch - true) * direction)
            self._legs.append(_HomingMove(i, true, direction, ramp, contact))
        self.end = now + self._duration()

    def _duration(self) -> float:
        wait = self._settings[26] / 1000.0
        return wait + max(leg.ramp.when(self._reach(leg)) for leg in self._legs)

    def _reach(self, leg: _HomingMove) -> float:
        return leg.ramp.way if leg.axis == self._mechanism.stuck else min(leg.contact, leg.ramp.way)

    def _move(self, t: float) -> None:
        for leg in self._legs:
            way = min(leg.ramp.at(t), leg.contact)
            self._mechanism.place(leg.axis, leg.start + leg.direction * way)

    def _end_phase(self) -> None:
        _, towards, _ = self._phases.pop(0)
        on = self._mechanism.triggered()
        for leg in self._legs:
            if towards > 0 and leg.axis not in on:
                self.alarm = Alarm.NOT_FOUND
            elif towards < 0 and leg.axis in on:
                self.alarm = Alarm.NOT_CLEARED
        if not self.alarm and not self._phases:
            self.done = True
        elif not self.alarm:
            self._start_phase(self.end)
