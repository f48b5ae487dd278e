"""A recorder asks the world for looks, which sends what it published of them once more, over DDS."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from rclpy.node import Node
from rclpy.serialization import deserialize_message
from ros_fixtures import call, context_on, eventually, spinning

from vantage.nodes.evaluator.recalled_looks import RecalledLooks
from vantage.nodes.runtime.callbacks import callbacks_of, every
from vantage.nodes.runtime.rclpy_messages import RclpyFactory, interface
from vantage.nodes.world.look_history import LookHistory
from vantage.nodes.world.look_recall import LookRecall
from vantage.recording import CAMERA_INFO, COMMAND_RESULT, Codec, Topic, read_stamp
from vantage.spatial import Intrinsics

pytestmark = pytest.mark.real_time

CODEC = Codec(RclpyFactory())


class Asker:
    """Asks where the callbacks of its node run, as the evaluator does."""

    def __init__(self, node: Node) -> None:
        self.taken: list[tuple[Topic, bytes]] = []
        self.answers: list[tuple[int | None, str]] = []
        self.wanted: list[int] = []
        self._looks = RecalledLooks(node, CODEC, lambda topic, data: self.taken.append((topic, data)))
        every(node, 0.02, self._tick)

    def _tick(self) -> None:
        while self.wanted:
            self._looks.ask(self.wanted.pop(), lambda found, why: self.answers.append((found, why)))
        self._looks.tick()

    def ask(self, stamp: int) -> tuple[int | None, str]:
        self.answers.clear()
        self.wanted.append(stamp)
        return eventually(lambda: self.answers, 60.0)[0]


@pytest.fixture
def pair() -> Iterator[tuple[Asker, Node]]:
    with context_on() as context:
        node, world = Node("asker", context=context), Node("world", context=context)
        with spinning(context, node), spinning(context, world):
            yield Asker(node), world


def test_a_look_comes_again_as_it_was_and_is_named(pair: tuple[Asker, Node]) -> None:
    asker, world = pair
    history = LookHistory()
    info = CODEC.camera_info(100, Intrinsics.from_fov(64, 48, 1.0))
    result = CODEC.make("vantage_eqa/msg/CommandResult", header=CODEC.header(100), sequence=7, source="planner")
    history.note(CAMERA_INFO, 100, info)
    history.note(COMMAND_RESULT, 100, result)
    recall = LookRecall(world, CODEC, history, callbacks_of(world).job_queue("recall_look"))
    assert asker.ask(50) == (100, "")
    eventually(lambda: len(asker.taken) == 2, 60.0)
    taken = dict(asker.taken)
    assert deserialize_message(taken[CAMERA_INFO], interface(CAMERA_INFO.type)) == info
    message = deserialize_message(taken[COMMAND_RESULT], interface(COMMAND_RESULT.type))
    assert (read_stamp(message), message.sequence) == (100, 7)
    found, why = asker.ask(101)
    assert found is None
    assert why == "no look at or after 101 ns is kept"
    recall.close()
    assert asker.ask(50) == (None, "nobody offers recall_look"), "the world was cleaned up meanwhile"


def test_a_world_that_keeps_no_looks_is_soon_given_up(pair: tuple[Asker, Node]) -> None:
    assert pair[0].ask(1) == (None, "nobody offers recall_look")


def test_a_look_that_nobody_hears_is_not_sent_and_is_named(pair: tuple[Asker, Node]) -> None:
    """The asker has found the service before the world found its subscriptions."""
    from vantage_eqa.srv import RecallPoses

    _, world = pair
    history = LookHistory()
    history.note(CAMERA_INFO, 100, CODEC.camera_info(100, Intrinsics.from_fov(64, 48, 1.0)))
    recall = LookRecall(world, CODEC, history, callbacks_of(world).job_queue("recall_look"))
    answer = call(world, RecallPoses, "recall_look", observation_stamp=CODEC.time(50))
    assert not answer.ok
    assert read_stamp(answer.poses) == 100
    assert answer.message == "nobody listens to recalled/camera/camera_info"
    recall.close()
