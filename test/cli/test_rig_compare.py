"""``vantage rig compare``: a page and figures from a bag and a model, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rig_bags import ACTIONS, EPISODE_1, another_camera, record_rig, room_settings, save_room

from vantage.cli.main import main

SMALL = ("--set", "camera.width=160", "--set", "camera.height=120", "--set", "world.renderer=cpu")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A bag of the rig and the model of its room."""
    scene = save_room(tmp_path_factory.mktemp("scenes"))
    bag, _ = record_rig(tmp_path_factory.mktemp("rig"), room_settings(scene), EPISODE_1, ACTIONS[:2], another_camera())
    return str(bag), str(scene)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["rig", "compare", *words])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_a_page_is_written(recorded: tuple[str, str], tmp_path: Path, capsys: Any) -> None:
    bag, scene = recorded
    status, out, err = run(capsys, bag, "--scene", scene, *SMALL, "--out", "pages/room.html")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "3 of 3 views compared with scene 'room'"
    assert lines[-1] == "page: pages/room.html"
    page = (tmp_path / "pages" / "room.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "<b>box</b>" not in page
    assert [path.name for path in (tmp_path / "pages").iterdir()] == ["room.html"]


def test_figures_for_scripts(recorded: tuple[str, str], capsys: Any) -> None:
    bag, scene = recorded
    status, out, _ = run(capsys, bag, "--scene", scene, *SMALL, "--simulated", bag, "--json")
    assert status == 0
    assert len(out.splitlines()) == 1
    found = json.loads(out)
    assert found["schema"] == "vantage.rig.compare/1"
    assert (found["ok"], found["scene"], found["counted"], len(found["views"])) == (True, "room", 3, 3)
    assert found["page"] == "sim-to-real.html"
    assert found["fitted"]["psnr"] > found["raw"]["psnr"] > 10.0


@pytest.mark.parametrize(
    ("status", "words", "sentence"),
    [
        (2, ["BAG"], "the following arguments are required: --scene"),
        (2, ["--scene", "SCENE"], "the following arguments are required: BAG"),
        (1, ["nowhere", "--scene", "SCENE"], "nowhere"),
        (1, ["BAG", "--scene", "nowhere"], "nowhere"),
        (2, ["BAG", "--scene", "SCENE", "--out", "."], ". is a folder; name a file in it"),
        (2, ["BAG", "--scene", "SCENE", "--out", "/proc/none/x.html"], "/proc/none/x.html cannot be written ("),
        (1, ["BAG", "--scene", "SCENE", "--simulated", "nowhere"], "nowhere"),
    ],
)
def test_what_is_wrong_is_one_sentence_and_no_page(
    status: int, words: list[str], sentence: str, recorded: tuple[str, str], tmp_path: Path, capsys: Any
) -> None:
    names = {"BAG": recorded[0], "SCENE": recorded[1]}
    found, out, err = run(capsys, *(names.get(word, word) for word in words), *SMALL)
    assert (found, out) == (status, "")
    assert sentence in err
    assert len(err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
