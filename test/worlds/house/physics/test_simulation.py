"""Time, snapshots, what touches what, and what shows that the physics broke down."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from touch_room import BALL, CRATE, FLOOR, touch_room, touch_simulation

from vantage.scenes.generator import generate_home
from vantage.spatial import rigid
from vantage.worlds.house.bodies.house_model import build_house
from vantage.worlds.house.physics import stepping
from vantage.worlds.house.physics.simulation import Simulation
from vantage.worlds.house.physics.stepping import PhysicsError
from vantage.worlds.house.robot.description import load_robot

pytestmark = pytest.mark.needs("house")


@pytest.fixture
def sim() -> Simulation:
    return touch_simulation()


@pytest.fixture(scope="module")
def home() -> Simulation:
    robot = load_robot()
    return Simulation(build_house(generate_home(91006, 1, "thrown"), robot=robot, appearance=False), robot)


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
    told = before.tobytes()
    after = play(sim)
    assert sim.data.body("object/ball").xpos[1] > 1.01
    sim.held = BALL
    sim.restore(before)
    assert sim.held is None
    assert sim.snapshot().tobytes() == told == before.tobytes()
    assert play(sim) == after, "as if it had never gone back"
    sim.restore(before)
    assert play(sim) == after


def test_things_that_fall_and_sleep_go_on_after_a_roll_back_as_without_one(home: Simulation) -> None:
    """In a generated home, things thrown on each other again and again."""
    sim, rng = home, np.random.default_rng(0)
    model, data = sim.model, sim.data
    bodies = [model.body(name) for name in sim.house.movable.values()]
    places = [int(model.jnt_qposadr[body.jntadr[0]]) for body in bodies]
    falls = asleep = 0
    for turn in range(60):
        if turn % 30 == 0:
            sim.reset(1.0, 1.0, 0.0, 0.0)
        if turn % 3 == 0:
            thing, other = rng.choice(len(bodies), 2, replace=False)
            above = [*rng.uniform(-0.05, 0.05, 2), rng.uniform(0.05, 0.25)]
            data.qpos[places[thing] : places[thing] + 3] = data.qpos[places[other] : places[other] + 3] + above
            data.qvel[int(model.body_dofadr[bodies[thing].id]) + 2] = -1e-3
        before = sim.snapshot()
        looks = int(rng.integers(1, 7))
        for _ in range(looks):
            sim.steps(sim.interval)
        after = sim.snapshot().tobytes()
        sim.restore(before)
        for _ in range(looks):
            sim.steps(sim.interval)
        assert sim.snapshot().tobytes() == after
        falls += int((data.tree_asleep < before.data.tree_asleep).any())
        asleep += int((data.tree_asleep > before.data.tree_asleep).any())
    assert min(falls, asleep) > 5


def test_what_fell_asleep_apart_wakes_together(sim: Simulation, monkeypatch: pytest.MonkeyPatch) -> None:
    """The ball touches the crate but sleeps on its own. Where the robot wakes the crate, MuJoCo alone gives up."""
    model, data = sim.model, sim.data
    trees = model.body_treeid[[model.body("object/ball").id, model.body("object/crate").id]]
    bits = model.geom_contype.copy(), model.geom_conaffinity.copy()
    model.geom("ball").contype = model.geom("ball").conaffinity = 2
    model.geom("floor").conaffinity = 3
    at = int(model.joint("free/ball").qposadr[0])
    sim.reset(0.0, -0.94, 0.0, 0.0)
    data.qpos[at : at + 3] = 0.0, -1.779, 0.08
    sim.advance(1.0)
    assert (data.tree_asleep[trees] == trees).all()
    model.geom_contype[:], model.geom_conaffinity[:] = bits
    before = sim.snapshot()
    sim.goals[1] -= 0.2
    with monkeypatch.context() as alone, pytest.raises(PhysicsError, match="sleeping geom"):
        alone.setattr(stepping, "_OF_SLEEP", "-")
        sim.advance(1.0)
    sim.restore(before)
    sim.goals[1] -= 0.2
    sim.advance(0.3)
    assert (data.tree_asleep[trees] < 0).all()
    assert sim.broken() is None


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
    with pytest.raises(PhysicsError, match=r"the physics broke down at 0\.000 s: .*QVEL"):
        sim.steps(1)
    assert list(tmp_path.iterdir()) == []  # MuJoCo alone would leave a log
    sim.reset(0.0, 0.0, 0.0, 0.0)
    assert sim.broken() is None
