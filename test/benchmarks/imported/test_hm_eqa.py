"""HM-EQA's questions: choices in one cell, quotes and all, and files that are damaged."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from vantage.benchmarks.imported.hm_eqa import HmEqaBenchmark, read_hm_eqa
from vantage.benchmarks.judging.judges import Case
from vantage.benchmarks.judging.rule_judge import RuleJudge
from vantage.benchmarks.sets.episodes_io import load_truths
from vantage.errors import FormatError
from vantage.registry import BENCHMARKS
from vantage.types import Answer, Verdict

HEADER = ("scene", "floor", "question", "choices", "question_formatted", "answer", "label")
CHAIRS = ("00062-home", "0", "How many chairs are there?", "['Four', 'Six', 'Eight', 'Ten']", "", "B", "count")
QUOTED = (
    "00063-home",
    "1",
    'Where is the "good" lamp, by the window?',
    """["In the child's room", 'On the desk, left', "On the \\"big\\" shelf", 'Nowhere']""",
    "",
    "C",
    "location",
)


def file_of(folder: Path, *rows: tuple[str, ...], header: tuple[str, ...] = HEADER) -> Path:
    path = folder / "questions.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def test_choices_are_read_as_a_list(tmp_path: Path) -> None:
    first, second = read_hm_eqa(file_of(tmp_path, CHAIRS, QUOTED))
    assert first.text == "How many chairs are there? A) Four B) Six C) Eight D) Ten"
    assert (first.answer, first.accepted, first.kind) == ("Six", ("B", "B) Six"), "count")
    assert (first.question_id, first.scene) == ("00062-home-0-0001", "00062-home__0")
    assert second.answer == 'On the "big" shelf'
    assert "A) In the child's room B) On the desk, left" in second.text
    assert second.bare == 'Where is the "good" lamp, by the window?'


def test_a_set_is_made_and_judged(tmp_path: Path) -> None:
    made = HmEqaBenchmark().make(tmp_path / "set", source=file_of(tmp_path, CHAIRS, QUOTED))
    assert HmEqaBenchmark().validate(made.folder) == []
    truths = load_truths(made.folder, made.episodes)
    (gold,) = truths["00062-home-0-0001"].questions
    for said, mark in (("Six", 5), ("B", 5), ("6", 5), ("Eight", 1)):
        assert RuleJudge().judge(Case(gold, Answer("q1", said, Verdict.ANSWERED, 1.0), None)).score == mark, said


def test_a_question_over_several_lines_keeps_the_count_of_lines(tmp_path: Path) -> None:
    broken = (*QUOTED[:2], "Where\nis it?", *QUOTED[3:])
    wrong = (*CHAIRS[:5], "E", "count")
    with pytest.raises(FormatError, match=r"line 4: the answer is 'E', not one of A, B, C, D"):
        read_hm_eqa(file_of(tmp_path, broken, wrong))


@pytest.mark.parametrize(
    ("column", "cell", "words"),
    [
        ("scene", "", "line 2: the cell 'scene' is empty"),
        ("question", " ", "line 2: the cell 'question' is empty"),
        ("choices", "['Four', 'Six'", "line 2: the choices .* are no list"),
        ("choices", "__import__('os')", "line 2: the choices .* are no list"),
        ("choices", "'Four'", "must be a list of texts"),
        ("choices", "['Four', 6]", "must be a list of texts"),
        ("choices", "['Four']", "there are 1 choices"),
        ("answer", "", "line 2: the answer is ''"),
        ("answer", "AB", "line 2: the answer is 'AB'"),
    ],
)
def test_damaged_rows_are_named(tmp_path: Path, column: str, cell: str, words: str) -> None:
    row = list(CHAIRS)
    row[HEADER.index(column)] = cell
    with pytest.raises(FormatError, match=words):
        read_hm_eqa(file_of(tmp_path, tuple(row)))


def test_damaged_files_are_named(tmp_path: Path) -> None:
    for rows, header, words in (
        ((CHAIRS,), ("scene", "floor", "question", "options", "formatted", "answer", "label"), "'choices' is missing"),
        ((CHAIRS[:4],), HEADER, "line 2: the row has fewer cells"),
        (((*CHAIRS, "more"),), HEADER, "line 2: the row has more cells"),
        ((), HEADER, "holds no question"),
    ):
        with pytest.raises(FormatError, match=words):
            read_hm_eqa(file_of(tmp_path, *rows, header=header))
    path = tmp_path / "questions.csv"
    path.write_text('scene,floor,question,choices,answer\nhome,0,"Where')
    with pytest.raises(FormatError, match=r"questions\.csv, line 2"):
        read_hm_eqa(path)
    path.write_text("")
    with pytest.raises(FormatError, match="is empty"):
        read_hm_eqa(path)


def test_it_is_registered() -> None:
    assert isinstance(BENCHMARKS.create("hm-eqa"), HmEqaBenchmark)
