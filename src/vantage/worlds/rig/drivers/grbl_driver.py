"""Five-axis G-code controllers (grblHAL, FluidNC; the Grbl 1.1 dialect) on a serial port.

Each line of a motion says all that it means (G21 G90 G93 G53 G1): units, absolute machine coordinates whatever work
offsets somebody left behind, and how long it takes, so that linear and rotary axes need no common unit of speed.
Settings of the board are checked and never changed. The position counts as known after homing; after connecting only
where grblHAL says so (``H:1``), or where ``homed_on_connect`` is set and the board was running and idle already.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import numpy as np

from vantage.decoding import Section
from vantage.errors import HardwareError, StoppedError
from vantage.spatial import Matrix
from vantage.worlds.rig.clock import Clock, SystemClock
from vantage.worlds.rig.description import RigDescription
from vantage.worlds.rig.drivers.driver import QUEUE, Driver, DriverState
from vantage.worlds.rig.drivers.grbl_axes import Axes, read_axes
from vantage.worlds.rig.drivers.grbl_controller import GrblController
from vantage.worlds.rig.drivers.grbl_monitor import ControllerMonitor
from vantage.worlds.rig.drivers.grbl_motion import BRAKE, Motion
from vantage.worlds.rig.drivers.grbl_protocol import FEED_100, HOLD, RESET
from vantage.worlds.rig.drivers.grbl_settings import identify

_TURN = 2.0  # s: how long one call waits for another to end
_RETRY = 0.2  # s between attempts to open a port that is away
_REST = 1.0  # s beyond the braking time until the controller says that it is at rest


class GrblDriver(Driver):
    """See ``Driver``.

    Args:
        port, baud: of the serial line.
        following: s by which reported positions may be late.
        silence: s without a report that are a fault.
        opening: s within which the first report must come; boards that reset when opened need some.
        homed: whether a board that is idle when it is opened has been homed.
        clock: the system's where None.
    """

    def __init__(
        self,
        axes: Axes,
        port: str,
        baud: int = 115200,
        following: float = 0.3,
        silence: float = 0.5,
        opening: float = 8.0,
        homed: bool = False,
        clock: Clock | None = None,
    ) -> None:
        self.joints, self.clock = axes.joints, clock or SystemClock()
        self._axes, self._following, self._silence = axes, following, silence
        self._opening, self._homed = opening, homed
        self._monitor = ControllerMonitor(port, baud, self.clock, lambda kind, sentence: self.notify(kind, sentence))
        self._monitor.silence = silence
        self._controller = GrblController(self._monitor)
        self._braking = np.array([joint.acceleration for joint in axes.joints])  # m/s^2 or rad/s^2
        self._capacity = 0  # of the controller's planner, blocks
        self._connected = self._leaving = False
        self._turn_lock = threading.Lock()
        self._stops = self._cleared = 0

    def connect(self) -> None:
        with self._turn("connecting"):
            if not self._connected:
                self._meet()
                self._monitor.clear_fault()
                self._connected = True

    def home(self, timeout: float) -> None:
        monitor = self._monitor
        with self._turn("homing"):
            self._refuse("homing")
            self._expect("homing", "Idle", "Alarm")
            watch = self._watch(f"homing took longer than {timeout:.1f} s and was stopped", timeout)
            monitor.homed, monitor.silence = False, float("inf")  # Grbl says nothing while it homes
            try:
                with self._motion(RESET):
                    self._controller.query("$H", timeout + 1.0, watch)
                    report = self._controller.fresh_report(self._silence, watch)
            finally:
                monitor.silence = self._silence
            if report is None or report.state != "Idle":
                raise HardwareError("the controller is not idle after homing; clear, then home it again")
            monitor.homed = True

    def move(self, target: Matrix, timeout: float, turning: float = math.inf) -> DriverState:
        monitor = self._monitor
        with self._turn("a motion"):
            self._refuse("a motion")
            if not monitor.homed:
                raise HardwareError("a motion is refused: the controller does not know where it is; home it first")
            self._expect("a motion", "Idle")
            goal, start = self._checked(target), self._positions()
            if np.any(np.abs(goal - start) >= 0.5 * self._axes.resolution):
                watch = self._watch(f"the motion took longer than {timeout:.1f} s and was stopped", timeout)
                motion = Motion(
                    self._controller, self._braking, self._capacity, self._axes, start, goal, self._following, turning
                )
                with self._motion(HOLD):
                    if monitor.feed != 100:
                        monitor.link.write(FEED_100)
                    self._controller.run_in_link_thread(motion.step, lambda: motion.done, watch)
            return self.state()

    def state(self) -> DriverState:
        monitor = self._monitor
        if not self._connected:
            raise HardwareError(f"the controller on {monitor.port} is not connected; connect it first")
        with monitor.news:
            moving = bool(monitor.brake) or (monitor.report is not None and not monitor.report.resting)
            stamp, positions = monitor.stamp, self._positions()
        return DriverState(stamp, positions, moving, monitor.homed, self._held, monitor.fault)

    def stop(self) -> None:
        self._stops += 1
        self._monitor.brake_now()

    def clear(self, timeout: float = 10.0) -> None:
        end = self.clock.monotonic() + timeout
        monitor = self._monitor
        with self._turn("clearing", timeout):
            stops, trouble = self._stops, monitor.fault
            if not self._connected:
                raise HardwareError(f"the controller on {monitor.port} is not connected; connect it first")
            monitor.clear_fault()
            try:
                self._mend(end)
            except HardwareError as error:
                with monitor.news:
                    monitor.fault = monitor.fault or trouble or str(error)
                raise
            self._cleared = stops
            if trouble:
                self.notify("mended", f"mended: {trouble}")

    def close(self) -> None:
        monitor = self._monitor
        self._leaving = True
        if monitor.brake:
            monitor.brake_now()
        turn = self._turn_lock.acquire(timeout=self._rest + 2.0 * _TURN)
        try:
            if self._connected:
                self._bring_to_rest()
        finally:
            self._connected = self._leaving = False
            monitor.link.close()
            if turn:
                self._turn_lock.release()

    # Parts of the above ---------------------------------------------------------------------------------------------

    def _positions(self) -> Matrix:
        """(N,) m or rad, of the newest report.

        Raises:
            HardwareError: there was none.
        """
        if self._monitor.place is None:
            raise HardwareError(f"the controller on {self._monitor.port} has not told its position; connect it first")
        return self._axes.positions(self._monitor.place)

    def _meet(self) -> None:
        """Open it; its position counts as known if it says that it is homed, or, where the rig's file trusts it, if it
        is idle, but never if it has just started.

        Raises:
            HardwareError: it cannot be opened or does not fit.
        """
        monitor = self._monitor
        monitor.axes = 0
        restarted = self._controller.open(self._opening)
        monitor.homed = False
        self._identify(self._opening)
        monitor.homed = (self._homed or bool(monitor.reported_homed)) and self._idle and not restarted

    def _mend(self, end: float) -> None:
        """Back to rest with nothing left to do, until ``end`` (monotonic s); a lost link is opened again.

        Raises:
            HardwareError: it stays as it is.
        """
        monitor = self._monitor
        if monitor.link.alive:
            self._controller.settle(max(1.0, end - self.clock.monotonic()))
        else:
            self._reopen(end)
        if monitor.homed and not self._idle:
            self._controller.query("$X")
            self._controller.fresh_report(monitor.silence)
        if monitor.fault:
            raise HardwareError(monitor.fault)

    def _reopen(self, end: float) -> None:
        """The position is still known if the controller went on without a restart and is about where it was."""
        monitor = self._monitor
        before, trusted = self._positions(), monitor.homed
        monitor.link.close()
        while True:
            try:
                restarted = self._controller.open(max(_RETRY, end - self.clock.monotonic()))
                break
            except HardwareError:
                if self.clock.monotonic() + _RETRY > end:
                    raise
                self.clock.sleep(_RETRY)
        self._identify(max(1.0, end - self.clock.monotonic()))
        far = np.array([joint.speed for joint in self.joints]) * QUEUE + self._axes.tolerance
        near = bool(np.all(np.abs(self._positions() - before) <= far))
        monitor.homed = trusted and monitor.homed and near and self._idle and not restarted

    def _identify(self, timeout: float) -> None:
        """Bring what was just opened to rest and see whether it fits; closed again where it does not."""
        try:
            self._capacity = self._controller.settle(timeout).blocks
            self._braking = self._axes.braking(identify(self._controller, self._axes))
        except HardwareError:
            self._monitor.link.close()
            raise

    @property
    def _idle(self) -> bool:
        return self._monitor.report is not None and self._monitor.report.state == "Idle"

    @property
    def _held(self) -> bool:
        return self._stops != self._cleared

    @property
    def _rest(self) -> float:
        """s within which any motion ends."""
        return max(BRAKE, *(joint.speed / joint.acceleration for joint in self.joints)) + _REST

    @contextmanager
    def _turn(self, what: str, timeout: float | None = None) -> Iterator[None]:
        if not self._turn_lock.acquire(timeout=_TURN if timeout is None else timeout):
            raise HardwareError(f"{what} is not possible while another motion is on; wait for its end or stop it")
        try:
            yield
        finally:
            self._turn_lock.release()

    def _refuse(self, what: str) -> None:
        fault = self.state().fault
        if self._held:
            raise StoppedError(f"{what} is refused: a stop is in force; clear it first")
        if fault:
            raise HardwareError(f"{what} is refused: {fault}; clear it first")

    def _expect(self, what: str, *states: str) -> None:
        report = self._monitor.report
        if report is not None and report.state not in states:
            raise HardwareError(f"{what} is refused: the controller is in state {report.state}; clear it first")

    def _checked(self, target: Matrix) -> Matrix:
        goal = np.array(target, dtype=np.float64)
        if goal.shape != (len(self.joints),) or not np.all(np.isfinite(goal)):
            raise HardwareError(f"a target must be {len(self.joints)} finite joint positions, not {target}")
        for joint, value in zip(self.joints, goal, strict=True):
            if not joint.lower - joint.resolution <= value <= joint.upper + joint.resolution:
                raise HardwareError(
                    f"{value:.4f} {joint.unit} is beyond the limits [{joint.lower:g}, {joint.upper:g}] of joint "
                    f"'{joint.name}'; choose another target"
                )
        return goal

    def _watch(self, overdue: str, timeout: float) -> Callable[[], None]:
        """What ends a motion early."""
        end = self.clock.monotonic() + timeout

        def watch() -> None:
            if self._held or self._leaving:
                raise StoppedError("the motion was stopped; clear the stop before the next one")
            if self._monitor.fault:
                raise HardwareError(self._monitor.fault)
            if self.clock.monotonic() > end:
                self._monitor.announce("timeout", overdue)
                raise HardwareError(overdue)

        return watch

    def _bring_to_rest(self) -> None:
        """By a fresh report: while Grbl homes it sends none, so that the last one is from before the homing."""
        monitor = self._monitor
        report = self._controller.fresh_report(self._silence)
        if report is None or report.state == "Home":  # only a reset is heard while it homes
            monitor.homed = False
            with suppress(HardwareError):
                self._controller.reset(self._rest)
        elif not report.resting:
            self._controller.halt(self._rest)

    @contextmanager
    def _motion(self, brake: bytes) -> Iterator[None]:
        """Whatever ends the motion within, the machine is at rest afterwards as far as that is possible."""
        monitor = self._monitor
        with self._controller.motion(brake):
            try:
                yield
            except BaseException as error:  # Ctrl-C is no reason to go on either
                fault = monitor.fault
                self._controller.halt(self._rest)
                if isinstance(error, HardwareError) and monitor.fault and not fault:
                    raise HardwareError(monitor.fault) from error
                raise


def make_grbl(section: Section, description: RigDescription, clock: Clock | None = None) -> GrblDriver:
    """The factory behind the registered name ``grbl``. Keys: ``port``, ``baud``, ``axes`` (letter by joint), ``zeros``
    (joint position, m or rad, at machine coordinate 0), ``following`` (s that a joint may lag), ``connect_timeout`` (s)
    and ``homed_on_connect``.
    """
    driver = GrblDriver(
        read_axes(section, description.chain.joints),
        section.text("port"),
        section.whole("baud", 115200, 50, 20_000_000),
        section.number("following", 0.3, 0.05, 10.0),
        description.watchdog.state,
        section.number("connect_timeout", 8.0, 0.5, 120.0),
        section.switch("homed_on_connect", False),
        clock,
    )
    section.done()
    return driver
