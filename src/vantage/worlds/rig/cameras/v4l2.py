"""Video4Linux devices: why one cannot be opened, and when its pictures were taken."""

from __future__ import annotations

import errno
import fcntl
import os
import struct
import time
from collections.abc import Callable
from pathlib import Path

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
