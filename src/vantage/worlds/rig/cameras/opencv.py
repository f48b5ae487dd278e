"""Cameras that OpenCV reads: Video4Linux devices (USB cameras among them) in a thread of their own, and video files."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.decoding import Section
from vantage.errors import ConfigError, HardwareError
from vantage.file_references import referenced
from vantage.spatial import Intrinsics
from vantage.worlds.rig.camera import Camera, Frame
from vantage.worlds.rig.cameras.lens import Lens, Undistorter, read_lens, rgb_of
from vantage.worlds.rig.cameras.v4l2 import LOCKS, SILENCE, DeviceOptions, FrameTimes, open_device, set_up
from vantage.worlds.rig.cameras.video_file import VideoFileCamera
from vantage.worlds.rig.clock import Clock, SystemClock
from vantage.worlds.rig.parts import RigParts


class FrameStream:
    """Thread-safe. Only the newest picture is kept, so that no frame is older than necessary.

    ``name`` is the camera's, for messages.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._changed = threading.Condition()
        self._newest = -1
        self._frame: Frame | None = None
        self._waiting = 0
        self._failure = ""
        self._closed = False

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
        """A picture came; None when it was not decoded. It ends a failure; after ``close`` it is dropped."""
        with self._changed:
            if self._closed:
                return
            self._newest, self._failure = stamp, ""
            if frame is not None:
                self._frame = frame
                self._changed.notify_all()

    def fail(self, reason: str) -> None:
        """No more pictures for the time being; waiting callers get the reason."""
        with self._changed:
            if not self._closed:
                self._failure = reason
            self._changed.notify_all()

    def close(self, reason: str) -> None:
        """No more pictures ever, also none that is being read now; waiting callers get the reason."""
        with self._changed:
            self._closed, self._failure = True, reason
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


_FIRST_PICTURE = 5.0  # s
_REOPEN = 0.5  # s between two trials to find a camera that went away
_MOST_DAMAGED = 10  # pictures in a row


class OpenCvCamera(Camera):
    """A device that is read without pause, so that no old picture waits in a queue; only wanted ones are decoded.

    The thread that reads is the only one that touches the device. A camera that went away is looked for until it is
    back or ``close`` is called; meanwhile every wait fails at once.
    """

    def __init__(
        self, options: DeviceOptions, lens: Lens, clock: Clock, opened: Callable[[str], Any] | None = None
    ) -> None:
        """
        Args:
            opened: gives a ``cv2.VideoCapture`` for a device, or raises HardwareError.
        """
        self.clock = clock
        self._options, self._lens, self._opened = options, lens, opened or open_device
        self._name = f"the camera {options.device}"
        self._undistorter: Undistorter | None = None
        self._stream: FrameStream | None = None
        self._thread: threading.Thread | None = None
        self._over = threading.Event()

    @property
    def intrinsics(self) -> Intrinsics:
        """See ``Camera.intrinsics``."""
        if self._undistorter is None:
            raise HardwareError(f"{self._name} is not open; open it first")
        return self._undistorter.intrinsics

    @property
    def senses(self) -> frozenset[str]:
        """See ``Camera.senses``."""
        return frozenset({"rgb"})

    def open(self) -> None:
        """See ``Camera.open``."""
        if self._stream is not None:
            return
        self._over = threading.Event()
        self._stream = stream = FrameStream(self._name)
        self._thread = threading.Thread(target=self._run, args=(stream, self._over), name="camera", daemon=True)
        self._thread.start()
        try:
            stream.wait(-1, _FIRST_PICTURE)
        except HardwareError:
            self.close()
            raise

    def frame_after(self, stamp: int, timeout: float) -> Frame:
        """See ``Camera.frame_after``."""
        stream = self._stream
        if stream is None:
            raise HardwareError(f"{self._name} is not open; open it first")
        return stream.wait(stamp, timeout)

    def newest(self) -> int:
        """See ``Camera.newest``."""
        stream = self._stream
        if stream is None:
            return -1
        stream.check()
        return stream.newest

    def close(self) -> None:
        """See ``Camera.close``; the thread lets go of the device within ``SILENCE`` s."""
        self._over.set()
        stream, thread = self._stream, self._thread
        self._stream = self._thread = None
        if stream is not None:
            stream.close(f"{self._name} was closed; open it again")
        if thread is not None and thread is not threading.current_thread():
            thread.join(SILENCE + 1.0)

    def _run(self, stream: FrameStream, over: threading.Event) -> None:
        while not over.is_set():
            before = stream.newest
            gone = before >= 0
            try:
                capture = self._connect()
            except HardwareError as error:
                stream.fail(f"{self._name} went away, and {error}" if gone else str(error))
            else:
                try:
                    reason = self._read(capture, stream, over, gone)
                finally:
                    capture.release()
                if not over.is_set():
                    stream.fail(f"{self._name} {reason}; check its cable")
                    if stream.newest > before:
                        self._tell(f"{reason}; check its cable")
            if stream.newest < 0:
                return  # ``open`` has failed
            over.wait(_REOPEN)

    def _read(self, capture: Any, stream: FrameStream, over: threading.Event, gone: bool) -> str:
        """Hand on what comes until ``over``; returns why nothing comes any more."""
        times = FrameTimes(self.clock, self._options.latency, self._tell)
        nothing, damaged = True, 0
        while not over.is_set():
            try:
                if not capture.grab():
                    return "sends no pictures" if nothing else "went away"
                if nothing and gone:
                    self._tell("is back")
                nothing = False
                stamp = stream.later(times.stamp(capture.get(cv2.CAP_PROP_POS_MSEC)))
                if not stream.wanted:
                    stream.came(stamp, None)
                    continue
                frame = self._frame(stamp, *capture.retrieve())
            except cv2.error as error:
                return f"cannot be read ({_words(error)})"
            stream.came(stamp, frame)
            damaged = 0 if frame is not None else damaged + 1
            if damaged == 1:
                self._tell("sent a damaged picture, which is passed over")
            if damaged >= _MOST_DAMAGED:
                return f"sent {damaged} damaged pictures in a row"
        return "was closed"

    def _frame(self, stamp: int, done: bool, image: NDArray[np.uint8] | None) -> Frame | None:
        lens = self._undistorter
        if not done or image is None or lens is None:
            return None
        if image.shape != (lens.intrinsics.height, lens.intrinsics.width, 3):
            return None
        return Frame(stamp, lens.rgb(rgb_of(image)))

    def _connect(self) -> Any:
        """Open the device and set it up.

        Raises:
            HardwareError: it cannot be opened, or sends another size.
        """
        capture = self._opened(self._options.device)
        try:
            set_up(capture, self._lens.width, self._lens.height, self._options, self._tell)
            width, height = capture.get(cv2.CAP_PROP_FRAME_WIDTH), capture.get(cv2.CAP_PROP_FRAME_HEIGHT)
            self._undistorter = self._lens.undistorter(round(width), round(height), self._name)
        except (HardwareError, cv2.error) as error:
            capture.release()
            if isinstance(error, HardwareError):
                raise
            raise HardwareError(
                f"{self._name} cannot be set up ({_words(error)}); unplug it and plug it in again"
            ) from error
        return capture

    def _tell(self, what: str) -> None:
        self.notify("camera", f"{self._name} {what}")


def _words(error: cv2.error) -> str:
    return " ".join(str(error).split())


def make_opencv(section: Section, parts: RigParts) -> Camera:
    """The factory behind the registered name ``opencv``: of a device, or of a video file.

    Raises:
        ConfigError: a key is wrong, or a real camera is named where time is simulated.
    """
    device = _device(section)
    loop = section.switch("loop", True)
    lens = read_lens(section)
    form = section.text("format", "")
    if len(form) not in (0, 4) or not form.isascii():
        raise section.error("format", f"expected four characters such as MJPG, got '{form}'")
    locks = {name: section.number(name, 0.0, 0.0) for name in LOCKS}
    options = DeviceOptions(
        device,
        section.number("fps", 30.0, 0.1, 1000.0),
        form,
        section.number("latency", 0.0, 0.0, 10.0),
        {name: value for name, value in locks.items() if name in section},
    )
    section.done()
    if not device.startswith("/dev/"):
        try:
            video = referenced(device, section.folder)
        except ValueError as error:
            raise section.error("device", str(error)) from error
        return VideoFileCamera(video, parts.clock, lens, loop, options.fps)
    if not isinstance(parts.clock, SystemClock):
        raise section.error(
            "device",
            f"{device} is a real camera, and the time of this rig is simulated; set rig.mode to hardware or "
            "emulated, or name a video file",
        )
    return OpenCvCamera(options, lens, parts.clock)


def _device(section: Section) -> str:
    """``/dev/video2`` for 2 or "2"; otherwise as it is."""
    try:
        return f"/dev/video{section.whole('device', low=0, high=255)}"
    except ConfigError:
        text = section.text("device")
    if not text:
        raise section.error("device", "is empty; give /dev/video0, a number, or a video file")
    return f"/dev/video{int(text)}" if text.isascii() and text.isdigit() else text
