"""What a person did is played again into the nodes of the graph, with who she was and how long she thought."""

from __future__ import annotations

import threading
from collections import Counter
from pathlib import Path

import pytest
from four_phases import record_four
from rclpy.node import Node
from ros_fixtures import context_on, eventually, parameters, spinning

from vantage.config import Settings
from vantage.nodes.replay_node import ReplayNode
from vantage.nodes.runtime.rclpy_messages import interface
from vantage.nodes.runtime.topics import profile
from vantage.planning.agents import Decided, HumanAgent, Mailbox, WrittenAnswer
from vantage.recording.bags import read_bag
from vantage.recording.topics import ANSWER, PARTICIPANT, REPLAYED
from vantage.types import Participation

pytestmark = pytest.mark.real_time

WAIT = 60.0  # s


@pytest.fixture(scope="module")
def bag(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of a person who moves once in each phase that asks nothing, and answers everything."""
    mailbox = Mailbox()
    agent = HumanAgent(Settings(), mailbox)
    agent.seat(Participation("p-1", "00", "replay", "c"))
    found: list[Path] = []
    folder = tmp_path_factory.mktemp("person")
    thread = threading.Thread(target=lambda: found.append(record_four(folder, agent)))
    thread.start()
    moved, number = set(), 0
    try:
        while (sight := mailbox.look(number, 1.0)) is not None or thread.is_alive():
            if sight is None:
                continue
            number = sight.number
            if sight.question:
                mailbox.decide(number, Decided(answer=WrittenAnswer("yes")))
            else:
                mailbox.decide(number, Decided("" if sight.phase in moved else "x+"))
                moved.add(sight.phase)
    finally:
        mailbox.close("the test ended")
        thread.join(WAIT)
    return found[0]


def test_a_persons_bag_is_played_with_who_she_was_and_all_that_she_decided(bag: Path) -> None:
    recorded = [message for _, _, message in read_bag(bag, (PARTICIPANT,))]
    assert {message.mode for message in recorded} == {"replay"}
    with context_on() as context:
        told: list = []
        counted: Counter[str] = Counter()
        ears = Node("ears", context=context)
        for topic in REPLAYED:
            ears.create_subscription(
                interface(topic.type),
                topic.name,
                lambda message, topic=topic: (
                    counted.update([topic.name]),
                    told.append(message) if topic is PARTICIPANT else None,
                ),
                profile(topic, depth=100),
            )
        replay = ReplayNode(context, parameters(bag=str(bag), rate=5.0))
        with spinning(context, ears, replay):
            assert replay.finished.wait(WAIT)
            assert replay.failure is None
            eventually(lambda: sum(counted.values()) >= replay.played, WAIT)
    assert counted == Counter(topic.name for topic, _, _ in read_bag(bag, REPLAYED))
    assert counted[ANSWER.name] == 8
    assert [decided(message) for message in told] == [decided(message) for message in recorded]
    assert Counter(message.action for message in told) == {"": 1, "x+": 2, "done": 2, "answer": 8}


def decided(message: object) -> tuple[object, ...]:
    names = ("pseudonym", "consent_sha256", "mode", "client_id", "phase", "action", "sequence", "question_id")
    return (*(getattr(message, name) for name in names), round(message.thinking_time, 6))
