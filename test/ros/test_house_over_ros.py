"""A house over real DDS: it keeps every promise, and what is commanded, seen and felt is what is in process."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_set import fake_set
from golden_texts.plain_messages import plain
from house_driver import ACTIONS, EPISODE, START, Driver, house_settings
from ros_fixtures import context_on, new_domain, spinning

from vantage.benchmarks.sets.episodes_io import save_set
from vantage.cli.main import main
from vantage.config import Settings
from vantage.nodes.evaluator.recorder import stamp_of
from vantage.nodes.graph import GraphPlan, bring_up
from vantage.nodes.runtime.parameters import overrides
from vantage.nodes.world.ros_world import RosWorld, connect
from vantage.nodes.world.world_node import GROUPS, WorldNode
from vantage.recording.bags import read_bag, read_bag_raw
from vantage.recording.recordings import read_recording
from vantage.recording.topics import (
    ARM_COMMAND,
    COMMAND_RESULT,
    EPISODE as EPISODES,
    JOINT_STATES,
    LEGEND,
    RECORDED,
    TF,
    WRENCH,
    Topic,
)
from vantage.registry import AGENTS, WORLDS
from vantage.reports.scoring import score_bag
from vantage.runs.batch import Job, prepared, run_set
from vantage.types import (
    Answer,
    Decision,
    Done,
    Episode,
    EpisodePhase,
    Observation,
    Question,
    SearchView,
    Status,
    Truth,
    TruthQuestion,
    Verdict,
)
from vantage.worlds.conformance import check_world
from vantage.worlds.conformance.arm_checks import ARM_CHECKS

pytestmark = [pytest.mark.needs("house"), pytest.mark.real_time]
HANDLING = ("hand_forward", "turn_left", "move_forward", "grasp_1.00", "hand_up", "release", "open", "wrist_left")
WAY = ("turn_left", "move_forward", "look_down", "lift_up", "turn_right", "move_backward", "look_up")


SECRET = "What is behind the stove?"
FOUR_PHASES = Episode.of_phases(
    EPISODE.episode_id,
    EPISODE.benchmark,
    EPISODE.scene,
    START,
    (
        EpisodePhase("explore", 50),
        EpisodePhase("answer", 0, (Question("q1", SECRET, "answer"),)),
        EpisodePhase("reenter", 50, restored=True),
        EpisodePhase("refine", 0, (Question("q1", SECRET, "refine"),)),
    ),
)


class Mover:
    """An agent that drives and handles, then answers."""

    name = "mover"
    perception = ""

    def __init__(self, settings: Settings, **_: Any) -> None:
        pass

    def begin(self, episode: Episode, info: Any, seed: int) -> None:
        self._moved = False
        self.begin_phase(episode)

    def begin_phase(self, episode: Episode) -> None:
        moves = not self._moved or episode.restored
        self._left, self._open = [*WAY, *HANDLING] if moves else [], list(episode.questions)
        self._moved = True

    def act(self, observation: Observation, last: Any) -> Decision:
        if self._left:
            return ACTIONS.decision(self._left.pop(0), observation.viewpoint)
        if not self._open:
            return Done()
        asked = self._open.pop(0)
        return Answer(asked.question_id, "yes", Verdict.ANSWERED, 0.9, phase=asked.phase)

    def detections(self) -> tuple[()]:
        return ()

    def view(self) -> SearchView:
        return SearchView()


if "mover" not in AGENTS.names():
    AGENTS.register("mover", Mover)


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return house_settings(tmp_path_factory.mktemp("homes"))


@contextmanager
def served(settings: Settings) -> Iterator[RosWorld]:
    with context_on() as context:
        node = WorldNode(context, overrides(settings, GROUPS, world="house"))
        with spinning(context, node), closing(connect(settings, context=context)) as world:
            yield world


def test_a_house_over_ros_conforms(settings: Settings) -> None:
    with served(settings) as world:
        checked = check_world(lambda: world, EPISODE)
    assert set(ARM_CHECKS) | {"out_of_turn", "stop_latches", "same_seed_same_run", "close_twice"} <= set(checked)


def same(settings: Settings) -> None:
    settings = settings.with_values({"run.rate_hz": 50.0}, "test")
    with closing(WORLDS.create("house", settings)) as local, served(settings) as remote:
        here, there = Driver(local), Driver(remote)
        for action in ("", *WAY):
            if action:
                assert here.act(action).status is there.act(action).status is Status.DONE, action
            remote.observe()  # one look more than in process, which changes nothing
            assert there.last.viewpoint == here.last.viewpoint
            assert there.last.touch is not None
            assert here.last.touch is not None
            for name in ("T_world_tool", "force", "torque"):
                ours, theirs = getattr(here.last.touch, name), getattr(there.last.touch, name)
                np.testing.assert_allclose(theirs, ours, atol=1e-12, err_msg=f"{name} after {action}")
            assert here.last.posture is not None
            assert there.last.posture is not None
            assert there.last.posture.joints == here.last.posture.joints
            for name in ("rgb", "depth", "instances"):
                np.testing.assert_array_equal(getattr(there.last, name), getattr(here.last, name))
            assert there.last.legend == here.last.legend


def test_poses_and_forces_are_those_in_process(settings: Settings) -> None:
    same(settings)


@pytest.mark.needs("gl")
def test_pictures_are_those_in_process(settings: Settings) -> None:
    sizes = {"house.pictures": "all", "house.depth_width": 32, "house.depth_height": 24}
    same(settings.with_values(sizes, "test"))


def _pose(message: Any) -> bytes:
    reached = message.reached
    return struct.pack("<5d", reached.x, reached.y, reached.z, reached.yaw, reached.pitch)


def _told_and_put_back(bag: Path) -> None:
    recording = read_recording(bag)
    first, again = recording.ways()
    assert first == again, "the same commands in the house as it was found lead the same way"
    poses = [_pose(message) for _, _, message in read_bag(bag, (COMMAND_RESULT,))]
    assert poses[: len(poses) // 2] == poses[len(poses) // 2 :]
    # Messages of several topics reach a recorder in any order; what was said when is in their stamps.
    messages = [(topic, data, stamp_of(topic, data)) for topic, _, data in read_bag_raw(bag, RECORDED)]
    asked = [at for topic, data, at in messages if not topic.is_truth and SECRET.encode() in data]
    began = min(at for topic, data, at in messages if topic is EPISODES and SECRET.encode() in data)
    assert min(asked) == began
    known = [at for topic, _, at in messages if topic is COMMAND_RESULT]
    assert sum(at <= began for at in known) == recording.phases[1].commands_before > 0


def _without_stamps(bag: Path, topic: Topic) -> list[str]:
    told = (plain(message) for _, _, message in read_bag(bag, (topic,)))
    return list(dict.fromkeys(re.sub(r"stamp=\{[^}]*\}|signature=\[[^]]*\]", "", message) for message in told))


@pytest.mark.parametrize("episode", [EPISODE, FOUR_PHASES], ids=["one", "four"])
def test_bags_hold_the_same_in_process_and_over_ros(settings: Settings, tmp_path: Path, episode: Episode) -> None:
    info = fake_set(tmp_path / "set", episodes=1).info
    info = replace(info, content_hash="", scenes={EPISODE.scene: info.scenes["box"]}, world="house")
    named = bool(episode.phases)
    gold = tuple(
        TruthQuestion(q.question_id, "existence", "yes", phase=q.phase if named else "") for q in episode.questions
    )
    save_set(tmp_path / "set", info, [episode], [Truth(episode.episode_id, gold)])
    settings = settings.with_values({"agent.name": "mover"}, "test")
    job, _ = prepared(Job(tmp_path / "set", tmp_path / "here", "house", "mover", settings))
    [(_, alone)] = run_set(job)
    with bring_up(GraphPlan(job.settings, "house", tmp_path / "there", tmp_path / "set"), new_domain(), 0.0) as client:
        [flown] = client.run([episode])
    assert flown.complete, flown.remark
    assert (flown.outcome.steps, flown.outcome.phase_steps) == (alone.steps, alone.phase_steps)
    assert alone.steps == (len(WAY) + len(HANDLING)) * (2 if named else 1)
    here, there = (tmp_path / name / EPISODE.episode_id for name in ("here", "there"))
    assert repr(score_bag(there)) == repr(score_bag(here))
    assert read_recording(there).ways() == read_recording(here).ways()
    if named:
        _told_and_put_back(there)
    for topic in (COMMAND_RESULT, ARM_COMMAND, JOINT_STATES, TF, WRENCH, LEGEND):
        # Over ROS the world shows itself in between, so stamps differ, and what did not change comes more than once.
        told = [_without_stamps(bag, topic) for bag in (here, there)]
        assert told[1] == told[0], topic.name
    reached = [[_pose(message) for _, _, message in read_bag(bag, (COMMAND_RESULT,))] for bag in (here, there)]
    assert reached[1] == reached[0]
    assert len(set(reached[0])) > len(WAY) // 2


def test_a_home_is_explored_from_where_the_robot_can_stand(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ROS_DOMAIN_ID", str(new_domain()))
    home, small = Path(settings.world.scenes, EPISODE.scene), ("house.pictures=none", "camera.width=64")
    words = ["--explore", str(home), "--steps", "2", "--agent", "mover", *(f"--set={item}" for item in small)]
    assert main(["up", "--world", "house", "--out", str(tmp_path / "bags"), *words]) == 0
    assert "1 of 1 episodes finished" in capsys.readouterr().out
    [bag] = (tmp_path / "bags").iterdir()
    [result, *_] = (message for _, _, message in read_bag(bag, (COMMAND_RESULT,)))
    assert result.status == Status.DONE
    assert result.reached.z == START.z
