"""Episodes of several phases over real DDS: told anew when a phase begins, recorded, scored and replayed."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import fake_world
import pytest
from fake_set import phased_set
from phased import (
    AGAIN,
    EXPLORE,
    FIRST,
    REENTER,
    REFINE,
    SECRET,
    PhasedAgent,
    answer_twice,
    explore_then_answer,
    look_answer_look_again,
)
from rclpy.node import Node
from rclpy.serialization import serialize_message
from ros_fixtures import call, context_on, new_domain, spinning
from std_srvs.srv import Trigger
from vantage_eqa.action import RunEpisode

from vantage.benchmarks.sets.episodes_io import EpisodeSet
from vantage.config import Settings
from vantage.nodes.evaluator.open_recording import MessageOrigin, OpenRecording
from vantage.nodes.graph import GraphPlan, bring_up
from vantage.nodes.planner.planner_node import unfit
from vantage.nodes.runtime.rclpy_messages import RclpyFactory
from vantage.nodes.runtime.topics import listen
from vantage.recording.bags import BagWriter, read_bag
from vantage.recording.recordings import read_recording
from vantage.recording.to_messages import Codec
from vantage.recording.topics import EPISODE, RECORDED, VIEWPOINT_COMMAND, Topic
from vantage.registry import AGENTS
from vantage.reports.scoring import score_bag
from vantage.runs.batch import Job, prepared, run_set
from vantage.spatial import Viewpoint
from vantage.types import Episode, EpisodePhase, EpisodeState, Question, TruthQuestion

pytestmark = pytest.mark.real_time

fake_world.register()
START = Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0)
SCRIPTS = {EXPLORE: ["x+", "yaw+"], "answer": ["y+"], FIRST: ["x+"], AGAIN: ["yaw+", "y+", "y-"], REENTER: ["y-", "x+"]}
TEXTS = {"answer": "yes", FIRST: "yes", AGAIN: "no", REFINE: "no"}


def make_scripted(settings: Settings, **_: object) -> PhasedAgent:
    return PhasedAgent(SCRIPTS, TEXTS)


def make_turning(settings: Settings, **_: object) -> PhasedAgent:
    return PhasedAgent({**SCRIPTS, REENTER: ["yaw+"] * 100_000}, TEXTS)


if "phased" not in AGENTS.names():
    AGENTS.register("phased", make_scripted)
    AGENTS.register("turning", make_turning)


def _gold(question: Question) -> TruthQuestion:
    return TruthQuestion(question.question_id, "existence", "yes", phase=question.phase)


def settings() -> Settings:
    return Settings().with_values({"agent.name": "phased", "camera.width": 96, "camera.height": 72}, "test")


@pytest.fixture(scope="module")
def three_episodes(tmp_path_factory: pytest.TempPathFactory) -> EpisodeSet:
    folder = tmp_path_factory.mktemp("phases") / "set"
    return phased_set(
        folder,
        explore_then_answer("one", fake_world.SCENE, START),
        answer_twice("two", fake_world.SCENE, START),
        look_answer_look_again("four", fake_world.SCENE, START),
    )


def test_phases_are_told_when_they_begin_and_runs_are_those_of_in_process(
    tmp_path: Path, three_episodes: EpisodeSet
) -> None:
    job, _ = prepared(Job(three_episodes.folder, tmp_path / "here", "fake", "phased", settings()))
    alone = {episode.episode_id: outcome for episode, outcome in run_set(job)}
    domain, heard = new_domain(), []
    with context_on(domain) as context:
        spy = Node("spy", context=context)

        def hear(topic: Topic) -> None:
            def keep(message: Any, info: Any) -> None:
                heard.append((info["source_timestamp"], topic, message, bytes(serialize_message(message))))

            listen(spy, topic, keep, depth=200)

        for topic in RECORDED:
            if not topic.is_truth:
                hear(topic)
        with (
            spinning(context, spy),
            bring_up(GraphPlan(job.settings, "fake", tmp_path / "there", three_episodes.folder), domain, 0.0) as client,
        ):
            flown = {item.episode.episode_id: item for item in client.run(three_episodes.episodes)}
    for name, item in flown.items():
        assert item.complete, item.remark
        assert (item.outcome.state, item.outcome.steps) == (EpisodeState.FINISHED, alone[name].steps)
        assert item.outcome.phase_steps == alone[name].phase_steps
        here, there = (read_recording(tmp_path / folder / name) for folder in ("here", "there"))
        assert there.episode == here.episode == next(e for e in three_episodes.episodes if e.episode_id == name)
        assert [answer.key for answer in there.answers] == [answer.key for answer in here.answers]
        assert [motion.reached for motion in there.motions] == [motion.reached for motion in here.motions]
        assert [len(there.visibility), there.ways()] == [len(here.visibility), here.ways()]
        assert repr(score_bag(there.path)) == repr(score_bag(here.path))
    assert flown["one"].outcome.phase_steps == {EXPLORE: 2, "answer": 1}
    assert [motion.action for motion in read_recording(tmp_path / "there" / "two").motions_in(AGAIN)] == SCRIPTS[AGAIN]
    assert score_bag(tmp_path / "there" / "two").answer == "yes no no"
    assert flown["four"].outcome.phase_steps == {EXPLORE: 2, "answer": 1, REENTER: 2, REFINE: 0}
    again = read_recording(tmp_path / "there" / "four")
    assert [len(way) for way in again.ways()] == [4, 3], "the world was put back, and its numbers ran on"
    assert score_bag(again.path).answer == "yes yes no no"
    for name in ("one", "four"):
        _told_in_time(tmp_path / "there" / name)
    # The first episode asks the secret in its second phase, so no topic tells it before the commands of the first one,
    # as far as these were heard: who listens may be found late.
    first = min(stamp for stamp, _, _, data in heard if SECRET.encode() in data)
    commands = [(stamp, message) for stamp, topic, message, _ in heard if topic == VIEWPOINT_COMMAND]
    assert len(commands) > 2
    assert all(stamp < first for stamp, told in commands if told.episode_id == "one" and told.sequence <= 2)


def test_a_stop_amid_looking_again_ends_the_episode_and_the_first_answers_are_scored(tmp_path: Path) -> None:
    whole = look_answer_look_again("four", fake_world.SCENE, START, cap=100_000)
    made = phased_set(tmp_path / "set", replace(whole, benchmark="excalibur"))
    changes, domain = {"agent.name": "turning", "camera.width": 64, "camera.height": 48}, new_domain()
    plan = GraphPlan(Settings().with_values(changes, "test"), "fake", tmp_path / "bags", made.folder)
    with bring_up(plan, domain, 0.0) as client, context_on(domain) as context:
        person, turns = Node("person", context=context), threading.Event()

        def stop() -> None:
            if turns.wait(60.0):
                call(person, Trigger, "stop")

        with spinning(context, person):
            stopper = threading.Thread(target=stop)
            stopper.start()
            [flown] = client.run(made.episodes, doing=lambda _, step, text: turns.set() if step >= 8 else None)
            turns.set()
            stopper.join(20.0)
            assert call(person, Trigger, "clear_stop").success
    assert flown.outcome.state == EpisodeState.FAILED
    assert flown.outcome.reason.startswith("stopped: stop requested; ")
    score = score_bag(tmp_path / "bags" / "four")
    assert score.complete
    assert score.figures["acc_exp"] == 1.0
    assert score.incomplete_reason.startswith("scored until phase 'answer' (ended are: explore, answer): ")
    assert "stopped: stop requested" in score.incomplete_reason


def _told_in_time(bag: Path) -> None:
    """The question comes after the commands of the first phase: in the bag, which lacks nothing, and on every topic by
    the sender's stamps: a busy listener takes what waits topic by topic, and not all of it."""
    commands, asked = [], []
    for topic, _, message in read_bag(bag, (VIEWPOINT_COMMAND, EPISODE)):
        stamp = message.header.stamp.sec * 10**9 + message.header.stamp.nanosec
        if topic == VIEWPOINT_COMMAND:
            commands.append(stamp)
        elif any(SECRET in question.text for question in message.questions):
            asked.append(stamp)
    assert asked
    assert min(asked) >= commands[1]


ASKED = (Question("q", "Is there a cup?", "b"),)


@pytest.mark.parametrize(
    ("phases", "why"),
    [
        ((EpisodePhase("a", 1), EpisodePhase("b", 2, ASKED)), ""),
        (
            (EpisodePhase("b", 1), EpisodePhase("b", 2, ASKED)),
            "episode 'e' has two phases 'b'; name each, and differently",
        ),
        (
            (EpisodePhase("a", 0), EpisodePhase("b", 2, ASKED)),
            "phase 'a' of episode 'e' is empty; give it questions or steps",
        ),
        ((EpisodePhase("a", 1),), "episode 'e' asks no question"),
    ],
)
def test_a_goal_whose_phases_cannot_be_is_refused_in_one_sentence(phases: tuple[EpisodePhase, ...], why: str) -> None:
    codec = Codec(RclpyFactory())
    episode = Episode("e", "search", fake_world.SCENE, START, (), 1)
    goal = RunEpisode.Goal(
        episode=codec.episode(0, episode, EpisodeState.PENDING),
        phases=[codec.own("EpisodePhase", item) for item in phases],
    )
    assert unfit(goal) == why


def test_a_phase_that_another_publisher_tells_is_a_disturbance(tmp_path: Path) -> None:
    whole = answer_twice("two", fake_world.SCENE, START)
    with BagWriter(tmp_path, "two") as bag:
        recording = OpenRecording(whole.in_phase(0), 0, bag, {EPISODE: 1}, phases=[FIRST])
        assert not recording.begins_phase(whole.in_phase(0)), "that is the episode, begun anew"
        assert recording.begins_phase(whole.in_phase(1))
        assert not recording.phase_began(whole.in_phase(1), 1, MessageOrigin(2))
        assert recording.interference() == ["somebody else than the planner told that phase 'again' began"]
        assert recording.phase_began(whole.in_phase(1), 1, MessageOrigin(1))
        assert not recording.begins_phase(whole.in_phase(1))
