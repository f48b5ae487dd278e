"""OpenEQA's questions: the real file whole, and files that are damaged.

OpenEQA's protocol on files: C by category, missing answers as 0, marks that are missing told.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from vantage.benchmarks.imported.open_eqa import CATEGORIES, OpenEqaBenchmark, read_open_eqa, read_predictions
from vantage.benchmarks.judging.model_judge import ModelJudge
from vantage.benchmarks.judging.rule_judge import RuleJudge
from vantage.benchmarks.sets.episodes_io import load_truths
from vantage.cli.main import main
from vantage.errors import FormatError, UsageError
from vantage.registry import BENCHMARKS
from vantage.reports.score_table import ScoreTable
from vantage.reports.scoring import score_predictions, score_runs

QUESTIONS = (
    ("a", "What color is the mug?", "blue", "attribute recognition", []),
    ("b", "How long is the table?", "2.5 meters", "spatial understanding", []),
    ("c", "Where is the mug?", "on the shelf", "object localization", ["in the kitchen"]),
    ("d", "Is there a sofa?", "yes", "object recognition", []),
)


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    records = [
        {"question_id": key, "question": text, "answer": answer, "category": kind, "episode_history": f"home-{key}"}
        | ({"extra_answers": extra} if extra else {})
        for key, text, answer, kind, extra in QUESTIONS
    ]
    path = tmp_path / "questions.json"
    path.write_text(json.dumps(records))
    return path


def predictions(folder: Path, **answers: str | None) -> Path:
    path = folder / "answers.json"
    path.write_text(json.dumps([{"question_id": key, "answer": said} for key, said in answers.items()]))
    return path


def test_c_by_category_with_missing_answers_as_zero(questions: Path, tmp_path: Path) -> None:
    path = predictions(tmp_path, a="It is blue.", b="about 2.5 meters", c="It is in the kitchen.")
    table = ScoreTable(score_predictions(questions, path, RuleJudge()))
    (group,) = table.groups
    found = {figure.key: (figure.value, figure.n) for figure in group.categories}
    assert found["all"] == (pytest.approx(75.0), 4)
    assert found["location"] == (100.0, 1)
    assert found["recognition"] == (0.0, 1)
    assert all("no answer counts 0" in figure.note for figure in group.categories)
    assert (group.agent, group.model) == ("predictions", "answers")
    assert "rule match" in table.text()
    assert "LLM-Match" not in table.text()


class Marking:
    """A model that marks each answer with what the answer says."""

    name = "echo"

    def chat(self, prompt: str, images: Sequence[Any] = (), schema: dict[str, Any] | None = None) -> str:
        return prompt.split("<machine>\n")[1].split("\n</machine>")[0].splitlines()[-1]

    def yes_probability(self, prompt: str, images: Sequence[Any] = ()) -> float | None:
        return None


def test_a_model_marks_and_what_it_does_not_mark_is_left_out_and_told(questions: Path, tmp_path: Path) -> None:
    path = predictions(tmp_path, a="Your mark: 4/5", b="five", c="no idea", d=None)
    table = ScoreTable(score_predictions(questions, path, ModelJudge(Marking())))
    assert {score.episode_id: score.judge_score for score in table.complete} == {"a": 4, "b": 5, "d": 1}
    (left,) = table.incomplete
    assert "no mark" in left.incomplete_reason
    (group,) = table.groups
    assert group.categories[-1].value == pytest.approx((75 + 100 + 0) / 3)
    assert "LLM-Match" in table.text()


def test_one_command_scores_a_file(questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = predictions(tmp_path, a="blue", d="Yes, there is.")
    assert main(["score", str(questions), "--predictions", str(path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["groups"][0]["categories"]["all"]["value"] == 50.0
    assert main(["score", str(questions), "--predictions", str(path)]) == 0
    assert "C, location" in capsys.readouterr().out
    assert main(["score", str(questions), str(questions), "--predictions", str(path)]) == 2
    assert "that file alone" in capsys.readouterr().err


@pytest.mark.parametrize(
    "content",
    ["", "{}", "[1]", '[{"answer": "x"}]', '[{"question_id": "a", "answer": 3}]', "[" * 100_000, "\x00"],
)
def test_other_files_are_refused_in_words(tmp_path: Path, content: str) -> None:
    path = tmp_path / "p.json"
    path.write_text(content)
    with pytest.raises(FormatError, match=r"p\.json"):
        read_predictions(path)


def test_double_and_strange_answers_are_refused(questions: Path, tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text('[{"question_id": "a", "answer": "x"}, {"question_id": "a", "answer": "y"}]')
    with pytest.raises(FormatError, match="answered before"):
        read_predictions(path)
    with pytest.raises(UsageError, match="'zz'"):
        score_predictions(questions, predictions(tmp_path, zz="x"), RuleJudge())
    with pytest.raises(FormatError, match="cannot read"):
        read_predictions(tmp_path / "nowhere.json")


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
