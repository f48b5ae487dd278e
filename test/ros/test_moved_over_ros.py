"""A world in which things are moved, over real DDS: the evaluator alone learns where they are, and judges by that."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_set import room_set
from golden_texts.plain_messages import plain
from phased import PhasedAgent, look_answer_look_again
from rclpy.node import Node
from ros_fixtures import call, context_on, eventually, new_domain, parameters, spinning
from test_graph import settings, up
from vantage_eqa.srv import RecallPoses

from vantage.benchmarks.sets.episodes_io import load_truths, save_set
from vantage.config import Settings
from vantage.nodes.graph import GraphPlan
from vantage.nodes.replay_node import ReplayNode
from vantage.nodes.world.ros_world import RosWorld
from vantage.recording.bags import read_bag
from vantage.recording.from_messages import read_poses, read_time, read_visibility
from vantage.recording.topics import COMMAND_RESULT, TRUTH_POSES, TRUTH_VISIBILITY
from vantage.registry import AGENTS, WORLDS
from vantage.reports.scoring import score_bag
from vantage.runs.batch import Job, prepared, run_set
from vantage.scenes.generator.generator import generate_home
from vantage.spatial import Matrix
from vantage.types import Command, Episode, Observation, StepResult
from vantage.worlds.protocol import Changing
from vantage.worlds.splat import SplatWorld

pytestmark = pytest.mark.real_time

HOME = generate_home(3, name="room")
THING = next(item for item in HOME.objects if item.relation == "on" and item.color)
OWNER = next(item for item in HOME.objects if item.joints)
DRAWER = OWNER.joints[0]
FAR = -50.0  # m; nobody sees what is there


class ShakenRoom(SplatWorld):
    """With the second command of an episode a thing falls through the floor, with the third one a drawer opens."""

    commands = 0

    def reset(self, episode: Episode, seed: int) -> Observation:
        self.commands = 0
        return super().reset(episode, seed)

    def step(self, command: Command) -> StepResult:
        self.commands += 1
        return super().step(command)

    def poses(self) -> Mapping[int, Matrix]:
        pose = np.eye(4)
        pose[:3, 3] = THING.position
        if self.commands >= 2:
            pose[2, 3] = FAR
        return {THING.instance_id: pose}

    def joint_positions(self) -> Mapping[tuple[int, str], float]:
        return {(OWNER.instance_id, DRAWER.part): DRAWER.high if self.commands >= 3 else DRAWER.position}


def make_shaken_room(settings: Settings) -> ShakenRoom:
    return ShakenRoom(settings)


if "shaken" not in WORLDS.names():
    WORLDS.register("shaken", make_shaken_room)


def told(bag: Path, topic: Any) -> list[str]:
    return [re.sub(r"stamp=\{[^}]*\}", "", plain(message)) for _, _, message in read_bag(bag, (topic,))]


def test_bags_in_process_and_over_ros_tell_the_same_of_what_was_moved(tmp_path: Path) -> None:
    made = room_set(tmp_path / "set")
    job, _ = prepared(Job(made.folder, tmp_path / "here", "shaken", "random", settings("random"), seed=5))
    list(run_set(job))
    domain = new_domain()
    with up(GraphPlan(job.settings, "shaken", tmp_path / "there", made.folder), domain) as client:
        flown = list(client.run(made.episodes, seed=5))
        _only_the_evaluator_asks(domain, tmp_path / "there" / "color")
    assert [item.complete for item in flown] == [True, True], [item.remark for item in flown]
    for episode in made.episodes:
        here, there = (tmp_path / folder / episode.episode_id for folder in ("here", "there"))
        results = [read_time(message.observation_stamp) for _, _, message in read_bag(there, (COMMAND_RESULT,))]
        assert len(results) >= 3
        poses = [(stamp, read_poses(message)) for _, stamp, message in read_bag(there, (TRUTH_POSES,))]
        assert [stamp for stamp, _ in poses] == results[1:3]
        [(_, fell), (_, opened)] = poses
        assert (fell.things[THING.instance_id][2, 3], dict(fell.joints)) == (FAR, {})
        assert (dict(opened.things), dict(opened.joints)) == ({}, {(OWNER.instance_id, DRAWER.part): DRAWER.high})
        for topic in (TRUTH_POSES, TRUTH_VISIBILITY):
            assert told(there, topic) == told(here, topic)
        shown = [read_visibility(message) for _, _, message in read_bag(there, (TRUTH_VISIBILITY,))]
        assert len(shown) == len(results) + 1
        if episode.episode_id == "color":
            assert [fractions[THING.instance_id] for fractions in shown[2:]] == [0.0] * len(shown[2:])


class Looker(PhasedAgent):
    """Turns where it may, and answers."""

    def __init__(self, _: Settings, **more: Any) -> None:
        super().__init__({"explore": ["yaw+", "yaw-", "yaw+"], "reenter": ["yaw-", "yaw+"]})


if "looker" not in AGENTS.names():
    AGENTS.register("looker", Looker)


def test_what_was_moved_is_told_to_be_back_where_the_world_is_put_back(tmp_path: Path) -> None:
    made = room_set(tmp_path / "set")
    one = made.episodes[0]
    truth = load_truths(made.folder, made.episodes)[one.episode_id]
    whole = look_answer_look_again(one.episode_id, one.scene, one.start)
    [about] = truth.questions
    gold = tuple(replace(about, question_id=asked.question_id, phase=asked.phase) for asked in whole.questions)
    four = save_set(made.folder, replace(made.info, content_hash=""), [whole], [replace(truth, questions=gold)])
    job, _ = prepared(Job(four.folder, tmp_path / "here", "shaken", "looker", settings("looker")))
    list(run_set(job))
    with up(GraphPlan(job.settings, "shaken", tmp_path / "there", four.folder), new_domain()) as client:
        [flown] = client.run([whole])
    assert flown.complete, flown.remark
    here, there = (tmp_path / folder / whole.episode_id for folder in ("here", "there"))
    fell, opened, back, again = [read_poses(message) for _, _, message in read_bag(there, (TRUTH_POSES,))]
    assert (fell.things[THING.instance_id][2, 3], again.things[THING.instance_id][2, 3]) == (FAR, FAR)
    assert opened.joints == {(OWNER.instance_id, DRAWER.part): DRAWER.high}
    np.testing.assert_allclose(back.things[THING.instance_id][:3, 3], THING.position)
    assert back.joints == {(OWNER.instance_id, DRAWER.part): DRAWER.position}
    for topic in (TRUTH_POSES, TRUTH_VISIBILITY):
        assert told(there, topic) == told(here, topic)
    assert repr(score_bag(there)) == repr(score_bag(here))


def _only_the_evaluator_asks(domain: int, bag: Path) -> None:
    with context_on(domain) as context:
        looker, replay = Node("looker", context=context), ReplayNode(context, parameters(bag=str(bag)))
        with spinning(context, looker, replay):
            names = {"world_node", "planner_node", "qa_node", "evaluator_node", "replay_node"}
            eventually(lambda: names <= set(looker.get_node_names()))
            eventually(lambda: looker.get_client_names_and_types_by_node("evaluator_node", "/"))
            eventually(lambda: looker.get_service_names_and_types_by_node("world_node", "/"))
            for name in sorted(names):
                eventually(lambda name=name: looker.get_publisher_names_and_types_by_node(name, "/"))
                asks = {service for service, _ in looker.get_client_names_and_types_by_node(name, "/")}
                offers = {service for service, _ in looker.get_service_names_and_types_by_node(name, "/")}
                heard = {topic for topic, _ in looker.get_subscriber_names_and_types_by_node(name, "/")}
                tells = {topic for topic, _ in looker.get_publisher_names_and_types_by_node(name, "/")}
                assert ("/recall_poses" in asks) == (name == "evaluator_node"), name
                assert ("/recall_poses" in offers) == (name == "world_node"), name
                assert ("/truth/poses" in tells) == (name == "evaluator_node"), name
                assert "/truth/poses" not in heard, name
            late = call(looker, RecallPoses, "recall_poses")
            assert not late.ok
            assert "not known" in late.message


def test_an_agent_over_ros_has_no_world_that_tells_where_things_are() -> None:
    assert not issubclass(RosWorld, Changing)


@pytest.mark.parametrize("node", ["planner", "qa", "world/ros_world.py", "replay_node.py"])
def test_nobody_else_knows_how_to_ask(node: str) -> None:
    nodes = Path(__file__).parents[2] / "src" / "vantage" / "nodes"
    path = nodes / node
    for file in path.rglob("*.py") if path.is_dir() else [path]:
        assert not re.search("recall_?poses", file.read_text(), re.IGNORECASE), file
