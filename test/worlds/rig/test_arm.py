"""An arm on a rig: what it may be asked, where it goes, and what its file may say."""

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml
from chains import arm as six_hinges
from row_tables import each_row
from small_rig import rig_values

from vantage.errors import ConfigError, HardwareError, StoppedError, UnknownNameError
from vantage.registry import DRIVERS
from vantage.spatial import rigid
from vantage.types import ArmTarget
from vantage.worlds.limits import ArmCheck
from vantage.worlds.rig.arm import Arm, Mount, make_arm
from vantage.worlds.rig.description import load_rig
from vantage.worlds.rig.drivers.driver import DriverState
from vantage.worlds.rig.drivers.mock_driver import MockDriver
from vantage.worlds.rig.gripper import Gripper, GripperRules
from vantage.worlds.rig.kinematics.chain import Joint

HINGE = {"type": "revolute", "speed": 2.0, "acceleration": 16.0, "resolution": 0.001}
GRIPPER = {
    "joint": "finger",
    "widths": [0.0, 0.08],
    "positions": [0.8, 0.0],
    "type": "revolute",
    "speed": 1.0,
    "acceleration": 10.0,
    "max_force": 20.0,
    "driver": {"name": "mock"},
}
ARM = {
    "mount": {"xyz": [0.1, 0.0, 0.5]},
    "chain": {
        "joints": [
            {"name": "shoulder", "axis": [0, 0, 1], "limits": [-2.0, 2.0], **HINGE},
            {"name": "elbow", "axis": [0, 0, 1], "limits": [-2.5, 2.5], "origin": {"xyz": [0.3, 0, 0]}, **HINGE},
        ]
    },
    "tool": {"xyz": [0.2, 0.0, 0.0]},
    "driver": {"name": "mock"},
    "poses": {"home": {"shoulder": 0.5, "elbow": -1.0}, "out": {"elbow": 0.0}},
    "gripper": GRIPPER,
}


def arm_values(**changes):
    return {key: value for key, value in {**ARM, **changes}.items() if value is not None}


def description(folder, **changes):
    path = Path(folder) / "rig.yaml"
    path.write_text(yaml.safe_dump(rig_values(arm=arm_values(**changes))), encoding="utf-8")
    return load_rig(path)


def arm_of(folder, mode="hardware", positions=None, **changes):
    with ExitStack() as stack:
        return make_arm(description(folder, **changes), mode, stack, positions)


class PressingDriver(MockDriver):
    """Motors that can press, and remember how they were asked to."""

    def __init__(self, joints):
        super().__init__(joints)
        self.grasps = []

    def grasp(self, target, effort, timeout) -> DriverState:
        self.grasps.append((float(target[0]), effort))
        return self.move(target, timeout)


FINGER = Joint("finger", "revolute", (1.0, 0.0, 0.0), lower=0.0, upper=0.8)
RULES = GripperRules(FINGER, (0.0, 0.08), (0.8, 0.0), max_force=20.0, effort=0.05)


@pytest.fixture
def arm(tmp_path):
    with arm_of(tmp_path) as made:
        yield made


def test_joints_go_where_they_should_and_the_others_stay(arm):
    arm.move(ArmTarget(joints={"shoulder": 0.4, "elbow": 0.3}), 5.0)
    arm.move(ArmTarget(joints={"elbow": -0.3}), 5.0)
    assert arm.joints() == pytest.approx({"shoulder": 0.4, "elbow": -0.3, "finger": 0.0})
    assert isinstance(arm, ArmCheck)
    assert arm.trouble == ""


def test_the_tool_goes_to_a_pose_in_the_world(arm):
    angle = 0.7
    T_world_tool = rigid(
        np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1.0]]),
        np.array([0.1 + 0.3 * np.cos(0.2) + 0.2 * np.cos(angle), 0.3 * np.sin(0.2) + 0.2 * np.sin(angle), 0.5]),
    )
    target = ArmTarget(T_world_tool=T_world_tool)
    assert arm.check(target) is None
    arm.move(target, 5.0)
    assert arm.joints()["shoulder"] == pytest.approx(0.2, abs=1e-6)
    assert arm.joints()["elbow"] == pytest.approx(0.5, abs=1e-6)
    assert arm.T_world_tool() == pytest.approx(T_world_tool, abs=1e-6)


def test_an_arm_of_six_hinges_reaches_poses_of_all_turns():
    chain = six_hinges()
    driver = MockDriver(chain.joints)
    draw = np.random.default_rng(3)
    with Arm(chain, driver, Mount("", chain.T_world_base)) as arm:
        for _ in range(3):
            T_world_tool = chain.T_world_camera(draw.uniform(0.5 * chain.lower, 0.5 * chain.upper))
            arm.move(ArmTarget(T_world_tool=T_world_tool), 5.0)
            assert arm.T_world_tool() == pytest.approx(T_world_tool, abs=1e-6)


def test_named_poses_lead_there(arm):
    arm.move(arm.pose("home"), 5.0)
    assert arm.joints() == pytest.approx({"shoulder": 0.5, "elbow": -1.0, "finger": 0.0})
    arm.move(arm.pose("out"), 5.0)
    assert arm.joints() == pytest.approx({"shoulder": 0.5, "elbow": 0.0, "finger": 0.0})
    with pytest.raises(UnknownNameError, match=r"no pose 'hom'; did you mean 'home'"):
        arm.pose("hom")


FAR_AWAY = rigid(np.eye(3), np.array([9.0, 0.0, 0.5]))


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (ArmTarget(), "one of joints, a pose, a width; got none"),
        (ArmTarget(joints={"elbow": 0.0}, gripper_width=0.01), "got joints and a width"),
        (ArmTarget(joints={}), "names no joint"),
        (ArmTarget(joints={"elbo": 0.0}), "no joint 'elbo'; did you mean 'elbow'"),
        (ArmTarget(joints={"elbow": float("nan")}), "the target of elbow is not finite"),
        (ArmTarget(joints={"elbow": 2.6}), r"elbow = 2.6000 rad is outside the limits [-2.5000, 2.5000] rad"),
        (ArmTarget(T_world_tool=FAR_AWAY), "the tool cannot be at (9.000, 0.000, 0.500) m"),
        (ArmTarget(T_world_tool=np.full((4, 4), np.nan)), "not finite"),
        (ArmTarget(T_world_tool=np.eye(3)), "not (4, 4)"),
        (ArmTarget(gripper_width=0.09), "width 0.0900 m is outside the limits [0.0000, 0.0800] m"),
        (ArmTarget(gripper_width=float("inf")), "are not finite"),
        (ArmTarget(gripper_width=0.01, gripper_force=float("nan")), "are not finite"),
        (ArmTarget(gripper_width=0.01, gripper_force=-1.0), "force -1 N is outside the limits [0, 20] N"),
        (ArmTarget(gripper_width=0.01, gripper_force=21.0), "force 21 N is outside the limits [0, 20] N"),
        (ArmTarget(gripper_width=0.01, gripper_force=5.0), "the gripper's driver takes no force"),
    ],
)
def test_what_is_not_possible_is_refused_with_the_reason_and_nothing_moves(arm, target, words):
    assert words in arm.check(target)
    assert arm.arm_violation(target) == arm.check(target)
    before = arm.joints()
    with pytest.raises(HardwareError):
        arm.move(target, 5.0)
    assert arm.joints() == before


def test_the_gripper_opens_and_closes_by_its_width(arm):
    arm.move(ArmTarget(gripper_width=0.02), 5.0)
    assert arm.joints()["finger"] == pytest.approx(0.6)
    assert arm.gripper_width() == pytest.approx(0.02)


def test_a_force_is_an_effort_that_closes_the_gripper():
    chain, fingers = six_hinges(), PressingDriver((FINGER,))
    with Arm(chain, MockDriver(chain.joints), Mount("", np.eye(4)), gripper=Gripper(RULES, fingers)) as arm:
        arm.move(ArmTarget(gripper_width=0.0, gripper_force=10.0), 5.0)
        arm.move(ArmTarget(gripper_width=0.08), 5.0)
    assert fingers.grasps == [(0.8, pytest.approx(0.5)), (0.0, None)]
    other_way = replace(RULES, positions=(0.0, 0.8))
    assert other_way.closing_effort(10.0) == pytest.approx(-0.5)
    assert "takes no force" in replace(RULES, max_force=0.0).violation(0.01, 1.0)


class BlockedDriver(PressingDriver):
    """Something between the fingers keeps the joint where it is."""

    def grasp(self, target, effort, timeout) -> DriverState:
        return self.move(0.5 * (np.asarray(target) + self.state().positions), timeout)


@pytest.mark.parametrize(("kind", "holds"), [(PressingDriver, False), (BlockedDriver, True), (MockDriver, False)])
def test_a_gripper_that_presses_and_does_not_arrive_holds_something(kind, holds):
    chain = six_hinges()
    with Arm(chain, MockDriver(chain.joints), Mount("", np.eye(4)), gripper=Gripper(RULES, kind((FINGER,)))) as arm:
        before = arm.touch()
        assert not before.holds
        assert before.gripper_width == pytest.approx(0.08)
        assert before.T_world_tool == pytest.approx(arm.T_world_tool())
        assert np.isnan(before.force).all()
        assert np.isnan(before.torque).all()
        arm.move(ArmTarget(gripper_width=0.0), 5.0)
        assert arm.touch().holds == holds


def test_an_arm_without_a_gripper_says_so(tmp_path):
    with arm_of(tmp_path, gripper=None) as arm:
        assert arm.check(ArmTarget(gripper_width=0.01)) == "the arm has no gripper"
        with pytest.raises(HardwareError, match="no gripper"):
            arm.gripper_width()
        assert arm.joints() == {"shoulder": 0.0, "elbow": 0.0}
        assert np.isnan(arm.touch().gripper_width)
        assert arm.check(ArmTarget(handle="open")) == "this arm knows neither steps nor handles"


def test_a_stop_holds_arm_and_gripper_until_it_is_cleared(arm):
    arm.stop()
    assert "stopped" in arm.trouble
    for target in (ArmTarget(joints={"elbow": 0.1}), ArmTarget(gripper_width=0.02)):
        with pytest.raises(StoppedError):
            arm.move(target, 5.0)
    arm.clear()
    arm.move(ArmTarget(joints={"elbow": 0.1}), 5.0)
    arm.move(ArmTarget(gripper_width=0.02), 5.0)
    assert arm.trouble == ""


def test_what_the_drivers_notice_is_handed_on(arm):
    told = []
    arm.notify = lambda kind, sentence: told.append((kind, sentence))
    arm.drivers[0].failure = HardwareError("a motor is hot")
    with pytest.raises(HardwareError, match="a motor is hot"):
        arm.move(ArmTarget(joints={"elbow": 0.1}), 5.0)
    assert told == [("mock", "a motor is hot")]
    assert arm.trouble == "a motor is hot"


def test_an_arm_that_is_not_connected_says_so(tmp_path):
    arm = arm_of(tmp_path)
    arm.stop()
    assert "connect first" in arm.trouble
    assert "connect first" in arm.check(ArmTarget(joints={"elbow": 0.1}))
    for use in (arm.joints, arm.T_world_tool, arm.gripper_width, arm.links):
        with pytest.raises(HardwareError, match="connect first"):
            use()
    arm.close()


def test_a_driver_that_cannot_connect_leaves_nothing_open(tmp_path, monkeypatch):
    arm = arm_of(tmp_path)

    def fail():
        raise HardwareError("no such port")

    monkeypatch.setattr(arm.drivers[1], "connect", fail)
    with pytest.raises(HardwareError, match="no such port"):
        arm.connect()
    with pytest.raises(HardwareError, match="connect first"):
        arm.drivers[0].state()


def test_an_arm_on_a_link_of_the_rig_goes_with_it(tmp_path):
    rig = np.array([0.1, 0.2, 0.4, 0.0, 0.0])
    with arm_of(tmp_path, positions=lambda: rig, mount={"link": "z_link", "xyz": [0.0, 0.0, -0.1]}) as arm:
        assert arm.T_world_tool()[:3, 3] == pytest.approx([0.6, 0.2, 0.3])
        rig = np.array([0.3, 0.2, 0.8, 1.0, 0.0])
        assert arm.T_world_tool()[:3, 3] == pytest.approx([0.8, 0.2, 0.7])
        arm.move(ArmTarget(T_world_tool=rigid(np.eye(3), np.array([0.8, 0.2, 0.7]))), 5.0)
        links = arm.links()
        assert [(link.parent, link.child) for link in links] == [
            ("z_link", "arm_base"),
            ("arm_base", "shoulder_link"),
            ("shoulder_link", "elbow_link"),
            ("elbow_link", "arm_tool"),
        ]
        T_link_tool = np.linalg.multi_dot([link.T_parent_child for link in links])
        assert T_link_tool[:3, 3] == pytest.approx([0.5, 0.0, -0.1])


def test_links_begin_at_what_carries_the_arm(arm):
    assert arm.links()[0].parent == "map"
    assert arm.links()[0].T_parent_child[:3, 3] == pytest.approx([0.1, 0.0, 0.5])


def test_in_simulated_time_the_same_file_works_and_forces_hold_nothing(tmp_path):
    ros = {"name": "ros2_control", "controller": "/arm"}
    gripper = {**GRIPPER, "driver": {**ros, "controller": "/gripper"}}
    with arm_of(tmp_path, "simulated", driver=ros, gripper=gripper) as arm:
        arm.move(arm.pose("home"), 5.0)
        arm.move(ArmTarget(gripper_width=0.01, gripper_force=5.0), 5.0)
        assert arm.joints() == pytest.approx({"shoulder": 0.5, "elbow": -1.0, "finger": 0.7})


@each_row(
    "changes, words",
    [
        ({"chains": {}}, r"rig\.arm\.chains: unknown key; did you mean 'chain'"),
        ({"chain": None}, r"rig\.arm\.chain: is missing"),
        ({"driver": None}, r"rig\.arm\.driver: is missing"),
        ({"driver": {"name": "mok"}}, r"rig\.arm\.driver\.name: expected one of .* got 'mok'; did you mean 'mock'"),
        ({"driver": {"name": "mock", "port": 1}}, r"rig\.arm\.driver\.port: unknown key"),
        ({"mount": {"link": "zlink"}}, r"rig\.arm\.mount\.link: expected one of .*did you mean 'z_link'"),
        ({"mount": {"link": "z_link"}}, r"rig\.arm\.mount\.link: nobody tells where the rig's joints are"),
        ({"mount": {"xyz": [0]}}, r"rig\.arm\.mount\.xyz: expected a list of 3 numbers"),
        ({"poses": {"home": {"elbo": 1.0}}}, r"rig\.arm\.poses\.home: the arm has no joint 'elbo'"),
        ({"poses": {"home": {"elbow": 9.0}}}, r"rig\.arm\.poses\.home: elbow = 9\.0000 rad is outside"),
        ({"poses": {"home": {}}}, r"rig\.arm\.poses\.home: the arm's target names no joint"),
        (
            {"gripper": {**GRIPPER, "widths": [0.1, 0.0]}},
            r"rig\.arm\.gripper\.widths: expected \[closed, open\]",
        ),
        ({"gripper": {**GRIPPER, "positions": [0.1, 0.1]}}, r"rig\.arm\.gripper\.positions: the joint must"),
        ({"gripper": {**GRIPPER, "joint": "elbow"}}, r"rig\.arm\.gripper\.joint: .* 'elbow' already"),
        (
            {"gripper": {**GRIPPER, "force": 1}},
            r"rig\.arm\.gripper\.force: unknown key; did you mean 'max_force'",
        ),
        ({"chain": {"joints": [{**ARM["chain"]["joints"][0], "name": "pan"}]}}, r"rig\.arm\.chain: .* 'pan' already"),
    ],
)
def test_a_wrong_key_of_the_file_is_told(tmp_path, changes, words):
    with pytest.raises(ConfigError, match=words):
        arm_of(tmp_path, **changes)


def test_a_driver_without_an_emulator_cannot_be_emulated(tmp_path):
    assert "mock" in DRIVERS.names()
    with pytest.raises(ConfigError, match=r"rig\.arm\.driver\.name: there is no emulator of 'mock'"):
        arm_of(tmp_path, "emulated")


def test_a_rig_without_an_arm_has_none_to_make(tmp_path):
    with ExitStack() as stack, pytest.raises(ConfigError, match=r"rig\.arm: is missing"):
        make_arm(replace(description(tmp_path), arm=None), "hardware", stack)
