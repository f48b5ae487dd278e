"""The model that knows questions and answers of a training set, and no place."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from row_tables import each_row

from vantage.errors import FormatError
from vantage.planning import LanguagePrior

THINGS = ("mug", "bowl", "chair", "table", "lamp", "book")


def asked(number: int, seed: int = 1) -> list[tuple[str, str]]:
    """Questions of which the later thing in the list is the heavier, and of which colors nothing tells."""
    draw = random.Random(seed)
    found = []
    for _ in range(number):
        one, other = draw.sample(THINGS, 2)
        heavier = "yes" if THINGS.index(one) > THINGS.index(other) else "no"
        found.append((f"Is the {one} heavier than the {other}?", heavier))
        found.append((f"Is the {one} in the hall red?", draw.choice(("yes", "no"))))
        found.append((f"How many {other}s are there?", draw.choice("123")))
    return found


@cache
def prior() -> LanguagePrior:
    return LanguagePrior.fit(asked(600))


def test_it_learns_what_words_tell_and_is_unsure_of_what_they_do_not() -> None:
    told = asked(100, seed=2)
    heavier = [(text, right) for text, right in told if "heavier" in text]
    assert np.mean([prior().answer(text)[0] == right for text, right in heavier]) > 0.9
    assert max(prior().answer(text)[1] for text, _ in told if "red" in text) < 0.75
    assert all(prior().answer(text)[0] in "123" for text, _ in told if text.startswith("How many"))


def test_the_same_questions_give_the_same_file(tmp_path: Path) -> None:
    for name in ("a", "b"):
        LanguagePrior.fit(asked(50)).write(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_it_is_the_same_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "language.json"
    prior().write(path)
    again = LanguagePrior.read(path)
    assert (again.answers, again.questions) == (prior().answers, 1800)
    assert all(again.answer(text) == prior().answer(text) for text, _ in asked(20, seed=3))
    assert path.stat().st_size < 10**6


def test_without_questions_it_knows_no_answer() -> None:
    assert LanguagePrior.fit([]).answer("Is it?") == ("", 0.0)
    assert LanguagePrior.fit([("Is it?", "yes")]).answer("What is it?") == ("yes", 1.0)


@given(st.text(max_size=2000))
def test_any_text_has_an_answer_and_a_share(text: str) -> None:
    answer, share = prior().answer(text)
    assert answer in prior().answers
    assert 1 / len(prior().answers) - 1e-9 <= share <= 1.0
    assert prior().likely(text).sum() == pytest.approx(1.0)


@each_row(
    "change",
    [
        {"language_version": 2},
        {"features": "is"},
        {"features": ["is"]},
        {"answers": [1]},
        {"answers": ["yes"]},
        {"questions": -1},
        {"questions": True},
        {"weights": 3},
        {"weights": "!"},
        {"weights": "AAAA"},
        {"weights": ""},
    ],
)
def test_a_damaged_file_is_refused_in_one_sentence(change: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "language.json"
    prior().write(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(FormatError, match=r"language\.json"):
        LanguagePrior.read(path)


def test_counts_of_answers_are_no_such_model(tmp_path: Path) -> None:
    (tmp_path / "prior.json").write_text('{"version": 1, "counts": {}}')
    with pytest.raises(FormatError, match="--language"):
        LanguagePrior.read(tmp_path / "prior.json")
