"""The world without a place."""

from __future__ import annotations

from vantage.config import Settings
from vantage.registry import WORLDS
from vantage.spatial import Viewpoint
from vantage.types import Command, Episode, Question, Status
from vantage.worlds.blind import BlindWorld
from vantage.worlds.protocol import World

EPISODE = Episode("e", "open-eqa", "home", Viewpoint(0, 0, 0, 0, 0), (Question("q1", "Where?"),), 0)


def test_it_shows_nothing_and_refuses_every_motion() -> None:
    world = BlindWorld()
    first = world.reset(EPISODE, 0)
    assert not first.rgb.any()
    assert first.depth is None
    assert first.instances is None
    result = world.step(Command(Viewpoint(0.1, 0, 0, 0, 0), "x+"))
    assert result.status is Status.REJECTED
    assert "no place" in result.reason
    assert result.reached == EPISODE.start
    stamps = [first.stamp, result.observation.stamp, world.observe().stamp, world.reset(EPISODE, 0).stamp]
    assert stamps == sorted(set(stamps))
    world.stop("enough")
    world.clear_stop()
    world.close()
    world.close()


def test_it_is_a_world_that_cannot_be_acted_in() -> None:
    world = WORLDS.create("none", Settings())
    assert isinstance(world, World)
    assert world.info.acts == frozenset()
    assert world.info.name == "none"
