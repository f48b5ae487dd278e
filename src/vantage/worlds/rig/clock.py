"""Clocks of a rig: system time, or virtual time that passes only with ``sleep``."""

from __future__ import annotations

import threading
import time
from typing import Protocol


class Clock(Protocol):
    """Stamps are ns; safe to use from several threads."""

    def now(self) -> int: ...

    def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """ROS system time: ns since 1970."""

    def now(self) -> int:
        return time.time_ns()

    def sleep(self, seconds: float) -> None:
        time.sleep(max(0.0, seconds))


class VirtualClock:
    """Starts at 0 and passes with each ``sleep``, which returns at once."""

    def __init__(self) -> None:
        self._now = 0
        self._lock = threading.Lock()

    def now(self) -> int:
        with self._lock:
            return self._now

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self._now += max(0, round(seconds * 1e9))
