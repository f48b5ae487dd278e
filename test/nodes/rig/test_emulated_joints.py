"""The emulated controller without ROS: what it takes, how it interpolates, how its joints move and stick."""

from types import SimpleNamespace

import numpy as np
import pytest

from vantage.nodes.rig.emulated_joints import EmulatedJoints, Goal, refusal
from vantage.worlds.rig.kinematics.chain import Joint

JOINTS = (
    Joint("x", "prismatic", (1.0, 0.0, 0.0), lower=0.0, upper=1.0, speed=1.0),
    Joint("y", "prismatic", (0.0, 1.0, 0.0), lower=0.0, upper=1.0, speed=1.0),
)
NAMES = ("x", "y")
START = 10**18


class Clock:
    def __init__(self):
        self.time = START

    def __call__(self):
        return self.time

    def wait(self, seconds):
        self.time += round(seconds * 1e9)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def plant(clock):
    return EmulatedJoints(JOINTS, np.array([0.2, 0.2]), clock)


def stamp(seconds):
    sec, nanosec = divmod(round(seconds * 1e9), 10**9)
    return SimpleNamespace(sec=sec, nanosec=nanosec)


def trajectory(*points, names=NAMES, start=0.0):
    made = [
        SimpleNamespace(time_from_start=stamp(time), positions=list(p), velocities=list(v), effort=[])
        for time, p, v in points
    ]
    return SimpleNamespace(header=SimpleNamespace(stamp=stamp(start)), joint_names=list(names), points=made)


def goal(seconds, positions, velocities=None):
    return Goal(START + round(seconds * 1e9), np.array(positions), None if velocities is None else np.array(velocities))


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (trajectory((0.1, (0.5, 0.5), (0, 0))), ""),
        (trajectory((0.1, (0.5, 0.5), ())), ""),
        (trajectory((0.1, (0.5, 0.5), (0, 0)), names=("y", "x")), ""),
        (trajectory((0.1, (0.5, 0.5), (0, 0)), start=99.95), ""),
        (trajectory((0.1, (0.5,), ()), names=("x",)), "joints x are not the controller's x, y"),
        (trajectory((0.1, (0.5, 0.5, 0.5), ()), names=("x", "y", "z")), "are not the controller's"),
        (trajectory(), "empty"),
        (trajectory((0.1, (0.5, 0.5), ()), (0.1, (0.6, 0.6), ())), "do not increase"),
        (trajectory((0.1, (0.5,), ())), "one position for each"),
        (trajectory((0.1, (0.5, 0.5), (0.0,))), "for some joints only"),
        (trajectory((0.1, (0.5, float("nan")), ())), "not finite"),
        (trajectory((0.1, (0.5, 0.5), (0.1, 0.0))), "velocity"),
        (trajectory((0.1, (0.5, 0.5), ()), start=99.0), "0.900 s in the past"),
    ],
)
def test_trajectories_are_taken_and_refused_as_by_the_real_controller(message, words):
    reason = refusal(message, NAMES, 100 * 10**9)
    assert (words in reason) if words else reason == ""


def test_points_with_velocities_are_joined_by_cubics_and_those_without_by_lines(plant, clock):
    plant.follow([goal(0.0, [0.2, 0.2], [0, 0]), goal(1.0, [0.6, 0.2], [0, 0])])
    clock.wait(0.25)
    assert plant.positions() == pytest.approx([0.2 + 0.4 * (3 * 0.25**2 - 2 * 0.25**3), 0.2])
    plant.follow([goal(0.25, [0.2, 0.2]), goal(1.25, [0.6, 0.2])])
    clock.wait(0.75)
    assert plant.positions() == pytest.approx([0.2 + 0.4 * 0.75, 0.2])


def test_a_new_trajectory_replaces_the_old_one_and_the_last_point_is_held(plant, clock):
    plant.follow([goal(0.0, [0.2, 0.2]), goal(10.0, [1.0, 1.0])])
    clock.wait(0.5)
    half_way = plant.positions()
    plant.follow([goal(1.0, [0.2, 0.2])])  # later than now: straight from where it is
    clock.wait(0.25)
    assert plant.positions() == pytest.approx(0.5 * (half_way + np.array([0.2, 0.2])))
    clock.wait(1.0)
    assert plant.positions() == pytest.approx([0.2, 0.2])
    clock.wait(60.0)
    assert plant.positions() == pytest.approx([0.2, 0.2])
    assert plant.last_motion == pytest.approx(START + 1.0e9, abs=1e7)


def test_joints_keep_their_speed_and_their_travel(plant, clock):
    plant.follow([goal(0.0, [5.0, 0.2])])
    clock.wait(0.1)
    assert plant.positions()[0] == pytest.approx(0.3, abs=0.001)
    clock.wait(5.0)
    assert plant.positions() == pytest.approx([1.0, 0.2])
    assert plant.extremes[1] == pytest.approx([5.0, 0.2])


def test_a_stuck_joint_is_the_one_with_the_farthest_to_go(plant, clock):
    plant.stick()
    plant.follow([goal(0.0, [0.2, 0.2]), goal(0.5, [0.3, 0.6])])
    clock.wait(1.0)
    assert plant.positions() == pytest.approx([0.3, 0.2])
    plant.loosen()
    clock.wait(1.0)
    assert plant.positions() == pytest.approx([0.3, 0.6])


def test_a_displaced_robot_has_nothing_left_to_do(plant, clock):
    plant.follow([goal(0.0, [0.2, 0.2]), goal(0.5, [0.6, 0.6])])
    plant.displace(np.array([0.9, 2.0]))
    clock.wait(1.0)
    assert plant.positions() == pytest.approx([0.9, 1.0])
