"""All four nodes over real DDS: the same runs and scores as in process, and gold data behind the glass."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import fake_world
import pytest
from fake_set import fake_set, room_set
from rclpy.action import ActionClient
from rclpy.node import Node
from ros_fixtures import call, context_on, eventually, new_domain, parameters, spinning
from vantage_eqa.action import RunEpisode
from vantage_eqa.srv import AskQuestion, CheckQuestion, ConfirmCorrection, InterpretTask, ScoreBag

from vantage.config import Settings
from vantage.errors import ConfigError, FormatError, UsageError, WorldError
from vantage.nodes.graph import Client, GraphPlan, bring_up
from vantage.nodes.replay_node import ReplayNode
from vantage.nodes.runtime.rclpy_messages import RclpyFactory
from vantage.recording.events import Outcome
from vantage.recording.recordings import read_recording
from vantage.recording.to_messages import Codec
from vantage.reports.scoring import score_bag
from vantage.runs.batch import Job, prepared, run_set
from vantage.types import EpisodeState

pytestmark = pytest.mark.real_time

fake_world.register()
SMALL = {"camera.width": 96, "camera.height": 72}


def up(plan: GraphPlan, domain: int | None = None) -> AbstractContextManager[Client]:
    """A graph on a domain where it is alone, so that it need not look for others."""
    return bring_up(plan, new_domain() if domain is None else domain, discovery_time=0.0)


def settings(agent: str = "random", **more: object) -> Settings:
    return Settings().with_values({"agent.name": agent, **SMALL, **more}, "test")


@pytest.mark.parametrize(("world", "agent"), [("fake", "random"), ("splat", "search")])
def test_same_poses_and_scores_in_process_and_over_ros(tmp_path: Path, world: str, agent: str) -> None:
    made = fake_set(tmp_path / "set") if world == "fake" else room_set(tmp_path / "set")
    job, _ = prepared(Job(made.folder, tmp_path / "in_process", world, agent, settings(agent), seed=5))
    alone = {episode.episode_id: outcome for episode, outcome in run_set(job)}
    with up(GraphPlan(job.settings, world, tmp_path / "over_ros", made.folder)) as client:
        flown = list(client.run(made.episodes, seed=5))
    assert [item.episode.episode_id for item in flown] == [episode.episode_id for episode in made.episodes]
    moved = 0
    for item in flown:
        name = item.episode.episode_id
        assert _without_stamps(item.outcome) == _without_stamps(alone[name])
        here, there = (read_recording(tmp_path / folder / name) for folder in ("in_process", "over_ros"))
        assert [motion.reached for motion in there.motions] == [motion.reached for motion in here.motions]
        assert there.dropped == 0
        moved += len(there.motions)
        ours, theirs = score_bag(there.path), score_bag(here.path)
        assert repr(ours) == repr(theirs), "scores may hold NaN, which equals nothing"
        assert ours.complete == item.complete
        assert ours.complete, ours.incomplete_reason
    assert moved > 3


def finished(future: Any) -> Any:
    return eventually(lambda: future.done() and future.result())


def _without_stamps(outcome: Outcome) -> Outcome:
    """Looks between commands take time over ROS, so only the stamps of the evidence differ."""
    answers = [
        replace(answer, evidence=tuple(replace(item, stamp=0) for item in answer.evidence))
        for answer in outcome.answers
    ]
    return replace(outcome, answers=answers)


def test_gold_data_is_heard_by_nobody_but_the_evaluator(tmp_path: Path) -> None:
    made = fake_set(tmp_path / "set", episodes=1)
    domain = new_domain()
    bag = tmp_path / "bags" / "one"
    with up(GraphPlan(settings(), "fake", bag.parent, made.folder), domain) as client:
        list(client.run(made.episodes))
        with context_on(domain) as context:
            looker, replay = Node("looker", context=context), ReplayNode(context, parameters(bag=str(bag)))
            with spinning(context, looker, replay):
                names = {"world_node", "planner_node", "qa_node", "evaluator_node", "replay_node"}
                eventually(lambda: names <= set(looker.get_node_names()))
                eventually(lambda: looker.get_subscriber_names_and_types_by_node("evaluator_node", "/"))
                for name in sorted(names):
                    eventually(lambda name=name: looker.get_publisher_names_and_types_by_node(name, "/"))
                    heard = looker.get_subscriber_names_and_types_by_node(name, "/")
                    assert not [topic for topic, _ in heard if topic.startswith("/truth")], name
                    told = {topic for topic, _ in looker.get_publisher_names_and_types_by_node(name, "/")}
                    gold = {
                        "/truth/episode",
                        "/truth/evidence",
                        "/truth/visibility",
                        "/truth/goal_image",
                        "/truth/poses",
                    }
                    assert told & gold == (gold if name == "evaluator_node" else set())
                    assert not {topic for topic in told if topic.startswith("/truth")} - gold
                    offers = {service for service, _ in looker.get_service_names_and_types_by_node(name, "/")}
                    assert "/recall_poses" not in offers, "nothing can be moved in this world"
                assert "/episode_score" not in {
                    topic for topic, _ in looker.get_publisher_names_and_types_by_node("replay_node", "/")
                }


def test_one_episode_at_a_time_and_a_cancel_ends_it_within_a_step(tmp_path: Path) -> None:
    domain = new_domain()
    plan = GraphPlan(settings("pacer"), "fake", tmp_path / "bags")
    endless = fake_world.fake_episode("endless", max_steps=100_000)
    steps: list[int] = []
    cancel = threading.Event()
    with up(plan, domain) as client, ThreadPoolExecutor(1) as pool, context_on(domain) as context:
        flown = pool.submit(
            lambda: list(client.run([endless], canceled=cancel.is_set, doing=lambda _, step, doing: steps.append(step)))
        )
        asker = Node("asker", context=context)
        action = ActionClient(asker, RunEpisode, "run_episode")
        with spinning(context, asker):
            eventually(lambda: len(steps) > 3)
            assert action.wait_for_server(timeout_sec=10.0)
            second = Codec(RclpyFactory()).episode(0, replace(endless, episode_id="second"), EpisodeState.PENDING)
            assert not finished(action.send_goal_async(RunEpisode.Goal(episode=second))).accepted
            cancel.set()
            before = len(steps)
            [item] = flown.result(20.0)
        action.destroy()
    assert item.outcome.state == EpisodeState.CANCELED
    assert 0 <= item.outcome.steps - steps[-1] <= 1
    assert len(steps) - before < 5
    assert steps == sorted(steps)
    assert "canceled" in item.remark


def test_a_bad_episode_fails_with_the_reason_and_the_next_one_runs(tmp_path: Path) -> None:
    made = fake_set(tmp_path / "set", episodes=1)
    bad = replace(made.episodes[0], episode_id="bad", start=replace(made.episodes[0].start, x=50.0))
    with up(GraphPlan(settings(), "fake", tmp_path / "bags", made.folder)) as client:
        first, second = client.run([bad, made.episodes[0]])
    assert first.outcome.state == EpisodeState.FAILED
    assert "x = 50.000 m is outside" in first.outcome.reason
    assert not first.complete
    assert "failed" in first.remark
    assert second.complete


def test_services_of_planner_qa_and_evaluator(tmp_path: Path) -> None:
    made = fake_set(tmp_path / "set", episodes=1)
    domain = new_domain()
    with up(GraphPlan(settings(), "fake", tmp_path / "bags", made.folder), domain) as client:
        list(client.run(made.episodes))
        with context_on(domain) as context:
            asker = Node("asker", context=context)
            with spinning(context, asker):
                task = call(asker, InterpretTask, "interpret_task", task="What color is the cup on the table?")
                assert task.understood
                assert task.kind == "color"
                assert list(task.look_for) == ["cup", "table"]
                assert "there is a cup on the table" in task.premises
                odd = call(asker, InterpretTask, "interpret_task", task="Sing a song.")
                assert not odd.understood
                assert "language model" in odd.message
                told = call(asker, InterpretTask, "interpret_task", task="Close the fridge.")
                assert (told.understood, told.kind, list(told.look_for)) == (True, "instruction", ["fridge"])
                assert told.ruling.feasibility == told.ruling.UNKNOWN

                asked = call(asker, AskQuestion, "ask_question", question="Is there a cup?")
                assert asked.ok
                assert asked.answer.text == "yes"
                assert asked.answer.perception == "privileged"
                wrong = call(asker, AskQuestion, "ask_question", episode_id="other", question="Is there a cup?")
                assert not wrong.ok
                assert "'other' is not in memory" in wrong.message
                known = call(asker, AskQuestion, "ask_question", episode_id="one", question_id="one-q")
                assert known.ok
                unknown = call(asker, AskQuestion, "ask_question", episode_id="one", question_id="none")
                assert "no question 'none'" in unknown.message

                checked = call(asker, CheckQuestion, "check_question", question="What is the cup made of?")
                assert (checked.ok, checked.understood, checked.premises_hold) == (True, True, True)
                assert checked.report.noise_type == checked.report.NONE
                doubtful = call(asker, CheckQuestion, "check_question", question="What is the blue cup made of?")
                assert (doubtful.ok, doubtful.understood, doubtful.premises_hold) == (True, True, False)
                assert doubtful.report.noise_type == doubtful.report.UNKNOWN, "not seen yet is not absent"
                nothing = call(asker, ConfirmCorrection, "confirm_correction", question_id="d", accept=True)
                assert not nothing.ok
                assert "no correction" in nothing.message

                scored = call(asker, ScoreBag, "score_bag", path=str(tmp_path / "bags"))
                assert scored.ok
                assert [score.episode_id for score in scored.scores] == ["one"]
                missing = call(asker, ScoreBag, "score_bag", path=str(tmp_path / "nowhere"))
                assert not missing.ok
                assert "nowhere" in missing.message


def test_recording_into_a_taken_folder_is_said_and_nothing_is_overwritten(tmp_path: Path) -> None:
    made = fake_set(tmp_path / "set", episodes=1)
    (tmp_path / "bags" / "one").mkdir(parents=True)
    (tmp_path / "bags" / "one" / "kept").write_text("mine")
    plan = GraphPlan(settings(), "fake", tmp_path / "bags", made.folder)
    with (
        up(plan) as client,
        pytest.raises(WorldError, match=r"episode .one. was not recorded: .*exists already"),
    ):
        list(client.run(made.episodes))
    assert (tmp_path / "bags" / "one" / "kept").read_text() == "mine"


def test_a_second_graph_on_one_domain_gives_way(tmp_path: Path) -> None:
    domain = new_domain()
    plan = GraphPlan(settings(), "fake", tmp_path / "bags")
    taken = r"a node named /\w+_node is running already"
    with up(plan, domain), pytest.raises(UsageError, match=taken), bring_up(plan, domain):
        pass


def test_a_graph_that_cannot_start_says_why(tmp_path: Path) -> None:
    with (
        pytest.raises(FormatError, match=r"set\.json is missing"),
        up(GraphPlan(settings(), "fake", tmp_path / "bags", tmp_path / "none")),
    ):
        pass
    with (
        pytest.raises(ConfigError, match="did you mean 'fake'"),
        up(GraphPlan(settings(), "fak", tmp_path / "bags")),
    ):
        pass
