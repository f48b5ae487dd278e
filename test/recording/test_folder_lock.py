"""A folder of bags has one writer at a time, and is free again when that one is gone, whatever ended it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from vantage.errors import RecordingError
from vantage.recording.folder_lock import LOCK, FolderLock

HOLD = """
import sys, time
from vantage.recording.folder_lock import FolderLock
claim = FolderLock(sys.argv[1])
print("held", flush=True)
time.sleep(600)
"""


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that has claimed ``tmp_path / "bags"``."""
    words = [sys.executable, "-c", HOLD, str(tmp_path / "bags")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_a_second_process_is_refused_in_one_sentence(holder: subprocess.Popen[str], tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=f"bags is being written to by process {holder.pid}; wait for its end"):
        FolderLock(tmp_path / "bags")
    FolderLock(tmp_path / "others").release()


def test_a_process_that_was_killed_holds_nothing(holder: subprocess.Popen[str], tmp_path: Path) -> None:
    holder.kill()
    holder.wait()
    assert (tmp_path / "bags" / LOCK).exists(), "it had no time to tidy up"
    with FolderLock(tmp_path / "bags"):
        pass
    assert not (tmp_path / "bags" / LOCK).exists()


def test_one_process_may_claim_a_folder_twice(tmp_path: Path) -> None:
    with FolderLock(tmp_path / "bags", {"seed": 1}) as first:
        with FolderLock(tmp_path / "bags"):
            pass
        assert (tmp_path / "bags" / LOCK).read_text() == str(os.getpid()), "it is the first one's to release"
        first.release()
        first.release()
    with FolderLock(tmp_path / "bags"):
        assert (tmp_path / "bags" / LOCK).exists()


def test_a_folder_that_was_made_for_nothing_is_removed_and_no_other(tmp_path: Path) -> None:
    with FolderLock(tmp_path / "a" / "b"):
        assert (tmp_path / "a" / "b").is_dir()
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "a").mkdir()
    with FolderLock(tmp_path / "a" / "b"):
        (tmp_path / "a" / "b" / "bag").mkdir()
    with FolderLock(tmp_path / "a"):
        pass
    assert (tmp_path / "a" / "b" / "bag").is_dir()


def test_what_cannot_be_written_is_told_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "bags"):
        with pytest.raises(RecordingError, match="there is a file where a folder has to be; choose another"):
            FolderLock(folder)
    with pytest.raises(RecordingError, match="cannot write /proc/bags"):
        FolderLock("/proc/bags")
