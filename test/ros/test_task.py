"""``vantage up --task``: one task over the whole graph; the exit status tells whether it was done."""

from __future__ import annotations

from pathlib import Path

import pytest
from ros_fixtures import new_domain
from small_errands import miniature_set, opening_errand

from vantage.cli.main import main


@pytest.fixture(autouse=True)
def _own_domain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROS_DOMAIN_ID", str(new_domain()))


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return miniature_set(tmp_path_factory)


def up(episodes: Path, out: Path, task: str, *more: str) -> int:
    scene = opening_errand(episodes).scene
    scenes = f"world.scenes={episodes / 'scenes'}"
    words = ["--world", "splat", "--set", scenes, "--scene", scene, "--task", task, "--out", str(out), *more]
    return main(["up", *words])


def test_a_task_is_done(episodes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = up(episodes, tmp_path / "bags", opening_errand(episodes).questions[0].text)
    told = capsys.readouterr()
    assert status == 0, told.err
    assert told.out.startswith("task: done")
    for part in ("understood: ", "ruling: feasible", "): done (command", "end: done: Done"):
        assert part in told.err


def test_one_that_cannot_be_is_not(episodes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = up(episodes, tmp_path / "bags", "Close the zeppelin.", "--steps", "6")
    told = capsys.readouterr()
    assert status == 1
    assert told.out.startswith("task: ")
    assert "ruling: feasible" not in told.err


@pytest.mark.parametrize("words", [["--task", "Close it."], ["--scene", "home"]])
def test_task_and_scene_go_together(words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["up", "--out", str(tmp_path / "bags"), *words]) == 2
    assert "give both" in capsys.readouterr().err
