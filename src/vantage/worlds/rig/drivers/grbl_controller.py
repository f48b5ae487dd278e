"""Commands to a Grbl controller: lines that wait for their answers, braking, and resets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from operator import sub

from vantage.errors import HardwareError
from vantage.worlds.rig.drivers.grbl_monitor import ControllerMonitor
from vantage.worlds.rig.drivers.grbl_protocol import HOLD, RESET, Error, Reply, Report
from vantage.worlds.rig.drivers.serial_link import HUNG_UP

ANSWER = 0.5  # s: the longest that a line of G-code may stay unanswered
_LOOK = 0.05  # s: how late a wait notices what no notification announces
_MOVED = 0.1  # mm or degrees: a position that changes so much in a reset was lost
_RESTART = 5.0  # s from a soft reset to the first report after it

Watch = Callable[[], None]


def unwatched() -> None:
    """For waits that nothing interrupts."""


class GrblController:
    """Sends queries and commands; one thread at a time.

    A ``watch`` is called all the while something is waited for and may raise, which ends the wait.

    Args:
        monitor: what is known about the controller, whose link carries the lines.
    """

    def __init__(self, monitor: ControllerMonitor) -> None:
        self.monitor, self.port, self._clock = monitor, monitor.port, monitor.clock

    def open(self, timeout: float) -> bool:
        """Open the port and wait for the first report; whether the controller has started meanwhile.

        Raises:
            HardwareError: the port cannot be used, or nothing there answers like Grbl.
        """
        end = self._clock.monotonic() + timeout
        self.monitor.greeting, self.monitor.noise, self.monitor.reported_homed = True, "", None
        before = self.monitor.restarts
        self.monitor.link.open()
        if self.fresh_report(end - self._clock.monotonic()) is None:
            self.monitor.link.close()
            heard = f"sends something else ('{self.monitor.noise}')" if self.monitor.noise else "does not answer"
            raise HardwareError(
                f"what is behind {self.port} {heard}: no Grbl controller within {timeout:.0f} s; check its power, the "
                "cable, 'baud' and whether this is the right port"
            )
        return self.monitor.restarts != before

    def settle(self, timeout: float, watch: Watch = unwatched) -> Report:
        """Bring it to rest with nothing left to do: Idle, or Alarm where it wants to be homed or unlocked first.

        Raises:
            HardwareError: it does not come to rest or back from the reset, or its door is open.
        """
        end = self._clock.monotonic() + timeout
        self.monitor.greeting = True
        try:
            report = self.fresh_report(timeout, watch)
            if report is not None and not report.resting:
                self.monitor.link.write(RESET if report.state == "Home" else HOLD, urgent=True)
                report = self.report_at_rest(end - self._clock.monotonic(), watch)
            if report is None:
                raise HardwareError(f"the controller on {self.port} does not come to rest; switch it off and on")
            report = self.reset(min(_RESTART, end - self._clock.monotonic()))
            self.monitor.braked = False
        finally:
            self.monitor.greeting = False
        if report.state not in ("Idle", "Alarm"):
            what = "close its safety door" if report.state == "Door" else "switch it off and on"
            raise HardwareError(f"the controller on {self.port} stays in state {report.state}; {what}")
        return report

    @contextmanager
    def motion(self, brake: bytes) -> Iterator[None]:
        """While the block runs a motion is on, which ``brake`` ends."""
        self.monitor.brake = brake
        try:
            yield
        finally:
            self.monitor.brake = b""

    def halt(self, timeout: float) -> None:
        """End the motion that is on and throw away the rest of it; what fails is put into ``fault``."""
        if not self.monitor.link.alive:
            return
        reset = self.monitor.brake == RESET
        self.monitor.brake_now()  # again: a line may have slipped in after the first one
        if not reset and self.report_at_rest(timeout) is None:
            self.monitor.fail(
                "rest",
                f"the controller on {self.port} does not say that it came to rest; use its emergency stop",
            )
            return
        with suppress(HardwareError):
            self.reset()
            self.monitor.braked = False

    def run_in_link_thread(self, step: Callable[[], float], done: Callable[[], bool], watch: Watch) -> None:
        """Let the link's thread call ``step`` until ``done``, which is quicker than to wake another one each time.

        Raises:
            HardwareError: the link was lost; and whatever ``watch`` raises.
        """
        self.monitor.worker = step
        try:
            self.monitor.link.wake()
            while not self.wait(done, _RESTART, watch):
                if not self.monitor.link.alive:
                    raise HardwareError(self.monitor.fault or f"{self.port} was closed during a motion; connect again")
        finally:
            self.monitor.worker = None

    def send(self, line: str) -> None:
        """Send a line; ``pending`` holds until it is answered."""
        self.monitor.expect_answer()
        if self.monitor.link.write(line.encode("ascii") + b"\n"):
            return
        if self.monitor.link.hung_up:
            self.monitor.lost(HUNG_UP)
        else:
            self.monitor.fail("link", f"{self.port} takes no more bytes; unplug the controller and plug it in again")

    def query(self, line: str, timeout: float = 2.0, watch: Watch = unwatched) -> list[Reply]:
        """Send a line, wait for its answer, return what was said before that.

        Raises:
            HardwareError: refused, or no answer.
        """
        self.send(line)
        if not self.wait(lambda: not self.monitor.pending, timeout, watch):
            raise HardwareError(self.monitor.fault or f"the controller did not answer '{line}' within {timeout:.1f} s")
        if isinstance(self.monitor.answer, Error):
            raise HardwareError(self.monitor.refusal(self.monitor.answer))
        with self.monitor.news:
            return list(self.monitor.said)

    def fresh_report(self, timeout: float, watch: Watch = unwatched) -> Report | None:
        """A report that was requested after this call; None where none came."""
        mark = self._clock.monotonic()
        return self.monitor.report if self.wait(lambda: self.monitor.reported >= mark, timeout, watch) else None

    def report_at_rest(self, timeout: float, watch: Watch = unwatched) -> Report | None:
        """A report, requested after this call, that says that nothing moves; None where none came."""
        mark = self._clock.monotonic()

        def resting() -> bool:
            return self.monitor.reported >= mark and self.monitor.report is not None and self.monitor.report.resting

        return self.monitor.report if self.wait(resting, timeout, watch) else None

    def reset(self, timeout: float = _RESTART) -> Report:
        """Soft reset: throws away every line and motion that waits. The position survives it only at rest.

        Raises:
            HardwareError: the controller does not come back.
        """
        before, place = self.monitor.restarts, self.monitor.place
        with self.monitor.news:
            self.monitor.resetting, self.monitor.pending = True, False
        try:
            self.monitor.link.write(RESET, urgent=True)
            back = self.wait(lambda: self.monitor.restarts != before, timeout) and self.fresh_report(timeout)
        finally:
            with self.monitor.news:
                self.monitor.resetting = self.monitor.pending = False
        if not back:
            if not self.monitor.link.alive:
                raise HardwareError(self.monitor.fault or f"{self.port} was closed; connect again")
            self.monitor.fail(
                "silent", f"the controller on {self.port} does not come back from a reset; switch it off and on"
            )
            raise HardwareError(self.monitor.fault)
        if max(map(abs, map(sub, self.monitor.place or (), place or ())), default=_MOVED) >= _MOVED:
            self.monitor.homed = False
        return back

    def wait(self, done: Callable[[], bool], timeout: float, watch: Watch = unwatched) -> bool:
        """Until something holds; False after ``timeout`` s or once the link is lost."""
        end = self._clock.monotonic() + timeout
        while True:
            watch()
            with self.monitor.news:
                if done():
                    return True
                left = end - self._clock.monotonic()
                if left <= 0.0 or not self.monitor.link.alive:
                    return False
                self.monitor.news.wait(min(left, _LOOK))
