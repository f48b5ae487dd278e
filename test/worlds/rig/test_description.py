"""Rig files: the ones that come along load, and what is wrong in others is told with file, key and what is expected."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from row_tables import each_row

from vantage.errors import ConfigError
from vantage.files import shared_folder
from vantage.worlds.rig.description import RigDescription, load_rig, rig_file
from vantage.worlds.rig.kinematics import inverse
from vantage.worlds.rig.kinematics.chain import PRISMATIC, REVOLUTE

RIG = """rig:
  name: small
  scene: room
  motion_timeout: 20
  chain:
    base: {xyz: [-1.0, 0.0, 0.0], rpy: [0.0, 0.0, 0.5]}
    joints:
      - {name: x, type: prismatic, axis: [2, 0, 0], limits: [0.0, 2.0], margin: 0.01, speed: 0.25, acceleration: 1e0}
      - {name: pan, type: revolute, axis: [0, 0, 1], limits: [-3, 3], speed: 1.5, acceleration: 8, link: head}
    camera: {xyz: [0.04, 0.0, 0.02]}
  driver: {name: grbl, port: /dev/ttyACM0}
  camera: {name: opencv, device: /dev/video0}
  safety:
    bodies:
      - {name: rail, link: rig_base, from: [0, 0, 0], to: [2, 0, 0], radius: 0.05, room: false}
      - {name: ball, link: head, from: [0, 0, 0], radius: 0.1}
    boxes:
      - {name: table, min: [0, 0, 0], max: [1, 1, 1]}
    apart:
      - {a: rail, b: ball}
    park: {x: 0.5}
  watchdog: {frame: 0.5}
  look: {settle: 0.2}
"""


@pytest.fixture
def rig(tmp_path: Path) -> Path:
    path = tmp_path / "small.yaml"
    path.write_text(RIG)
    return path


@pytest.mark.parametrize("name", ["", "room"])
def test_the_files_that_come_along_load(name: str) -> None:
    description = load_rig(rig_file(name))
    chain = description.chain
    assert [joint.kind for joint in chain.joints] == [PRISMATIC] * 3 + [REVOLUTE] * 2
    assert all(name in [joint.name for joint in chain.joints] for name in description.safety.park)
    middle = 0.5 * (chain.lower + chain.upper)
    assert inverse.solve(chain, chain.viewpoint(middle), middle) == pytest.approx(middle)


def test_every_key_is_read(rig: Path) -> None:
    description = load_rig(rig)
    chain, safety = description.chain, description.safety
    assert (description.name, description.scene, description.motion_timeout) == ("small", "room", 20.0)
    assert (description.driver_name, description.driver.text("port")) == ("grbl", "/dev/ttyACM0")
    assert (description.camera_name, description.camera.text("device")) == ("opencv", "/dev/video0")
    assert chain.base == "rig_base"
    assert chain.joints[0].axis == (1.0, 0.0, 0.0)
    assert chain.joints[0].acceleration == 1.0
    assert (chain.joints[0].lower, chain.joints[0].upper) == (0.01, 1.99)
    assert [joint.link for joint in chain.joints] == ["x_link", "head"]
    assert chain.T_world_camera(np.zeros(2))[:3, 3] == pytest.approx(
        [-1.0 + 0.04 * np.cos(0.5), 0.04 * np.sin(0.5), 0.02]
    )
    assert [(body.name, body.room) for body in safety.bodies] == [("rail", False), ("ball", True)]
    assert safety.bodies[1].end == safety.bodies[1].start
    assert safety.apart == (("rail", "ball"),)
    assert safety.park == {"x": 0.5}
    assert (description.watchdog.frame, description.look.settle, description.arm) == (0.5, 0.2, None)
    assert description.path == rig


def test_what_may_be_left_out_has_defaults(rig: Path) -> None:
    rig.write_text(RIG[: RIG.index("  safety:")] + "  arm: {controller: arm_controller}\n")
    description = load_rig(rig)
    assert description.safety.clearance == 0.02
    assert description.watchdog.state == 0.5
    assert description.look.retries == 5
    assert description.arm is not None
    assert description.arm.text("controller") == "arm_controller"


JOINT = "{name: j, type: prismatic, axis: [1, 0, 0], limits: [0, 1], speed: 1, acceleration: 1}"


@each_row(
    "old, new, message",
    [
        ("rig:\n", "rgi:\n", "small.yaml: rig: is missing"),
        ("  name: small\n", "", "rig.name: is missing"),
        ("  name: small", "  name: 5", "rig.name: expected text, got 5"),
        ("  scene: room", "  sceen: room", "rig.sceen: unknown key; did you mean 'scene'"),
        ("motion_timeout: 20", "motion_timeout: soon", "rig.motion_timeout: expected a number, got 'soon'"),
        ("motion_timeout: 20", "motion_timeout: .nan", "rig.motion_timeout: expected a number, got nan"),
        ("motion_timeout: 20", "motion_timeout: 0", r"rig.motion_timeout: expected a number in \[0.1, 3600\], got 0"),
        (
            "rpy: [0.0, 0.0, 0.5]",
            "rpy: [0.0, 0.5]",
            r"rig.chain.base.rpy: expected a list of 3 numbers, got \[0.0, 0.5\]",
        ),
        ("base: {xyz", "base: {xzy", "rig.chain.base.xzy: unknown key; did you mean 'xyz'"),
        ("type: prismatic", "type: prismatik", r"joints\[0\].type: expected one of .*; did you mean 'prismatic'"),
        ("type: prismatic", "type: [prismatic]", r"joints\[0\].type: expected text, got \['prismatic'\]"),
        ("axis: [2, 0, 0]", "axis: [0, 0, 0]", r"joints\[0\].axis: must not be zero"),
        ("axis: [2, 0, 0]", "axis: [.inf, 0, 0]", r"joints\[0\].axis: expected a list of 3 numbers"),
        ("axis: [2, 0, 0], ", "", r"joints\[0\].axis: is missing"),
        ("limits: [0.0, 2.0]", "limits: [2.0, 0.0]", r"joints\[0\].limits: \[2, 0\] leaves no room"),
        ("limits: [0.0, 2.0]", "limits: [0.0, .inf]", r"joints\[0\].limits: expected a list of 2 numbers"),
        ("margin: 0.01", "margin: 1.0", r"joints\[0\].limits: \[0, 2\] leaves no room inside a margin of 1"),
        ("margin: 0.01", "margin: -0.1", r"joints\[0\].margin: expected a number in \[0, inf\], got -0.1"),
        ("speed: 0.25", "speed: 0", r"joints\[0\].speed: expected a number in"),
        ("speed: 0.25, ", "", r"joints\[0\].speed: is missing"),
        ("acceleration: 1e0", "accelaration: 1", r"joints\[0\].acceleration: is missing"),
        ("link: head}", "lnik: head}", r"joints\[1\].lnik: unknown key; did you mean 'link'"),
        ("name: pan", "name: x", "rig.chain.joints: two are called 'x'; each joint needs a name of its own"),
        ("link: head}", "link: x_link}", "rig.chain.joints: two are called 'x_link'; each link"),
        ("link: head}", "link: rig_base}", "rig.chain.joints: two are called 'rig_base'; each link"),
        ("link: head}", "link: camera_link}", "'camera_link' is a frame that the world publishes itself"),
        ("name: pan", "name: pan axis", "expected names without spaces, got 'pan axis'"),
        ("name: pan", "name: ''", "expected names without spaces, got ''"),
        (
            "    camera: {xyz",
            f"      - {JOINT}\n" * 6 + "    camera: {xyz",
            "rig.chain.joints: expected 1 to 7 joints, got 8",
        ),
        ("camera: {xyz", "urdf: {file: absent}\n    camera: {xyz", "rig.chain.urdf.base_link: is missing"),
        ("{name: grbl", "{name: gbrl", "rig.driver.name: expected one of .*; did you mean 'grbl'"),
        ("{name: grbl, port: /dev/ttyACM0}", "grbl", "rig.driver: expected keys with values, got 'grbl'"),
        ("  driver: {name: grbl, port: /dev/ttyACM0}\n", "", "rig.driver: is missing"),
        ("{name: opencv", "{name: opnecv", "rig.camera.name: expected one of .*; did you mean 'opencv'"),
        ("link: head, from", "link: haed, from", r"safety.bodies\[1\].link: expected one of rig_base, x_link, head"),
        ("radius: 0.1}", "radius: 0}", r"safety.bodies\[1\].radius: expected a number in \[0.001, inf\], got 0"),
        ("name: ball", "name: rail", "safety.bodies: two are called 'rail'; each body"),
        ("room: false", "room: 0", r"safety.bodies\[0\].room: expected true or false, got 0"),
        ("max: [1, 1, 1]", "max: [1, 0, 1]", r"safety.boxes\[0\].max: must be larger than min on every axis"),
        (
            "max: [1, 1, 1]}",
            "max: [1, 1, 1]}\n" + "      - {name: table, min: [0, 0, 0], max: [1, 1, 1]}",
            "two are called 'table'",
        ),
        ("b: ball}", "b: bull}", r"safety.apart\[0\].b: expected one of rail, ball, got 'bull'; did you mean 'ball'"),
        ("b: ball}", "b: rail}", r"safety.apart\[0\].b: expected another body than 'rail'"),
        ("park: {x: 0.5}", "park: {x: 1.995}", r"safety.park.x: expected a number in \[0.01, 1.99\], got 1.995"),
        ("park: {x: 0.5}", "park: {y: 0.5}", r"safety.park.y: no joint has this name \(known: x, pan\)"),
        ("{frame: 0.5}", "{frames: 0.5}", "rig.watchdog.frames: unknown key; did you mean 'frame'"),
        ("{frame: 0.5}", "{frame: -1}", r"rig.watchdog.frame: expected a number in \[0, 60\], got -1"),
        ("{settle: 0.2}", "{retries: 2.5}", "rig.look.retries: expected a whole number"),
        ("{settle: 0.2}", "[0.2]", r"rig.look: expected keys with values, got \[0.2\]"),
        ("  look: {settle: 0.2}", "  watchdog: {frame: 9}", "'watchdog' is given twice"),
        ("  look:", "arm: {}\n  look:", "cannot read .* as YAML"),
        (RIG, "", "expected keys with values, got nothing"),
        (RIG, "- rig\n", r"expected keys with values, got \['rig'\]"),
        (RIG, "rig: [1]\n", r"rig: expected keys with values, got \[1\]"),
    ],
)
def test_what_is_wrong_is_told(rig: Path, old: str, new: str, message: str) -> None:
    assert old in RIG
    rig.write_text(RIG.replace(old, new, 1))
    with pytest.raises(ConfigError, match=message) as caught:
        load_rig(rig)
    assert str(rig) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("path", [".", "/dev/zero", "/dev/null"])
def test_what_is_no_file_is_refused_at_once(path: str) -> None:
    with pytest.raises(ConfigError, match="is a folder, a pipe or a device; give a file"):
        load_rig(path)


def test_a_file_that_is_not_text_is_refused(rig: Path) -> None:
    rig.write_bytes(b"rig: \xfe\xff")
    with pytest.raises(ConfigError, match=r"cannot read .*small\.yaml as YAML"):
        load_rig(rig)


def test_a_rig_is_named_by_path_by_name_or_not_at_all(rig: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = shared_folder("config")
    assert rig_file("") == config / "rig.yaml"
    assert rig_file("room") == config / "rigs" / "room.yaml"
    assert rig_file(str(rig)) == rig
    monkeypatch.setenv("HOME", str(rig.parent))
    assert rig_file("~/small.yaml") == rig
    assert isinstance(load_rig(rig_file(str(rig))), RigDescription)


@pytest.mark.parametrize("name", ["romo", "x" * 5000, "~nobody-of-that-name/rig.yaml", "a\x00b", "/dev/null/rig"])
def test_a_rig_that_does_not_exist_is_told(name: str) -> None:
    with pytest.raises(ConfigError, match=r"^rig\.file: .* is neither a file nor the name of one in") as caught:
        rig_file(name)
    assert len(str(caught.value)) < 600
    if name == "romo":
        assert "did you mean 'room'" in str(caught.value)
