"""Strangers who command a thousand times a second: whoever holds the lease notices nothing."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import fake_world
import pytest
from rclpy.node import Node
from ros_fixtures import call, context_on, eventually, parameters, spinning
from vantage_eqa.srv import ResetWorld

from vantage.config import Settings
from vantage.nodes.graph import Client
from vantage.nodes.planner.planner_node import PlannerNode
from vantage.nodes.runtime.rclpy_messages import RclpyFactory
from vantage.nodes.runtime.topics import advertise, listen
from vantage.nodes.world.world_node import WorldNode
from vantage.recording.to_messages import Codec
from vantage.recording.topics import COMMAND_RESULT, VIEWPOINT_COMMAND
from vantage.spatial import Viewpoint
from vantage.types import Command, EpisodeState

pytestmark = pytest.mark.real_time

fake_world.register()
CODEC = Codec(RclpyFactory())
STEPS = 60
RATE = 1000.0  # commands a second


@contextmanager
def flooding(flood: Callable[[int], None]) -> Iterator[list[int]]:
    """Calls ``flood`` with running numbers at ``RATE`` or as fast as it goes; yields how often it was called."""
    over, count = threading.Event(), [0]

    def run() -> None:
        begun = time.monotonic()
        while not over.is_set():
            while count[0] < RATE * (time.monotonic() - begun) and not over.is_set():
                count[0] += 1
                flood(count[0])
            over.wait(0.005)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield count
    finally:
        over.set()
        thread.join(10.0)


@pytest.mark.parametrize("sources", [1, 40])
def test_refused_commands_of_strangers_hinder_nobody(sources: int) -> None:
    settings = Settings().with_values({"agent.name": "pacer"}, "test")
    episode = fake_world.fake_episode("flooded", max_steps=STEPS)
    told: list[str] = []
    with context_on() as context:
        world = WorldNode(context, parameters(world="fake", camera__width=64, camera__height=48))
        planner, stranger = PlannerNode(context, parameters(agent__name="pacer")), Node("stranger", context=context)
        commands = advertise(stranger, VIEWPOINT_COMMAND)
        listen(stranger, COMMAND_RESULT, lambda message: told.append(message.source), depth=1000)
        client = Client(context, settings)

        def flood(number: int) -> None:
            sent = Command(Viewpoint(0, 0, 1, 0, 0), "", None, "flooded", f"stranger {number % sources}", number)
            commands.publish(CODEC.viewpoint_command(0, sent))

        with spinning(context, world), spinning(context, planner), spinning(context, stranger):
            eventually(lambda: commands.get_subscription_count() > 0)
            # The planner takes the lease first: before that a stranger who commands is the one who holds it.
            steps: list[int] = []
            running = threading.Event()
            outcomes = []

            def note(_: object, step: int, doing: str) -> None:
                steps.append(step)
                if step > 2:
                    running.set()

            flight = threading.Thread(
                target=lambda: outcomes.append(client._run_one(episode, 1, lambda: False, note)), daemon=True
            )
            flight.start()
            assert running.wait(30.0)
            with flooding(flood) as count:
                begun = time.monotonic()
                flight.join(60.0)
                spent = time.monotonic() - begun
            assert outcomes
            assert outcomes[0].state == EpisodeState.FINISHED, outcomes[0].reason
            assert outcomes[0].steps == STEPS
            untrusted_owner = sum(source != "planner" for source in told)
            assert untrusted_owner <= 50 * (spent + 1.0) + 50, "refusals are rationed"
            assert count[0] > untrusted_owner, "there were more of them than are told"
        client.close()


def test_a_source_with_too_many_commands_waiting_is_told() -> None:
    episode = fake_world.fake_episode("crowded")
    told: dict[int, str] = {}
    with context_on() as context:
        world = WorldNode(context, parameters(world="fake", camera__width=64, camera__height=48))
        asker = Node("asker", context=context)
        commands = advertise(asker, VIEWPOINT_COMMAND, depth=100)
        listen(asker, COMMAND_RESULT, lambda message: told.update({message.sequence: message.reason}), depth=100)
        with spinning(context, world), spinning(context, asker):
            eventually(lambda: commands.get_subscription_count() > 0)
            begun = CODEC.episode(0, episode, EpisodeState.PENDING)
            assert call(asker, ResetWorld, "reset_world", episode=begun, seed=1).ok
            for number in range(1, 11):
                slow = Command(
                    Viewpoint(0.1, 0, 1, 0, 0), fake_world.SLOW, episode_id="crowded", source="test", sequence=number
                )
                commands.publish(CODEC.viewpoint_command(0, slow))
            refused = eventually(lambda: len(told) >= 5 and dict(told))
            assert all("4 commands of 'test' wait already" in reason for reason in refused.values())
            world._stop("enough")  # the slow ones end at once
            eventually(lambda: len(told) == 10)
