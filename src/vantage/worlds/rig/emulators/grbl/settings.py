"""The numbered settings of an emulated controller: what ``$$`` shows and ``$x=value`` changes, as in Grbl 1.1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vantage.errors import VantageError
from vantage.worlds.rig.emulators.grbl.axes import CLEARANCE, Axis

MPOS, BUFFERS, LINES, FEED, PINS, OFFSETS, OVERRIDES = (1 << bit for bit in range(7))  # of $10, as in grblHAL
_WHOLE = {0, 1, 2, 3, 4, 5, 6, 10, 13, 20, 21, 22, 23, 26, 32}
_SWITCHES = {4, 5, 6, 13, 20, 21, 32}
_STEPS, _RATE, _ACCELERATION, _TRAVEL = 100, 110, 120, 130
_PER_AXIS = {"steps": _STEPS, "rates": _RATE, "accelerations": _ACCELERATION, "travels": _TRAVEL}


class RefusalError(VantageError):
    """A line that is answered with ``error:`` and this code."""

    def __init__(self, code: int) -> None:
        super().__init__(f"the emulated controller answers error:{code}; send a line that it understands")
        self.code = code


class GrblSettings:
    """Values by number. They outlive resets, as in the EEPROM of a board."""

    def __init__(self, axes: Sequence[Axis]) -> None:
        self._axes = tuple(axes)
        self._values: dict[int, float] = {}
        self.restore()

    def restore(self) -> None:
        """Back to what fits the axes: soft and hard limits on, homing required, everything reported."""
        downwards = sum(1 << i for i, axis in enumerate(self._axes) if not axis.homes_up)
        seek = 30.0 * max(axis.speed for axis in self._axes)
        self._values = {
            **{0: 10, 1: 255, 2: 0, 3: 0, 4: 0, 5: 0, 6: 0, 10: 511, 11: 0.01, 12: 0.002, 13: 0},
            **{20: 1, 21: 1, 22: 1, 23: downwards, 24: 600.0, 25: seek, 26: 25, 27: CLEARANCE, 30: 1000, 31: 0, 32: 0},
        }
        for i, axis in enumerate(self._axes):
            self._values[_STEPS + i] = axis.steps
            self._values[_RATE + i] = 60.0 * axis.speed
            self._values[_ACCELERATION + i] = axis.acceleration
            self._values[_TRAVEL + i] = axis.travel

    def __getitem__(self, number: int) -> float:
        return self._values[number]

    def mask(self, number: int) -> int:
        return int(self._values[number])

    def each(self, what: str) -> list[float]:
        """One value an axis: ``steps`` per mm, ``rates`` per s, ``accelerations`` per s^2 or ``travels``."""
        first, unit = _PER_AXIS[what], 60.0 if what == "rates" else 1.0
        return [self._values[first + i] / unit for i in range(len(self._axes))]

    def lines(self) -> Iterator[str]:
        """As ``$$`` prints them."""
        for number, value in sorted(self._values.items()):
            yield f"${number}={int(value)}" if number in _WHOLE else f"${number}={value:.3f}"

    def change(self, number: int, value: float) -> None:
        """What ``$number=value`` does.

        Raises:
            RefusalError: an unknown number or a value that it cannot take.
        """
        if number not in self._values:
            raise RefusalError(3)
        if value < 0:
            raise RefusalError(4)
        if number == 0 and value < 3:
            raise RefusalError(6)
        if value == 0 and (number in (11, 24, 25) or number >= _STEPS):
            raise RefusalError(19)
        if number == 20 and value and not self.mask(22):
            raise RefusalError(10)
        if number in _SWITCHES:
            value = float(value != 0)
        self._values[number] = float(int(value)) if number in _WHOLE else value
        if number == 22 and not value:
            self._values[20] = 0.0
