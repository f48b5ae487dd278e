"""The recorder without a network: what lands in bags whatever the order of arrival."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import fake_world
import pytest
from fake_set import CUP, fake_set
from rclpy.serialization import deserialize_message, serialize_message

from vantage.config import Settings
from vantage.nodes import recorder as module
from vantage.nodes.messages import RclpyFactory, interface
from vantage.nodes.recorder import Recorder
from vantage.nodes.serialized import stamp_of
from vantage.runs.batch import wanted_in_bag
from vantage.runs.gold import GoldData
from vantage.runs.messages import Codec
from vantage.runs.narration import PlannerNarrator, WorldNarrator
from vantage.runs.recording import read_recording
from vantage.runs.topics import (
    COMMAND_RESULT,
    DEPTH,
    EPISODE,
    RECORDED,
    SEARCH_MARKERS,
    TF,
    TRUTH,
    TRUTH_VISIBILITY,
    Topic,
)
from vantage.spatial import Viewpoint
from vantage.types import Answer, Command, EpisodeState, Verdict

CODEC = Codec(RclpyFactory())


class Bench:
    """A recorder, and an episode of two commands told to it in any order."""

    def __init__(self, folder: Path) -> None:
        made = fake_set(folder / "set", episodes=2)
        self.episodes = made.episodes
        self.bags: list[Path] = []
        self.warnings: list[str] = []
        self.told: list[Topic] = []
        self.recorder = Recorder(
            folder / "bags",
            wanted_in_bag(Settings()),
            GoldData(made.folder),
            CODEC,
            lambda topic, data: deserialize_message(data, interface(topic.type)),
            lambda topic, message: self.told.append(topic),
            lambda episode_id, path: self.bags.append(path),
            self.warnings.append,
        )
        settings = Settings().with_values({"camera.width": 32, "camera.height": 24}, "test")
        self.world = fake_world.FakeWorld(settings)

    def messages(self, number: int) -> list[tuple[Topic, bytes]]:
        """What planner and world publish in one episode."""
        sent: list[tuple[Topic, bytes]] = []

        def publish(topic: Topic, stamp: int, message: Any) -> None:
            sent.append((topic, bytes(serialize_message(message))))

        episode = self.episodes[number]
        world, planner = WorldNarrator(CODEC, publish, lambda topic: True), PlannerNarrator(CODEC, publish)
        agent = _Agent()
        begun = self.world.observe().stamp
        planner.started(episode, agent, begun)  # type: ignore[arg-type]
        world.started(episode, agent, begun)  # type: ignore[arg-type]
        world.observed(self.world.reset(episode, 0))
        for sequence in (1, 2):
            target = Viewpoint(0.25 * sequence, 0.0, 1.0, 0.0, 0.0)
            result = self.world.step(
                Command(target, "x+", episode_id=episode.episode_id, source="planner", sequence=sequence)
            )
            world.observed(result.observation)
            world.concluded(result)
        planner.answered(Answer(f"{episode.episode_id}-q", "yes", Verdict.ANSWERED, 1.0), begun)
        ended = CODEC.episode(begun, episode, EpisodeState.FINISHED, agent="test", commands_sent=2, answers_given=1)
        publish(EPISODE, begun, ended)
        return sent

    def take(self, messages: list[tuple[Topic, bytes]]) -> None:
        for topic, data in messages:
            self.recorder.take(topic, data)

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
    assert bench.told.count(TRUTH) == 1
    assert bench.told.count(TRUTH_VISIBILITY) == 3
    assert bench.warnings == []


def test_results_before_their_frames_change_nothing(bench: Bench) -> None:
    messages = bench.messages(0)
    first, rest = messages[:1], messages[1:]
    late = (DEPTH, TF)
    shuffled = first + [item for item in rest if item[0] not in late] + [item for item in rest if item[0] in late]
    bench.take(shuffled)
    bench.finish()
    assert len(read_recording(bench.bags[0]).visibility) == 3


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


def test_a_full_disk_is_said_and_the_next_episode_recorded(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    from vantage.errors import RecordingError
    from vantage.runs.bags import BagWriter

    def refuse(*_: object) -> None:
        raise RecordingError("cannot write /tf: no space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(BagWriter, "write_raw", refuse)
        bench.take(bench.messages(0))
        bench.finish()
    assert bench.bags == []
    assert bench.warnings[0] == "cannot write /tf: no space left on device"
    bench.take(bench.messages(1))
    bench.finish()
    assert [bag.name for bag in bench.bags] == ["two"]


def test_episodes_without_gold_data_are_recorded_all_the_same(bench: Bench) -> None:
    from dataclasses import replace

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
    for topic in RECORDED:
        data = bytes(serialize_message(interface(topic.type)()))
        assert stamp_of(topic, data) in (0, None)
