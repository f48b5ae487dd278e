"""The emulated robot under ros2_control, heard and commanded over DDS as any ROS program would."""

from __future__ import annotations

import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from rclpy.node import Node
from ros_fixtures import context_on, eventually, new_domain, spinning
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from vantage.errors import UnknownNameError
from vantage.files import shared_folder
from vantage.nodes.rig.endpoint import ControllerNames
from vantage.nodes.rig.trajectory_controller import TrajectoryController, make_trajectory_controller
from vantage.recording.from_messages import read_stamp
from vantage.worlds.rig.description import load_rig
from vantage.worlds.rig.kinematics.chain import Joint
from vantage.worlds.rig.parts import Emulator

pytestmark = pytest.mark.real_time

JOINTS = (
    Joint("x", "prismatic", (1.0, 0.0, 0.0), lower=0.0, upper=1.0, speed=1.0),
    Joint("pan", "revolute", (0.0, 0.0, 1.0), lower=-1.0, upper=1.0, speed=2.0),
)
NAMES = ["slide", "pan_joint"]


class Client(Node):
    """Hears states and sends trajectories."""

    def __init__(self, wiring, context):
        super().__init__("client", context=context)
        self.states = []
        self.create_subscription(JointState, wiring.joint_states, self.states.append, 50)
        self.trajectories = self.create_publisher(JointTrajectory, wiring.trajectories, 10)

    def send(self, *points, names=NAMES):
        message = JointTrajectory(joint_names=names)
        for seconds, positions in points:
            point = JointTrajectoryPoint(positions=positions, velocities=[0.0] * len(positions))
            point.time_from_start.nanosec = round(seconds * 1e9)
            message.points.append(point)
        self.trajectories.publish(message)


@contextmanager
def emulated(start=(0.2, 0.0)):
    domain = new_domain()
    wiring = ControllerNames("/robot/controller", "/robot/joint_states", tuple(NAMES), domain)
    emulator = TrajectoryController(JOINTS, wiring, start)
    emulator.start()
    try:
        with context_on(domain) as context:
            client = Client(wiring, context)
            with spinning(context, client):
                eventually(lambda: client.states and client.trajectories.get_subscription_count())
                yield emulator, client
    finally:
        emulator.close()
        emulator.close()


@pytest.fixture
def robot():
    with emulated() as pair:
        yield pair


def fresh(client, count=5):
    """So many states that come from now on."""
    del client.states[:]
    eventually(lambda: len(client.states) >= count)
    return client.states[:count]


def heard_in(client, seconds):
    """The states that come within some time from now on."""
    del client.states[:]
    time.sleep(seconds)
    return list(client.states)


def test_states_tell_the_joints_by_their_names_with_system_time_a_hundred_times_a_second(robot):
    _, client = robot
    before = time.time_ns()
    states = fresh(client, 100)
    seconds = (read_stamp(states[99]) - read_stamp(states[0])) / 1e9
    assert 0.9 <= seconds < 15.0
    assert list(states[0].name) == NAMES
    assert list(states[0].position) == [0.2, 0.0]
    assert before - 10**9 < read_stamp(states[0]) <= time.time_ns()


def test_a_trajectory_is_driven_whatever_the_order_of_its_joints(robot):
    emulator, client = robot
    client.send((0.2, [0.5, 0.3]), names=NAMES[::-1])
    eventually(lambda: np.allclose(emulator.positions(), [0.3, 0.5]))
    eventually(lambda: list(client.states[-1].position) == pytest.approx([0.3, 0.5]))
    assert emulator.longest_queue == pytest.approx(0.2)
    assert emulator.trajectories == 1


def test_a_trajectory_that_only_brakes_or_stays_is_a_hold(robot):
    emulator, client = robot
    client.send((0.0, [0.2, 0.0]), (0.1, [0.9, 0.0]))
    eventually(lambda: emulator.trajectories == 1)
    assert emulator.holds == []
    before = time.monotonic()
    client.send((0.0, [0.3, 0.0]), (0.1, [0.3, 0.0]))
    eventually(lambda: emulator.trajectories == 2)
    assert before <= emulator.holds[0] <= time.monotonic()


def test_what_a_real_controller_refuses_is_refused(robot):
    emulator, client = robot
    client.send((0.2, [0.5]), names=NAMES[:1])
    client.send()
    eventually(lambda: len(emulator.refused) == 2)
    assert "not the controller's" in emulator.refused[0]
    assert emulator.positions() == pytest.approx([0.2, 0.0])


def test_silence_ends_when_it_is_mended(robot):
    emulator, client = robot
    emulator.inject("silent")
    eventually(lambda: heard_in(client, 0.3) == [])
    emulator.mend()
    assert fresh(client)


def test_late_states_are_stamped_when_they_were_so(robot):
    emulator, client = robot
    emulator.inject("late_states")
    time.sleep(0.4)
    stamps = ((read_stamp(fresh(client, 1)[-1]), time.time_ns()) for _ in range(5))
    assert min(heard - stamp for stamp, heard in stamps) >= 0.3e9


def test_garbage_lacks_a_joint_or_is_no_number(robot):
    emulator, client = robot
    emulator.inject("garbage")
    states = fresh(client, 80)
    assert any(len(state.name) == 1 for state in states)
    assert any(np.isnan(state.position[-1]) for state in states)


def test_duplicates_have_the_same_stamp(robot):
    emulator, client = robot
    emulator.inject("duplicate")
    stamps = eventually(lambda: repeated(fresh(client, 20)))
    assert len(stamps) == 20


def repeated(states):
    """The stamps of states, where hardly one comes alone; empty else, as of some that were on the way before."""
    stamps = [read_stamp(state) for state in states]
    return stamps if len(set(stamps)) <= 0.6 * len(stamps) else []


def test_a_restart_forgets_the_trajectory_and_is_somewhere_else(robot):
    emulator, client = robot
    client.send((0.9, [0.9, 0.9]))
    eventually(lambda: emulator.trajectories == 1)
    emulator.inject("restart")
    after = emulator.positions()
    assert abs(after[0] - 0.2) > 0.15
    time.sleep(0.3)
    assert emulator.positions() == pytest.approx(after)


def test_a_stuck_axis_stays_while_the_others_move(robot):
    emulator, client = robot
    emulator.inject("stuck_axis")
    client.send((0.2, [0.9, 0.1]))
    eventually(lambda: emulator.positions()[1] == pytest.approx(0.1))
    assert emulator.positions()[0] == pytest.approx(0.2, abs=1e-3)
    emulator.mend()
    eventually(lambda: emulator.positions() == pytest.approx([0.9, 0.1]))


def test_a_vanished_controller_comes_back_where_it_was(robot):
    emulator, client = robot
    emulator.inject("vanish")
    eventually(lambda: client.trajectories.get_subscription_count() == 0)
    emulator.mend()
    eventually(lambda: client.trajectories.get_subscription_count() == 1)
    assert list(fresh(client)[-1].position) == [0.2, 0.0]


def test_an_unknown_fault_is_told(robot):
    with pytest.raises(UnknownNameError, match="did you mean 'silent'"):
        robot[0].inject("silence")


def test_the_factory_keeps_away_from_real_robots():
    description = load_rig(shared_folder("config") / "rigs" / "room.yaml")
    section = type(description.driver)({"controller": "/arm/left"}, "rig.yaml: driver", Path("."))
    description = type(description)(**{**vars(description), "driver": section})
    first, second = make_trajectory_controller(description), make_trajectory_controller(description)
    assert isinstance(first, Emulator)
    topics = [value for emulator in (first, second) for value in emulator.overrides.values()]
    assert len(set(topics)) == 4
    assert all(topic.startswith("/emulated_") for topic in topics)
    assert first.overrides["controller"].endswith("/left")
