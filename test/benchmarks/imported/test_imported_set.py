"""False premises that a model puts into questions of others, and a blind run, over a real server on loopback."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from faulty_server import FaultyServer, Step, completion

from vantage.benchmarks.imported.open_eqa import OpenEqaBenchmark
from vantage.benchmarks.sets.episodes_io import load_truths
from vantage.benchmarks.sets.noisy_pairs import pairs_of
from vantage.cli.main import main
from vantage.config import ModelSettings, Settings
from vantage.errors import ModelError, NoServerError
from vantage.reports.scoring import score_runs
from vantage.types import NoiseType

pytestmark = pytest.mark.needs("openai")

NOISED = {
    "question": "What is the blue mug on the desk made of?",
    "false_claim": "the mug is blue",
    "correction": "the mug is red",
}
GOOD, BAD = Step(completion(json.dumps(NOISED))), Step(completion("I will not."))


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a-key-of-tests")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    common = {"category": "attribute recognition", "episode_history": "hm3d-v0/000-home"}
    records = [
        {"question": "What is the mug on the desk made of?", "answer": "Glass", "question_id": "a-1", **common},
        {"question": "What is the desk made of?", "answer": "Wood", "question_id": "b-2", **common},
    ]
    path = tmp_path / "questions.json"
    path.write_text(json.dumps(records))
    return path


@pytest.fixture
def told() -> list[str]:
    return []


def settings_of(server: FaultyServer) -> Settings:
    return replace(Settings(), model=ModelSettings(url=server.url, timeout=10.0, retries=0))


def test_a_model_makes_noisy_twins_and_what_fails_is_told(tmp_path: Path, source: Path, told: list[str]) -> None:
    with FaultyServer(GOOD, BAD) as server:
        made = OpenEqaBenchmark().make(
            tmp_path / "set",
            source=source,
            noise_model="openai:writer",
            shares="color=1",
            settings=settings_of(server),
            progress=told.append,
        )
    pairs, problems = pairs_of(made, load_truths(made.folder, made.episodes))
    assert problems == []
    assert list(pairs) == ["a-1"]
    gold, clean = pairs["a-1"].noisy.gold, pairs["a-1"].clean
    assert pairs["a-1"].noisy.text == NOISED["question"]
    assert (gold.noise_type, gold.answer, gold.correction) == (NoiseType.COLOR, "Glass", "the mug is red")
    assert gold.corrected_question == clean.text == "What is the mug on the desk made of?"
    assert any("line 1: left out" in line for line in told)
    assert "1 of 2 questions have a noisy twin" in told[-1]
    assert OpenEqaBenchmark().validate(made.folder) == []


def test_a_model_that_writes_nothing_makes_no_set(tmp_path: Path, source: Path) -> None:
    with FaultyServer(BAD) as server, pytest.raises(ModelError, match="no noisy question of 2"):
        OpenEqaBenchmark().make(
            tmp_path / "set", source=source, noise_model="openai:writer", settings=settings_of(server)
        )
    assert not (tmp_path / "set").exists()


def test_a_server_that_is_not_there_ends_the_making_soon(tmp_path: Path, told: list[str]) -> None:
    common = {"category": "object recognition", "episode_history": "a/b"}
    record = {"question": "What is the mug made of?", "answer": "Glass", **common}
    path = tmp_path / "many.json"
    path.write_text(json.dumps([{**record, "question_id": f"q-{k}"} for k in range(9)]))
    with FaultyServer(GOOD) as server:
        settings = settings_of(server)
    with pytest.raises(NoServerError, match=r"check model\.url"):
        OpenEqaBenchmark().make(
            tmp_path / "set", source=path, noise_model="openai:writer", settings=settings, progress=told.append
        )
    assert len(told) == 2
    assert not (tmp_path / "set").exists()


def test_a_blind_run_with_a_model_is_scored(tmp_path: Path, source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, bags = tmp_path / "set", tmp_path / "bags"
    OpenEqaBenchmark().make(folder, source=source)
    with FaultyServer(Step(completion("Glass.")), Step(completion("Metal."))) as server:
        words = ["run", "open-eqa", "--world", "none", "--agent", "blind", "--model", "openai:guesser"]
        words += ["--episodes", str(folder), "--out", str(bags), "--set", f"model.url={server.url}"]
        assert main(words) == 0, capsys.readouterr().err
        sent = server.requests[0][1]["messages"][0]["content"]
    assert "What is the mug on the desk made of?" in str(sent)
    assert "image_url" not in str(sent)
    scores = {score.episode_id: score for score in score_runs(bags).complete}
    assert [(scores[key].judge_score, scores[key].answer) for key in ("a-1", "b-2")] == [
        (5.0, "Glass."),
        (1.0, "Metal."),
    ]
    assert scores["a-1"].model.startswith("guesser/blind#")
