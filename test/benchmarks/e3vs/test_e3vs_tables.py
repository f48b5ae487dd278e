"""Tables of setups by category, and differences between setups on the same episodes."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from e3vs_scores import score

from vantage.benchmarks.e3vs.e3vs_benchmark import E3vsBenchmark
from vantage.benchmarks.e3vs.setups import Setup
from vantage.benchmarks.statistics.metrics import EpisodeScore
from vantage.cli.json_values import json_value

MODELS = {"small": 1.0, "large": 5.0}


def scores() -> list[EpisodeScore]:
    found = [score(number, "search", 5.0 if number < 6 else 1.0) for number in range(8)]
    return found + [score(number, "random", 5.0 if number < 2 else 1.0) for number in range(8)]


def test_setups_are_told_by_category_and_against_each_other() -> None:
    section = E3vsBenchmark().section(scores())
    assert section is not None
    first, second = section.data["setups"]
    assert (first["agent"], second["agent"]) == ("search", "random")
    assert list(first["categories"]) == ["OS", "CNT", "all"]
    assert first["categories"]["all"]["success"]["value"] == pytest.approx(0.75)
    assert first["categories"]["all"]["normalised"]["value"] == pytest.approx(75.0)
    gap = section.data["differences"][0]
    assert gap["success"]["value"] == pytest.approx(0.5)
    assert gap["success"]["n"] == 8
    assert gap["first"] == first["title"] == "search, degraded [rules]"
    assert gap["second"] == second["title"]
    titles = [table.title for _, tables in section.tables for table in tables]
    assert titles[:9] == [
        "Mark, 1-5",
        "Normalised mark, 0-100",
        "Right in words, %",
        "Shown, %",
        "Both (success), %",
        "Steps",
        "Collisions",
        "Collided steps, %",
        "SPL, 0-1",
    ]
    assert "search, degraded" in section.text()
    assert "### Judge rules" in section.markdown()
    assert "Differences on the same episodes" in section.markdown()
    json.dumps(json_value(section.data), allow_nan=False)


def test_controls_of_one_agent_are_setups_of_their_own() -> None:
    members = [score(1, "pilot", 5.0), score(1, "pilot", 1.0, control="start=goal")]
    section = E3vsBenchmark().section(members)
    assert section is not None
    assert [setup["control"] for setup in section.data["setups"]] == ["", "start=goal"]


def test_models_of_one_agent_are_setups_of_their_own() -> None:
    members = [score(k, "pilot", mark, model=f"{model}/pilot#1") for k in range(3) for model, mark in MODELS.items()]
    section = E3vsBenchmark().section(members)
    assert section is not None
    assert [(each["model"], each["categories"]["all"]["mark"]["value"]) for each in section.data["setups"]] == [
        ("large/pilot#1", 5.0),
        ("small/pilot#1", 1.0),
    ]


def test_two_kinds_of_prompt_are_setups_of_their_own_that_differ_in_one_thing() -> None:
    kinds = {"": "m/pilot#1", "prompt=paper": "m/pilot#2"}
    members = [
        score(k, "pilot", 5.0, control=control, model=model) for k in range(4) for control, model in kinds.items()
    ]
    full, paper = (Setup.of(each) for each in members[:2])
    assert full.distance(paper) == 1
    assert replace(paper, model="other/pilot#2").distance(full) == 2
    section = E3vsBenchmark().section(members)
    assert section is not None
    assert [setup["control"] for setup in section.data["setups"]] == ["", "prompt=paper"]
    assert len(section.tables[0][1][-1].rows) == 1


def test_tables_hold_differences_of_setups_that_differ_in_one_thing_and_data_hold_all() -> None:
    members = [
        score(k, agent, 5.0 if k else 1.0, control=control, model="symbolic/nacot")
        for k in range(4)
        for agent, control in (("search", ""), ("search", "dof=x+y+yaw"), ("coverage", ""))
    ]
    section = E3vsBenchmark().section(members)
    assert section is not None
    rows = {row[0] for row in section.tables[0][1][-1].rows}
    own, limited, other = (
        f"{name}, degraded, symbolic/nacot" for name in ("search", "search, dof=x+y+yaw", "coverage")
    )
    assert rows == {f"{other} - {own}", f"{own} - {limited}"}
    assert len(section.data["differences"]) == 3


def test_marks_of_two_judges_stand_in_tables_of_their_own() -> None:
    members = [score(k, "search", 5.0, judge=judge) for k in range(3) for judge in ("rules", "model:m#1")]
    section = E3vsBenchmark().section(members)
    assert section is not None
    assert [heading for heading, _ in section.tables] == ["judge rules", "judge model:m#1"]
    assert section.data["differences"] == []


@pytest.mark.parametrize("changed", [{"benchmark": "search"}, {"complete": False}])
def test_there_is_no_section_without_scores(changed: dict[str, object]) -> None:
    assert E3vsBenchmark().section([replace(score(1, "search", 5.0), **changed)]) is None


def test_marks_by_category() -> None:
    figures = {figure.key: figure.value for figure in E3vsBenchmark().categories(scores()[:8])}
    assert figures == {"CNT": pytest.approx(75.0), "OS": pytest.approx(75.0), "all": pytest.approx(75.0)}
