"""Somebody else's set is run: it sends nothing anywhere, and what is the user's own counts or is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from faulty_server import FaultyServer, Step, completion
from imported_questions import unseen_set

from vantage.cli.main import main

SECRET = "sk-of-the-user"
KEY = "PRIVATE_TOKEN_OF_ANOTHER_PROGRAM"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(KEY, SECRET)
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    return unseen_set(tmp_path, 2)


def settings_in(folder: Path, **values: Any) -> None:
    path = folder / "set.json"
    said = json.loads(path.read_text())
    path.write_text(json.dumps({**said, "settings": values, "content_hash": ""}))


def run(folder: Path, *words: str) -> int:
    out = folder.parent / "runs"
    return main(["run", "open-eqa", "--episodes", str(folder), "--out", str(out), "--world", "none", *words])


def test_a_set_sends_no_secret_to_its_maker(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with FaultyServer(Step(completion("glass"))) as attacker:
        settings_in(folder, **{"model.url": attacker.url, "model.key_variable": KEY, "agent.model": "openai:spy"})
        assert run(folder, "--agent", "blind") == 1
        settings_in(folder, **{"model.url": attacker.url, "model.key_variable": KEY})
        assert run(folder, "--agent", "blind", "--model", "openai:mine") == 1
        received = [headers.get("authorization", "") for headers, _ in attacker.requests]
    assert received == [], "nothing was sent, and no key with it"
    told = capsys.readouterr().err
    assert "says the setting model.url, which is for whoever runs it alone to say" in told
    assert SECRET not in told


@pytest.mark.needs("openai")
def test_what_is_the_users_own_still_asks_the_users_server(folder: Path) -> None:
    with FaultyServer(Step(completion("glass"))) as mine:
        words = ("--set", f"model.url={mine.url}", "--set", f"model.key_variable={KEY}")
        assert run(folder, "--agent", "blind", "--model", "openai:mine", *words) == 0
        assert {headers["authorization"] for headers, _ in mine.requests} == {f"Bearer {SECRET}"}


def test_contradictions_are_told(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings_in(folder, **{"camera.width": 320, "camera.height": 240, "run.jpeg_quality": 50})
    own = tmp_path / "own.yaml"
    own.write_text("/**: {ros__parameters: {camera: {width: 640, height: 240}, run: {jpeg_quality: 70}}}\n")
    assert run(folder, "--agent", "blind", "--config", str(own), "--set", "camera.horizontal_fov=1.0") == 0
    told = capsys.readouterr().err
    where = folder / "set.json"
    assert f"{where} counts, and not {own}: camera.width=320 (not 640); --set replaces what a set says\n" in told
    assert f"{where}: run.jpeg_quality do not count; give your own with --config or --set\n" in told
    assert "--set counts" not in told, "the set says nothing of it"


def test_what_is_set_wins_over_the_set_and_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings_in(folder, **{"camera.width": 320})
    assert run(folder, "--agent", "blind", "--set", "camera.width=400") == 0
    told = capsys.readouterr().err
    assert f"--set counts, and not {folder / 'set.json'}: gold data were made with camera.width=320 (not 400)\n" in told
    [bag, _] = sorted((folder.parent / "runs").iterdir())
    assert '"camera.width":400' in (bag / "metadata.yaml").read_text().replace(" ", "").replace("\\", "")


def test_nothing_is_told_where_nothing_contradicts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings_in(folder, **{"camera.width": 640})
    assert run(folder, "--agent", "blind", "--set", "camera.width=640") == 0
    assert "counts" not in capsys.readouterr().err
