"""The recorder without a network: what lands in bags whatever the order of arrival."""

from __future__ import annotations

import math
import random
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import fake_world
import numpy as np
import pytest
from fake_set import CUP, fake_set
from rclpy.serialization import deserialize_message, serialize_message

from vantage.config import Settings
from vantage.nodes.evaluator import recorder as module
from vantage.nodes.evaluator.message_parts import stamp_of
from vantage.nodes.evaluator.missing_looks import Answered, Ask, nothing_recalled
from vantage.nodes.evaluator.moved_looks import Recall, Recalled, Told, nothing_moves
from vantage.nodes.evaluator.recorder import Recorder
from vantage.nodes.runtime.rclpy_messages import RclpyFactory, interface
from vantage.recording.bags import read_bag
from vantage.recording.publishers import PlannerPublisher, WorldPublisher, publish_observation
from vantage.recording.recordings import read_recording
from vantage.recording.to_messages import Codec
from vantage.recording.topics import (
    ANSWER,
    CAMERA_INFO,
    COMMAND_RESULT,
    DEPTH,
    EPISODE,
    IMAGE,
    IMAGE_COMPRESSED,
    INSTANCES,
    RECALLABLE,
    RECORDED,
    ROBOT_DESCRIPTION,
    SEARCH_MARKERS,
    TF,
    TF_STATIC,
    TRUTH,
    TRUTH_POSES,
    TRUTH_VISIBILITY,
    Topic,
    wanted_in_bag,
)
from vantage.reports.scoring import score_bag, score_runs
from vantage.runs.gold import GoldData
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Answer, Command, EpisodeState, Observation, Poses, Verdict

CODEC = Codec(RclpyFactory())
PICTURES = (IMAGE, IMAGE_COMPRESSED, DEPTH, INSTANCES)


class Bench:
    """A recorder, and an episode of two commands told to it in any order."""

    def __init__(self, folder: Path) -> None:
        made = fake_set(folder / "set", episodes=2)
        self.episodes = made.episodes
        self.bags: list[Path] = []
        self.failed: list[tuple[str, str]] = []
        self.warnings: list[str] = []
        self.publishers = 1
        self.numbers: Counter[Topic] = Counter()
        self.told: list[Topic] = []
        self.recall: Recall = nothing_moves
        self.ask: Ask = nothing_recalled
        self.looks: dict[int, Observation] = {}  # by stamp
        self.gold = GoldData(made.folder)
        self.recorder = Recorder(
            folder / "bags",
            wanted_in_bag(Settings()),
            self.gold,
            CODEC,
            lambda topic, data: deserialize_message(data, interface(topic.type)),
            lambda topic, message: self.told.append(topic),
            lambda episode_id, path: self.bags.append(path),
            lambda episode_id, reason: self.failed.append((episode_id, reason)),
            self.warnings.append,
            lambda topic: self.publishers,
            lambda stamp, told: self.recall(stamp, told),
            lambda stamp, answered: self.ask(stamp, answered),
        )
        settings = Settings().with_values({"camera.width": 32, "camera.height": 24}, "test")
        self.world = fake_world.FakeWorld(settings)

    def messages(self, number: int) -> list[tuple[Topic, bytes]]:
        """What planner and world publish in one episode."""
        sent: list[tuple[Topic, bytes]] = []

        def publish(topic: Topic, stamp: int, message: Any) -> None:
            sent.append((topic, bytes(serialize_message(message))))

        episode = self.episodes[number]
        world, planner = WorldPublisher(CODEC, publish, lambda topic: True), PlannerPublisher(CODEC, publish)
        agent = _Agent()
        begun = self.world.observe().stamp
        planner.started(episode, agent, begun)  # type: ignore[arg-type]
        world.started(episode, agent, begun)  # type: ignore[arg-type]
        looks = [self.world.reset(episode, 0)]
        world.observed(looks[0])
        for sequence in (1, 2):
            target = Viewpoint(0.25 * sequence, 0.0, 1.0, 0.0, 0.0)
            result = self.world.step(
                Command(target, "x+", episode_id=episode.episode_id, source="planner", sequence=sequence)
            )
            looks.append(result.observation)
            world.observed(result.observation)
            world.concluded(result)
        self.looks |= {look.stamp: look for look in looks}
        planner.answered(Answer(episode.questions[0].question_id, "yes", Verdict.ANSWERED, 1.0), begun)
        ended = CODEC.episode(begun, episode, EpisodeState.FINISHED, agent="test", commands_sent=2, answers_given=1)
        publish(EPISODE, begun, ended)
        return sent

    def take(self, messages: list[tuple[Topic, bytes]]) -> None:
        for topic, data in messages:
            self.recorder.take(topic, data)

    def take_numbered(self, messages: list[tuple[Topic, bytes]]) -> None:
        """As the middleware hands them over: each publisher counts its messages."""
        for topic, data in messages:
            self.numbers[topic] += 1
            self.recorder.take(topic, data, self.numbers[topic])

    def take_with_gaps(self, sent: list[tuple[Topic, bytes]], arrived: list[tuple[Topic, bytes]]) -> None:
        """As ``take_numbered``, of which some did not arrive."""
        for topic, data in sent:
            self.numbers[topic] += 1
            if (topic, data) in arrived:
                self.recorder.take(topic, data, self.numbers[topic])

    def forge(self, topic: Topic, message: Any, number: int = 1) -> None:
        """A message of a second publisher."""
        self.publishers = 2
        self.recorder.take(topic, bytes(serialize_message(message)), number)

    def finish(self) -> None:
        for _ in range(3):
            self.recorder.tick()


class _Agent:
    name = "test"
    perception = "privileged"


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setattr(module, "_SETTLE", 0.0)
    return Bench(tmp_path)


def test_an_episode_becomes_a_bag_with_gold_data(bench: Bench) -> None:
    bench.take(bench.messages(0))
    bench.finish()
    [bag] = bench.bags
    recording = read_recording(bag)
    assert recording.shortfall() == ""
    assert [motion.reached.x for motion in recording.motions] == [0.25, 0.5]
    assert len(recording.visibility) == 3, "the first look and those after each command"
    assert min(recording.visibility) < recording.motions[0].observation_stamp
    assert all(set(fractions) == {CUP} for fractions in recording.visibility.values())
    for stamp, look in bench.looks.items():
        shown = bench.gold.shown("one", look.viewpoint, look.intrinsics, look.depth)
        assert (recording.visibility[stamp], recording.answering[stamp]) == (shown.fractions, shown.answers)
    assert set(recording.answering) == set(bench.looks)
    assert bench.told.count(TRUTH) == 1
    assert bench.told.count(TRUTH_VISIBILITY) == 3
    assert bench.warnings == []


def recalled(stamp: int, x: float, episode_id: str = "one", begun: int = 5) -> Recalled:
    at, start = np.eye(4), np.eye(4)
    at[0, 3] = x
    return Recalled(episode_id, begun, Poses({CUP: start}), Poses({CUP: at}))


def test_looks_wait_until_the_world_has_told_where_things_were(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "DEADLINE", 60.0)
    asked: dict[int, Told] = {}
    bench.recall = asked.__setitem__
    bench.take(bench.messages(0))
    assert list(asked) == list(bench.looks)
    first, second, third = asked
    asked[first](recalled(first, 0.0), "")
    bench.finish()
    assert bench.bags == []
    asked[second](None, "it is gone")
    asked[third](recalled(third, 2.0), "")
    bench.finish()
    [bag] = bench.bags
    assert list(read_recording(bag).visibility) == [first, third]
    [(_, stamp, message)] = read_bag(bag, (TRUTH_POSES,))
    assert (stamp, list(message.instances), message.poses[0].position.x) == (third, [CUP], 2.0)
    assert [warning for warning in bench.warnings if "it is gone" in warning]
    asked[third](recalled(third, 3.0), "")  # too late for anything
    assert bench.told.count(TRUTH_POSES) == 1


def test_a_look_of_before_the_reset_is_not_that_of_the_start(bench: Bench) -> None:
    """The camera may stand where the episode will begin, among things that were moved in the one before."""
    stray = replace(bench.world.observe(), viewpoint=bench.episodes[0].start)
    messages = bench.messages(0)

    def recall(stamp: int, told: Told) -> None:
        before = stamp not in bench.looks
        told(recalled(stamp, 9.0 if before else 0.0, "zero" if before else "one"), "")

    bench.recall = recall
    sent: list[tuple[Topic, bytes]] = []
    late = replace(stray, stamp=min(bench.looks) - 1)
    publish_observation(
        CODEC,
        lambda topic, stamp, message: sent.append((topic, bytes(serialize_message(message)))),
        late,
        lambda _: True,
    )
    begins = next(k for k, (topic, _) in enumerate(messages) if topic is EPISODE)
    bench.take([*messages[: begins + 1], *sent, *messages[begins + 1 :]])
    bench.finish()
    assert set(read_recording(bench.bags[0]).visibility) == set(bench.looks)
    assert TRUTH_POSES not in bench.told


def test_results_before_their_frames_change_nothing(bench: Bench) -> None:
    messages = bench.messages(0)
    first, rest = messages[:1], messages[1:]
    late = (DEPTH, TF)
    shuffled = first + [item for item in rest if item[0] not in late] + [item for item in rest if item[0] in late]
    bench.take(shuffled)
    bench.finish()
    assert len(read_recording(bench.bags[0]).visibility) == 3


@pytest.mark.parametrize(("size", "judged"), [((16, 12), True), ((21, 16), True), ((16, 16), False), ((64, 48), False)])
def test_a_depth_of_fewer_pixels_is_judged_as_in_process(bench: Bench, size: tuple[int, int], judged: bool) -> None:
    look = bench.world.observe
    small = Intrinsics.from_fov(*size, look().intrinsics.horizontal_fov)

    def smaller() -> Observation:
        seen = look()
        depth = np.full((small.height, small.width), seen.viewpoint.z, np.float32)
        return replace(seen, depth=depth, depth_intrinsics=small)

    bench.world.observe = smaller  # type: ignore[method-assign]
    bench.take(bench.messages(0))
    if not judged:
        assert "a depth of" in bench.warnings[0]
        assert "is of no picture of (24, 32)" in bench.warnings[0]
        return
    bench.finish()
    recording = read_recording(bench.bags[0])
    assert recording.shortfall() == ""
    for stamp, seen in bench.looks.items():
        shown = bench.gold.shown("one", seen.viewpoint, seen.intrinsics, seen.color_depth)
        assert (recording.visibility[stamp], recording.answering[stamp]) == (shown.fractions, shown.answers)
    assert bench.warnings == []


def test_what_is_missing_is_counted_after_the_deadline(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    messages = bench.messages(0)
    lost = next(index for index, (topic, _) in enumerate(messages) if topic is COMMAND_RESULT)
    bench.take(messages[:lost] + messages[lost + 1 :])
    bench.finish()
    assert bench.bags == [], "within the deadline it may still come"
    monkeypatch.setattr(module, "DEADLINE", 0.0)
    bench.finish()
    recording = read_recording(bench.bags[0])
    assert recording.dropped == 1
    assert "1 results of 2 commands" in recording.shortfall()


def test_who_works_off_much_after_the_end_is_given_time(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: clock.now))
    asked: list[Callable[[], None]] = []
    bench.recall = lambda stamp, told: asked.append(lambda: told(None, ""))
    bench.take(bench.messages(0))
    assert len(asked) == 3
    for tell in asked:
        clock.now += 0.9 * module.DEADLINE
        bench.finish()
        assert bench.bags == [], "something came within the deadline"
        tell()
        bench.finish()
    clock.now += 0.9 * module.DEADLINE
    bench.finish()
    assert read_recording(bench.bags[0]).shortfall() == ""


def test_who_tells_no_more_is_not_waited_for(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: clock.now))
    asked: list[Callable[[], None]] = []
    bench.recall = lambda stamp, told: asked.append(lambda: told(None, ""))
    bench.take(bench.messages(0))
    for tell in asked[:2]:
        tell()
    bench.finish()
    clock.now += 10.0 * module.DEADLINE  # this process was stopped meanwhile
    bench.finish()
    assert bench.bags == [], "what came meanwhile was not even looked at"

    def wait(seconds: float) -> None:
        for _ in range(round(seconds / 0.05)):
            clock.now += 0.05
            bench.recorder.tick()

    wait(0.8 * module.DEADLINE)
    assert bench.bags == []
    wait(0.2 * module.DEADLINE)
    assert "1 of 2 looks" in read_recording(bench.bags[0]).shortfall()


class Keeper:
    """A world that keeps looks and sends them again to a recorder; the time passes with ticks."""

    def __init__(self, bench: Bench, messages: list[tuple[Topic, bytes]], monkeypatch: pytest.MonkeyPatch) -> None:
        self.clock = SimpleNamespace(now=100.0)
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: self.clock.now))
        self.asked: list[int] = []
        self._bench, self._kept = bench, [item for item in messages if item[0] in RECALLABLE]
        bench.ask = self.ask

    def ask(self, stamp: int, answered: Answered) -> None:
        self.asked.append(stamp)
        found = min((at for at in map(self._stamp, self._kept) if at >= stamp), default=None)
        for topic, data in self._kept:
            if found == self._stamp((topic, data)):
                self._bench.recorder.take_recalled(topic, data)
        answered(found, "" if found is not None else "nothing is kept")

    def forget(self, stamp: int) -> None:
        self._kept = [item for item in self._kept if self._stamp(item) != stamp]

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.05)):
            self.clock.now += 0.05
            self._bench.recorder.tick()

    @staticmethod
    def _stamp(item: tuple[Topic, bytes]) -> int:
        return stamp_of(*item) or 0


def without(messages: list[tuple[Topic, bytes]], lost: set[tuple[Topic, int]]) -> list[tuple[Topic, bytes]]:
    """Messages less those of these topics and stamps, ns."""
    return [item for item in messages if (item[0], stamp_of(*item)) not in lost]


LOST = [
    ("parts of the look in the middle", lambda looks: {(DEPTH, looks[1]), (IMAGE_COMPRESSED, looks[1])}),
    ("parts of the last look", lambda looks: {(TF, looks[2]), (IMAGE_COMPRESSED, looks[2])}),
    ("a picture alone, that of the last look", lambda looks: {(IMAGE_COMPRESSED, looks[2])}),
    ("parts of the look at the start", lambda looks: {(DEPTH, looks[0]), (CAMERA_INFO, looks[0])}),
    ("a result", lambda looks: {(COMMAND_RESULT, looks[1])}),
    ("all that tells of both commands", lambda looks: {(t, s) for t in RECALLABLE for s in looks[1:]}),
]


@pytest.mark.parametrize("lost", [row[1] for row in LOST], ids=[row[0] for row in LOST])
def test_what_did_not_arrive_is_asked_for_and_the_bag_is_whole(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, lost: Callable[[list[int]], set[tuple[Topic, int]]]
) -> None:
    messages = bench.messages(0)
    looks = list(bench.looks)
    begins = next(k for k, (topic, _) in enumerate(messages) if topic is EPISODE)
    messages.insert(begins + 1, (TF_STATIC, bytes(serialize_message(CODEC.static_transforms(looks[0])))))
    keeper = Keeper(bench, messages, monkeypatch)
    left = without(messages, lost(looks))
    assert len(left) < len(messages)
    bench.take_with_gaps(messages, left)
    keeper.wait(4.0)
    [bag] = bench.bags
    assert keeper.asked
    recording = read_recording(bag)
    assert recording.shortfall() == ""
    assert sorted(recording.visibility) == looks
    assert recording.dropped == 0
    for topic in (TF, CAMERA_INFO, IMAGE_COMPRESSED):
        assert sorted(stamp for _, stamp, _ in read_bag(bag, (topic,))) == looks
    assert bench.warnings == []


@pytest.mark.parametrize("heard", [1, 2])
def test_commands_before_the_beginning_was_heard_are_asked_for(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, heard: int
) -> None:
    """An evaluator finds the planner later than the world, whose looks it has heard without recording them."""
    messages = bench.messages(0)
    looks = list(bench.looks)
    keeper = Keeper(bench, messages, monkeypatch)
    begins = next(item for item in messages if item[0] is EPISODE)
    early = [item for item in messages if stamp_of(*item) in looks[: heard + 1] and item[0] is not EPISODE]
    rest = [item for item in messages if item not in early and item is not begins]
    bench.take_numbered([*early, begins, *rest])
    keeper.wait(8.0)
    recording = read_recording(bench.bags[0])
    assert recording.shortfall() == ""
    assert [motion.observation_stamp for motion in recording.motions] == looks[1:]
    if heard == 1:  # a topic of which nothing comes during the episode is not missed
        assert {stamp for _, stamp, _ in read_bag(bench.bags[0], (IMAGE_COMPRESSED,))} >= set(looks[1:])


@pytest.mark.parametrize(("answered_after", "whole"), [(3.0 * module.DEADLINE, True), (600.0, False)])
def test_a_bag_is_not_closed_while_the_world_is_being_asked(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, answered_after: float, whole: bool
) -> None:
    """But for a world that never answers."""
    messages = bench.messages(0)
    middle = list(bench.looks)[1]
    keeper = Keeper(bench, messages, monkeypatch)
    asked: list[tuple[int, Answered]] = []
    bench.ask = lambda stamp, answered: asked.append((stamp, answered))
    bench.take_with_gaps(messages, without(messages, {(COMMAND_RESULT, middle)}))
    while not asked:
        keeper.wait(0.05)
    keeper.wait(min(answered_after, 60.0))
    if whole:
        assert bench.bags == []
        bench.ask = keeper.ask
        keeper.ask(*asked[0])
        keeper.wait(4.0)
    assert score_bag(bench.bags[0]).complete is whole


def test_what_arrives_after_it_was_sent_again_is_no_second_result(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages = bench.messages(0)
    keeper = Keeper(bench, messages, monkeypatch)
    late = [item for item in messages if item[0] in (COMMAND_RESULT, IMAGE_COMPRESSED)]
    bench.take([item for item in messages if item not in late])
    while not keeper.asked:
        keeper.wait(0.05)
    assert bench.bags == []
    bench.take_numbered(late)
    keeper.wait(1.0)
    assert score_bag(bench.bags[0]).incomplete_reason == ""
    for topic in (COMMAND_RESULT, IMAGE_COMPRESSED):
        stamps = [stamp for _, stamp, _ in read_bag(bench.bags[0], (topic,))]
        assert len(stamps) == len(set(stamps))


def test_what_the_world_no_longer_has_is_said_and_never_scored_as_whole(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages = bench.messages(0)
    keeper = Keeper(bench, messages, monkeypatch)
    middle = list(bench.looks)[1]
    keeper.forget(middle)
    bench.take_with_gaps(messages, without(messages, {(DEPTH, middle)}))
    keeper.wait(module.DEADLINE + 1.0)
    recording = read_recording(bench.bags[0])
    assert recording.dropped == 1
    assert "1 of 2 looks" in recording.shortfall()
    assert any(f"{DEPTH.name} of the look at {middle} ns did not arrive" in text for text in bench.warnings)


def test_what_nobody_misses_cannot_be_slipped_in_as_sent_again(bench: Bench) -> None:
    messages = bench.messages(0)
    forged = CODEC.make(
        "vantage_eqa/msg/CommandResult", header=CODEC.header(1), episode_id="one", source="planner", sequence=3
    )
    bench.recorder.take_recalled(COMMAND_RESULT, b"")
    bench.take(messages[:-1])
    bench.recorder.take_recalled(COMMAND_RESULT, bytes(serialize_message(forged)))
    bench.recorder.take_recalled(COMMAND_RESULT, b"nonsense")
    bench.recorder.take_recalled(TF, next(data for topic, data in messages if topic is TF))
    bench.take(messages[-1:])
    bench.finish()
    recording = read_recording(bench.bags[0])
    assert recording.shortfall() == ""
    assert len(list(read_bag(bench.bags[0], (TF,)))) == 3
    assert recording.unreadable == 1


def test_losses_are_counted_only_while_an_episode_is_recorded(bench: Bench) -> None:
    bench.recorder.lost(TF, 5)
    messages = bench.messages(0)
    bench.take(messages[:4])
    bench.recorder.lost(TF, 2)
    bench.recorder.lost(TF, 1)
    bench.take(messages[4:])
    bench.finish()
    assert read_recording(bench.bags[0]).dropped == 3


def test_one_episode_after_the_other_without_a_pause(bench: Bench) -> None:
    bench.take(bench.messages(0) + bench.messages(1))
    bench.finish()
    assert [bag.name for bag in bench.bags] == ["one", "two"]
    assert all(read_recording(bag).shortfall() == "" for bag in bench.bags)


def test_an_episode_that_never_ends_stays_partial(bench: Bench, tmp_path: Path) -> None:
    bench.take(bench.messages(0)[:-1])
    bench.take(bench.messages(1))
    bench.finish()
    assert [bag.name for bag in bench.bags] == ["two"]
    assert (tmp_path / "bags" / "one.partial").is_dir()
    assert "'one' did not end before 'two' began" in bench.warnings[0]
    assert bench.failed == [("one", bench.warnings[0])]


def test_a_full_disk_is_said_and_the_next_episode_recorded(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    from vantage.errors import RecordingError
    from vantage.recording.bags import BagWriter

    def refuse(*_: object) -> None:
        raise RecordingError("cannot write /tf: no space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(BagWriter, "write_raw", refuse)
        bench.take(bench.messages(0))
        bench.finish()
    assert bench.bags == []
    assert bench.warnings[0] == "cannot write /tf: no space left on device"
    assert bench.failed == [("one", "cannot write /tf: no space left on device")]
    bench.take(bench.messages(1))
    bench.finish()
    assert [bag.name for bag in bench.bags] == ["two"]


def test_what_the_robot_looks_like_is_in_every_bag_though_it_is_told_once(bench: Bench) -> None:
    bench.recorder.take(ROBOT_DESCRIPTION, bytes(serialize_message(CODEC.text("<robot name='round'/>"))))
    for number in (0, 1):
        bench.take(bench.messages(number))
        bench.finish()
    for bag in bench.bags:
        [(_, stamp, message)] = read_bag(bag, (ROBOT_DESCRIPTION,))
        assert (message.data, stamp > 0) == ("<robot name='round'/>", True)


def test_episodes_without_gold_data_are_recorded_all_the_same(bench: Bench) -> None:
    bench.episodes = (replace(bench.episodes[0], episode_id="unknown"),)
    bench.take(bench.messages(0))
    bench.finish()
    assert "no gold data" in read_recording(bench.bags[0]).shortfall()
    assert "has no episode 'unknown'" in bench.warnings[0]


def test_stamps_are_read_without_deserializing() -> None:
    stamp = 1_234_567_890_123_456_789
    here = Viewpoint(1.0, 2.0, 3.0, 0.1, 0.2)
    for topic, message in (
        (TF, CODEC.transforms(stamp, here)),
        (COMMAND_RESULT, CODEC.make("vantage_eqa/msg/CommandResult", header=CODEC.header(stamp))),
    ):
        assert stamp_of(topic, bytes(serialize_message(message))) == stamp
    assert stamp_of(SEARCH_MARKERS, bytes(serialize_message(interface(SEARCH_MARKERS.type)()))) is None
    assert stamp_of(TF, b"\0\1\0") is None
    assert stamp_of(ROBOT_DESCRIPTION, bytes(serialize_message(CODEC.text("<robot name='round'/>")))) is None
    for topic in RECORDED:
        data = bytes(serialize_message(interface(topic.type)()))
        assert stamp_of(topic, data) in (0, None)


# Strangers ----------------------------------------------------------------------------------------------------------


def result_of(bench: Bench, sequence: int, **changes: Any) -> Any:
    """What a second publisher tells of a command of episode ``one``."""
    fields = {"episode_id": "one", "source": "planner", "sequence": sequence, "action": "x+", **changes}
    return CODEC.make("vantage_eqa/msg/CommandResult", header=CODEC.header(0), **fields)


def forged_end(bench: Bench) -> tuple[Topic, Any]:
    return EPISODE, CODEC.episode(0, bench.episodes[0], EpisodeState.FINISHED, commands_sent=1, answers_given=1)


def forged_beginning(bench: Bench) -> tuple[Topic, Any]:
    return EPISODE, CODEC.episode(0, bench.episodes[0], EpisodeState.RUNNING)


def forged_result(bench: Bench) -> tuple[Topic, Any]:
    return COMMAND_RESULT, result_of(bench, 2)


def forged_answer(bench: Bench) -> tuple[Topic, Any]:
    return ANSWER, CODEC.answer(0, "one", Answer("one-q", "no", Verdict.ANSWERED, 1.0))


FORGED = [
    (forged_end, "somebody else than the planner told that the episode was finished"),
    (forged_beginning, "somebody else than the planner told that the episode began"),
    (forged_result, "somebody else than the world told what became of a command"),
    (forged_answer, "somebody else than the planner answered"),
]


@pytest.mark.parametrize(("forge", "words"), FORGED)
@pytest.mark.parametrize("early", [True, False])
def test_what_another_publisher_tells_of_an_episode_is_left_out_and_the_episode_not_scored(
    bench: Bench, forge: Callable[[Bench], tuple[Topic, Any]], words: str, early: bool
) -> None:
    bench.numbers.update(dict.fromkeys(TAKEN, 40))  # it is not the publishers' first episode
    messages = bench.messages(0)
    first = next(index for index, (topic, _) in enumerate(messages) if topic is COMMAND_RESULT)
    split = first + 1 if early else len(messages) - 1
    bench.take_numbered(messages[:split])
    bench.forge(*forge(bench))
    bench.take_numbered(messages[split:])
    bench.finish()
    [bag] = bench.bags
    recording = read_recording(bag)
    if forge is forged_answer and early:  # whose answer came first cannot be known, only that there were two
        assert len(recording.answers) == 1
    else:
        assert [motion.reached.x for motion in recording.motions] == [0.25, 0.5]
        assert [answer.text for answer in recording.answers] == ["yes"]
        assert (recording.state, recording.commands_sent) == (EpisodeState.FINISHED, 2)
    assert recording.interference == [words]
    score = score_bag(bag)
    assert not score.complete
    assert score.incomplete_reason == f"interference: {words}"
    assert repr(score_runs(bag.parent).incomplete) == repr((score,)), "scores hold NaN, which equals nothing"
    assert f"'one' was disturbed: {words}" in bench.warnings[-1]


def test_the_same_message_once_more_is_no_interference(bench: Bench) -> None:
    messages = bench.messages(0)
    bench.take_numbered(messages[:1])
    bench.recorder.take(EPISODE, messages[0][1], 1)  # as when a subscription is matched anew
    bench.take_numbered(messages[1:])
    bench.finish()
    assert read_recording(bench.bags[0]).shortfall() == ""


def test_others_may_publish_of_other_objects(bench: Bench) -> None:
    messages = bench.messages(0)
    bench.take_numbered(messages[:-2])
    other = replace(bench.episodes[0], episode_id="elsewhere")
    bench.forge(EPISODE, CODEC.episode(0, other, EpisodeState.FINISHED))
    bench.forge(COMMAND_RESULT, result_of(bench, 1, episode_id="elsewhere"))
    bench.forge(COMMAND_RESULT, result_of(bench, 1, source="joystick"), 2)
    bench.forge(ANSWER, CODEC.answer(0, "elsewhere", Answer("q", "no", Verdict.ANSWERED, 1.0)))
    bench.take_numbered(messages[-2:])
    bench.finish()
    assert read_recording(bench.bags[0]).shortfall() == ""


def test_an_episode_that_another_publisher_begins_ends_the_recording_by_name(bench: Bench, tmp_path: Path) -> None:
    bench.take_numbered(bench.messages(0)[:-2])
    bench.forge(EPISODE, CODEC.episode(0, bench.episodes[1], EpisodeState.RUNNING))
    assert (tmp_path / "bags" / "one.partial").is_dir()
    reason = "interference: episode 'one' did not end before 'two' began by another publisher"
    assert bench.failed == [("one", reason)]
    assert bench.recorder.episode_id == "two", "a planner that was started anew is recorded"


def test_a_reset_in_the_middle_is_interference_and_one_before_the_first_command_is_not(bench: Bench) -> None:
    messages = bench.messages(0)
    first = next(index for index, (topic, _) in enumerate(messages) if topic is COMMAND_RESULT)
    look = bench.world.observe().stamp
    ended = CODEC.episode(look, bench.episodes[0], EpisodeState.FINISHED, commands_sent=2, answers_given=1)
    messages[-1] = EPISODE, bytes(serialize_message(ended))
    for at, words in ((first - 2, ""), (first + 1, "interference: the world was reset in the middle of the episode")):
        stamp = stamp_of(COMMAND_RESULT, messages[first][1]) + (1 if words else -1)
        bench.take(messages[:at])
        bench.recorder.take(TF_STATIC, bytes(serialize_message(CODEC.static_transforms(stamp))))
        bench.take(messages[at:])
        bench.finish()
        bag = bench.bags.pop()
        assert read_recording(bag).shortfall() == words
        shutil.rmtree(bag)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"reached": CODEC.viewpoint(Viewpoint(math.nan, 0.0, 1.0, 0.0, 0.0))}, "the pose after command 3 is not fini"),
        ({"status": 77}, "77 is not a valid Status"),
        ({"cause": 77}, "77 is not a valid Cause"),
    ],
)
def test_what_no_world_can_have_done_is_named(bench: Bench, changes: dict[str, Any], words: str) -> None:
    messages = bench.messages(0)
    bench.take(messages[:-2])
    bench.recorder.take(COMMAND_RESULT, bytes(serialize_message(result_of(bench, 3, **changes))))
    bench.take(messages[-2:])
    bench.finish()
    recording = read_recording(bench.bags[0])
    assert f"interference: what became of a command cannot be true: {words}" in recording.shortfall()
    assert len(recording.motions) == 2


@pytest.mark.parametrize("number", [7, 2**63])
def test_results_of_commands_that_nobody_sent_and_second_ones_are_named_where_messages_have_no_numbers(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr(module, "DEADLINE", 0.0)
    messages = bench.messages(0)
    bench.take(messages[:-2])
    bench.recorder.take(COMMAND_RESULT, bytes(serialize_message(result_of(bench, number))))
    bench.recorder.take(COMMAND_RESULT, bytes(serialize_message(result_of(bench, 2))))
    bench.take(messages[-2:])
    bench.finish()
    reason = read_recording(bench.bags[0]).shortfall()
    assert "commands have more than one result" in reason
    assert f"results of commands that the planner never sent ({number}; it sent 2)" in reason


def test_a_flood_of_disturbances_is_told_in_few_words(bench: Bench) -> None:
    messages = bench.messages(0)
    bench.take(messages[:-2])
    nowhere = CODEC.viewpoint(Viewpoint(math.nan, 0.0, 1.0, 0.0, 0.0))
    for sequence in range(3, 500):
        data = bytes(serialize_message(result_of(bench, sequence, reached=nowhere)))
        bench.recorder.take(COMMAND_RESULT, data)
    bench.take(messages[-2:])
    bench.finish()
    recording = read_recording(bench.bags[0])
    assert len(recording.interference) == 9
    assert recording.interference[-1] == "it was disturbed in other ways, too (489 times)"


# Bytes --------------------------------------------------------------------------------------------------------------


def arbitrary(draw: random.Random, kind: Any) -> Any:
    """A message whose values are drawn from what its type allows, the odd ones more often."""
    message = kind()
    for name, form in kind.get_fields_and_field_types().items():
        setattr(message, name, _value(draw, form, getattr(message, name)))
    return message


def _value(draw: random.Random, form: str, now: Any) -> Any:
    if form.startswith("sequence<"):
        inner = form[len("sequence<") : -1]
        one = interface(inner.replace("/", "/msg/"))() if "/" in inner else "" if inner.startswith("string") else 0
        if inner == "octet":
            return [bytes([draw.randrange(256)]) for _ in range(draw.randrange(4))]
        return [_value(draw, inner, one) for _ in range(draw.randrange(4))]
    if form.endswith("]"):
        return [_value(draw, form[: form.rindex("[")], 0.0) for _ in now]
    if "/" in form:
        return arbitrary(draw, type(now))
    if form == "boolean":
        return draw.random() < 0.5
    if form == "octet":
        return bytes([draw.randrange(256)])
    if form in ("double", "float"):
        return draw.choice([0.0, -1.0, 1e30, math.nan, math.inf, -math.inf, draw.uniform(-5, 5)])
    if form.startswith("string"):
        known = ("one", "planner", "camera_link", "camera_optical", "map", "32FC1")
        return draw.choice(["", *known, "\u202e../\x1b[2J", "x" * 3000])
    bits = int(form.lstrip("uint"))
    low, high = (0, 2**bits - 1) if form.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    return draw.choice([0, 1, 2, low, high, draw.randint(low, high)])


TAKEN = [topic for topic in RECORDED if not topic.is_truth]


def storm(bench: Bench, draw: random.Random, count: int) -> None:
    for k in range(count):
        topic = TAKEN[k % len(TAKEN)]
        kind = interface(topic.type)
        data = bytes(serialize_message(arbitrary(draw, kind) if k % 3 else kind()))
        if k % 2:
            data = draw.randbytes(draw.randrange(200)) if k % 4 == 1 else bytearray(data)
            for _ in range(draw.randrange(8) if data else 0):
                data = bytes(data)
                at = draw.randrange(len(data))
                data = data[:at] + draw.randbytes(1) + data[at + 1 :]
            if k % 8 == 3:
                data = bytes(data)[: draw.randrange(len(data) + 1)]
        bench.recorder.take(topic, bytes(data), draw.choice([None, 1, 2, k, 2**64 - 1]))
        if k % 100 == 0:
            bench.recorder.tick()


@pytest.mark.parametrize("seed", [1, 2])
def test_nothing_that_comes_ends_the_recorder(bench: Bench, seed: int) -> None:
    draw = random.Random(seed)
    storm(bench, draw, 1000 * len(TAKEN) // 10)
    bench.take(bench.messages(0)[:-1])
    storm(bench, draw, 1000 * len(TAKEN) // 10)
    bench.take(bench.messages(1))
    bench.finish()
    assert [bag.name for bag in bench.bags if bag.name == "two"] == ["two"]
    assert bench.recorder.unreadable > 500
    assert all("\n" not in warning for warning in bench.warnings)


@pytest.mark.parametrize("topic", TAKEN, ids=lambda topic: topic.name)
def test_bytes_that_are_no_message_are_left_out_of_the_bag(bench: Bench, topic: Topic) -> None:
    messages = bench.messages(0)
    bench.take(messages[:-1])
    for data in (b"", b"\x00", b"\x00\x01\x00\x00", b"\xff" * 40, b"\x00\x01\x00\x00" + b"\xff" * 60):
        bench.recorder.take(topic, data)
    bench.take(messages[-1:])
    bench.finish()
    assert score_bag(bench.bags[0]).complete
    assert read_recording(bench.bags[0]).unreadable == (0 if topic in PICTURES else bench.recorder.unreadable)
    told = [line for line in bench.warnings if f"a message on {topic.name} is left out" in line]
    assert len(told) == (1 if bench.recorder.unreadable else 0)


def test_a_state_that_no_episode_has_is_left_out(bench: Bench) -> None:
    messages = bench.messages(0)
    bench.take(messages[:-1])
    odd = CODEC.episode(0, bench.episodes[0], EpisodeState.FINISHED)
    odd.state = 200
    bench.recorder.take(EPISODE, bytes(serialize_message(odd)))
    bench.take(messages[-1:])
    bench.finish()
    assert score_bag(bench.bags[0]).complete
    assert "an episode has no state 200" in bench.warnings[0]


@pytest.mark.parametrize("rotation", [(0.0, 0.0, 0.0, 0.0), (math.nan, 0.0, 0.0, 1.0)])
def test_a_pose_that_is_none_is_left_out(bench: Bench, rotation: tuple[float, ...]) -> None:
    messages = bench.messages(0)
    first = next(index for index, (topic, _) in enumerate(messages) if topic is COMMAND_RESULT)
    stamp = stamp_of(COMMAND_RESULT, messages[first][1])
    odd = CODEC.transforms(stamp, Viewpoint(0.25, 0.0, 1.0, 0.0, 0.0))
    quaternion = odd.transforms[0].transform.rotation
    quaternion.x, quaternion.y, quaternion.z, quaternion.w = rotation
    bench.take(messages[:1])
    bench.recorder.take(TF, bytes(serialize_message(odd)))
    bench.take(messages[1:])
    bench.finish()
    assert len(read_recording(bench.bags[0]).visibility) == 3
    assert bench.recorder.unreadable == 1
