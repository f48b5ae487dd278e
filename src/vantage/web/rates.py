"""How often somebody may ask: a bucket of tokens for each, filled at a steady rate."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

_KEPT = 1000  # buckets; those unused longest go first


class Buckets:
    """Not thread-safe.

    Args:
        per_s: how many may be taken in a second for a long time.
        burst: how many at once.
        clock: seconds that never go back.
    """

    def __init__(self, per_s: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_s, self._burst, self._clock = per_s, float(burst), clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, who: str) -> bool:
        """Take one; whether there was one left."""
        now = self._clock()
        left, then = self._left.pop(who, (self._burst, now))
        left = min(self._burst, left + (now - then) * self._per_s)
        taken = left >= 1.0
        self._left[who] = (left - 1.0 if taken else left, now)
        while len(self._left) > _KEPT:
            self._left.popitem(last=False)
        return taken
