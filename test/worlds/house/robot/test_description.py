"""The robot's description: frames, limits, poses, and what is wrong with files."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vantage.decoding import read_yaml, yaml_text
from vantage.errors import ConfigError, UnknownNameError
from vantage.files import shared_folder
from vantage.worlds.house.robot.description import CAPSULE, CYLINDER, RobotDescription, T_world_base, load_robot

FILE = shared_folder("config") / "robot.yaml"


@pytest.fixture(scope="module")
def robot() -> RobotDescription:
    return load_robot()


def test_the_camera_stays_on_the_turning_axis_whatever_turns(robot: RobotDescription) -> None:
    for yaw in (0.0, 1.0, -2.0):
        for pitch in (robot.tilt.lower, 0.0, robot.tilt.upper):
            T = T_world_base(1.0, 2.0, yaw) @ robot.tilt.T_parent_joint @ robot.tilt.motion(pitch)
            viewpoint = robot.viewpoint(1.0, 2.0, yaw, pitch)
            np.testing.assert_allclose(T, viewpoint.T_world_body(), atol=1e-12)
            np.testing.assert_allclose(T_world_base(1.0, 2.0, yaw) @ robot.T_base_camera(pitch), T, atol=1e-12)


def test_the_tool_points_ahead_with_its_z_axis_up(robot: RobotDescription) -> None:
    q = np.zeros(7)
    q[2] = 0.5 * math.pi  # the upper arm level, the rest in line with it
    T = robot.T_base_tool(q)
    np.testing.assert_allclose(T[:3, :3], np.eye(3), atol=1e-12)
    assert T[0, 3] > 1.0
    np.testing.assert_allclose(robot.T_base_tool(robot.pose("carry"))[:3, 0], [1.0, 0.0, 0.0], atol=0.01)
    np.testing.assert_allclose(robot.T_base_tool(robot.pose("home"))[:3, 0], [0.0, 0.0, -1.0], atol=0.02)


def test_at_home_nothing_leaves_the_circle_of_the_base(robot: RobotDescription) -> None:
    links = {"base_link": np.eye(4), "head_link": robot.tilt.T_parent_joint}
    names = [joint.link for joint in robot.chain.joints]
    links |= dict(zip(names, robot.chain.link_poses(robot.pose("home"))[1:], strict=True))
    links["hand_link"] = links[names[-1]] @ robot.hand.T_last_hand
    for joint in robot.finger_joints:
        links[joint.link] = links["hand_link"] @ joint.T_parent_joint @ joint.motion(joint.upper)
    assert robot.radius <= 0.25
    for piece in robot.pieces:
        if not piece.touch:
            continue
        T = links[piece.link] @ piece.T_link_piece
        if piece.kind in (CAPSULE, CYLINDER):
            radius, length = piece.size
            angles = np.linspace(0.0, math.tau, 33)
            ring = np.stack([radius * np.cos(angles), radius * np.sin(angles), np.zeros(33)], axis=1)
            points = np.concatenate([ring + np.array([0.0, 0.0, end]) for end in (-0.5 * length, 0.5 * length)])
        else:
            points = 0.5 * np.array(piece.size) * np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T
        points = points @ T[:3, :3].T + T[:3, 3]
        assert np.hypot(points[:, 0], points[:, 1]).max() <= robot.radius + 1e-6, piece.name


def test_an_unknown_pose_is_told(robot: RobotDescription) -> None:
    with pytest.raises(UnknownNameError, match=r"no pose 'hme'.*home"):
        robot.pose("hme")


def changed(folder: Path, *keys: Any, value: Any) -> Path:
    """The robot's file with one value changed, or taken out where it is None."""
    document: Any = yaml_copy(read_yaml(FILE))
    part = document["robot"]
    for key in keys[:-1]:
        part = part[key]
    if value is None:
        del part[keys[-1]]
    else:
        part[keys[-1]] = value
    path = folder / "robot.yaml"
    path.write_text(yaml_text(document), encoding="utf-8")
    return path


def yaml_copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: yaml_copy(item) for key, item in value.items()}
    return [yaml_copy(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("keys", "value", "told"),
    [
        (("base", "radius"), 0.3, r"robot\.base\.radius: expected a number in \[0.05, 0.25\]"),
        (("base", "wheels"), 2, r"robot\.base\.wheels: unknown key"),
        (("camera", "pitch"), [0.5, -0.5], r"robot\.camera\.pitch: .* is no range of angles"),
        (("chain", "joints", 0, "type"), "revolute", r"robot\.chain\.joints: expected a slide 'lift' and six joints"),
        (("forces", "arm_3"), None, r"robot\.forces\.arm_3: is missing"),
        (("masses", "hand_link"), -1.0, r"robot\.masses\.hand_link: expected a positive number"),
        (("poses", "home"), None, r"robot\.poses\.home: is missing"),
        (("poses", "home", "arm_3"), 9.0, r"robot\.poses\.home\.arm_3: expected a number in"),
        (
            ("pieces", 0, "box"),
            [1, 1, 1],
            r"pieces\[0\]\.name: a piece is one of box, cylinder, capsule; got box and cyl",
        ),
        (("pieces", 0, "cylinder"), [0.2, 0.0], r"pieces\[0\]\.cylinder: expected lengths above 0"),
        (("pieces", 0, "color"), "pnk", r"pieces\[0\]\.color: expected one of"),
        (("pieces", 3, "capsule"), [0, 0, 1, 0, 0, 1], r"pieces\[3\]\.capsule: its two ends are the same point"),
        (("hand", "opening"), float("nan"), r"robot\.hand\.opening: expected a number"),
        (("safety", "apart", 0, "a"), "tail", r"apart\[0\]\.a: expected one of"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(tmp_path: Path, keys: tuple[Any, ...], value: Any, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        load_robot(changed(tmp_path, *keys, value=value))
