from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace

import fake_world
import numpy as np
import pytest
from ros_fixtures import SMALL, context_on, parameters, spinning

from vantage.config import Settings
from vantage.errors import EpisodeError, WorldError
from vantage.nodes.world.ros_world import RosWorld, connect
from vantage.nodes.world.world_node import WorldNode
from vantage.spatial import Viewpoint
from vantage.types import Command, Status

pytestmark = pytest.mark.real_time

fake_world.register()


def settings(**run: float) -> Settings:
    return Settings().with_values({f"run.{key}": value for key, value in run.items()}, "test")


@pytest.fixture
def world() -> Iterator[RosWorld]:
    with context_on() as context:
        node = WorldNode(context, parameters(world="fake", run__rate_hz=20.0, **SMALL))
        with spinning(context, node):
            remote = connect(settings(step_timeout=5.0, reset_timeout=10.0), context=context)
            try:
                yield remote
            finally:
                remote.close()


def command(sequence: int, target: Viewpoint | None, action: str = "", source: str = "test") -> Command:
    return Command(target, action, episode_id="episode-1", source=source, sequence=sequence)


START = Viewpoint(0.25, -0.5, 1.0, 0.5, -0.25)


def test_reset_shows_exactly_what_the_world_shows(world: RosWorld) -> None:
    episode = fake_world.fake_episode(start=START)
    local = fake_world.FakeWorld(Settings().with_values({"camera.width": 64, "camera.height": 48}, "test"))
    expected, seen = local.reset(episode, 1), world.reset(episode, 1)
    assert seen.viewpoint == START
    assert seen.intrinsics == expected.intrinsics
    assert seen.stamp == expected.stamp
    assert seen.legend == expected.legend
    for part in ("rgb", "depth", "instances"):
        theirs, ours = getattr(expected, part), getattr(seen, part)
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours, theirs)
    assert world.info.name == "ros"
    assert world.info.senses == {"rgb", "depth", "instances"}
    assert world.info.limits == local.info.limits


def test_each_command_is_answered_with_the_frame_of_its_stamp(world: RosWorld) -> None:
    stamp = world.reset(fake_world.fake_episode(start=START), 1).stamp
    for number in range(1, 9):
        target = replace(START, x=START.x + 0.1 * number, yaw=START.yaw - 0.1 * number)
        result = world.step(command(number, target))
        assert (result.status, result.reason, result.reached) == (Status.DONE, "", target)
        seen = result.observation
        assert seen.stamp > stamp
        stamp = seen.stamp
        assert seen.rgb[0, 0, 0] == int(40 * (target.x + 2.5))


def test_refusals_and_collisions_are_results(world: RosWorld) -> None:
    world.reset(fake_world.fake_episode(start=START), 1)
    out_of_order = world.step(command(3, START))
    assert out_of_order.status == Status.REJECTED
    assert "expected command 1, got 3" in out_of_order.reason
    assert world.step(command(1, START)).status == Status.DONE
    assert "does not hold the lease" in world.step(command(2, START, source="someone")).reason
    assert "not finite" in world.step(command(2, None)).reason
    too_far = world.step(command(3, replace(START, y=1.9)))
    assert too_far.status == Status.REJECTED
    assert too_far.reached == START
    near_wall = replace(START, x=1.4)
    for number in range(4, 9):
        world.step(command(number, replace(START, x=START.x + 0.23 * (number - 3))))
    hit = world.step(command(9, replace(near_wall, x=1.6)))
    assert hit.status == Status.COLLIDED
    assert hit.reason == "the body touches a wall"
    assert hit.reached.x < 1.5


def test_a_stop_reaches_a_running_step_and_stays(world: RosWorld) -> None:
    world.reset(fake_world.fake_episode(), 1)
    where = Viewpoint(0.1, 0.0, 1.0, 0.0, 0.0)
    timer = threading.Timer(0.3, world.stop, ["hand in the way"])
    timer.start()
    begun = time.monotonic()
    result = world.step(command(1, where, action=fake_world.SLOW))
    timer.join()
    assert result.status == Status.STOPPED
    assert time.monotonic() - begun < 0.9 * fake_world.SLOW_TIME
    assert world.step(command(2, where)).status == Status.STOPPED
    world.reset(fake_world.fake_episode(), 1)
    assert world.step(command(1, where)).status == Status.STOPPED, "a reset must not clear a stop"
    world.clear_stop()
    assert world.step(command(2, where)).status == Status.DONE


def test_observe_waits_for_a_later_frame_with_its_own_pose(world: RosWorld) -> None:
    first = world.reset(fake_world.fake_episode(start=START), 1)
    second = world.observe()
    third = world.observe()
    assert first.stamp < second.stamp < third.stamp
    np.testing.assert_allclose(
        [second.viewpoint.x, second.viewpoint.yaw, second.viewpoint.pitch],
        [START.x, START.yaw, START.pitch],
        atol=1e-12,
    )


def test_bad_episodes_are_refused_in_the_words_of_the_world(world: RosWorld) -> None:
    with pytest.raises(EpisodeError, match=r"x = 9\.000 m is outside"):
        world.reset(fake_world.fake_episode(start=replace(START, x=9.0)), 1)
    with pytest.raises(EpisodeError, match="needs scene 'attic'"):
        world.reset(replace(fake_world.fake_episode(), scene="attic"), 1)
    assert world.reset(fake_world.fake_episode(), 1).viewpoint.x == 0.0


def test_without_instances_there_is_no_legend() -> None:
    with context_on() as context:
        node = WorldNode(context, parameters(world="fake", world__instances=False, **SMALL))
        with spinning(context, node):
            remote = connect(settings(reset_timeout=10.0), context=context)
            seen = remote.reset(fake_world.fake_episode(), 1)
            assert seen.instances is None
            assert seen.legend is None
            assert remote.info.senses == {"rgb", "depth"}
            remote.close()
            remote.close()


def test_nobody_there_is_an_error_with_a_deadline() -> None:
    with context_on() as context:
        remote = connect(settings(reset_timeout=0.3), context=context)
        begun = time.monotonic()
        with pytest.raises(WorldError, match="no world_node was found"):
            remote.reset(fake_world.fake_episode(), 1)
        assert time.monotonic() - begun < 20.0
        remote.close()


def test_a_world_that_vanishes_is_named_within_the_deadline() -> None:
    with context_on() as context:
        node = WorldNode(context, parameters(world="fake", **SMALL))
        remote = None
        with spinning(context, node):
            remote = connect(settings(step_timeout=0.5, reset_timeout=5.0), context=context)
            remote.reset(fake_world.fake_episode(), 1)
        begun = time.monotonic()
        with pytest.raises(WorldError, match=r"command_result for command 1 .* did not arrive"):
            remote.step(command(1, START))
        assert time.monotonic() - begun < 20.0
        remote.close()
