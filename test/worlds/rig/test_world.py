"""The world over motors and a camera: what it refuses, how it stops, what it tells."""

from __future__ import annotations

import math
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_rig import START, command, lab_episode, rig_settings, write_rig

from vantage.errors import ConfigError, EpisodeError, HardwareError, WorldError
from vantage.spatial import Viewpoint
from vantage.types import Status
from vantage.worlds.conformance import check_world
from vantage.worlds.protocol import Supervised, World
from vantage.worlds.rig.assembly import Assembly, assemble, make_rig_world
from vantage.worlds.rig.world import RigWorld


@pytest.fixture
def make(tmp_path: Path) -> Any:
    """Connected rigs with mocks, closed at the end."""
    made: list[Assembly] = []

    def build(settings: dict[str, Any] | None = None, confirmed: bool = True, **changes: Any) -> Assembly:
        rig = assemble(rig_settings(write_rig(tmp_path, **changes), confirmed=confirmed, **(settings or {})))
        rig.world.connect()
        made.append(rig)
        return rig

    yield build
    for rig in made:
        rig.world.close()


def test_a_rig_is_a_supervised_world(make: Any) -> None:
    world = make().world
    assert isinstance(world, World)
    assert isinstance(world, Supervised)
    assert world.real_time
    assert world.trouble == ""


def test_a_rig_of_mocks_conforms(tmp_path: Path) -> None:
    settings = rig_settings(write_rig(tmp_path))
    checked = check_world(lambda: make_rig_world(settings), lab_episode())
    assert {"stop_latches", "same_seed_same_run", "collision_keeps_pose", "bad_episodes"} <= set(checked)


def test_a_rig_in_simulated_time_conforms(tmp_path: Path) -> None:
    settings = rig_settings(write_rig(tmp_path), mode="simulated")
    assert check_world(lambda: make_rig_world(settings), lab_episode())


def test_the_picture_is_taken_after_the_motion_from_where_it_ended(make: Any) -> None:
    rig = make(driver={"name": "mock", "duration": 0.1})
    rig.world.reset(lab_episode(), 0)
    target = replace(START, x=0.25, yaw=0.4)
    asked = rig.driver.clock.now()
    result = rig.world.step(command(target, 1))
    assert result.status == Status.DONE
    assert result.observation.stamp >= asked + 10**8
    assert result.reached.distance(target) <= rig.world.info.tolerance
    assert math.isclose(result.reached.yaw, target.yaw, abs_tol=rig.world.info.tolerance)


def test_the_posture_leads_from_the_world_to_the_camera(make: Any) -> None:
    seen = make().world.reset(lab_episode(), 0)
    pose = np.eye(4)
    for link in seen.posture.links:
        pose = pose @ link.T_parent_child
    assert seen.posture.links[0].child == "rig_base"
    assert seen.posture.links[-1].child == "camera_link"
    assert Viewpoint.from_T_world_body(pose).distance(seen.viewpoint) < 1e-9
    assert set(seen.posture.joints) == {"x", "y", "z", "pan", "tilt"}


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (replace(START, x=0.69), "x = 0.690 m is outside the limits"),
        (replace(START, pitch=1.2), "pitch = 1.200 rad is outside the limits"),
        (replace(START, x=math.nan), "is not finite"),
        (Viewpoint(0.5, 0.5, 0.5, 0.0, 0.0), "the head would come within 0.02 m of the forbidden box 'cupboard'"),
    ],
)
def test_what_must_not_be_is_refused_with_the_reason(make: Any, target: Viewpoint, words: str) -> None:
    rig = make()
    rig.world.reset(lab_episode(), 0)
    moves = len(rig.driver.moves)
    result = rig.world.step(command(target, 1))
    assert result.status == Status.REJECTED
    assert words in result.reason
    assert len(rig.driver.moves) == moves


def test_nothing_moves_before_a_person_confirms(make: Any) -> None:
    rig = make(confirmed=False)
    assert rig.world.trouble == "the first motion must be confirmed by a person"
    with pytest.raises(EpisodeError, match="must be confirmed by a person"):
        rig.world.reset(lab_episode(), 0)
    assert rig.driver.moves == []
    rig.world.confirm_motion()
    rig.world.reset(lab_episode(), 0)
    assert rig.driver.moves


def test_a_dry_run_says_what_it_would_do(make: Any) -> None:
    rig = make()
    rig.world.reset(lab_episode(), 0)
    moves = len(rig.driver.moves)
    with rig.machine.dry_run():
        result = rig.world.step(command(replace(START, x=0.25), 1))
        wrong = rig.world.step(command(replace(START, x=5.0), 2))
    assert result.status == Status.REJECTED
    assert "dry run" in result.reason
    assert "outside the limits" in wrong.reason
    assert len(rig.driver.moves) == moves


def test_a_stop_ends_a_motion_at_once_and_latches(make: Any) -> None:
    rig = make(driver={"name": "mock", "duration": 5.0})
    rig.driver.duration = 0.0
    rig.world.reset(lab_episode(), 0)
    rig.driver.duration = 5.0
    threading.Timer(0.1, rig.world.stop, ["the test"]).start()
    begun = time.monotonic()
    result = rig.world.step(command(replace(START, x=0.3), 1))
    assert time.monotonic() - begun < 3.0
    assert result.status == Status.STOPPED
    assert "the test" in result.reason
    assert rig.world.step(command(START, 2)).status == Status.STOPPED
    rig.driver.duration = 0.0
    rig.world.clear_stop()
    assert rig.world.step(command(START, 3)).status == Status.DONE


def test_a_failure_stops_the_rig_and_is_told(make: Any) -> None:
    rig = make()
    rig.world.reset(lab_episode(), 0)
    rig.driver.failure = HardwareError("joint 'x' is stuck at 0.2 m; look what holds it")
    result = rig.world.step(command(replace(START, x=0.3), 1))
    assert result.status == Status.STOPPED
    assert "joint 'x' is stuck" in result.reason
    events = rig.world.events(0)
    assert {event.kind for event in events} >= {"mock", "fault"}
    assert any(event.fatal for event in events)
    assert [event.number for event in rig.world.events(events[0].number)] == [e.number for e in events[1:]]
    assert "stopped" in rig.world.trouble
    rig.world.clear_stop()
    assert rig.world.trouble == ""


def test_silence_of_whoever_commands_stops_the_motion(make: Any) -> None:
    rig = make(watchdog={"heartbeat": 0.3})
    rig.world.reset(lab_episode(), 0)
    rig.driver.duration = 5.0
    rig.world.heartbeat()
    begun = time.monotonic()
    result = rig.world.step(command(replace(START, x=0.3), 1))
    assert 0.2 < time.monotonic() - begun < 3.0
    assert result.status == Status.STOPPED
    assert "heartbeat" in result.reason


def test_frames_that_stay_away_stop_the_motion(make: Any) -> None:
    rig = make(watchdog={"frame": 0.3})
    rig.world.reset(lab_episode(), 0)
    rig.driver.duration = 5.0
    threading.Timer(0.1, rig.camera.inject, ["stale"]).start()
    begun = time.monotonic()
    with pytest.raises(WorldError, match="nothing can be seen"):
        rig.world.step(command(replace(START, x=0.3), 1))
    assert time.monotonic() - begun < 4.5
    assert "frame" in rig.world.trouble


def test_a_camera_without_pictures_is_told(make: Any) -> None:
    rig = make()
    rig.world.reset(lab_episode(), 0)
    rig.camera.inject("black")
    with pytest.raises(WorldError, match="black"):
        rig.world.observe()
    assert any(event.kind == "black" for event in rig.world.events(0))
    rig.camera.mend()
    rig.world.observe()


def test_an_episode_of_another_place_is_refused(make: Any) -> None:
    with pytest.raises(EpisodeError, match="this rig stands in 'lab'"):
        make().world.reset(lab_episode(scene="kitchen"), 0)


def test_a_start_out_of_reach_is_refused_and_the_episode_before_goes_on(make: Any) -> None:
    rig = make()
    rig.world.reset(lab_episode(), 0)
    for start in (replace(START, z=5.0), Viewpoint(0.55, 0.55, 0.4, 0.0, 0.0)):
        with pytest.raises(EpisodeError, match="choose another"):
            rig.world.reset(lab_episode(start), 0)
    assert rig.world.step(command(START, 1)).status == Status.DONE


def test_a_barred_way_to_the_start_leads_over_the_parking_position(make: Any) -> None:
    box = {"name": "wall", "min": [0.28, -1.0, 0.0], "max": [0.32, 1.0, 0.7]}
    head = {"name": "head", "link": "tilt_link", "from": [0, 0, 0], "radius": 0.05}
    safety = {"bodies": [head], "boxes": [box], "park": {"z": 0.85}}
    rig = make(safety=safety)
    rig.world.reset(lab_episode(replace(START, x=0.15, z=0.4)), 0)
    rig.world.reset(lab_episode(replace(START, x=0.5, z=0.4)), 0)
    assert [round(float(q[2]), 2) for q in rig.driver.moves[-3:]] == [0.85, 0.85, 0.38]
    rig.world.reset(lab_episode(replace(START, x=0.15, z=0.4)), 0)
    shut = make(safety={**safety, "boxes": [{**box, "max": [0.32, 1.0, 2.0]}]})
    shut.world.reset(lab_episode(replace(START, x=0.15, z=0.4)), 0)
    with pytest.raises(EpisodeError, match="'wall'"):
        shut.world.reset(lab_episode(replace(START, x=0.5, z=0.4)), 0)


def test_homing_comes_before_the_first_start(make: Any) -> None:
    rig = make(driver={"name": "mock", "homed": False})
    rig.world.reset(lab_episode(), 0)
    assert rig.driver.state().homed


def test_closing_twice_is_harmless_and_a_closed_rig_does_nothing(make: Any) -> None:
    before = threading.active_count()
    world = make().world
    world.close()
    world.close()
    for use in (world.observe, lambda: world.reset(lab_episode(), 0), lambda: world.step(command(START, 1))):
        with pytest.raises(WorldError, match="closed"):
            use()
    assert threading.active_count() <= before


def test_a_rig_without_an_episode_shows_nothing(make: Any) -> None:
    with pytest.raises(WorldError, match="reset it first"):
        make().world.observe()


@pytest.mark.parametrize(
    ("changes", "words"),
    [({"rig.mode": "magic"}, "rig.mode: unknown 'magic'"), ({"rig.file": "nowhere.yaml"}, "nowhere.yaml")],
)
def test_wrong_settings_are_told(changes: dict[str, str], words: str, tmp_path: Path) -> None:
    settings = rig_settings(write_rig(tmp_path)).with_values(changes, "test")
    with pytest.raises(ConfigError, match=words):
        make_rig_world(settings)


def test_there_is_no_emulator_of_a_mock(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no emulator of 'mock'"):
        assemble(rig_settings(write_rig(tmp_path), mode="emulated"))


def test_the_type_of_the_factory(tmp_path: Path) -> None:
    world = make_rig_world(rig_settings(write_rig(tmp_path)))
    assert isinstance(world, RigWorld)
    world.close()


def test_a_stop_while_another_is_cleared_stays(make: Any) -> None:
    rig = make()
    rig.world.reset(lab_episode(), 0)
    rig.world.stop("the first")
    clear = rig.driver.clear

    def slow(timeout: float = 10.0) -> None:
        clear(timeout)
        rig.world.stop("the second")

    rig.driver.clear = slow
    with pytest.raises(WorldError, match="another one came while it was being cleared"):
        rig.world.clear_stop()
    assert rig.world.trouble.startswith("stopped")
    rig.driver.clear = clear
    rig.world.clear_stop()
    assert rig.world.step(command(START, 1)).status == Status.STOPPED, "whoever commands is told"
    assert rig.world.step(command(START, 2)).status == Status.DONE


def test_a_motion_ends_with_the_patience_of_whoever_commands(make: Any) -> None:
    rig = make(settings={"run.step_timeout": 0.5}, driver={"name": "mock"})
    rig.world.reset(lab_episode(), 0)
    asked: list[float] = []
    move = rig.driver.move
    rig.driver.move = lambda target, timeout, turning: (asked.append(timeout), move(target, timeout, turning))[1]
    rig.world.step(command(replace(START, x=0.3), 1))
    assert asked == [0.5]


def test_a_refused_reset_leaves_the_episode_before_watched(make: Any) -> None:
    rig = make(watchdog={"heartbeat": 0.3})
    rig.world.reset(lab_episode(), 0)
    with pytest.raises(EpisodeError):
        rig.world.reset(lab_episode(replace(START, z=5.0)), 0)
    rig.driver.duration = 5.0
    rig.world.heartbeat()
    result = rig.world.step(command(replace(START, x=0.3), 1))
    assert result.status == Status.STOPPED
    assert "heartbeat" in result.reason


def test_motion_outside_an_episode_ends_it(make: Any) -> None:
    rig = make()
    rig.world.reset(lab_episode(), 0)
    rig.world.go_to(rig.machine.positions_at(replace(START, x=0.3)))
    with pytest.raises(WorldError, match="reset it first"):
        rig.world.step(command(START, 1))


def test_a_place_that_nobody_tells_is_not_made_up(make: Any) -> None:
    rig = make()
    rig.world.reset(lab_episode(), 0)
    told = rig.driver.state()
    rig.driver.state = lambda: replace(told, fault="the controller went away")
    with pytest.raises(WorldError, match="where the camera is cannot be known, the controller does not tell"):
        rig.world.observe()
    rig.driver.state = lambda: replace(told, moving=True)
    with pytest.raises(WorldError, match="it still moves"):
        rig.world.observe()


def test_a_rig_that_is_pushed_while_it_looks_is_stopped(make: Any) -> None:
    rig = make()
    rig.world.reset(lab_episode(), 0)
    state, times = rig.driver.state, iter(range(100))

    def pushed() -> Any:
        return replace(state(), positions=state().positions + 0.01 * min(1, next(times)))

    rig.driver.state = pushed
    with pytest.raises(WorldError, match="moved while it looked"):
        rig.world.observe()
    assert "moved while it looked" in rig.world.trouble


def test_a_rig_that_braked_unheard_was_not_pushed(make: Any) -> None:
    rig = make()
    before = rig.world.reset(lab_episode(), 0)
    state = rig.driver.state
    heard, ends = replace(state(), stamp=before.stamp - 1), time.monotonic() + 0.2  # before it came to rest

    def silent_for_a_while() -> Any:
        if time.monotonic() < ends:
            return replace(heard, fault="the controller is silent")
        return replace(state(), positions=heard.positions + 0.01)

    rig.driver.state = silent_for_a_while
    seen = rig.world.observe()
    assert seen.stamp > before.stamp
    assert rig.world.trouble == ""


def test_a_clock_that_was_set_back_is_told_at_once(make: Any) -> None:
    rig = make()
    rig.world.reset(lab_episode(), 0)
    now = rig.driver.clock.now
    rig.driver.clock.now = lambda: now() - 3600 * 10**9
    begun = time.monotonic()
    with pytest.raises(WorldError, match="the clock was set back by 3"):
        rig.world.observe()
    assert time.monotonic() - begun < 2.0


def test_without_its_watchdog_a_rig_stays_stopped(make: Any) -> None:
    rig = make()
    rig.machine._watchdog.close()
    rig.world.stop("the test")
    with pytest.raises(WorldError, match="the watchdog has ended"):
        rig.world.clear_stop()


def test_the_room_of_the_episode_needs_a_camera_that_knows_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"safety\.room: .episode. is for simulated cameras"):
        make_rig_world(rig_settings(write_rig(tmp_path, safety={"room": "episode"})))
