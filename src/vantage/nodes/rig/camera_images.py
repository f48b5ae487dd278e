"""Pictures and depth out of the messages that cameras publish, and which of them belong together."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.nodes.rig.joint_states import RemoteClock
from vantage.pictures import decode_picture

IMAGE, COMPRESSED = "sensor_msgs/msg/Image", "sensor_msgs/msg/CompressedImage"
_COLORS = {  # encoding: channels, how OpenCV makes RGB of it
    "rgb8": (3, None),
    "bgr8": (3, cv2.COLOR_BGR2RGB),
    "8UC3": (3, cv2.COLOR_BGR2RGB),
    "rgba8": (4, cv2.COLOR_RGBA2RGB),
    "bgra8": (4, cv2.COLOR_BGRA2RGB),
    "mono8": (1, cv2.COLOR_GRAY2RGB),
    "8UC1": (1, cv2.COLOR_GRAY2RGB),
}
_DEPTHS = {"16UC1": (np.uint16, 1e-3), "mono16": (np.uint16, 1e-3), "32FC1": (np.float32, 1.0)}
_STALE, _EARLY = 1.0, 0.05  # s that a stamp of this machine's clock may be behind and ahead when its picture arrives
_PERIOD = 1 / 30  # s, until frames tell theirs
_KEPT = 6


def read_picture(message: Any) -> NDArray[np.uint8]:
    """(H, W, 3) uint8 RGB of an Image or a CompressedImage; a copy.

    Raises:
        ValueError: an encoding that is not known, or data that do not fit it.
    """
    if hasattr(message, "format"):
        picture = decode_picture(memoryview(message.data))
        if picture is None:
            raise ValueError(f"a compressed picture ('{message.format}') cannot be decoded")
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), dtype=np.uint8)
    if message.encoding not in _COLORS:
        raise ValueError(f"pictures are encoded as '{message.encoding}', expected one of {', '.join(_COLORS)}")
    channels, conversion = _COLORS[message.encoding]
    pixels = _rows(message, np.dtype(np.uint8), channels).reshape(message.height, message.width, channels)
    return np.array(pixels) if conversion is None else np.asarray(cv2.cvtColor(pixels, conversion), dtype=np.uint8)


def read_depth(message: Any) -> NDArray[np.float32]:
    """(H, W) float32 m, NaN where nothing is seen.

    Raises:
        ValueError: an encoding that is not known, or data that do not fit it.
    """
    if message.encoding not in _DEPTHS:
        raise ValueError(f"depth is encoded as '{message.encoding}', expected one of {', '.join(_DEPTHS)}")
    kind, unit = _DEPTHS[message.encoding]
    stored = np.dtype(kind).newbyteorder(">" if message.is_bigendian else "<")
    depth: NDArray[np.float32] = _rows(message, stored, 1).astype(np.float32) * np.float32(unit)
    depth[~np.isfinite(depth) | (depth <= 0.0)] = np.nan
    return depth


def _rows(message: Any, kind: np.dtype[Any], channels: int) -> NDArray[Any]:
    """(H, W * channels): what is in the rows of a message, without what pads them."""
    width = message.width * channels * kind.itemsize
    data = np.frombuffer(memoryview(message.data), np.uint8)
    if message.height < 1 or width < 1 or message.step < width or data.size < message.step * message.height:
        raise ValueError(
            f"an image of {message.width} x {message.height} '{message.encoding}' holds {data.size} bytes in rows of "
            f"{message.step}"
        )
    rows = data[: message.step * message.height].reshape(message.height, message.step)[:, :width]
    return np.ascontiguousarray(rows).view(kind)


class FrameStamps:
    """Relates the stamps of a camera to the clock here, ns.

    Stamps near the time here are taken as they are, also when they come late afterwards. Where the first one is far
    off, the camera has a clock of its own, and the fastest of its messages tells the difference.

    Attributes:
        doubt: why stamps are not taken as they are, in words; empty when they are.
    """

    def __init__(self) -> None:
        self._remote: RemoteClock | None = None
        self._decided = False
        self.doubt = ""

    def read(self, stamp: int, arrival: int) -> int:
        """The time here of a stamp; that of arrival where there is no stamp."""
        if stamp == 0:
            self.doubt = self.doubt or "have no stamps; their times of arrival are used"
            return arrival
        age = (arrival - stamp) / 1e9
        if not self._decided and not -_EARLY <= age <= _STALE:
            self._remote = RemoteClock()
            self.doubt = f"are stamped by a clock that is {age:.1f} s behind; they are related to their arrival"
        self._decided = True
        if self._remote is None:
            return stamp
        self._remote.learn(arrival / 1e9, stamp / 1e9)
        return round(self._remote.here(stamp / 1e9) * 1e9)


@dataclass(frozen=True, eq=False)
class Shot:
    """A picture that came, and the depth that belongs to it where there is any.

    Attributes:
        stamp: ns on the rig's clock.
    """

    stamp: int
    picture: Any
    depth: Any = None


class ShotBuffer:
    """The newest pictures, each with the depth that was taken within half a period of it. Times are ns of the camera.

    Args:
        with_depth: whether only those with depth count.
    """

    def __init__(self, with_depth: bool) -> None:
        self._with_depth = with_depth
        self._pictures: dict[int, Shot] = {}
        self._times: deque[int] = deque(maxlen=_KEPT)
        self._depths: dict[int, Any] = {}

    def add_picture(self, time: int, stamp: int, message: Any) -> None:
        self._pictures[time] = Shot(stamp, message)
        self._times.append(time)
        self._shorten(self._pictures)

    def add_depth(self, time: int, message: Any) -> None:
        self._depths[time] = message
        self._shorten(self._depths)

    def shots(self) -> list[Shot]:
        """All that are complete, oldest first."""
        if not self._with_depth:
            return sorted(self._pictures.values(), key=lambda shot: shot.stamp)
        found = []
        for time, shot in sorted(self._pictures.items()):
            nearest = min(self._depths, key=lambda other: abs(other - time), default=math.inf)
            if abs(nearest - time) <= 0.5e9 * self._period():
                found.append(Shot(shot.stamp, shot.picture, self._depths[int(nearest)]))
        return found

    def forget(self, shot: Shot) -> None:
        """Drop one that is of no use."""
        self._pictures = {time: kept for time, kept in self._pictures.items() if kept.stamp != shot.stamp}

    def _period(self) -> float:
        steps = [(b - a) / 1e9 for a, b in pairwise(self._times)]
        return median(steps) if steps else _PERIOD

    def _shorten(self, kept: dict[int, Any]) -> None:
        while len(kept) > _KEPT:
            del kept[min(kept)]
