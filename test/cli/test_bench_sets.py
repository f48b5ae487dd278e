"""What ``vantage bench labels``, ``search`` and ``print`` say, and what they refuse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_search import FEW, SMALL, small_search_set

from vantage.cli.main import main


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_search_set(tmp_path_factory, FEW, max_steps=6)


@pytest.mark.needs("time")
def test_labels_of_a_set(episodes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "labels", "--episodes", str(episodes), "--questions", "1", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["reference"] == "judging every viewpoint"
    assert (data["same"], len(data["questions"])) == (1, 1)
    assert data["met"] == (data["speedup"] >= data["bound"])


@pytest.mark.needs("time")
def test_search_takes_the_camera_of_the_set(episodes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["bench", "search", "--episodes", str(episodes), "--workers", "1", "--set", "agent.perception=privileged"]
    assert main([*command, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["size"] == [SMALL.camera.width, SMALL.camera.height]
    assert set(data["speedup"]) == {"random", "world"}
    assert set(data["memory"]) == {"most_mb", "growth", "episodes"}
    assert data["world"]["steps"] == data["agents"]["search"]["steps"]


def test_what_cannot_be_measured_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command, words in (
        (["print", "--fov", "190"], "the field of view must be from 1 to 170 degrees, got 190"),
        (["print", "--gaussians", "half"], "shares of Gaussians are numbers above 0 and up to 1"),
        (["print", "--width", "0"], "argument --width: must be at least 1"),
        (["labels", "--questions", "0"], "argument --questions: must be at least 1"),
    ):
        assert main(["bench", *command]) == 2
        assert words in capsys.readouterr().err
    for bench in ("labels", "search"):
        assert main(["bench", bench, "--episodes", str(tmp_path / "nowhere")]) == 1
        assert "is missing; give the folder of an episode set" in capsys.readouterr().err
