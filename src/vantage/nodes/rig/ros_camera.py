"""The ``ros`` camera: any image topic of ROS with its camera_info, and a depth topic where there is one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import CameraInfo, CompressedImage, Image

from vantage.decoding import Section
from vantage.errors import ConfigError, HardwareError
from vantage.nodes.rig.camera_images import COMPRESSED, IMAGE, FrameStamps, Shot, ShotBuffer, read_depth, read_picture
from vantage.nodes.rig.endpoint import Endpoint, await_until, domain, offered, topic_name
from vantage.recording import read_stamp
from vantage.spatial import Intrinsics
from vantage.worlds.rig import Camera, Clock, Frame, RigParts
from vantage.worlds.rig.cameras import Undistorter

OPENING = 5.0  # s for everything that is needed to come
_LOOK = 0.1  # s between two looks at whether the camera is still there
_QUALITY = QoSProfile(depth=5, reliability=ReliabilityPolicy.BEST_EFFORT)  # heard from reliable publishers too


@dataclass(frozen=True)
class CameraTopics:
    """Where a camera publishes.

    Attributes:
        depth: empty for none; registered to the pictures, so that both have one camera_info.
        rectified: whether the pictures are free of distortion already, so that P of camera_info tells the pinhole.
    """

    image: str
    camera_info: str
    depth: str = ""
    rectified: bool = False
    domain_id: int | None = None


class RosCamera(Camera):
    """Pictures are decoded when somebody asks for one.

    Stamps are those of the messages' headers. A camera whose first stamp is not of this machine's time has a clock of
    its own: its stamps are then related to this machine's by the fastest of its messages, which is told once. Pictures
    without a stamp have the time of their arrival.
    """

    def __init__(self, topics: CameraTopics, clock: Clock) -> None:
        self.clock = clock
        self.topics = topics
        self._endpoint: Endpoint | None = None
        self._changed = threading.Condition()
        self._buffer = ShotBuffer(bool(topics.depth))
        self._info: Any = None
        self._lens: Undistorter | None = None
        self._stamps = FrameStamps()
        self._gone = False
        self._newest = self._last = -1  # stamp of the newest complete picture, and of the newest one

    @property
    def intrinsics(self) -> Intrinsics:
        """See ``Camera.intrinsics``."""
        if self._lens is None:
            raise HardwareError(f"the camera on {self.topics.image} is not open; open it first")
        return self._lens.intrinsics

    @property
    def senses(self) -> frozenset[str]:
        """See ``Camera.senses``."""
        return frozenset({"rgb", "depth"} if self.topics.depth else {"rgb"})

    def open(self) -> None:
        """See ``Camera.open``."""
        if self._endpoint is not None:
            return
        ends = time.monotonic() + OPENING
        self._endpoint = Endpoint("vantage_camera", self.topics.domain_id)
        try:
            self._subscribe(ends)
            self._await(lambda: self._info is not None, ends, self.topics.camera_info)
            self._lens = self._make_lens(self._info)
            self._await(lambda: bool(self._buffer.shots()), ends, self._missing)
            with self._changed:
                shot = self._buffer.shots()[-1]
            self._frame(shot)
            self._refuse_mixture()
        except ValueError as error:
            self.close()
            raise HardwareError(f"{self.topics.image}: {error}") from error
        except HardwareError:
            self.close()
            raise

    def frame_after(self, stamp: int, timeout: float) -> Frame:
        """See ``Camera.frame_after``."""
        ends = time.monotonic() + timeout
        while True:
            shot = self._shot_after(stamp, ends, timeout)
            try:
                return self._frame(shot)
            except ValueError as error:
                self.notify("garbage", f"{self.topics.image}: {error}; this picture is passed over")
                with self._changed:
                    self._buffer.forget(shot)

    def newest(self) -> int:
        """See ``Camera.newest``."""
        with self._changed:
            return self._newest

    def close(self) -> None:
        """See ``Camera.close``."""
        endpoint, self._endpoint = self._endpoint, None
        if endpoint is not None:
            endpoint.close()
        with self._changed:
            self._buffer, self._info = ShotBuffer(bool(self.topics.depth)), None
            self._stamps = FrameStamps()
            self._changed.notify_all()

    # Opening --------------------------------------------------------------------------------------------------------

    def _subscribe(self, ends: float) -> None:
        assert self._endpoint is not None
        node, topics = self._endpoint.node, self.topics
        kind = self._type_of(topics.image, (IMAGE, COMPRESSED), ends)
        picture = CompressedImage if kind == COMPRESSED else Image
        node.create_subscription(picture, topics.image, self._on_picture, _QUALITY)
        node.create_subscription(CameraInfo, topics.camera_info, self._on_info, _QUALITY)
        if topics.depth:
            self._type_of(topics.depth, (IMAGE,), ends)
            node.create_subscription(Image, topics.depth, self._on_depth, _QUALITY)
        self._endpoint.spin()

    def _type_of(self, topic: str, kinds: tuple[str, ...], ends: float) -> str:
        assert self._endpoint is not None
        node = self._endpoint.node
        await_until(lambda: node.count_publishers(topic) > 0, max(0.0, ends - time.monotonic()))
        publishers = node.get_publishers_info_by_topic(topic)
        if not publishers:
            raise HardwareError(
                f"nobody publishes {topic} (topics with images: {offered(node, *kinds)}); start the camera's driver, "
                f"or correct the rig's camera section and ROS_DOMAIN_ID {node.context.get_domain_id()}"
            )
        kind = str(publishers[0].topic_type)
        if kind not in kinds:
            raise HardwareError(f"{topic} holds {kind}, expected {' or '.join(kinds)}; name another topic")
        return kind

    def _refuse_mixture(self) -> None:
        assert self._endpoint is not None
        for topic in filter(None, (self.topics.image, self.topics.depth)):
            ends = self._endpoint.node.get_publishers_info_by_topic(topic)
            names = sorted(f"{end.node_namespace.rstrip('/')}/{end.node_name}" for end in ends)
            if len(names) > 1:
                raise HardwareError(
                    f"{topic} is published by {' and '.join(names)}; give the camera a topic of its own (world_node "
                    f"publishes what the camera saw on camera/image_raw)"
                )

    def _make_lens(self, info: Any) -> Undistorter:
        K = np.array(info.p, np.float64).reshape(3, 4)[:, :3] if self.topics.rectified else np.reshape(info.k, (3, 3))
        if not np.any(K):
            raise HardwareError(
                f"{self.topics.camera_info} holds no calibration (its matrix is zero); calibrate the camera, for "
                f"instance with vantage rig calibrate"
            )
        distortion = [] if self.topics.rectified else list(info.d)
        try:
            return Undistorter(info.width, info.height, np.asarray(K, np.float64), distortion, info.distortion_model)
        except ConfigError as error:
            raise HardwareError(f"{self.topics.camera_info}: {error}") from error

    def _missing(self) -> str:
        topics = self.topics
        if self._last < 0 or not topics.depth:
            return topics.image
        return f"{topics.depth} with the stamp of a picture on {topics.image}"

    def _await(self, condition: Callable[[], bool], ends: float, what: str | Callable[[], str]) -> None:
        with self._changed:
            if not self._changed.wait_for(condition, max(0.0, ends - time.monotonic())):
                name = what if isinstance(what, str) else what()
                raise HardwareError(f"nothing came on {name} within {OPENING:.0f} s; check the camera's driver")

    # Pictures -------------------------------------------------------------------------------------------------------

    def _shot_after(self, stamp: int, ends: float, timeout: float) -> Shot:
        while True:
            with self._changed:
                shots = self._buffer.shots()
                found = next((shot for shot in shots if shot.stamp > stamp), None)
                if found is not None:
                    return found
                if self._endpoint is None:
                    raise HardwareError(f"the camera on {self.topics.image} is not open; open it first")
                self._changed.wait(min(_LOOK, max(0.0, ends - time.monotonic())))
            self._check_presence()
            if time.monotonic() >= ends:
                age = (self.clock.now() - self._newest) / 1e9
                raise HardwareError(
                    f"no picture came on {self.topics.image} within {timeout:g} s; the newest one is {age:.1f} s old; "
                    f"check the camera"
                )

    def _check_presence(self) -> None:
        endpoint = self._endpoint
        if endpoint is None or endpoint.node.count_publishers(self.topics.image) > 0:
            return
        sentence = f"nobody publishes {self.topics.image} any more; start the camera's driver again"
        if not self._gone:
            self._gone = True
            self.notify("camera", sentence)
        raise HardwareError(sentence)

    def _frame(self, shot: Shot) -> Frame:
        lens = self._lens
        assert lens is not None
        size = (lens.intrinsics.height, lens.intrinsics.width)
        rgb = read_picture(shot.picture)
        depth = None if shot.depth is None else read_depth(shot.depth)
        for what, shape in (("pictures", rgb.shape[:2]), ("depth", size if depth is None else depth.shape)):
            if shape != size:
                raise ValueError(
                    f"{what} of {shape[1]} x {shape[0]} do not fit {self.topics.camera_info}, which is for "
                    f"{size[1]} x {size[0]}; publish both at one size"
                )
        return Frame(shot.stamp, lens.rgb(rgb), None if depth is None else lens.depth(depth))

    # Messages -------------------------------------------------------------------------------------------------------

    def _on_info(self, message: Any) -> None:
        with self._changed:
            if self._info is None:
                self._info = message
                self._changed.notify_all()

    def _on_depth(self, message: Any) -> None:
        with self._changed:
            self._buffer.add_depth(read_stamp(message) or self.clock.now(), message)
            self._after_message()

    def _on_picture(self, message: Any) -> None:
        arrival, header = self.clock.now(), read_stamp(message)
        with self._changed:
            trusted = not self._stamps.doubt
            stamp = self._stamps.read(header, arrival)
            if stamp > self._last:
                self._last = stamp
                self._buffer.add_picture(header or arrival, stamp, message)
            self._after_message()
            back, self._gone = self._gone, False
        if trusted and self._stamps.doubt:
            self.notify("stamps", f"pictures on {self.topics.image} {self._stamps.doubt}")
        if back:
            self.notify("camera", f"{self.topics.image} is back")

    def _after_message(self) -> None:
        shots = self._buffer.shots()
        self._newest = max(self._newest, shots[-1].stamp if shots else -1)
        self._changed.notify_all()


def make_ros_camera(section: Section, parts: RigParts) -> RosCamera:
    """The factory behind the registered name ``ros``.

    Keys: ``image`` (Image or CompressedImage; needed), ``camera_info`` (beside the image), ``depth`` (registered to
    the image; none), ``rectified`` (false) and ``domain_id`` (that of the environment).

    Raises:
        ConfigError: a key is missing, unknown or has a wrong value.
    """
    image = topic_name(section, "image")
    beside = "".join(image.removesuffix("/compressed").rpartition("/")[:2])
    topics = CameraTopics(
        image=image,
        camera_info=topic_name(section, "camera_info", f"{beside}camera_info"),
        depth=topic_name(section, "depth", ""),
        rectified=section.switch("rectified", False),
        domain_id=domain(section),
    )
    section.done()
    return RosCamera(topics, parts.clock)
