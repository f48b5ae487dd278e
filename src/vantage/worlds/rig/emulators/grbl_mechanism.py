"""The machine behind an emulated controller: where its axes really are, its switches and what encoders tell."""

from __future__ import annotations

import math
from collections.abc import Sequence

from vantage.worlds.rig.emulators.grbl_axes import Axis

_TINY = 1e-9


class Mechanism:
    """True positions, mm or degrees. Encoders see what an axis really does, counted from ``datum``.

    Attributes:
        true: where each axis is.
        datum: true position where the controller's coordinate is 0; all zero once it is homed.
        least, most: the extremes that each axis ever reached, but for homing, which goes to the switches on purpose.
        stuck: the axis that does not follow, by number.
    """

    def __init__(self, axes: Sequence[Axis], steps: Sequence[float]) -> None:
        self.axes = tuple(axes)
        self.steps = list(steps)
        self.true = [axis.first for axis in axes]
        self.datum = [0.0] * len(axes)
        self._slip = [0.0] * len(axes)
        self.least, self.most = list(self.true), list(self.true)
        self.stuck: int | None = None

    def reading(self) -> tuple[float, ...]:
        """Machine coordinates as the encoders tell them."""
        return tuple(true - datum for true, datum in zip(self.true, self.datum, strict=True))

    def forget(self) -> None:
        """Count from 0 where the axes stand now."""
        self.datum = list(self.true)

    def lose(self, ways: Sequence[float]) -> None:
        """The axes went so far without being counted."""
        self.datum = [datum + way for datum, way in zip(self.datum, ways, strict=True)]

    def resync(self) -> tuple[float, ...]:
        """At rest: what the motor counters are set to, so that they agree with the encoders."""
        self._slip = [0.0] * len(self.axes)
        return self.reading()

    def follow(self, counters: Sequence[float]) -> None:
        """Go where the motors are stepped to."""
        for i, counter in enumerate(counters):
            stepped = round(counter * self.steps[i]) / self.steps[i] + self.datum[i]
            self.place(i, stepped + self._slip[i])
            if i == self.stuck or self.true[i] != stepped + self._slip[i]:
                self._slip[i] = self.true[i] - stepped
            self.least[i] = min(self.least[i], self.true[i])
            self.most[i] = max(self.most[i], self.true[i])

    def place(self, i: int, position: float) -> None:
        """Put one axis somewhere, unless it is stuck; it never gets past where it is blocked."""
        if i == self.stuck:
            return
        low, high = self.axes[i].stops
        self.true[i] = min(max(position, low), high)

    def crossing(self, start: Sequence[float], direction: Sequence[float], length: float) -> float | None:
        """How far along a line (counters) the first switch trips; None where none does."""
        first = math.inf
        for i, d in enumerate(direction):
            if d and i != self.stuck:
                low, high = self.axes[i].switches
                edge = high if d > 0 else low
                way = (edge - start[i] - self.datum[i] - self._slip[i]) / d
                if way <= length - _TINY:
                    first = min(first, max(0.0, way))
        return first if math.isfinite(first) else None

    def triggered(self) -> list[int]:
        """Axes that stand on a switch, by number."""
        return [
            i
            for i, (axis, true) in enumerate(zip(self.axes, self.true, strict=True))
            if not axis.switches[0] + _TINY < true < axis.switches[1] - _TINY
        ]
