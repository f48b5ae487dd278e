"""A world with an arm over real DDS: what is commanded, felt and recorded is what is in process."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import arm_world
import numpy as np
import pytest
from arm_world import ArmWorld, hall_episode
from fake_set import fake_set
from golden_texts.plain_messages import plain
from rclpy.node import Node
from ros_fixtures import SMALL, context_on, eventually, new_domain, parameters, spinning
from warrants import let

from vantage.benchmarks.sets.episodes_io import save_set
from vantage.config import Settings
from vantage.nodes.graph import GraphPlan, bring_up
from vantage.nodes.runtime.topics import listen
from vantage.nodes.world.ros_world import RosWorld, connect
from vantage.nodes.world.world_node import WorldNode
from vantage.recording.bags import read_bag
from vantage.recording.recordings import read_recording
from vantage.recording.topics import (
    ARM_COMMAND,
    COMMAND_RESULT,
    DEPTH_CAMERA_INFO,
    JOINT_STATES,
    LEGEND,
    ROBOT_DESCRIPTION,
    TF,
    WRENCH,
)
from vantage.registry import AGENTS
from vantage.runs.batch import Job, prepared, run_set
from vantage.types import (
    CLOSE,
    OPEN,
    Answer,
    ArmStep,
    ArmTarget,
    Command,
    Observation,
    SearchView,
    Status,
    Touch,
    Truth,
    TruthQuestion,
    Verdict,
)
from vantage.worlds.conformance import check_world

pytestmark = pytest.mark.real_time

arm_world.register()
SMALLER = Settings().with_values({"camera.width": 64, "camera.height": 48}, "test")
DOINGS = (
    ("hand up", ArmTarget(step=ArmStep(up=0.05))),
    ("", ArmTarget(joints={"lift": 0.2, "wrist": 0.3})),
    ("", ArmTarget(T_world_tool=ArmWorld(SMALLER).T_world_tool())),
    ("grasp", ArmTarget(gripper_width=0.02, gripper_force=4.0)),
    ("open", ArmTarget(handle=OPEN)),
    ("", ArmTarget(joints={"lift": 9.0})),
    ("", ArmTarget()),
)


class Handler:
    """An agent that uses its arm, then answers."""

    name = "handler"
    perception = ""

    def __init__(self, settings: Settings, **_: Any) -> None:
        pass

    def begin(self, episode: Any, info: Any, seed: int) -> None:
        self._left, self._question = list(DOINGS), episode.questions[0]

    def act(self, observation: Observation, last: Any) -> Command | Answer:
        if self._left:
            action, target = self._left.pop(0)
            return Command(action=action, arm=target)
        return Answer(self._question.question_id, "yes", Verdict.ANSWERED, 0.9)

    def detections(self) -> tuple[()]:
        return ()

    def view(self) -> SearchView:
        return SearchView()


if "handler" not in AGENTS.names():
    AGENTS.register("handler", Handler)


@pytest.fixture
def world() -> Iterator[RosWorld]:
    with context_on() as context:
        node = WorldNode(context, parameters(world="arm", run__rate_hz=20.0, **SMALL))
        with spinning(context, node):
            remote = connect(Settings().with_values({"run.step_timeout": 5.0}, "test"), context=context)
            try:
                yield remote
            finally:
                remote.close()


def same_touch(one: Touch | None, other: Touch | None) -> None:
    assert one is not None
    assert other is not None
    for name in ("T_world_tool", "force", "torque", "gripper_width"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), atol=1e-12, err_msg=name)
    assert one.holds == other.holds


def test_an_arm_over_ros_conforms(world: RosWorld) -> None:
    assert "arm_stop" in check_world(lambda: world, hall_episode())


def test_what_the_hand_feels_and_smaller_depth_come_as_they_are(world: RosWorld) -> None:
    local = ArmWorld(SMALLER)
    episode = hall_episode()
    pairs = [(local.reset(episode, 1), world.reset(episode, 1))]
    for each, seen in zip((local, world), pairs[0], strict=True):
        let(each, episode.episode_id, "test", seen.stamp)
    for number, (action, target) in enumerate(DOINGS, start=1):
        command = Command(None, action, target, episode.episode_id, "test", number)
        here, there = local.step(command), world.step(command)
        assert (there.status, there.cause) == (here.status, here.cause)
        assert there.reason == here.reason
        pairs.append((here.observation, there.observation))
    for here, there in pairs:
        same_touch(there.touch, here.touch)
        assert there.depth_intrinsics == here.depth_intrinsics
        assert there.depth_intrinsics != there.intrinsics
        for name in ("rgb", "depth", "instances"):
            np.testing.assert_array_equal(getattr(there, name), getattr(here, name))
        assert there.legend == here.legend
        assert there.posture is not None
        assert here.posture is not None
        assert there.posture.joints == pytest.approx(here.posture.joints)
    later = world.observe()
    same_touch(later.touch, local.observe().touch)
    assert world.info.repeatable
    assert world.info.acts == {"viewpoint", "arm"}
    assert world.info.senses == {"rgb", "depth", "instances", "touch"}


def test_what_is_held_is_told(world: RosWorld) -> None:
    local = ArmWorld(SMALLER)
    episode = hall_episode()
    let(world, episode.episode_id, "test", world.reset(episode, 1).stamp)
    local.reset(episode, 1)
    assert not world.observe().touch.holds
    at_mug = ArmTarget(T_world_tool=local.T_world_tool())
    assert at_mug.T_world_tool is not None
    result = world.step(Command(arm=at_mug, episode_id=episode.episode_id, source="test", sequence=1))
    assert result.status == Status.DONE
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arm_world, "MUG", at_mug.T_world_tool[:3, 3])
        grasp = Command(arm=ArmTarget(gripper_width=0.0), episode_id=episode.episode_id, source="test", sequence=2)
        held = world.step(grasp).observation.touch
    assert held is not None
    assert held.holds
    assert held.gripper_width == arm_world.MUG_WIDTH
    assert held.force[2] == -arm_world.MUG_WEIGHT
    assert world.observe().touch.holds


def test_states_in_the_legend_follow_what_is_done(world: RosWorld) -> None:
    local = ArmWorld(SMALLER)
    episode = hall_episode()
    let(world, episode.episode_id, "test", world.reset(episode, 1).stamp)
    local.reset(episode, 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arm_world, "HANDLE", local.T_world_tool()[:3, 3])
        for number, what in enumerate((OPEN, CLOSE, OPEN), start=1):
            command = Command(arm=ArmTarget(handle=what), episode_id=episode.episode_id, source="test", sequence=number)
            seen = world.step(command).observation
            assert seen.legend is not None
            assert seen.legend[2].states == (("open",) if what == OPEN else ("closed",))
            assert world.observe().legend == seen.legend


def test_the_robot_is_described_to_whoever_comes_late() -> None:
    with context_on() as context:
        node = WorldNode(context, parameters(world="arm", **SMALL))
        with spinning(context, node):
            late, heard = Node("late", context=context), []
            listen(late, ROBOT_DESCRIPTION, lambda message: heard.append(message.data))
            with spinning(context, late):
                assert eventually(lambda: heard)[0].startswith('<robot name="arm">')


def test_bags_hold_the_same_in_process_and_over_ros(tmp_path: Path) -> None:
    episode = hall_episode()
    made = fake_set(tmp_path / "set", episodes=1)
    truth = Truth(episode.episode_id, (TruthQuestion(episode.questions[0].question_id, "existence", "yes"),))
    save_set(made.folder, replace(made.info, content_hash=""), [episode], [truth])
    settings = Settings().with_values(
        {"agent.name": "handler", "camera.width": 64, "camera.height": 48, "run.record_depth": True}, "test"
    )
    job, _ = prepared(Job(made.folder, tmp_path / "here", "arm", "handler", settings))
    [(_, alone)] = run_set(job)
    with bring_up(GraphPlan(job.settings, "arm", tmp_path / "there", made.folder), new_domain(), 0.0) as client:
        [flown] = client.run([episode])
    assert flown.complete, flown.remark
    assert flown.outcome.steps == alone.steps == len(DOINGS)
    here, there = (tmp_path / name / episode.episode_id for name in ("here", "there"))
    assert [motion.action for motion in read_recording(here).motions] == [action for action, _ in DOINGS]
    for topic in (ARM_COMMAND, COMMAND_RESULT, WRENCH, DEPTH_CAMERA_INFO, JOINT_STATES, TF):
        # Over ROS the world shows itself in between, so stamps differ, and what did not change comes more than once.
        told = [_without_stamps(plain(message) for _, _, message in read_bag(bag, (topic,))) for bag in (here, there)]
        assert told[0]
        assert told[1] == told[0], topic.name
    assert len(list(read_bag(there, (ARM_COMMAND,)))) == len(list(read_bag(here, (ARM_COMMAND,)))) == len(DOINGS)
    [legend, *_] = [message for _, _, message in read_bag(here, (LEGEND,))]
    assert {item.label: item.part_of for item in legend.instances} == {"floor": 0, "cabinet": 0, "handle": 2}
    modes = [message.mode for _, _, message in read_bag(here, (ARM_COMMAND,))]
    assert modes == [3, 0, 1, 2, 4, 0, 255]


def _without_stamps(messages: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(re.sub(r"stamp=\{[^}]*\}|signature=\[[^]]*\]", "", message) for message in messages))
