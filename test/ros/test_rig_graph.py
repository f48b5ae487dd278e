"""The rig behind topics: what it shows, how it stops, whom it obeys, and what is left of it when somebody dies."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_set import room_set
from rig_bags import save_room
from rig_fixtures import (
    Operator,
    controller,
    rest_after,
    rig_graph,
    wait_until_moving,
    write_grbl_rig,
)
from ros_fixtures import SMALL, context_on, eventually, new_domain, parameters, spinning
from small_rig import START, command, lab_episode

from vantage.cli.main import main
from vantage.config import Settings
from vantage.errors import HardwareError, WorldError
from vantage.nodes.runtime.running import ros_context
from vantage.nodes.world.ros_world import connect
from vantage.nodes.world.world_node import WorldNode
from vantage.recording.bags import read_bag
from vantage.recording.from_messages import read_stamp, read_time, read_transform, read_viewpoint, read_world_info
from vantage.recording.recordings import read_recording
from vantage.recording.topics import CLOCK, IMAGE, JOINT_STATES, TF, TF_STATIC
from vantage.reports.scoring import score_bag
from vantage.spatial import Viewpoint
from vantage.types import Status
from vantage.worlds.conformance import check_world
from vantage.worlds.rig.drivers.driver import QUEUE

FAR = replace(START, x=0.55)
SLOW = 0.15  # m/s, with which it takes more than 2 s
PROMPT = 1.0  # s within which a stop is carried out on a busy machine
LINKS = ["map", "rig_base", "x_link", "y_link", "z_link", "pan_link", "tilt_link", "camera_link"]
RUN = """
import sys
from vantage.nodes.world.world_node import main
sys.exit(main(["node", "--ros-args", *sys.argv[1:]]))
"""


@pytest.mark.parametrize("mode", [pytest.param("emulated", marks=pytest.mark.needs("time")), "simulated"])
def test_the_rig_over_ros_conforms(tmp_path: Path, mode: str) -> None:
    # Long silences are no faults here: all of the rig is in this one process, beside whatever else the machine does.
    path = write_grbl_rig(tmp_path, speed=1.0, watchdog={"state": 5.0, "frame": 5.0, "heartbeat": 10.0})
    with context_on() as context:
        node = WorldNode(context, parameters(world="rig", rig__file=str(path), rig__mode=mode, run__rate_hz=20.0))
        with spinning(context, node):
            checked = check_world(lambda: connect(Settings(), context=context), lab_episode())
    assert {"out_of_turn", "stop_latches", "same_seed_same_run", "bad_episodes", "close_twice"} <= set(checked)


def clock_of(operator: Operator) -> list[int]:
    return [read_time(message.clock) for message in operator.heard[CLOCK]]


@pytest.mark.parametrize("mode", ["emulated", "simulated"])
def test_a_look_leads_from_the_world_to_the_camera_at_its_own_time(tmp_path: Path, mode: str) -> None:
    with context_on() as context, rig_graph(context, write_grbl_rig(tmp_path), mode) as (operator, rig):
        assert operator.reset().ok
        result = operator.go(replace(START, x=0.25, yaw=0.4, pitch=-0.2))
        assert result.status == Status.DONE
        stamp = read_time(result.observation_stamp)
        told = eventually(
            lambda: {read_stamp(item.transforms[0]): item.transforms for item in operator.heard[TF]}.get(stamp)
        )
        assert {read_stamp(link) for link in told} == {stamp}
        assert [told[0].header.frame_id, *(link.child_frame_id for link in told)] == LINKS
        assert all(link.header.frame_id == above.child_frame_id for above, link in pairwise(told))
        pose = np.linalg.multi_dot([read_transform(link) for link in told])
        camera, reached = Viewpoint.from_T_world_body(pose), read_viewpoint(result.reached)
        assert camera.distance(reached) < 1e-9
        assert math.isclose(camera.yaw, reached.yaw, abs_tol=1e-9)
        eventually(lambda: any(read_stamp(image) == stamp for image in operator.heard[IMAGE]))
        [joints] = eventually(lambda: [item for item in operator.heard[JOINT_STATES] if read_stamp(item) == stamp])
        assert list(joints.name) == ["x", "y", "z", "pan", "tilt"]
        np.testing.assert_allclose(joints.position, rig.driver.state().positions, atol=1e-9)
        [optical] = eventually(lambda: operator.heard[TF_STATIC])[0].transforms
        assert (optical.header.frame_id, optical.child_frame_id) == ("camera_link", "camera_optical")
        if mode == "simulated":
            assert stamp < 10**12, "not time since 1970"
            clock = eventually(lambda: stamp in (told := clock_of(operator)) and told)
            assert clock == sorted(set(clock))
        else:
            assert clock_of(operator) == []
            assert abs(time.time_ns() - stamp) < 30 * 10**9


def test_an_unwind_is_asked_for_over_topics(tmp_path: Path) -> None:
    path = write_grbl_rig(tmp_path, turns=True)
    with context_on() as context, rig_graph(context, path, "simulated") as (operator, _):
        edge = replace(START, yaw=2.9)
        started = operator.reset(edge)
        assert started.ok
        limits = read_world_info(started.info).limits
        assert (limits.yaw_min, limits.yaw_max) == pytest.approx((-3.18, 3.18))
        across = replace(edge, yaw=2.9 + 0.6 - math.tau)
        refused = operator.go(across)
        assert refused.status == Status.REJECTED
        assert "so the move needs an unwind" in refused.reason
        done = operator.result(operator.send(across, allow_unwind=True))
        assert done.status == Status.DONE, done.reason
        assert math.isclose(done.reached.yaw, across.yaw, abs_tol=1e-6)


def test_a_rig_that_is_not_there_is_said_at_the_start(tmp_path: Path) -> None:
    path = write_grbl_rig(tmp_path, port=str(tmp_path / "nothing"))
    with (
        context_on() as context,
        pytest.raises(HardwareError, match="nothing"),
        rig_graph(context, path, "hardware"),
    ):
        pass


@pytest.mark.real_time
def test_a_person_allows_the_first_motion(tmp_path: Path) -> None:
    with (
        controller(tmp_path) as (emulator, path),
        context_on() as context,
        rig_graph(context, path, "hardware") as (operator, _),
    ):
        place = emulator.positions()
        refused = operator.reset()
        assert not refused.ok
        assert "confirmed by a person" in refused.message
        assert "confirm_motion" in refused.message
        eventually(lambda: "must be confirmed" in operator.health())
        np.testing.assert_array_equal(emulator.positions(), place)
        assert operator.trigger("confirm_motion").success
        assert operator.reset().ok
        assert operator.go(replace(START, x=0.22)).status == Status.DONE


def test_a_world_that_moves_nothing_needs_no_person(tmp_path: Path) -> None:
    scenes = save_room(tmp_path / "scenes").parent
    with context_on() as context:
        node = WorldNode(context, parameters(world="splat", world__scenes=str(scenes), **SMALL))
        operator = Operator(context)
        with spinning(context, node, operator):
            operator.meet()
            answer = operator.trigger("confirm_motion")
    assert not answer.success
    assert "moves nothing" in answer.message


@pytest.mark.real_time
def test_a_planner_that_dies_amid_a_motion_stops_the_rig(tmp_path: Path) -> None:
    path = write_grbl_rig(tmp_path, speed=0.1, watchdog={"heartbeat": 1.0})
    with context_on() as context, rig_graph(context, path) as (operator, rig), ThreadPoolExecutor(1) as pool:
        idle = connect(Settings(), "idle", context)  # commanded before, and is still alive
        idle.reset(lab_episode(), 0)
        with ros_context([], context.get_domain_id()) as other:
            planner = connect(Settings().with_values({"run.step_timeout": 6.0}, "test"), "planner", other)
            planner.reset(replace(lab_episode(), episode_id="mine"), 0)
            done = planner.step(command(replace(START, x=0.34), 1, episode_id="mine"))
            assert done.status == Status.DONE, "it lives, so a motion longer than the watchdog's patience goes on"
            flight = pool.submit(planner.step, command(replace(START, x=0.05), 2, episode_id="mine"))
            wait_until_moving(rig.emulator)
            begun = time.monotonic()
            other.try_shutdown()
            assert 0.3 < rest_after(rig.emulator, begun) < 1.0 + PROMPT
            assert "heartbeat" in rig.world.trouble
            assert any("heartbeat" in line for line in eventually(lambda: operator.events(2)))
            planner.halt("its process is gone")
            assert isinstance(flight.exception(10.0), WorldError)
            planner.close()
        assert 0.07 < rig.machine.viewpoint.x < 0.32
        idle.clear_stop()
        idle.reset(lab_episode(), 0)
        assert idle.step(command(replace(START, x=0.22), 1)).status == Status.DONE
        idle.close()


@contextmanager
def world_process(domain: int, path: Path) -> Iterator[subprocess.Popen[str]]:
    """A world_node of its own, on hardware as far as it knows."""
    arguments = {"world": "rig", "rig.file": str(path), "rig.confirmed": "true", "run.rate_hz": "20.0"}
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            RUN,
            *(word for name, value in arguments.items() for word in ("-p", f"{name}:={value}")),
        ],
        env=os.environ | {"ROS_DOMAIN_ID": str(domain)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=10)


@pytest.mark.real_time
def test_a_dead_host_means_a_standing_rig(tmp_path: Path) -> None:
    """Killed at once, with no chance to say farewell; the controller is not told and has only what it has."""
    domain = new_domain()
    with (
        controller(tmp_path, speed=SLOW) as (emulator, path),
        ros_context([], domain) as context,
        ThreadPoolExecutor(1) as pool,
    ):
        planner = connect(Settings().with_values({"run.step_timeout": 3.0}, "test"), context=context)
        with world_process(domain, path) as process:
            planner.reset(lab_episode(), 0)
            flight = pool.submit(planner.step, command(FAR, 1))
            wait_until_moving(emulator)
            holds = len(emulator.received(b"!"))
            process.send_signal(signal.SIGKILL)
            killed = time.monotonic()
            rest = rest_after(emulator, killed)
            assert rest <= QUEUE + SLOW / (8 * SLOW)
            place = emulator.positions()
            assert START.x + 0.01 < place[0] + 0.03 < FAR.x - 0.02, "half way"
            assert len(emulator.received(b"!")) == holds, "nobody held the feed"
            error = flight.exception(10.0)
            assert isinstance(error, WorldError)
            assert "did not arrive" in str(error)
        np.testing.assert_array_equal(emulator.positions(), place)
        planner.close()


@pytest.mark.real_time
def test_a_search_on_the_emulated_rig_is_recorded_and_scored(tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    """As a user without hardware tries it: a gantry in a generated room, its controller emulated, its camera drawn."""
    monkeypatch.setenv("ROS_DOMAIN_ID", str(new_domain()))
    made, bags = room_set(tmp_path / "set", episodes=1), tmp_path / "bags"
    words = ["up", "--world", "rig", "--emulate", "--rig", "room", "--agent", "search", "--perception", "degraded"]
    words += [
        "--episodes",
        str(made.folder),
        "--out",
        str(bags),
        "--set",
        "camera.width=96",
        "--set",
        "camera.height=72",
    ]
    assert main([*words, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["episodes"]
    assert [(row["state"], row["complete"]) for row in rows] == [("FINISHED", True)] * len(made.episodes)
    for row in rows:
        recording = read_recording(bags / row["episode_id"])
        assert recording.dropped == 0
        assert len(recording.motions) == row["steps"] > 0
        assert score_bag(recording.path).complete
        stamps = [stamp for _, stamp, _ in read_bag(recording.path)]
        assert (stamps[-1] - stamps[0]) * 1e-9 < 120.0, "not since 1970"
