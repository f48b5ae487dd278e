"""Stops the rig when messages that must arrive time out, or when the clock jumps."""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from types import TracebackType

from vantage.errors import HardwareError
from vantage.worlds.rig.clock import Clock, SystemClock
from vantage.worlds.rig.description import WatchdogRules

PERIOD = 0.02  # s between two looks of the thread
_WINDOW = 1.0  # s within which a difference between the clocks may not grow
_JOIN = 2.0  # s
_PROMPT = 0.25  # share of the jump allowed that reading both clocks may take


@dataclass
class _Stream:
    """Something that arrives all the time, seen by the stamp of what came last."""

    kind: str
    what: str
    allowed: float
    stamp: Callable[[], int]
    newest: int = -1
    changed: float = -math.inf


class Watchdog:
    """Looks at all that ``rules`` names and calls ``stop(kind, sentence)`` once for each kind until ``rearm``.

    - ``frame`` and ``state`` while a motion is on: the age of the newest stamp, and for how long no newer one came,
      whichever is more, both since the motion began.
    - ``heartbeat`` in an episode, from the first one on, while a motion is on: a rig at rest is safe, and whoever
      commands may be busy thinking.
    - ``command`` in an episode, while no motion is on.
    - ``clock``: the system's clock against a monotonic one.

    Ages are those of the rig's clock, silences those of a monotonic one. All methods may be called from any thread;
    ``stop`` is called without a lock held, by whoever calls ``check``. Should the thread of ``start`` ever fail, it
    stops the rig with its last breath, as kind ``watchdog``.
    """

    def __init__(
        self,
        rules: WatchdogRules,
        stop: Callable[[str, str], None],
        *,
        frame_stamp: Callable[[], int],
        state_stamp: Callable[[], int],
        clock: Clock | None = None,
        now: Callable[[], int] | None = None,
        monotonic: Callable[[], float] | None = None,
    ) -> None:
        """A watchdog that sleeps until ``start``.

        Args:
            frame_stamp, state_stamp: of the newest frame and state, ns on the clock of ``now``; HardwareError counts as
                silence.
            clock: on which the thread waits; the system's where None.
            now, monotonic: ns and s instead of those of ``clock``.
        """
        clock = clock or SystemClock()
        self._rules, self._stop = rules, stop
        self._now, self._monotonic = now or clock.now, monotonic or clock.monotonic
        self._streams = (
            _Stream("frame", "frame of the camera", rules.frame, frame_stamp),
            _Stream("state", "state of the controller", rules.state, state_stamp),
        )
        self._lock = threading.Lock()
        self._tripped: set[str] = set()
        self._episode = False
        self._motion: tuple[int, float] | None = None  # when it began, on both clocks
        self._heartbeat: float | None = None
        self._command = 0.0
        self._offsets: deque[tuple[float, float]] = deque()  # monotonic time, difference of the clocks, s
        self._closed = clock.event()
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """An episode begins: the first heartbeat arms that rule, and a command is expected."""
        with self._lock:
            self._episode, self._heartbeat, self._command = True, None, self._monotonic()

    def end(self) -> None:
        """The episode is over: neither heartbeats nor commands are expected."""
        with self._lock:
            self._episode, self._heartbeat = False, None

    def heartbeat(self) -> None:
        """Whoever commands is alive; counts within an episode."""
        with self._lock:
            if self._episode:
                self._heartbeat = self._monotonic()

    def command(self) -> None:
        """A command came."""
        with self._lock:
            self._command = self._monotonic()

    @contextmanager
    def motion(self) -> Iterator[None]:
        """A motion is on while the block runs."""
        with self._lock:
            self._motion = self._now(), self._monotonic()
        try:
            yield
        finally:
            with self._lock:
                self._motion, self._command = None, self._monotonic()

    def rearm(self) -> None:
        """After a stop was cleared: every silence counts anew, and may stop again."""
        with self._lock:
            self._tripped.clear()
            self._offsets.clear()
            self._command = self._monotonic()
            if self._heartbeat is not None:
                self._heartbeat = self._command
            if self._motion is not None:
                self._motion = self._now(), self._command

    def check(self) -> None:
        """Look once, and stop the rig where that is due; one thread at a time. What may have to wait comes last."""
        for kind, sentence in chain(self._clocks(), self._silences(), self._streams_silent()):
            with self._lock:
                if kind in self._tripped:
                    continue
                self._tripped.add(kind)
            self._stop(kind, sentence)

    def start(self) -> None:
        """Look every 20 ms from now on, in a thread."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)
            self._thread.start()

    @property
    def awake(self) -> bool:
        """Whether the thread looks."""
        return self._thread is not None and self._thread.is_alive() and not self._closed.is_set()

    def close(self) -> None:
        """End the thread; harmless when repeated."""
        self._closed.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(_JOIN)

    def __enter__(self) -> Watchdog:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self) -> None:
        try:
            while not self._closed.wait(PERIOD):
                self.check()
        finally:
            if not self._closed.is_set():
                self._stop("watchdog", "the watchdog itself failed; close the world and make a new one")

    def _clocks(self) -> Iterator[tuple[str, str]]:
        before = self._monotonic()
        now = self._now() * 1e-9
        monotonic = self._monotonic()
        if monotonic - before > _PROMPT * self._rules.clock_jump:
            return  # held up between the two clocks, which looks like a jump
        offset = now - monotonic
        with self._lock:
            while len(self._offsets) > 1 and self._offsets[0][0] < monotonic - _WINDOW:
                self._offsets.popleft()
            jumps = [offset - earlier for _, earlier in self._offsets]
            self._offsets.append((monotonic, offset))
        jump = max(jumps, key=abs, default=0.0)
        if 0.0 < self._rules.clock_jump < abs(jump):
            yield (
                "clock",
                f"the clock jumped by {jump:+.3f} s{_rule('clock_jump', self._rules.clock_jump)}; let it settle and "
                "clear the stop",
            )

    def _silences(self) -> Iterator[tuple[str, str]]:
        with self._lock:
            monotonic, rules = self._monotonic(), self._rules
            silent = 0.0
            if self._heartbeat is not None and self._motion is not None:
                silent = monotonic - max(self._heartbeat, self._motion[1])
            idle = monotonic - self._command if self._episode and self._motion is None else 0.0
        if 0.0 < rules.heartbeat < silent:
            yield (
                "heartbeat",
                f"no heartbeat came for {silent:.2f} s{_rule('heartbeat', rules.heartbeat)}; whoever commands is gone",
            )
        if 0.0 < rules.command < idle:
            yield (
                "command",
                f"no command came for {idle:.2f} s{_rule('command', rules.command)}; whoever commands has gone quiet",
            )

    def _streams_silent(self) -> Iterator[tuple[str, str]]:
        for stream in self._streams:
            with self._lock:
                motion = self._motion
            if motion is None or stream.allowed == 0.0:
                continue
            why = ""
            try:
                stamp = stream.stamp()
            except HardwareError as error:
                stamp, why = stream.newest, f": {error}"
            now, monotonic = self._now(), self._monotonic()
            if stamp != stream.newest:
                stream.newest, stream.changed = stamp, monotonic
            age = (now - max(stamp, motion[0])) * 1e-9
            silent = max(age, monotonic - max(stream.changed, motion[1]))
            with self._lock:
                over = self._motion is not motion
            if silent > stream.allowed and not over:
                yield (
                    stream.kind,
                    f"the newest {stream.what} is {silent:.2f} s old while the rig moves"
                    f"{_rule(stream.kind, stream.allowed)}{why}",
                )


def _rule(name: str, allowed: float) -> str:
    return f" (watchdog.{name}: {allowed:g} s)"
