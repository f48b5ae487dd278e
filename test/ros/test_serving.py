"""Who commands an episode, as the server of a world tells it."""

from __future__ import annotations

from typing import Any

import fake_world
import pytest

from vantage.config import Settings
from vantage.errors import WorldError
from vantage.nodes.world.world_server import WorldServer
from vantage.recording.interfaces import RosbagsFactory
from vantage.recording.to_messages import Codec
from vantage.recording.topics import COMMAND_RESULT, IMAGE, Topic
from vantage.spatial import Viewpoint
from vantage.types import Cause, Command, Status


@pytest.fixture
def told() -> list[tuple[Topic, Any]]:
    return []


@pytest.fixture
def server(told: list[tuple[Topic, Any]]) -> WorldServer:
    world = fake_world.FakeWorld(Settings().with_values({"camera.width": 8, "camera.height": 6}, "test"))
    made = WorldServer(
        world, Codec(RosbagsFactory()), lambda topic, _, message: told.append((topic, message)), lambda _: True
    )
    made.reset(fake_world.fake_episode(), 0)
    told.clear()
    return made


def command(number: int, source: str = "planner", episode: str = "episode-1") -> Command:
    return Command(Viewpoint(0.1, 0.0, 1.0, 0.0, 0.0), "", None, episode, source, number)


def results(told: list[tuple[Topic, Any]]) -> list[Any]:
    return [message for topic, message in told if topic is COMMAND_RESULT]


def test_the_first_who_commands_in_turn_is_who_commands(server: WorldServer) -> None:
    assert server.out_of_turn(command(1), None) is None
    assert server.step(command(7, "stranger")).cause == Cause.ORDER
    assert server.out_of_turn(command(1), None) is None, "a refused stranger holds nothing"
    assert server.step(command(1)).status == Status.DONE
    assert server.out_of_turn(command(1, "stranger"), None) == (
        "source 'stranger' does not hold the lease; 'planner' does",
        Cause.LEASE,
    )
    assert server.out_of_turn(command(2, episode="other"), None) == (
        "the command is for episode 'other', running is 'episode-1'",
        Cause.EPISODE,
    )
    assert server.out_of_turn(command(2), None) is None


def test_a_stranger_gets_no_lease_while_the_world_fails(
    server: WorldServer, monkeypatch: pytest.MonkeyPatch, told: list[tuple[Topic, Any]]
) -> None:
    def fail(command: Command) -> None:
        raise WorldError("the camera is silent")

    with monkeypatch.context() as patch:
        patch.setattr(server.world, "step", fail)
        assert server.step(command(9, "stranger")).status == Status.TIMED_OUT
    assert server.out_of_turn(command(1), None) is None
    assert server.step(command(1)).status == Status.DONE


def test_refusals_of_strangers_are_rationed_and_those_of_who_commands_are_not(
    server: WorldServer, told: list[tuple[Topic, Any]]
) -> None:
    server.step(command(1))
    told.clear()
    for number in range(1000):
        server.refuse(command(number, f"stranger {number % 7}"), "no", Cause.LEASE)
    untrusted_owner = len(results(told))
    assert 50 <= untrusted_owner < 500
    assert server.untold == 1000 - untrusted_owner
    for number in range(100):
        server.refuse(command(number), "no", Cause.ORDER)
    assert len(results(told)) == untrusted_owner + 100
    assert not [topic for topic, _ in told if topic is IMAGE], "nothing was looked at"


def test_a_lost_command_is_told_as_timed_out(server: WorldServer, told: list[tuple[Topic, Any]]) -> None:
    server.lose(command(1), "nobody knows")
    [result] = results(told)
    assert (result.status, result.reason, result.cause) == (Status.TIMED_OUT, "nobody knows", Cause.NONE)
