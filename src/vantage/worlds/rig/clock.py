"""Clocks of a rig: system time, or virtual time that passes only with ``sleep``.

Whatever waits in a rig waits on its clock, so that tests can give it one on which time goes faster.
"""

from __future__ import annotations

import select
import threading
import time
from collections.abc import Sequence
from typing import Protocol


class Flag(Protocol):
    """What is used of ``threading.Event``."""

    def is_set(self) -> bool: ...

    def set(self) -> None: ...

    def clear(self) -> None: ...

    def wait(self, timeout: float | None = None) -> bool: ...


class Clock(Protocol):
    """Stamps are ns; safe to use from several threads."""

    def now(self) -> int: ...

    def monotonic(self) -> float:
        """s since some time, which no jump of ``now`` changes."""

    def sleep(self, seconds: float) -> None: ...

    def condition(self) -> threading.Condition:
        """A new one, which waits on this clock."""

    def event(self) -> Flag:
        """A new ``threading.Event``, which waits on this clock."""

    def ready(self, readers: Sequence[int], writers: Sequence[int], timeout: float | None) -> list[int]:
        """Those of the file descriptors that can be read or written, or that failed; none after ``timeout`` s, which
        is None for as long as it takes.
        """


class RealWaits:
    """Conditions, events and files are waited for in real time."""

    def condition(self) -> threading.Condition:
        return threading.Condition()

    def event(self) -> Flag:
        return threading.Event()

    def ready(self, readers: Sequence[int], writers: Sequence[int], timeout: float | None) -> list[int]:
        poll = select.poll()
        for descriptor in (*readers, *writers):
            poll.register(
                descriptor, select.POLLIN * (descriptor in readers) | select.POLLOUT * (descriptor in writers)
            )
        return [descriptor for descriptor, _ in poll.poll(None if timeout is None else 1000.0 * timeout)]


class SystemClock(RealWaits):
    """ROS system time: ns since 1970."""

    def now(self) -> int:
        return time.time_ns()

    def monotonic(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(max(0.0, seconds))


class VirtualClock(RealWaits):
    """Starts at 0 and passes with each ``sleep``, which returns at once."""

    def __init__(self) -> None:
        self._now = 0
        self._lock = threading.Lock()

    def now(self) -> int:
        with self._lock:
            return self._now

    def monotonic(self) -> float:
        return 1e-9 * self.now()

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self._now += max(0, round(seconds * 1e9))
