"""The commonest answers by the first words of questions."""

from __future__ import annotations

from pathlib import Path

import pytest
from row_tables import each_row

from vantage.errors import FormatError
from vantage.planning.answer_prior import AnswerPrior

COUNTED = [
    *[(f"What color is the {thing}?", "white") for thing in ("door", "mug", "sofa", "bed")],
    *[(f"What color is the {thing}?", "red") for thing in ("lamp", "vase")],
    *[(f"How many {things} are there?", "2") for things in ("cups", "pans", "pots", "beds", "keys", "jars")],
    ("Where is the kettle?", "on the stove"),
]


@each_row(
    "question, answer, share",
    [
        ("What color is the roof?", "white", 4 / 6),
        ("WHAT  colour is it", "white", 4 / 6),
        ("How many chairs are in the hall?", "2", 1.0),
        ("Where is the cat?", "2", 6 / 13),
        ("?!", "2", 6 / 13),
        ("", "2", 6 / 13),
    ],
)
def test_as_many_first_words_decide_as_were_counted_often_enough(question: str, answer: str, share: float) -> None:
    assert AnswerPrior.of(COUNTED).guess(question) == (answer, pytest.approx(share))


def test_without_counts_nothing_is_guessed() -> None:
    assert AnswerPrior.of([]).guess("What color is the roof?") == ("", 0.0)


def test_it_is_the_same_read_from_its_file(tmp_path: Path) -> None:
    prior = AnswerPrior.of(COUNTED)
    prior.write(tmp_path / "prior.json")
    again = AnswerPrior.read(tmp_path / "prior.json")
    assert (again.questions, again.kinds) == (prior.questions, prior.kinds) == (13, 6)
    assert again.guess("What color is it?") == prior.guess("What color is it?")


@each_row(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"version": 2, "counts": {}}',
        '{"version": 1, "counts": {"": {"a": 0}}}',
        '{"version": 1, "counts": {"": {"a": true}}}',
        '{"version": 1, "counts": {"": 3}}',
        '{"version": 1',
    ],
)
def test_a_file_that_holds_no_counts_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "prior.json"
    path.write_text(text)
    with pytest.raises(FormatError):
        AnswerPrior.read(path)
