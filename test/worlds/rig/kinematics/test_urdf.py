"""Chains from URDF files."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chains import gantry
from row_tables import each_row

from vantage.decoding import Section
from vantage.errors import ConfigError
from vantage.worlds.rig.description import load_rig
from vantage.worlds.rig.kinematics import inverse
from vantage.worlds.rig.kinematics.chain import PRISMATIC, REVOLUTE, Chain, transform
from vantage.worlds.rig.kinematics.urdf import joints_from_urdf

GANTRY = """<?xml version="1.0" encoding="utf-8"?>
<robot name="gantry">
  <link name="world"/><link name="frame"/><link name="x_link"/><link name="y_link"/><link name="z_link"/>
  <link name="pan_link"/><link name="neck"/><link name="tilt_link"/><link name="camera_link"/><link name="lamp"/>
  <joint name="stand" type="fixed"><parent link="world"/><child link="frame"/><origin xyz="-1 -0.8 0"/></joint>
  <joint name="x" type="prismatic"><parent link="frame"/><child link="x_link"/>
    <limit lower="0.01" upper="1.99" velocity="0.25" effort="10"/></joint>
  <joint name="y" type="prismatic"><parent link="x_link"/><child link="y_link"/><axis xyz="0 2 0"/>
    <limit lower="0.01" upper="1.59" velocity="0.25" effort="10"/></joint>
  <joint name="z" type="prismatic"><parent link="y_link"/><child link="z_link"/><axis xyz="0 0 1"/>
    <limit lower="0.2" upper="1.6" velocity="0.15" effort="10"/>
    <safety_controller soft_lower_limit="0.31" soft_upper_limit="1.49" k_velocity="1"/></joint>
  <joint name="pan" type="continuous"><parent link="z_link"/><child link="pan_link"/><axis xyz="0 0 1"/>
    <limit velocity="1.5" effort="1"/></joint>
  <joint name="bracket" type="fixed"><parent link="pan_link"/><child link="neck"/>
    <origin xyz="0.1 0 0" rpy="0 0 1.5707963267948966"/></joint>
  <joint name="tilt" type="revolute"><parent link="neck"/><child link="tilt_link"/>
    <origin rpy="0 0 -1.5707963267948966" xyz="0 0.1 0"/><axis xyz="0 -1 0"/>
    <limit lower="-1.28" upper="1.28" velocity="1.5" effort="1"/></joint>
  <joint name="mount" type="fixed"><parent link="tilt_link"/><child link="camera_link"/>
    <origin xyz="0.04 0 0.02"/></joint>
  <joint name="lamp_swing" type="floating"><parent link="x_link"/><child link="lamp"/></joint>
</robot>
"""


def section(tmp_path: Path, text: str | bytes = GANTRY, name: str = "robot.urdf", **more: Any) -> Section:
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    values = {"file": name, "base_link": "world", "camera_link": "camera_link", **more}
    return Section(values, "rig.yaml: rig.chain.urdf", tmp_path)


def test_a_gantry_is_read_with_fixed_joints_merged(tmp_path: Path) -> None:
    joints, T_last_camera = joints_from_urdf(section(tmp_path))
    assert [joint.name for joint in joints] == ["x", "y", "z", "pan", "tilt"]
    assert [joint.kind for joint in joints] == [PRISMATIC] * 3 + [REVOLUTE] * 2
    assert [joint.link for joint in joints] == ["x_link", "y_link", "z_link", "pan_link", "tilt_link"]
    assert joints[0].axis == (1.0, 0.0, 0.0)
    assert joints[1].axis == (0.0, 1.0, 0.0)
    assert (joints[2].lower, joints[2].upper) == (0.31, 1.49)
    assert (joints[3].lower, joints[3].upper) == (-math.pi, math.pi)
    assert [joint.speed for joint in joints] == [0.25, 0.25, 0.15, 1.5, 1.5]
    assert joints[4].T_parent_joint == pytest.approx(transform((0.0, 0.0, 0.0), 0.0, 0.0, 0.0), abs=1e-12)
    assert T_last_camera[:3, 3] == pytest.approx([0.04, 0.0, 0.02])


def test_it_moves_like_the_same_chain_written_by_hand(tmp_path: Path) -> None:
    joints, T_last_camera = joints_from_urdf(section(tmp_path))
    chain = Chain(joints, T_tip_camera=T_last_camera)
    dice = np.random.default_rng(0)
    for _ in range(20):
        q = dice.uniform(chain.lower, chain.upper)
        assert chain.T_world_camera(q) == pytest.approx(gantry().T_world_camera(q), abs=1e-12)
        assert inverse.solve(chain, chain.viewpoint(q), q) == pytest.approx(q, abs=1e-9)


def test_part_of_a_robot_will_do(tmp_path: Path) -> None:
    joints, T_last_camera = joints_from_urdf(section(tmp_path, base_link="y_link", camera_link="neck"))
    assert [joint.name for joint in joints] == ["z", "pan"]
    assert T_last_camera == pytest.approx(transform((0.1, 0.0, 0.0), 0.0, 0.0, math.pi / 2))


def test_what_urdf_lacks_is_given_by_name(tmp_path: Path) -> None:
    given = {
        "pan": {"limits": [-6.0, 6.0], "margin": 0.1, "speed": 0.5, "acceleration": 3.0, "resolution": 1e-4},
        "x": {"margin": 0.04},
    }
    joints, _ = joints_from_urdf(section(tmp_path, joints=given))
    pan, x = joints[3], joints[0]
    assert (pan.lower, pan.upper, pan.speed, pan.acceleration, pan.resolution) == (-5.9, 5.9, 0.5, 3.0, 1e-4)
    assert (x.lower, x.upper) == pytest.approx((0.05, 1.95))


def test_a_link_named_like_a_frame_of_the_world_gets_the_name_of_its_joint(tmp_path: Path) -> None:
    text = GANTRY.replace('<child link="tilt_link"/>', '<child link="camera_link"/>').replace(
        '<link name="tilt_link"/>', ""
    )
    text = text[: text.index('  <joint name="mount"')] + text[text.index('  <joint name="lamp_swing"') :]
    joints, _ = joints_from_urdf(section(tmp_path, text))
    assert joints[4].link == "tilt_link"


def test_a_rig_file_takes_its_chain_from_urdf(tmp_path: Path) -> None:
    (tmp_path / "robot.urdf").write_text(GANTRY)
    rig = tmp_path / "rig.yaml"
    rig.write_text(
        "rig:\n"
        "  name: r\n"
        "  chain:\n"
        "    base: {xyz: [5, 0, 0]}\n"
        "    camera: {xyz: [0, 0, 0.1]}\n"
        "    urdf: {file: robot.urdf, base_link: world, camera_link: camera_link, joints: {pan: {speed: 1.0}}}\n"
        "  driver: {name: mock}\n"
        "  camera: {name: mock}\n"
        "  safety: {bodies: [{name: b, link: world, from: [0, 0, 0], radius: 0.1}]}\n"
    )
    chain = load_rig(rig).chain
    assert chain.base == "world"
    assert chain.joints[3].speed == 1.0
    assert chain.T_world_base[0, 3] == 5.0
    assert chain.T_tip_camera[:3, 3] == pytest.approx([0.04, 0.0, 0.12])
    rig.write_text(rig.read_text().replace("base_link: world", "base_link: word"))
    with pytest.raises(ConfigError, match="has no link 'word'; did you mean 'world'"):
        load_rig(rig)


@each_row(
    "change, message",
    [
        ({"base_link": "wrld"}, r"robot\.urdf has no link 'wrld'; did you mean 'world'\?"),
        ({"camera_link": "camera"}, r"robot\.urdf has no link 'camera'; did you mean 'camera_link'\?"),
        ({"camera_link": "lamp"}, "joint 'lamp_swing' is of type 'floating'; between base and camera only fixed"),
        ({"base_link": "tilt_link", "camera_link": "pan_link"}, "'pan_link' does not hang below 'tilt_link'"),
        ({"base_link": 5}, "base_link: expected text, got 5"),
        ({"file": "absent.urdf"}, "cannot read .*absent.urdf as URDF"),
        ({"file": "."}, "is a folder, a pipe or a device; give a file"),
        ({"file": "/dev/zero"}, "leads out of the folder of the file that names it"),
        ({"file": ""}, "file: expected the path of a URDF file, got nothing"),
        ({"joints": {"pam": {"speed": 1.0}}}, "joints.pam: no joint on the way has this name; did you mean 'pan'"),
        ({"joints": {"bracket": {"speed": 1.0}}}, "joints.bracket: no joint on the way has this name"),
        ({"joints": {"pan": {"spede": 1.0}}}, "joints.pan.spede: unknown key; did you mean 'speed'"),
        ({"joints": {"pan": {"speed": 0.0}}}, "joints.pan.speed: expected a number in"),
        ({"joints": {"pan": {"limits": [1, -1]}}}, "joints.pan.limits: .* leaves no room"),
        ({"joints": {"x": {"margin": 1.0}}}, "joints.x.limits: .* leaves no room inside a margin of 1"),
        ({"joints": [1]}, "joints: expected keys with values"),
        ({"flie": "a"}, "flie: unknown key; did you mean 'file'"),
    ],
)
def test_wrong_keys_are_told(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        joints_from_urdf(section(tmp_path, **change))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("</robot>", "", "cannot read .* as XML: no element found"),
        ("<robot name", "<sdf name", "cannot read .* as XML: mismatched tag"),
        (GANTRY, "<sdf/>", "is no URDF: its root is <sdf>, not <robot>"),
        (GANTRY, "", "cannot read .* as XML: no element found"),
        ("<robot ", '<!DOCTYPE robot [<!ENTITY a "b">]><robot ', "defines a document type or entities"),
        ('type="continuous"', 'type="planar"', "joint 'pan' is of type 'planar'"),
        ('type="continuous"', "", "joint 'pan' is of type ''"),
        ('type="continuous"', 'type="screw"', "joint 'pan' is of type 'screw'"),
        ('<axis xyz="0 2 0"/>', '<mimic joint="x"/>', r"joint 'y' follows another one \(mimic\)"),
        ('xyz="0 2 0"', 'xyz="0 0 0"', "joint 'y' has the axis 0 0 0"),
        ('xyz="0 2 0"', 'xyz="0 two 0"', "joint 'y' has axis xyz='0 two 0', expected 3 numbers"),
        ('xyz="0 2 0"', 'xyz="0 2"', "joint 'y' has axis xyz='0 2', expected 3 numbers"),
        ('xyz="-1 -0.8 0"', 'xyz="-1 nan 0"', "joint 'stand' has origin xyz='-1 nan 0', expected 3 numbers"),
        ('xyz="-1 -0.8 0"', 'xyz="${x} 0 0"', "expand the file with xacro first"),
        (
            'rpy="0 0 1.5707963267948966"',
            'quat_xyzw="0 0 0 1"',
            "joint 'bracket' has an origin with quat_xyzw; give it with",
        ),
        ('lower="-1.28"', 'lower="down"', "joint 'tilt' has limit lower='down', expected a number"),
        ('lower="-1.28"', 'lower="1.28"', r"joints\.tilt\.limits: \[1\.28, 1\.28\] leaves no room"),
        (
            '<limit velocity="1.5" effort="1"/>',
            "",
            "joints.pan.speed: is missing, and .* no velocity of the joint 'pan'",
        ),
        ('velocity="0.15"', 'velocity="0"', "joints.z.speed: is missing"),
        ('<limit lower="0.01" upper="1.99" velocity="0.25" effort="10"/>', "", "joint 'x' has no limit element"),
        ('<parent link="neck"/>', "", "joint 'tilt' has no parent link"),
        ('<child link="neck"/>', "<child/>", "joint 'bracket' has no child link"),
        (
            '<child link="lamp"/>',
            '<child link="neck"/>',
            "joint 'lamp_swing' moves the link 'neck', which the joint 'bracket'",
        ),
        ('<parent link="world"/>', '<parent link="neck"/>', "'camera_link' does not hang below 'world'"),
        ('<link name="lamp"/>', '<link name="lamp"/><xacro:macro/>', "expand it with xacro first"),
    ],
    ids=lambda text: text[:24],
)
def test_wrong_files_are_told(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GANTRY
    with pytest.raises(ConfigError, match=message) as caught:
        joints_from_urdf(section(tmp_path, GANTRY.replace(old, new)))
    assert len(str(caught.value)) < 400


def test_macros_are_to_be_expanded_first(tmp_path: Path) -> None:
    text = GANTRY.replace("<robot ", '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" ')
    assert len(joints_from_urdf(section(tmp_path, text))[0]) == 5  # an expanded file may still name the language
    text = text.replace('<link name="lamp"/>', '<link name="lamp"/><xacro:property name="a" value="1"/>')
    with pytest.raises(ConfigError, match=r"robot\.urdf holds xacro macros; expand it first: xacro robot\.urdf >"):
        joints_from_urdf(section(tmp_path, text))


@pytest.mark.parametrize("data", [b"\xff\xfe<\x00", b"\x00" * 100, b"<robot>" * 30000, b" " * ((4 << 20) + 1)])
def test_garbage_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(ConfigError, match=r"cannot read|has more than"):
        joints_from_urdf(section(tmp_path, data))


def test_a_deeply_nested_file_is_only_no_urdf(tmp_path: Path) -> None:
    depth = 50_000
    with pytest.raises(ConfigError, match=r"is no URDF|cannot read"):
        joints_from_urdf(section(tmp_path, "<a>" * depth + "</a>" * depth))
