"""The state of a Grbl controller, kept up to date from its lines; faults are detected, announced and braked for."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable

from vantage.worlds.rig.clock import Clock
from vantage.worlds.rig.drivers.grbl_protocol import (
    GRBL,
    HOLD,
    RESET,
    STATUS_QUERY,
    Alarm,
    Banner,
    Error,
    Garbage,
    Message,
    Ok,
    Reply,
    Report,
    Setting,
    alarm_keeps_position,
    alarm_text,
    error_text,
    parse,
)
from vantage.worlds.rig.drivers.serial_link import Link

_RESTING, _MOVING = 0.05, 0.02  # s between questions for a report
_PATIENCE = 4.0  # how much longer silence may be at rest
_ONE_EVENT = 1.0  # s within which more of a kind is not announced again
_KEPT = 1000  # unsolicited lines, and those before an answer
_AGAIN = 0.2  # s after which a question counts as dropped, as Grbl does with some


class ControllerMonitor:
    """What is known about the controller. The link's thread keeps it up to date; all else reads under ``news``.

    What goes wrong is put into ``fault``, where the first reason stays until ``clear_fault``, and passed to ``notify``,
    but more of one kind not before ``clear_fault``, or a second later if it is no fault. While a motion is on it also
    brakes at once.

    Attributes:
        news: notified of each report, answer, restart and fault.
        report: the newest, None before the first; ``stamp`` ns and ``seen`` (monotonic s) are when it came.
        place: machine coordinates, mm or degrees, of the newest report that tells them.
        homed: whether the position can be trusted; ``reported_homed`` what the controller said of it, None for nothing.
        reported: when the question was asked that the newest report answers, monotonic s.
        pending: whether a line has not been answered; ``answer`` the answer to the newest line that was, and ``said``
            what came before it without being one.
        greeting, resetting: what the controller says at present is expected, because it was just opened or reset.
        worker: called by the link's thread after all that came was heard; returns the most s until the next call.
        brake: the byte that ends the motion that is on, empty while none is; ``braked``: it was sent, and
            nothing must follow it until the machine has been brought to rest.
        silence: s without a report that are a fault during a motion; infinite while silence is to be expected.
        axes: how many each report must have at least, 0 while that is not known.
        feed: override in percent.
        firmware: one of the names in ``grbl_protocol``.
        restarts: banners seen.
        noise: the newest line that no Grbl controller says, empty for none.
    """

    def __init__(self, port: str, baud: int, clock: Clock, notify: Callable[[str, str], None]) -> None:
        self.port = port
        self.link = Link(port, baud, self._on_line, self._on_tick, self.lost, clock)
        self.news: threading.Condition = clock.condition()
        self.report: Report | None = None
        self.place: tuple[float, ...] | None = None
        self.seen = self.reported = -1.0
        self.worker: Callable[[], float] | None = None
        self.stamp, self.restarts, self.axes, self.feed = 0, 0, 0, 100
        self.brake = b""
        self.braked = self.homed = False
        self.reported_homed: bool | None = None
        self.silence, self.firmware, self.fault, self.noise = math.inf, GRBL, "", ""
        self.clock, self._notify = clock, notify
        self._announced: dict[str, float] = {}  # monotonic s: when each kind was announced last
        self.greeting = self.resetting = self.pending = False
        self.answer: Ok | Error = Ok()
        self.said: deque[Reply] = deque(maxlen=_KEPT)
        self._asked: float | None = None  # monotonic s: when the oldest open query was sent
        self._next_question = 0.0

    def brake_now(self) -> None:
        """Put the brake on. Takes no lock, so that whoever holds one cannot delay it."""
        self.braked = True
        brake = self.brake or HOLD
        if brake == RESET:
            self.homed, self.resetting = False, True
        self.link.write(brake, urgent=True)
        if self.news.acquire(blocking=False):
            self.news.notify_all()
            self.news.release()

    def fail(self, kind: str, sentence: str) -> None:
        """Something that stops what moves and refuses motion from now on."""
        if self.brake:
            self.brake_now()
        with self.news:
            if not self.fault:
                self.fault = sentence
                self._announced.pop(kind, None)
            self.news.notify_all()
        self.announce(kind, sentence)

    def fall_silent(self) -> None:
        """It says nothing any more."""
        self.fail("silent", f"the controller on {self.port} has fallen silent; check its power and cable")

    def announce(self, kind: str, sentence: str) -> None:
        """Pass an event to ``notify``, unless one of its kind was announced just before."""
        now = self.clock.monotonic()
        with self.news:
            known = kind in self._announced and (bool(self.fault) or now - self._announced[kind] < _ONE_EVENT)
            if not known:
                self._announced[kind] = now
        if not known:
            self._notify(kind, sentence)

    def refusal(self, error: Error) -> str:
        """In words."""
        return f"the controller refused a line with error {error.code}: {error_text(error.code, self.firmware)}"

    def expect_answer(self) -> None:
        """A line is about to be sent."""
        with self.news:
            self.pending = True
            self.said.clear()

    def clear_fault(self) -> None:
        """No fault any more; whatever goes wrong from now on is announced again."""
        with self.news:
            self.fault = ""
            self._announced.clear()

    def _on_tick(self) -> float:
        now = self.clock.monotonic()
        with self.news:
            asked = now if self._asked is None else self._asked
            quiet = self.greeting or self.resetting or "silent" in self._announced
            limit = math.inf if quiet else asked + self.silence * (1.0 if self.brake else _PATIENCE)
            ask = now >= self._next_question
            if ask:
                self._asked, self._next_question = asked, now + _AGAIN
            pause = min(self._next_question, limit) - now
        if ask:
            self.link.write(STATUS_QUERY)
        if now > limit:
            self.fall_silent()
        worker = self.worker
        return max(0.0, pause if worker is None else min(pause, worker()))

    def lost(self, reason: str) -> None:
        """The port went away."""
        self.fail("link", f"the controller on {self.port} went away ({reason}); check its cable and power")

    def _on_line(self, line: bytes) -> None:
        reply = parse(line)
        if isinstance(reply, Report):
            self._on_report(reply, line)
        elif isinstance(reply, (Ok, Error)):
            self._on_answer(reply)
        elif isinstance(reply, Alarm):
            self._on_alarm(reply.code)
        elif isinstance(reply, Banner):
            self._on_banner()
        elif isinstance(reply, Garbage):
            self._on_garbage(reply.text)
        elif isinstance(reply, (Message, Setting)):
            with self.news:
                self.said.append(reply)

    def _on_report(self, report: Report, line: bytes) -> None:
        if self.axes and len(report.position or ()) < self.axes:
            self._on_garbage(line.decode("ascii", "replace"))
            return
        now = self.clock.monotonic()
        with self.news:
            self.report, self.stamp, self.seen = report, self.clock.now(), now
            self.place = report.position or self.place
            self.feed = self.feed if report.feed is None else report.feed
            if report.homed is not None:
                self.reported_homed = report.homed
                self.homed = self.homed and report.homed
            self.reported = self._asked if self._asked is not None else now
            self._asked, self._next_question = None, now + (_MOVING if self.brake else _RESTING)
            self.news.notify_all()

    def _on_answer(self, answer: Ok | Error) -> None:
        with self.news:
            expected = self.pending
            if expected:
                self.pending, self.answer = False, answer
                self.news.notify_all()
            stale = self.greeting or self.resetting
        if expected and isinstance(answer, Error) and self.worker is not None:
            self.fail("error", self.refusal(answer))
        if not expected and not stale:
            self.fail(
                "acknowledgement",
                "an unexpected acknowledgement came from the controller: lines were lost or doubled; check the cable",
            )

    def _on_alarm(self, code: int) -> None:
        sentence = f"the controller raised alarm {code}: {alarm_text(code, self.firmware)}"
        with self.news:
            self.homed = self.homed and alarm_keeps_position(code)
            own = self.greeting or self.resetting
        if not own:
            self.fail("alarm", sentence)

    def _on_banner(self) -> None:
        with self.news:
            self.restarts += 1
            self._asked, self._next_question = None, 0.0
            self.pending = False
            own = self.greeting or self.resetting
            self.homed = self.homed and self.resetting
            self.news.notify_all()
        if not own:
            self.fail("restart", "the controller restarted by itself; its position is lost: clear, then home it")

    def _on_garbage(self, text: str) -> None:
        self.noise = text
        if self.greeting:
            return
        sentence = f"the controller sent garbage ('{text}'); check the cable, its shield and 'baud'"
        if self.brake:
            self.fail("garbage", sentence)
        else:
            self.announce("garbage", sentence)
