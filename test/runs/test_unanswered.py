"""A run never tells of its success alone where questions were not answered for want of a model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from faulty_server import FaultyServer, Step, completion
from imported_questions import unseen_set

from vantage.cli.main import main
from vantage.recording.events import Outcome
from vantage.runs.unanswered import Unanswered
from vantage.types import Answer, EpisodeState, Verdict

BLIND = ("--world", "none", "--agent", "blind")


@pytest.fixture(scope="module")
def unseen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three questions without scenes."""
    return unseen_set(tmp_path_factory.mktemp("foreign"), 3)


def outcome(*verdicts: Verdict, model: str = "symbolic/nacot") -> Outcome:
    answers = [Answer(f"q{k}", "", verdict, 0.0, model=model) for k, verdict in enumerate(verdicts)]
    return Outcome(EpisodeState.FINISHED, answers=answers)


def told(*outcomes: Outcome) -> str:
    unanswered = Unanswered()
    for each in outcomes:
        unanswered.add(each)
    return unanswered.told(len(outcomes))


def test_nothing_is_told_where_nothing_is_lacking() -> None:
    assert told() == told(outcome(Verdict.ANSWERED), outcome(Verdict.UNANSWERABLE), outcome()) == ""


def test_episodes_count_once_and_models_are_named() -> None:
    lacking = outcome(Verdict.NEEDS_MODEL, Verdict.ANSWERED, Verdict.NEEDS_MODEL)
    assert told(lacking, outcome(Verdict.ANSWERED)) == (
        ", but 1 of 2 ended with a question that needs a model (their answers say which; --model NAME:WHICH names one)"
    )
    by_models = [outcome(Verdict.NEEDS_MODEL, model=f"{name}/nap#1") for name in ("eyes", "ears", "eyes")]
    assert (
        told(*by_models)
        == ", but 3 of 3 ended without a usable reply of model 'ears' and 'eyes' (their answers say why)"
    )


def run(capsys: pytest.CaptureFixture[str], unseen: Path, out: Path, *words: str) -> tuple[str, dict[str, object]]:
    """The line at the end, and the same as JSON."""
    command = ["run", "open-eqa", "--episodes", str(unseen), *BLIND, *words]
    assert main([*command, "--out", str(out / "text")]) == 0
    line = capsys.readouterr().out.strip()
    assert main([*command, "--out", str(out / "json"), "--json"]) == 0
    return line, json.loads(capsys.readouterr().out)


def test_the_end_of_a_run_says_how_many_questions_were_not_understood(
    unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line, data = run(capsys, unseen_set(tmp_path, 2, "Why do people hang pictures up?"), tmp_path)
    assert "0 failed, but 2 of 2 ended with a question that needs a model" in line
    assert data["needs_model"] == 2
    line, data = run(capsys, unseen, tmp_path / "understood")
    assert "0 failed; bags in" in line
    assert data["needs_model"] == 0


@pytest.mark.needs("openai")
def test_the_end_of_a_run_says_that_a_model_gave_no_usable_reply(
    unseen: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with FaultyServer(Step(completion(""))) as server:
        words = ["--model", "openai:mute", "--set", f"model.url={server.url}"]
        line, data = run(capsys, unseen, tmp_path, *words)
    assert "0 failed, but 3 of 3 ended without a usable reply of model 'mute'" in line
    assert data["needs_model"] == 3
