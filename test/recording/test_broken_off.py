"""Bags that break off are read as far as they go, and hostile bytes are no messages."""

from __future__ import annotations

import os
import random
import struct
import tracemalloc

import pytest
from gold_bags import Telling, gold, record, said

from vantage.errors import RecordingError
from vantage.recording import COMMAND_RESULT, EPISODE, read_bag, read_broken_off

READ = (EPISODE, COMMAND_RESULT)


def recorded(folder):
    bag, _ = record(folder, "e1", Telling(["x+", "yaw+", "x+"], said("red")), gold())
    return bag, next(bag.glob("*.mcap"))


def told(messages):
    return [(topic.name, stamp) for topic, stamp, _ in messages]


def test_a_whole_file_gives_what_the_reader_of_bags_gives(tmp_path):
    bag, _ = recorded(tmp_path)
    assert sorted(told(read_broken_off(bag, READ))) == sorted(told(read_bag(bag, READ)))


def test_what_comes_before_the_break_is_read(tmp_path):
    bag, file = recorded(tmp_path)
    whole, data = told(read_broken_off(bag, READ)), file.read_bytes()
    lengths = []
    for share in (0.1, 0.4, 0.7, 0.95):
        file.write_bytes(data[: int(share * len(data))])
        part = told(read_broken_off(bag, READ))
        assert part == whole[: len(part)]
        lengths.append(len(part))
    assert lengths == sorted(lengths)
    assert lengths[-1] > 0


def test_bytes_that_were_changed_raise_nothing_else_than_a_sentence(tmp_path):
    bag, file = recorded(tmp_path)
    data, draw = file.read_bytes(), random.Random(5)
    for _ in range(60):
        changed = bytearray(data)
        for _ in range(20):
            changed[draw.randrange(8, len(changed))] = draw.randrange(256)
        file.write_bytes(changed)
        assert len(told(read_broken_off(bag))) <= 10_000


def test_a_large_file_takes_no_more_memory_than_its_largest_record(tmp_path):
    bag, file = recorded(tmp_path)
    whole = told(read_broken_off(bag, READ))
    size = 200 << 20
    with file.open("r+b") as opened:  # an attachment that nobody reads, sparse on the disk, before all else
        data = opened.read()
        opened.seek(8)
        opened.write(struct.pack("<BQ", 0x09, size))
        opened.seek(size, os.SEEK_CUR)
        opened.write(data[8:])
    tracemalloc.start()
    try:
        assert told(read_broken_off(bag, READ)) == whole
        assert tracemalloc.get_traced_memory()[1] < 20 << 20
    finally:
        tracemalloc.stop()


def test_nothing_and_no_mcap_are_one_sentence(tmp_path):
    with pytest.raises(RecordingError, match="holds no MCAP file"):
        list(read_broken_off(tmp_path))
    (tmp_path / "a.mcap").write_bytes(b"something else")
    with pytest.raises(RecordingError, match="is no MCAP file"):
        list(read_broken_off(tmp_path))
