"""The house world behind its gate: what it promises every caller, and what it says of bad input. Without pictures."""

import math
import threading
from contextlib import closing
from dataclasses import replace

import mujoco
import numpy as np
import pytest
from house_driver import ACTIONS, EPISODE, START, Driver, house_settings
from row_tables import each_row
from touch_home import BLOCK, CABINET, FRIDGE, TABLE

from vantage.errors import EpisodeError, WorldError
from vantage.registry import WORLDS
from vantage.spatial import rigid
from vantage.types import ArmStep, ArmTarget, Cause, Command, Status
from vantage.worlds.conformance import check_world

pytestmark = pytest.mark.needs("house")


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    return house_settings(tmp_path_factory.mktemp("homes"))


@pytest.fixture(scope="module")
def shared(settings):
    with closing(WORLDS.create("house", settings)) as world:
        yield world


@pytest.fixture
def driver(shared):
    shared.clear_stop()
    return Driver(shared)


def test_it_passes_the_conformance_checker(settings):
    names = check_world(lambda: WORLDS.create("house", settings), EPISODE)
    assert {"arm_steps", "arm_stop", "same_seed_same_run"} <= set(names)


def test_actions_lead_where_they_say(driver):
    result = driver.act("turn_left", "turn_left", "move_forward", "look_down")
    assert result.status is Status.DONE
    aims = ACTIONS.replay(START, ["turn_left", "turn_left", "move_forward", "look_down"])
    assert driver.last.viewpoint.distance(aims[-1]) < 0.005
    before = driver.last.touch.T_world_tool
    assert driver.act("lift_up").status is Status.DONE
    assert driver.last.touch.T_world_tool[2, 3] - before[2, 3] == pytest.approx(0.05, abs=0.005)
    assert driver.last.posture is not None
    assert "lift" in driver.last.posture.joints


@each_row(
    "target, cause",
    [
        (replace(START, z=1.3), Cause.LIMIT),
        (replace(START, z=1.402), Cause.LIMIT),
        (replace(START, x=math.nan), Cause.LIMIT),
        (replace(START, x=0.6), Cause.LIMIT),
        (replace(START, pitch=0.9), Cause.LIMIT),
        (replace(START, y=9.0), Cause.LIMIT),
    ],
)
def test_targets_of_the_camera_beyond_the_limits_are_refused(shared, target, cause):
    driver = Driver(shared)
    result = driver.send(Command(target=target))
    assert (result.status, result.cause) == (Status.REJECTED, cause)
    assert driver.last.viewpoint.distance(START) < 1e-6


@each_row(
    "arm, cause",
    [
        (ArmTarget(joints={"elbow": 0.1}), Cause.TARGET),
        (ArmTarget(joints={}), Cause.TARGET),
        (ArmTarget(joints={"lift": 3.0}), Cause.LIMIT),
        (ArmTarget(step=ArmStep(up=0.6)), Cause.LIMIT),
        (ArmTarget(step=ArmStep(up=math.nan)), Cause.TARGET),
        (ArmTarget(gripper_width=0.2), Cause.LIMIT),
        (ArmTarget(gripper_width=0.0, gripper_force=1000.0), Cause.LIMIT),
        (ArmTarget(handle="shake"), Cause.TARGET),
        (ArmTarget(handle="open", gripper_width=0.0), Cause.TARGET),
        (ArmTarget(T_world_tool=np.full((4, 4), np.nan)), Cause.TARGET),
    ],
)
def test_targets_of_the_arm_beyond_the_limits_are_refused(shared, arm, cause):
    driver = Driver(shared)
    before = driver.last.touch.T_world_tool
    result = driver.send(Command(arm=arm))
    assert (result.status, result.cause) == (Status.REJECTED, cause), result.reason
    assert np.allclose(driver.last.touch.T_world_tool, before)


def _over(point):
    """The tool at a point, pointing down."""
    return rigid(np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]), np.array(point))


@each_row("grasp, holds", [("grasp_1.90", False), ("grasp_2.05", True)])
def test_a_thing_is_lifted_by_a_grasp_of_its_weight_and_slips_from_a_weaker_one(shared, grasp, holds):
    driver = Driver(shared, replace(EPISODE, start=replace(START, x=0.42)))
    for point in ((0.8, -0.25, 1.15), (1.0, -0.25, 0.90), (1.0, -0.25, 0.78)):
        assert driver.send(Command(arm=ArmTarget(T_world_tool=_over(point)))).status is Status.DONE
    assert driver.act(grasp).status is Status.DONE
    assert shared.held == BLOCK, "it lies on the table yet"
    told = [driver.act(action).reason for action in ("lift_up", "lift_up")]
    assert (shared.held == BLOCK) == holds == driver.last.touch.holds
    height = shared.poses()[BLOCK][2, 3]
    if not holds:
        assert "the block slipped from the hand" in " ".join(told)
        assert height == pytest.approx(0.72, abs=0.01)
        return
    assert height == pytest.approx(0.82, abs=0.02)
    assert driver.act("move_backward", "turn_left").status is Status.DONE, "it is carried along"
    refused = driver.act("open")
    assert (refused.status, refused.cause) == (Status.REJECTED, Cause.CHECK)
    assert driver.act("release").status is Status.DONE
    assert shared.poses()[BLOCK][2, 3] < 0.1, "it fell to the floor"


def test_camera_and_arm_are_told_one_after_the_other(driver):
    result = driver.send(Command(target=START, arm=ArmTarget(gripper_width=0.12)))
    assert (result.status, result.cause) == (Status.REJECTED, Cause.TARGET)


def test_what_is_in_the_way_is_named_and_all_is_as_before(driver):
    for _ in range(12):
        result = driver.act("move_forward")
        if result.status is not Status.DONE:
            break
    assert result.status is Status.COLLIDED
    assert "table" in result.reason
    seen = driver.world.observe()
    assert seen.viewpoint.distance(driver.last.viewpoint) < 1e-9


def test_another_command_during_a_motion_is_refused(driver):
    results = []

    def other():
        results.append(driver.world.step(Command(target=START, episode_id="e1", source="other", sequence=1)))

    sim = driver.world.simulation
    thread = threading.Thread(target=other)

    def once():
        if not results and not thread.is_alive():
            thread.start()
            thread.join(5.0)

    sim.watchers.append(once)
    try:
        assert driver.act("turn_left").status is Status.DONE
    finally:
        sim.watchers.remove(once)
    assert results[0].status is Status.REJECTED
    assert "another command" in results[0].reason


def test_a_stop_ends_a_motion_within_20_ms_and_stays(driver):
    sim = driver.world.simulation
    begun = sim.time
    stopped = []

    def stop_later():
        if not stopped and sim.time - begun > 0.1:
            stopped.append(sim.time)
            driver.world.stop("test")

    sim.watchers.append(stop_later)
    try:
        result = driver.act("move_forward")
    finally:
        sim.watchers.remove(stop_later)
    assert result.status is Status.STOPPED
    assert "test" in result.reason
    assert sim.time - stopped[0] <= 0.02 + 1e-9
    assert 0.0 < driver.last.viewpoint.x < 0.24
    assert driver.act("turn_left").status is Status.STOPPED
    driver.world.clear_stop()
    assert driver.act("turn_left").status is Status.DONE


def test_nothing_is_put_back_while_it_is_stopped(driver):
    world = driver.world
    world.stop("test")
    Driver(world)  # nothing has moved yet
    world.clear_stop()
    for action in ("lift_up", "turn_left"):
        driver = Driver(world)
        assert driver.act(action).status is Status.DONE
        before = driver.last
        world.stop("test")
        with pytest.raises(EpisodeError, match="stopped: test; clear the stop first"):
            world.reset(EPISODE, 0)
        now = world.observe()
        assert now.viewpoint == before.viewpoint
        assert np.array_equal(now.touch.T_world_tool, before.touch.T_world_tool)
        world.clear_stop()
        assert driver.act("turn_right").status is Status.STOPPED
        assert driver.act("turn_right").status is Status.DONE, "the episode goes on"
    sim = world.simulation
    Driver(world)
    sim.data.joint(f"joint/{CABINET}/drawer").qpos[0] = 0.2
    world.stop("test")
    with pytest.raises(EpisodeError, match="clear the stop first"):
        world.reset(EPISODE, 0)
    world.clear_stop()


def test_without_ids_words_do_not_tell_what_was_met(settings):
    blind = replace(settings, world=replace(settings.world, instances=False))
    for each, what in ((settings, f"the table ({TABLE})"), (blind, "something")):
        with closing(WORLDS.create("house", each)) as world:
            result = Driver(world).act("move_forward", "move_forward", "move_forward")
            assert result.status is Status.COLLIDED
            assert result.reason == f"the robot met {what} and went back"


@each_row("after", [0.1, 0.38])
def test_a_stop_with_something_in_the_hand_ends_time_within_20_ms_in_the_motion_and_after_it(shared, after):
    shared.clear_stop()
    driver = Driver(shared, replace(EPISODE, start=replace(START, x=0.42)))
    for point in ((0.8, -0.25, 1.15), (1.0, -0.25, 0.90), (1.0, -0.25, 0.78)):
        driver.send(Command(arm=ArmTarget(T_world_tool=_over(point))))
    assert driver.act("grasp_4.00").status is Status.DONE
    sim, stopped = shared.simulation, []
    begun = sim.time

    def stop_later():
        if not stopped and sim.time - begun > after:
            stopped.append(sim.time)
            shared.stop("test")

    sim.watchers.append(stop_later)
    try:
        driver.act("lift_up")
    finally:
        sim.watchers.remove(stop_later)
    assert sim.time - stopped[0] <= 0.02 + 1e-9
    assert shared.held == BLOCK
    assert driver.act("turn_left").status is Status.STOPPED
    shared.clear_stop()


def test_a_broken_physics_ends_the_episode_and_the_next_one_works(driver):
    driver.world.simulation.data.qvel[-1] = 1e9
    with pytest.raises(WorldError, match=r"broke down .* reset the world"):
        driver.act("turn_left")
        driver.act("turn_left")
    with pytest.raises(WorldError, match="broke down"):
        driver.world.observe()
    again = Driver(driver.world)
    assert again.act("turn_left").status is Status.DONE


def test_a_failure_inside_mujoco_ends_the_episode_too(driver, monkeypatch):
    """In a motion as in a reset, and even where the motion would have been undone."""
    sim = driver.world.simulation
    monkeypatch.setattr(sim, "watchers", [*sim.watchers, lambda: _spoil(sim)])
    with pytest.raises(WorldError, match=r"broke down at .* QACC.*unstable; .*reset the world"):
        driver.act("move_forward")
    with pytest.raises(WorldError, match="broke down"):
        driver.act("turn_left")
    monkeypatch.undo()
    again = Driver(driver.world)
    assert again.act("turn_left").status is Status.DONE
    _give_up(monkeypatch, "mj_step")
    with pytest.raises(WorldError, match=r"broke down at .*: mj_step: no memory; the episode ends here"):
        again.act("turn_left")
    monkeypatch.undo()
    again = Driver(driver.world)
    for name in ("mj_resetData", "mj_forward"):
        _give_up(monkeypatch, name)
        with pytest.raises(EpisodeError, match=f"cannot start in home 'touch': the physics broke down .*{name}"):
            driver.world.reset(EPISODE, 0)
        with pytest.raises(WorldError, match=name):
            again.act("turn_left")
        monkeypatch.undo()
        again = Driver(driver.world)
        assert again.act("turn_left").status is Status.DONE


def _spoil(sim):
    sim.data.qvel[-1] = math.nan


def _give_up(monkeypatch, name):
    def fail(*_):
        raise mujoco.FatalError(f"{name}: no memory")

    monkeypatch.setattr(mujoco, name, fail)


@each_row(
    "change, why",
    [
        ({"start": replace(START, x=1.2)}, "touches the (table|carton|mug).*for instance at"),
        ({"start": replace(START, x=9.0)}, "outside the limits"),
        ({"start": replace(START, z=1.0)}, "z = 1.000 m is outside the limits"),
        ({"start": replace(START, yaw=math.nan)}, "not finite"),
        ({"scene": "tuch"}, "unknown home 'tuch'.*did you mean 'touch'"),
    ],
)
def test_episodes_that_cannot_start_say_why(shared, change, why):
    driver = Driver(shared)
    with pytest.raises(EpisodeError, match=why):
        shared.reset(replace(EPISODE, **change), 0)
    assert driver.act("turn_left").status is Status.DONE, "the episode before goes on"


def test_same_seeds_same_bytes(settings):
    runs = []
    for seed in (1, 1, 2):
        with closing(WORLDS.create("house", settings)) as world:
            driver = Driver(world, seed=seed)
            driver.act("turn_left", "move_forward", "hand_forward", "lift_up")
            poses = b"".join(pose.tobytes() for pose in world.poses().values())
            runs.append((driver.last.stamp, driver.last.viewpoint, driver.last.touch.force.tobytes(), poses))
    assert runs[0] == runs[1]
    assert runs[0][2] != runs[2][2], "noise at the wrist differs with the seed"


def test_looks_change_nothing_of_what_is_felt_and_motions_take_their_time_after_many(shared):
    felt = []
    for looks in (0, 3):
        driver = Driver(shared)
        for _ in range(looks):
            shared.observe()
            shared.look_from_above()
        driver.act("turn_left")
        felt.append(driver.last.touch.force)
    assert np.array_equal(*felt)
    for _ in range(600):
        last = shared.observe()
    begun = shared.simulation.time
    result = driver.act("turn_right")
    took = round((shared.simulation.time - begun) * 1e9)
    assert result.observation.stamp - last.stamp == pytest.approx(took + 1_000_000, abs=2)


def test_an_empty_hand_feels_nothing_of_how_a_motion_ended(settings):
    quiet = settings.with_values({"house.wrist_noise": 0.0, "house.wrist_offset": 0.0}, "test")
    with closing(WORLDS.create("house", quiet)) as world:
        driver = Driver(world)
        for action in ("turn_left", "lift_up"):
            assert driver.act(action).status is Status.DONE
            assert np.abs(driver.last.touch.force).max() < 0.1


def test_it_tells_recorders_and_judges_where_everything_is(driver):
    poses = driver.world.poses()
    assert BLOCK in poses
    assert poses[BLOCK][:3, 3] == pytest.approx([1.0, -0.25, 0.72], abs=0.003)
    assert driver.world.joint_positions() == {(CABINET, "drawer"): 0.0, (FRIDGE, "door"): 0.0}
    assert driver.world.held is None


def test_sets_and_labellers_are_told_of_a_home_without_an_episode(shared):
    place = shared.place("touch")
    assert place.limits.keeps_height
    assert place.limits.pose_violation(START) is None
    assert place.occupancy.sphere_free(START.position, 0.15)


def test_without_pictures_images_are_black_and_nothing_is_promised(driver):
    assert driver.world.info.senses == {"rgb", "touch"}
    assert driver.world.info.acts == {"viewpoint", "arm"}
    assert driver.last.rgb.shape == (48, 64, 3)
    assert not driver.last.rgb.any()
    assert driver.last.depth is None
    assert driver.last.legend is None


def test_a_closed_world_says_so(settings):
    world = WORLDS.create("house", settings)
    with pytest.raises(WorldError, match="no episode was started"):
        world.observe()
    world.close()
    world.close()
    with pytest.raises(WorldError, match="is closed"):
        world.reset(EPISODE, 0)
