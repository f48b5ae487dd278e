"""Sets whose making is killed: the folder says that it is unfinished, and the same command begins anew there."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from marked_processes import Marked, until

from vantage.benchmarks.excalibur import excalibur_sets
from vantage.benchmarks.sets import load_set
from vantage.benchmarks.sets.set_homes import GeneratedHome, ImportedHome
from vantage.cli.main import main
from vantage.errors import FormatError, SceneError
from vantage.files import UNFINISHED
from vantage.scenes.generator import generate_home
from vantage.scenes.spec import save_spec

RUN = [sys.executable, "-m", "vantage.cli.main"]
QUESTION = {"id": "a-1", "scene": "home_0", "question": "What color is it?", "kind": "color", "answer": "red"}


def killed(words: list[str], at: Callable[[], bool]) -> None:
    """Start a command and kill it -9 when something is so; nothing of it is left."""
    with Marked([*RUN, *words]) as started:
        until(lambda: at() or started.process.poll() is not None)
        assert started.process.poll() is None, started.process.communicate()[1]
        started.process.kill()
        assert started.is_gone()


def begins_no_more(*_: object) -> None:
    raise SceneError("it would begin anew")


@pytest.mark.parametrize(
    "words",
    [
        ["search", "--scenes", "1", "--episodes", "2"],
        ["noisyeqa", "--miniature", "--workers", "1"],
        ["heal", "--homes", "2", "--workers", "1"],
        ["written", "--from"],
        pytest.param(["excalibur", "--miniature", "--workers", "1"], marks=pytest.mark.needs("house")),
    ],
    ids=lambda words: words[0],
)
def test_a_set_that_was_killed_is_made_anew_by_the_same_command(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if words[-1] == "--from":
        (tmp_path / "questions.jsonl").write_text(json.dumps({**QUESTION, "targets": [4]}))
        (tmp_path / "homes" / "home_0").mkdir(parents=True)
        save_spec(generate_home(0, 1, "home_0"), tmp_path / "homes" / "home_0" / "spec.json")
        words = [*words, str(tmp_path / "questions.jsonl"), "--scenes", str(tmp_path / "homes")]
    out = tmp_path / "set"
    command = ["episodes", "make", *words, "--out", str(out)]
    killed(command, (out / UNFINISHED).is_file)
    (out / "scenes" / "half").mkdir(parents=True, exist_ok=True)  # as it is left a little later
    with pytest.raises(FormatError, match="is missing"):
        load_set(out)
    monkeypatch.setattr(GeneratedHome, "write", begins_no_more)
    monkeypatch.setattr(ImportedHome, "write", begins_no_more)
    monkeypatch.setattr(excalibur_sets, "WorkerPool", begins_no_more)
    assert main(command) == 1
    assert "it would begin anew" in capsys.readouterr().err
    assert not out.exists(), "what the killed process left is gone"


def test_homes_that_were_made_before_the_kill_are_kept_and_the_others_are_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "homes"
    words = ["scene", "make", "--count", "3", "--no-cloud", "--out", str(out)]
    assert main([*words[:3], "1", *words[4:]]) == 0
    before = (out / "home_0" / "spec.json").stat().st_ino
    (out / "home_1").mkdir()
    (out / "home_1" / UNFINISHED).touch()  # as a killed process leaves it
    (out / "home_1" / ".cloud.ply.x1y2.ply").write_bytes(b"ply")
    assert main(words) == 0
    assert (out / "home_0" / "spec.json").stat().st_ino == before
    assert {path.name for path in (out / "home_1").iterdir()} == {path.name for path in (out / "home_0").iterdir()}
    capsys.readouterr()
    assert main(words) == 1, "all are whole"
    assert "exists already" in capsys.readouterr().err
