"""A miniature set of tasks in generated homes is made by the command line, validated, run by stand-ins and scored."""

from __future__ import annotations

import json
import os
import shutil
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small_errands import miniature_set

from vantage.benchmarks.heal.heal_benchmark import HealBenchmark
from vantage.benchmarks.judging import RuleJudge
from vantage.benchmarks.sets import load_set
from vantage.config import AgentSettings, Settings
from vantage.reports import score_runs
from vantage.runs import Job, run_set
from vantage.types import EpisodeState

FILES = ("episodes.jsonl", "truth.jsonl", "set.json")


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return miniature_set(tmp_path_factory)


def rows_of(episodes: Path, out: Path, model: str) -> dict[str, dict[str, Any]]:
    settings = replace(Settings(), agent=AgentSettings(name="interpreter", model=model))
    for _, outcome in run_set(Job(episodes, out, "none", "interpreter", settings)):
        assert outcome.state is EpisodeState.FINISHED, outcome.reason
    rows = score_runs([out], RuleJudge()).to_json()["heal"]["rows"]
    assert {row["environment"] for row in rows} == {"homes"}
    return {row["transformation"]: row for row in rows}


def test_a_set_is_valid(episodes: Path) -> None:
    assert HealBenchmark().validate(episodes) == []


@pytest.mark.needs("time")
def test_a_set_is_the_same_for_any_workers(episodes: Path, tmp_path: Path) -> None:
    HealBenchmark().make(tmp_path / "again", miniature=True, workers=2)
    files = (path.relative_to(episodes) for path in episodes.rglob("*") if path.is_file())
    made = sorted(path for path in files if not any(part.startswith(".") for part in path.parts))
    assert {*FILES} <= {str(path) for path in made}
    for path in made:
        assert (tmp_path / "again" / path).read_bytes() == (episodes / path).read_bytes(), path


def test_both_labels_and_both_halves_are_there(episodes: Path) -> None:
    made = load_set(episodes)
    told = HealBenchmark().described([made])
    assert told is not None
    counts = told.data["items"]
    assert counts["base"]["items"] == counts["base"]["feasible"] == len(made.episodes)
    assert counts["scene_task_con"]["feasible"] == 0
    assert 0 < counts["task_obj_rem"]["feasible"] < counts["task_obj_rem"]["items"]
    assert {truth.split for truth in HealBenchmark().truths(made).values()} == {"fit", "test"}


def test_the_same_words_are_feasible_here_and_not_there(episodes: Path) -> None:
    found = defaultdict(set)
    for question in HealBenchmark().labelled_questions(load_set(episodes)):
        assert question.text
        found[question.group, question.text].add(question.label)
    for (group, text), told in found.items():
        assert told == ({"feasible"} if group == "with distractors" else {"feasible", "infeasible"}), text


def test_the_oracle_is_always_right(episodes: Path, tmp_path: Path) -> None:
    for name, row in rows_of(episodes, tmp_path, "stand-in:oracle").items():
        assert {row["c_o"], row["p_o"], row["repurposed"]} <= {0, None}, name
        if row["feasible"]:
            assert (row["f1"], row["false_refusal"]) == (100, 0), name
        if row["feasible"] < row["n"]:
            assert row["refusal"] == row["refusal_all"] == 100, name


def test_the_refuser_refuses_everything(episodes: Path, tmp_path: Path) -> None:
    for row in rows_of(episodes, tmp_path, "stand-in:refuser").values():
        assert row["false_refusal"] in (100, None)
        assert row["refusal"] in (100, None)


@pytest.mark.needs("goals")
def test_the_obedient_names_whatever_the_text_does(episodes: Path, tmp_path: Path) -> None:
    rows = rows_of(episodes, tmp_path, "stand-in:obedient")
    assert rows["dist_inj"]["p_o"] >= 98
    assert rows["task_obj_rem"]["p_o"] > 50
    assert rows["base"]["c_o"] == 0


def damaged(episodes: Path, folder: Path, name: str, old: str, new: str) -> list[str]:
    """Problems of the set with one file changed."""
    folder.mkdir()
    for each in FILES:
        shutil.copy(episodes / each, folder)
    shutil.copytree(episodes / "scenes", folder / "scenes", copy_function=os.link)
    text = (episodes / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new))
    return HealBenchmark().validate(folder)


def test_what_contradicts_the_homes_is_found(episodes: Path, tmp_path: Path) -> None:
    problems = damaged(episodes, tmp_path / "told", "episodes.jsonl", "| is off |", "| is on |")
    assert any("does not tell what home" in problem for problem in problems)
    problems = damaged(episodes, tmp_path / "reached", "truth.jsonl", '"open"]]]]', '"closed"]]]]')
    assert any("reached before anything is done" in problem for problem in problems)
    lines = [json.loads(line) for line in (episodes / "truth.jsonl").read_text().splitlines()]
    task = next(gold for gold in lines[0]["questions"] if gold["kind"] == "task_obj_rem")["task"]
    old = f'"left_out": {json.dumps(task["left_out"])}'
    problems = damaged(episodes, tmp_path / "gone", "truth.jsonl", old, old.replace("[", "[9999,"))
    assert any("no thing 9999" in problem for problem in problems)


def test_without_a_home_a_set_is_not_valid(episodes: Path, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    for each in FILES:
        shutil.copy(episodes / each, folder)
    assert any("the folder of scene 'home_0' is missing" in problem for problem in HealBenchmark().validate(folder))
