"""Inverse kinematics: what is found puts the camera there, within the limits, close by; what is not is told why."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable

import numpy as np
import pytest
from chains import (
    X,
    Y,
    Z,
    arm,
    arms,
    gantry,
    hinge,
    moved,
    on_turntable,
    pan_tilts,
    positions,
    seven_hinges,
    slide,
    slides_and_wrist,
)
from hypothesis import HealthCheck, given, settings, strategies as st
from sampling import examples

from vantage.errors import UnreachableError
from vantage.spatial import Matrix, Viewpoint, rigid, wrap_angle
from vantage.worlds.rig.kinematics import inverse
from vantage.worlds.rig.kinematics.chain import Chain, turn
from vantage.worlds.rig.kinematics.inverse_analytic import pan_tilt_of

UP = math.pi / 2
slow = settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.too_slow])
many = settings(max_examples=examples(120), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def seconds(chain: Chain, q: Matrix, near: Matrix) -> float:
    return float(np.linalg.norm((q - near) / chain.speed))


def check_within(chain: Chain, q: Matrix) -> None:
    assert q.shape == (chain.size,)
    assert (q >= chain.lower).all()
    assert (q <= chain.upper).all()


def same_view(chain: Chain, a: Matrix, b: Matrix) -> bool:
    """Position and direction of view agree within 1e-9 m and rad."""
    A, B = chain.T_world_camera(a), chain.T_world_camera(b)
    return bool(np.linalg.norm(A[:3, 3] - B[:3, 3]) <= 1e-9 and np.linalg.norm(A[:3, 0] - B[:3, 0]) <= 1e-9)


def with_limits(chain: Chain, name: str, low: float, high: float) -> Chain:
    joints = tuple(dataclasses.replace(j, lower=low, upper=high) if j.name == name else j for j in chain.joints)
    return dataclasses.replace(chain, joints=joints)


@many
@given(st.data(), st.integers(0, 3))
def test_slides_with_pan_and_tilt_come_back_to_every_viewpoint(data: st.DataObject, slides: int) -> None:
    chain = data.draw(pan_tilts(slides))
    q, near = data.draw(positions(chain)), data.draw(positions(chain))
    assert pan_tilt_of(chain) is not None
    found = inverse.solve(chain, chain.viewpoint(q), near)
    check_within(chain, found)
    assert same_view(chain, found, q)
    upright = chain.T_world_camera(q)[:3, 2] @ chain.viewpoint(q).rotation()[:, 2]
    if upright > -0.4 and abs(chain.viewpoint(q).pitch) < 1.5:
        assert seconds(chain, found, near) <= seconds(chain, q, near) + 1e-6


@many
@given(st.data())
def test_from_where_the_camera_is_it_need_not_move(data: st.DataObject) -> None:
    chain = data.draw(pan_tilts())
    q = data.draw(positions(chain))
    seen = chain.T_world_camera(q)
    view = chain.viewpoint(q)
    if seen[:3, 2] @ view.rotation()[:, 2] > -0.4 and abs(view.pitch) < 1.5:
        slack = 1e-6 * np.linalg.norm(chain.T_world_camera(q)[:3, 3]) + 1e-6
        assert seconds(chain, inverse.solve(chain, view, q), q) <= slack


@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True)
@given(st.data(), st.integers(1, 7))
def test_arms_come_back_to_every_pose(data: st.DataObject, size: int) -> None:
    chain = data.draw(arms(size))
    q, near = data.draw(positions(chain)), data.draw(positions(chain))
    if size == 7:  # with one joint to spare, what a search may miss are corners of the limits
        q = 0.95 * q
    found = inverse.solve_pose(chain, chain.T_world_camera(q), near)
    check_within(chain, found)
    assert np.abs(chain.T_world_camera(found) - chain.T_world_camera(q)).max() <= 1e-9


@pytest.mark.parametrize("make", [arm, slides_and_wrist, on_turntable, seven_hinges])
def test_usual_machines_come_back_to_every_pose_by_a_way_as_short_as_any(make: Callable[[], Chain]) -> None:
    chain, dice = make(), np.random.default_rng(3)
    for i in range(12):
        q, near = dice.uniform(chain.lower, chain.upper), dice.uniform(chain.lower, chain.upper)
        if i % 2:
            near = np.clip(q + dice.normal(0.0, 0.1, chain.size), chain.lower, chain.upper)
        found = inverse.solve_pose(chain, chain.T_world_camera(q), near)
        check_within(chain, found)
        assert np.abs(chain.T_world_camera(found) - chain.T_world_camera(q)).max() <= 1e-9
        assert seconds(chain, found, near) <= seconds(chain, q, near) + 1e-6


@pytest.mark.parametrize("make", [arm, slides_and_wrist, seven_hinges])
def test_machines_that_can_roll_hold_the_camera_level(make: Callable[[], Chain]) -> None:
    chain = make()
    middle = slides_and_wrist().viewpoint(np.array([1.0, 1.0, 1.0, 0.3, -0.2, 0.0]))
    view = middle if make is slides_and_wrist else Viewpoint(0.3, 0.25, 0.4, 0.7, -0.3)
    found = inverse.solve(chain, view, np.full(chain.size, 0.4))
    check_within(chain, found)
    assert np.abs(chain.T_world_camera(found) - view.T_world_body()).max() <= 1e-9


def test_six_joints_that_cannot_roll_the_camera_need_not() -> None:
    tilted = moved(0.05, 0.0, 0.0, roll=0.02)  # a camera that is not mounted quite level
    chain = dataclasses.replace(on_turntable(), T_tip_camera=tilted)
    q = np.array([0.3, 1.0, 0.5, 0.8, 0.4, -0.3])
    found = inverse.solve(chain, chain.viewpoint(q), q + 0.05)
    assert same_view(chain, found, q)


@slow
@given(st.data(), st.sampled_from([(0,), (3,), (4,), (2, 4), (0, 1, 2), (3, 4)]))
def test_fewer_joints_reach_what_they_can(data: st.DataObject, gone: tuple[int, ...]) -> None:
    whole = gantry()
    joints = tuple(joint for i, joint in enumerate(whole.joints) if i not in gone)
    chain = Chain(joints, whole.T_world_base, whole.T_tip_camera)
    q, near = data.draw(positions(chain)), data.draw(positions(chain))
    found = inverse.solve(chain, chain.viewpoint(q), near)
    check_within(chain, found)
    assert same_view(chain, found, q)


def test_what_fewer_joints_cannot_reach_is_told_with_what_is_missing() -> None:
    whole = gantry()
    level = Chain((*whole.joints[:2], *whole.joints[3:]), moved(0.0, 0.0, 1.0), whole.T_tip_camera)
    seen = level.viewpoint(np.array([1.0, 1.0, 0.2, 0.1]))
    with pytest.raises(UnreachableError, match=r"it comes no nearer than 0\.\d+ m and 0\.\d+ rad"):
        inverse.solve(level, dataclasses.replace(seen, z=seen.z + 0.3), np.ones(4))
    fixed = Chain(whole.joints[:4], whole.T_world_base, whole.T_tip_camera)
    seen = fixed.viewpoint(np.array([1.0, 1.0, 1.0, 0.2]))
    with pytest.raises(UnreachableError, match=r"it comes no nearer than 0\.000 m and 0\.200 rad"):
        inverse.solve(fixed, dataclasses.replace(seen, pitch=0.2), np.ones(4))


@pytest.mark.parametrize(
    ("view", "reason"),
    [
        (
            Viewpoint(1.354, 0.0, 1.0, 0.0, 0.0),
            r"x would have to be at 2\.314 m, beyond its limits \[0\.010, 1\.990\] m",
        ),
        (Viewpoint(0.0, 0.0, 0.1, 0.0, 0.0), r"z would have to be at 0\.080 m, beyond its limits \[0\.310, 1\.490\] m"),
        (
            Viewpoint(0.0, 0.0, 1.0, 0.0, 1.5),
            r"tilt would have to be at 1\.500 rad, beyond its limits \[-1\.280, 1\.28",
        ),
        (Viewpoint(2.0, 2.0, 1.0, 0.0, 0.0), r"x would have to be at 2\.960 m, .* and y would have to be at 2\.800 m"),
        (Viewpoint(0.9901, 0.0, 1.0, -math.pi, 0.0), r"x would have to be at 2\.0301 m|x would have to be at 2\.030 m"),
        (Viewpoint(0.0, 0.0, 1.0, 0.3, UP), r"tilt would have to be at 1\.571 rad"),
        (Viewpoint(0.0, math.nan, 1.0, 0.3, 0.0), "not finite"),
        (Viewpoint(0.0, 0.0, math.inf, 0.3, 0.0), "not finite"),
        (Viewpoint(0.0, 0.0, 1e300, 0.3, 0.0), "above 1000000"),
    ],
)
def test_the_joint_that_is_in_the_way_is_named(view: Viewpoint, reason: str) -> None:
    with pytest.raises(UnreachableError, match=reason):
        inverse.solve(gantry(), view, np.ones(5))


def test_a_hair_beyond_a_limit_is_told_with_enough_digits() -> None:
    chain = gantry()
    seen = chain.viewpoint(np.array([1.99, 1.0, 1.0, 0.0, 0.0]))
    with pytest.raises(UnreachableError, match=r"x would have to be at 1\.990001000 m, beyond its limits"):
        inverse.solve(chain, dataclasses.replace(seen, x=seen.x + 1e-6), np.ones(5))


def test_the_joint_of_an_arm_that_is_in_the_way_is_named() -> None:
    stiff = with_limits(arm(), "elbow", -0.3, 0.3)
    with pytest.raises(
        UnreachableError, match=r"elbow would have to be at -?[12]\.\d+ rad, beyond its limits \[-0\.300"
    ):
        inverse.solve(stiff, Viewpoint(0.3, 0.1, 0.3, 2.0, 0.3), np.zeros(6))


def test_an_arm_tells_how_near_it_comes() -> None:
    with pytest.raises(UnreachableError, match=r"it comes no nearer than 2\.0\d\d m"):
        inverse.solve(arm(), Viewpoint(3.0, 0.0, 0.5, 0.0, 0.0), np.zeros(6))


def test_of_several_turns_the_nearest_within_the_limits_is_taken() -> None:
    chain = with_limits(gantry(), "pan", -9.0, 9.0)
    view = Viewpoint(0.0, 0.0, 1.0, 3.0, 0.1)
    for now, expected in ((0.0, 3.0), (-1.0, 3.0 - math.tau), (7.0, 3.0), (-8.9, 3.0 - math.tau), (8.9, 3.0)):
        found = inverse.solve(chain, view, np.array([1.0, 0.8, 1.0, now, 0.0]))
        assert found[3] == pytest.approx(expected)
    wide = with_limits(gantry(), "pan", -math.inf, math.inf)
    assert inverse.solve(wide, view, np.array([1.0, 0.8, 1.0, 200.0, 0.0]))[3] == pytest.approx(3.0 + 31 * math.tau)


def test_of_two_ways_to_look_the_one_with_the_top_up_is_taken() -> None:
    chain = with_limits(gantry(), "tilt", -3.1, 3.1)
    over_the_top = np.array([1.0, 0.8, 1.0, 3.0, 2.9])
    found = inverse.solve(chain, chain.viewpoint(over_the_top), over_the_top)
    assert same_view(chain, found, over_the_top)
    assert abs(found[4]) < UP
    assert chain.T_world_camera(found)[2, 2] > 0.9


def test_the_top_may_be_down_where_nothing_else_is_within_the_limits() -> None:
    chain = with_limits(gantry(), "tilt", 1.7, 3.1)
    q = np.array([1.0, 0.8, 1.0, 0.5, 2.9])
    assert inverse.solve(chain, chain.viewpoint(q), q) == pytest.approx(q)


@pytest.mark.parametrize("sign", [-1.0, 1.0])
@pytest.mark.parametrize("yaw", [-3.0, 0.0, 0.4, 3.1])
def test_straight_up_and_down_the_yaw_is_kept(yaw: float, sign: float) -> None:
    chain = with_limits(gantry(), "tilt", -1.7, 1.7)
    view = Viewpoint(0.1, 0.2, 1.0, yaw, sign * UP)
    found = inverse.solve(chain, view, np.array([1.0, 1.0, 1.0, -0.7, 0.3]))
    seen = chain.viewpoint(found)
    assert seen.distance(view) <= 1e-9
    assert abs(wrap_angle(seen.yaw - yaw)) <= 1e-9
    assert seen.pitch == pytest.approx(view.pitch, abs=1e-9)


def test_straight_down_a_yaw_beyond_the_limits_is_given_up_for_the_present_one() -> None:
    chain = with_limits(with_limits(gantry(), "tilt", -1.7, 1.7), "pan", -1.0, 1.0)
    found = inverse.solve(chain, Viewpoint(0.1, 0.2, 1.0, 2.0, -UP), np.array([1.0, 1.0, 1.0, 0.6, 0.3]))
    assert found[3] == 0.6
    assert chain.viewpoint(found).pitch == pytest.approx(-UP)


@pytest.mark.parametrize("angle", [-0.9, 0.0, 0.6])
def test_along_a_level_pan_axis_the_present_angle_is_kept(angle: float) -> None:
    joints = (slide("x", X), slide("y", Y), slide("z", Z), hinge("turn", X), hinge("nod", Z))
    chain = Chain(joints, T_tip_camera=moved(0.1, 0.05, 0.0))
    found = inverse.solve(chain, Viewpoint(1.0, 1.0, 1.0, 0.0, 0.0), np.array([1.0, 1.0, 1.0, angle, 0.2]))
    assert found[3] == pytest.approx(angle)
    assert chain.viewpoint(found).distance(Viewpoint(1.0, 1.0, 1.0, 0.0, 0.0)) <= 1e-9


def test_along_the_pan_axis_another_angle_is_taken_where_the_slides_need_it() -> None:
    joints = (slide("x", X), slide("y", Y, 1.0, 1.01), slide("z", Z, 1.0, 1.01), hinge("turn", X), hinge("nod", Z))
    chain = Chain(joints, T_tip_camera=moved(0.0, 0.4, 0.0))
    q = np.array([1.0, 1.005, 1.005, 2.0, 0.0])
    found = inverse.solve(chain, chain.viewpoint(q), np.array([1.0, 1.0, 1.0, 0.0, 0.0]))
    check_within(chain, found)
    assert same_view(chain, found, q)


@many
@given(st.floats(-UP, UP), st.floats(-10, -5), st.sampled_from([-1.0, 1.0]), st.floats(-3.0, 3.0))
def test_almost_straight_up_nothing_is_lost(pan: float, exponent: float, sign: float, now: float) -> None:
    chain = with_limits(gantry(), "tilt", -1.7, 1.7)
    q = np.array([1.0, 0.8, 1.0, pan, sign * (UP - 10.0**exponent)])
    found = inverse.solve(chain, chain.viewpoint(q), np.array([1.0, 0.8, 1.0, now, 0.0]))
    check_within(chain, found)
    assert same_view(chain, found, q)


def test_on_a_limit_rounding_is_forgiven() -> None:
    chain = gantry()
    for corner in range(32):
        q = np.where([corner >> i & 1 for i in range(5)], chain.upper, chain.lower)
        assert inverse.solve(chain, chain.viewpoint(q), q) == pytest.approx(q, abs=1e-9)


def test_a_viewpoint_may_be_asked_from_outside_the_limits() -> None:
    chain = gantry()
    view = chain.viewpoint(np.array([1.0, 0.8, 1.0, 0.5, 0.1]))
    check_within(chain, inverse.solve(chain, view, np.array([-1.0, 9.0, 0.0, 7.0, 3.0])))


@pytest.mark.parametrize("near", [np.zeros(4), np.zeros((5, 1)), np.array([0.0, 0.0, 0.0, 0.0, math.nan])])
def test_present_positions_must_be_numbers(near: Matrix) -> None:
    with pytest.raises(UnreachableError, match="are not 5 finite numbers"):
        inverse.solve(gantry(), Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0), near)


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (np.eye(3), r"has the shape \(3, 3\)"),
        (np.full((4, 4), math.nan), "not finite"),
        (2.0 * np.eye(4), "holds no rotation"),
        (rigid(np.diag([1.0, 1.0, -1.0]), np.zeros(3)), "holds no rotation"),
    ],
)
def test_targets_of_tools_must_be_rigid(target: Matrix, reason: str) -> None:
    with pytest.raises(UnreachableError, match=reason):
        inverse.solve_pose(arm(), target, np.zeros(6))


def test_a_tool_out_of_reach_is_told() -> None:
    far = rigid(turn(np.array(Z), 0.3), np.array([0.0, 5.0, 0.0]))
    with pytest.raises(
        UnreachableError, match=r"the tool cannot be at \(0\.000, 5\.000, 0\.000\) m.*no nearer than 4\.\d+ m"
    ):
        inverse.solve_pose(arm(), far, np.zeros(6))


def test_the_same_question_has_the_same_answer() -> None:
    chain = seven_hinges()
    view = Viewpoint(0.3, 0.25, 0.4, 0.7, -0.3)
    answers = [inverse.solve(chain, view, np.full(7, 0.4)).tolist() for _ in range(2)]
    assert answers[0] == answers[1]


def test_the_closed_form_is_quick() -> None:
    chain = gantry()
    view, near = Viewpoint(0.2, 0.1, 1.0, 2.0, 0.4), np.array([1.0, 0.8, 1.0, 0.0, 0.0])
    times = []
    for _ in range(200):
        begun = time.perf_counter()
        inverse.solve(chain, view, near)
        times.append(time.perf_counter() - begun)
    assert min(times) < 3e-4
