"""What an arm is told, and what its hand feels, as ROS messages and back."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from vantage.recording.from_messages import read, read_frame, read_point, read_reached, read_time, read_transform
from vantage.recording.to_messages import TOOL_FRAME, Codec
from vantage.spatial import Intrinsics, rigid, rotation_from_quaternion
from vantage.types import ArmStep, ArmTarget, Command, Link, ObjectAction, Observation, Posture, StepResult, Touch

# Modes of ArmCommand.msg; one that is unclear is none of the others, or several at once.
ARM_JOINTS, ARM_POSE, ARM_GRIPPER, ARM_STEP, ARM_HANDLE, ARM_OBJECT, ARM_UNCLEAR = 0, 1, 2, 3, 4, 5, 255


def arm_command_message(codec: Codec, stamp: int, command: Command) -> Any:
    """vantage_eqa/msg/ArmCommand, not signed.

    Raises:
        ValueError: the command has no arm target.
    """
    arm = command.arm
    if arm is None:
        raise ValueError("an arm command needs an arm target")
    joints = dict(arm.joints or {})
    T_world_tool = np.eye(4) if arm.T_world_tool is None else arm.T_world_tool
    return codec.own(
        "ArmCommand",
        command,
        header=codec.header(stamp),
        mode=_mode(arm),
        joint_names=list(joints),
        positions=codec.array(np.array(list(joints.values()), np.float64)),
        target_pose=codec.rigid_pose(T_world_tool[:3, 3], T_world_tool[:3, :3]),
        gripper_width=float(arm.gripper_width or 0.0),
        gripper_force=float(arm.gripper_force),
        step=codec.own("ArmStep", arm.step or ArmStep()),
        handle=arm.handle or "",
        object_action=codec.own("ObjectAction", arm.object_action or ObjectAction("", 0)),
        signature=codec.array(np.zeros(0, np.uint8)),  # whoever sends it to another process signs it
    )


def _mode(arm: ArmTarget) -> int:
    parts = {
        ARM_JOINTS: arm.joints,
        ARM_POSE: arm.T_world_tool,
        ARM_GRIPPER: arm.gripper_width,
        ARM_STEP: arm.step,
        ARM_HANDLE: arm.handle,
        ARM_OBJECT: arm.object_action,
    }
    given = [mode for mode, part in parts.items() if part is not None]
    return given[0] if len(given) == 1 else ARM_UNCLEAR


def read_arm_command(message: Any) -> Command:
    """The command that a message asks for.

    Raises:
        ValueError: an unknown mode, a zero quaternion, names and positions that do not match, or a
            name that comes twice.
    """
    if message.mode == ARM_JOINTS:
        pairs = zip(message.joint_names, message.positions, strict=True)
        target = ArmTarget(joints={name: float(value) for name, value in pairs})
        if len(target.joints or {}) < len(message.joint_names):
            raise ValueError(f"a joint is named twice: {', '.join(message.joint_names)}")
    elif message.mode == ARM_POSE:
        p, q = message.target_pose.position, message.target_pose.orientation
        rotation = rotation_from_quaternion(q.x, q.y, q.z, q.w)
        target = ArmTarget(T_world_tool=rigid(rotation, np.array([p.x, p.y, p.z])))
    elif message.mode == ARM_GRIPPER:
        target = ArmTarget(gripper_width=message.gripper_width, gripper_force=message.gripper_force)
    elif message.mode == ARM_STEP:
        target = ArmTarget(step=read(ArmStep, message.step))
    elif message.mode == ARM_HANDLE:
        target = ArmTarget(handle=str(message.handle))
    elif message.mode == ARM_OBJECT:
        target = ArmTarget(object_action=read(ObjectAction, message.object_action))
    elif message.mode == ARM_UNCLEAR:
        target = ArmTarget()  # which every world refuses
    else:
        raise ValueError(
            f"arm command mode {message.mode} is none of 0 (joints), 1 (pose), 2 (gripper), 3 (step), 4 (handle) and "
            "5 (object)"
        )
    return Command(
        arm=target,
        action=str(message.action),
        episode_id=message.episode_id,
        source=message.source,
        sequence=int(message.sequence),
    )


def wrench_message(codec: Codec, stamp: int, touch: Touch) -> Any:
    """geometry_msgs/WrenchStamped of what the hand feels, in the axes of the tool; NaN without a sensor."""
    wrench = codec.make("geometry_msgs/msg/Wrench", force=codec.vector(touch.force), torque=codec.vector(touch.torque))
    return codec.make("geometry_msgs/msg/WrenchStamped", header=codec.header(stamp, TOOL_FRAME), wrench=wrench)


def read_hand(message: Any) -> tuple[float, bool]:
    """The gripper's width, m, and whether the hand holds something, of a CommandResult or a reply to ResetWorld."""
    return float(message.gripper_width), bool(message.holds)


def read_result(message: Any, command: Command) -> StepResult:
    """What a CommandResult says became of a command; of what it shows, the stamp, the pose and the hand, whose forces
    are NaN.

    Raises:
        ValueError: there is no such status or cause, or a pose is none.
    """
    status, cause, reached = read_reached(message)
    width, holds = read_hand(message)
    p, q = message.tool_pose.position, message.tool_pose.orientation
    T_world_tool = rigid(rotation_from_quaternion(q.x, q.y, q.z, q.w), np.array([p.x, p.y, p.z]))
    if not np.isfinite(T_world_tool).all():
        raise ValueError(f"the pose of the hand after command {message.sequence} is not finite")
    without = math.isnan(width) and not holds and np.array_equal(T_world_tool, np.eye(4))
    unknown = np.full(3, np.nan)
    touch = None if without else Touch(T_world_tool, unknown, unknown, width, holds)
    picture = Intrinsics.from_fov(1, 1, 1.0), np.zeros((1, 1, 3), np.uint8)
    seen = Observation(read_time(message.observation_stamp), reached, *picture, touch=touch)
    return StepResult(status, str(message.reason), command, seen, cause)


def read_touch(wrench: Any, transforms: Any, hand: tuple[float, bool]) -> Touch:
    """
    Args:
        wrench: a WrenchStamped.
        transforms: a TFMessage that holds the frame of the hand.
        hand: see ``read_hand``.

    Raises:
        ValueError: it does not.
    """
    found = read_frame(transforms, TOOL_FRAME)
    if found is None:
        raise ValueError(f"no transform leads to the frame '{TOOL_FRAME}'")
    force, torque = (np.array(read_point(vector)) for vector in (wrench.wrench.force, wrench.wrench.torque))
    return Touch(found[1], force, torque, *hand)


def with_hand(seen: Observation, transforms: Any, hand: tuple[float, bool]) -> Observation:
    """A look with the hand and the links that a TFMessage tells of it, without forces and joints; itself where there is
    no hand.

    Args:
        hand: see ``read_hand``.
    """
    found = read_frame(transforms, TOOL_FRAME)
    if found is None:
        return seen
    unknown = np.full(3, np.nan)
    return replace(seen, touch=Touch(found[1], unknown, unknown, *hand), posture=Posture({}, _links(transforms)))


def read_posture(joint_states: Any, transforms: Any) -> Posture:
    """How a robot stands, from a JointState and a TFMessage."""
    joints = zip(joint_states.name, joint_states.position, strict=True)
    return Posture({str(name): float(position) for name, position in joints}, _links(transforms))


def _links(transforms: Any) -> tuple[Link, ...]:
    return tuple(
        Link(item.header.frame_id, item.child_frame_id, read_transform(item)) for item in transforms.transforms
    )
