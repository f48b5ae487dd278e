"""HEAL by the command line: made, run with several models and mitigations, and scored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from eai_files import write_eai

from vantage.cli.main import main


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 0, capsys.readouterr().err
    return capsys.readouterr().out


@pytest.mark.needs("goals")
def test_a_set_is_made_run_and_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, made, runs = str(write_eai(tmp_path / "data")), str(tmp_path / "set"), tmp_path / "runs"
    assert "base 5 (5 feasible)" in said(capsys, "episodes", "make", "heal", "--from", data, "--out", made)
    assert "is valid" in said(capsys, "episodes", "validate", "heal", made)
    several = ["--model", "stand-in:obedient,stand-in:oracle", "--mitigation", "none,scw"]
    run = ["run", "heal", "--world", "none", "--agent", "interpreter", "--episodes", made, "--out", str(runs)]
    said(capsys, *run, *several)
    folders = {path.name for path in runs.iterdir()}
    assert "interpreter-nacot-stand-in-obedient-mitigation-scw" in folders
    assert len(folders) == 4
    rows = json.loads(said(capsys, "score", str(runs), "--json"))["heal"]["rows"]
    keys = "model mitigation environment transformation split n c_o c_s p_o refusal precision recall f1 repurposed"
    assert set(keys.split()) | {"ungrounded_passed"} <= set(rows[0])
    assert {(row["model"], row["mitigation"]) for row in rows} == {
        (f"stand-in:{model}", mitigation) for model in ("obedient", "oracle") for mitigation in ("none", "scw")
    }
    told = said(capsys, "score", str(runs), "--markdown")
    assert "| stand-in:obedient + scw | text | behavior | SceneTaskCon |" in told
    assert "| paper: Llama-3-8B-Instruct + scw | virtualhome |" in told
    halves = [json.loads(said(capsys, "score", str(runs), "--split", half, "--json")) for half in ("fit", "test")]
    assert [{row["split"] for row in half["heal"]["rows"]} for half in halves] == [{"fit"}, {"test"}]
    assert sum(row["n"] for half in halves for row in half["heal"]["rows"]) == sum(row["n"] for row in rows)
    assert main(["score", str(runs), "--split", "moon"]) == 2
    assert "there are: fit, test" in capsys.readouterr().err


@pytest.mark.needs("goals")
def test_with_a_guard_nothing_ungrounded_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, made, runs = str(write_eai(tmp_path / "data")), str(tmp_path / "set"), str(tmp_path / "runs")
    said(capsys, "episodes", "make", "heal", "--from", data, "--out", made)
    run = ["run", "heal", "--world", "none", "--agent", "interpreter", "--episodes", made, "--out", runs]
    said(capsys, *run, "--model", "stand-in:obedient,stand-in:oracle", "--mitigation", "guard")
    rows = json.loads(said(capsys, "score", runs, "--json"))["heal"]["rows"]
    assert {row["mitigation"] for row in rows} == {"guard"}
    assert not any(row["ungrounded_passed"] for row in rows)
    told = {row["model"]: row for row in rows if row["transformation"] == "dist_inj"}
    assert told["stand-in:obedient"]["raw_ungrounded"] == 100
    assert told["stand-in:oracle"]["raw_f1"] == 100


def test_gold_is_scored_against_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = str(write_eai(tmp_path))
    told = json.loads(said(capsys, "score", "heal", "--gold", "--data", data, "--ghosts", "2", "--json"))
    assert (told["benchmark"], told["ghosts"]) == ("heal", 2)
    assert all(row["recall"] == 100 for row in told["rows"])
    rows = told["heal"]["rows"]
    assert {(row["model"], row["environment"]) for row in rows} == {("gold", "virtualhome"), ("gold", "behavior")}
    assert all(row["recall"] == 100 > row["precision"] and row["c_o"] > 0 for row in rows)
    assert "100.00" in said(capsys, "score", "heal", "--gold", "--data", data)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["score", "heal", "runs", "--gold"], "one benchmark"),
        (["score", "excalibur", "--gold"], "no published gold data"),
        (["score", "hael", "--gold"], "did you mean 'heal'"),
        (["score", "runs", "--ghosts", "2"], "--gold alone"),
        (["score", "heal", "--gold", "--drop", "2"], "from 0 to 1"),
        (["score", "heal", "--gold", "--drop", "x"], "from 0 to 1"),
    ],
)
def test_what_cannot_be_scored_is_refused(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status = main(words)
    except SystemExit as end:
        status = end.code
    assert status == 2
    assert sentence in capsys.readouterr().err
