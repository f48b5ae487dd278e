"""Video4Linux devices: opening and setting up through OpenCV, why one cannot be opened, and stamps of frames."""

from __future__ import annotations

import errno
import fcntl
import os
import struct
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import cv2

from vantage.errors import HardwareError
from vantage.worlds.rig.clock import Clock

_VIDIOC_QUERYCAP = 0x80685600  # _IOR('V', 0, struct v4l2_capability), 104 bytes
_CAPABILITIES = struct.Struct("=80x3I12x")  # version, capabilities of all nodes, and of this one
_ONE_NODE = 0x80000000  # V4L2_CAP_DEVICE_CAPS
_CAPTURES = 0x1 | 0x1000  # V4L2_CAP_VIDEO_CAPTURE, the same with several planes
_PLAUSIBLE = 1_000_000_000  # ns between a picture and its arrival
_TRIES = 10  # pictures; the first ones of a stream may have no time
_CLOCKS_APART = 5_000_000  # ns by which a time of the driver may lie in the future


def obstacle(device: str) -> str | None:
    """Why a device is no camera that can be opened now, in words and with advice; None where it looks well."""
    try:
        handle = os.open(device, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return f"there is no camera at {device}; plug it in or set camera.device ({_others()})"
    except PermissionError:
        return (
            f"no permission to use {device}; add yourself to its group ('sudo usermod -aG video $USER') and log in anew"
        )
    except OSError as error:
        if error.errno == errno.EBUSY:
            return f"{device} is in use{users(device)}; end the other program"
        return f"cannot open {device} ({error.strerror}); unplug the camera and plug it in again"
    try:
        answer = fcntl.ioctl(handle, _VIDIOC_QUERYCAP, bytes(_CAPABILITIES.size))
    except OSError as error:
        if error.errno in (errno.ENOTTY, errno.EINVAL):
            return f"{device} is no camera; set camera.device ({_others()})"
        return f"{device} does not answer ({error.strerror}); unplug the camera and plug it in again"
    finally:
        os.close(handle)
    _, everywhere, here = _CAPABILITIES.unpack(answer)
    if not (here if everywhere & _ONE_NODE else everywhere) & _CAPTURES:
        return f"{device} sends no pictures, only other data; set camera.device ({_others()})"
    return None


def users(path: str) -> str:
    """`` by 'name' (process 123)`` for another process that has a file open, as far as this user may know."""
    target, own = os.path.realpath(path), str(os.getpid())
    for process in Path("/proc").glob("[0-9]*"):
        if process.name == own:
            continue
        try:
            if any(os.readlink(entry.path) == target for entry in os.scandir(process / "fd")):
                return f" by '{(process / 'comm').read_text().strip()}' (process {process.name})"
        except OSError:  # it belongs to somebody else, or has ended meanwhile
            continue
    return ""


class FrameTimes:
    """Turns the times that a driver gives its pictures into stamps.

    A buffer's time is the beginning of its exposure on CLOCK_MONOTONIC (uvcvideo's default), or on the system's clock.
    Which one is told by one of the first pictures, by a time within the second before its arrival; later ones may be
    older, after the host was busy. Else arrival less ``latency`` s counts, and ``notify`` is told once.
    """

    def __init__(self, clock: Clock, latency: float, notify: Callable[[str], None]) -> None:
        self._clock, self._latency, self._notify = clock, round(latency * 1e9), notify
        self._clock_used, self._tries = "", 0

    def stamp(self, driver_time: float) -> int:
        """ns on the rig's clock of a picture that arrives now with a ``driver_time`` in ms."""
        now, ticks = self._clock.now(), time.monotonic_ns()
        taken = round(driver_time * 1e6)
        known = {"monotonic": taken - ticks + now, "system": taken, "none": now - self._latency}
        if not self._clock_used:
            self._tries += 1
            self._clock_used = next((name for name in ("monotonic", "system") if _plausible(now - known[name])), "")
            if not self._clock_used and self._tries == _TRIES:
                self._clock_used = "none"
                self._notify(
                    f"gives no usable time of its pictures ({driver_time:g} ms), so that of their arrival less "
                    f"{self._latency / 1e9:g} s counts; set camera.latency to what passes between both"
                )
        return min(known[self._clock_used or "none"], now)


def _plausible(age: int) -> bool:
    return -_CLOCKS_APART <= age <= _PLAUSIBLE


def _others() -> str:
    found = sorted(str(path) for path in Path("/dev").glob("video[0-9]*"))
    return f"there are {', '.join(found)}" if found else "no video device is connected"


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
    """Settings requested from a Video4Linux device.

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

    Settings that it does not take are passed to ``refused`` in words; the size is for the caller to compare.
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
