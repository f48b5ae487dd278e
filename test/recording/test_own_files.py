"""A bag is read from its own folder alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from gold_bags import Telling, gold, record, said

from vantage.errors import RecordingError
from vantage.recording import read_recording, recorded_setup
from vantage.recording.broken_off import read_broken_off
from vantage.recording.integrity import require_own_files
from vantage.reports import score_bag


@pytest.fixture
def bag(tmp_path: Path) -> Path:
    found, _ = record(tmp_path / "bags", "one", Telling(("x+",), said("red")), gold())
    return found


@pytest.mark.parametrize("name", ["metadata.yaml", "one.mcap"])
def test_a_file_behind_a_link_is_not_read(bag: Path, tmp_path: Path, name: str) -> None:
    require_own_files(bag)
    (bag / name).rename(tmp_path / "outside")
    (bag / name).symlink_to(tmp_path / "outside")
    for read in (read_recording, recorded_setup, lambda path: list(read_broken_off(path))):
        with pytest.raises(RecordingError, match=rf"one/{name} is a link that leads out of"):
            read(bag)
    assert "is a link that leads out of" in score_bag(bag).incomplete_reason


def test_a_pipe_is_not_waited_for(bag: Path) -> None:
    (bag / "one.mcap").unlink()
    os.mkfifo(bag / "one.mcap")
    for read in (read_recording, lambda path: list(read_broken_off(path))):
        with pytest.raises(RecordingError, match=r"one\.mcap is no file that a bag has; remove it"):
            read(bag)


def test_files_beside_the_bag_are_not_read_whatever_its_metadata_name(bag: Path) -> None:
    (bag / "one.mcap").rename(bag.parent / "other.mcap")
    metadata = bag / "metadata.yaml"
    metadata.write_text(metadata.read_text().replace("one.mcap", "../other.mcap"))
    with pytest.raises(RecordingError):
        read_recording(bag)
