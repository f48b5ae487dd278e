"""OpenEQA's questions: the real file whole, and files that are damaged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from vantage.benchmarks.imported.open_eqa import CATEGORIES, OpenEqaBenchmark, read_open_eqa
from vantage.benchmarks.sets.episodes_io import load_truths
from vantage.cli.main import main
from vantage.errors import FormatError, UsageError
from vantage.registry import BENCHMARKS
from vantage.reports.scoring import score_runs

RECORD = {
    "question": "What is on the table?",
    "answer": "A mug",
    "category": "object recognition",
    "question_id": "a-1",
    "episode_history": "hm3d-v0/000-home",
}


def file_of(folder: Path, *records: Any) -> Path:
    path = folder / "questions.json"
    path.write_text(json.dumps(list(records), indent=1))
    return path


def record(**changes: Any) -> dict[str, Any]:
    return {**RECORD, **changes}


@pytest.mark.parametrize(("name", "number"), [("open-eqa-dev.json", 852), ("open-eqa-demo-data.json", 3)])
def test_the_real_files_load_whole(data_folder: Path, tmp_path: Path, name: str, number: int) -> None:
    path = data_folder / "open-eqa" / name
    made = OpenEqaBenchmark().make(tmp_path / "set", source=path)
    truths = load_truths(made.folder, made.episodes)
    assert len(made.episodes) == len(truths) == number
    for raw, episode in zip(json.loads(path.read_text()), made.episodes, strict=True):
        (gold,) = truths[episode.episode_id].questions
        assert episode.episode_id == raw["question_id"]
        assert episode.questions[0].text == raw["question"].strip()
        assert gold.answer == raw["answer"].strip()
        assert gold.kind == CATEGORIES[raw["category"]]
        assert gold.accepted == tuple(text.strip() for text in raw.get("extra_answers", []))
        assert episode.scene.replace("__", "/") == raw["episode_history"]
    assert OpenEqaBenchmark().validate(made.folder) == []


def test_a_text_only_run_is_recorded_and_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    colors = record(question="What color is the mug?", question_id="b-2", category="attribute recognition")
    source = file_of(tmp_path, RECORD, colors, record(question="Why?", question_id="c-3"))
    folder, bags = str(tmp_path / "set"), str(tmp_path / "bags")
    assert main(["episodes", "make", "open-eqa", "--from", str(source), "--out", folder]) == 0
    run = ["run", "open-eqa", "--world", "none", "--agent", "blind", "--episodes", folder, "--out", bags]
    assert main(run) == 0, capsys.readouterr().err
    scores = {score.episode_id: score for score in score_runs(bags).complete}
    assert sorted(scores) == ["a-1", "b-2", "c-3"]
    assert {score.verdict for score in scores.values()} <= {"NEEDS_LOOK", "NEEDS_MODEL"}
    assert all((score.steps, score.judge_score, score.noisy) == (0, 1.0, False) for score in scores.values())
    assert {score.agent for score in scores.values()} == {"blind"}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"question": ""}, "line 9: 'question' must be a text that is not empty"),
        ({"answer": 3}, "line 9: 'answer' must be a text"),
        ({"category": "object"}, "line 9: unknown category 'object'"),
        ({"question_id": "a-1"}, r"line 9: the id 'a-1' was there before, at .*line 2"),
        ({"question_id": "a/b"}, "line 9: the id 'a/b' cannot name a file"),
        ({"extra_answers": "A cup"}, "line 9: 'extra_answers' must be a list of texts"),
        ({"anwser": "A cup"}, "line 9: unknown key 'anwser'; did you mean 'answer'"),
    ],
)
def test_damaged_records_are_named(tmp_path: Path, changes: dict[str, Any], words: str) -> None:
    source = file_of(tmp_path, RECORD, record(**{"question_id": "b-2", **changes}))
    with pytest.raises(FormatError, match=words):
        read_open_eqa(source)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        ("  \n ", "is empty"),
        ("[]", "holds no question"),
        ("{}", "line 1: expected a JSON list"),
        ("[1]", "line 1: expected a record"),
        ("\n[\n {,}]", "line 3: not JSON"),
        ("[" + "[" * 100_000, "line 1"),
        (json.dumps([RECORD])[:-20], "line 1: not JSON"),
        (json.dumps([RECORD])[:-1], "the list does not end"),
        (json.dumps([RECORD])[:-1] + ",]", "a record is missing after the comma"),
        (json.dumps([RECORD]) + "\n[]", "line 2: something follows the list"),
        (json.dumps([RECORD])[:-1] + json.dumps(RECORD) + "]", "expected a comma"),
    ],
)
def test_damaged_files_are_named(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "questions.json"
    path.write_text(text)
    with pytest.raises(FormatError, match=words) as failure:
        read_open_eqa(path)
    assert str(path) in str(failure.value)


def test_what_is_no_text_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00[")
    for path in (tmp_path / "binary.json", tmp_path / "missing.json", tmp_path):
        with pytest.raises(FormatError, match=str(path)):
            read_open_eqa(path)


def test_a_set_that_was_changed_is_noticed(tmp_path: Path) -> None:
    made = OpenEqaBenchmark().make(tmp_path / "set", source=file_of(tmp_path, RECORD))
    path = made.folder / "truth.jsonl"
    path.write_text(path.read_text().replace("A mug", " "))
    found = "\n".join(OpenEqaBenchmark().validate(made.folder))
    assert "needs an answer" in found
    assert "content hash" in found


def test_no_file_is_no_set(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="give it with --from"):
        OpenEqaBenchmark().make(tmp_path / "set")
    assert isinstance(BENCHMARKS.create("open-eqa"), OpenEqaBenchmark)
