"""OpenEQA's protocol on files: C by category, missing answers as 0, marks that are missing told."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from vantage.benchmarks.judging.model_judge import ModelJudge
from vantage.benchmarks.judging.rule_judge import RuleJudge
from vantage.cli.main import main
from vantage.errors import FormatError, UsageError
from vantage.reports.predictions import read_predictions, score_predictions

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
    table = score_predictions(questions, path, RuleJudge())
    (group,) = table.groups
    found = {figure.key: (figure.value, figure.n) for figure in group.categories}
    assert found["all"] == (pytest.approx(75.0), 4)
    assert found["location"] == (100.0, 1)
    assert found["recognition"] == (0.0, 1)
    assert all("no answer counts 0" in figure.note for figure in group.categories)
    assert (group.agent, group.model) == ("predictions", "answers")


class Marking:
    """A model that marks each answer with what the answer says."""

    name = "echo"

    def chat(self, prompt: str, images: Sequence[Any] = (), schema: dict[str, Any] | None = None) -> str:
        return prompt.split("<machine>\n")[1].split("\n</machine>")[0].splitlines()[-1]

    def yes_probability(self, prompt: str, images: Sequence[Any] = ()) -> float | None:
        return None


def test_a_model_marks_and_what_it_does_not_mark_is_left_out_and_told(questions: Path, tmp_path: Path) -> None:
    path = predictions(tmp_path, a="Your mark: 4/5", b="five", c="no idea", d=None)
    table = score_predictions(questions, path, ModelJudge(Marking()))
    assert {score.episode_id: score.judge_score for score in table.complete} == {"a": 4, "b": 5, "d": 1}
    (left,) = table.incomplete
    assert "no mark" in left.incomplete_reason
    (group,) = table.groups
    assert group.categories[-1].value == pytest.approx((75 + 100 + 0) / 3)


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
