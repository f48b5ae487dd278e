from __future__ import annotations

from pathlib import Path

import pytest
from rosbags.rosbag2 import Reader, StoragePlugin, Writer, WriterError

from vantage.recording.bag_file import BagFile
from vantage.recording.bags import offered_qos
from vantage.recording.interfaces import definition_of
from vantage.recording.topics import ANSWER, EPISODE, TF_STATIC

TOPICS = (EPISODE, ANSWER, TF_STATIC, EPISODE)  # two of the same type
SETUP = '{"agent.mode":"no","world.scenes":"' + "a long way to the scenes/" * 8 + '","x":"it\'s: #1"}'


def fill(bag: BagFile | Writer, messages: int) -> None:
    bag.open()
    bag.set_custom_data("vantage_setup", SETUP)
    connections = []
    for number, topic in enumerate(TOPICS):
        definition, digest = definition_of(topic.type)
        name, qos = f"/{topic.name}{number}", offered_qos(topic)
        if isinstance(bag, BagFile):
            connections.append(bag.connect(name, topic.type, definition, digest, qos))
        else:
            connections.append(
                bag.add_connection(name, topic.type, msgdef=definition, rihs01=digest, offered_qos_profiles=[qos])
            )
    for k in range(messages):
        bag.write(connections[k % len(connections)], 10**9 + k, bytes([k] * (k + 1)))
    bag.close()


@pytest.mark.parametrize("messages", [0, 1, 50])
def test_its_bytes_are_those_of_rosbags(tmp_path: Path, messages: int) -> None:
    ours, theirs = tmp_path / "ours" / "bag", tmp_path / "theirs" / "bag"
    fill(BagFile(ours), messages)
    fill(Writer(theirs, version=9, storage_plugin=StoragePlugin.MCAP), messages)
    assert {path.name: path.read_bytes() for path in ours.iterdir()} == {
        path.name: path.read_bytes() for path in theirs.iterdir()
    }


def test_rosbags_reads_it(tmp_path: Path) -> None:
    fill(BagFile(tmp_path / "bag"), 6)
    with Reader(tmp_path / "bag") as reader:
        assert reader.message_count == 6
        assert [each.msgcount for each in reader.connections] == [2, 2, 1, 1]
        assert [bytes(data)[0] for _, _, data in reader.messages()] == list(range(6))


def test_a_closed_one_takes_no_more(tmp_path: Path) -> None:
    bag = BagFile(tmp_path / "bag")
    with pytest.raises(WriterError, match="not open"):
        bag.close()
    fill(bag, 1)
    definition, digest = definition_of(EPISODE.type)
    with pytest.raises(WriterError, match="not open"):
        bag.connect("/more", EPISODE.type, definition, digest, offered_qos(EPISODE))
    with pytest.raises(WriterError):
        bag.write(bag.connections[0], 0, b"x")
