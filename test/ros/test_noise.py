"""Random messages, bytes and requests on everything that the nodes listen to, over real DDS: all stay and answer."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fake_world
import pytest
from rclpy.node import Node
from ros_fixtures import call, context_on, eventually, parameters, spinning
from std_srvs.srv import Trigger
from vantage_eqa.srv import (
    AskQuestion,
    CancelQuestion,
    CheckQuestion,
    ConfirmCorrection,
    InterpretTask,
    ResetWorld,
    ScoreBag,
)

from vantage.nodes.bench.message_flood import random_bytes, random_message
from vantage.nodes.evaluator.evaluator_node import EvaluatorNode
from vantage.nodes.planner.planner_node import PlannerNode
from vantage.nodes.qa.qa_node import QaNode
from vantage.nodes.runtime.callbacks import callbacks_of
from vantage.nodes.runtime.rclpy_messages import RclpyFactory, interface
from vantage.nodes.runtime.topics import profile
from vantage.nodes.world.world_node import WorldNode
from vantage.recording import topics
from vantage.recording.to_messages import Codec
from vantage.recording.topics import Topic
from vantage.types import EpisodeState

pytestmark = pytest.mark.real_time

fake_world.register()
CODEC = Codec(RclpyFactory())
EACH = 600  # random messages, bytes and requests for a node
SMALL = {"camera__width": 64, "camera__height": 48}
TOPICS = {f"/{item.name.lstrip('/')}": item for item in vars(topics).values() if isinstance(item, Topic)}
SERVICES = {
    "world_node": {"reset_world": ResetWorld, **dict.fromkeys(("stop", "clear_stop", "confirm_motion"), Trigger)},
    "qa_node": {
        "ask_question": AskQuestion,
        "check_question": CheckQuestion,
        "confirm_correction": ConfirmCorrection,
        "cancel_question": CancelQuestion,
    },
    "planner_node": {"interpret_task": InterpretTask},
    "evaluator_node": {"score_bag": ScoreBag},
}


def episode() -> Any:
    return CODEC.episode(0, fake_world.fake_episode(), EpisodeState.PENDING)


def world_answers(asker: Node) -> bool:
    call(asker, Trigger, "clear_stop")
    return bool(call(asker, ResetWorld, "reset_world", episode=episode(), seed=1).ok)


def qa_answers(asker: Node) -> bool:
    return "no question" in call(asker, CancelQuestion, "cancel_question", question_id="nobody").message


def planner_answers(asker: Node) -> bool:
    return bool(call(asker, InterpretTask, "interpret_task", instruction="Is there a cup?") is not None)


def evaluator_answers(asker: Node) -> bool:
    return "there is no folder" in call(asker, ScoreBag, "score_bag", path="/nowhere").message


@pytest.mark.parametrize(
    ("make", "answers"),
    [
        (lambda context, folder: WorldNode(context, parameters(world="fake", **SMALL)), world_answers),
        (lambda context, folder: QaNode(context), qa_answers),
        (lambda context, folder: PlannerNode(context), planner_answers),
        (lambda context, folder: EvaluatorNode(context, parameters(out=str(folder))), evaluator_answers),
    ],
    ids=["world", "qa", "planner", "evaluator"],
)
def test_a_node_outlives_noise(tmp_path: Path, make: Callable[..., Node], answers: Callable[[Node], bool]) -> None:
    lots = random.Random(7)
    with context_on() as context:
        node, stranger = make(context, tmp_path / "bags"), Node("stranger", context=context)
        name = node.get_name()
        with spinning(context, node), spinning(context, stranger):
            eventually(lambda: answers(stranger), 20.0)
            heard = [
                TOPICS[topic]
                for topic, _ in stranger.get_subscriber_names_and_types_by_node(name, "/")
                if topic in TOPICS
            ]
            assert heard
            publishers = {
                topic: stranger.create_publisher(interface(topic.type), topic.name, profile(topic, 10))
                for topic in heard
            }
            for publisher in publishers.values():
                eventually(lambda publisher=publisher: publisher.get_subscription_count() > 0)
            for number in range(2 * EACH):
                topic = heard[number % len(heard)]
                kind = interface(topic.type)
                make_noise = random_message if number % 2 else random_bytes
                publishers[topic].publish(make_noise(kind, lots))
                if number % 100 == 0:
                    time.sleep(0.005)  # the node is to hear most of it
            ask_noise(stranger, SERVICES[name], lots)
            eventually(lambda: answers(stranger), 30.0)
        assert node.executor is None or callbacks_of(node).failures < 3 * EACH


def ask_noise(stranger: Node, services: dict[str, Any], lots: random.Random) -> None:
    """Random requests, of which a few at a time are under way; what answers, answers in time."""
    clients = {name: stranger.create_client(kind, name) for name, kind in services.items()}
    for client in clients.values():
        assert client.wait_for_service(10.0)
    open_requests: list[Any] = []
    for number in range(EACH):
        name = list(services)[number % len(services)]
        open_requests.append(clients[name].call_async(random_message(services[name].Request, lots)))
        if len(open_requests) >= 8:
            eventually(open_requests.pop(0).done, 30.0)
    for future in open_requests:
        eventually(future.done, 30.0)
    for client in clients.values():
        stranger.destroy_client(client)
