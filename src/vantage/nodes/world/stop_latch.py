"""Why a world may not move, for as long as that holds."""

from __future__ import annotations

import threading


class StopLatch:
    """Keeps the reason of a stop until it is cleared; one that comes while another is being cleared stays."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reason = self._newest = ""

    @property
    def reason(self) -> str:
        """Why nothing may move; empty when it may."""
        with self._lock:
            return self._reason

    def stop(self, reason: str) -> None:
        with self._lock:
            self._reason, self._newest = self._reason or reason, reason

    def begin_clearing(self) -> None:
        with self._lock:
            self._newest = ""

    def clear(self) -> str:
        """End what was there when clearing began; the reason of a stop that came since then, empty for none."""
        with self._lock:
            self._reason = self._newest
            return self._reason
