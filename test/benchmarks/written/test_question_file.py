"""Files of written questions: sound ones are read whole, and each kind of damage is told with its line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from row_tables import each_row

from vantage.benchmarks.written.question_file import read_questions
from vantage.errors import FormatError
from vantage.types import NoiseType

CLEAN: dict[str, Any] = {
    "id": "a-1",
    "scene": "home_1",
    "question": "What color is my mug?",
    "kind": "color",
    "answer": "red",
    "targets": [4],
}
NOISY: dict[str, Any] = {
    **CLEAN,
    "id": "a-2",
    "noise": "material",
    "false_claim": "the mug is made of glass",
    "correction": "the mug is made of metal",
    "corrected_question": "What color is my metal mug?",
}


def file_of(folder: Path, *records: Any) -> Path:
    path = folder / "questions.jsonl"
    path.write_text("\n".join(each if isinstance(each, str) else json.dumps(each) for each in records))
    return path


def test_questions_become_gold_data(tmp_path: Path) -> None:
    clean, noisy = read_questions(file_of(tmp_path, CLEAN, "", NOISY))
    assert clean.truth("q1").premise_holds
    truth = noisy.truth("q1")
    assert (truth.premise_holds, truth.noise_type) == (False, NoiseType.MATERIAL)
    assert truth.corrected_question == "What color is my metal mug?"
    assert truth.target_instances == (4,)


@each_row(
    "records, told",
    [
        ([], "holds no question"),
        (["no JSON"], "line 1: not a JSON object"),
        ([CLEAN, CLEAN], "line 2: the id 'a-1' was there before"),
        ([{**CLEAN, "colour": "red"}], "colour"),
        ([{key: value for key, value in CLEAN.items() if key != "kind"}], "kind"),
        ([{**CLEAN, "kind": "colr"}], "did you mean 'color'"),
        ([{**CLEAN, "noise": "colour"}], "did you mean 'color'"),
        ([{**CLEAN, "id": "../a"}], "id"),
        ([{**CLEAN, "question": " "}], "'question' is empty"),
        ([{**CLEAN, "answer": ""}], "'answer' is empty"),
        ([{**CLEAN, "targets": []}], "'targets' is empty"),
        ([{**CLEAN, "targets": [0]}], "expected a positive instance id"),
        ([{**CLEAN, "targets": [True]}], "expected a positive instance id"),
        ([{**CLEAN, "correction": "the mug is blue"}], "whose premise holds has no false claim"),
        ([{**NOISY, "correction": ""}], "needs 'false_claim' and 'correction'"),
        ([{**NOISY, "corrected_question": ""}], "needs the question put right"),
        ([{**NOISY, "noise": "latent"}], "what is not there has no answer"),
        ([json.dumps({**CLEAN, "question": "\ud800"})], "line 1"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, records: list[Any], told: str) -> None:
    with pytest.raises(FormatError) as error:
        read_questions(file_of(tmp_path, *records))
    assert told in str(error.value)
    assert "questions.jsonl" in str(error.value)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="does not exist"):
        read_questions(tmp_path / "none.jsonl")
