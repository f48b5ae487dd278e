"""Motors that exist only in simulated time: the rig moves as its description says, in no time at all."""

from __future__ import annotations

import math
import threading

import numpy as np

from vantage.decoding import Section
from vantage.errors import HardwareError, StoppedError
from vantage.spatial import Matrix
from vantage.worlds.rig.clock import VirtualClock
from vantage.worlds.rig.description import RigDescription
from vantage.worlds.rig.drivers.driver import Driver, DriverState
from vantage.worlds.rig.kinematics import Joint, plan

_TICK = 0.02  # s of simulated time between two looks at whether to stop


class SimulatedDriver(Driver):
    """Starts in the middle of its limits, homed; stops where it can brake to rest, as real motors do, but knows no
    steps."""

    def __init__(self, joints: tuple[Joint, ...]) -> None:
        self.joints = joints
        self.clock = VirtualClock()
        self._positions = np.array([_place(joint, 0.5 * (joint.lower + joint.upper)) for joint in joints])
        self._connected = self._moving = False
        self._stops = self._cleared = 0
        self._one_by_one = threading.Lock()

    def connect(self) -> None:
        self._connected = True

    def home(self, timeout: float) -> None:
        """The reference position is where each joint's travel begins, or closest to 0 where it has no beginning."""
        self.move(np.array([_place(joint, joint.lower) for joint in self.joints]), timeout)

    def move(self, target: Matrix, timeout: float, turning: float = math.inf) -> DriverState:
        with self._one_by_one:
            stops = self._stops
            self._check()
            profile = plan(self._positions, np.asarray(target, dtype=np.float64), self.joints, turning=turning)
            if profile.duration > timeout:
                raise HardwareError(
                    f"the motion would take {profile.duration:.1f} s, longer than its deadline of {timeout:.1f} s; "
                    "raise motion_timeout or the speeds of the joints"
                )
            self._moving = True
            passed = 0.0
            while passed < profile.duration:
                tick = min(_TICK, profile.duration - passed)
                self.clock.sleep(tick)
                passed += tick
                self._positions = profile.at(passed)
                if self._stops != stops:
                    braking = profile.braked(passed)
                    self.clock.sleep(braking.duration)
                    self._positions = braking.target
                    self._moving = False
                    raise StoppedError("the motion was stopped")
            self._moving = False
            return self.state()

    def state(self) -> DriverState:
        if not self._connected:
            raise HardwareError("the simulated motors are not connected; connect first")
        return DriverState(self.clock.now(), self._positions.copy(), self._moving, held=self._held)

    def stop(self) -> None:
        self._stops += 1

    def clear(self, timeout: float = 10.0) -> None:
        self._cleared = self._stops

    def close(self) -> None:
        self.stop()
        self._connected = False

    @property
    def _held(self) -> bool:
        return self._stops != self._cleared

    def _check(self) -> None:
        self.state()
        if self._held:
            raise StoppedError("a stop is in force; clear it first")


def _place(joint: Joint, position: float) -> float:
    """A position, or the one closest to 0 where it is not finite."""
    return position if math.isfinite(position) else float(np.clip(0.0, joint.lower, joint.upper))


def make_simulated(section: Section, description: RigDescription) -> SimulatedDriver:
    """The factory behind the registered name ``simulated``."""
    section.done()
    return SimulatedDriver(description.chain.joints)
