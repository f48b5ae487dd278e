"""What a report tells of the phases of an episode."""

from __future__ import annotations

from pathlib import Path

from four_phases import record_four

from vantage.recording import read_recording
from vantage.reports.phase_events import phase_events
from vantage.reports.report import write_report


def test_each_phase_tells_its_steps_and_what_was_seen_and_opened(tmp_path: Path) -> None:
    found = phase_events(read_recording(record_four(tmp_path)))
    assert list(found) == ["explore", "answer", "reenter", "refine"]
    assert found["explore"].startswith("3 steps; 4 of 10 things seen for the first time; 10 of 40 m2")
    assert found["answer"] == "0 steps"
    assert found["reenter"].startswith("put back as at the start; 2 steps; 1 of 10 things seen")
    assert "opened thing 9" in found["reenter"]


def test_the_page_shows_them(tmp_path: Path) -> None:
    record_four(tmp_path / "bags")
    page = write_report(tmp_path / "bags", tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Phase explore" in page
    assert "put back as at the start" in page
    assert "opened thing 9" in page
