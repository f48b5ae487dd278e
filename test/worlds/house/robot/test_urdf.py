"""The robot's URDF leads to the same places as its chain, and has a link for each of the posture's."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from vantage.decoding import Section
from vantage.worlds.house.robot.description import load_robot
from vantage.worlds.house.robot.urdf import robot_urdf
from vantage.worlds.rig.kinematics import joints_from_urdf
from vantage.worlds.rig.kinematics.chain import Chain

ROBOT = load_robot()


def way(folder: Path, tip: str) -> Chain:
    (folder / "robot.urdf").write_text(robot_urdf(ROBOT), encoding="utf-8")
    values = {"file": "robot.urdf", "base_link": "base_link", "camera_link": tip}
    joints, T_last_tip = joints_from_urdf(Section(values, "test", folder))
    return Chain(joints, T_tip_camera=T_last_tip)


def test_the_tool_and_the_camera_are_where_the_description_has_them(tmp_path: Path) -> None:
    arm, rng = way(tmp_path, "arm_tool"), np.random.default_rng(0)
    assert [joint.name for joint in arm.joints] == list(ROBOT.joint_names)
    np.testing.assert_allclose(arm.lower, ROBOT.chain.lower, atol=1e-8)
    np.testing.assert_allclose(arm.upper, ROBOT.chain.upper, atol=1e-8)
    for _ in range(10):
        q = rng.uniform(ROBOT.chain.lower, ROBOT.chain.upper)
        np.testing.assert_allclose(arm.T_world_camera(q), ROBOT.T_base_tool(q), atol=1e-7)
    head = way(tmp_path, "camera_link")
    np.testing.assert_allclose(head.T_world_camera(np.array([-0.4])), ROBOT.T_base_camera(-0.4), atol=1e-7)


def test_both_fingers_hang_on_the_hand(tmp_path: Path) -> None:
    for side, sign in (("left", 1.0), ("right", -1.0)):
        finger = way(tmp_path, f"finger_{side}_link")
        q = np.append(ROBOT.pose("home"), 0.05)
        T_tool_finger = np.linalg.inv(ROBOT.T_base_tool(ROBOT.pose("home"))) @ finger.T_world_camera(q)
        assert T_tool_finger[1, 3] == pytest.approx(0.05 * sign)


def test_pieces_are_seen_and_touched_as_the_file_says() -> None:
    root = ET.fromstring(robot_urdf(ROBOT))
    links = {link.get("name"): link for link in root.findall("link")}
    assert len(links) == len(root.findall("joint")) + 1
    base = links["base_link"]
    pieces = [piece for piece in ROBOT.pieces if piece.link == "base_link"]
    balls = sum(2 for piece in pieces if piece.kind == "capsule" and piece.see)
    assert len(base.findall("visual")) == sum(piece.see for piece in pieces) + balls
    assert len(base.findall("collision")) == sum(piece.touch for piece in pieces) + 2
    limit = root.find("joint[@name='arm_2']/limit")
    assert limit is not None
    assert float(limit.get("effort", "")) == ROBOT.forces["arm_2"]
