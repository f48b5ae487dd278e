"""A full disk is told as such, by the name of what could not be written, and nothing half-written passes as whole."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from gold_bags import CODEC, Telling, gold, record, said
from small_disks import fill, small_disk

from vantage.cli.main import main
from vantage.errors import RecordingError
from vantage.files import write_whole
from vantage.recording.bags import BagWriter, find_bags
from vantage.recording.topics import IMAGE, TF_STATIC

PICTURE = np.zeros((600, 800, 3), np.uint8)  # 1.44 MB


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 3 MB."""
    with small_disk(tmp_path / "disk") as folder:
        yield folder


def test_a_bag_that_does_not_fit_stays_partial_and_says_how_much_it_needed(
    disk: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(RecordingError) as caught, BagWriter(disk, "large") as bag:
        for stamp in range(1, 9):
            bag.write(IMAGE, stamp, CODEC.image(stamp, PICTURE, "rgb8"))
        bag.finish("large")
    sentence = str(caught.value)
    assert sentence.startswith(f"cannot write {disk / 'large'}: the disk is full (at least ")
    assert float(sentence.partition("at least ")[2].partition(" MB needed")[0]) > 2.5
    assert sentence.endswith("MB free); free space there or choose another output folder")
    complete, partial = find_bags(disk)
    assert (complete, [item.name for item in partial]) == ([], ["large.partial"])
    assert capfd.readouterr().err == "", "nothing is flushed behind our back"


def test_a_recording_that_lost_a_message_is_never_completed(disk: Path) -> None:
    hog = disk / "hog"
    with BagWriter(disk, "large") as bag:
        bag.write(TF_STATIC, 1, CODEC.static_transforms(1))
        hog.write_bytes(bytes(2 << 20))
        with pytest.raises(RecordingError, match="disk is full"):
            bag.write(IMAGE, 2, CODEC.image(2, PICTURE, "rgb8"))
        hog.unlink()
        with pytest.raises(RecordingError, match="disk is full"):
            bag.finish("large")
    assert not (disk / "large").exists()


def test_a_bag_whose_end_does_not_fit_is_not_complete(disk: Path) -> None:
    with BagWriter(disk, "small") as bag:
        bag.write(TF_STATIC, 1, CODEC.static_transforms(1))
        with (disk / "hog").open("wb", buffering=0) as hog, pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
            while True:
                hog.write(bytes(4096))
        with pytest.raises(RecordingError, match="small: the disk is full"):
            bag.finish("small")
    assert not (disk / "small").exists()


def test_a_run_ends_with_one_sentence_at_the_first_episode_that_does_not_fit(disk: Path) -> None:
    record(disk, "first", Telling(("x+",), said("red")), gold())
    fill(disk, 20_000)
    with pytest.raises(RecordingError, match="second: the disk is full"):
        record(disk, "second", Telling(("x+",) * 20, said("red")), gold())
    assert [item.name for item in find_bags(disk)[0]] == ["first"]


def test_a_file_that_does_not_fit_is_named_and_leaves_nothing(disk: Path) -> None:
    with pytest.raises(OSError, match="the disk is full") as caught:
        write_whole(disk / "large.bin", bytes(5_000_000))
    assert caught.value.errno == errno.ENOSPC
    assert "at least 5.00 MB needed" in str(caught.value)
    assert list(disk.iterdir()) == []


def test_a_scene_that_does_not_fit_is_told_in_one_sentence(disk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scene", "make", "--rooms", "1", "--seed", "3", "--out", str(disk / "scenes")]) == 1
    told = capsys.readouterr().err.strip()
    assert told.splitlines()[-1].startswith(f"vantage: cannot write {disk / 'scenes'}")
    assert "the disk is full (at least " in told
    assert told.endswith("MB free); free space there or choose another folder")
    assert not list(disk.rglob("*.ply"))
