"""Which looks and results are missing, what the world is asked for, and when it is given up."""

from __future__ import annotations

import tracemalloc
from types import SimpleNamespace
from typing import cast

from vantage.nodes.evaluator.missing_looks import Answered, MissingLooks
from vantage.nodes.evaluator.open_recording import OpenRecording
from vantage.recording import COMMAND_RESULT, DEPTH, IMAGE_COMPRESSED, TF, Topic


class World:
    """Answers requests from what it keeps, by hand."""

    def __init__(self, *topics: Topic) -> None:
        self.asked: list[tuple[int, Answered]] = []
        self.warnings: list[str] = []
        self.missing = MissingLooks(
            topics, lambda stamp, answered: self.asked.append((stamp, answered)), lambda stamp: (), self.warnings.append
        )
        self.recording = cast(OpenRecording, SimpleNamespace(begun=5, results={}, resets=[], expected=None))
        self.now = 0.0

    def shown(self, number: int, stamp: int, *topics: Topic) -> None:
        """A command was carried out, and these messages about the look that shows it have arrived."""
        self.recording.results[number] = stamp
        self.missing.heard(COMMAND_RESULT, number)
        for topic in topics:
            self.missing.heard(topic, stamp)

    def tick(self, over: bool = False, after: float = 0.0) -> list[int]:
        """The stamps of all requests so far."""
        self.now += after
        self.missing.tick(self.recording, self.now, over)
        return [stamp for stamp, _ in self.asked]

    def answer(self, found: int | None, *sent: tuple[Topic, int], why: str = "") -> None:
        self.asked[-1][1](found, why)
        for topic, key in sent:
            assert self.missing.recall(topic, key)


def test_a_message_is_lost_once_a_later_one_of_its_topic_is_there() -> None:
    world = World(TF, DEPTH)
    world.shown(1, 10, TF, DEPTH)
    world.shown(2, 20, TF)
    assert world.tick() == [], "it may be on its way"
    assert world.missing.count(world.recording) == 1
    world.shown(3, 30, TF, DEPTH)
    assert world.tick() == [20]
    assert world.tick() == [20], "one request at a time"
    world.answer(20, (DEPTH, 20))
    world.tick()
    assert world.missing.count(world.recording) == 0
    assert world.missing.was_recalled(DEPTH, 20)
    assert not world.missing.recall(DEPTH, 20), "it is there now"


def test_at_the_end_what_did_not_arrive_is_lost_without_a_later_message() -> None:
    world = World(TF, IMAGE_COMPRESSED)
    world.shown(1, 10, TF, IMAGE_COMPRESSED)
    world.shown(2, 20, TF)
    assert world.tick() == []
    assert world.tick(over=True) == [20]


def test_a_topic_of_which_nothing_ever_came_is_not_missed() -> None:
    world = World(TF, DEPTH)
    world.shown(1, 10, TF)
    assert world.tick(over=True) == []
    assert world.missing.count(world.recording) == 0


def test_looks_of_before_the_episode_are_not_missed() -> None:
    world = World(TF)
    world.shown(1, 10, TF)
    world.recording.results[2] = 3
    assert world.tick(over=True) == []


def test_a_look_that_the_world_no_longer_has_is_said_by_name() -> None:
    world = World(TF, DEPTH)
    world.shown(1, 10, TF, DEPTH)
    world.shown(2, 20, TF)
    world.shown(3, 30, TF, DEPTH)
    world.tick()
    world.answer(30)
    assert world.tick(over=True) == [20]
    assert world.missing.gone() == {DEPTH: 1}
    [warning] = world.warnings
    assert warning.startswith(
        "camera/depth/image_raw of the look at 20 ns did not arrive, and the world cannot send it"
    )
    assert warning.endswith(": it keeps later looks alone")


def test_a_look_that_is_sent_without_what_is_missing_is_asked_for_again_and_then_given_up() -> None:
    world = World(TF, DEPTH)
    for number in (1, 2, 3):
        world.shown(number, 10 * number, TF)
    world.shown(4, 40, TF, DEPTH)
    asked = 0
    for _ in range(40):
        world.tick(after=0.6)
        if len(world.asked) > asked:
            asked = len(world.asked)
            world.answer(world.asked[-1][0])
    assert [stamp for stamp, _ in world.asked] == [10] * 3 + [20] * 3, "the third would be in vain, too"
    assert world.missing.count(world.recording) == 0


def test_results_are_looked_for_from_the_one_before_to_the_one_after() -> None:
    world = World(TF)
    world.shown(1, 10, TF)
    world.shown(4, 40, TF)
    assert world.tick() == [10]
    world.answer(10)
    assert world.tick() == [10, 11]
    world.recording.results[2] = 20
    world.answer(20, (COMMAND_RESULT, 2), (TF, 20))
    assert world.tick()[2:] == [21]
    world.answer(40)
    world.tick()
    assert world.tick(after=0.5)[3:] == [], "the last one may be on its way"
    assert world.missing.is_missing(world.recording, 3)
    world.tick(after=0.6)
    assert world.asked[-1][0] == 20, "what was sent may not have arrived: from the one before once more"
    answered = len(world.asked) - 1
    for _ in range(20):
        if len(world.asked) > answered:
            answered = len(world.asked)
            world.answer(20 if world.asked[-1][0] == 20 else 40)
        world.tick(after=1.1)
    assert [stamp for stamp, _ in world.asked] == [10, 11, 21, 20, 21, 20, 21]
    assert world.missing.gone()[COMMAND_RESULT] == 1
    assert "1 command results from 3 on did not arrive" in world.warnings[0]


def test_results_at_the_end_are_missed_by_their_number() -> None:
    world = World(TF)
    world.shown(1, 10, TF)
    world.recording.expected = (2, 0)
    assert world.tick() == []
    assert world.tick(over=True) == [10]
    world.answer(None, why="no look at or after 10 ns is kept")
    world.tick()
    world.tick(after=1.1)
    assert world.missing.gone() == {COMMAND_RESULT: 1}


def test_a_result_of_any_number_takes_no_memory() -> None:
    """A stranger's command has the number that he gives it, and the world says what became of it."""
    world = World(TF)
    world.shown(1, 10, TF)
    world.shown(2**63, 20, TF)
    tracemalloc.start()
    world.tick()
    world.answer(None, why="it has none")
    world.tick()
    world.tick(after=2.0)
    assert world.missing.count(world.recording) == 0, "the world has nothing of it, and nothing more is asked for"
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1 << 20
    assert len(world.asked) == 1
    assert len(world.warnings) == 1
