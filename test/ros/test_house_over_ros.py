"""A house over real DDS: it keeps every promise, and what is commanded, seen and felt is what is in process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

import numpy as np
import pytest
from house_driver import EPISODE, Driver, house_settings
from ros_fixtures import context_on, spinning

from vantage.config import Settings
from vantage.nodes.runtime.parameters import overrides
from vantage.nodes.world.ros_world import RosWorld, connect
from vantage.nodes.world.world_node import GROUPS, WorldNode
from vantage.registry import WORLDS
from vantage.types import Status
from vantage.worlds.conformance import check_world
from vantage.worlds.conformance.arm_checks import ARM_CHECKS

pytestmark = pytest.mark.needs("house")
WAY = ("turn_left", "move_forward", "look_down", "lift_up", "turn_right", "move_backward", "look_up")


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return house_settings(tmp_path_factory.mktemp("homes"))


@contextmanager
def served(settings: Settings) -> Iterator[RosWorld]:
    with context_on() as context:
        node = WorldNode(context, overrides(settings, GROUPS, world="house"))
        with spinning(context, node), closing(connect(settings, context=context)) as world:
            yield world


def test_a_house_over_ros_conforms(settings: Settings) -> None:
    with served(settings) as world:
        checked = check_world(lambda: world, EPISODE)
    assert set(ARM_CHECKS) | {"out_of_turn", "stop_latches", "same_seed_same_run", "close_twice"} <= set(checked)


def same(settings: Settings) -> None:
    with closing(WORLDS.create("house", settings)) as local, served(settings) as remote:
        here, there = Driver(local), Driver(remote)
        for action in ("", *WAY):
            if action:
                assert here.act(action).status is there.act(action).status is Status.DONE, action
            assert there.last.viewpoint == here.last.viewpoint
            assert there.last.touch is not None
            assert here.last.touch is not None
            for name in ("T_world_tool", "force", "torque"):
                ours, theirs = getattr(here.last.touch, name), getattr(there.last.touch, name)
                np.testing.assert_allclose(theirs, ours, atol=1e-12, err_msg=f"{name} after {action}")
            assert here.last.posture is not None
            assert there.last.posture is not None
            assert there.last.posture.joints == here.last.posture.joints
            for name in ("rgb", "depth", "instances"):
                np.testing.assert_array_equal(getattr(there.last, name), getattr(here.last, name))
            assert there.last.legend == here.last.legend


def test_poses_and_forces_are_those_in_process(settings: Settings) -> None:
    same(settings)


@pytest.mark.needs("gl")
def test_pictures_are_those_in_process(settings: Settings) -> None:
    sizes = {"house.pictures": "all", "house.depth_width": 32, "house.depth_height": 24}
    same(settings.with_values(sizes, "test"))
