"""Opening a Video4Linux device through OpenCV and setting it up."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import cv2

from vantage.errors import HardwareError
from vantage.worlds.rig.cameras.v4l2 import obstacle, users

SILENCE = 3  # s after which a camera that sends nothing counts as gone
_MANUAL_EXPOSURE = 1.0  # V4L2_EXPOSURE_MANUAL


class Lock(NamedTuple):
    """How a setting of a camera is taken out of its automatic control and set, in the units of V4L2."""

    automatic: int | None
    off: float
    setting: int
    scale: float


LOCKS: Mapping[str, Lock] = {
    "exposure": Lock(cv2.CAP_PROP_AUTO_EXPOSURE, _MANUAL_EXPOSURE, cv2.CAP_PROP_EXPOSURE, 1e4),  # s in 100 us
    "gain": Lock(None, 0.0, cv2.CAP_PROP_GAIN, 1.0),
    "focus": Lock(cv2.CAP_PROP_AUTOFOCUS, 0.0, cv2.CAP_PROP_FOCUS, 1.0),
    "white_balance": Lock(cv2.CAP_PROP_AUTO_WB, 0.0, cv2.CAP_PROP_WB_TEMPERATURE, 1.0),  # K
}


@dataclass(frozen=True)
class DeviceOptions:
    """What a Video4Linux device is asked for.

    Attributes:
        fps: pictures per s.
        format: four characters such as ``MJPG``; empty for what OpenCV likes best.
        latency: s between a picture and its arrival, where the driver gives no times.
        locks: fixed values by their names in ``LOCKS``.
    """

    device: str
    fps: float = 30.0
    format: str = ""
    latency: float = 0.0
    locks: Mapping[str, float] = field(default_factory=dict)


def open_device(device: str) -> Any:
    """A ``cv2.VideoCapture`` of a Video4Linux device.

    Raises:
        HardwareError: it is missing, used by another program, not permitted or no camera.
    """
    reason = obstacle(device)
    if reason is not None:
        raise HardwareError(reason)
    os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", str(SILENCE))  # s; its own is 10
    capture = cv2.VideoCapture(device, cv2.CAP_V4L2)
    if not capture.isOpened():
        capture.release()
        used = users(device)
        raise HardwareError(
            f"{device} is in use{used}; end the other program"
            if used
            else f"OpenCV cannot open {device}; end other programs that use it, or unplug it and plug it in again"
        )
    return capture


def set_up(capture: Any, width: int, height: int, options: DeviceOptions, refused: Callable[[str], None]) -> None:
    """Ask a device for a size (0 for its own), a rate, a format and fixed settings.

    What it does not take is told to ``refused`` in words; but the size is for the caller to compare.
    """
    if options.format and not capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*options.format)):
        refused(f"does not take format: {options.format} and stays with another")
    if width:
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
    capture.set(cv2.CAP_PROP_FPS, options.fps)
    fps = capture.get(cv2.CAP_PROP_FPS)
    if abs(fps - options.fps) > 0.05 * options.fps:
        refused(f"does not take fps: {options.fps:g} and stays with {fps:g}; a USB camera may need format: MJPG")
    for name, value in options.locks.items():
        lock = LOCKS[name]
        if lock.automatic is not None:
            capture.set(lock.automatic, lock.off)
        taken = capture.set(lock.setting, value * lock.scale)
        now = capture.get(lock.setting) / lock.scale
        if not taken:
            refused(f"does not take {name}: {value:g} and goes on as it likes")
        elif abs(now - value) > max(0.5 / lock.scale, 0.1 * value):
            refused(f"does not take {name}: {value:g} and stays with {now:g}")
