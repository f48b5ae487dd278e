"""Motions in pieces: what each of them promises whenever it is renewed, or not."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sampling import examples

from vantage.nodes.rig.trajectory_follower import BRAKE, LEAD, beginning, resting
from vantage.worlds.rig.drivers.driver import QUEUE
from vantage.worlds.rig.kinematics.chain import Joint
from vantage.worlds.rig.kinematics.trajectory import plan

JOINTS = (
    Joint("x", "prismatic", (1.0, 0.0, 0.0), speed=0.25, acceleration=1.5),
    Joint("pan", "revolute", (0.0, 0.0, 1.0), speed=1.5, acceleration=8.0),
)
SPEEDS, ACCELERATIONS = np.array([0.25, 1.5]), np.array([1.5, 8.0])
NOISE = 1e-9


def hermite(motion, time):
    """Positions, velocities and accelerations at a time, as a controller interpolates waypoints."""
    points = [(motion.begin + t, p, v) for t, p, v in motion.waypoints()]
    for (t0, p0, v0), (t1, p1, v1) in pairwise(points):
        if t0 <= time < t1:
            length, u = t1 - t0, (time - t0) / (t1 - t0)
            a = (6 * p1 - 6 * p0) / length**2 - (4 * v0 + 2 * v1) / length
            b = (12 * p0 - 12 * p1) / length**3 + 6 * (v0 + v1) / length**2
            t = u * length
            return p0 + v0 * t + a * t * t / 2 + b * t**3 / 6, v0 + a * t + b * t * t / 2, a + b * t
    return points[-1][1], np.zeros(2), np.zeros(2)


@settings(max_examples=examples(30), deadline=None)
@given(
    way=st.tuples(st.floats(-2.0, 2.0), st.floats(-3.0, 3.0)),
    delays=st.lists(st.floats(0.001, 0.4), min_size=1, max_size=25),
)
def test_pieces_keep_all_limits_and_join_whenever_they_are_renewed(way, delays):
    start = np.array([0.3, -0.4])
    target = start + np.array(way)
    if np.abs(target - start).max() < 1e-6:
        return
    profile = plan(start, target, JOINTS, BRAKE)
    motion, now = beginning(profile, 5.0).onward(5.0, profile.speed), 5.0
    for delay in delays:
        points = motion.waypoints()
        times = [t for t, _, _ in points]
        assert times[-1] <= QUEUE + NOISE
        assert all(b > a for a, b in pairwise(times))
        assert not points[-1][2].any()
        for time in np.linspace(now, motion.end, 25):
            place, velocity, acceleration = hermite(motion, time)
            assert np.allclose(place, motion.at(time), atol=1e-7)
            assert np.all(np.abs(velocity) <= SPEEDS * (1 + 1e-6) + NOISE)
            assert np.all(np.abs(acceleration) <= ACCELERATIONS * (1 + 1e-4) + 1e-4)
        now += delay
        following = motion.onward(now, profile.speed)
        before, after = hermite(motion, now), hermite(following, now)
        assert np.allclose(before[0], after[0], atol=1e-7)
        assert np.allclose(before[1], after[1], atol=1e-5)
        motion = following
    for _ in range(2000):
        if motion.arrives:
            break
        now += 0.04
        motion = motion.onward(now, profile.speed)
    assert np.array_equal(motion.rest, target)


def test_a_motion_that_is_renewed_in_time_takes_as_long_as_its_profile():
    profile = plan(np.zeros(2), np.array([1.0, 0.5]), JOINTS, BRAKE)
    motion, now = beginning(profile, 0.0).onward(0.0, profile.speed), 0.0
    while not motion.arrives:
        now += 0.04
        motion = motion.onward(now, profile.speed)
    assert motion.end == pytest.approx(profile.duration, abs=1e-6)
    assert pytest.approx(QUEUE) == LEAD + BRAKE


def test_braking_comes_to_rest_within_its_time_and_never_goes_back():
    profile = plan(np.zeros(2), np.array([1.0, 0.5]), JOINTS, BRAKE)
    motion = beginning(profile, 0.0).onward(0.0, profile.speed).onward(0.05, profile.speed)
    braking = motion.braking(0.1)
    assert 0.1 < braking.end <= 0.1 + BRAKE
    assert np.all(braking.rest >= motion.at(0.1))
    assert np.all(braking.rest < np.array([1.0, 0.5]))
    assert np.array_equal(braking.braking(braking.end + 1.0).rest, braking.rest)


def test_resting_stays():
    motion = resting(np.array([0.1, 0.2]), 3.0)
    assert np.array_equal(motion.at(99.0), [0.1, 0.2])
    assert motion.arrives
    assert all(not velocity.any() for _, _, velocity in motion.waypoints())
