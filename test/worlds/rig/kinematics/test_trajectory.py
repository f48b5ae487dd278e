"""Profiles stay within the limits of every joint at all times."""

from __future__ import annotations

import dataclasses
import math
import warnings

import numpy as np
import pytest
from chains import X, slide
from hypothesis import given, settings, strategies as st
from sampling import examples

from vantage.worlds.rig.kinematics.chain import Joint
from vantage.worlds.rig.kinematics.trajectory import Profile, plan

DRIVES = (
    slide("x", X, speed=0.25, acceleration=1.5),
    slide("y", X, speed=0.1, acceleration=4.0),
    slide("z", X, speed=2.0, acceleration=0.5),
)
places = st.lists(st.floats(-10.0, 10.0), min_size=3, max_size=3)


@st.composite
def drives(draw: st.DrawFn) -> tuple[Joint, ...]:
    rates = st.floats(1e-3, 20.0)
    return tuple(dataclasses.replace(joint, speed=draw(rates), acceleration=draw(rates)) for joint in DRIVES)


@settings(max_examples=examples(150), deadline=None)
@given(places, places, drives(), st.one_of(st.just(math.inf), st.floats(0.01, 1.0)))
def test_no_joint_is_ever_too_fast_or_too_sudden(
    start: list[float], target: list[float], joints: tuple[Joint, ...], brake: float
) -> None:
    profile = plan(np.array(start), np.array(target), joints, brake)
    times = np.linspace(0.0, profile.duration, 201)
    step = profile.duration / 200
    way = np.array([profile.at(t) for t in times])
    assert way[-1].tolist() == target
    if step == 0.0:
        return
    assert np.abs(way[0] - start).max() < 1e-9
    speeds = np.abs(np.diff(way, axis=0)) / step
    changes = np.abs(np.diff(way, n=2, axis=0)) / step**2
    noise = 1e-14 / step
    for i, joint in enumerate(joints):
        assert speeds[:, i].max() <= joint.speed * (1 + 1e-6) + noise
        assert changes[:, i].max() <= joint.acceleration * (1 + 1e-6) + 4 * noise / step
        assert speeds[:, i].max() <= joint.acceleration * brake * (1 + 1e-6) + noise


@settings(max_examples=examples(100), deadline=None)
@given(places, places, drives(), st.lists(st.floats(-0.5, 1.5), min_size=2, max_size=2))
def test_the_way_is_a_straight_line_that_is_never_gone_back(
    start: list[float], target: list[float], joints: tuple[Joint, ...], moments: list[float]
) -> None:
    profile = plan(np.array(start), np.array(target), joints)
    early, late = sorted(moment * profile.duration for moment in moments)
    assert 0.0 <= profile.share(early) <= profile.share(late) + 1e-12 <= 1.0 + 1e-12
    expected = np.array(start) + profile.share(early) * (np.array(target) - start)
    assert profile.at(early) == pytest.approx(expected, abs=1e-12)


@settings(max_examples=examples(100), deadline=None)
@given(places, places, drives(), st.floats(0.0, 1.0), st.floats(0.02, 1.0))
def test_the_brake_brings_it_to_rest_in_time(
    start: list[float], target: list[float], joints: tuple[Joint, ...], moment: float, brake: float
) -> None:
    profile = plan(np.array(start), np.array(target), joints, brake)
    t = moment * profile.duration
    braking = profile.braked(t)
    assert braking.duration <= brake * (1 + 1e-9)
    left = np.abs(braking.target - profile.at(t))
    for i, joint in enumerate(joints):  # what is left is what braking from that speed takes
        assert left[i] <= 0.5 * joint.acceleration * braking.duration**2 * (1 + 1e-6) + 1e-9
    past = np.abs(braking.target - np.array(start)) - np.abs(np.array(target) - np.array(start))
    assert past.max() <= 1e-9


def test_a_long_way_is_a_trapezoid() -> None:
    profile = plan(np.zeros(1), np.array([2.0]), DRIVES[:1])
    assert profile.ramp == pytest.approx(0.25 / 1.5)
    assert profile.duration == pytest.approx(2.0 / 0.25 + 0.25 / 1.5)
    assert profile.at(profile.duration / 2)[0] == pytest.approx(1.0)
    assert profile.velocity(profile.duration / 2) * 2.0 == pytest.approx(0.25)
    assert profile.at(profile.ramp)[0] == pytest.approx(0.5 * 1.5 * profile.ramp**2)


def test_a_short_way_is_a_triangle() -> None:
    profile = plan(np.zeros(1), np.array([0.01]), DRIVES[:1])
    assert profile.duration == pytest.approx(2.0 * math.sqrt(0.01 / 1.5))
    assert profile.ramp == pytest.approx(profile.duration / 2)
    assert profile.velocity(profile.ramp) * 0.01 == pytest.approx(1.5 * profile.ramp)


def test_the_slowest_joint_sets_the_pace_and_all_end_together() -> None:
    profile = plan(np.zeros(3), np.array([1.0, 1.0, 1.0]), DRIVES)
    assert profile.speed == pytest.approx(0.1)
    assert profile.acceleration == pytest.approx(0.5)
    before_the_end = profile.at(profile.duration - 0.01)
    assert (before_the_end < 1.0).all()


def test_a_brake_slows_the_whole_way() -> None:
    free, braked = (plan(np.zeros(1), np.array([2.0]), DRIVES[:1], brake) for brake in (math.inf, 0.05))
    assert braked.speed * 2.0 == pytest.approx(1.5 * 0.05)
    assert braked.duration > free.duration


@pytest.mark.parametrize("way", [0.0, 1e-300, 5e-324, 1e-15])
def test_no_way_takes_no_time(way: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        profile = plan(np.array([0.0, 0.4, 0.0]), np.array([way, 0.4, 0.0]), DRIVES)
        assert (profile.duration, profile.ramp, profile.velocity(0.0)) == (0.0, 0.0, 0.0)
        assert profile.at(0.0).tolist() == [way, 0.4, 0.0]
        assert profile.at(5.0).tolist() == [way, 0.4, 0.0]
        assert profile.braked(0.0).duration == 0.0


def test_the_target_is_met_to_the_last_digit() -> None:
    start, target = np.array([0.1, 0.7, 0.3]), np.array([0.3, 0.1, 1e-17])
    profile = plan(start, target, DRIVES)
    assert profile.at(profile.duration).tolist() == target.tolist()
    assert profile.at(-1.0).tolist() == start.tolist()


def test_a_profile_keeps_its_own_copy_of_both_ends() -> None:
    start, target = np.zeros(3), np.ones(3)
    profile = plan(start, target, DRIVES)
    start += 5.0
    target += 5.0
    profile.at(1e9)[:] = 7.0
    assert isinstance(profile, Profile)
    assert profile.at(0.0).tolist() == [0.0, 0.0, 0.0]
    assert profile.at(1e9).tolist() == [1.0, 1.0, 1.0]
