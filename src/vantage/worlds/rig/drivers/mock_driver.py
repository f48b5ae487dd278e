"""Mock motors for tests: they reach each target at once, or fail where a test says so."""

from __future__ import annotations

import math

import numpy as np

from vantage.decoding import Section
from vantage.errors import HardwareError, StoppedError
from vantage.spatial import Matrix
from vantage.worlds.rig.clock import Clock, SystemClock
from vantage.worlds.rig.description import RigDescription
from vantage.worlds.rig.drivers.driver import Driver, DriverState
from vantage.worlds.rig.kinematics import Joint


class MockDriver(Driver):
    """Each motion takes ``duration`` s of its clock, the system's where None, unless it is stopped, which leaves the
    joints half way.

    Attributes:
        moves: targets of all motions that were asked for.
        failure: raised by the next motion, which then stops half way; None for none.
    """

    def __init__(
        self, joints: tuple[Joint, ...], duration: float = 0.0, homed: bool = True, clock: Clock | None = None
    ) -> None:
        self.joints, self.duration = joints, duration
        self.clock = clock or SystemClock()
        self.moves: list[Matrix] = []
        self.failure: HardwareError | None = None
        self._positions = np.array([np.clip(0.0, joint.lower, joint.upper) for joint in joints])
        self._homed, self._fault = homed, ""
        self._moving = self._connected = False
        self._held = self.clock.event()

    def connect(self) -> None:
        self._connected = True

    def home(self, timeout: float) -> None:
        self._refuse()
        self._homed = True

    def move(self, target: Matrix, timeout: float, turning: float = math.inf) -> DriverState:
        self._refuse()
        if not self._homed:
            raise HardwareError("the mock motors are not homed; home first")
        self.moves.append(np.array(target))
        half = 0.5 * (self._positions + target)
        self._moving = True
        stopped = self._held.wait(min(self.duration, timeout)) if self.duration else self._held.is_set()
        self._moving = False
        failure, self.failure = self.failure, None
        if failure is None and self.duration > timeout and not stopped:
            failure = HardwareError(f"the mock motors took longer than {timeout:g} s; raise motion_timeout")
        if failure is not None:
            self._positions, self._fault = half, str(failure)
            self.notify("mock", str(failure))
            raise failure
        if stopped:
            self._positions = half
            raise StoppedError("the motion was stopped")
        self._positions = np.array(target, dtype=np.float64)
        return self.state()

    def state(self) -> DriverState:
        if not self._connected:
            raise HardwareError("the mock motors are not connected; connect first")
        return DriverState(
            self.clock.now(), self._positions.copy(), self._moving, self._homed, self._held.is_set(), self._fault
        )

    def stop(self) -> None:
        self._held.set()

    def clear(self, timeout: float = 10.0) -> None:
        self._held.clear()
        self._fault = ""

    def close(self) -> None:
        self._held.set()
        self._connected = False

    def _refuse(self) -> None:
        state = self.state()
        if state.held:
            raise StoppedError("a stop is in force; clear it first")
        if state.fault:
            raise HardwareError(f"{state.fault}; clear it first")


def make_mock(section: Section, description: RigDescription, clock: Clock | None = None) -> MockDriver:
    """The factory behind the registered name ``mock``; keys ``duration`` (s of each motion) and ``homed``."""
    driver = MockDriver(
        description.chain.joints, section.number("duration", 0.0, 0.0, 60.0), section.switch("homed", True), clock
    )
    section.done()
    return driver
