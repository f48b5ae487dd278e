"""The mobile robot of the house world: a round base, a head that tilts, a lift with an arm and a hand; pure numbers.

One description, read from ``config/robot.yaml``, gives the kinematics, the URDF and the bodies in MuJoCo. Frames:
``base_link`` lies on the floor on the axis about which the base turns, x forward and z up; the camera's optical centre
lies on that axis at one height and on the axis of the tilt, so that a viewpoint is the base's pose plus the tilt.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from vantage.decoding import Section
from vantage.errors import UnknownNameError
from vantage.files import shared_folder
from vantage.registry import did_you_mean
from vantage.spatial import Matrix, Viewpoint, invert, rigid
from vantage.worlds.rig import SafetyRules, origin, read_chain, read_safety
from vantage.worlds.rig.kinematics import PRISMATIC, REVOLUTE, Chain, Joint, transform

BASE_LINK, HEAD_LINK, HAND_LINK, TOOL_LINK = "base_link", "head_link", "hand_link", "arm_tool"
FINGER_LINKS = ("finger_left_link", "finger_right_link")
FINGERS = ("finger_left", "finger_right")  # their joints; positions are m from the middle of the hand
TILT, LIFT = "tilt", "lift"
HOME, CARRY = "home", "carry"

BOX, CYLINDER, CAPSULE = "box", "cylinder", "capsule"


@dataclass(frozen=True, eq=False)
class Piece:
    """One solid of the robot, on one of its links.

    Attributes:
        kind: ``box`` of edges ``size`` (x, y, z), or ``cylinder`` or ``capsule`` of ``size`` (radius, length) along z;
            the length of a capsule is that between the centres of its ends. m.
        T_link_piece: (4, 4).
        color: red, green, blue, opacity in 0..1.
        touch: whether it can be touched.
        see: whether it can be seen.
    """

    name: str
    link: str
    kind: str
    size: tuple[float, ...]
    T_link_piece: Matrix
    color: tuple[float, ...]
    touch: bool
    see: bool


@dataclass(frozen=True)
class Drive:
    """What moves the base: largest speeds (m/s, rad/s), accelerations (m/s^2, rad/s^2), force (N) and torque (N m)."""

    speed: float
    acceleration: float
    turn_speed: float
    turn_acceleration: float
    force: float
    torque: float


@dataclass(frozen=True)
class Hand:
    """A gripper of two fingers.

    Attributes:
        T_last_hand: (4, 4) pose of ``hand_link``, where forces are felt, in the last link of the chain.
        tool: m from there along x to the point between the fingertips.
        opening: m between the open fingers.
        speed: m/s of a finger.
        force: N with which a finger presses at most.
    """

    T_last_hand: Matrix
    tool: float
    opening: float
    speed: float
    force: float


@dataclass(frozen=True, eq=False)
class RobotDescription:
    """Everything that the file says about the robot.

    Attributes:
        radius: m of the circle about the turning axis that the driving robot, its arm at home, never leaves.
        camera_height: m above the floor.
        tilt: the head's joint; its position is the pitch of the camera.
        chain: lift and arm from ``base_link`` (``T_world_base`` is the identity); ``T_tip_camera`` is the tool.
        forces: N or N m by joint, of ``tilt`` and of the chain.
        masses: kg by link.
        poses: positions (N,) of the chain's joints by name of the pose; ``home`` and ``carry`` among them.
        safety: what of itself the arm must not meet, in the frame of the base.
    """

    name: str
    radius: float
    drive: Drive
    camera_height: float
    tilt: Joint
    chain: Chain
    hand: Hand
    forces: Mapping[str, float]
    masses: Mapping[str, float]
    poses: Mapping[str, Matrix]
    pieces: tuple[Piece, ...]
    safety: SafetyRules
    path: Path

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Of lift and arm, in the order of the chain."""
        return tuple(joint.name for joint in self.chain.joints)

    @cached_property
    def finger_joints(self) -> tuple[Joint, Joint]:
        """Of the two fingers; the position of each is its distance from the middle, m."""
        T_hand_finger = transform((self.hand.tool - 0.065, 0.0, 0.0), 0.0, 0.0, 0.0)
        left, right = (
            Joint(
                name,
                PRISMATIC,
                (0.0, side, 0.0),
                T_hand_finger,
                0.0,
                0.5 * self.hand.opening,
                self.hand.speed,
                link=link,
            )
            for name, link, side in zip(FINGERS, FINGER_LINKS, (1.0, -1.0), strict=True)
        )
        return left, right

    def pose(self, name: str) -> Matrix:
        """Positions (N,) of a named pose.

        Raises:
            UnknownNameError: no such pose.
        """
        if name not in self.poses:
            raise UnknownNameError(f"the arm has no pose '{name}'{did_you_mean(name, sorted(self.poses))}")
        return np.array(self.poses[name])

    def T_base_tool(self, positions: Matrix) -> Matrix:
        """(4, 4): the tool at joint positions (N,), in the frame of the base."""
        return self.chain.T_world_camera(positions)

    def viewpoint(self, x: float, y: float, yaw: float, pitch: float) -> Viewpoint:
        """The camera's viewpoint with the base at (x, y), m, heading ``yaw``, and the head tilted by ``pitch``, rad."""
        return Viewpoint(x, y, self.camera_height, yaw, pitch)

    def T_base_camera(self, pitch: float) -> Matrix:
        """(4, 4): ``camera_link`` (x forward, z up) in the frame of the base."""
        return self.viewpoint(0.0, 0.0, 0.0, pitch).T_world_body()


def T_world_base(x: float, y: float, yaw: float) -> Matrix:
    """(4, 4): the frame of a base at (x, y), m, heading ``yaw``, rad."""
    return transform((x, y, 0.0), 0.0, 0.0, yaw)


@lru_cache(maxsize=4)
def load_robot(path: str | Path = "") -> RobotDescription:
    """The robot of a file; of ``config/robot.yaml`` where none is given.

    Raises:
        ConfigError: a key is missing, unknown or has a wrong value; the message names file and key.
    """
    file = Path(path).expanduser() if path else shared_folder("config") / "robot.yaml"
    top = Section.of_file(file)
    robot = top.section("robot")
    top.done()
    base, camera = robot.section("base"), robot.section("camera")
    hand = _hand(robot.section("hand"))
    chain = _chain(robot.section("chain"))
    chain = replace(chain, base=BASE_LINK, T_tip_camera=hand.T_last_hand @ _along_x(hand.tool))
    low, high = camera.numbers("pitch", 2)
    if not -0.5 * math.pi < low < high < 0.5 * math.pi:
        raise camera.error("pitch", f"[{low:g}, {high:g}] is no range of angles between straight down and straight up")
    height = camera.positive("height")
    tilt = Joint(
        TILT,
        REVOLUTE,
        (0.0, -1.0, 0.0),
        transform((0.0, 0.0, height), 0.0, 0.0, 0.0),
        low,
        high,
        camera.positive("speed"),
        camera.positive("acceleration"),
        link=HEAD_LINK,
    )
    camera.done()
    links = (BASE_LINK, HEAD_LINK, *(joint.link for joint in chain.joints), HAND_LINK, *FINGER_LINKS)
    colors = _colors(robot.section("colors"))
    description = RobotDescription(
        name=robot.text("name"),
        radius=base.number("radius", low=0.05, high=0.25),
        drive=Drive(*(base.positive(key) for key in Drive.__dataclass_fields__)),
        camera_height=height,
        tilt=tilt,
        chain=chain,
        hand=hand,
        forces=_numbers(robot.section("forces"), (TILT, *(joint.name for joint in chain.joints))),
        masses=_numbers(robot.section("masses"), links),
        poses=_poses(robot.section("poses"), chain),
        pieces=tuple(_piece(item, links, colors) for item in robot.sections("pieces")),
        safety=read_safety(robot.section("safety"), chain),
        path=file,
    )
    base.done()
    robot.done()
    return description


def _chain(section: Section) -> Chain:
    """A lift that goes straight up, and six joints."""
    chain = read_chain(section)
    kinds = [joint.kind for joint in chain.joints]
    if kinds != [PRISMATIC, *[REVOLUTE] * 6] or chain.joints[0].name != LIFT:
        raise section.error("joints", f"expected a slide '{LIFT}' and six joints that turn; got {', '.join(kinds)}")
    return chain


def _along_x(way: float) -> Matrix:
    return transform((way, 0.0, 0.0), 0.0, 0.0, 0.0)


def _hand(section: Section) -> Hand:
    hand = Hand(
        T_last_hand=origin(section, "origin"),
        tool=section.positive("tool"),
        opening=section.positive("opening"),
        speed=section.positive("speed"),
        force=section.positive("force"),
    )
    section.done()
    return hand


def _colors(section: Section) -> dict[str, tuple[float, ...]]:
    return {name: section.numbers(name, 4) for name in section.names()}


def _numbers(section: Section, names: tuple[str, ...]) -> dict[str, float]:
    """A positive number for each name."""
    numbers = {name: section.positive(name) for name in names}
    section.done()
    return numbers


def _poses(section: Section, chain: Chain) -> dict[str, Matrix]:
    poses = {}
    for name in (HOME, CARRY, *section.names()):
        pose = section.section(name)
        poses[name] = np.array([pose.number(joint.name, low=joint.lower, high=joint.upper) for joint in chain.joints])
        pose.done()
    return poses


def _piece(section: Section, links: tuple[str, ...], colors: Mapping[str, tuple[float, ...]]) -> Piece:
    """One of ``box`` (edges), ``cylinder`` (radius, length) and ``capsule`` (two ends, with ``radius``)."""
    kinds = [kind for kind in (BOX, CYLINDER, CAPSULE) if kind in section]
    if len(kinds) != 1:
        raise section.error("name", f"a piece is one of box, cylinder, capsule; got {' and '.join(kinds) or 'none'}")
    size: tuple[float, ...]
    if kinds[0] == CAPSULE:
        ends = np.array(section.numbers(CAPSULE, 6)).reshape(2, 3)
        size = section.positive("radius"), float(np.linalg.norm(ends[1] - ends[0]))
        if size[1] < 1e-6:
            raise section.error(CAPSULE, "its two ends are the same point; give two")
        placed = rigid(_turned_to((ends[1] - ends[0]) / size[1]), ends.mean(axis=0))
    else:
        size = section.numbers(kinds[0], 3 if kinds[0] == BOX else 2)
        if min(size) <= 0.0:
            raise section.error(kinds[0], f"expected lengths above 0, got {list(size)}")
        xyz, (roll, pitch, yaw) = section.numbers("xyz", 3, (0.0,) * 3), section.numbers("rpy", 3, (0.0,) * 3)
        placed = transform(xyz, roll, pitch, yaw)
    piece = Piece(
        name=section.text("name"),
        link=section.text("link", choices=links),
        kind=kinds[0],
        size=size,
        T_link_piece=placed,
        color=colors[section.text("color", choices=[*colors])],
        touch=section.switch("touch", True),
        see=section.switch("see", True),
    )
    section.done()
    return piece


def _turned_to(direction: Matrix) -> Matrix:
    """R (3, 3) whose z axis is a unit vector (3,)."""
    helper = np.eye(3)[int(np.argmin(np.abs(direction)))]
    x = np.cross(helper, direction)
    x /= np.linalg.norm(x)
    return np.stack([x, np.cross(direction, x), direction], axis=1)


def in_base(T_world_base: Matrix, T_world_tool: Matrix) -> Matrix:
    """T_base_tool (4, 4)."""
    return np.asarray(invert(T_world_base) @ T_world_tool)
