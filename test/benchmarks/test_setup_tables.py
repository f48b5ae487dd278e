"""Setups of any benchmark beside each other, against numbers worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from gold_bags import Telling, gold, record, said

from vantage.benchmarks.sections import Table
from vantage.benchmarks.setup_tables import setup_figures, setup_section
from vantage.benchmarks.statistics.metrics import EpisodeScore
from vantage.cli.main import main
from vantage.reports.scoring import score_runs


def scores(agent: str, marks: dict[str, float], **values: object) -> list[EpisodeScore]:
    """Complete episodes; the scene stands before the dash of an id, the category after it."""
    base = EpisodeScore("", "plain", agent, "degraded", "rules", complete=True, steps=4, collisions=1)
    found = []
    for name, mark in marks.items():
        scene, category = name.split("-")
        more = {"episode_id": name, "scene": scene, "category": category, "judge_score": mark, "success": mark == 5}
        found.append(replace(base, **more, **values))  # type: ignore[arg-type]
    return found


def rows(table: Table) -> dict[str, dict[str, str]]:
    """Cells without their intervals, by row and column."""
    return {
        row[0]: dict(zip(table.head[1:], (cell.split(" ")[0] for cell in row[1:]), strict=True)) for row in table.rows
    }


def test_figures_of_a_setup() -> None:
    members = scores("search", {"s1-a": 5, "s1-b": 3, "s2-a": 1})
    members.append(replace(members[0], episode_id="s2-c", scene="s2", has_oracle=True, spl=0.5, steps=8, collisions=0))
    found = {figure.key: figure for figure in setup_figures(members)}
    assert found["success"].value == 0.5
    assert found["judge_score"].value == 3.5
    assert found["c"].value == 62.5
    assert found["steps"].value == 5
    assert found["collision_rate"].value == pytest.approx(3 / 20)
    assert (found["spl"].value, found["spl"].n) == (0.5, 1)


def test_controls_and_models_are_rows_and_categories_columns() -> None:
    marks = {"s1-a": 5.0, "s1-b": 3.0, "s2-a": 1.0}
    runs = [
        *scores("pilot", marks, model="m", control="start=own"),
        *scores("pilot", dict.fromkeys(marks, 5.0), model="m", control="start=goal"),
        *scores("random", {"s1-c": 1.0}),
        *scores("search", marks, benchmark="other"),
    ]
    section = setup_section("plain", runs)
    assert section is not None
    ((heading, tables),) = section.tables
    assert heading == "perception degraded, judge rules"
    figures, categories, differences = (rows(table) for table in tables)
    own, goal = "pilot, start=own, m", "pilot, start=goal, m"
    assert list(figures) == [goal, own, "random"]
    assert figures[own]["Both (success), %"] == "33.3"
    assert categories[own] == {"a": "50.00", "b": "50.00", "c": "-", "all": "50.00"}
    assert categories["random"] == {"a": "-", "b": "-", "c": "0.00", "all": "0.00"}
    assert list(differences) == [f"{goal} - {own}"], "only setups that have episodes in common are compared"
    assert differences[f"{goal} - {own}"]["Episodes"] == "3"
    assert differences[f"{goal} - {own}"]["C"] == "50.00"
    (gap,) = section.data["differences"]
    assert (gap["first"]["control"], gap["second"]["control"]) == ("start=goal", "start=own")
    assert gap["figures"]["c"]["value"] == 50.0


def test_kinds_stand_in_for_categories_and_other_judges_have_tables_of_their_own() -> None:
    runs = [replace(score, category="", kind="color") for score in scores("search", {"s1-a": 5.0})]
    runs += [replace(score, judge="model:x") for score in runs]
    section = setup_section("plain", runs)
    assert section is not None
    assert [heading for heading, _ in section.tables] == [
        "perception degraded, judge model:x",
        "perception degraded, judge rules",
    ]
    for _, (_, categories) in section.tables:
        assert categories.head == ("", "color", "all")


def test_no_complete_episode_is_no_section() -> None:
    assert setup_section("plain", [EpisodeScore("e1", "plain", incomplete_reason="cut")]) is None


def test_markdown_of_a_benchmark_without_tables_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Sets without a false premise, too: all that a folder needs is a complete episode."""
    record(tmp_path / "one", "e1", Telling(["x+", "yaw+"], said("red")), gold())
    assert main(["score", str(tmp_path / "one"), "--markdown"]) == 0
    printed = capsys.readouterr().out
    assert "| scripted | 1 | 100.0" in printed
    assert "|  | color | all |" in printed
    other = Telling(["x+"], said("blue"))
    other.name = "other"
    record(tmp_path / "two", "e1", other, gold())
    assert main(["score", str(tmp_path / "one"), str(tmp_path / "two"), "--markdown"]) == 0
    assert "| other - scripted | 1 | -100.0" in capsys.readouterr().out
    table = score_runs([tmp_path / "one", tmp_path / "two"])
    (gap,) = table.to_json()["comparisons"]["search"]["differences"]
    assert (gap["first"]["agent"], gap["figures"]["steps"]["value"]) == ("other", -1.0)
    assert "comparisons" not in score_runs(tmp_path / "one").to_json()


def test_without_a_complete_episode_there_is_nothing_to_print(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record(tmp_path, "cut", Telling([], said("red")), gold(), finish=False)
    assert main(["score", str(tmp_path), "--markdown"]) == 2
    assert "no episode is complete" in capsys.readouterr().err
