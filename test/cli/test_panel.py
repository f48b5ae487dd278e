"""``vantage panel``: made, answered and fitted by the command line, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scripted_server import ScriptedServer
from small_search import small_search_set

from vantage.cli.main import main
from vantage.panel import CANNOT


@pytest.fixture(scope="module")
def episodes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_search_set(tmp_path_factory)


def told(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, dict[str, Any]]:
    status = main(["panel", *map(str, words), "--json"])
    return status, json.loads(capsys.readouterr().out)


def test_a_panel_is_made_answered_and_fitted(
    capsys: pytest.CaptureFixture[str], episodes: Path, tmp_path: Path
) -> None:
    few = ("--per-kind", 4, "--foils", 2, "--kinds", "size,hidden", "--seed", 5)
    status, made = told(capsys, "make", episodes, "--out", tmp_path / "first", *few)
    assert (status, made["schema"], made["foils"]) == (0, "vantage.panel.make/1", 4)
    table = tmp_path / "first" / "frames.csv"
    status, again = told(capsys, "make", episodes, "--out", tmp_path / "again", "--from", table)
    assert (status, again["panel"], again["frames"]) == (0, made["panel"], made["frames"])
    key = json.loads((tmp_path / "first" / "key.json").read_text())["frames"]
    lines = [f"{frame['number']},{frame['right']}" for frame in key]
    (tmp_path / "replies.csv").write_text("\n".join(["number,reply", *lines]))
    by_hand = ("--replies", tmp_path / "replies.csv", "--reader", "ann", "--kind", "person")
    status, answered = told(capsys, "answer", tmp_path / "first", *by_hand)
    assert (status, answered["answered"], answered["unusable"]) == (0, made["frames"], 0)
    status, fit = told(capsys, "fit", tmp_path / "first")
    assert status == 0
    assert {each["kind"] for each in fit["kinds"]} == {"size", "hidden"}
    assert fit["readers"][0]["right"]["value"] == 1.0
    assert main(["panel", "fit", str(tmp_path / "first")]) == 0
    assert "ann (person)" in capsys.readouterr().out


@pytest.mark.needs("openai")
def test_a_model_is_asked_by_name(capsys: pytest.CaptureFixture[str], episodes: Path, tmp_path: Path) -> None:
    few = ("--per-kind", 2, "--foils", 0, "--kinds", "size")
    assert told(capsys, "make", episodes, "--out", tmp_path / "panel", *few)[0] == 0
    with ScriptedServer(lambda asked: json.dumps({"reply": CANNOT})) as server:
        by_url = ("--set", f"model.url={server.url}", "--set", "model.cache=")
        status, answered = told(capsys, "answer", tmp_path / "panel", "--model", "openai:seer", *by_url)
    assert (status, answered["reader"], answered["kind"], answered["answered"]) == (0, "openai-seer", "model", 2)
    status, refused = told(capsys, "fit", tmp_path / "panel")
    assert status == 0
    assert refused["ceiling"] is None


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["make", "SET", "--out", "OUT", "--kinds", "smell"], "there is no kind 'smell'"),
        (["make", "SET", "--out", "OUT", "--from", "x.csv", "--seed", "1"], "--from fixes the frames"),
        (["make", "SET", "--out", "OUT", "--per-kind", "1"], "must be at least 2"),
        (["make", "OUT", "--out", "OUT"], "holds no episode set"),
        (["make", "SET", "--out", "SET"], "is not empty"),
        (["answer", "OUT"], "give --model NAME:WHICH, or --replies"),
        (["answer", "OUT", "--replies", "x.csv"], "--replies needs --reader"),
        (["answer", "OUT", "--replies", "x.csv", "--reader", "a", "--kind", "person", "--model", "m:1"], "no model"),
        (["answer", "OUT", "--model", "m:1", "--kind", "model"], "give --model NAME:WHICH, or --replies"),
    ],
)
def test_wrong_usage_is_told_in_one_sentence(
    capsys: pytest.CaptureFixture[str], episodes: Path, tmp_path: Path, words: list[str], sentence: str
) -> None:
    places = {"SET": str(episodes), "OUT": str(tmp_path / "out")}
    status, found = told(capsys, *(places.get(word, word) for word in words))
    assert status == 2
    assert sentence in found["error"]
    assert not (tmp_path / "out").exists()


def test_a_folder_that_is_no_panel_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, found = told(capsys, "fit", tmp_path)
    assert status == 1
    assert "questions.json" in found["error"]
