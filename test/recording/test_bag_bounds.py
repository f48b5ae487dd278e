"""Bags whose parts would become far larger than they are, or deeper than Python goes, are refused in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from row_tables import each_row

from vantage.bench import packed_bombs
from vantage.bench.packed_bombs import write_bag
from vantage.errors import RecordingError
from vantage.recording import quick_reading, recorded_setup
from vantage.recording.bags import read_bag_raw

INFORMATION = "rosbag2_bagfile_information:\n  custom_data:\n    vantage_setup: '{}'\n"


def test_a_chunk_unpacks_to_no_more_than_it_announces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_bombs, "_zeros", lambda: iter([bytes(1 << 20)] * 64))
    bag = write_bag(tmp_path / "bag", packed=True)
    assert sum(file.stat().st_size for file in bag.iterdir()) < 100_000
    with pytest.raises(RecordingError, match=r"Chunk size mismatch: expected \d+ bytes, got \d{1,4}\."):
        list(read_bag_raw(bag))
    monkeypatch.setattr(quick_reading, "MOST_CHUNK", 10)
    with pytest.raises(RecordingError, match="at most 10 are unpacked"):
        list(read_bag_raw(bag))


@each_row(
    "text, problem",
    [
        ("a: " + "[" * 5000 + "]" * 5000, "nested too deeply"),
        ("a: &a [*a]\n", "holds itself"),
        ("a: [" + "0, " * 60_000 + "]", "more than 50000 values"),
        ("a: " + "b" * (1 << 20), "more than 1048576 characters"),
    ],
)
def test_metadata_are_counted_before_they_are_read(tmp_path: Path, text: str, problem: str) -> None:
    bag = write_bag(tmp_path / "bag")
    assert list(read_bag_raw(bag, ())) == []
    (bag / "metadata.yaml").write_text(text)
    with pytest.raises(RecordingError, match=problem):
        list(read_bag_raw(bag))


def test_a_setup_that_is_nested_too_deeply_is_damage(tmp_path: Path) -> None:
    (tmp_path / "metadata.yaml").write_text(INFORMATION.format('{"a": 1}'))
    assert recorded_setup(tmp_path) == {"a": 1}
    for text in (INFORMATION.format("[" * 5000 + "]" * 5000), "a: " + "[" * 5000, "a: &a [*a]\n"):
        (tmp_path / "metadata.yaml").write_text(text)
        with pytest.raises(RecordingError, match="has a damaged metadata"):
            recorded_setup(tmp_path)
