"""The driver for robots under ros2_control, with an emulated controller over DDS."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rclpy.node import Node
from robot import FAR, JOINTS, NAMES, NEAR, START, robot, wiring
from ros_fixtures import context_on, eventually, new_domain, spinning
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool
from trajectory_msgs.msg import JointTrajectory

from vantage.decoding import Section
from vantage.errors import ConfigError, HardwareError, StoppedError
from vantage.files import shared_folder
from vantage.nodes.rig.ros2_control import Ros2ControlDriver, make_ros2_control
from vantage.nodes.rig.trajectory_controller import TrajectoryController
from vantage.nodes.rig.trajectory_follower import BRAKE
from vantage.registry import DRIVERS, EMULATORS
from vantage.spatial import rigid
from vantage.types import ArmTarget
from vantage.worlds.rig.arm import make_arm
from vantage.worlds.rig.description import load_rig
from vantage.worlds.rig.drivers.driver import QUEUE, Driver
from vantage.worlds.rig.kinematics.chain import REVOLUTE

pytestmark = pytest.mark.real_time

ROOM = load_rig(shared_folder("config") / "rigs" / "room.yaml")
NOISE = 0.15  # s that a busy machine may take besides


class Mover(threading.Thread):
    """A motion in a thread of its own, and what became of it."""

    def __init__(self, driver: Driver, target: np.ndarray, timeout: float = 20.0) -> None:
        super().__init__(daemon=True)
        self.error: Exception | None = None
        self.ended = 0.0
        self._do = lambda: driver.move(target, timeout)
        self.start()

    def run(self) -> None:
        try:
            self._do()
        except HardwareError as error:
            self.error = error
        self.ended = time.monotonic()

    def outcome(self, timeout: float = 10.0) -> Exception | None:
        self.join(timeout)
        assert not self.is_alive(), "the motion hangs"
        return self.error


def test_it_goes_to_the_target_exactly_with_little_motion_waiting():
    with robot() as made:
        state = made.driver.state()
        assert state.positions == pytest.approx(START)
        assert (state.moving, state.homed, state.held, state.fault) == (False, True, False, "")
        assert abs(time.time_ns() - state.stamp) < 0.5e9
        for target in (NEAR, np.array([0.35, 0.25, 0.4]), NEAR):
            reached = made.driver.move(target, 10.0)
            assert reached.positions == pytest.approx(target, abs=1e-9)
            assert not reached.moving
        made.driver.home(5.0)
        assert made.emulator.longest_queue <= QUEUE + 1e-6
        assert made.driver.longest_queue <= QUEUE + 1e-6
        assert made.emulator.refused == []
        assert made.driver.move(NEAR, 1.0).positions == pytest.approx(NEAR)


def test_it_turns_as_slowly_as_it_is_told_to():
    with robot() as made:
        begun = time.monotonic()
        made.driver.move(NEAR, 20.0, turning=0.4)
        turned = max(abs(b - a) for joint, a, b in zip(JOINTS, START, NEAR, strict=True) if joint.kind == REVOLUTE)
        assert turned > 0.05
        assert time.monotonic() - begun >= turned / 0.4


def test_the_controllers_clock_need_not_be_this_machines():
    for ahead in (-5000.0, 70.0):
        with robot(ahead=ahead) as made:
            assert made.driver.move(NEAR, 10.0).positions == pytest.approx(NEAR)
            assert abs(time.time_ns() - made.driver.state().stamp) < 0.5e9
            assert made.emulator.longest_queue <= QUEUE + 1e-6
            assert made.emulator.refused == []


def test_a_stop_brakes_at_once_and_is_latched_until_cleared():
    with robot(stop_topic="/robot/stop") as made, listening(made.domain, Bool, "/robot/stop") as heard:
        for _ in range(3):
            mover = Mover(made.driver, FAR)
            made.moving()
            asked = time.monotonic()
            made.driver.stop()
            assert time.monotonic() - asked < NOISE
            assert isinstance(mover.outcome(), StoppedError)
            hold = next(at for at in made.emulator.holds if at >= asked)
            assert hold - asked < 0.05 + NOISE
            assert made.emulator.last_motion - asked < BRAKE + 0.05 + NOISE
            stopped = made.emulator.positions()
            assert made.driver.state().held
            made.driver.stop()
            with pytest.raises(StoppedError, match="clear it first"):
                made.driver.move(NEAR, 5.0)
            with pytest.raises(StoppedError):
                made.driver.home(5.0)
            assert made.emulator.positions() == pytest.approx(stopped)
            made.driver.clear()
            assert not made.driver.state().held
            assert made.emulator.positions() == pytest.approx(stopped)
            made.driver.move(np.array(START), 10.0)
        eventually(lambda: [message.data for message in heard].count(False) == 3)
        assert made.kinds() == []


def test_a_stop_in_the_moment_of_setting_off_is_obeyed():
    with robot() as made:
        mover = Mover(made.driver, FAR)
        made.driver.stop()
        assert isinstance(mover.outcome(), StoppedError)
        assert made.emulator.positions() == pytest.approx(START, abs=0.1)


HOST = """
import sys, time
import numpy as np
sys.path.insert(0, {folder!r})
from robot import FAR, JOINTS, wiring
from vantage.nodes.rig.ros2_control import Ros2ControlDriver
with Ros2ControlDriver(JOINTS, wiring({domain})) as driver:
    driver.move(FAR, 20.0)
"""


def test_a_host_that_dies_leaves_a_standing_robot():
    domain = new_domain()
    emulator = TrajectoryController(JOINTS, wiring(domain), START)
    emulator.start()
    code = HOST.format(folder=str(Path(__file__).parent), domain=domain)
    host = subprocess.Popen([sys.executable, "-c", code])
    try:
        eventually(lambda: emulator.positions()[0] > START[0] + 0.2, 30.0)
        os.kill(host.pid, signal.SIGKILL)
        host.wait(10.0)
        died = time.monotonic()
        time.sleep(0.6)
        assert emulator.last_motion - died < QUEUE + NOISE
        assert emulator.positions()[0] < FAR[0] - 0.2
        assert emulator.longest_queue <= QUEUE + 1e-6
    finally:
        host.kill()
        emulator.close()


@pytest.mark.parametrize(
    ("fault", "kind", "words"),
    [
        ("silent", "silent", "nothing came"),
        ("late_states", "late", "s ago"),
        ("stuck_axis", "stuck", "but was sent to"),
        ("vanish", "link", "nobody listens"),
        ("garbage", "garbage", "no finite position of pan_joint"),
        ("restart", "jump", "jumped by"),
    ],
)
def test_faults_stop_the_robot_are_told_once_and_can_be_mended(fault, kind, words):
    with robot() as made:
        mover = Mover(made.driver, FAR)
        made.moving()
        broken = time.monotonic()
        made.emulator.inject(fault)
        error = mover.outcome()
        assert mover.ended - broken < 4.0
        assert isinstance(error, HardwareError)
        assert not isinstance(error, StoppedError)
        assert words in str(error)
        assert words in made.driver.state().fault
        eventually(lambda: any(k == kind and "the robot was stopped" in s for k, s in made.told))
        time.sleep(0.2)
        resting = made.emulator.positions()
        with pytest.raises(HardwareError, match="clear it first"):
            made.driver.move(NEAR, 5.0)
        assert made.emulator.positions() == pytest.approx(resting)
        assert [s for k, s in made.told if k == kind and "stopped" in s] == [f"{error}; the robot was stopped"]
        made.emulator.mend()
        made.driver.clear()
        assert made.driver.state().fault == ""
        eventually(lambda: "mended" in made.kinds())
        assert made.driver.move(NEAR, 10.0).positions == pytest.approx(NEAR)


def test_a_fault_while_nothing_moves_is_no_secret_either():
    with robot() as made:
        made.emulator.inject("silent")
        eventually(lambda: made.driver.state().fault)
        with pytest.raises(HardwareError, match="clear it first"):
            made.driver.move(NEAR, 5.0)
        with pytest.raises(HardwareError, match="no usable joint states came on /joint_states"):
            made.driver.clear(1.0)
        made.emulator.mend()
        made.driver.clear()
        made.driver.move(NEAR, 5.0)


def test_a_vanished_controller_cannot_be_cleared_until_it_is_back():
    with robot() as made:
        made.emulator.inject("vanish")
        eventually(lambda: made.driver.state().fault)
        with pytest.raises(HardwareError, match=r"nobody listens on /robot/controller/joint_trajectory"):
            made.driver.clear(0.5)
        made.emulator.mend()
        made.driver.clear()
        assert made.driver.move(NEAR, 5.0).positions == pytest.approx(NEAR)


def test_repeated_states_are_passed_over_and_told_once():
    with robot() as made:
        made.emulator.inject("duplicate")
        made.driver.move(NEAR, 10.0)
        assert made.kinds() == ["repeated"]
        assert made.driver.state().fault == ""


def test_a_motion_that_takes_too_long_is_stopped_but_not_latched():
    with robot() as made:
        with pytest.raises(HardwareError, match=r"longer than 0\.5 s"):
            made.driver.move(FAR, 0.5)
        assert not made.driver.state().moving
        assert not made.driver.state().held
        resting = made.emulator.positions()
        time.sleep(0.2)
        assert made.emulator.positions() == pytest.approx(resting)
        made.driver.move(np.array(START), 10.0)


def test_impossible_targets_are_refused():
    with robot() as made:
        for target, words in (
            ([0.3, 0.3], "expected 3 finite joint positions"),
            ([0.3, np.nan, 0.0], "expected 3 finite joint positions"),
            ([0.3, 0.3, 3.01], r"pan = 3\.0100 rad is outside"),
            ([-0.01, 0.3, 0.0], r"x = -0\.0100 m is outside"),
        ):
            with pytest.raises(HardwareError, match=words):
                made.driver.move(np.array(target), 5.0)
        assert made.emulator.trajectories == 0


def test_one_motion_at_a_time():
    with robot() as made:
        mover = Mover(made.driver, FAR)
        made.moving()
        with pytest.raises(HardwareError, match="another motion is under way"):
            made.driver.move(NEAR, 5.0)
        made.driver.stop()
        mover.outcome()


def test_closing_in_the_middle_of_a_motion_leaves_a_standing_robot():
    with robot() as made:
        mover = Mover(made.driver, FAR)
        made.moving()
        made.driver.close()
        made.driver.close()
        assert isinstance(mover.outcome(), HardwareError)
        resting = made.emulator.positions()
        time.sleep(0.3)
        assert made.emulator.positions() == pytest.approx(resting)
        with pytest.raises(HardwareError, match="connect first"):
            made.driver.state()
        made.driver.connect()
        assert made.driver.move(NEAR, 5.0).positions == pytest.approx(NEAR)


def test_without_a_connection_a_stop_is_harmless_and_all_else_is_an_error():
    driver = Ros2ControlDriver(JOINTS, wiring(new_domain()))
    driver.stop()
    driver.close()
    for use in (driver.state, driver.clear, lambda: driver.move(NEAR, 1.0), lambda: driver.home(1.0)):
        with pytest.raises(HardwareError, match="connect first"):
            use()


def test_a_glitch_of_the_states_commands_nothing():
    with robot() as made, listening(made.domain, JointTrajectory, "/robot/controller/joint_trajectory") as heard:
        mover = Mover(made.driver, FAR)
        made.moving()
        plain = made.emulator._state
        glitches = iter([True])

        def state(broken):
            message = plain(broken)
            if next(glitches, False):
                message.position = [*message.position[:2], 3.5]  # outside the limits
            return message

        made.emulator._state = state
        error = mover.outcome()
        assert "pan_joint jumped by" in str(error)
        made.driver.stop()
        time.sleep(0.3)
        resting = made.emulator.positions()
        assert resting[0] < FAR[0] - 0.2
        assert all(abs(point.positions[2]) <= 2.0 for message in heard for point in message.points)
        made.driver.clear()
        assert made.emulator.positions() == pytest.approx(resting)
        made.driver.move(NEAR, 10.0)


def test_a_robot_that_is_elsewhere_at_rest_is_not_pulled_back():
    with robot() as made:
        made.driver.move(NEAR, 10.0)
        made.emulator.inject("restart")
        elsewhere = made.emulator.positions()
        eventually(lambda: made.driver.state().fault)
        made.driver.stop()
        time.sleep(0.2)
        assert made.emulator.positions() == pytest.approx(elsewhere)


def test_an_interrupted_program_brakes():
    with robot() as made:
        plain, sent = made.driver._await, []

        def interrupted(condition, ends):
            plain(lambda: made.emulator.positions()[0] > START[0] + 0.3, ends)
            sent.append(time.monotonic())
            raise KeyboardInterrupt

        made.driver._await = interrupted
        with pytest.raises(KeyboardInterrupt):
            made.driver.move(FAR, 10.0)
        made.driver._await = plain
        time.sleep(0.8)
        assert made.emulator.last_motion - sent[0] < QUEUE + NOISE
        made.driver.move(NEAR, 10.0)


def test_a_stop_that_comes_while_another_is_cleared_stays_in_force():
    with robot(stop_topic="/robot/stop") as made, listening(made.domain, Bool, "/robot/stop") as heard:
        made.driver.stop()
        plain = made.driver._await_states

        def await_states(timeout):
            plain(timeout)
            made.driver.stop()

        made.driver._await_states = await_states
        made.driver.clear()
        assert made.driver.state().held
        with pytest.raises(StoppedError, match="clear it first"):
            made.driver.move(NEAR, 5.0)
        made.driver._await_states = plain
        eventually(lambda: len(heard) >= 2)
        assert all(message.data for message in heard)
        made.driver.clear()
        assert not made.driver.state().held
        eventually(lambda: not heard[-1].data)


def test_no_motion_sets_off_while_the_driver_closes():
    with robot() as made:
        movers = []

        class Closing(threading.Event):
            def set(self):
                movers.append(Mover(made.driver, FAR))
                time.sleep(0.15)
                super().set()

        made.driver._closing = Closing()
        made.driver.close()
        assert isinstance(movers[0].outcome(), HardwareError)
        assert made.emulator.trajectories == 0


# What else is on the network --------------------------------------------------------------------------------------


class Talker(Node):
    """Publishes joint states as others do."""

    def __init__(self, context, frame, names, positions):
        super().__init__("talker", context=context)
        publisher = self.create_publisher(JointState, "/joint_states", 10)
        message = JointState(name=names, position=positions)
        message.header.frame_id = frame

        def talk():
            message.header.stamp = self.get_clock().now().to_msg()
            publisher.publish(message)

        self.create_timer(0.02, talk)


@contextmanager
def talking(domain, frame, names, positions):
    with context_on(domain) as context:
        talker = Talker(context, frame, names, positions)
        with spinning(context, talker):
            yield


@contextmanager
def listening(domain, kind, topic):
    heard = []
    with context_on(domain) as context:
        node = Node("listener", context=context)
        node.create_subscription(kind, topic, heard.append, 10)
        with spinning(context, node):
            eventually(lambda: node.count_publishers(topic))
            time.sleep(0.2)
            yield heard


@pytest.mark.parametrize(
    ("frame", "names", "told"),
    [("map", list(NAMES), set()), ("", ["finger"], set()), ("base", ["pan_joint", "finger"], {"incomplete"})],
)
def test_states_of_others_do_not_disturb(frame, names, told):
    with robot() as made, talking(made.domain, frame, names, [1.5] * len(names)):
        for target in (NEAR, np.array(START)):
            assert made.driver.move(target, 10.0).positions == pytest.approx(target)
        assert set(made.kinds()) == told


def test_without_a_controller_the_error_says_what_is_there():
    domain = new_domain()
    other = TrajectoryController(JOINTS, wiring(domain, "/robot/left_controller"), START)
    other.start()
    driver = Ros2ControlDriver(JOINTS, wiring(domain), meeting=1.5)
    try:
        with pytest.raises(
            HardwareError, match=r"nobody listens on /robot/controller/.*left_controller.*ROS_DOMAIN_ID"
        ):
            driver.connect()
    finally:
        other.close()


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (("a", "b", "c"), "states of slide_x, slide_y, pan_joint only"),
        (("slide_x", "slide_y", "tilt_joint"), "lacks tilt_joint"),
    ],
)
def test_states_of_other_joints_only_are_told(names, words):
    domain = new_domain()
    emulator = TrajectoryController(JOINTS, wiring(domain), START)
    emulator.start()
    driver = Ros2ControlDriver(JOINTS, wiring(domain, names=names), meeting=1.5)
    try:
        with pytest.raises(HardwareError, match=words):
            driver.connect()
    finally:
        emulator.close()


def test_a_robot_that_another_program_commands_is_not_moved():
    with robot() as made:
        topic = "/robot/controller/joint_trajectory"
        made.driver.move(NEAR, 10.0)
        with context_on(made.domain) as context:
            rival = Node("rqt", context=context)
            rival.create_publisher(JointTrajectory, topic, 10)
            with spinning(context, rival):
                eventually(lambda: refused(made.driver, NEAR))
                assert made.driver.state().fault == ""
                eventually(lambda: rival.count_publishers(topic) == 2)
                second = Ros2ControlDriver(JOINTS, wiring(made.domain), meeting=5.0)
                with pytest.raises(HardwareError, match=f"{topic} is commanded by .*; end that first"):
                    second.connect()
        eventually(lambda: not refused(made.driver, NEAR))


def refused(driver, target):
    """Whether a motion was refused because of another program."""
    try:
        driver.move(target, 10.0)
    except HardwareError as error:
        return "is commanded by" in str(error)
    return False


# Gripping ---------------------------------------------------------------------------------------------------------


def test_a_grasp_ends_where_something_is_in_the_way_and_goes_on_pressing():
    domain = new_domain()
    finger = replace(JOINTS[0], name="finger", lower=0.0, upper=0.08, speed=0.1, resolution=1e-4)
    names = ("finger_joint",)
    blocked = replace(finger, lower=0.03)  # something 3 cm wide
    emulator = TrajectoryController((blocked,), wiring(domain, "/gripper", names), (0.08,))
    driver = Ros2ControlDriver((finger,), wiring(domain, "/gripper", names))
    emulator.start()
    try:
        with driver, listening(domain, JointTrajectory, "/gripper/joint_trajectory") as heard_by:
            eventually(lambda: driver.grasp(np.array([0.0]), -12.0, 5.0).positions[0] == pytest.approx(0.03))
            assert not driver.state().fault
            eventually(lambda: heard_by and list(heard_by[-1].points[-1].effort) == [-12.0])
            assert heard_by[-1].points[-1].positions[0] == pytest.approx(0.0)
            driver.grasp(np.array([0.08]), None, 5.0)
            eventually(lambda: list(heard_by[-1].points[-1].effort) == [])
            with pytest.raises(HardwareError, match="finger"):
                driver.move(np.array([0.0]), 5.0)
    finally:
        driver.close()
        emulator.close()


def test_an_arm_with_a_gripper_is_moved_and_stopped_over_two_controllers():
    ros = {"name": "ros2_control", "domain_id": new_domain()}
    hinge = {"type": "revolute", "axis": [0, 0, 1], "limits": [-2.0, 2.0], "speed": 2.0, "acceleration": 16.0}
    values = {
        "chain": {
            "joints": [{"name": "shoulder", **hinge}, {"name": "elbow", "origin": {"xyz": [0.3, 0, 0]}, **hinge}]
        },
        "tool": {"xyz": [0.2, 0, 0]},
        "driver": {**ros, "controller": "/arm_controller"},
        "gripper": {
            "joint": "finger",
            "widths": [0.0, 0.08],
            "max_force": 20.0,
            "driver": {**ros, "controller": "/gripper_controller"},
        },
    }
    description = replace(ROOM, arm=Section(values, "rig.yaml: arm", Path(".")))
    with ExitStack() as stack, make_arm(description, "emulated", stack) as arm:
        arm.move(ArmTarget(joints={"shoulder": 0.5, "elbow": -0.5}), 10.0)
        arm.move(ArmTarget(T_world_tool=rigid(np.eye(3), np.array([0.5, 0.0, 0.0]))), 10.0)
        assert arm.T_world_tool()[:3, 3] == pytest.approx([0.5, 0.0, 0.0], abs=1e-5)
        arm.move(ArmTarget(gripper_width=0.05, gripper_force=8.0), 10.0)
        assert arm.gripper_width() == pytest.approx(0.05, abs=1e-3)
        timer = threading.Timer(0.3, arm.stop)
        timer.start()
        with pytest.raises(StoppedError):
            arm.move(ArmTarget(joints={"shoulder": 1.9, "elbow": -1.9}), 10.0)
        assert 0.0 < arm.joints()["shoulder"] < 1.9
        arm.clear()
        arm.move(ArmTarget(joints={"shoulder": 0.0}), 10.0)
        assert arm.joints()["shoulder"] == pytest.approx(0.0, abs=1e-5)


# The rig's file ---------------------------------------------------------------------------------------------------


def section(**values):
    return Section(values, "rig.yaml: driver", Path("."))


def test_the_factories_read_a_rigs_file_and_belong_together():
    domain = new_domain()
    driver_section = section(names={"pan": "pan_joint"}, domain_id=domain, tolerance=0.1)
    description = replace(ROOM, driver=driver_section)
    emulator = EMULATORS.create("ros2_control", description)
    emulator.start()
    try:
        with DRIVERS.create("ros2_control", driver_section.with_values(**emulator.overrides), description) as driver:
            target = np.array([0.05, 0.05, 0.2, 0.3, -0.2])
            assert driver.move(target, 10.0).positions == pytest.approx(target)
            assert emulator.positions() == pytest.approx(target)
    finally:
        emulator.close()


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"controler": "a"}, r"rig\.yaml: driver\.controler: unknown key; did you mean 'controller'"),
        ({"controller": "a b"}, r"driver\.controller: 'a b' is no topic name of ROS"),
        ({"controller": ""}, r"driver\.controller: '' is no topic name"),
        ({"joint_states": "//x"}, r"driver\.joint_states: '//x' is no topic name"),
        ({"stop_topic": "1x"}, r"driver\.stop_topic: '1x' is no topic name"),
        ({"names": {"roll": "r"}}, r"driver\.names\.roll: no joint has this name \(known: x, y, z, pan, tilt\)"),
        ({"names": {"x": "y"}}, r"driver\.names: each joint needs a name of its own"),
        ({"names": {"x": 3}}, r"driver\.names\.x: expected text"),
        ({"domain_id": 500}, r"driver\.domain_id: expected a whole number in \[-1, 232\]"),
        ({"tolerance": 0}, r"driver\.tolerance: expected a number in"),
    ],
)
def test_a_wrong_key_of_the_file_is_told(values, words):
    with pytest.raises(ConfigError, match=words):
        make_ros2_control(section(**values), ROOM)
