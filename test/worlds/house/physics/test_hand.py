"""What the hand grasps, what slips from it and what it feels; physics alone, without pictures."""

from dataclasses import replace

import mujoco
import numpy as np
import pytest
from house_parts import Bench, never
from row_tables import each_row
from touch_home import BLOCK, BOOK, CARTON, MASSES, MUG, touch_home

from vantage.scenes.spec.spec import ObjectSpec, Part
from vantage.types import ArmStep, Status
from vantage.worlds.house.physics.motions import move_arm

pytestmark = pytest.mark.needs("house")

G = 9.81
RED = (0.8, 0.1, 0.1)


@pytest.fixture(scope="module")
def assisted():
    return Bench(weighing="wrist", wrist_noise=0.0, wrist_offset=0.0)


@pytest.fixture(scope="module")
def friction():
    return Bench(grasp="friction")


def _grasped(bench, instance, force):
    bench.start()
    bench.sim.advance(0.1)
    bench.put_in_hand(instance)
    outcome = bench.hand.grasp(force, never)
    bench.drop()
    return outcome


@each_row("instance, share, holds", [(BLOCK, 0.95, False), (BLOCK, 1.05, True), (MUG, 0.95, False), (MUG, 1.05, True)])
def test_the_least_force_that_holds_is_the_weight(instance, share, holds):
    bench = Bench()
    assert _grasped(bench, instance, share * MASSES[instance] * G).status is Status.DONE
    assert bench.hand.held == instance
    before = bench.height(instance)
    bench.sim.advance(0.4)
    bench.hand.settle()
    assert (bench.hand.held == instance) == holds == (bench.hand.slipped is None)
    if holds:
        assert bench.height(instance) == pytest.approx(before, abs=0.01)
    else:
        assert bench.height(instance) < before - 0.1


def test_whatever_its_shape_the_nearest_thing_is_held(assisted):
    for instance in (CARTON, BOOK):
        assert _grasped(assisted, instance, 20.0).status is Status.DONE
        assert assisted.hand.held == instance
        assert assisted.hand.touch().holds


@each_row("walled", [True, False])
def test_nothing_is_held_through_a_thin_wall(assisted, walled):
    assisted.start()
    x, y, z = assisted.sim.T_world_tool()[:3, 3].tolist()
    panel = Part("box", (0.0, 0.0, 0.0), (0.004, 0.4, 0.4), RED)
    board = ObjectSpec(30, "board", "red", "wood", (x + 0.012, y, z), 0.0, (panel,), mass=20.0)
    home = touch_home()
    bench = Bench(replace(home, objects=(*home.objects, board)) if walled else home)
    bench.start()
    bench.put_in_hand(BLOCK, (0.05, 0.0, 0.0))
    outcome = bench.hand.grasp(30.0, never)
    assert (outcome.status is Status.DONE) == (not walled)
    assert bench.hand.held == (None if walled else BLOCK)


def test_a_firmer_grasp_keeps_what_is_held_and_release_lets_it_fall(assisted):
    _grasped(assisted, MUG, 1.01 * MASSES[MUG] * G)
    assert assisted.hand.grasp(30.0, never).status is Status.DONE
    assert (assisted.hand.held, assisted.hand.force) == (MUG, 30.0)
    high = assisted.height(MUG)
    assert assisted.hand.release(never).status is Status.DONE
    assert assisted.hand.held is None
    assert assisted.height(MUG) < high - 0.1
    assert assisted.hand.touch().gripper_width == pytest.approx(0.12, abs=0.005)


def test_where_nothing_is_nothing_is_held(assisted, friction):
    for bench in (assisted, friction):
        bench.start()
        outcome = bench.hand.grasp(5.0, never)
        assert outcome.status is Status.COLLIDED
        assert "nothing that can be picked up" in outcome.reason
        assert bench.hand.held is None


def test_weight_is_felt_at_the_wrist_in_the_axes_of_the_tool(assisted):
    _grasped(assisted, BLOCK, 40.0)
    assisted.sim.advance(0.5)
    touch = assisted.hand.touch()
    felt = touch.T_world_tool[:3, :3] @ touch.force
    assert felt == pytest.approx([0.0, 0.0, -MASSES[BLOCK] * G], abs=0.3)
    assisted.hand.release(never)
    assert assisted.hand.touch().force == pytest.approx([0.0, 0.0, 0.0], abs=0.2)


def test_noise_at_the_wrist_follows_the_seed_and_grasping_alone_feels_nothing():
    noisy = Bench(weighing="wrist")
    felt = []
    for seed in (3, 3, 4):
        noisy.start(seed=seed)
        felt.append(noisy.hand.touch().force)
    assert np.array_equal(felt[0], felt[1])
    assert not np.array_equal(felt[0], felt[2])
    assert np.abs(felt).max() < 1.0
    assert np.array_equal(noisy.hand.touch().force, felt[-1]), "nothing has moved since"
    noisy.sim.advance(0.1)
    assert not np.array_equal(noisy.hand.touch().force, felt[-1])
    quiet = Bench()
    quiet.start()
    assert np.isnan(quiet.hand.touch().force).all()
    assert np.isnan(quiet.hand.touch().torque).all()


@each_row("share, holds", [(0.85, False), (1.3, True)])
def test_two_pads_hold_by_friction(share, holds):
    bench = Bench(grasp="friction")
    assert _grasped(bench, BLOCK, share * MASSES[BLOCK] * G).status is Status.DONE
    bench.sim.advance(0.5)
    bench.hand.settle()
    assert (bench.hand.held == BLOCK) == holds


def test_a_roll_back_holds_again_what_had_slipped(assisted):
    _grasped(assisted, MUG, 10.0)
    before = assisted.sim.snapshot()
    assisted.hand.release(never)
    assisted.sim.restore(before)
    assert assisted.hand.held == MUG
    assisted.sim.advance(0.3)
    assert assisted.hand.held == MUG
    assert assisted.height(MUG) > 0.25


@each_row("timestep", [0.0005, 0.001, 0.004, 0.0065, 0.01])
def test_a_stop_ends_a_grasp_soon(assisted, friction, timestep):
    for bench, act in ((assisted, lambda hand, stop: hand.set_width(0.05, stop)), (friction, _grip)):
        bench.start()
        sim = bench.sim
        sim.model.opt.timestep = timestep
        begun = sim.time
        try:
            outcome = act(bench.hand, lambda sim=sim, begun=begun: sim.time - begun > 0.1)
        finally:
            sim.model.opt.timestep = 0.004
        assert outcome.status is Status.STOPPED
        assert sim.time - begun <= 0.1 + 0.02 + 1e-9


def _grip(hand, stop):
    return hand.grasp(5.0, stop)


def test_fingers_go_to_a_width(assisted):
    assisted.start()
    for width in (0.06, 0.09):
        assert assisted.hand.set_width(width, never).status is Status.DONE
        assert assisted.hand.touch().gripper_width == pytest.approx(width, abs=0.005)


def _later(bench, seconds):
    begun = bench.sim.time
    return lambda: bench.sim.time - begun >= seconds - 1e-9


def test_a_stop_leaves_the_fingers_where_they_are(assisted, friction):
    for bench, move in (
        (assisted, lambda bench, stopped: bench.hand.set_width(0.03, stopped)),
        (friction, lambda bench, stopped: bench.hand.grasp(20.0, stopped)),
    ):
        bench.start()
        assert move(bench, _later(bench, 0.1)).status is Status.STOPPED
        width = bench.sim.gripper_width()
        assert 0.03 < width < 0.11
        bench.sim.advance(0.5)
        assert bench.sim.gripper_width() == pytest.approx(width, abs=1e-4)


def test_a_stop_is_told_while_the_hand_opens_again_and_while_it_presses_harder(friction):
    friction.start()
    assert friction.hand.grasp(20.0, _later(friction, 0.85)).status is Status.STOPPED
    assert friction.sim.gripper_width() < 0.11
    assert _grasped(friction, BLOCK, 20.0).status is Status.DONE
    assert friction.hand.grasp(40.0, _later(friction, 0.05)).status is Status.STOPPED
    assert friction.hand.held == BLOCK


def test_a_stop_that_is_there_already_lets_nothing_fall(assisted):
    _grasped(assisted, MUG, 20.0)
    for outcome in (assisted.hand.release(lambda: True), assisted.hand.set_width(0.12, lambda: True)):
        assert outcome.status is Status.STOPPED
        assert assisted.hand.held == MUG


def test_a_stop_is_heard_soon_at_any_time_step():
    bench = Bench()
    bench.sim.model.opt.timestep = 0.01
    bench.start()
    assert bench.hand.set_width(0.03, _later(bench, 0.1)).status is Status.STOPPED
    assert bench.sim.time <= 0.12 + 1e-9


def test_what_comes_after_a_roll_back_is_the_same_though_it_had_slipped(assisted):
    _grasped(assisted, MUG, 20.0)
    assisted.sim.advance(0.2)
    before = assisted.sim.snapshot()
    assisted.sim.advance(0.3)
    once = assisted.sim.snapshot().tobytes()
    assisted.sim.restore(before)
    assisted.hand.release(never)
    assisted.sim.restore(before)
    assisted.sim.advance(0.3)
    assert assisted.sim.snapshot().tobytes() == once


def test_a_reset_looks_at_contacts_with_what_was_held(assisted):
    _grasped(assisted, MUG, 20.0)
    bits = assisted.sim.model.geom_contype.copy()
    assisted.sim.reset(0.0, 0.0, 0.0, 0.0)
    assert not np.array_equal(assisted.sim.model.geom_contype, bits)
    assert np.array_equal(assisted.sim.model.geom_contype, Bench().sim.model.geom_contype)


@each_row("speed", [3.0, 12.0, 30.0])
def test_what_is_thrown_onto_the_floor_or_a_rug_ends_on_top_of_it(speed):
    """However deep it goes in one step of time."""
    rug = ObjectSpec(
        31, "rug", "red", "fabric", (-1.2, 1.0, 0.0), 0.0, (Part("box", (0, 0, 0.006), (1, 1, 0.012), RED),)
    )
    home = touch_home()
    bench = Bench(replace(home, objects=(*home.objects, rug)))
    model, data = bench.sim.model, bench.sim.data
    for y, level in ((1.0, 0.012), (-1.0, 0.0)):
        for start in (0.5, 0.51, 0.52, 0.53):
            bench.start()
            body = model.body(bench.house.movable[BLOCK])
            q, v = int(model.jnt_qposadr[body.jntadr[0]]), int(model.body_dofadr[body.id])
            data.qvel[v + 2] = -1e-6  # wakes it
            mujoco.mj_step(model, data)
            data.qpos[q : q + 7] = (-1.2, y, start, 1.0, 0.0, 0.0, 0.0)
            data.qvel[v : v + 6] = (0.0, 0.0, -speed, 0.0, 0.0, 0.0)
            mujoco.mj_forward(model, data)
            bench.sim.advance(3.0)
            spot = data.body(body.id).xpos
            away = np.abs(spot[:2] - (-1.2, y)).max()
            assert spot[2] > (level if away < 0.4 else 0.0) - 0.001


@each_row("instance", [BLOCK, MUG])
def test_what_two_pads_hold_stays_there_while_the_arm_folds(friction, instance):
    assert _grasped(friction, instance, 80.0).status is Status.DONE
    sim = friction.sim

    def in_hand():
        sim.refresh()
        place = sim.data.body(friction.house.movable[instance]).xipos
        return np.linalg.inv(sim.T_world_tool()) @ [*place, 1.0]

    before = in_hand()
    for posture in ("carry", "home", "carry"):
        goal = dict(zip(friction.robot.joint_names, friction.robot.pose(posture).tolist(), strict=True))
        assert move_arm(sim, goal).status is Status.DONE
        friction.hand.settle()
        assert friction.hand.held == instance
    assert np.linalg.norm(in_hand() - before) < 0.01


def test_open_fingers_stay_open_as_the_hand_moves(assisted):
    assisted.start()
    for left in (0.2, -0.4, 0.2):
        assert move_arm(assisted.sim, ArmStep(left=left)).status is Status.DONE
    assert assisted.sim.gripper_width() > 0.118
