"""Messages of worlds beside frames: arm targets to and from ``ArmCommand``, points of a scene as ``PointCloud2``."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from vantage.recording.messages import Codec
from vantage.spatial import quaternion, rigid, rotation_from_quaternion
from vantage.types import ArmTarget, Command

JOINTS, POSE, GRIPPER = 0, 1, 2


def arm_command(codec: Codec, stamp: int, command: Command) -> Any:
    """The message of a command with an arm target.

    Raises:
        ValueError: the command has none.
    """
    arm = command.arm
    if arm is None:
        raise ValueError("an arm command needs an arm target")
    joints = dict(arm.joints or {})
    T_world_tool = np.eye(4) if arm.T_world_tool is None else arm.T_world_tool
    x, y, z, w = quaternion(T_world_tool[:3, :3])
    pose = codec.make(
        "geometry_msgs/msg/Pose",
        position=codec.point(T_world_tool[:3, 3]),
        orientation=codec.make("geometry_msgs/msg/Quaternion", x=x, y=y, z=z, w=w),
    )
    return codec.make(
        "vantage_eqa/msg/ArmCommand",
        header=codec.header(stamp),
        episode_id=command.episode_id,
        source=command.source,
        sequence=command.sequence,
        mode=JOINTS if arm.joints is not None else POSE if arm.T_world_tool is not None else GRIPPER,
        joint_names=list(joints),
        positions=codec.array(np.array(list(joints.values()), np.float64)),
        target_pose=pose,
        gripper_width=float(arm.gripper_width or 0.0),
        gripper_force=float(arm.gripper_force),
    )


def read_arm_command(message: Any) -> Command:
    """The command that a message asks for.

    Raises:
        ValueError: an unknown mode, a zero quaternion, or names and positions that do not match.
    """
    if message.mode == JOINTS:
        pairs = zip(message.joint_names, message.positions, strict=True)
        target = ArmTarget(joints={name: float(value) for name, value in pairs})
    elif message.mode == POSE:
        p, q = message.target_pose.position, message.target_pose.orientation
        rotation = rotation_from_quaternion(q.x, q.y, q.z, q.w)
        target = ArmTarget(T_world_tool=rigid(rotation, np.array([p.x, p.y, p.z])))
    elif message.mode == GRIPPER:
        target = ArmTarget(gripper_width=message.gripper_width, gripper_force=message.gripper_force)
    else:
        raise ValueError(f"arm command mode {message.mode} is none of 0 (joints), 1 (pose) and 2 (gripper)")
    return Command(arm=target, episode_id=message.episode_id, source=message.source, sequence=int(message.sequence))


_FLOAT32 = 7  # PointField.FLOAT32
MAX_POINTS = 200_000


@runtime_checkable
class HasScenePoints(Protocol):
    """A world that can show what its scene is made of."""

    def scene_points(self) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
        """Positions (N, 3) in the world frame, m, and colours (N, 3)."""
        ...


def point_cloud(codec: Codec, stamp: int, xyz: NDArray[np.float32], rgb: NDArray[np.uint8]) -> Any:
    """PointCloud2 with ``x y z rgb``; at most ``MAX_POINTS``, evenly picked."""
    step = -(-len(xyz) // MAX_POINTS) or 1
    xyz, rgb = xyz[::step], rgb[::step].astype(np.uint32)
    packed = np.empty((len(xyz), 4), np.float32)
    packed[:, :3] = xyz
    packed[:, 3] = ((rgb[:, 0] << 16) | (rgb[:, 1] << 8) | rgb[:, 2]).astype(np.uint32).view(np.float32)
    fields = [
        codec.make("sensor_msgs/msg/PointField", name=name, offset=4 * index, datatype=_FLOAT32, count=1)
        for index, name in enumerate(("x", "y", "z", "rgb"))
    ]
    return codec.make(
        "sensor_msgs/msg/PointCloud2",
        header=codec.header(stamp),
        height=1,
        width=len(packed),
        fields=fields,
        is_bigendian=False,
        point_step=16,
        row_step=16 * len(packed),
        data=codec.array(packed.reshape(-1).view(np.uint8)),
        is_dense=True,
    )
