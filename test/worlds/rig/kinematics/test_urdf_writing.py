"""Robots are written as URDF that leads to the same places, and the rig describes itself with its arm."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chains import arm as six_hinges, gantry
from hypothesis import given, strategies as st
from small_rig import lab_episode, rig_settings, write_rig

from vantage.decoding import Section
from vantage.spatial import invert
from vantage.worlds.protocol import Described
from vantage.worlds.rig.assembly import make_rig_world
from vantage.worlds.rig.kinematics import transform
from vantage.worlds.rig.kinematics.chain import Chain
from vantage.worlds.rig.kinematics.urdf import joints_from_urdf
from vantage.worlds.rig.kinematics.urdf_writing import BOX, CYLINDER, Branch, Shape, capsule, write_urdf

ANGLES = st.floats(-3.1, 3.1)


def read_back(folder: Path, text: str, base: str, tip: str) -> Chain:
    path = folder / "robot.urdf"
    path.write_text(text, encoding="utf-8")
    values = {"file": str(path), "base_link": base, "camera_link": tip}
    joints, T_last_tip = joints_from_urdf(Section(values, "test", folder))
    return Chain(joints, np.eye(4), T_last_tip)


@pytest.mark.parametrize("chain", [gantry(), six_hinges()], ids=["gantry", "six hinges"])
def test_a_chain_that_was_written_leads_to_the_same_places(tmp_path: Path, chain: Chain) -> None:
    back = read_back(tmp_path, write_urdf("r", "map", [Branch("map", chain.T_world_base, chain, "tip")]), "map", "tip")
    assert [joint.name for joint in back.joints] == [joint.name for joint in chain.joints]
    rng = np.random.default_rng(1)
    for _ in range(20):
        q = rng.uniform(np.maximum(chain.lower, -3.0), np.minimum(chain.upper, 3.0))
        np.testing.assert_allclose(back.T_world_camera(q), chain.T_world_camera(q), atol=1e-7)
    for one, other in zip(back.joints, chain.joints, strict=True):
        assert (one.kind, one.link, one.speed) == (other.kind, other.link, pytest.approx(other.speed, rel=1e-5))
        if np.isfinite([other.lower, other.upper]).all():
            assert (one.lower, one.upper) == pytest.approx((other.lower, other.upper))


@given(ANGLES, st.sampled_from([-np.pi / 2, np.pi / 2, 0.0, 1.0, -2.0]), ANGLES)
def test_every_rotation_is_written_as_it_is(roll: float, pitch: float, yaw: float) -> None:
    T = transform((0.1, -0.2, 0.3), roll, pitch, yaw)
    root = ET.fromstring(write_urdf("r", "map", [Branch("map", T, Chain(gantry().joints), "tip")]))
    origin = root.find("joint/origin")
    assert origin is not None
    xyz, rpy = ([float(word) for word in origin.get(key, "").split()] for key in ("xyz", "rpy"))
    np.testing.assert_allclose(transform(xyz, *rpy), T, atol=1e-7)


def test_shapes_stand_on_their_links() -> None:
    chain = gantry()
    shapes = [
        Shape(chain.base, BOX, (0.4, 0.4, 0.1), np.eye(4), (1.0, 0.0, 0.0)),
        *capsule(chain.joints[0].link, (0.0, 0.0, 0.0), (0.0, 0.3, 0.0), 0.05),
        *capsule(chain.joints[0].link, (0.1, 0.0, 0.0), (0.1, 0.0, 0.0), 0.02),
    ]
    root = ET.fromstring(write_urdf("r", "map", [Branch("map", np.eye(4), chain, "tip")], shapes))
    links = {link.get("name"): link for link in root.findall("link")}
    assert [item.tag for item in links[chain.base].findall("visual/geometry/*")] == ["box"]
    kinds = [item.tag for item in links[chain.joints[0].link].findall("visual/geometry/*")]
    assert sorted(kinds) == ["cylinder", "sphere", "sphere", "sphere"]
    rod = next(shape for shape in shapes if shape.kind == CYLINDER)
    assert rod.size == (0.05, pytest.approx(0.3))
    np.testing.assert_allclose(rod.T_link_shape[:3, 2], (0.0, 1.0, 0.0), atol=1e-12)
    assert np.linalg.det(rod.T_link_shape[:3, :3]) == pytest.approx(1.0)


HINGE = {"type": "revolute", "speed": 2.0, "acceleration": 16.0, "resolution": 0.001, "limits": [-2.0, 2.0]}


@pytest.mark.parametrize("mount", [{"xyz": [2.0, 0.0, 0.5]}, {"link": "z_link", "rpy": [0.0, 0.0, 1.0]}])
def test_a_rig_describes_itself_and_its_arm_by_the_links_of_its_transforms(
    tmp_path: Path, mount: dict[str, Any]
) -> None:
    joints = [
        {"name": "shoulder", "axis": [0, 0, 1], **HINGE},
        {"name": "elbow", "axis": [0, 1, 0], "origin": {"xyz": [0.3, 0, 0]}, **HINGE},
    ]
    arm = {"mount": mount, "chain": {"joints": joints}, "tool": {"xyz": [0.2, 0.0, 0.0]}, "driver": {"name": "mock"}}
    world = make_rig_world(rig_settings(write_rig(tmp_path, arm=arm), "simulated"))
    try:
        assert isinstance(world, Described)
        text = world.urdf()
        seen = world.reset(lab_episode(), 0)
        assert seen.posture is not None
        poses = {"map": np.eye(4)}
        for link in seen.posture.links:
            poses[link.child] = poses[link.parent] @ link.T_parent_child
        told = {link.get("name") for link in ET.fromstring(text).findall("link")}
        assert told == set(poses)
        for tip in ("camera_link", "arm_tool"):
            chain = read_back(tmp_path, text, "map", tip)
            q = np.array([seen.posture.joints[joint.name] for joint in chain.joints])
            np.testing.assert_allclose(invert(poses[tip]) @ chain.T_world_camera(q), np.eye(4), atol=1e-7)
        assert ET.fromstring(text).find("link[@name='tilt_link']/visual/geometry/sphere") is not None
    finally:
        world.close()
