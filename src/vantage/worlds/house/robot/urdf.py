"""The robot as URDF, the XML description of robots in ROS, for RViz and planners."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vantage.spatial import rigid
from vantage.worlds.house.robot.description import (
    BASE_LINK,
    CAPSULE,
    CYLINDER,
    FINGERS,
    HAND_LINK,
    TOOL_LINK,
    Piece,
    RobotDescription,
)
from vantage.worlds.rig.kinematics import SPHERE, Branch, Chain, Shape, transform, write_urdf

CAMERA_LINK = "camera_link"


def robot_urdf(robot: RobotDescription) -> str:
    """The XML text. Its root is ``base_link``; its links and joints are those of the simulation's ``posture``."""
    still, hand = np.eye(4), robot.hand
    T_hand_tool = transform((hand.tool, 0.0, 0.0), 0.0, 0.0, 0.0)
    branches = [
        Branch(BASE_LINK, still, Chain((robot.tilt,), base=BASE_LINK), CAMERA_LINK),
        Branch(BASE_LINK, still, replace(robot.chain, T_tip_camera=hand.T_last_hand), HAND_LINK),
        Branch(HAND_LINK, still, Chain((), T_tip_camera=T_hand_tool, base=HAND_LINK), TOOL_LINK),
        *(Branch(HAND_LINK, still, Chain((joint,), base=HAND_LINK), "") for joint in robot.finger_joints),
    ]
    shapes = [shape for piece in robot.pieces for shape in _shapes(piece)]
    forces = {**robot.forces, **dict.fromkeys(FINGERS, hand.force)}
    return write_urdf(robot.name, BASE_LINK, branches, shapes, forces)


def _shapes(piece: Piece) -> list[Shape]:
    """A capsule, which URDF does not know, is a cylinder with a ball at each end."""
    red, green, blue, _ = piece.color
    kind = CYLINDER if piece.kind == CAPSULE else piece.kind
    whole = Shape(piece.link, kind, piece.size, piece.T_link_piece, (red, green, blue), piece.see, piece.touch)
    if piece.kind != CAPSULE:
        return [whole]
    radius, length = piece.size
    ends = (rigid(np.eye(3), np.array([0.0, 0.0, end])) for end in (-0.5 * length, 0.5 * length))
    balls = (replace(whole, kind=SPHERE, size=(radius,), T_link_shape=piece.T_link_piece @ end) for end in ends)
    return [whole, *balls]
