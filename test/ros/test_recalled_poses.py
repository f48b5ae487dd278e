"""The evaluator's questions to the world about where things were are answered in order, or given up in time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from rclpy.node import Node
from ros_fixtures import context_on, eventually, spinning
from vantage_eqa.srv import RecallPoses, ResetWorld

from vantage.nodes.evaluator import recalled_poses as module
from vantage.nodes.evaluator.moved_looks import Recalled
from vantage.nodes.evaluator.recalled_poses import RecalledPoses
from vantage.nodes.runtime.callbacks import every, serve
from vantage.nodes.runtime.rclpy_messages import RclpyFactory
from vantage.nodes.world.pose_history import PoseHistory
from vantage.recording.to_messages import Codec

pytestmark = pytest.mark.real_time

CODEC = Codec(RclpyFactory())


class Table:
    """A world of one cup, at x = 1 m and further off with each command."""

    x = 1.0

    def poses(self) -> dict[int, np.ndarray]:
        pose = np.eye(4)
        pose[0, 3] = self.x
        return {7: pose}

    def joint_positions(self) -> dict[tuple[int, str], float]:
        return {(9, "drawer 1"): self.x - 1.0}


class Asker:
    """Asks where the callbacks of its node run, as the evaluator does."""

    def __init__(self, node: Node) -> None:
        self.told: list[tuple[int, Recalled | None, str]] = []
        self.wanted: list[int] = []
        self._recalled = RecalledPoses(node, CODEC)
        every(node, 0.02, self._tick)

    def _tick(self) -> None:
        while self.wanted:
            stamp = self.wanted.pop(0)
            self._recalled.ask(stamp, lambda found, trouble, stamp=stamp: self.told.append((stamp, found, trouble)))
        self._recalled.tick()

    def ask(self, *stamps: int, within: float = 60.0) -> list[tuple[int, Recalled | None, str]]:
        self.told.clear()
        self.wanted += stamps
        eventually(lambda: len(self.told) == len(stamps), within)
        return list(self.told)


@pytest.fixture
def pair() -> Iterator[tuple[Asker, Node]]:
    with context_on() as context:
        node, world = Node("asker", context=context), Node("world", context=context)
        with spinning(context, node), spinning(context, world):
            yield Asker(node), world


Handler = Callable[[Any, Any], Any]


def history() -> Handler:
    world = Table()
    known = PoseHistory(world)
    known.begin(10, "old")
    known.begin(100, "now")
    for stamp in (200, 300):
        world.x += 1.0
        known.note(stamp)
    return lambda request, response: known.answer(CODEC, request, response)


def test_answers_come_in_order_and_tell_of_the_look(pair: tuple[Asker, Node]) -> None:
    asker, world = pair
    serve(world, RecallPoses, "recall_poses", history())
    told = asker.ask(100, 150, 200, 300, 99)
    assert [stamp for stamp, _, _ in told] == [100, 150, 200, 300, 99]
    assert "99 ns is not known" in told[-1][2]
    assert told[-1][1] is None
    found = [item for _, item, _ in told[:-1] if item is not None]
    assert [item.poses.things[7][0, 3] for item in found] == [1.0, 1.0, 2.0, 3.0]
    assert [item.poses.joints[9, "drawer 1"] for item in found] == [0.0, 0.0, 1.0, 2.0]
    assert {(item.episode_id, item.begun, item.start.things[7][0, 3]) for item in found} == {("now", 100, 1.0)}


def test_a_world_that_offers_a_reset_alone_changes_nothing(
    pair: tuple[Asker, Node], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_FIND", 600.0)  # so that only a world which was found can be the reason
    monkeypatch.setattr(module, "_DEADLINE", 600.0)
    asker, world = pair
    serve(world, ResetWorld, "reset_world", lambda request, response: response)
    assert asker.ask(1, 2) == [(1, None, ""), (2, None, "")]
    assert asker.ask(3) == [(3, None, "")]


def test_without_a_world_nothing_is_known_to_move(pair: tuple[Asker, Node]) -> None:
    assert pair[0].ask(1) == [(1, None, "")]


def test_a_world_that_does_not_answer_is_given_up(pair: tuple[Asker, Node], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_DEADLINE", 0.6)
    monkeypatch.setattr(module, "_AGAIN", 0.2)
    asker, world = pair
    asked: list[int] = []
    slow = [True]
    answer = history()

    def mute(request: Any, response: Any) -> Any:
        asked.append(request.observation_stamp.nanosec)
        while slow[0]:
            time.sleep(0.01)
        return answer(request, response)

    serve(world, RecallPoses, "recall_poses", mute)
    told = asker.ask(200, 300)
    assert [(stamp, found) for stamp, found, _ in told] == [(200, None), (300, None)]
    assert all("did not tell within" in trouble for _, _, trouble in told)
    slow[0] = False
    [(_, found, trouble)] = asker.ask(300)
    assert trouble == ""
    assert found is not None
    assert found.poses.things[7][0, 3] == 3.0, "late answers to earlier questions do not count"
    assert len(asked) > 2, "it was asked again"


def test_poses_that_are_none_are_not_believed(pair: tuple[Asker, Node]) -> None:
    asker, world = pair

    def forged(request: Any, response: Any) -> Any:
        response = history()(request, response)
        response.poses.poses[0].position.x = float("nan")
        return response

    serve(world, RecallPoses, "recall_poses", forged)
    [(_, found, trouble)] = asker.ask(300)
    assert found is None
    assert "cannot be true" in trouble
