"""Comparison of answers by words."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, strategies as st
from row_tables import each_row

from vantage.benchmarks.judging.answer_text import (
    affirms,
    agrees,
    agrees_in_letters,
    denies,
    explicit_yes_or_no,
    final_part,
    mentions,
    named_first,
    words,
)


@each_row(
    "text, gold",
    [
        ("Blue.", "blue"),
        ("The mug is blue", "blue"),
        ("It's light grey", "gray"),
        ("It is not red, it is blue", "blue"),
        ("not red but blue", "blue"),
        ("The mug is blue and stands on the white table", "blue"),
        ("I think so. Answer: blue", "blue"),
        ("three", "3"),
        ("2 (one monitor and one clock)", "2"),
        ("One toaster and two kettles, so three.", "3"),
        ("There are 3 chairs.", "three"),
        ("none", "0"),
        ("On the small brown table.", "on the table"),
        ("it is on top of the table", "on the table"),
        ("next to the couch", "beside the sofa"),
        ("inside the open box", "in the box"),
        ("in the trash can", "in the bin"),
        ("Yes, there is.", "yes"),
        ("there is a mug on the table", "yes"),
        ("No, there is no mug", "no"),
        ("I don't see any", "no"),
        ("it is wooden", "wood"),
        ("\uff22\uff2c\uff35\uff25", "blue"),
    ],
)
def test_says_the_same(text: str, gold: str) -> None:
    assert agrees(final_part(text), gold)


@each_row(
    "text, gold",
    [
        ("", "blue"),
        ("   ", "blue"),
        ("red", "blue"),
        ("red or blue", "blue"),
        ("blue or red", "blue"),
        ("it is not blue", "blue"),
        ("blueish", "blue"),
        ("3 or 4", "3"),
        ("2 (one monitor and one clock)", "1"),
        ("3 (one monitor and one clock)", "3"),
        ("one monitor and one clock", "2"),
        ("2 3 4 5", "3"),
        ("33", "3"),
        ("on the chair beside the table", "on the table"),
        ("on the desk, not the table", "on the table"),
        ("not on the table", "on the table"),
        ("table", "on the table"),
        ("Yes", "no"),
        ("yes or no", "yes"),
        ("maybe", "yes"),
        ("blue. Answer: red", "blue"),
        ("stable", "table"),
        (" ".join(["blue"] * 1000), "blue"),
    ],
)
def test_says_something_else(text: str, gold: str) -> None:
    assert not agrees(final_part(text), gold)


def test_final_part_is_what_follows_the_last_mark() -> None:
    assert final_part("Answer: red, no: ANSWER: blue ") == "blue"
    assert final_part("**Answer:** blue") == "blue"
    assert final_part("blue") == "blue"


def test_mentions_affirms_and_denies() -> None:
    assert mentions("two red mugs", "mug")
    assert mentions("shelves", "shelf")
    assert not mentions("smug", "mug")
    assert affirms("the mug is blue", "blue")
    assert not affirms("the mug is not blue", "blue")
    assert denies("there is no piano here", "piano")
    assert not denies("no mug but a piano", "piano")
    assert denies("There isn't a piano", "piano")
    assert denies("There isn\u2019t a piano", "piano")


@given(st.text(max_size=300), st.text(max_size=40))
def test_any_text_is_compared_without_error(text: str, gold: str) -> None:
    assert agrees(text, gold) in (True, False)
    assert isinstance(words(text), tuple)


@given(st.sampled_from(["red", "wood", "3", "yes", "no", "on the table", "in the box"]))
def test_every_gold_answer_agrees_with_itself(gold: str) -> None:
    assert agrees(gold, gold)
    assert agrees(gold.upper() + ".", gold)


def test_a_huge_text_is_handled_soon() -> None:
    start = time.process_time()
    assert not agrees("Answer: " * 12_000, "blue")
    assert not agrees("the mug is on " * 8_000, "on the table")
    assert time.process_time() - start < 5.0


@each_row(
    "text, gold",
    [
        ("In the living room.", "living room"),
        ("It is in the lounge", "living room"),
        ("the storage room", "storage room"),
        ("It is shut.", "closed"),
        ("The lamp on the table is off", "off"),
        ("It is switched on.", "on"),
        ("a big one", "large"),
        ("circular", "round"),
        ("the clean one", "clean"),
        ("on the couch", "on the sofa"),
        ("a TV", "television"),
        ("chest of drawers", "dresser"),
    ],
)
def test_rooms_states_shapes_and_sizes_are_compared_as_such(text: str, gold: str) -> None:
    assert agrees(text, gold)


@pytest.mark.parametrize(
    ("text", "gold"),
    [
        ("In the kitchen, not in the living room.", "living room"),
        ("kitchen or bathroom", "kitchen"),
        ("It is not open.", "open"),
        ("open", "closed"),
        ("The lamp on the table is off", "on"),
        ("small", "large"),
        ("a square", "round"),
        ("storage room", "living room"),
    ],
)
def test_another_room_state_shape_or_size_is_wrong(text: str, gold: str) -> None:
    assert not agrees(text, gold)


@pytest.mark.parametrize(
    "text", ["BOOKS", "books", "It says BOOKS.", 'The label reads "Books"', "'B O O K S'", "The text is: books!"]
)
def test_a_print_is_compared_by_its_letters(text: str) -> None:
    assert agrees_in_letters(text, "BOOKS")


@pytest.mark.parametrize("text", ["BOOK", "BOOKS AND TOYS", "", "It says TOYS, not BOOKS", "!?"])
def test_another_print_is_wrong(text: str) -> None:
    assert not agrees_in_letters(text, "BOOKS")
    assert not agrees_in_letters(text, "")


def test_what_is_named_stands_before_its_place() -> None:
    assert named_first("A lamp on the desk").strip() == "A lamp"
    assert named_first("On the desk there is a lamp") == "On the desk there is a lamp"
    assert named_first("It is next to the sofa") == "It is next to the sofa"


def test_yes_and_no_said_outright() -> None:
    assert explicit_yes_or_no("Yes, it is closed.") == "yes"
    assert explicit_yes_or_no("Nope") == "no"
    assert explicit_yes_or_no("It is closed.") == ""
