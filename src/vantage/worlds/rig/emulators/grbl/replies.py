"""Lines that an emulated controller sends, its alarms, and faults of the line on the way to the host."""

from __future__ import annotations

import math
import random
from collections import deque
from enum import IntEnum


class Alarm(IntEnum):
    """Values are those of ``ALARM:``; ``NONE`` is never sent."""

    NONE = 0
    HARD_LIMIT = 1
    SOFT_LIMIT = 2
    RESET_IN_MOTION = 3
    HOMING_RESET = 6
    HOMING_DOOR = 7
    NOT_CLEARED = 8
    NOT_FOUND = 9

    @property
    def critical(self) -> bool:
        """Whether only a reset helps."""
        return self in (Alarm.HARD_LIMIT, Alarm.SOFT_LIMIT)


LATE = 1.0  # s
_ONCE = ("garbage", "lost_ack", "duplicate_ack")
_LASTING = ("late_replies", "silent", "truncated")
REPLY_FAULTS = (*_ONCE, *_LASTING)
_NOISE = 24  # bytes


class Replies:
    """Lines on their way to the host, each with the time when it leaves."""

    def __init__(self, seed: int = 0) -> None:
        self._waiting: deque[tuple[float, bytes]] = deque()
        self._faults: list[str] = []
        self._random = random.Random(seed)

    def inject(self, fault: str) -> None:
        """Spoil the next fitting line, or all of them until ``mend``."""
        self._faults.append(fault)

    def mend(self) -> None:
        self._faults.clear()

    @property
    def due(self) -> float:
        """When the next line leaves; infinity if none waits."""
        return self._waiting[0][0] if self._waiting else math.inf

    def say(self, line: str, now: float) -> None:
        """Send a line."""
        if "silent" in self._faults:
            return
        if "truncated" in self._faults and line.startswith("<"):
            line = line[: self._random.randrange(1, len(line) - 1)]
        data = f"{line}\r\n".encode("ascii")
        if line == "ok":
            if self._once("lost_ack"):
                return
            if self._once("duplicate_ack"):
                data *= 2
        if self._once("garbage"):
            place = self._random.randrange(len(data))
            data = data[:place] + self._random.randbytes(_NOISE) + data[place:]
        due = now + (LATE if "late_replies" in self._faults else 0.0)
        if self._waiting:
            due = max(due, self._waiting[-1][0])
        self._waiting.append((due, data))

    def take(self, now: float) -> bytes:
        """What leaves by now."""
        data = b""
        while self._waiting and self._waiting[0][0] <= now:
            data += self._waiting.popleft()[1]
        return data

    def _once(self, fault: str) -> bool:
        if fault not in self._faults:
            return False
        self._faults.remove(fault)
        return True
