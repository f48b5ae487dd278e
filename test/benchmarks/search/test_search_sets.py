"""Validation of a search set: a sound one passes, and each kind of damage is noticed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from small_search import small_benchmark

from vantage.benchmarks.search.search_benchmark import SearchBenchmark
from vantage.benchmarks.sets.episodes_io import EpisodeSet, load_set
from vantage.errors import FormatError
from vantage.scenes.graph.graph import SceneGraph
from vantage.splats.scene_file import load_graph


def test_it_is_valid(search_set: EpisodeSet) -> None:
    assert small_benchmark().validate(search_set.folder) == []


def test_each_scene_is_read_once(search_set: EpisodeSet, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counting(folder: Path) -> SceneGraph:
        read.append(folder.name)
        return load_graph(folder)

    monkeypatch.setattr("vantage.benchmarks.sets.scene_checks.load_graph", counting)
    assert small_benchmark().validate(search_set.folder) == []
    assert sorted(read) == sorted({episode.scene for episode in search_set.episodes})
    assert len(read) < len(search_set.episodes)


@pytest.fixture
def copied(search_set: EpisodeSet, tmp_path: Path) -> Path:
    shutil.copytree(search_set.folder, tmp_path / "copy")
    return tmp_path / "copy"


def edit(path: Path, line: int, **changes: object) -> None:
    lines = path.read_text().splitlines()
    lines[line] = json.dumps(json.loads(lines[line]) | changes)
    path.write_text("\n".join(lines) + "\n")


def problems_of(folder: Path) -> str:
    return "\n".join(small_benchmark().validate(folder))


def test_validation_notices_another_start(copied: Path) -> None:
    other = load_set(copied).episodes[0].start
    edit(copied / "episodes.jsonl", 0, start={**other.__dict__, "x": other.x + 0.4, "z": 0.2})
    found = problems_of(copied)
    assert "content hash" in found
    assert "home_4000-01" in found


def test_validation_notices_an_oracle_that_goes_astray(copied: Path) -> None:
    edit(copied / "truth.jsonl", 1, oracle_actions=["z+"] * 12)
    found = problems_of(copied)
    assert "collided" in found or "rejected" in found or "from its goal" in found


def test_validation_notices_a_start_that_shows_the_answer(copied: Path) -> None:
    goal = json.loads((copied / "truth.jsonl").read_text().splitlines()[0])["goal"]
    edit(copied / "episodes.jsonl", 0, start=goal)
    assert "shows the answer already" in problems_of(copied)


def test_validation_notices_gold_data_that_contradict_the_scene(copied: Path) -> None:
    questions = json.loads((copied / "truth.jsonl").read_text().splitlines()[0])["questions"]
    edit(copied / "truth.jsonl", 0, questions=[{**questions[0], "answer": "mauve"}])
    assert "mauve" in problems_of(copied)


def test_a_goal_that_shows_nothing_is_noticed(copied: Path) -> None:
    truth = json.loads((copied / "truth.jsonl").read_text().splitlines()[0])
    edit(copied / "truth.jsonl", 0, goal={**truth["goal"], "pitch": 1.0})
    assert "does not show" in problems_of(copied)


def test_what_is_no_set_cannot_be_validated(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"set\.json"):
        SearchBenchmark().validate(tmp_path)


@pytest.mark.parametrize(
    ("thresholds", "said"),
    [
        ({"pixel": 3}, "there is no 'pixel'; did you mean 'pixels'"),
        ({"samples": 0}, "samples = 0 is outside"),
        ({"samples": 10**8}, "samples = 100000000 is outside"),
        ({"fraction": -0.5}, "fraction = -0.5 is outside"),
        ({"pixels": "\ud800"}, r"thresholds\.pixels holds half of a character"),
        ({"pixels": "300"}, r"thresholds\.pixels: expected a number"),
    ],
)
def test_thresholds_that_are_none_are_refused_by_name(copied: Path, thresholds: dict[str, object], said: str) -> None:
    values = json.loads((copied / "set.json").read_text())
    values["thresholds"] |= thresholds
    (copied / "set.json").write_text(json.dumps(values))
    with pytest.raises(FormatError, match=rf"set\.json: .*{said}"):
        small_benchmark().validate(copied)
