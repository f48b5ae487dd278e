"""Everything that may break amid a commanded motion: the result says why, and so do /diagnostics and the bag."""

from __future__ import annotations

import re
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rig_fixtures import KEPT, Operator, kept, moving, register, rig_graph, wait_until_moving, write_grbl_rig
from ros_fixtures import context_on, eventually, new_domain, spinning
from small_rig import START, lab_episode

from vantage.config import Settings
from vantage.nodes.graph import GraphPlan, bring_up
from vantage.recording.bags import read_bag
from vantage.recording.topics import COMMAND_RESULT, DIAGNOSTICS, IMAGE, VIEWPOINT_COMMAND
from vantage.registry import AGENTS
from vantage.types import Command, Episode, EpisodeState, Observation, SearchView, Status, StepResult
from vantage.worlds.protocol import WorldInfo
from vantage.worlds.rig.cameras.periodic import FAULTS as CAMERA_FAULTS
from vantage.worlds.rig.emulators.grbl.emulator import GrblEmulator

pytestmark = pytest.mark.real_time
FAR = replace(START, x=0.5)
ERROR = 2
WORDS = {  # patterns
    "unplug": "went away",
    "garbage": "garbage",
    "lost_ack": "acknowledgement lost",
    "duplicate_ack": "unexpected acknowledgement",
    "late_replies": "silent|acknowledgement lost|newest state of the controller",
    "silent": "silent|newest state of the controller",
    "truncated": "garbage",
    "stuck_axis": "stuck",
    "reset": "restarted by itself",
    "alarm": "alarm",
    "door": "Door",
    "black": "black",
    "frozen": "frozen",
    "late": "frame of the camera",
    "stale": "frame of the camera",
    "gone": "camera went away",
}


class Strider:
    """An agent that goes back and forth and never answers."""

    name = "strider"
    perception = ""

    def __init__(self, settings: Settings, **_: Any) -> None:
        pass

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        pass

    def act(self, observation: Observation, last: StepResult | None) -> Command:
        near = observation.viewpoint.distance(START) < observation.viewpoint.distance(FAR)
        return Command(FAR if near else START, "stride")

    def detections(self) -> tuple[()]:
        return ()

    def view(self) -> SearchView:
        return SearchView(doing="striding")


if "strider" not in AGENTS.names():
    AGENTS.register("strider", Strider)


def test_every_fault_has_words() -> None:
    assert WORDS.keys() == {*GrblEmulator.faults, *CAMERA_FAULTS}


# One of each way by which a fault is told: by the link, by the controller with and without a loss of the position, by
# the picture, by the watchdog, and by the camera. The driver and the check of a rig meet each fault.
SAMPLE = ("unplug", "alarm", "door", "black", "stale", "gone")


@pytest.mark.parametrize(
    "faults",
    [
        SAMPLE,
        pytest.param(GrblEmulator.faults[:6], marks=pytest.mark.needs("time")),
        pytest.param(GrblEmulator.faults[6:], marks=pytest.mark.needs("time")),
        pytest.param(CAMERA_FAULTS, marks=pytest.mark.needs("time")),
    ],
    ids=["sample", "line", "machine", "camera"],
)
def test_what_breaks_amid_a_motion_is_told(tmp_path: Path, faults: tuple[str, ...]) -> None:
    register()
    path = write_grbl_rig(tmp_path, speed=0.25, watchdog={"frame": 0.5, "state": 2.0, "heartbeat": 10.0})
    changes = {"rig.file": str(path), "rig.mode": "emulated", "agent.name": "strider", "agent.perception": "none"}
    settings, domain = Settings().with_values(changes, "test"), new_domain()
    plan = GraphPlan(settings, KEPT, tmp_path / "bags")
    with bring_up(plan, domain, 0.0) as client, context_on(domain) as context:
        rig, operator = kept[-1], Operator(context)
        with spinning(context, operator):
            operator.meet()
            for fault in faults:
                episode = replace(lab_episode(), episode_id=fault, max_steps=3)
                before = len(operator.events(ERROR))
                breaking = threading.Thread(target=break_amid_motion, args=(rig, operator, fault))
                breaking.start()
                [flown] = client.run([episode])
                breaking.join(10.0)
                assert flown.outcome.state in (EpisodeState.CANCELED, EpisodeState.FAILED), fault
                assert re.search(WORDS[fault], flown.outcome.reason)
                assert not moving(rig.emulator), fault
                *done, failed = eventually(lambda fault=fault, flown=flown: results_of(operator, fault, flown))
                assert failed.status in (Status.STOPPED, Status.TIMED_OUT)
                assert failed.reason == flown.outcome.reason
                assert all(item.status == Status.DONE for item in done)
                told = eventually(lambda before=before: operator.events(ERROR)[before:])
                assert any(re.search(WORDS[fault], line) for line in told), told
                recorded = [
                    status
                    for _, _, message in read_bag(tmp_path / "bags" / fault, (DIAGNOSTICS,))
                    for status in message.status
                    if status.name.startswith("world: ") and status.level == ERROR
                ]
                assert any(re.search(WORDS[fault], status.message) for status in recorded), recorded
                rig.emulator.mend()
                rig.camera.mend()
                answer = operator.trigger("clear_stop")
                assert answer.success, f"{fault}: {answer.message}"
            [flown] = client.run([replace(lab_episode(), episode_id="mended", max_steps=2)])
            assert flown.outcome.steps == 2, flown.outcome.reason
            told = eventually(lambda: results_of(operator, "mended", flown))
            assert [item.status for item in told] == [Status.DONE, Status.DONE]


def results_of(operator: Operator, episode_id: str, flown: Any) -> list[Any]:
    """The results of all commands of a flown episode; empty until all were heard."""
    heard = [item for item in operator.heard[COMMAND_RESULT] if item.episode_id == episode_id]
    return heard if len(heard) >= flown.outcome.steps else []


def test_a_camera_that_breaks_at_rest_is_told_without_a_flood(tmp_path: Path) -> None:
    with context_on() as context, rig_graph(context, write_grbl_rig(tmp_path)) as (operator, rig):
        assert operator.reset().ok
        rig.camera.inject("gone")
        eventually(lambda: operator.events(ERROR))
        time.sleep(2.5)
        told = operator.events(ERROR)
        assert 1 <= len(told) <= 5, "about once a second, whatever the rate of looks"
        assert all("camera went away" in line for line in told)
        assert "camera" in operator.go(FAR).reason
        rig.camera.mend()
        operator.trigger("clear_stop")
        seen = len(operator.heard[IMAGE])
        eventually(lambda: len(operator.heard[IMAGE]) > seen + 3)


def break_amid_motion(rig: Any, operator: Operator, fault: str) -> None:
    """Once the first command of the episode named after the fault is under way."""
    eventually(lambda: any(item.episode_id == fault for item in operator.heard[VIEWPOINT_COMMAND]), 30.0)
    wait_until_moving(rig.emulator)
    (rig.emulator if fault in rig.emulator.faults else rig.camera).inject(fault)
