"""Five-axis G-code controllers (grblHAL, FluidNC; the Grbl 1.1 dialect) on a serial port.

Each line of a motion says all that it means (G21 G90 G93 G53 G1): units, absolute machine coordinates whatever work
offsets somebody left behind, and how long it takes, so that linear and rotary axes need no common unit of speed.
Settings of the board are checked and never changed. The position counts as known after homing; after connecting only
where grblHAL says so (``H:1``), or where ``homed_on_connect`` is set and the board was running and idle already.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from vantage.errors import HardwareError, StoppedError
from vantage.spatial import Matrix
from vantage.worlds.rig.clock import SystemClock
from vantage.worlds.rig.description import RigDescription
from vantage.worlds.rig.drivers.driver import QUEUE, Driver, DriverState
from vantage.worlds.rig.drivers.grbl_axes import Axes, read_axes
from vantage.worlds.rig.drivers.grbl_controller import Controller
from vantage.worlds.rig.drivers.grbl_dialect import HOLD, RESET
from vantage.worlds.rig.drivers.grbl_motion import Motion
from vantage.worlds.rig.drivers.grbl_settings import introduce
from vantage.worlds.rig.drivers.grbl_stream import BRAKE
from vantage.worlds.rig.section import Section

_TURN = 2.0  # s: how long one call waits for another to end
_REST = 1.0  # s beyond the braking time until the controller says that it is at rest
_RETRY = 0.2  # s between attempts to open a port that is away


class GrblDriver(Driver):
    """See ``Driver``.

    Args:
        port, baud: of the serial line.
        following: s by which reported positions may be late.
        silence: s without a report that are a fault.
        opening: s within which the first report must come; boards that reset when opened need some.
        homed: whether a board that is idle when it is opened has been homed.
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
    ) -> None:
        self.joints, self.clock = axes.joints, SystemClock()
        self._axes, self._following, self._silence, self._opening, self._homed = (
            axes,
            following,
            silence,
            opening,
            homed,
        )
        self._controller = Controller(
            port, baud, lambda: self.clock.now(), lambda kind, sentence: self.notify(kind, sentence)
        )
        self._connected = self._leaving = False
        self._turn_lock = threading.Lock()
        self._stops = self._cleared = 0
        self._braking = np.array([joint.acceleration for joint in self.joints])
        self._capacity = 0

    def connect(self) -> None:
        with self._turn("connecting"):
            if self._connected:
                return
            controller = self._controller
            try:
                restarted = controller.open(self._opening)
                controller.homed = False
                self._meet()
            except HardwareError:
                controller.link.close()
                raise
            report = controller.report
            trusted = controller.told_homed or self._homed
            controller.homed = trusted and not restarted and report is not None and report.state == "Idle"
            controller.forgive()
            self._connected = True

    def home(self, timeout: float) -> None:
        controller = self._controller
        with self._turn("homing"):
            self._refuse("homing", ("Idle", "Alarm"))
            watch = self._watch(f"homing took longer than {timeout:.1f} s and was stopped", timeout)
            controller.homed, controller.silence = False, float("inf")  # Grbl says nothing while it homes
            try:
                with self._motion(RESET):
                    controller.ask("$H", timeout + 1.0, watch)
                    report = controller.fresh(self._silence, watch)
            finally:
                controller.silence = self._silence
            if report is None or report.state != "Idle":
                raise HardwareError("the controller is not idle after homing; clear, then home it again")
            controller.homed = True

    def move(self, target: Matrix, timeout: float) -> DriverState:
        with self._turn("a motion"):
            self._refuse("motion", ("Idle",))
            if not self._controller.homed:
                raise HardwareError("the controller does not know where it is; home it first")
            goal = self._checked(target)
            start = self.state().positions
            if np.any(np.abs(goal - start) >= 0.5 * self._axes.resolution):
                watch = self._watch(f"the motion took longer than {timeout:.1f} s and was stopped", timeout)
                motion = Motion(self._controller, self._axes, self._capacity, self._braking, self._following, watch)
                with self._motion(HOLD):
                    motion.run(start, goal)
            return self.state()

    def state(self) -> DriverState:
        controller = self._controller
        report = controller.report
        if not self._connected or report is None or report.position is None:
            raise HardwareError(f"the controller on {controller.port} is not connected; connect it first")
        with controller.news:
            report, stamp = controller.report, controller.stamp
            assert report is not None
            assert report.position is not None
        moving = bool(controller.brake) or not report.resting
        positions = self._axes.positions(report.position)
        return DriverState(stamp, positions, moving, controller.homed, self._held, controller.fault)

    def stop(self) -> None:
        self._stops += 1
        self._controller.brake_now()

    def clear(self, timeout: float = 10.0) -> None:
        end = time.monotonic() + timeout
        controller = self._controller
        with self._turn("clearing", timeout):
            stops, trouble = self._stops, controller.fault
            if not self._connected:
                raise HardwareError(f"the controller on {controller.port} is not connected; connect it first")
            controller.forgive()
            try:
                self._mend(end)
            except HardwareError as error:
                with controller.news:
                    controller.fault = controller.fault or trouble or str(error)
                raise
            self._cleared = stops
            if trouble:
                self.notify("mended", f"mended: {trouble}")

    def close(self) -> None:
        controller = self._controller
        self._leaving = True
        if controller.brake:
            controller.brake_now()
        turn = self._turn_lock.acquire(timeout=self._rest + 2.0 * _TURN)
        try:
            if self._connected and controller.report is not None and not controller.report.resting:
                controller.halt(self._rest)
            self._connected = False
            controller.link.close()
        finally:
            self._leaving = False
            if turn:
                self._turn_lock.release()

    # Parts of the above ---------------------------------------------------------------------------------------------

    @property
    def _held(self) -> bool:
        return self._stops != self._cleared

    @property
    def _rest(self) -> float:
        """s within which any motion ends."""
        return max(BRAKE, *(joint.speed / joint.acceleration for joint in self.joints)) + _REST

    @contextmanager
    def _turn(self, what: str, timeout: float = _TURN) -> Iterator[None]:
        if not self._turn_lock.acquire(timeout=timeout):
            raise HardwareError(f"{what} is not possible while another motion is on; wait for its end or stop it")
        try:
            yield
        finally:
            self._turn_lock.release()

    def _refuse(self, what: str, states: tuple[str, ...]) -> None:
        controller = self._controller
        self.state()
        if self._held:
            raise StoppedError(f"{what} is refused: a stop is in force; clear it first")
        if controller.fault:
            raise HardwareError(f"{what} is refused: {controller.fault}; clear it first")
        report = controller.report
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
        end = time.monotonic() + timeout

        def watch() -> None:
            if self._held or self._leaving:
                raise StoppedError("the motion was stopped; clear the stop before the next one")
            if self._controller.fault:
                raise HardwareError(self._controller.fault)
            if time.monotonic() > end:
                self._controller.tell("timeout", overdue)
                raise HardwareError(overdue)

        return watch

    @contextmanager
    def _motion(self, brake: bytes) -> Iterator[None]:
        """Whatever ends the motion within, the machine is at rest afterwards as far as that is possible."""
        controller = self._controller
        with controller.motion(brake):
            try:
                yield
            except HardwareError as error:
                fault = controller.fault
                controller.halt(self._rest)
                if controller.fault and not fault:
                    raise HardwareError(controller.fault) from error
                raise

    def _mend(self, end: float) -> None:
        """Back to rest with nothing left to do; a lost link is opened again."""
        controller = self._controller
        if not controller.link.alive:
            self._reopen(end)
        else:
            controller.settle(max(1.0, end - time.monotonic()))
        report = controller.report
        if report is not None and report.state == "Alarm" and controller.homed:
            controller.ask("$X")
            report = controller.fresh(self._silence)
        if controller.fault or report is None:
            raise HardwareError(controller.fault or f"the controller on {controller.port} is silent; check its power")

    def _reopen(self, end: float) -> None:
        """The position is still known if the controller went on without a restart and is about where it was."""
        controller = self._controller
        place, trusted = self.state().positions, controller.homed
        controller.link.close()
        while True:
            try:
                restarted = controller.open(max(_RETRY, end - time.monotonic()))
                break
            except HardwareError:
                if time.monotonic() + _RETRY > end:
                    raise
                time.sleep(_RETRY)
        try:
            self._meet()
        except HardwareError:
            controller.link.close()
            raise
        state = self.state()
        far = np.array([joint.speed for joint in self.joints]) * QUEUE + self._axes.tolerance
        near = bool(np.all(np.abs(state.positions - place) <= far))
        idle = controller.report is not None and controller.report.state == "Idle"
        controller.homed = trusted and controller.homed and near and idle and not restarted

    def _meet(self) -> None:
        """Bring what has just been opened to rest and see whether it fits."""
        controller = self._controller
        controller.axes, controller.silence = 0, self._silence
        report = controller.settle(self._opening)
        settings = introduce(controller, self._axes)
        self._braking, self._capacity = self._axes.braking(settings), report.blocks


def make_grbl(section: Section, description: RigDescription) -> GrblDriver:
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
    )
    section.done()
    return driver
