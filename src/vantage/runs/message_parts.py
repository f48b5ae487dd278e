"""Messages of ROS's own packages from Vantage's types, for any message classes: those of rclpy and of rosbags."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from vantage.spatial import R_BODY_OPTICAL, Intrinsics, Matrix, Viewpoint, quaternion, rigid
from vantage.types import Event, Link, Posture

BODY_FRAME = "camera_link"
OPTICAL_FRAME = "camera_optical"
_WARN, _ERROR = 1, 2  # of DiagnosticStatus.level
JOINTS = ("x", "y", "z", "yaw", "pitch")


class MessageFactory(Protocol):
    """Makes messages of one kind."""

    def make(self, type_name: str, fields: Mapping[str, Any]) -> Any:
        """A message of a type such as ``std_msgs/msg/Header``."""
        ...

    def array(self, values: NDArray[Any]) -> Any:
        """A sequence of numbers in the form that the message classes take for unbounded sequences."""
        ...

    def byte(self, value: int) -> Any:
        """A value in the form that the message classes take for ``byte``."""
        ...


class PartsCodec:
    """Builds messages of ROS's own packages. Stamps are ns; ``frame`` is the world frame."""

    def __init__(self, factory: MessageFactory, frame: str = "map") -> None:
        self._factory = factory
        self.frame = frame

    def make(self, type_name: str, **fields: Any) -> Any:
        """A message; text that UTF-8 cannot hold, such as a lone surrogate from a model's JSON, is mended."""
        return self._factory.make(type_name, {key: _encodable(value) for key, value in fields.items()})

    def array(self, values: NDArray[Any]) -> Any:
        """An unbounded sequence of numbers."""
        return self._factory.array(values)

    def time(self, stamp: int) -> Any:
        return self.make("builtin_interfaces/msg/Time", sec=stamp // 10**9, nanosec=stamp % 10**9)

    def header(self, stamp: int, frame: str | None = None) -> Any:
        return self.make("std_msgs/msg/Header", stamp=self.time(stamp), frame_id=self.frame if frame is None else frame)

    def point(self, value: Iterable[float]) -> Any:
        x, y, z = (float(part) for part in value)
        return self.make("geometry_msgs/msg/Point", x=x, y=y, z=z)

    def image(self, stamp: int, pixels: NDArray[Any], encoding: str) -> Any:
        """``rgb8`` (H, W, 3), ``32FC1`` m or ``32SC1`` ids, both (H, W)."""
        height, width = pixels.shape[:2]
        data = np.ascontiguousarray(pixels).reshape(-1).view(np.uint8)
        return self.make(
            "sensor_msgs/msg/Image",
            header=self.header(stamp, OPTICAL_FRAME),
            height=height,
            width=width,
            encoding=encoding,
            is_bigendian=0,
            step=data.size // height,
            data=self.array(data),
        )

    def compressed_image(self, stamp: int, data: bytes, form: str = "jpeg") -> Any:
        return self.make(
            "sensor_msgs/msg/CompressedImage",
            header=self.header(stamp, OPTICAL_FRAME),
            format=form,
            data=self.array(np.frombuffer(data, np.uint8)),
        )

    def camera_info(self, stamp: int, intrinsics: Intrinsics) -> Any:
        k = intrinsics.matrix()
        return self.make(
            "sensor_msgs/msg/CameraInfo",
            header=self.header(stamp, OPTICAL_FRAME),
            height=intrinsics.height,
            width=intrinsics.width,
            distortion_model="plumb_bob",
            d=self.array(np.zeros(5)),
            k=k.reshape(-1),
            r=np.eye(3).reshape(-1),
            p=np.hstack([k, np.zeros((3, 1))]).reshape(-1),
            binning_x=0,
            binning_y=0,
            roi=self.region(0, 0, 0, 0),
        )

    def diagnostics(self, events: Iterable[Event], source: str) -> Any:
        """What a world noticed, one status each (REP-107)."""
        statuses = [
            self.make(
                "diagnostic_msgs/msg/DiagnosticStatus",
                level=self._factory.byte(_ERROR if event.fatal else _WARN),
                name=f"{source}: {event.kind}",
                message=event.sentence,
                hardware_id="vantage",
                values=[self.make("diagnostic_msgs/msg/KeyValue", key="number", value=str(event.number))],
            )
            for event in events
        ]
        stamp = max((event.stamp for event in events), default=0)
        return self.make("diagnostic_msgs/msg/DiagnosticArray", header=self.header(stamp, ""), status=statuses)

    def region(self, x: int, y: int, width: int, height: int) -> Any:
        return self.make(
            "sensor_msgs/msg/RegionOfInterest", x_offset=x, y_offset=y, height=height, width=width, do_rectify=False
        )

    def joint_states(self, stamp: int, viewpoint: Viewpoint, posture: Posture | None = None) -> Any:
        """The joints of the robot that carries the camera, or the five of a free camera."""
        free = (viewpoint.x, viewpoint.y, viewpoint.z, viewpoint.yaw, viewpoint.pitch)
        joints = dict(zip(JOINTS, free, strict=True)) if posture is None else posture.joints
        nothing = self.array(np.zeros(0))
        return self.make(
            "sensor_msgs/msg/JointState",
            header=self.header(stamp),
            name=list(joints),
            position=self.array(np.array(list(joints.values()), np.float64)),
            velocity=nothing,
            effort=nothing,
        )

    def transforms(self, stamp: int, viewpoint: Viewpoint, posture: Posture | None = None) -> Any:
        """``/tf``: T_world_body, through the links of the robot that carries the camera where there is one."""
        links = (Link(self.frame, BODY_FRAME, viewpoint.T_world_body()),) if posture is None else posture.links
        transforms = [self._transform(stamp, link) for link in links]
        return self.make("tf2_msgs/msg/TFMessage", transforms=transforms)

    def static_transforms(self, stamp: int) -> Any:
        """``/tf_static``: T_body_optical."""
        link = Link(BODY_FRAME, OPTICAL_FRAME, rigid(R_BODY_OPTICAL, np.zeros(3)))
        return self.make("tf2_msgs/msg/TFMessage", transforms=[self._transform(stamp, link)])

    def _transform(self, stamp: int, link: Link) -> Any:
        T_parent_child = link.T_parent_child
        x, y, z = (float(part) for part in T_parent_child[:3, 3])
        transform = self.make(
            "geometry_msgs/msg/Transform",
            translation=self.make("geometry_msgs/msg/Vector3", x=x, y=y, z=z),
            rotation=self.quaternion(T_parent_child[:3, :3]),
        )
        return self.make(
            "geometry_msgs/msg/TransformStamped",
            header=self.header(stamp, link.parent),
            child_frame_id=link.child,
            transform=transform,
        )

    def quaternion(self, rotation: Matrix) -> Any:
        x, y, z, w = quaternion(rotation)
        return self.make("geometry_msgs/msg/Quaternion", x=x, y=y, z=z, w=w)

    def pose(self, viewpoint: Viewpoint) -> Any:
        """T_world_body as geometry_msgs/Pose."""
        return self.make(
            "geometry_msgs/msg/Pose",
            position=self.point(viewpoint.position),
            orientation=self.quaternion(viewpoint.rotation()),
        )


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, list) and value and isinstance(value[0], str):
        return [_encodable(item) for item in value]
    return value
