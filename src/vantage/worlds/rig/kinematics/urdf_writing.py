"""A robot as URDF, from its chains: what ``robot_description`` holds, for RViz and other tools of ROS.

Format: http://wiki.ros.org/urdf/XML.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vantage.spatial import Matrix
from vantage.worlds.rig.kinematics.chain import PRISMATIC, Chain, Joint

BOX, CYLINDER, SPHERE = "box", "cylinder", "sphere"
Color = tuple[float, float, float]
_GREY: Color = (0.6, 0.6, 0.65)


@dataclass(frozen=True, eq=False)
class Branch:
    """A chain that hangs on a link.

    Attributes:
        parent: that link.
        T_parent_base: (4, 4); the identity where the chain's base is that link itself.
        tip: name of the frame at the end, of which ``chain.T_tip_camera`` is the pose in the last link; empty for none.
    """

    parent: str
    T_parent_base: Matrix
    chain: Chain
    tip: str


@dataclass(frozen=True, eq=False)
class Shape:
    """Something to see or to touch on a link.

    Attributes:
        kind: ``BOX``, ``CYLINDER`` (along z) or ``SPHERE``.
        size: x, y and z of a box; radius and length of a cylinder; radius of a sphere; m.
        T_link_shape: (4, 4), of its center.
        color: red, green and blue, 0..1.
        see, touch: whether it is to be seen, and met.
    """

    link: str
    kind: str
    size: tuple[float, ...]
    T_link_shape: Matrix
    color: Color = _GREY
    see: bool = True
    touch: bool = False


def write_urdf(
    name: str,
    root: str,
    branches: Sequence[Branch],
    shapes: Iterable[Shape] = (),
    forces: Mapping[str, float] | None = None,
) -> str:
    """A robot whose first link is ``root``; each branch hangs on ``root`` or on a link of a branch before it.

    Args:
        forces: largest, N or N m, by joint; 0 for those that are not there.
    """
    robot = ET.Element("robot", name=name)
    links = {root: ET.SubElement(robot, "link", name=root)}

    def joint(kind: str, joint_name: str, parent: str, child: str, T_parent_child: Matrix) -> ET.Element:
        links[child] = ET.SubElement(robot, "link", name=child)
        element = ET.SubElement(robot, "joint", name=joint_name, type=kind)
        _origin(element, T_parent_child)
        ET.SubElement(element, "parent", link=parent)
        ET.SubElement(element, "child", link=child)
        return element

    for branch in branches:
        link = branch.chain.base
        if link != branch.parent:
            joint("fixed", f"{link}_mount", branch.parent, link, branch.T_parent_base)
        for moving in branch.chain.joints:
            _motion(joint(_kind(moving), moving.name, link, moving.link, moving.T_parent_joint), moving, forces or {})
            link = moving.link
        if branch.tip:
            joint("fixed", f"{branch.tip}_mount", link, branch.tip, branch.chain.T_tip_camera)
    for shape in shapes:
        _show(links[shape.link], shape)
    ET.indent(robot)
    return ET.tostring(robot, encoding="unicode") + "\n"


def capsule(link: str, start: Sequence[float], end: Sequence[float], radius: float) -> list[Shape]:
    """A capsule from ``start`` to ``end``, m in the frame of a link, as a cylinder and two spheres."""
    a, b = np.asarray(start, np.float64), np.asarray(end, np.float64)
    length = float(np.linalg.norm(b - a))
    ends = [Shape(link, SPHERE, (radius,), _placed(point)) for point in ((a, b) if length > 0.0 else (a,))]
    if length == 0.0:
        return ends
    along = (b - a) / length
    side = np.cross(along, np.eye(3)[int(np.argmin(np.abs(along)))])
    side /= np.linalg.norm(side)
    T_link_shape = _placed(0.5 * (a + b))
    T_link_shape[:3, :3] = np.stack([side, np.cross(along, side), along], axis=1)
    return [*ends, Shape(link, CYLINDER, (radius, length), T_link_shape)]


def _placed(point: Matrix) -> Matrix:
    T = np.eye(4)
    T[:3, 3] = point
    return T


def _kind(joint: Joint) -> str:
    if joint.kind == PRISMATIC:
        return "prismatic"
    return "revolute" if math.isfinite(joint.lower) and math.isfinite(joint.upper) else "continuous"


def _motion(element: ET.Element, joint: Joint, forces: Mapping[str, float]) -> None:
    ET.SubElement(element, "axis", xyz=_numbers(joint.axis))
    limits = {"effort": f"{forces.get(joint.name, 0.0):g}", "velocity": f"{joint.speed:g}"}
    if math.isfinite(joint.lower) and math.isfinite(joint.upper):
        limits |= {"lower": f"{joint.lower:.9g}", "upper": f"{joint.upper:.9g}"}
    ET.SubElement(element, "limit", limits)


def _origin(element: ET.Element, T: Matrix) -> None:
    R = T[:3, :3]
    pitch = math.atan2(-R[2, 0], math.hypot(R[0, 0], R[1, 0]))
    if abs(R[2, 0]) < 1.0 - 1e-12:
        roll, yaw = math.atan2(R[2, 1], R[2, 2]), math.atan2(R[1, 0], R[0, 0])
    else:  # roll and yaw turn about the same axis
        roll, yaw = 0.0, math.atan2(-R[0, 1], R[1, 1])
    ET.SubElement(element, "origin", xyz=_numbers(T[:3, 3]), rpy=_numbers((roll, pitch, yaw)))


def _show(link: ET.Element, shape: Shape) -> None:
    if shape.touch:
        _geometry(ET.SubElement(link, "collision"), shape)
    if not shape.see:
        return
    visual = ET.SubElement(link, "visual")
    _geometry(visual, shape)
    hue = "_".join(f"{round(255 * value):02x}" for value in shape.color)
    material = ET.SubElement(visual, "material", name=f"color_{hue}")
    ET.SubElement(material, "color", rgba=_numbers((*shape.color, 1.0)))


def _geometry(element: ET.Element, shape: Shape) -> None:
    _origin(element, shape.T_link_shape)
    geometry = ET.SubElement(element, "geometry")
    if shape.kind == BOX:
        ET.SubElement(geometry, BOX, size=_numbers(shape.size))
    elif shape.kind == CYLINDER:
        ET.SubElement(geometry, CYLINDER, radius=f"{shape.size[0]:.9g}", length=f"{shape.size[1]:.9g}")
    else:
        ET.SubElement(geometry, SPHERE, radius=f"{shape.size[0]:.9g}")


def _numbers(values: Iterable[float]) -> str:
    return " ".join(f"{float(value) + 0.0:.9g}" for value in values)
