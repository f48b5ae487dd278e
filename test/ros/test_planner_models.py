"""``run_episode`` with a model behind a server that keeps it waiting: a canceled goal makes no further call to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import fake_world
import pytest
from faulty_server import BlindServer, Step, completion
from rclpy.action import ActionClient
from rclpy.node import Node
from ros_fixtures import context_on, eventually, new_domain, spinning
from slow_server import SlowServer, slow_server
from vantage_eqa.action import RunEpisode

from vantage.config import Settings
from vantage.errors import ModelError
from vantage.nodes.graph import GraphPlan, allowed_end, allowed_time, bring_up
from vantage.nodes.planner import planner_node
from vantage.nodes.runtime.parameters import overrides
from vantage.nodes.runtime.rclpy_messages import RclpyFactory
from vantage.recording.to_messages import Codec
from vantage.types import EpisodeState

pytestmark = [pytest.mark.needs("openai"), pytest.mark.real_time]

fake_world.register()


def settings(**more: object) -> Settings:
    values = {"agent.name": "vlm", "agent.model": "openai:slow", "model.retries": 0, **more}
    return Settings().with_values({**values, "camera.width": 96, "camera.height": 72}, "test")


@contextmanager
def thinking(folder: Path) -> Iterator[tuple[SlowServer, Any]]:
    """A goal whose agent has put a question to a model that keeps it waiting."""
    domain = new_domain()
    with slow_server() as server:
        plan = GraphPlan(settings(**{"model.url": server.url}), "fake", folder / "bags")
        with bring_up(plan, domain, 0.0), context_on(domain) as context:
            asker = Node("asker", context=context)
            action = ActionClient(asker, RunEpisode, "run_episode")
            with spinning(context, asker):
                assert action.wait_for_server(timeout_sec=10.0)
                asked = Codec(RclpyFactory()).episode(0, fake_world.fake_episode(), EpisodeState.PENDING)
                goal = finished(action.send_goal_async(RunEpisode.Goal(episode=asked)))
                assert goal.accepted
                eventually(lambda: server.asked == 1, 30.0)
                yield server, goal
                server.go.set()
            action.destroy()


def finished(future: Any) -> Any:
    return eventually(lambda: future.done() and future.result(), 20.0)


def test_a_canceled_goal_makes_no_further_call(tmp_path: Path) -> None:
    with thinking(tmp_path) as (server, goal):
        assert finished(goal.cancel_goal_async()).goals_canceling
        server.go.set()
        result = finished(goal.get_result_async()).result
        assert (result.state, result.message) == (EpisodeState.CANCELED, "canceled on request")
        assert not result.answers
        assert server.asked == 1


def test_a_goal_that_goes_on_calls_again(tmp_path: Path) -> None:
    with thinking(tmp_path) as (server, goal):
        server.go.set()
        eventually(lambda: server.asked > 3, 30.0)
        assert finished(goal.cancel_goal_async()).goals_canceling
        assert finished(goal.get_result_async()).result.state == EpisodeState.CANCELED


def test_a_client_gives_an_episode_time_for_the_calls_of_its_model() -> None:
    episode = fake_world.fake_episode(max_steps=9)
    symbolic = settings(**{"agent.name": "search", "agent.model": "symbolic"})
    alone = allowed_time(episode, symbolic)
    assert alone == allowed_time(episode, replace(symbolic, model=replace(symbolic.model, timeout=1000.0)))
    assert allowed_time(episode, settings(**{"model.timeout": 7.0})) == alone + 160 * 7.0
    assert allowed_time(episode, settings(**{"model.timeout": 7.0, "model.max_calls": 5})) == alone + 35.0
    assert allowed_time(episode, settings(**{"model.timeout": 7.0, "model.max_calls": 999})) == alone + 160 * 7.0
    assert allowed_time(episode, settings(**{"model.timeout": 7.0, "model.max_seconds": 20.0})) == alone + 20.0
    question_services = settings(**{"agent.require_confirmation": True, "agent.confirmation_timeout": 100.0})
    assert allowed_time(episode, question_services) == allowed_time(episode, settings()) + 100.0
    seeing = settings(**{"agent.model": "symbolic", "agent.name": "search", "agent.perception": "vlm"})
    assert allowed_time(episode, seeing) == alone + 160 * 60.0


def test_a_canceled_episode_may_end_the_call_that_is_on_its_way() -> None:
    symbolic = settings(**{"agent.name": "search", "agent.model": "symbolic"})
    assert allowed_end(settings(**{"model.timeout": 300.0})) == allowed_end(symbolic) + 300.0


def test_a_model_that_takes_no_pictures_keeps_the_planner_from_starting(tmp_path: Path) -> None:
    with BlindServer(Step(completion("Yes."))) as server, context_on() as context:
        chosen = overrides(settings(**{"agent.model": "openai:eyes", "model.url": server.url}), planner_node.GROUPS)
        with pytest.raises(ModelError, match="model 'eyes' takes no pictures"):
            planner_node.PlannerNode(context, chosen)


def test_a_server_that_is_not_there_yet_does_not_keep_the_planner(tmp_path: Path) -> None:
    with slow_server() as server:
        url = server.url
    with context_on() as context:
        chosen = overrides(settings(**{"agent.model": "openai:late", "model.url": url}), planner_node.GROUPS)
        planner_node.PlannerNode(context, chosen).destroy_node()
