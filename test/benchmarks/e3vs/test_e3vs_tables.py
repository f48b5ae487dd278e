"""Tables of setups by category, and differences between setups on the same episodes."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from vantage.benchmarks.e3vs.e3vs_benchmark import E3vsBenchmark
from vantage.benchmarks.statistics.metrics import EpisodeScore
from vantage.cli.json_values import json_value


def score(number: int, agent: str, mark: float, **fields) -> EpisodeScore:
    return replace(
        EpisodeScore(
            f"e{number}",
            "e3vs",
            agent,
            "degraded",
            "rules",
            complete=True,
            judge_score=mark,
            success=mark == 5,
            steps=10,
            spl=0.5 if mark == 5 else 0.0,
            scene=f"home_{number % 3}",
            category="OS" if number % 2 else "CNT",
            question=f"question {number}",
        ),
        **fields,
    )


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
    assert "search degraded [rules]" in section.text()
    assert "### Differences" in section.markdown()
    json.dumps(json_value(section.data), allow_nan=False)


def test_controls_of_one_agent_are_setups_of_their_own() -> None:
    members = [score(1, "pilot", 5.0), score(1, "pilot", 1.0, control="start=goal")]
    section = E3vsBenchmark().section(members)
    assert section is not None
    assert [setup["control"] for setup in section.data["setups"]] == ["", "start=goal"]


@pytest.mark.parametrize("changed", [{"benchmark": "search"}, {"complete": False}])
def test_there_is_no_section_without_scores(changed: dict[str, object]) -> None:
    assert E3vsBenchmark().section([replace(score(1, "search", 5.0), **changed)]) is None


def test_marks_by_category() -> None:
    figures = {figure.key: figure.value for figure in E3vsBenchmark().categories(scores()[:8])}
    assert figures == {"CNT": pytest.approx(75.0), "OS": pytest.approx(75.0), "all": pytest.approx(75.0)}


def test_who_answers_is_named_where_nothing_else_tells_setups_apart() -> None:
    members = [score(1, "pilot", 5.0, model="a/pilot"), score(1, "pilot", 1.0, model="b/pilot")]
    section = E3vsBenchmark().section([*members, score(1, "search", 5.0, model="symbolic/nacot")])
    assert section is not None
    assert [setup["model"] for setup in section.data["setups"]] == ["a/pilot", "b/pilot", "symbolic/nacot"]
    assert {setup["categories"]["all"]["mark"]["n"] for setup in section.data["setups"]} == {1}
    told = section.text()
    assert "pilot degraded a/pilot [rules] minus pilot degraded b/pilot [rules]" in told
    assert "symbolic" not in told
