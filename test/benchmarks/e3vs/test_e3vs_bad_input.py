"""Sets that were damaged and files of other sets: one sentence on what is wrong, and nothing is written of it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from small_e3vs import small_e3vs

from vantage.benchmarks.e3vs.e3vs_benchmark import E3vsBenchmark
from vantage.benchmarks.sets.episodes_io import load_set
from vantage.cli.main import main
from vantage.recording.recordings import read_recording
from vantage.registry import BENCHMARKS
from vantage.types import EpisodeState


@pytest.fixture
def copied(e3vs_splits: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(e3vs_splits / "test", tmp_path / "test"))


def edit(folder: Path, change: Callable[[dict[str, Any]], object]) -> str:
    """Change the first episode of a set on purpose; returns its name."""
    path, described = folder / "episodes.jsonl", folder / "set.json"
    first, *others = path.read_text().splitlines()
    record = json.loads(first)
    change(record)
    path.write_text("\n".join([json.dumps(record), *others]) + "\n")
    described.write_text(json.dumps({**json.loads(described.read_text()), "content_hash": ""}))
    return str(record["episode_id"])


def refusal(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    """The status with which a command ends, and the one sentence that it says."""
    capsys.readouterr()
    status = main([str(word) for word in words])
    told = capsys.readouterr()
    assert len(told.err.strip().splitlines()) == 1
    assert told.out == ""
    return status, told.err.strip()


def commands(folder: Path, out: Path) -> list[list[object]]:
    run = ["run", "e3vs", "--episodes", folder, "--agent", "search", "--out", out]
    return [run, ["episodes", "validate", "e3vs", folder], ["episodes", "show", "e3vs", folder]]


def test_an_unknown_scene_is_named(copied: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = edit(copied, lambda record: record.update(scene="home_1"))
    for command in commands(copied, tmp_path / "bags"):
        status, told = refusal(capsys, *command)
        assert status == 1
        assert f"episode '{name}' is in unknown scene 'home_1'" in told
    assert not (tmp_path / "bags").exists()


def test_a_start_outside_the_scene_is_named(copied: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = edit(copied, lambda record: record["start"].update(x=50.0))
    for command in commands(copied, tmp_path / "bags"):
        status, told = refusal(capsys, *command)
        assert status == 1
        assert f"episode '{name}' starts outside scene" in told
        assert "x = 50.000 m" in told
    assert not (tmp_path / "bags").exists()


def test_a_start_within_a_thing_fails_its_episode_alone_and_is_a_problem_of_the_set(
    copied: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    [graph] = copied.glob("scenes/*/graph.json")
    corners = [(each["bounds_min"], each["bounds_max"]) for each in json.loads(graph.read_text())["nodes"]]
    thickest = max(corners, key=lambda ends: min(high - low for low, high in zip(*ends, strict=True)))
    middle = [(low + high) / 2 for low, high in zip(*thickest, strict=True)]
    name = edit(copied, lambda record: record["start"].update(zip("xyz", middle, strict=True)))
    out = tmp_path / "bags"
    assert main(["run", "e3vs", "--episodes", str(copied), "--agent", "oracle", "--out", str(out)]) == 1
    printed = capsys.readouterr()
    sentence = f"episode '{name}' cannot start in scene"
    assert [sentence in line for line in printed.err.splitlines()] == [True] + [False] * 5
    assert "6 episodes" in printed.out
    assert "1 failed" in printed.out
    states = {bag.name: read_recording(bag).state for bag in out.iterdir()}
    assert [key for key, state in states.items() if state is not EpisodeState.FINISHED] == [name]
    assert main(["score", str(out), "--json"]) == 1
    scored = json.loads(capsys.readouterr().out)
    assert [each["episode_id"] for each in scored["incomplete"]] == [name]
    assert sentence in scored["incomplete"][0]["reason"]
    assert scored["e3vs"]["setups"][0]["categories"]["all"]["mark"]["n"] == 5
    assert main(["episodes", "validate", "e3vs", str(copied), "--workers", "1", "--json"]) == 1
    assert any(sentence in problem for problem in json.loads(capsys.readouterr().out)["problems"])


def test_a_missing_cloud_is_named(copied: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [cloud] = copied.glob("scenes/*/cloud.ply")
    cloud.unlink()
    run, validate, _ = commands(copied, tmp_path / "bags")
    status, told = refusal(capsys, *run)
    assert status == 1
    assert f"{copied} was changed after it was made" in told
    assert not (tmp_path / "bags").exists()
    status, told = refusal(capsys, *validate, "--workers", "1")
    assert status == 1
    assert f"cannot read {cloud}" in told
    edit(copied, lambda record: None)
    assert main([str(word) for word in run]) == 1
    printed = capsys.readouterr()
    assert all(f"cannot read {cloud}" in line for line in printed.err.splitlines())
    assert len(printed.err.splitlines()) == 6
    assert "6 failed" in printed.out


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> E3vsBenchmark:
    """The command line makes small sets."""
    monkeypatch.setitem(BENCHMARKS._entries, "e3vs", small_e3vs)
    return small_e3vs()


def test_homes_that_are_not_there_are_told_before_anything_is_written(
    small: E3vsBenchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make = ["episodes", "make", "e3vs", "--scenes", tmp_path / "nowhere", "--out", tmp_path / "set"]
    status, told = refusal(capsys, *make)
    assert status == 2
    assert f"there is no {tmp_path / 'nowhere'}" in told
    assert not (tmp_path / "set").exists()


def test_a_home_whose_cloud_is_missing_is_refused_and_taken_once_it_is_there(
    small: E3vsBenchmark, e3vs_splits: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    [home] = (e3vs_splits / "test" / "scenes").iterdir()
    copy = Path(shutil.copytree(home, tmp_path / "homes" / home.name))
    (copy / "spec.json").unlink()  # which would tell how to paint it anew
    cloud = (copy / "cloud.ply").rename(tmp_path / "away.ply")
    make = ["episodes", "make", "e3vs", "--scenes", tmp_path / "homes", "--out", tmp_path / "set", "--pairs", 2]
    make += ["--episodes", 2, "--stage", "curation", "--set", "camera.width=128", "--set", "camera.height=128"]
    assert main([str(word) for word in make]) == 1
    told = capsys.readouterr().err.splitlines()
    assert f"{home.name} is refused: cannot read {copy / 'cloud.ply'}" in told[0]
    assert "0 of 1 homes are fit to be asked about, not 1" in told[-1]
    assert [path.name for path in (tmp_path / "set").iterdir()] == [".stages"]
    cloud.rename(copy / "cloud.ply")
    assert main([str(word) for word in make]) == 0


def test_marks_of_another_set_are_refused_and_no_set_is_written(
    e3vs_splits: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    test, marks = e3vs_splits / "test", tmp_path / "marks.json"
    other = load_set(e3vs_splits / "train").info.content_hash
    marks.write_text(json.dumps({"schema": "vantage.review/1", "set": other, "marks": {}}))
    reviewed = ["episodes", "validate", "e3vs", test, "--workers", 1, "--reviewed", marks]
    for more in ([], ["--out", tmp_path / "accepted"]):
        status, told = refusal(capsys, *reviewed, *more)
        assert status == 1
        assert f"{marks} holds the marks of another set; review {test} anew" in told
    assert not (tmp_path / "accepted").exists()
