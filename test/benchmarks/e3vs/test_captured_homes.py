"""What counts as a capture among the homes that are brought."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from vantage.benchmarks.e3vs.captured_homes import captured_homes


def test_a_file_of_houses_is_no_capture(tmp_path: Path) -> None:
    houses = tmp_path / "dev.jsonl.gz"
    houses.write_bytes(gzip.compress(json.dumps({"rooms": []}).encode()))
    assert captured_homes(houses, 0) == []


def test_a_folder_that_is_not_there_holds_no_capture(tmp_path: Path) -> None:
    assert captured_homes(tmp_path / "none", 0) == []
    assert captured_homes(tmp_path, 0) == []
