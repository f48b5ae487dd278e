"""The speaking half of a conversation with a Grbl controller: lines that wait for their answers, and resets."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from operator import sub

from vantage.errors import HardwareError
from vantage.worlds.rig.drivers.grbl_monitor import Listener
from vantage.worlds.rig.drivers.grbl_protocol import HOLD, RESET, Error, Reply, Report
from vantage.worlds.rig.drivers.serial_link import HUNG_UP

ANSWER = 0.5  # s: the longest that a line of G-code may stay unanswered
_LOOK = 0.05  # s: how late a wait notices what nobody tells it
_MOVED = 0.1  # mm or degrees: a position that changes so much in a reset was lost
_RESTART = 5.0  # s from a soft reset to the first report after it

Watch = Callable[[], None]


def unwatched() -> None:
    """For waits that nothing interrupts."""


class Controller(Listener):
    """Asks and commands; one thread at a time. A ``watch`` is called all the while something is waited for and may
    raise, which ends the wait.
    """

    def open(self, timeout: float) -> bool:
        """Open the port and wait for the first report; whether the controller has started meanwhile.

        Raises:
            HardwareError: the port cannot be used, or nothing there answers like Grbl.
        """
        end = time.monotonic() + timeout
        self._greeting, self.noise, self.told_homed = True, "", None
        before = self.restarts
        self.link.open()
        if self.fresh(end - time.monotonic()) is None:
            self.link.close()
            heard = f"sends something else ('{self.noise}')" if self.noise else "does not answer"
            raise HardwareError(
                f"what is behind {self.port} {heard}: no Grbl controller within {timeout:.0f} s; check its power, the "
                "cable, 'baud' and whether this is the right port"
            )
        return self.restarts != before

    def settle(self, timeout: float, watch: Watch = unwatched) -> Report:
        """Bring it to rest with nothing left to do: Idle, or Alarm where it wants to be homed or unlocked first.

        Raises:
            HardwareError: it does not come to rest or back from the reset, or its door is open.
        """
        end = time.monotonic() + timeout
        self._greeting = True
        try:
            report = self.fresh(timeout, watch)
            if report is not None and not report.resting:
                self.link.write(RESET if report.state == "Home" else HOLD, urgent=True)
                report = self.rest(end - time.monotonic(), watch)
            if report is None:
                raise HardwareError(f"the controller on {self.port} does not come to rest; switch it off and on")
            report = self.reset(min(_RESTART, end - time.monotonic()))
            self.braked = False
        finally:
            self._greeting = False
        if report.state not in ("Idle", "Alarm"):
            what = "close its safety door" if report.state == "Door" else "switch it off and on"
            raise HardwareError(f"the controller on {self.port} stays in state {report.state}; {what}")
        return report

    @contextmanager
    def motion(self, brake: bytes) -> Iterator[None]:
        """While the block runs a motion is on, which ``brake`` ends."""
        self.brake = brake
        try:
            yield
        finally:
            self.brake = b""

    def halt(self, timeout: float) -> None:
        """End the motion that is on and throw away the rest of it; what fails is put into ``fault``."""
        if not self.link.alive:
            return
        reset = self.brake == RESET
        self.brake_now()  # again: a line may have slipped in after the first one
        if not reset and self.rest(timeout) is None:
            self.fail(
                "rest", f"the controller on {self.port} does not say that it came to rest; use its emergency stop"
            )
            return
        with suppress(HardwareError):
            self.reset()
            self.braked = False

    def work(self, step: Callable[[], float], done: Callable[[], bool], watch: Watch) -> None:
        """Let the link's thread call ``step`` until ``done``, which is quicker than to wake another one each time.

        Raises:
            HardwareError: the link was lost; and whatever ``watch`` raises.
        """
        self.worker = step
        try:
            self.link.wake()
            while not self.wait(done, _RESTART, watch):
                if not self.link.alive:
                    raise HardwareError(self.fault or f"{self.port} was closed during a motion; connect again")
        finally:
            self.worker = None

    def post(self, line: str) -> None:
        """Send a line; ``pending`` holds until it is answered."""
        with self.news:
            self.pending = True
            self._said.clear()
        if self.link.write(line.encode("ascii") + b"\n"):
            return
        if self.link.hung_up:
            self._on_lost(HUNG_UP)
        else:
            self.fail("link", f"{self.port} takes no more bytes; unplug the controller and plug it in again")

    def ask(self, line: str, timeout: float = 2.0, watch: Watch = unwatched) -> list[Reply]:
        """Send a line, wait for its answer, return what was said before that.

        Raises:
            HardwareError: refused, or no answer.
        """
        self.post(line)
        if not self.wait(lambda: not self.pending, timeout, watch):
            raise HardwareError(self.fault or f"the controller did not answer '{line}' within {timeout:.1f} s")
        if isinstance(self._answer, Error):
            raise HardwareError(self.refusal(self._answer))
        with self.news:
            return list(self._said)

    def fresh(self, timeout: float, watch: Watch = unwatched) -> Report | None:
        """A report that was asked for after this call; None where none came."""
        mark = time.monotonic()
        return self.report if self.wait(lambda: self.reported >= mark, timeout, watch) else None

    def rest(self, timeout: float, watch: Watch = unwatched) -> Report | None:
        """A report, asked for after this call, that says that nothing moves; None where none came."""
        mark = time.monotonic()

        def resting() -> bool:
            return self.reported >= mark and self.report is not None and self.report.resting

        return self.report if self.wait(resting, timeout, watch) else None

    def reset(self, timeout: float = _RESTART) -> Report:
        """Soft reset: throws away every line and motion that waits. The position survives it only at rest.

        Raises:
            HardwareError: the controller does not come back.
        """
        before, place = self.restarts, self.place
        with self.news:
            self._resetting, self.pending = True, False
        try:
            self.link.write(RESET, urgent=True)
            back = self.wait(lambda: self.restarts != before, timeout) and self.fresh(timeout)
        finally:
            with self.news:
                self._resetting = self.pending = False
        if not back:
            if not self.link.alive:
                raise HardwareError(self.fault or f"{self.port} was closed; connect again")
            self.fail("silent", f"the controller on {self.port} does not come back from a reset; switch it off and on")
            raise HardwareError(self.fault)
        if max(map(abs, map(sub, self.place or (), place or ())), default=_MOVED) >= _MOVED:
            self.homed = False
        return back

    def wait(self, done: Callable[[], bool], timeout: float, watch: Watch = unwatched) -> bool:
        """Until something holds; False after ``timeout`` s or once the link is lost."""
        end = time.monotonic() + timeout
        while True:
            watch()
            with self.news:
                if done():
                    return True
                left = end - time.monotonic()
                if left <= 0.0 or not self.link.alive:
                    return False
                self.news.wait(min(left, _LOOK))
