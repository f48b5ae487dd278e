"""Alternatives, lists in any order and remarks."""

from __future__ import annotations

import time

from hypothesis import given, strategies as st
from row_tables import each_row

from vantage.benchmarks.judging.answer_forms import alternatives, gold_forms, is_covered, lists_same


@each_row(
    "gold, forms",
    [
        ("red", ("red",)),
        ("Maroon or red", ("Maroon or red", "Maroon", "red")),
        ("Black (two trash cans)", ("Black (two trash cans)", "Black")),
        ("Yes, a studio", ("Yes, a studio", "a studio")),
        ("on the porch / balcony", ("on the porch / balcony", "on the porch", "on balcony")),
        ("It is red or blue", ("It is red or blue",)),
        ("", ()),
    ],
)
def test_the_forms_of_a_gold_answer(gold: str, forms: tuple[str, ...]) -> None:
    assert gold_forms(gold) == forms


@each_row(
    "text, parts",
    [
        ("red", ("red",)),
        ("red, blue", ("red, blue",)),
        ("red, blue, or green.", ("red", "blue", "green")),
        ("either on the bed or under it", ("on the bed", "under it")),
        ("a floor", ("a floor",)),
    ],
)
def test_alternatives_stand_between_or(text: str, parts: tuple[str, ...]) -> None:
    assert alternatives(text) == parts


@each_row(
    "said, gold, same",
    [
        ("blue and white", "white and blue", True),
        ("I see a lamp and a couch", "sofa, lamp", True),
        ("blue, blue", "white, blue", False),
        ("blue or white", "white and blue", False),
        ("blue and not white", "white and blue", False),
        ("blue", "blue", False),
        ("", "", False),
    ],
)
def test_lists_are_compared_without_their_order(said: str, gold: str, same: bool) -> None:
    assert lists_same(said, gold) is same


def test_a_narrower_word_is_covered_by_its_wider_one() -> None:
    assert is_covered("spherical", "round")
    assert is_covered("round", "spherical")
    assert not is_covered("cylindrical", "round")
    assert not is_covered("a spherical lamp", "round")


@given(st.text(max_size=300), st.text(max_size=100))
def test_any_text_has_forms(text: str, gold: str) -> None:
    assert all(form.strip() for form in gold_forms(gold))
    assert alternatives(text) or not text.strip(" .!,")
    assert lists_same(text, gold) in (True, False)


def test_a_huge_text_is_handled_soon() -> None:
    start = time.process_time()
    assert len(alternatives("red or " * 20_000)) > 1
    assert not lists_same("red and " * 20_000, "red and blue")
    assert alternatives(" " * 100_000) == ("",)
    assert time.process_time() - start < 5.0
