"""System time without the waiting: it goes on in leaps while all that wait on the clock do nothing but wait.

A thread belongs to the clock from its first wait on, and for a while after its start, for it may be about to wait. As
soon as every thread that belongs to it waits on it, and none of the files that they wait for has anything to say, time
leaps to the earliest end of their waits. While one of them computes, or waits for something else, time passes as it
really does: so nothing is ever faster than what it waits for, and a busy machine delays nothing more than it would
without leaps.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from vantage.worlds.rig.clock import SystemClock

_QUIET = 0.0003  # s for which all must have waited: bytes need some time from one end of a terminal to the other
_NEW = 0.3  # s of the clock's own watch, after its start, for which a thread that has not waited yet counts
_LOOK = 0.01  # s between two looks at whether a thread that did not wait has ended


@dataclass(eq=False)
class _Wait:
    """What one thread waits for.

    Attributes:
        ends: monotonic s of the clock.
        files: any of which may end it before.
        awake: whether it ends now.
    """

    ends: float
    wake: Callable[[], None]
    files: tuple[Sequence[int], Sequence[int]] = ((), ())
    awake: bool = False


class SkippingClock(SystemClock):
    """See above. Use it as a context, or ``close`` it: from then on all waits take their time.

    Attributes:
        skipped: s that time is ahead of the system's.
    """

    def __init__(self) -> None:
        self.skipped = 0.0
        self._news = threading.Condition(threading.Lock())
        self._members: set[threading.Thread] = set()
        self._watched = 0.0  # s for which the clock's thread has looked; those in which a busy machine held it up not
        self._strangers = dict.fromkeys(threading.enumerate(), -math.inf)  # what was watched when each was first seen
        self._waits: dict[threading.Thread, _Wait] = {}
        self._changes = 0
        self._closed = False
        self._own = threading.local()
        self._pipes: list[int] = []
        self._thread = threading.Thread(target=self._run, name="skipping clock", daemon=True)
        self._strangers[self._thread] = -math.inf
        self._thread.start()

    # Clock ----------------------------------------------------------------------------------------------------------

    def now(self) -> int:
        return time.time_ns() + round(1e9 * self.skipped)

    def monotonic(self) -> float:
        return time.monotonic() + self.skipped

    def sleep(self, seconds: float) -> None:
        condition = self.condition()
        with condition:
            ends = self.monotonic() + seconds
            condition.wait(max(0.0, seconds))  # once at least, so that this thread belongs to the clock from now on
            while (left := ends - self.monotonic()) > 0.0:
                condition.wait(left)

    def condition(self) -> threading.Condition:
        return _Condition(self)

    def event(self) -> _Event:
        return _Event(self)

    def ready(self, readers: Sequence[int], writers: Sequence[int], timeout: float | None) -> list[int]:
        wake_read, wake_write = self._pipe()
        wait = _Wait(self._end(timeout), lambda: os.write(wake_write, b"w") and None, ((*readers,), (*writers,)))
        with self.waiting(wait):
            while True:
                left = wait.ends - self.monotonic()
                found = super().ready((*readers, wake_read), writers, None if math.isinf(left) else max(0.0, left))
                if wake_read in found:
                    os.read(wake_read, 4096)
                if others := [descriptor for descriptor in found if descriptor != wake_read]:
                    return others
                if self.monotonic() >= wait.ends:
                    return []

    # For tests ------------------------------------------------------------------------------------------------------

    def after(self, seconds: float, call: Callable[..., object], *arguments: object) -> threading.Thread:
        """Call something some time from now, in a thread of its own."""
        ends = self.monotonic() + seconds

        def run() -> None:
            self.sleep(ends - self.monotonic())
            call(*arguments)

        thread = threading.Thread(target=run, name="after a while", daemon=True)
        thread.start()
        with self._news:
            self._members.add(thread)
        return thread

    def join(self, thread: threading.Thread, timeout: float | None = None) -> None:
        """Wait for the end of a thread; time leaps meanwhile. ``timeout`` is real time."""
        with self.elsewhere():
            thread.join(timeout)

    @contextmanager
    def elsewhere(self) -> Iterator[None]:
        """This thread does not count while the block runs: it waits for something that the others do."""
        thread = threading.current_thread()
        with self._news:
            belonged = thread in self._members
            self._members.discard(thread)
            self._strangers[thread] = -math.inf
            self._change()
        try:
            yield
        finally:
            if belonged:
                with self._news:
                    self._members.add(thread)

    def until(self, condition: Callable[[], Any], timeout: float = 10.0, pause: float = 0.005) -> Any:
        """The first true value of a condition within ``timeout`` s, else an assertion error."""
        ends = self.monotonic() + timeout
        while not (value := condition()):
            assert self.monotonic() < ends, f"not within {timeout} s: {condition}"
            self.sleep(pause)
        return value

    def close(self) -> None:
        with self._news:
            self._closed = True
            self._news.notify_all()
        self._thread.join(5.0)

    def __enter__(self) -> SkippingClock:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Parts of the above ---------------------------------------------------------------------------------------------

    @contextmanager
    def waiting(self, wait: _Wait) -> Iterator[None]:
        """This thread does nothing but wait while the block runs."""
        thread = threading.current_thread()
        with self._news:
            self._members.add(thread)
            self._waits[thread] = wait
            self._change()
        try:
            yield
        finally:
            with self._news:
                del self._waits[thread]
                self._changes += 1

    def woken(self, waits: Sequence[_Wait]) -> None:
        """These end now."""
        with self._news:
            for wait in waits:
                wait.awake = True
            self._changes += 1

    def _end(self, timeout: float | None) -> float:
        return math.inf if timeout is None else self.monotonic() + timeout

    def _change(self) -> None:
        self._changes += 1
        self._news.notify_all()

    def _pipe(self) -> tuple[int, int]:
        """A pipe of this thread."""
        if not hasattr(self._own, "pipe"):
            self._own.pipe = _Pipe()
        return self._own.pipe.ends

    def _idle(self) -> bool:
        """Whether all wait."""
        now = self._watched
        for thread in threading.enumerate():
            if thread not in self._members and now - self._strangers.setdefault(thread, now) < _NEW:
                return False
        if len(self._waits) < len(self._members):
            self._members = {thread for thread in self._members if thread.is_alive() or thread in self._waits}
        return len(self._waits) == len(self._members) and not any(wait.awake for wait in self._waits.values())

    def _run(self) -> None:
        looked = time.monotonic()
        while not self._closed:
            with self._news:
                now = time.monotonic()
                self._watched += min(now - looked, _LOOK)
                looked = now
                if not self._idle() or not self._waits:
                    self._news.wait(_LOOK)
                    continue
                before = self._changes
            time.sleep(_QUIET)
            with self._news:
                due = self._leap() if before == self._changes and self._idle() else []
            for wait in due:
                wait.wake()

    def _leap(self) -> list[_Wait]:
        """Go on to where the first wait ends; those that end then."""
        ends = min(wait.ends for wait in self._waits.values())
        readers = [file for wait in self._waits.values() for file in wait.files[0]]
        writers = [file for wait in self._waits.values() for file in wait.files[1]]
        if math.isinf(ends) or super().ready(readers, writers, 0.0):
            self._news.wait(_LOOK)
            return []
        self.skipped += max(0.0, ends - self.monotonic())
        now = self.monotonic()
        due = [wait for wait in self._waits.values() if wait.ends <= now]
        for wait in due:
            wait.awake = True
        return due


class _Pipe:
    """Closed with the thread whose it is."""

    def __init__(self) -> None:
        self.ends = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)

    def __del__(self) -> None:
        for end in self.ends:
            os.close(end)


class _Condition(threading.Condition):
    """On a skipping clock."""

    def __init__(self, clock: SkippingClock) -> None:
        super().__init__()
        self._clock = clock
        self._here: list[_Wait] = []

    def wait(self, timeout: float | None = None) -> bool:
        clock = self._clock
        wait = _Wait(clock._end(timeout), self._leapt)
        told = False
        with clock.waiting(wait):
            self._here.append(wait)
            try:
                while not told and (left := wait.ends - clock.monotonic()) > 0.0:
                    super().wait(None if math.isinf(left) else left)
                    told = wait not in self._here
            finally:
                if not told:
                    self._here.remove(wait)
        return told

    def notify(self, n: int = 1) -> None:
        """Wakes all."""
        del n
        self._clock.woken(self._here)
        self._here.clear()
        super().notify(len(self._waiters))  # type: ignore[attr-defined]

    def _leapt(self) -> None:
        with self:
            super().notify(len(self._waiters))  # type: ignore[attr-defined]


class _Event:
    """On a skipping clock."""

    def __init__(self, clock: SkippingClock) -> None:
        self._clock, self._changed, self._set = clock, clock.condition(), False

    def is_set(self) -> bool:
        return self._set

    def set(self) -> None:
        with self._changed:
            self._set = True
            self._changed.notify_all()

    def clear(self) -> None:
        with self._changed:
            self._set = False

    def wait(self, timeout: float | None = None) -> bool:
        with self._changed:
            ends = math.inf if timeout is None else self._clock.monotonic() + timeout
            while not self._set and (left := ends - self._clock.monotonic()) > 0.0:
                self._changed.wait(None if math.isinf(left) else left)
            return self._set
