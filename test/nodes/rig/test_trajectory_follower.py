"""Motions sent piece by piece to a controller that may miss pieces, lag behind, sag or be stuck; in simulated time."""

from dataclasses import replace

import numpy as np
import pytest

from vantage.nodes.rig.trajectory_follower import TrajectoryFollower
from vantage.worlds.rig.kinematics.chain import Joint

JOINTS = (
    Joint("x", "prismatic", (1.0, 0.0, 0.0), speed=0.5, acceleration=4.0, resolution=1e-4),
    Joint("pan", "revolute", (0.0, 0.0, 1.0), speed=1.5, acceleration=12.0, resolution=1e-4),
)
START, GOAL = np.array([0.0, 0.0]), np.array([1.0, -2.0])
STEP = 0.005  # s
BEAT = 8  # steps between two renewals


class Robot:
    """A controller that does what it is told, as far as it hears it.

    Args:
        lost: from when to when (s) it hears nothing.
        lag: s that its joints are behind.
        sag: m or rad that they hang below where they should be.
        stuck: a joint that does not move from 0.5 s on.
    """

    def __init__(self, lost=(9e9, 9e9), lag=0.0, sag=0.0, stuck=None):
        self.time, self.lost, self.lag, self.sag, self.stuck = 0.0, lost, lag, sag, stuck
        self.motion = None
        self.meant = [START]
        self.kinds = []
        self.largest_step = 0.0
        self.follower = TrajectoryFollower(JOINTS, 0.05, self.hear)
        for _ in range(20):
            self.step(beat=False)

    def hear(self, motion, at_once, effort):
        if not self.lost[0] <= self.time < self.lost[1]:
            self.motion = motion
        return True

    def step(self, beat):
        self.time += STEP
        self.meant.append(self.meant[-1] if self.motion is None else self.motion.at(self.time))
        self.largest_step = max(self.largest_step, float(np.abs(self.meant[-1] - self.meant[-2])[0]))
        place = np.array(self.meant[max(0, len(self.meant) - 1 - round(self.lag / STEP))])
        place[0] -= self.sag
        if self.stuck is not None and self.time > 0.5:
            place[self.stuck] = self.follower.positions[self.stuck]
        self.follower.hear(self.time, place)
        if beat:
            trouble = self.follower.renew(self.time)
            self.kinds += [trouble[0]] if trouble else []

    def run(self, until, most=20.0):
        """Steps until a condition holds; when that was."""
        for i in range(round(most / STEP)):
            self.step(beat=i % BEAT == 0)
            if until():
                return self.time
        raise AssertionError(f"not within {most} s: at {self.follower.positions}, {self.kinds}")

    def go(self, most=20.0):
        self.follower.set_off(GOAL, self.time)
        return self.run(lambda: self.follower.arrived(self.time), most)


def test_a_robot_that_hears_all_arrives_without_ado():
    robot = Robot()
    took = robot.go()
    assert robot.follower.positions == pytest.approx(GOAL, abs=1e-9)
    assert robot.kinds == []
    assert took < 3.0
    assert robot.largest_step <= 0.5 * STEP * 1.01


@pytest.mark.parametrize("gap", [0.1, 0.3, 0.6])
def test_after_missed_pieces_it_goes_on_without_being_pulled_along(gap):
    robot = Robot(lost=(1.0, 1.0 + gap))
    robot.go()
    assert robot.follower.positions == pytest.approx(GOAL, abs=1e-4)
    assert robot.largest_step <= 0.05
    assert set(robot.kinds) <= {"lag"}


def test_missing_pieces_again_and_again_is_no_end_as_long_as_it_gets_on():
    robot = Robot()
    robot.follower.set_off(GOAL, robot.time)
    for _ in range(6):
        begun = robot.time
        robot.lost = (begun + 0.4, begun + 0.8)
        robot.run(lambda begun=begun: robot.time > begun + 1.2 or robot.follower.arrived(robot.time))
    robot.run(lambda: robot.follower.arrived(robot.time))
    assert robot.follower.positions == pytest.approx(GOAL, abs=1e-4)
    assert robot.kinds.count("lag") > 2
    assert "stuck" not in robot.kinds


def test_a_controller_that_hears_nothing_more_is_found_stuck():
    robot = Robot(lost=(1.0, 99.0))
    robot.follower.set_off(GOAL, robot.time)
    assert robot.run(lambda: "stuck" in robot.kinds, 5.0) < 3.5


def test_a_missed_last_piece_is_made_up_for():
    whole = Robot()
    ends = whole.go()
    robot = Robot(lost=(ends - 0.4, ends + 0.1))
    robot.go()
    assert robot.follower.positions == pytest.approx(GOAL, abs=1e-4)
    assert "lag" in robot.kinds


@pytest.mark.parametrize("lag", [0.05, 0.1, 0.3])
def test_a_robot_that_is_behind_arrives_later(lag):
    robot = Robot(lag=lag)
    robot.go()
    assert robot.follower.positions == pytest.approx(GOAL, abs=1e-4)
    assert "stuck" not in robot.kinds


def test_a_robot_that_sags_ends_where_it_can():
    robot = Robot(sag=0.004)
    robot.go()
    assert robot.follower.positions == pytest.approx(GOAL - [0.004, 0.0], abs=1e-9)
    assert "stuck" not in robot.kinds


@pytest.mark.parametrize("joint", [0, 1])
def test_a_stuck_joint_is_found_however_slow_the_others(joint):
    robot = Robot(stuck=joint)
    robot.follower.set_off(GOAL, robot.time)
    found = robot.run(lambda: "stuck" in robot.kinds or robot.follower.astray(robot.time), 5.0)
    assert found < 3.0


def test_braking_ends_close_to_where_it_began_and_is_not_renewed():
    robot = Robot()
    robot.follower.set_off(GOAL, robot.time)
    robot.run(lambda: robot.time > 1.0)
    place = robot.follower.positions
    robot.follower.brake(robot.time)
    assert not robot.follower.going
    rest = robot.run(lambda: robot.follower.at_rest(robot.time))
    assert rest < 1.3
    assert np.all(np.abs(robot.follower.positions - place) < [0.04, 0.1])
    assert robot.kinds == []


def test_where_it_strayed_too_far_braking_means_staying_where_it_is():
    robot = Robot(stuck=0)
    robot.follower.set_off(GOAL, robot.time)
    robot.run(lambda: "stuck" in robot.kinds or robot.follower.astray(robot.time), 5.0)
    robot.follower.brake(robot.time)
    assert robot.motion.rest[0] == pytest.approx(robot.follower.positions[0], abs=0.06)
    assert robot.follower.longest <= 0.2 + 1e-9


def told(robot):
    """What the robot is told from now on."""
    motions, plain = [], robot.hear
    robot.follower._send = lambda motion, at_once, effort: (motions.append(motion), plain(motion, at_once, effort))[1]
    return motions


def test_after_a_jump_nothing_is_sent_and_what_was_sent_ends_at_rest():
    robot = Robot()
    robot.follower.set_off(GOAL, robot.time)
    robot.run(lambda: robot.time > 1.0)
    motions, lost = told(robot), robot.time
    robot.follower.lose()
    assert not robot.follower.going
    assert robot.follower.brake(robot.time)
    assert robot.run(lambda: robot.follower.at_rest(robot.time)) < lost + 0.3
    robot.follower.brake(robot.time)
    assert motions == []
    robot.follower.forget()
    robot.follower.brake(robot.time)
    assert len(motions) == 1


@pytest.mark.parametrize("place", [(0.45, 2.5), (-0.1, 0.0)])
def test_a_place_outside_the_limits_is_never_held(place):
    limits = (replace(JOINTS[0], lower=0.0, upper=1.0), replace(JOINTS[1], lower=-1.0, upper=1.0))
    sent = []
    follower = TrajectoryFollower(limits, 0.05, lambda motion, at_once, effort: sent.append(motion) or True)
    follower.hear(0.0, np.array(place))
    assert follower.brake(0.0)
    assert sent == []
    follower.hear(0.01, np.array([-0.5e-4, 0.0]))  # less than a step outside
    assert follower.brake(0.01)
    assert [motion.rest.tolist() for motion in sent] == [[0.0, 0.0]]


def test_a_place_far_from_the_way_is_never_held():
    robot = Robot()
    robot.follower.set_off(GOAL, robot.time)
    robot.run(lambda: robot.time > 1.0)
    motions = told(robot)
    robot.follower.hear(robot.time, robot.follower.positions + np.array([0.0, 1.5]))
    assert robot.follower.astray(robot.time)
    assert robot.follower.brake(robot.time)
    assert motions == []
