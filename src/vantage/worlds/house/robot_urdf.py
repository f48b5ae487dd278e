"""The robot as URDF, the XML description of robots in ROS, for RViz and planners.

Format: http://wiki.ros.org/urdf/XML. A capsule, which URDF does not know, is a cylinder with a ball at each end.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Sequence

import numpy as np

from vantage.spatial import Matrix, rigid
from vantage.worlds.house.robot import (
    BASE_LINK,
    BOX,
    CAPSULE,
    FINGER_LINKS,
    HAND_LINK,
    HEAD_LINK,
    TOOL_LINK,
    Piece,
    RobotDescription,
)
from vantage.worlds.rig.kinematics import Joint, transform

CAMERA_LINK = "camera_link"


def robot_urdf(robot: RobotDescription) -> str:
    """The XML text. Its root link is ``base_link``; ``camera_link`` and ``arm_tool`` hang on head and hand."""
    root = ET.Element("robot", name=robot.name)
    last = robot.chain.joints[-1].link
    links = (BASE_LINK, HEAD_LINK, *(joint.link for joint in robot.chain.joints), HAND_LINK, *FINGER_LINKS)
    for link in links:
        _add_link(root, link, [piece for piece in robot.pieces if piece.link == link], robot.masses[link])
    for link in (CAMERA_LINK, TOOL_LINK):
        ET.SubElement(root, "link", name=link)
    _add_joint(root, BASE_LINK, robot.tilt, robot.forces[robot.tilt.name])
    parent = BASE_LINK
    for joint in robot.chain.joints:
        _add_joint(root, parent, joint, robot.forces[joint.name])
        parent = joint.link
    _add_fixed(root, "camera", HEAD_LINK, CAMERA_LINK, np.eye(4))
    _add_fixed(root, "hand", last, HAND_LINK, robot.hand.T_last_hand)
    _add_fixed(root, "tool", HAND_LINK, TOOL_LINK, transform((robot.hand.tool, 0.0, 0.0), 0.0, 0.0, 0.0))
    for joint in robot.finger_joints:
        _add_joint(root, HAND_LINK, joint, robot.hand.force)
    ET.indent(root)
    return '<?xml version="1.0"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _add_link(root: ET.Element, name: str, pieces: Sequence[Piece], mass: float) -> None:
    link = ET.SubElement(root, "link", name=name)
    inertial = ET.SubElement(link, "inertial")
    ET.SubElement(inertial, "mass", value=_text(mass))
    moment = _text(0.01 * mass)  # kg m^2; what moves by set points needs no better one
    ET.SubElement(inertial, "inertia", ixx=moment, iyy=moment, izz=moment, ixy="0", ixz="0", iyz="0")
    for piece in pieces:
        for place, kind, attributes in _shapes(piece):
            for tag, wanted in (("visual", piece.see), ("collision", piece.touch)):
                if wanted:
                    element = ET.SubElement(link, tag, name=piece.name)
                    _add_origin(element, place)
                    ET.SubElement(ET.SubElement(element, "geometry"), kind, attributes)
                    if tag == "visual":
                        material = ET.SubElement(element, "material", name="color " + " ".join(map(_text, piece.color)))
                        ET.SubElement(material, "color", rgba=" ".join(map(_text, piece.color)))


def _shapes(piece: Piece) -> list[tuple[Matrix, str, dict[str, str]]]:
    """T_link_shape (4, 4), tag and attributes of each shape that makes up a piece."""
    if piece.kind == BOX:
        return [(piece.T_link_piece, "box", {"size": " ".join(map(_text, piece.size))})]
    radius, length = piece.size
    shapes = [(piece.T_link_piece, "cylinder", {"radius": _text(radius), "length": _text(length)})]
    if piece.kind == CAPSULE:
        for end in (-0.5 * length, 0.5 * length):
            T_link_end = piece.T_link_piece @ rigid(np.eye(3), np.array([0.0, 0.0, end]))
            shapes.append((T_link_end, "sphere", {"radius": _text(radius)}))
    return shapes


def _add_joint(root: ET.Element, parent: str, joint: Joint, effort: float) -> None:
    element = ET.SubElement(root, "joint", name=joint.name, type=joint.kind)
    ET.SubElement(element, "parent", link=parent)
    ET.SubElement(element, "child", link=joint.link)
    _add_origin(element, joint.T_parent_joint)
    ET.SubElement(element, "axis", xyz=" ".join(map(_text, joint.axis)))
    limits = {"lower": joint.lower, "upper": joint.upper, "velocity": joint.speed, "effort": effort}
    ET.SubElement(element, "limit", {key: _text(value) for key, value in limits.items()})


def _add_fixed(root: ET.Element, name: str, parent: str, child: str, T_parent_child: Matrix) -> None:
    element = ET.SubElement(root, "joint", name=name, type="fixed")
    ET.SubElement(element, "parent", link=parent)
    ET.SubElement(element, "child", link=child)
    _add_origin(element, T_parent_child)


def _add_origin(element: ET.Element, T_parent_child: Matrix) -> None:
    xyz, rpy = T_parent_child[:3, 3].tolist(), roll_pitch_yaw(T_parent_child[:3, :3])
    ET.SubElement(element, "origin", xyz=" ".join(map(_text, xyz)), rpy=" ".join(map(_text, rpy)))


def roll_pitch_yaw(rotation: Matrix) -> tuple[float, float, float]:
    """Angles about fixed x, y and z, rad, of a rotation matrix (3, 3); no yaw where x points straight up or down."""
    level = math.hypot(rotation[0, 0], rotation[1, 0])
    pitch = math.atan2(-rotation[2, 0], level)
    if level < 1e-9:
        return math.atan2(-rotation[1, 2], rotation[1, 1]), pitch, 0.0
    return math.atan2(rotation[2, 1], rotation[2, 2]), pitch, math.atan2(rotation[1, 0], rotation[0, 0])


def _text(value: float) -> str:
    return f"{value + 0.0:.12g}"  # never -0
