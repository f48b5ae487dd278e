"""Cameras that make a frame only when it is requested, at a fixed frame rate; with injectable faults."""

from __future__ import annotations

import dataclasses
import threading
from abc import abstractmethod
from collections.abc import Callable

import numpy as np

from vantage.errors import HardwareError, UnknownNameError
from vantage.registry import did_you_mean
from vantage.worlds.rig.camera import Camera, Frame
from vantage.worlds.rig.clock import Clock

FAULTS = ("black", "frozen", "late", "stale", "gone")
LATE = 1.5  # s that a late frame comes after its time
_PATIENCE = 0.02  # s between two looks at whether anything has changed meanwhile


class PeriodicCamera(Camera):
    """A stream of ``fps`` pictures per s; those that are not requested are never rendered.

    A picture is taken at its beat, which is its stamp, and comes ``latency`` s later. Time passes by ``clock.sleep``.

    Faults, for tests and for ``rig check``: ``black`` and ``frozen`` pictures go on coming; ``late`` ones come 1.5 s
    after their time; a ``stale`` stream sends nothing more; ``gone`` is a camera that was pulled off.
    """

    faults = FAULTS

    def __init__(self, clock: Clock, fps: float, latency: float = 0.0) -> None:
        self.clock = clock
        self._fps, self._latency = fps, latency
        self._lock = threading.Lock()
        self._taking = threading.Lock()
        self._beginning: int | None = None
        self._newest = -1
        self._injected: frozenset[str] = frozenset()
        self._kept: Frame | None = None

    def open(self) -> None:
        """See ``Camera.open``."""
        if self._beginning is None:
            self._start()
            self._beginning = self.clock.now()

    def close(self) -> None:
        """See ``Camera.close``."""
        self._beginning = None
        with self._taking:
            self._kept = None
            self._end()

    def frame_after(self, stamp: int, timeout: float) -> Frame:
        """See ``Camera.frame_after``."""
        self._check()
        number = max(-1, self._last_beat(max(stamp, self.clock.now()))) + 1
        beat = self._beat(number)
        left = self._wait(lambda: beat, timeout, timeout)
        with self._taking:
            self._check()
            frame = self._with_faults(number, beat)
        self._wait(lambda: beat + self._delay(), left, timeout)
        return frame

    def newest(self) -> int:
        """See ``Camera.newest``: the last beat whose picture would have come, made or not."""
        with self._lock:
            if self._beginning is not None and "gone" in self._injected:
                self._check()
            if self._beginning is not None and "stale" not in self._injected:
                number = self._last_beat(self.clock.now() - self._delay())
                if number >= 0:
                    self._newest = max(self._newest, self._beat(number))
            return self._newest

    def inject(self, fault: str) -> None:
        """Break something from now on.

        Raises:
            UnknownNameError: no such fault.
        """
        if fault not in FAULTS:
            raise UnknownNameError(f"unknown fault of a camera '{fault}'{did_you_mean(fault, list(FAULTS))}")
        if "gone" not in self._injected:
            self.newest()  # frames that came before did come
        with self._lock:
            self._injected |= {fault}
        if fault == "gone":
            self.notify("camera", "the camera went away; check its cable")

    def mend(self) -> None:
        """End every injected fault."""
        with self._lock:
            injected, self._injected = self._injected, frozenset()
        if "gone" in injected:
            self.notify("camera", "the camera is back")

    def _start(self) -> None:
        """Make ready; may raise."""

    def _end(self) -> None:
        """Let go; harmless when repeated."""

    @abstractmethod
    def _take(self, number: int, stamp: int) -> Frame:
        """The picture of a beat, which is now; never called twice at the same time."""

    def _beat(self, number: int) -> int:
        """When picture ``number`` is taken, ns."""
        return (self._beginning or 0) + round(number * 1e9 / self._fps)

    def _last_beat(self, at: int) -> int:
        """Number of the last picture that is taken until a time; negative before the first."""
        number = int((at - (self._beginning or 0)) * self._fps / 1e9) + 1
        while self._beat(number) > at:
            number -= 1
        return number

    def _check(self) -> None:
        if self._beginning is None:
            raise HardwareError("the camera is not open; open it first")
        if "gone" in self._injected:
            raise HardwareError("the camera went away; check its cable")

    def _delay(self) -> int:
        """ns from a beat until its picture comes."""
        return round((self._latency + (LATE if "late" in self._injected else 0.0)) * 1e9)

    def _wait(self, due: Callable[[], int], left: float, timeout: float) -> float:
        """Until a time that faults may change; returns what is left of ``left`` s. It counts its own sleep, so that a
        clock that jumps cannot hold it up."""
        while True:
            self._check()
            wait, stale = (due() - self.clock.now()) / 1e9, "stale" in self._injected
            if wait <= 0 and not stale:
                return left
            if left <= 0:
                raise HardwareError(f"no picture came from the camera within {timeout:g} s; check its cable")
            pause = min(_PATIENCE, left) if stale else min(_PATIENCE, left, wait)
            self.clock.sleep(pause)
            left -= pause

    def _with_faults(self, number: int, stamp: int) -> Frame:
        faults = self._injected
        if "frozen" not in faults or self._kept is None:
            self._kept = self._take(number, stamp)
        frame = dataclasses.replace(self._kept, stamp=stamp)
        return dataclasses.replace(frame, rgb=np.zeros_like(frame.rgb)) if "black" in faults else frame
