"""The newest messages of each look, which a recorder that missed them can ask for."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

from vantage.recording import RECALLABLE, Topic

_MOST_BYTES = 256_000_000  # of messages that are kept; about 200 looks of 640 x 480 pixels with depth
_FRAME = 1000  # bytes of a message besides its pixels, about

Messages = list[tuple[Topic, Any]]


class LookHistory:
    """Keeps what was published of the looks since the newest reset, the newest ones where memory is short. Thread-safe.

    Args:
        limit: bytes of messages that are kept, about; the newest look is kept whatever its size.
    """

    def __init__(self, limit: int = _MOST_BYTES) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._looks: OrderedDict[int, Messages] = OrderedDict()  # by stamp, ns
        self._size = 0

    def begin(self) -> None:
        """Forget everything: another episode begins."""
        with self._lock:
            self._looks.clear()
            self._size = 0

    def note(self, topic: Topic, stamp: int, message: Any) -> None:
        """Keep a message about the look of a stamp, ns; those of other topics than ``RECALLABLE`` are not kept."""
        if topic not in RECALLABLE:
            return
        with self._lock:
            self._looks.setdefault(stamp, []).append((topic, message))
            self._size += _size(message)
            while self._size > self._limit and len(self._looks) > 1:
                _, messages = self._looks.popitem(last=False)
                self._size -= sum(_size(message) for _, message in messages)

    def first_since(self, stamp: int) -> tuple[int, Messages] | None:
        """The first look at or after a stamp, ns, as its stamp and messages; None where none is kept."""
        with self._lock:
            found = next((key for key in self._looks if key >= stamp), None)
            return None if found is None else (found, list(self._looks[found]))


def _size(message: Any) -> int:
    return len(getattr(message, "data", ())) + _FRAME
