"""Bags are written whole or stay partial, and read back; messages that had other fields as those of today."""

from __future__ import annotations

import contextlib
import math
from pathlib import Path

import numpy as np
import pytest
from archives import unpack
from open_field import START, OpenFieldWorld, make_episode
from rosbags.rosbag2 import Reader
from scripted_agent import ScriptedAgent

from vantage.errors import RecordingError
from vantage.recording import topics
from vantage.recording.bags import (
    BagWriter,
    decode_pixels,
    find_bags,
    read_bag,
    read_bag_raw,
    recorded_setup,
    topics_in,
)
from vantage.recording.folder_lock import FolderLock
from vantage.recording.from_messages import read_viewpoint_command
from vantage.recording.interfaces import RosbagsFactory, typestore
from vantage.recording.publishers import PlannerPublisher, QaPublisher, WorldPublisher, encode_image
from vantage.recording.to_messages import Codec
from vantage.recording.topics import ROBOT_DESCRIPTION, VIEWPOINT_COMMAND, absolute
from vantage.runs.episode import EpisodeRunner
from vantage.types import EpisodeState

GOLDEN = Path(__file__).parent / "golden" / "noisyeqa.tar.gz"


def test_commands_of_old_bags_allow_no_unwind(tmp_path: Path) -> None:
    unpack(GOLDEN, tmp_path)
    bag = next(item for item in sorted(tmp_path.iterdir()) if item.is_dir())
    with Reader(bag) as reader:
        digests = {item.digest for item in reader.connections if item.msgtype == VIEWPOINT_COMMAND.type}
    assert digests.isdisjoint({"", typestore().hash_rihs01(VIEWPOINT_COMMAND.type)})  # else this proves nothing
    commands = [read_viewpoint_command(message) for _, _, message in read_bag(bag, (VIEWPOINT_COMMAND,))]
    assert commands
    assert {item.sequence for item in commands} == set(range(1, len(commands) + 1))
    assert not any(item.allow_unwind for item in commands)
    for _, _, data in read_bag_raw(bag, (VIEWPOINT_COMMAND,)):
        assert read_viewpoint_command(typestore().deserialize_cdr(data, VIEWPOINT_COMMAND.type)).source == "planner"


CODEC = Codec(RosbagsFactory())


def record(folder, name="episode-1", actions=("x+", "yaw+"), wanted=lambda topic: True):
    """A complete bag of a short episode."""
    with BagWriter(folder, name) as bag:
        listeners = [
            PlannerPublisher(CODEC, bag.write),
            WorldPublisher(CODEC, bag.write, wanted),
            QaPublisher(CODEC, bag.write),
        ]
        EpisodeRunner(OpenFieldWorld(), ScriptedAgent(actions), listeners).run(make_episode(name), 0)
        return bag.finish(name, {"/tf": 2})


def test_a_recording_holds_every_topic_of_an_episode(tmp_path):
    path = record(tmp_path)
    messages = [(topic.name, message) for topic, _, message in read_bag(path)]
    names = [name for name, _ in messages]
    assert names.count("episode") == 2
    assert names.count("viewpoint_command") == names.count("command_result") == 2
    assert names.count("camera/image_raw/compressed") == names.count("camera/camera_info") == 3
    assert names.count("camera/instances/legend") == names.count("/tf_static") == 1
    assert {"answer", "noise_report", "camera/detections", "search/path", "search/markers"} <= set(names)
    summary = messages[-1][1]
    counted = dict(zip(summary.topics, summary.messages, strict=True))
    assert counted["/command_result"] == 2
    assert dict(zip(summary.topics, summary.dropped, strict=True))["/tf"] == 2
    ended = [message for name, message in messages if name == "episode"][-1]
    assert (ended.state, ended.commands_sent, ended.answers_given) == (EpisodeState.FINISHED, 2, 1)


class DescribedWorld(OpenFieldWorld):
    """Has a robot."""

    def urdf(self):
        return "<robot name='round'/>"


def test_what_the_robot_looks_like_is_recorded_with_the_episode(tmp_path):
    with BagWriter(tmp_path, "seen") as bag:
        world = DescribedWorld()
        listeners = [PlannerPublisher(CODEC, bag.write), WorldPublisher(CODEC, bag.write, lambda topic: True, world)]
        EpisodeRunner(world, ScriptedAgent(("x+",)), listeners).run(make_episode("seen"), 0)
        path = bag.finish("seen")
    assert [message.data for _, _, message in read_bag(path, (ROBOT_DESCRIPTION,))] == ["<robot name='round'/>"]
    assert ROBOT_DESCRIPTION not in topics_in(record(tmp_path))


def test_results_point_at_frames_of_the_same_stamp(tmp_path):
    path = record(tmp_path)
    stamps = set()
    for topic, _, message in read_bag(path):
        if topic is topics.IMAGE_COMPRESSED:
            stamps.add((message.header.stamp.sec, message.header.stamp.nanosec))
            assert decode_pixels(message).shape == (24, 32, 3)
        if topic is topics.COMMAND_RESULT:
            assert (message.observation_stamp.sec, message.observation_stamp.nanosec) in stamps


def test_optional_topics_are_left_out_on_request(tmp_path):
    path = record(tmp_path, wanted=lambda topic: not topic.optional)
    names = {topic.name for topic, _, _ in read_bag(path)}
    assert "camera/image_raw" not in names
    assert "camera/image_raw/compressed" in names
    only = [topic for topic, _, _ in read_bag(path, (topics.ANSWER,))]
    assert only == [topics.ANSWER]


def test_what_a_bag_holds_is_told_by_its_metadata(tmp_path):
    held = topics_in(record(tmp_path, wanted=lambda topic: not topic.optional))
    assert topics.EPISODE in held
    assert not {topics.IMAGE, topics.DEPTH, topics.INSTANCES} & held
    assert {topics.IMAGE, topics.DEPTH} <= topics_in(record(tmp_path, "full"))


def test_a_bag_without_metadata_is_named_itself(tmp_path):
    bag = record(tmp_path)
    (bag / "metadata.yaml").unlink()
    for read in (find_bags, topics_in, lambda path: list(read_bag(path))):
        with pytest.raises(RecordingError, match="episode-1 has no metadata"):
            read(bag)


def test_a_set_of_episodes_is_not_taken_for_bags(tmp_path):
    (tmp_path / "set.json").write_text("{}")
    with pytest.raises(RecordingError, match="is an episode set, not bags; run it with --out RUNS"):
        find_bags(tmp_path)


def test_an_unfinished_recording_stays_partial_and_is_listed_as_such(tmp_path):
    with BagWriter(tmp_path, "broken") as bag:
        bag.write(topics.TF_STATIC, 1, CODEC.static_transforms(1))
    record(tmp_path, "whole")
    complete, partial = find_bags(tmp_path)
    assert [path.name for path in complete] == ["whole"]
    assert [path.name for path in partial] == ["broken.partial"]
    with BagWriter(tmp_path, "broken") as bag:  # a second try replaces the remains of the first
        bag.finish("broken")
    assert [path.name for path in find_bags(tmp_path)[0]] == ["broken", "whole"]
    assert find_bags(tmp_path)[1] == []


def test_two_writers_of_one_name_leave_each_other_alone(tmp_path):
    with BagWriter(tmp_path, "twice") as first, BagWriter(tmp_path, "twice") as second:
        for bag, count in ((first, 3), (second, 1)):
            for stamp in range(1, count + 1):
                bag.write(topics.TF_STATIC, stamp, CODEC.static_transforms(stamp))
        path = first.finish("twice")
        assert len(list(read_bag(path))) == 4, "the first one's messages and its summary, none of the other's"
        with pytest.raises(RecordingError, match="twice"):
            second.finish("twice")
    assert len(list(read_bag(path))) == 4
    assert [item.name for item in find_bags(tmp_path)[1]] == ["twice.partial"]
    assert len(list((tmp_path / "twice.partial").iterdir())) == 1


def test_what_no_writer_left_in_a_partial_folder_stays(tmp_path):
    notes = tmp_path / "mine.partial" / "mine"
    notes.mkdir(parents=True)
    (notes / "notes.txt").write_text("keep")
    (notes.parent / "writer-1-notours").mkdir()
    with BagWriter(tmp_path, "mine") as bag:
        bag.finish("mine")
    assert (notes / "notes.txt").read_text() == "keep"
    assert sorted(item.name for item in notes.parent.iterdir()) == ["mine", "writer-1-notours"]


def test_the_setup_is_kept_with_the_bag(tmp_path):
    given = {"agent.name": "search", "seed": 3, "text": "two\nlines: 'and' \"quotes\" " + "long " * 60}
    with BagWriter(tmp_path, "told", given) as bag:
        assert recorded_setup(bag.finish("told")) == given
    assert recorded_setup(record(tmp_path)) is None
    with FolderLock(tmp_path, {"seed": 4}):
        assert recorded_setup(record(tmp_path, "claimed")) == {"seed": 4}


@pytest.mark.parametrize("name", ["../victim", "a/b", "", ".hidden", "x" * 101])
def test_names_that_leave_the_folder_are_refused(tmp_path, name):
    victim = tmp_path / "victim.partial"
    victim.mkdir()
    with pytest.raises(RecordingError, match="cannot name a bag"):
        BagWriter(tmp_path / "out", name)
    assert victim.is_dir()


def test_what_comes_before_the_time_is_known_is_logged_just_before_it(tmp_path):
    """A planner that has seen nothing yet tells the time 0, and a rig lives on system time."""
    now = 1_700_000_000 * 10**9
    with BagWriter(tmp_path, "episode-1") as bag:
        for stamp in (0, now, now + 1):
            bag.write(topics.TF_STATIC, stamp, CODEC.static_transforms(stamp))
        path = bag.finish("episode-1")
    assert [stamp for _, stamp, _ in read_bag(path)] == [now - 1, now, now + 1, now + 1]
    with BagWriter(tmp_path, "episode-2") as bag:
        bag.write(topics.TF_STATIC, 0, CODEC.static_transforms(0))
        path = bag.finish("episode-2")
    assert [topic for topic, _, _ in read_bag(path)] == [topics.TF_STATIC, topics.RECORDING_SUMMARY]
    with BagWriter(tmp_path, "episode-3") as bag:
        bag.write(topics.TF_STATIC, 0, CODEC.static_transforms(0))
    [left] = (tmp_path / "episode-3.partial").glob("writer-*/episode-3")
    assert len(list(read_bag(left))) == 1


def test_a_complete_bag_is_never_overwritten(tmp_path):
    record(tmp_path)
    with pytest.raises(RecordingError, match="exists already"):
        BagWriter(tmp_path, "episode-1")


@pytest.mark.parametrize("damage", ["cut", "empty", "text", "missing"])
def test_damaged_bags_are_named(tmp_path, damage):
    path = record(tmp_path)
    file = path / "episode-1.mcap"
    data = file.read_bytes()
    if damage == "cut":
        file.write_bytes(data[: len(data) // 2])
    elif damage == "empty":
        file.write_bytes(b"")
    elif damage == "text":
        file.write_text("not a bag\n" * 100)
    else:
        file.unlink()
    with pytest.raises(RecordingError, match="episode-1"):
        list(read_bag(path))


def test_overwritten_bytes_never_crash_the_reader(tmp_path):
    path = record(tmp_path)
    file = path / "episode-1.mcap"
    data = bytearray(file.read_bytes())
    rng = np.random.default_rng(0)
    for _ in range(60):
        changed = bytearray(data)
        for position in rng.integers(0, len(data), 8):
            changed[position] = rng.integers(0, 256)
        file.write_bytes(changed)
        with contextlib.suppress(RecordingError):
            for _ in read_bag(path):
                pass


def test_find_bags_explains_what_is_missing(tmp_path):
    with pytest.raises(RecordingError, match="no folder"):
        find_bags(tmp_path / "nowhere")
    with pytest.raises(RecordingError, match="holds no bag"):
        find_bags(tmp_path)


def test_bags_open_in_independent_readers(tmp_path):
    from mcap.reader import make_reader
    from mcap_ros2.decoder import DecoderFactory

    path = record(tmp_path)
    decoded = {}
    with (path / "episode-1.mcap").open("rb") as stream:
        reader = make_reader(stream, decoder_factories=[DecoderFactory()])
        for schema, channel, _, message in reader.iter_decoded_messages():
            decoded.setdefault(channel.topic, []).append((schema.name, message))
    name, answer = decoded["/answer"][0]
    assert name == "vantage_eqa/msg/Answer"
    assert (answer.text, answer.question_id) == ("red", "q1")
    result = decoded["/command_result"][0][1]
    assert result.reached.x == START.x + 0.25
    assert decoded["/camera/camera_info"][0][1].width == 32


def test_every_topic_of_the_table_has_a_known_type():
    for topic in topics.RECORDED:
        assert topic.type in typestore().types, topic.name
        assert absolute(topic.name).startswith("/")
    assert not any(topic.is_truth for topic in topics.REPLAYED)
    assert len({topic.name for topic in topics.RECORDED}) == len(topics.RECORDED)


def test_images_that_cannot_be_encoded_or_decoded(tmp_path):
    image = np.zeros((4, 5, 3), np.uint8)
    image[:, :, 0] = 200
    message = CODEC.compressed_image(1, encode_image(image, ".png"), "png")
    np.testing.assert_array_equal(decode_pixels(message), image)
    with pytest.raises(RecordingError, match="cannot be decoded"):
        decode_pixels(CODEC.compressed_image(1, b"junk"))
    assert math.isclose(CODEC.camera_info(1, OpenFieldWorld()._intrinsics).k[0], 23.39, abs_tol=0.05)
