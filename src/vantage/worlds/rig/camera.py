"""The camera of a rig: the protocol of cameras of any kind, and which of their frames can be used."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.errors import HardwareError
from vantage.spatial import Intrinsics
from vantage.types import InstanceLabel
from vantage.worlds.rig.clock import Clock
from vantage.worlds.rig.description import LookRules


class FrameSelector:
    """Takes fit pictures. A picture is unfit when it is ``late`` (older than asked for), ``black``, ``frozen`` or
    ``blur``; each unfit one is passed to ``notify`` with that word and a sentence, and another one is tried.

    A picture that equals the one before is not used: the next ones must differ, or the camera is frozen.
    """

    def __init__(self, camera: Camera, rules: LookRules, clock: Clock, notify: Callable[[str, str], None]) -> None:
        self._camera, self._rules, self._clock, self._notify = camera, rules, clock, notify
        self._last: Frame | None = None
        self._equal = 1  # pictures in a row

    def take(self, still_since: int) -> Frame:
        """The first fit picture whose exposure began after the rig had been at rest for ``settle`` s.

        Args:
            still_since: ns on the rig's clock.

        Raises:
            HardwareError: none of ``1 + retries`` pictures was fit, or none came.
        """
        after = still_since + round(self._rules.settle * 1e9)
        problem = ""
        for _ in range(1 + self._rules.retries):
            frame = self._new(after)
            found = self._flaw(frame, after)
            if found is None:
                return frame
            kind, problem = found
            self._notify(kind, problem)
            after = max(after, frame.stamp)
        raise HardwareError(f"no usable picture among {1 + self._rules.retries} in a row: {problem}")

    def _new(self, after: int) -> Frame:
        """The first picture after a time that differs from the one before, or one of a frozen camera."""
        while True:
            lead = max(0.0, (after - self._clock.now()) / 1e9)
            frame = self._camera.frame_after(after, lead + self._rules.timeout)
            last, self._last = self._last, frame
            if self._rules.frozen == 0 or last is None or not np.array_equal(last.rgb, frame.rgb):
                self._equal = 1
                return frame
            self._equal += frame.stamp > last.stamp
            if self._equal >= self._rules.frozen or frame.stamp <= after:
                return frame
            after = frame.stamp

    def _flaw(self, frame: Frame, after: int) -> tuple[str, str] | None:
        """What is wrong with a picture, as a kind and in words."""
        rules = self._rules
        if frame.stamp <= after:
            early = (after - frame.stamp) / 1e9
            return "late", f"a picture was taken {early:.3f} s before the rig had settled; restart the camera"
        grey = np.asarray(cv2.cvtColor(frame.rgb, cv2.COLOR_RGB2GRAY), dtype=np.uint8)
        mean = float(grey.mean())
        if mean < rules.dark:
            return "black", (
                f"the picture is black, its mean grey of {mean:.1f} is below look.dark = {rules.dark:g}; take off the "
                "lens cap, switch on the light or expose longer"
            )
        if self._equal > 1:
            return "frozen", f"the camera is frozen, it sent the same picture {self._equal} times; plug it in anew"
        if rules.sharpness > 0 and (sharp := sharpness(grey)) < rules.sharpness:
            return "blur", (
                f"the picture is blurred, its sharpness of {sharp:.1f} is below look.sharpness = {rules.sharpness:g}; "
                "check the focus, set a longer look.settle, or a lower look.sharpness for a place with little to see"
            )
        return None


def sharpness(grey: NDArray[np.uint8]) -> float:
    """Variance of the Laplacian of an image (H, W) (Pech-Pacheco et al., ICPR 2000)."""
    _, deviation = cv2.meanStdDev(cv2.Laplacian(grey, cv2.CV_16S))
    return float(np.asarray(deviation).item() ** 2)


_Camera = TypeVar("_Camera", bound="Camera")


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture, free of lens distortion.

    Attributes:
        stamp: when its exposure began, as well as that is known; ns on the rig's clock, increasing.
        rgb: (H, W, 3) uint8.
        depth: (H, W) float32, m along the optical axis, NaN where nothing is seen; None without a depth sensor.
        instances, legend: (H, W) int32 and what the ids stand for; only from simulated cameras.
    """

    stamp: int
    rgb: NDArray[np.uint8]
    depth: NDArray[np.float32] | None = None
    instances: NDArray[np.int32] | None = None
    legend: Mapping[int, InstanceLabel] | None = None


class Camera(ABC):
    """One camera. ``frame_after`` and ``newest`` may be called from any thread."""

    clock: Clock
    notify: Callable[[str, str], None] = staticmethod(lambda kind, sentence: None)

    @property
    @abstractmethod
    def intrinsics(self) -> Intrinsics:
        """Of every frame; known once opened."""

    @property
    @abstractmethod
    def senses(self) -> frozenset[str]:
        """Of ``rgb``, ``depth``, ``instances``."""

    @abstractmethod
    def open(self) -> None:
        """Start the stream.

        Raises:
            HardwareError: it is missing, used by another program, not permitted, or sends nothing within 5 s.
        """

    @abstractmethod
    def frame_after(self, stamp: int, timeout: float) -> Frame:
        """The first frame whose exposure began after ``stamp`` ns.

        Raises:
            HardwareError: none came within ``timeout`` s, or the camera went away.
        """

    @abstractmethod
    def newest(self) -> int:
        """Stamp of the newest frame that came, ns; -1 before the first.

        Raises:
            HardwareError: the camera went away, and why.
        """

    @abstractmethod
    def close(self) -> None:
        """Harmless when repeated."""

    def __enter__(self: _Camera) -> _Camera:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
