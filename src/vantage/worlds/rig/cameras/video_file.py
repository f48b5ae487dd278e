"""A video file in the place of a camera."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.errors import HardwareError
from vantage.spatial import Intrinsics
from vantage.worlds.rig.camera import Frame
from vantage.worlds.rig.cameras.lens import Lens, Undistorter, rgb_of
from vantage.worlds.rig.cameras.periodic import PeriodicCamera
from vantage.worlds.rig.clock import Clock

_FARTHEST = 60  # pictures that are passed over one by one; farther ones are sought


class VideoFileCamera(PeriodicCamera):
    """Plays a file in the time of the rig's clock, at its own rate, over and over where ``loop`` is set.

    ``fps`` counts where the file does not say its rate.
    """

    def __init__(self, path: Path, clock: Clock, lens: Lens, loop: bool = True, fps: float = 30.0) -> None:
        super().__init__(clock, fps)
        self._path, self._lens, self._loop = path, lens, loop
        self._capture: Any = None
        self._undistorter: Undistorter | None = None
        self._count = 0
        self._next = 0
        self._image: NDArray[np.uint8] | None = None

    @property
    def intrinsics(self) -> Intrinsics:
        """See ``Camera.intrinsics``."""
        if self._undistorter is None:
            raise HardwareError(f"the video {self._path} is not open; open it first")
        return self._undistorter.intrinsics

    @property
    def senses(self) -> frozenset[str]:
        """See ``Camera.senses``."""
        return frozenset({"rgb"})

    def newest(self) -> int:
        """See ``Camera.newest``."""
        newest = super().newest()
        return newest if self._loop or self._count == 0 else min(newest, self._beat(self._count - 1))

    def _start(self) -> None:
        if not self._path.is_file():
            raise HardwareError(f"there is no video {self._path}; check camera.device")
        capture = cv2.VideoCapture(str(self._path))
        try:
            count, fps = int(capture.get(cv2.CAP_PROP_FRAME_COUNT)), capture.get(cv2.CAP_PROP_FPS)
            done, image = capture.read()
            if not done or count < 1:
                raise HardwareError(f"{self._path} is no video that OpenCV can read; check camera.device")
            self._undistorter = self._lens.undistorter(image.shape[1], image.shape[0], f"the video {self._path}")
        except HardwareError:
            capture.release()
            raise
        if math.isfinite(fps) and 0.1 <= fps <= 1000.0:
            self._fps = fps
        self._capture, self._count, self._next = capture, count, 1
        self._image = np.asarray(image, dtype=np.uint8)

    def _end(self) -> None:
        if self._capture is not None:
            self._capture.release()
            self._capture = None

    def _take(self, number: int, stamp: int) -> Frame:
        image = self._read(number)
        assert self._undistorter is not None
        return Frame(stamp, self._undistorter.rgb(rgb_of(image)))

    def _read(self, number: int) -> NDArray[np.uint8]:
        """A picture, however often the file has to be played until then."""
        if not self._loop and number >= self._count:
            raise HardwareError(
                f"the video {self._path} has ended after {self._count} pictures; set camera.loop: true to play it again"
            )
        index = number % self._count
        if index == self._next - 1 and self._image is not None:
            return self._image
        if not self._next <= index < self._next + _FARTHEST:
            self._capture.set(cv2.CAP_PROP_POS_FRAMES, index)
            self._next = index
        done = True
        while done and self._next <= index:
            done = self._capture.grab()
            self._next += done
        done, image = self._capture.retrieve() if done else (False, None)
        if done:
            self._image = np.asarray(image, dtype=np.uint8)
            return self._image
        if self._next == 0:
            raise HardwareError(f"the video {self._path} can no longer be read; check the file")
        self.notify("camera", f"picture {self._next} of the video {self._path} cannot be read; it is cut off there")
        self._count = self._next
        return self._read(number)
