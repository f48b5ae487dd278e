"""Where a rig can bring its camera."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

import numpy as np
import pytest
from chains import X, Z, arm, gantry, hinge, moved, on_turntable, pan_tilts, seven_hinges, slide, slides_and_wrist
from hypothesis import HealthCheck, given, settings, strategies as st
from sampling import examples

from vantage.spatial import Viewpoint
from vantage.worlds.limits import MotionLimits
from vantage.worlds.rig.kinematics.chain import Chain
from vantage.worlds.rig.kinematics.inverse_analytic import screws_of
from vantage.worlds.rig.kinematics.workspace import bounds, reachable, share


def test_a_gantry_without_offset_reaches_its_slides() -> None:
    low, high, pitch_min, pitch_max = bounds(gantry(np.eye(4)))
    assert low == pytest.approx((-0.99, -0.79, 0.31))
    assert high == pytest.approx((0.99, 0.79, 1.49))
    assert (pitch_min, pitch_max) == (pytest.approx(-1.28), pytest.approx(1.28))


def test_the_offset_of_the_camera_counts() -> None:
    low, high, _, _ = bounds(gantry())
    reach = math.hypot(0.04, 0.02)  # the camera circles the tilt axis, farthest in some direction of pan
    assert high[2] == pytest.approx(1.49 + reach, abs=1e-12)
    assert high[0] == pytest.approx(0.99 + reach, abs=1e-12)
    assert low[2] == pytest.approx(0.31 + 0.02 * math.cos(1.28) - 0.04 * math.sin(1.28), abs=1e-12)


def test_limits_of_the_pan_narrow_the_box() -> None:
    chain = Chain((hinge("pan", Z, None, -0.5, 0.5),), T_tip_camera=moved(1.0, 0.0, 0.0))
    low, high, pitch_min, pitch_max = bounds(chain)
    assert low == pytest.approx((math.cos(0.5), -math.sin(0.5), 0.0))
    assert high == pytest.approx((1.0, math.sin(0.5), 0.0))
    assert (pitch_min, pitch_max) == (pytest.approx(0.0), pytest.approx(0.0))


@settings(max_examples=examples(12), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(pan_tilts())
def test_no_pan_and_tilt_leaves_its_box_and_each_side_is_touched(chain: Chain) -> None:
    box = bounds(chain)
    shares = np.stack(np.meshgrid(np.linspace(0, 1, 61), np.linspace(0, 1, 61)), axis=-1).reshape(-1, 2)
    turns = chain.lower[3:] + shares * (chain.upper - chain.lower)[3:]
    slides = screws_of(chain).axes[:3]
    rotation, position, _, _ = screws_of(chain).poses(np.column_stack([np.zeros((len(turns), 3)), turns]))
    for k in range(3):
        ends = np.array([chain.lower[:3] * slides[:, k], chain.upper[:3] * slides[:, k]])
        lowest = position[:, k].min() + ends.min(axis=0).sum()
        highest = position[:, k].max() + ends.max(axis=0).sum()
        assert -1e-9 <= lowest - box.low[k] < 0.05
        assert -1e-9 <= box.high[k] - highest < 0.05
    pitches = np.arcsin(np.clip(rotation[:, 2, 0], -1.0, 1.0))
    assert -1e-7 <= pitches.min() - box.pitch_min < 0.25
    assert -1e-7 <= box.pitch_max - pitches.max() < 0.25


@pytest.mark.parametrize("make", [arm, slides_and_wrist, on_turntable, seven_hinges])
def test_no_arm_leaves_its_box(make: Callable[[], Chain]) -> None:
    chain = make()
    box = bounds(chain)
    q = np.random.default_rng(5).uniform(chain.lower, chain.upper, (50_000, chain.size))
    rotation, position, _, _ = screws_of(chain).poses(q)
    assert (position >= np.array(box.low) - 1e-9).all()
    assert (position <= np.array(box.high) + 1e-9).all()
    assert (position.min(axis=0) - box.low < 0.1).all()
    assert (np.array(box.high) - position.max(axis=0) < 0.1).all()
    assert np.arcsin(rotation[:, 2, 0]).max() <= box.pitch_max + 1e-9


def test_joints_without_limits_do_no_harm() -> None:
    chain = Chain((slide("x", X, -math.inf, math.inf), hinge("pan", Z, None, -math.inf, math.inf)))
    low, high, _, _ = bounds(chain)
    assert low[0] <= -1e5
    assert high[0] >= 1e5
    assert (low[1], high[1]) == (0.0, 0.0)
    assert reachable(chain, Viewpoint(3.0, 0.0, 0.0, 2.0, 0.0)) is None


def test_the_box_makes_limits_that_every_viewpoint_of_the_rig_passes() -> None:
    chain = gantry()
    low, high, pitch_min, pitch_max = bounds(chain)
    limits = MotionLimits(low, high, pitch_min, pitch_max)
    dice = np.random.default_rng(1)
    for _ in range(100):
        assert limits.pose_violation(chain.viewpoint(dice.uniform(chain.lower, chain.upper))) is None


def test_reachable_tells_why_not() -> None:
    chain = gantry()
    assert reachable(chain, Viewpoint(0.0, 0.0, 1.0, 0.5, 0.2)) is None
    assert reachable(chain, Viewpoint(0.0, 0.0, 1.0, 0.5, 0.2), np.ones(5)) is None
    reason = reachable(chain, Viewpoint(1.354, 0.0, 1.0, 0.0, 0.0))
    assert reason is not None
    assert "x would have to be at 2.314 m" in reason


def test_the_share_of_viewpoints() -> None:
    chain = gantry()
    inside = Viewpoint(0.0, 0.0, 1.0, 0.5, 0.2)
    outside = dataclasses.replace(inside, x=5.0)
    assert share(chain, [inside, outside, inside, inside]) == 0.75
    assert share(chain, iter([outside])) == 0.0
    assert share(chain, []) == 0.0


@settings(max_examples=examples(30), deadline=None)
@given(st.floats(-1.5, 1.5), st.floats(-1.2, 1.2), st.floats(0.1, 1.8), st.floats(-3, 3), st.floats(-1.5, 1.5))
def test_what_is_reachable_lies_in_the_box(x: float, y: float, z: float, yaw: float, pitch: float) -> None:
    chain, view = gantry(), Viewpoint(x, y, z, yaw, pitch)
    low, high, pitch_min, pitch_max = bounds(chain)
    if reachable(chain, view) is None:
        assert MotionLimits(low, high, pitch_min, pitch_max).pose_violation(view) is None
