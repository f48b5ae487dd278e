"""What a report tells of an episode of several phases."""

from __future__ import annotations

from pathlib import Path

from four_phases import BreakingWorld, record_four, whole_episode
from gold_bags import Telling, gold, record, said

from vantage.recording import read_recording
from vantage.reports.phased_episode import PhasedEpisode, read_phased
from vantage.reports.report import write_report


def phased(bag: Path) -> PhasedEpisode:
    found = read_phased(read_recording(bag))
    assert found is not None
    return found


def test_each_phase_tells_its_steps_and_what_was_seen_and_opened(tmp_path: Path) -> None:
    found = phased(record_four(tmp_path)).lines
    assert list(found) == ["explore", "answer", "reenter", "refine"]
    assert found["explore"].startswith("3 steps; 4 of 10 things seen for the first time; 10 of 40 m2")
    assert found["answer"] == "0 steps"
    assert found["reenter"].startswith("put back as at the start; 2 steps; 1 of 10 things seen")
    assert "opened thing 9" in found["reenter"]


def test_each_question_stands_once_with_its_answers_of_both_phases_and_what_was_missing(tmp_path: Path) -> None:
    found = phased(record_four(tmp_path))
    assert found.asking == ("answer", "refine")
    heavier, bowls, drawer, vase = found.asked
    first, again = heavier.given["answer"], heavier.given["refine"]
    assert first is not None
    assert again is not None
    assert (first.right, again.right) == (False, True)
    assert first.missing == again.missing == "not lifted: ball 1, thing 2"
    told = drawer.given["answer"]
    assert told is not None
    assert told.answer is not None
    assert (told.answer.text, told.missing) == ("red", "not seen: thing 4; not opened: thing 9")
    assert [each.truth.answer for each in (bowls, vase) if each.truth] == ["40", "no"]


def test_of_an_episode_that_broke_off_what_ended_is_marked(tmp_path: Path) -> None:
    found = phased(record_four(tmp_path, world=BreakingWorld(4)))
    assert list(found.lines) == ["explore", "answer", "reenter"]
    assert found.asking == ("answer",)
    assert [each.right for asked in found.asked for each in asked.given.values() if each] == [False, True, False, False]


def test_an_episode_of_one_phase_has_none(tmp_path: Path) -> None:
    record(tmp_path, "fine", Telling(["x+"], said("red")), gold())
    assert read_phased(read_recording(tmp_path / "fine")) is None


def test_the_page_shows_them(tmp_path: Path) -> None:
    record_four(tmp_path / "bags")
    page = write_report(tmp_path / "bags", tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Phase explore" in page
    assert "put back as at the start" in page
    assert "opened thing 9" in page
    assert "never gathered until then: not lifted: ball 1, thing 2" in page
    assert page.count('<b class="bad">wrong</b>') == 3
    assert page.count('<b class="good">right</b>') == 5
    assert page.count("Is there a vase on the table?") == 2, "once in the list of episodes, once with its answers"


def test_many_questions_are_cut_short_in_the_list_alone(tmp_path: Path) -> None:
    record_four(tmp_path / "bags", episode=whole_episode())
    record_four(tmp_path / "bags", episode=whole_episode("e2"))
    page = write_report(tmp_path / "bags", tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("Is there a vase on the table?") == 4
