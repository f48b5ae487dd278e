"""The conformance checker over real DDS."""

from __future__ import annotations

from pathlib import Path

import fake_world
import pytest
from fake_set import room_set
from ros_fixtures import SMALL, context_on, parameters, spinning

from vantage.config import Settings
from vantage.nodes.world.ros_world import connect
from vantage.nodes.world.world_node import WorldNode
from vantage.worlds.conformance import check_world

pytestmark = pytest.mark.real_time

fake_world.register()


def test_the_fake_world_conforms_by_itself() -> None:
    settings = Settings().with_values({"camera.width": 32, "camera.height": 24}, "test")
    assert check_world(lambda: fake_world.FakeWorld(settings), fake_world.fake_episode())


def test_a_fake_world_over_ros_conforms() -> None:
    with context_on() as context:
        node = WorldNode(context, parameters(world="fake", run__rate_hz=50.0, **SMALL))
        with spinning(context, node):
            checked = check_world(lambda: connect(Settings(), context=context), fake_world.fake_episode())
    assert {"out_of_turn", "stop_latches", "same_seed_same_run", "close_twice"} <= set(checked)


def test_the_splat_world_over_ros_conforms(tmp_path: Path) -> None:
    made = room_set(tmp_path / "set")
    with context_on() as context:
        node = WorldNode(
            context,
            parameters(world="splat", world__scenes=str(tmp_path / "set" / "scenes"), run__rate_hz=50.0, **SMALL),
        )
        with spinning(context, node):
            assert check_world(lambda: connect(Settings(), context=context), made.episodes[0])
