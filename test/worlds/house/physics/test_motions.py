"""Motions arrive where they should, are undone where they are blocked, and stop at once."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from touch_room import BALL, CRATE, TABLE, TABLE_TOP, touch_simulation

from vantage.spatial import Viewpoint
from vantage.types import ArmStep, Status
from vantage.worlds.house.physics.motions import move_arm, move_base
from vantage.worlds.house.physics.simulation import Simulation
from vantage.worlds.house.robot.arm_kinematics import tool_pose

pytestmark = pytest.mark.needs("house")


@pytest.fixture(scope="module")
def shared() -> Simulation:
    return touch_simulation()


@pytest.fixture
def sim(shared: Simulation) -> Simulation:
    shared.reset(0.0, 0.0, 0.0, 0.0)
    return shared


def stop_after(sim: Simulation, seconds: float) -> Callable[[], bool]:
    """A stop that is requested so long from now."""
    when = sim.time + seconds
    return lambda: sim.time >= when


@pytest.mark.parametrize(
    "target",
    [
        Viewpoint(0.25, 0.0, 1.4, 0.0, 0.0),
        Viewpoint(0.0, 0.0, 1.4, math.pi, 0.5),
        Viewpoint(-0.7, 0.4, 1.4, -2.0, -1.3),
        Viewpoint(0.0, 0.0, 1.4, 0.0, 0.0),
    ],
)
def test_the_camera_comes_to_its_viewpoint(sim: Simulation, target: Viewpoint) -> None:
    outcome = move_base(sim, target)
    assert (outcome.status, outcome.reason, outcome.met) == (Status.DONE, "", ())
    there = sim.viewpoint()
    assert there.distance(target) < 1e-9
    assert math.cos(there.yaw - target.yaw) == pytest.approx(1.0)
    assert there.pitch == pytest.approx(target.pitch, abs=1e-9)
    assert np.abs(sim.velocities()).max() < 0.05
    if target == Viewpoint(0.25, 0.0, 1.4, 0.0, 0.0):
        assert sim.time < 0.45


def test_a_turn_goes_the_shorter_way_round(sim: Simulation) -> None:
    move_base(sim, Viewpoint(0.0, 0.0, 1.4, 3.0, 0.0))
    took = sim.time
    move_base(sim, Viewpoint(0.0, 0.0, 1.4, -3.0, 0.0))
    assert sim.time - took < 0.5 * took


def test_what_is_in_the_way_is_told_and_nothing_has_moved(sim: Simulation) -> None:
    sim.reset(0.0, -0.7, 0.0, 0.0)
    before = sim.snapshot()
    outcome = move_base(sim, Viewpoint(0.0, -1.4, 1.4, 0.0, 0.0))
    assert outcome.status is Status.COLLIDED
    assert outcome.met == (CRATE,)
    assert outcome.reason == "the robot met the crate (3) and went back"
    assert sim.snapshot().tobytes() == before.tobytes()
    assert move_base(sim, Viewpoint(0.0, -0.5, 1.4, 0.0, 0.0)).status is Status.DONE


def test_light_things_are_pushed_along(sim: Simulation) -> None:
    assert move_base(sim, Viewpoint(0.0, 0.85, 1.4, 0.0, 0.0)).status is Status.DONE
    assert sim.data.body("object/ball").xpos[1] > 1.1
    assert sim.broken() is None
    assert BALL not in sim.pressing()


def test_a_stop_ends_a_drive_within_20_ms(sim: Simulation) -> None:
    when = sim.time + 0.2
    outcome = move_base(sim, Viewpoint(0.6, 0.0, 1.4, 1.0, 0.0), stop_after(sim, 0.2))
    assert outcome.status is Status.STOPPED
    assert when <= sim.time <= when + 0.02
    there = sim.viewpoint()
    assert 0.01 < there.x < 0.6
    sim.advance(0.5)
    assert sim.viewpoint().distance(there) < 1e-3
    assert move_base(sim, Viewpoint(0.6, 0.0, 1.4, 1.0, 0.0)).status is Status.DONE


def test_a_stop_that_is_there_already_moves_nothing(sim: Simulation) -> None:
    before = sim.positions()
    assert move_arm(sim, {"lift": 0.3}, lambda: True).status is Status.STOPPED
    np.testing.assert_allclose(sim.positions(), before, atol=1e-9)


def test_joints_that_are_not_named_stay(sim: Simulation) -> None:
    home = sim.robot.pose("home")
    assert move_arm(sim, {"lift": 0.4, "arm_1": 0.3}).status is Status.DONE
    expected = home.copy()
    expected[:2] = 0.4, 0.3
    np.testing.assert_allclose(sim.positions()[4:], expected, atol=2e-3)


def test_steps_do_not_drift(sim: Simulation) -> None:
    move_arm(sim, dict(zip(sim.robot.joint_names, [0.5, 0.0, 0.6, 1.6, 0.0, -0.63, 0.0], strict=True)))
    start, T = sim.goals.copy(), sim.T_world_tool()
    steps = [
        ArmStep(forward=0.05),
        ArmStep(left=0.05),
        ArmStep(up=-0.05),
        ArmStep(height=0.05),
        ArmStep(roll=math.radians(15)),
    ]
    moved = np.eye(4)
    for step in steps:
        assert move_arm(sim, step).status is Status.DONE, step
    moved = sim.T_world_tool()
    np.testing.assert_allclose(moved[:3, 3] - T[:3, 3], [0.05, 0.05, 0.0], atol=2e-3)
    for step in reversed(steps):
        back = ArmStep(*(-value for value in (step.forward, step.left, step.up, step.height, step.roll)))
        assert move_arm(sim, back).status is Status.DONE, back
    np.testing.assert_allclose(sim.goals, start, atol=1e-6)


def test_steps_are_in_the_axes_of_the_body(sim: Simulation) -> None:
    sim.reset(0.0, 0.0, 0.5 * math.pi, 0.0)
    before = sim.T_world_tool()
    assert move_arm(sim, ArmStep(forward=0.1)).status is Status.DONE
    np.testing.assert_allclose(sim.T_world_tool()[:3, 3] - before[:3, 3], [0.0, 0.1, 0.0], atol=2e-3)


def test_the_tool_comes_to_a_pose_in_the_world(sim: Simulation) -> None:
    sim.reset(0.1, 0.2, 0.4, 0.0)
    for goal in (tool_pose((0.7, 0.5, 0.9), 0.4, 0.0), tool_pose((0.65, 0.5, 0.1), 0.4, 0.5 * math.pi)):
        assert move_arm(sim, goal).status is Status.DONE
        np.testing.assert_allclose(sim.T_world_tool(), goal, atol=3e-3)


def test_a_hand_that_presses_on_a_table_goes_back(sim: Simulation) -> None:
    sim.reset(1.0, 0.0, 0.0, 0.0)
    for place in ((1.35, 0.0, TABLE_TOP + 0.2), (1.65, 0.0, TABLE_TOP + 0.2), (1.65, 0.0, TABLE_TOP + 0.1)):
        assert move_arm(sim, tool_pose(place, 0.0, 0.5 * math.pi)).status is Status.DONE
    before = sim.snapshot()
    outcome = move_arm(sim, ArmStep(up=-0.12))
    assert (outcome.status, outcome.met) == (Status.COLLIDED, (TABLE,))
    assert outcome.reason == "the arm met the table (2) and went back"
    assert sim.snapshot().tobytes() == before.tobytes()


def test_a_heavy_load_is_carried_slowly_and_little_off() -> None:
    sim = touch_simulation()
    hand = sim.model.body("robot/hand_link").id
    sim.model.body_mass[hand] += 5.0
    sim.model.body_gravcomp[hand] = 0.0
    sim.held = BALL
    sim.advance(0.1)
    goal = tool_pose((0.8, 0.0, 0.9), 0.0, 0.0)
    assert move_arm(sim, goal).status is Status.DONE
    assert np.linalg.norm(sim.T_world_tool()[:3, 3] - goal[:3, 3]) < 0.015
    before = sim.time
    for step in (ArmStep(up=0.05), ArmStep(left=0.05), ArmStep(forward=-0.05), ArmStep(height=0.05)):
        assert move_arm(sim, step).status is Status.DONE
    assert sim.time - before < 2.0
    assert move_base(sim, Viewpoint(0.25, 0.0, 1.4, 0.5, 0.0)).status is Status.DONE


@pytest.mark.parametrize(
    ("goal", "told"),
    [
        (ArmStep(up=math.nan), "not finite"),
        (ArmStep(height=1.0), "lift = 1.1500 m is outside the limits"),
        (ArmStep(forward=2.0), "does not reach there"),
        ({"arm_9": 0.1}, "no joint 'arm_9'"),
        ({"arm_2": math.inf}, "not finite"),
        ({"arm_2": -0.45}, "would meet the robot's own mast"),
        ({}, "names no joint"),
        (np.full((4, 4), np.nan), "4 x 4 finite numbers"),
        (np.eye(3), "4 x 4 finite numbers"),
        (tool_pose((3.0, 0.0, 1.0), 0.0, 0.0), "cannot be at"),
    ],
)
def test_goals_out_of_reach_are_rejected(sim: Simulation, goal: object, told: str) -> None:
    before = sim.snapshot()
    outcome = move_arm(sim, goal)  # type: ignore[arg-type]
    assert outcome.status is Status.REJECTED
    assert told in outcome.reason
    assert sim.snapshot().tobytes() == before.tobytes()


def test_a_robot_that_leans_on_something_can_leave_it(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    sim.reset(0.0, -0.7, 0.0, 0.0)
    pressing = sim.pressing
    monkeypatch.setattr(sim, "pressing", lambda: {**pressing(), CRATE: 40.0})
    assert move_base(sim, Viewpoint(0.0, -0.5, 1.4, 0.0, 0.0)).status is Status.DONE
    forces = iter([40.0, *[60.0] * 1000])
    monkeypatch.setattr(sim, "pressing", lambda: {CRATE: next(forces)})
    assert move_base(sim, Viewpoint(0.0, -0.3, 1.4, 0.0, 0.0)).status is Status.COLLIDED
