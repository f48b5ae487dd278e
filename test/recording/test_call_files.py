"""Files of calls beside bags."""

from __future__ import annotations

from pathlib import Path

import pytest

from vantage.errors import FormatError, RecordingError
from vantage.recording.call_files import calls_beside, read_calls, write_calls

CALLS = [
    {"step": 0, "prompt": "Wo ist die T\u00fcr?\nJetzt.", "reply": "a"},
    {"step": 3, "prompt": "b", "reply": "\u2028"},
]


def test_what_is_written_is_read_again_and_lies_beside_the_bag(tmp_path: Path) -> None:
    bag = tmp_path / "home_1-01"
    write_calls(bag, CALLS)
    assert read_calls(bag) == CALLS
    assert calls_beside(bag) == bag / "calls.jsonl"
    assert calls_beside(bag).stat().st_mode & 0o077 == 0, "prompts are for their user alone"
    write_calls(bag, CALLS[:1])
    assert read_calls(bag) == CALLS[:1], "a later trial takes the place of an earlier one"
    write_calls(bag, [])
    assert not calls_beside(bag).exists()


def test_without_a_file_there_are_none(tmp_path: Path) -> None:
    assert read_calls(tmp_path / "nothing") == []


@pytest.mark.parametrize(
    ("text", "where"), [('{"a": 1}\n{"a": ', "line 2"), ("[1]\n", "line 1"), ('{"a": 1}\n\n', "line 2")]
)
def test_a_damaged_file_is_named_with_its_line(tmp_path: Path, text: str, where: str) -> None:
    (tmp_path / "bag").mkdir()
    calls_beside(tmp_path / "bag").write_text(text)
    with pytest.raises(FormatError, match=where):
        read_calls(tmp_path / "bag")


def test_what_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "bag").mkdir()
    calls_beside(tmp_path / "bag").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FormatError, match="cannot be read"):
        read_calls(tmp_path / "bag")


def test_a_folder_that_takes_no_file_is_told(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(RecordingError, match="choose another output folder"):
        write_calls(file / "bag", CALLS)
