"""The report of a check: one line for each step, and a page that is written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_rig import rig_settings, write_rig

from vantage.worlds.rig.check.check_report import FAILED, PASSED, SKIPPED, Finding, finding_line, write_report
from vantage.worlds.rig.description import load_rig

FINDINGS = [
    Finding("homing", PASSED, "done in 1.3 s", 1.31),
    Finding("pictures", FAILED, "it sent 'a|b'\nand <b>nothing</b> else", 0.04),
    Finding("a lost link stops", SKIPPED, "not emulated"),
]


def test_a_line_for_each_outcome() -> None:
    assert [finding_line(finding).split(":")[0] for finding in FINDINGS] == [
        "ok       homing",
        "FAILED   pictures",
        "skipped  a lost link stops",
    ]


def test_the_page_has_a_row_for_each_step(tmp_path: Path) -> None:
    rig = write_rig(tmp_path)
    path = tmp_path / "reports" / "check.md"
    write_report(path, load_rig(rig), rig_settings(rig), FINDINGS)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "# Check of rig 'small'"
    assert "hardware, driver `mock`, camera `mock`, file `rig.yaml`: **1 of 3 steps failed**" in lines[2]
    assert lines[4:9] == [
        "| step | outcome | what was found | s |",
        "| --- | --- | --- | --- |",
        "| homing | ok | done in 1.3 s | 1.3 |",
        "| pictures | FAILED | it sent 'a\\|b' and &lt;b>nothing&lt;/b> else | 0.0 |",
        "| a lost link stops | skipped | not emulated | 0.0 |",
    ]
    assert [entry.name for entry in path.parent.iterdir()] == ["check.md"]


def test_nothing_failed_is_said_too(tmp_path: Path) -> None:
    rig = write_rig(tmp_path)
    write_report(tmp_path / "check.md", load_rig(rig), rig_settings(rig), FINDINGS[:1])
    assert "**nothing failed**" in (tmp_path / "check.md").read_text(encoding="utf-8")


def test_a_page_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    rig = write_rig(tmp_path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        write_report(tmp_path / "folder", load_rig(rig), rig_settings(rig), FINDINGS)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["folder", "rig.yaml"]
