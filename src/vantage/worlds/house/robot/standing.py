"""Postures of the mobile robot: whether one is of it, where its base is in one, and the one in which it begins."""

from __future__ import annotations

import math

from vantage.types import Link, Posture
from vantage.worlds.house.robot.description import BASE_LINK, HOME, RobotDescription, T_world_base

WORLD_FRAME = "map"


def stands_so(robot: RobotDescription, posture: Posture) -> bool:
    """Whether a posture has exactly the joints of a robot, and says where its base is."""
    names = {robot.tilt.name, *robot.joint_names, *(joint.name for joint in robot.finger_joints)}
    return names == posture.joints.keys() and any(link.child == BASE_LINK for link in posture.links)


def base_of(posture: Posture) -> tuple[float, float, float]:
    """x, y, m, and yaw, rad, of the base in the world.

    Raises:
        StopIteration: the posture does not say.
    """
    pose = next(link.T_parent_child for link in posture.links if link.child == BASE_LINK)
    return float(pose[0, 3]), float(pose[1, 3]), math.atan2(pose[1, 0], pose[0, 0])


def at_home(robot: RobotDescription, x: float, y: float, yaw: float) -> Posture:
    """How a robot stands at a place, m and rad: its arm at home, its hand open, looking ahead."""
    joints = {robot.tilt.name: 0.0, **dict(zip(robot.joint_names, map(float, robot.poses[HOME]), strict=True))}
    joints |= {joint.name: joint.upper for joint in robot.finger_joints}
    return Posture(joints, (Link(WORLD_FRAME, BASE_LINK, T_world_base(x, y, yaw)),))
