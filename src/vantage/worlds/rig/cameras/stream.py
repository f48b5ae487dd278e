"""The newest picture of a camera, handed from the thread that receives it to those who wait for one."""

from __future__ import annotations

import threading
import time

from vantage.errors import HardwareError
from vantage.worlds.rig.camera import Frame


class FrameStream:
    """Thread-safe. Only the newest picture is kept, so that nobody gets one that waited in a queue.

    ``name`` is the camera's, for messages.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._changed = threading.Condition()
        self._newest = -1
        self._frame: Frame | None = None
        self._waiting = 0
        self._failure = ""

    @property
    def newest(self) -> int:
        """Stamp of the newest picture that came, wanted or not, ns; -1 before the first."""
        return self._newest

    def check(self) -> None:
        """
        Raises:
            HardwareError: no pictures come for the time being, and why.
        """
        if self._failure:
            raise HardwareError(self._failure)

    @property
    def wanted(self) -> bool:
        """Whether anybody waits, so that the next picture is worth decoding."""
        return self._waiting > 0

    def later(self, stamp: int) -> int:
        """A stamp as it is, or just after the newest one where that is not later: stamps increase."""
        return max(stamp, self._newest + 1)

    def came(self, stamp: int, frame: Frame | None) -> None:
        """A picture came; None when it was not decoded. It ends a failure."""
        with self._changed:
            self._newest, self._failure = stamp, ""
            if frame is not None:
                self._frame = frame
                self._changed.notify_all()

    def fail(self, reason: str) -> None:
        """No more pictures for the time being; whoever waits is told why."""
        with self._changed:
            self._failure = reason
            self._changed.notify_all()

    def wait(self, after: int, timeout: float) -> Frame:
        """A picture whose stamp is later than ``after`` ns: the one that is kept, or the next that comes.

        Raises:
            HardwareError: none came within ``timeout`` s, or the stream failed.
        """
        deadline = time.monotonic() + timeout
        with self._changed:
            self._waiting += 1
            try:
                while self._frame is None or self._frame.stamp <= after:
                    self.check()
                    left = deadline - time.monotonic()
                    if left <= 0:
                        raise HardwareError(
                            f"no picture came from {self._name} within {timeout:g} s; check its cable and whether "
                            "another program uses it"
                        )
                    self._changed.wait(left)
                return self._frame
            finally:
                self._waiting -= 1
