"""The chain of a rig from a URDF file, the XML description of robots in ROS.

Format: http://wiki.ros.org/urdf/XML/joint.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vantage.decoding import Section
from vantage.errors import ConfigError, FormatError
from vantage.files import read_text
from vantage.registry import did_you_mean
from vantage.spatial import Matrix
from vantage.worlds.rig.kinematics.chain import PRISMATIC, RESERVED_FRAMES, REVOLUTE, Joint, transform

_MOST_BYTES = 4 << 20
_KINDS = {"prismatic": PRISMATIC, "revolute": REVOLUTE, "continuous": REVOLUTE}


def joints_from_urdf(section: Section) -> tuple[tuple[Joint, ...], Matrix]:
    """The joints that move between two links of a URDF file, and T_last_camera (4, 4); fixed joints are merged.

    Keys: ``file``, ``base_link``, ``camera_link`` (x forward, z up), and ``joints``, which by name of the joint tells
    ``speed``, ``acceleration``, ``resolution``, ``margin`` or ``limits`` where the file does not, or not well.

    Raises:
        ConfigError: the file is no URDF or lacks a link, a joint between them is of a kind that no motor of its own
            moves, or a key is wrong.
    """
    path = section.path("file")
    if path is None:
        raise section.error("file", "expected the path of a URDF file, got nothing")
    urdf = _Urdf(path)
    way = urdf.way(section.text("base_link"), section.text("camera_link"))
    given = section.section("joints", {})
    moving = [element.get("name", "") for element in way if element.get("type") in _KINDS]
    for name in given.names():
        if name not in moving:
            raise given.error(name, f"no joint on the way has this name{did_you_mean(name, moving)}")
    section.done()
    joints: list[Joint] = []
    T_last_next = np.eye(4)
    for element in way:
        T_last_next = T_last_next @ urdf.origin(element)
        if urdf.kind(element) != "fixed":
            joints.append(_joint(urdf, element, T_last_next, given.section(element.get("name", ""), {})))
            T_last_next = np.eye(4)
    return tuple(joints), T_last_next


@dataclass(frozen=True)
class _Urdf:
    """A URDF file; errors in it name its path."""

    path: Path

    def way(self, base: str, camera: str) -> list[ET.Element]:
        """The joints from one link to another that hangs below it."""
        root = _parsed(self.path)
        links = [link.get("name", "") for link in root.findall("link")]
        for name in (base, camera):
            if name not in links:
                raise ConfigError(f"{self.path} has no link '{name}'{did_you_mean(name, links)}")
        above: dict[str, ET.Element] = {}
        for joint in root.findall("joint"):
            child = self.end(joint, "child")
            if child in above:
                other = above[child].get("name", "")
                raise self.error(joint, f"moves the link '{child}', which the joint '{other}' moves too")
            above[child] = joint
        way: list[ET.Element] = []
        link = camera
        while link != base:
            if link not in above or len(way) > len(above):
                raise ConfigError(f"{self.path}: the link '{camera}' does not hang below '{base}'; name other links")
            way.append(above[link])
            link = self.end(above[link], "parent")
        return way[::-1]

    def error(self, joint: ET.Element, problem: str) -> ConfigError:
        return ConfigError(f"{self.path}: joint '{joint.get('name', '')}' {problem}")

    def kind(self, joint: ET.Element) -> str:
        """``fixed`` or one that a motor moves."""
        kind = joint.get("type", "")
        if kind != "fixed" and kind not in _KINDS:
            kinds = ", ".join(sorted(_KINDS))
            raise self.error(joint, f"is of type '{kind}'; between base and camera only fixed, {kinds} joints will do")
        if kind != "fixed" and joint.find("mimic") is not None:
            raise self.error(joint, "follows another one (mimic); only joints with a motor of their own will do")
        return kind

    def origin(self, joint: ET.Element) -> Matrix:
        """(4, 4): T_parent_child with the joint at 0."""
        element = joint.find("origin")
        if element is None:
            return np.eye(4)
        unknown = set(element.keys()) - {"xyz", "rpy"}
        if unknown:
            raise self.error(joint, f"has an origin with {', '.join(sorted(unknown))}; give it with xyz and rpy")
        roll, pitch, yaw = self.numbers(joint, element, "rpy", 3, "0 0 0")
        return transform(self.numbers(joint, element, "xyz", 3, "0 0 0"), roll, pitch, yaw)

    def numbers(self, joint: ET.Element, element: ET.Element, key: str, count: int, default: str) -> tuple[float, ...]:
        """So many finite numbers in an attribute."""
        text = element.get(key, default)
        try:
            values = tuple(float(word) for word in text.split())
        except ValueError:
            values = ()
        if len(values) != count or not all(math.isfinite(value) for value in values):
            expand = "; expand the file with xacro first" if "${" in text else ""
            wanted = "a number" if count == 1 else f"{count} numbers"
            raise self.error(joint, f"has {element.tag} {key}='{text[:60]}', expected {wanted}{expand}")
        return values

    def end(self, joint: ET.Element, which: str) -> str:
        element = joint.find(which)
        name = "" if element is None else element.get("link", "")
        if not name:
            raise self.error(joint, f"has no {which} link")
        return name


def _joint(urdf: _Urdf, element: ET.Element, T_parent_joint: Matrix, given: Section) -> Joint:
    kind, name = urdf.kind(element), element.get("name", "")
    axis_element = element.find("axis")
    axis = (1.0, 0.0, 0.0) if axis_element is None else urdf.numbers(element, axis_element, "xyz", 3, "1 0 0")
    length = math.sqrt(sum(value**2 for value in axis))
    if length < 1e-9:
        raise urdf.error(element, "has the axis 0 0 0, which is no direction")
    low, high = given.numbers("limits", 2) if "limits" in given else _limits(urdf, element)
    margin = given.number("margin", 0.0, 0.0)
    if not low + margin < high - margin:
        raise given.error("limits", f"[{low:g}, {high:g}] leaves no room inside a margin of {margin:g}")
    limit = element.find("limit")
    speed = 0.0 if limit is None else urdf.numbers(element, limit, "velocity", 1, "0")[0]
    if speed <= 0.0 and "speed" not in given:
        raise given.error("speed", f"is missing, and {urdf.path} tells no velocity of the joint '{name}' above 0")
    link = urdf.end(element, "child")
    joint = Joint(
        name=name,
        kind=_KINDS[kind],
        axis=(axis[0] / length, axis[1] / length, axis[2] / length),
        T_parent_joint=T_parent_joint,
        lower=low + margin,
        upper=high - margin,
        speed=given.number("speed", speed, low=1e-6),
        acceleration=given.number("acceleration", Joint.acceleration, low=1e-6),
        resolution=given.number("resolution", Joint.resolution, 1e-9, 0.1),
        link=f"{name}_link" if link in RESERVED_FRAMES else link,
    )
    given.done()
    return joint


def _limits(urdf: _Urdf, joint: ET.Element) -> tuple[float, float]:
    """Hard ones, or soft ones where the file has them and they are narrower; half a turn each way where it has none."""
    if joint.get("type") == "continuous":
        return -math.pi, math.pi
    limit, safety = joint.find("limit"), joint.find("safety_controller")
    if limit is None:
        raise urdf.error(joint, "has no limit element; give it lower, upper and velocity")
    low, high = (urdf.numbers(joint, limit, key, 1, "0")[0] for key in ("lower", "upper"))
    if safety is not None and {"soft_lower_limit", "soft_upper_limit"} <= set(safety.keys()):
        low = max(low, urdf.numbers(joint, safety, "soft_lower_limit", 1, "0")[0])
        high = min(high, urdf.numbers(joint, safety, "soft_upper_limit", 1, "0")[0])
    return low, high


def _parsed(path: Path) -> ET.Element:
    """The root of a URDF file."""
    try:
        text = read_text(path, _MOST_BYTES)
        if "<!DOCTYPE" in text or "<!ENTITY" in text:
            raise ConfigError(f"{path} defines a document type or entities, which no URDF needs; take them out")
        root = ET.fromstring(text)
    except FormatError as error:
        raise ConfigError(str(error)) from error
    except (OSError, ValueError) as error:
        raise ConfigError(f"cannot read {path} as URDF: {error}; check the path") from error
    except ET.ParseError as error:
        hint = "expand it with xacro first" if path.suffix == ".xacro" or "unbound prefix" in str(error) else "mend it"
        raise ConfigError(f"cannot read {path} as XML: {error}; {hint}") from error
    if any("xacro}" in element.tag for element in root.iter() if isinstance(element.tag, str)):
        raise ConfigError(f"{path} holds xacro macros; expand it first: xacro {path.name} > expanded.urdf")
    if root.tag != "robot":
        raise ConfigError(f"{path} is no URDF: its root is <{root.tag[:60]}>, not <robot>; check the path")
    return root
