"""The log of hardware events of a world, numbered in order."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from vantage.types import Event

_KEPT = 1000


class EventLog:
    """The newest 1,000 events; safe to use from several threads.

    Readers pass the last number seen and get what came after it; a gap in the numbers is what was missed.

    Args:
        now: ns on the world's clock.
    """

    def __init__(self, now: Callable[[], int] = time.time_ns, kept: int = _KEPT) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._events: deque[Event] = deque(maxlen=kept)
        self._newest = 0

    @property
    def newest(self) -> int:
        """Number of the newest event; 0 before the first."""
        with self._lock:
            return self._newest

    def add(self, kind: str, sentence: str, fatal: bool = False) -> Event:
        """Note something; see ``Event``."""
        with self._lock:
            self._newest += 1
            event = Event(self._newest, self._now(), kind, sentence, fatal)
            self._events.append(event)
            return event

    def since(self, number: int) -> list[Event]:
        """Events with larger numbers, oldest first, as far as they are kept."""
        with self._lock:
            return [event for event in self._events if event.number > number]
