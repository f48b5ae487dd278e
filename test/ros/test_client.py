"""The client that has a graph run episodes: replies that come at once, and nodes that end in the middle."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
import weakref
from pathlib import Path
from typing import Any

import fake_world
import pytest
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.node import Node
from ros_fixtures import context_on, eventually, new_domain, parameters, spinning
from vantage_eqa.action import RunEpisode

from vantage.config import Settings
from vantage.errors import WorldError
from vantage.nodes.graph import Client, GraphPlan, bring_up
from vantage.nodes.planner.planner_node import PlannerNode
from vantage.nodes.runtime.rclpy_messages import RclpyFactory
from vantage.nodes.runtime.topics import listen
from vantage.nodes.world.world_node import WorldNode
from vantage.recording.to_messages import Codec
from vantage.recording.topics import EPISODE
from vantage.types import EpisodeState

pytestmark = pytest.mark.real_time

fake_world.register()
SMALL = {"camera.width": 64, "camera.height": 48, "agent.name": "pacer"}


class LateToNotice:
    """An action client's handle that returns from sending long after the reply could have come."""

    def __init__(self, handle: Any, delay: float) -> None:
        self._handle, self._delay = handle, delay

    def __getattr__(self, name: str) -> Any:
        given = getattr(self._handle, name)
        if not name.startswith("send_"):
            return given

        def send(*args: Any) -> Any:
            number = given(*args)
            time.sleep(self._delay)
            return number

        return send

    def __enter__(self) -> Any:
        return self._handle.__enter__()

    def __exit__(self, *given: Any) -> Any:
        return self._handle.__exit__(*given)


def test_replies_that_come_at_once_are_not_lost() -> None:
    settings = Settings().with_values(SMALL, "test")
    with context_on() as context:
        world = WorldNode(context, parameters(world="fake", camera__width=64, camera__height=48))
        planner, client = PlannerNode(context, parameters(agent__name="pacer")), Client(context, settings)
        client._action._client_handle = LateToNotice(client._action._client_handle, 0.2)
        with spinning(context, world), spinning(context, planner):
            for number in range(3):
                episode = fake_world.fake_episode(f"short-{number}", max_steps=2)
                outcome = client._run_one(episode, 1, lambda: False, lambda *_: None)
                assert outcome.state == EpisodeState.FINISHED
            canceled = client._run_one(
                fake_world.fake_episode("endless", max_steps=10_000), 1, lambda: True, lambda *_: None
            )
            assert canceled.state == EpisodeState.CANCELED
        client.close()


@pytest.mark.parametrize("when", ["before", "in the middle"])
def test_a_node_that_is_not_spun_any_more_ends_the_set_in_a_sentence(
    tmp_path: Path, when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = GraphPlan(Settings().with_values(SMALL, "test"), "fake", tmp_path / "bags")
    endless = fake_world.fake_episode("endless", max_steps=100_000)

    def broken(timeout_sec: float | None = None) -> None:
        raise RuntimeError("the executor is broken")

    with bring_up(plan, new_domain(), discovery_time=0.0) as client:
        executor = client._spinners[2]._executor  # of the evaluator

        def end_it(*_: Any) -> None:
            monkeypatch.setattr(executor, "spin_once", broken)

        if when == "before":
            end_it()
        with pytest.raises(WorldError, match="evaluator_node ended in the middle of the work: the executor is broken"):
            list(client.run([endless], doing=lambda _, step, doing: end_it()))


def test_a_goal_whose_response_cannot_be_sent_blocks_no_later_one() -> None:
    """rclpy gives such a goal up after it was admitted; its client may have gone away."""
    settings = Settings().with_values(SMALL, "test")
    with context_on() as context:
        world = WorldNode(context, parameters(world="fake", camera__width=64, camera__height=48))
        planner, client = PlannerNode(context, parameters(agent__name="pacer")), Client(context, settings)
        server = planner._action
        handle, tries = server._handle, []

        class Gone:
            def __getattr__(self, name: str) -> Any:
                return getattr(handle, name)

            def send_goal_response(self, *given: Any) -> None:
                tries.append(1)
                server._handle = handle
                raise rclpy_implementation.RCLError("nobody is there")

        with spinning(context, world), spinning(context, planner):
            assert client._action.wait_for_server(10.0)
            server._handle = Gone()
            client._on_executor(lambda: client._action.send_goal_async(goal_of("lost")))
            eventually(lambda: tries)
            short = fake_world.fake_episode("short", max_steps=2)
            assert client._run_one(short, 1, lambda: False, lambda *_: None).state == EpisodeState.FINISHED
        client.close()


def goal_of(name: str) -> Any:
    episode = fake_world.fake_episode(name, max_steps=2)
    return RunEpisode.Goal(episode=Codec(RclpyFactory()).episode(0, episode, EpisodeState.PENDING))


def test_nodes_are_forgotten_once_they_are_gone() -> None:
    with context_on() as context:
        nodes = [
            WorldNode(context, parameters(world="fake", camera__width=64, camera__height=48)),
            PlannerNode(context, parameters(agent__name="pacer")),
        ]
        with spinning(context, *nodes):
            pass
        left = [weakref.ref(nodes.pop()) for _ in range(2)]
        eventually(lambda: gc.collect() is not None and not any(node() for node in left))


INTERRUPTED = """
import rclpy, sys, time
from rclpy.action import ActionClient
from vantage_eqa.action import RunEpisode
sys.path.insert(0, {here!r})
import fake_world
from vantage.nodes.runtime.rclpy_messages import RclpyFactory
from vantage.recording.to_messages import Codec
from vantage.types import EpisodeState
rclpy.init()
node = rclpy.create_node("interrupted")
client = ActionClient(node, RunEpisode, "run_episode")
assert client.wait_for_server(20.0)
episode = Codec(RclpyFactory()).episode(0, fake_world.fake_episode("endless", max_steps=100_000), EpisodeState.PENDING)
sent = client.send_goal_async(RunEpisode.Goal(episode=episode))
rclpy.spin_until_future_complete(node, sent)
handle, handle_result = sent.result(), sent.result().get_result_async()
print("accepted", flush=True)
try:
    rclpy.spin_until_future_complete(node, handle_result)  # until Ctrl-C ends it, and the context with it
except (KeyboardInterrupt, TypeError):  # the latter is what rclpy makes of the former amid a conversion
    pass
handle.cancel_goal_async()
time.sleep(1.0)  # what is lost on the way is sent again while the client is there
client.destroy()
node.destroy_node()
"""


def test_a_goal_is_canceled_by_a_client_that_is_interrupted(tmp_path: Path) -> None:
    """As ros2 action send_goal does on Ctrl-C: its context has ended by then, so that it hears no reply."""
    domain = new_domain()
    settings = Settings().with_values(SMALL, "test")
    states: list[int] = []
    with context_on(domain) as context:
        world = WorldNode(context, parameters(world="fake", camera__width=64, camera__height=48))
        planner, observed = PlannerNode(context, parameters(agent__name="pacer")), Node("watcher", context=context)
        listen(observed, EPISODE, lambda message: states.append(message.state), depth=10)
        client = Client(context, settings)
        with spinning(context, world), spinning(context, planner), spinning(context, observed):
            process = subprocess.Popen(
                [sys.executable, "-c", INTERRUPTED.format(here=str(Path(__file__).parent))],
                env=os.environ | {"ROS_DOMAIN_ID": str(domain)},
                stdout=subprocess.PIPE,
                text=True,
            )
            try:
                assert process.stdout is not None
                assert process.stdout.readline().strip() == "accepted"
                eventually(lambda: EpisodeState.RUNNING in states)
                process.send_signal(signal.SIGINT)
                eventually(lambda: EpisodeState.CANCELED in states, 20.0)
            finally:
                process.kill()
                process.communicate(timeout=10)
            short = fake_world.fake_episode("short", max_steps=2)
            assert client._run_one(short, 1, lambda: False, lambda *_: None).state == EpisodeState.FINISHED
        client.close()
