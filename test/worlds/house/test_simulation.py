"""Time, snapshots, what touches what, and what shows that the physics broke down."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from touch_room import BALL, CRATE, FLOOR, touch_room, touch_simulation

from vantage.spatial import rigid
from vantage.worlds.house.robot import load_robot
from vantage.worlds.house.simulation import Simulation

pytestmark = pytest.mark.needs("house")


@pytest.fixture
def sim() -> Simulation:
    return touch_simulation()


def play(sim: Simulation) -> bytes:
    """Drive against the ball, and lift the arm."""
    sim.goals[1] += 0.9
    sim.goals[4] += 0.2
    sim.advance(1.0)
    sim.goals[2] += 1.0
    sim.advance(0.5)
    return sim.snapshot().tobytes()


def test_the_robot_stands_where_it_was_put(sim: Simulation) -> None:
    sim.reset(0.4, -0.3, 5.0, -0.2)
    viewpoint = sim.viewpoint()
    assert (viewpoint.x, viewpoint.y, viewpoint.z, viewpoint.pitch) == pytest.approx((0.4, -0.3, 1.4, -0.2))
    assert viewpoint.yaw == pytest.approx(5.0 - math.tau)
    assert sim.time == 0.0
    sim.advance(0.5)
    assert sim.time == pytest.approx(0.5)
    np.testing.assert_allclose(sim.positions(), sim.goals, atol=1e-6)
    assert sim.gripper_width() == pytest.approx(0.12, abs=1e-3)
    assert sim.broken() is None


def test_the_same_calls_give_the_same_bytes(sim: Simulation) -> None:
    first = play(sim)
    sim.reset(0.0, 0.0, 0.0, 0.0)
    assert play(sim) == first
    assert play(touch_simulation()) == first


def test_a_snapshot_brings_everything_back(sim: Simulation) -> None:
    sim.advance(0.2)
    before = sim.snapshot()
    after = np.frombuffer(play(sim))
    assert sim.data.body("object/ball").xpos[1] > 1.01
    sim.held = BALL
    sim.restore(before)
    assert sim.held is None
    assert sim.snapshot().tobytes() == before.tobytes()
    again = play(sim)
    np.testing.assert_allclose(np.frombuffer(again), after, atol=1e-3)
    sim.restore(before)
    assert play(sim) == again


def test_links_lead_from_the_world_to_camera_and_tool(sim: Simulation) -> None:
    sim.reset(0.4, -0.3, 0.5, -0.2)
    posture = sim.posture()
    assert list(posture.joints) == ["tilt", "lift", *(f"arm_{k}" for k in range(1, 7)), "finger_left", "finger_right"]
    poses = {"map": np.eye(4)}
    for link in posture.links:
        poses[link.child] = poses[link.parent] @ link.T_parent_child
    np.testing.assert_allclose(poses["camera_link"], sim.viewpoint().T_world_body(), atol=1e-9)
    np.testing.assert_allclose(poses["arm_tool"], sim.T_world_tool(), atol=1e-9)
    site = sim.data.site("robot/tool")
    np.testing.assert_allclose(poses["arm_tool"], rigid(site.xmat.reshape(3, 3), site.xpos), atol=1e-9)


def test_contacts_tell_what_is_pressed_on(sim: Simulation) -> None:
    assert sim.robot_contacts() == {}
    sim.reset(0.0, -0.95, 0.0, 0.0)
    assert sim.robot_contacts() == {}
    sim.goals[1] -= 0.134
    sim.advance(0.3)
    assert sim.robot_contacts()[CRATE] > 30.0
    assert sim.pressing()[CRATE] > 30.0
    assert sim.name_of(CRATE) == "the crate (3)"


def test_what_is_held_is_part_of_the_robot(sim: Simulation) -> None:
    sim.advance(0.1)
    assert sim.robot_contacts() == {}
    sim.held = BALL
    assert set(sim.robot_contacts()) == {FLOOR}


def test_watchers_look_every_few_steps(sim: Simulation) -> None:
    times: list[float] = []
    sim.watchers.append(lambda: times.append(sim.time))
    sim.advance(0.16)
    assert len(times) == 10
    assert np.diff(times).max() <= 0.0161


def test_looks_are_close_together_at_any_time_step() -> None:
    for timestep in (0.001, 0.004, 0.01):
        house = touch_room()
        house.model.opt.timestep = timestep
        sim = Simulation(house, load_robot())
        assert 0.008 <= sim.interval * timestep <= 0.0161


def test_a_breakdown_is_told_and_ends_with_a_reset(
    sim: Simulation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ball = sim.model.joint("free/ball")
    sim.data.qpos[ball.qposadr[0] + 2] = -3.0
    sim.refresh()
    assert "the ball (4) fell through the floor" in str(sim.broken())
    sim.reset(0.0, 0.0, 0.0, 0.0)
    assert sim.broken() is None
    sim.data.qvel[ball.dofadr[0]] = 1e3
    assert "moves at 1000" in str(sim.broken())
    sim.data.qvel[ball.dofadr[0]] = np.nan
    assert "is not a number" in str(sim.broken())
    sim.steps(1)
    assert "the physics broke down" in str(sim.broken())
    assert list(tmp_path.iterdir()) == []  # MuJoCo alone would leave a log
    sim.reset(0.0, 0.0, 0.0, 0.0)
    assert sim.broken() is None
