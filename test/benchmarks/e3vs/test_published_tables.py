"""Published figures beside ours: the numbers are those of the paper, and each row of ours stands by its like."""

from __future__ import annotations

import pytest
from e3vs_scores import score

from vantage.benchmarks.e3vs.e3vs_benchmark import E3vsBenchmark
from vantage.benchmarks.e3vs.e3vs_plan import PUBLISHED, SHARES
from vantage.benchmarks.e3vs.published import (
    CONTROLS,
    MAIN,
    TEST_CATEGORIES,
    TEST_EPISODES,
    TEST_PAIRS,
    TEST_SCENES,
)
from vantage.benchmarks.sections import Section, Table


def section(*scores) -> Section:
    found = E3vsBenchmark().section(scores)
    assert found is not None
    return found


def tables(found: Section) -> dict[str, Table]:
    return {table.title.split(" (")[0]: table for _, members in found.published for table in members}


def test_published_means_are_those_of_the_categories() -> None:
    """But for people's, who answered fewer questions of each category."""
    for row in MAIN:
        mean = sum(row.marks[name] * count for name, count in TEST_CATEGORIES.items()) / TEST_EPISODES
        assert mean == pytest.approx(row.mean, abs=0.005 if row.here else 0.1), row.name


def test_published_sizes_are_those_that_sets_are_made_by() -> None:
    assert (PUBLISHED[2].homes, PUBLISHED[2].episodes, PUBLISHED[2].pairs) == (TEST_SCENES, TEST_EPISODES, TEST_PAIRS)
    assert sum(TEST_CATEGORIES.values()) == TEST_EPISODES
    assert {name: count / TEST_EPISODES for name, count in TEST_CATEGORIES.items()} == pytest.approx(dict(SHARES))
    assert all(1.0 <= control.low <= control.high <= 5.0 for control in CONTROLS)


def test_agents_stand_below_the_published_rows_with_what_of_them_compares() -> None:
    found = section(score(1, "search", 5.0), score(1, "pilot", 1.0, perception="none", model="m/pilot#1"))
    rows = {row[0]: row for row in tables(found)["Main results, mark 1-5"].rows}
    assert rows["paper: GPT-5.1"][1:] == ("2.90", "2.18", "2.53", "2.73", "2.25", "1.88", "2.42", "")
    assert rows["search, degraded"][1:] == ("5.00", "-", "-", "-", "-", "-", "5.00", "not in the paper")
    assert rows["pilot, m/pilot#1"][-1] == "the same protocol; other prompt, model, scenes and judge"


def test_a_pilot_with_the_papers_fields_stands_with_the_main_results_and_compares_in_its_prompt() -> None:
    found = section(score(1, "pilot", 1.0, control="prompt=paper"), score(1, "pilot", 1.0, control="frames=3"))
    rows = {row[0]: row for row in tables(found)["Main results, mark 1-5"].rows}
    assert rows["pilot, prompt=paper, degraded"][-1] == "the same protocol; other model, scenes and judge"
    assert rows["pilot, frames=3, degraded"][-1] == "the same protocol; other prompt, model, scenes and judge"


def test_a_control_stands_below_the_published_one() -> None:
    found = section(
        score(1, "vqa", 5.0, control="start=goal"),
        score(1, "vqa", 1.0),
        score(1, "vqa", 1.0, control="start=bird"),
        score(1, "pilot", 3.0, control="thinking=on"),
        score(1, "search", 1.0, control="dof=x+y+yaw"),
    )
    rows = tables(found)["Controls"].rows
    names = [row[0] for row in rows]
    above = {name: names[k - 1] for k, name in enumerate(names) if not name.startswith("paper")}
    assert above["vqa, degraded"] == "paper: VQA at the start"
    assert above["vqa, start=goal, degraded"] == "paper: VQA at the goal"
    assert above["pilot, thinking=on, degraded"] == "paper: GPT-5.1 with thinking"
    told = {row[0]: row[1:] for row in rows}
    assert told["vqa, start=goal, degraded"][0] == "5.00"
    assert told["vqa, start=bird, degraded"][-1].startswith("nothing: to rules")
    assert told["search, dof=x+y+yaw, degraded"][-1] == "not in the paper"


def test_more_frames_are_told_against_one_frame_on_the_same_episodes() -> None:
    several = [score(k, "pilot", 5.0, steps=6, control="frames=3") for k in range(4)]
    found = section(*several, *(score(k, "pilot", 3.0) for k in range(4)))
    rows = {row[0]: row[1:] for row in tables(found)["Pictures at each step"].rows}
    assert rows["paper: 3 or 5 frames against 1"] == ("alike", "fewer", "-", "fewer")
    assert rows["pilot, frames=3, degraded, minus 1 frame"][:2] == ("2.00 [2.00, 2.00]", "-4.00 [-4.00, -4.00]")


def test_pages_have_published_figures_and_a_terminal_has_none() -> None:
    found = section(score(1, "search", 5.0))
    assert "paper: Human" in found.markdown()
    assert found.notes in found.markdown()
    assert "Human" not in found.text()
    assert found.data["published"]["main"][-1]["mean"] == pytest.approx(3.53)
    assert tables(found)["What was asked"].rows[1][:4] == ("scored here", "1", "1", "1")
