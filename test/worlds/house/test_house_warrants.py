"""In a house a warrant is held against what the hand is at, where that is known before it moves."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from house_driver import EPISODE, START, Driver, house_settings
from touch_home import BLOCK
from warrants import hostile_targets

from vantage.registry import WORLDS
from vantage.spatial import rigid
from vantage.types import ArmTarget, Cause, Command, Status
from vantage.worlds.warrants import GUARD, MOVE_ARM, PUT, TAKE, WarrantFault, WarrantIssuer

pytestmark = pytest.mark.needs("house")

ABOVE = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])  # the hand points down
GRASP = Command(arm=ArmTarget(gripper_width=0.0, gripper_force=40.0))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder: Path = tmp_path_factory.mktemp("homes")
    settings = house_settings(folder).with_values({"house.grasp": "assisted"}, "test")
    with closing(WORLDS.create("house", settings)) as made:
        yield made


@pytest.fixture(scope="module")
def pressing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A world in which things are held by friction alone."""
    folder: Path = tmp_path_factory.mktemp("homes")
    settings = house_settings(folder).with_values({"house.grasp": "friction", "house.pictures": "none"}, "test")
    with closing(WORLDS.create("house", settings)) as made:
        yield made


def bring_hand_to_block(driver: Driver) -> None:
    for point in ((0.8, -0.25, 1.15), (1.0, -0.25, 0.90), (1.0, -0.25, 0.78)):
        result = driver.send(Command(arm=ArmTarget(T_world_tool=rigid(ABOVE, np.array(point)))))
        assert result.status is Status.DONE, result.reason


def allow(driver: Driver, *objects: str, kinds: tuple[str, ...] = (TAKE, PUT, MOVE_ARM)) -> None:
    stamp = driver.last.stamp
    warrant = WarrantIssuer().issue(
        GUARD, EPISODE.episode_id, "test", "test", kinds, objects, commands=20, issued=stamp, seconds=600.0
    )
    driver.world.grant(warrant)


def test_what_the_hand_would_take_must_be_named(world: Any) -> None:
    driver = Driver(world, replace(EPISODE, start=replace(START, x=0.42)), warranted=False)
    allow(driver, "mug")
    bring_hand_to_block(driver)
    refused = driver.send(GRASP)
    assert (refused.status, refused.cause) == (Status.REJECTED, Cause.UNWARRANTED)
    assert WarrantFault.OTHER_OBJECT.value in refused.reason
    assert "block" in refused.reason
    assert world.held is None
    allow(driver, f"block_{BLOCK}", kinds=(TAKE,))
    assert driver.send(GRASP).status is Status.DONE
    assert world.held == BLOCK
    release = Command(arm=ArmTarget(gripper_width=0.12))
    assert driver.send(release).status is not Status.REJECTED, "putting it down is a matter of the same thing"
    assert driver.send(Command(arm=ArmTarget(handle="open"))).cause == Cause.UNWARRANTED


def test_no_malicious_command_moves_the_hand(world: Any) -> None:
    driver = Driver(world, warranted=False)
    before, joints = driver.last.touch.T_world_tool, world.joint_positions()
    for target in hostile_targets(1_000):
        result = driver.send(Command(arm=target))
        assert result.status is Status.REJECTED
        assert result.cause in (Cause.UNWARRANTED, Cause.TARGET)
    assert np.array_equal(driver.last.touch.T_world_tool, before)
    assert world.joint_positions() == joints


def test_an_arm_moves_nothing_that_its_warrant_does_not_name(world: Any) -> None:
    driver = Driver(world, replace(EPISODE, start=replace(START, x=0.42)), warranted=False)
    allow(driver, "block", kinds=(TAKE,))
    bring_hand_to_block(driver)
    assert driver.send(GRASP).status is Status.DONE
    lift = Command(arm=ArmTarget(T_world_tool=rigid(ABOVE, np.array((1.0, -0.25, 0.85)))))
    for _ in range(20 - 4):
        driver.send(lift)  # until the warrant is used up
    allow(driver, "mug")
    refused = driver.send(lift)
    assert (refused.status, refused.cause) == (Status.REJECTED, Cause.UNWARRANTED)
    assert WarrantFault.OTHER_OBJECT.value in refused.reason
    assert "block" in refused.reason
    allow(driver, "block", kinds=(MOVE_ARM,))
    assert driver.send(lift).status is not Status.REJECTED


def test_what_was_pinched_and_is_not_named_is_let_go(pressing: Any) -> None:
    driver = Driver(pressing, replace(EPISODE, start=replace(START, x=0.42)), warranted=False)
    allow(driver, "mug")
    bring_hand_to_block(driver)
    before = pressing.poses()[BLOCK]
    opened = driver.send(GRASP)
    assert opened.status is Status.COLLIDED
    assert "block" in opened.reason
    assert "the hand opened again" in opened.reason
    assert pressing.held is None
    assert driver.send(Command(arm=ArmTarget(T_world_tool=rigid(ABOVE, np.array((1.0, -0.25, 0.95)))))).status in (
        Status.DONE,
        Status.COLLIDED,
    )
    assert np.allclose(pressing.poses()[BLOCK][:3, 3], before[:3, 3], atol=0.03), "it stayed where it was"
    allow(driver, "block")
    bring_hand_to_block(driver)
    assert driver.send(GRASP).status is Status.DONE
    assert pressing.held == BLOCK


class StopsWhile:
    """Stops a world as soon as its fingers press on something."""

    def __init__(self, world: Any) -> None:
        self._world = world
        world.simulation.watchers.append(self)

    def __call__(self) -> None:
        if self._world._loaded.hand.inside is not None:
            self._world.stop("somebody pressed the button")


def test_a_stop_amid_a_grasp_leaves_nothing_unnamed_in_the_hand(pressing: Any) -> None:
    driver = Driver(pressing, replace(EPISODE, start=replace(START, x=0.42)), warranted=False)
    allow(driver, "mug")
    bring_hand_to_block(driver)
    before = pressing.poses()[BLOCK]
    watcher = StopsWhile(pressing)
    try:
        assert driver.send(GRASP).status is Status.STOPPED
    finally:
        pressing.simulation.watchers.remove(watcher)
    pressing.clear_stop()
    for height in (0.80, 0.95):
        driver.send(Command(arm=ArmTarget(T_world_tool=rigid(ABOVE, np.array((1.0, -0.25, height))))))
    assert pressing.held is None
    assert np.allclose(pressing.poses()[BLOCK][:3, 3], before[:3, 3], atol=0.03), "it was not lifted"
