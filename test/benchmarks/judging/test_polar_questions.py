"""Questions that ask for yes or no, and statements that say one of them."""

from __future__ import annotations

from hypothesis import given, strategies as st
from row_tables import each_row

from vantage.benchmarks.judging.polar_questions import (
    asks_presence,
    gold_stance,
    informative,
    is_polar,
    leads_with,
    predicate,
    stated_yes_or_no,
)


@each_row(
    "question, polar, presence, wanted",
    [
        ("Is the door of the kitchen open?", True, False, "open"),
        ("Is the bed made?", True, False, "made"),
        ("Is this a kitchen?", True, False, "kitchen"),
        ("The room is dark. Is the lamp on?", True, False, ""),
        ("Is the pillow on the bed?", True, False, ""),
        ("Is the apple in the kitchen?", True, False, ""),
        ("Is red the color of the mug?", True, False, ""),
        ("Is there space on my desk?", True, True, ""),
        ("Do you see a vase?", True, True, ""),
        ("Can ten people sit here?", True, False, ""),
        ("Is the door open or closed?", False, False, ""),
        ("Do you see what color the box is?", False, False, ""),
        ("Is there a studio? If so where is it?", False, False, ""),
        ("What color is the mug?", False, False, ""),
        ("", False, False, ""),
        ("?!", False, False, ""),
    ],
)
def test_what_a_question_asks(question: str, polar: bool, presence: bool, wanted: str) -> None:
    assert (is_polar(question), asks_presence(question), predicate(question)) == (polar, presence, wanted)


@each_row(
    "question, text, stated",
    [
        ("Is the door open?", "The door is open.", "yes"),
        ("Is the door open?", "It is wide open", "yes"),
        ("Is the door open?", "It isn't open", "no"),
        ("Is the door open?", "The door is not closed", "yes"),
        ("Is the door open?", "The window is open", ""),
        ("Is the door open?", "open", ""),
        ("Is the door open?", "The door is open or closed", ""),
        ("Is the door open?", "The door is open. It is closed.", ""),
        ("Is the lamp on?", "The lamp is on the desk", ""),
        ("Is the lamp on?", "The lamp on the desk is on", "yes"),
        ("Are the windows closed?", "One of the windows is closed, the other one is open", ""),
        ("Is the door closed?", "It is almost closed", ""),
        ("Is the table in the kitchen clean?", "The counter in the kitchen is clean", ""),
        ("Is the table in the kitchen clean?", "The table is clean", "yes"),
        ("Is the glass full?", "It is empty", "no"),
        ("Is the mug red?", "It is red, blue", ""),
        ("Where is the mug?", "It is red", ""),
        ("", "It is red", ""),
    ],
)
def test_what_a_statement_says_to_a_question(question: str, text: str, stated: str) -> None:
    assert stated_yes_or_no(question, text) == stated


@each_row(
    "question, gold, stance",
    [
        ("Where is it?", "Yes.", "yes"),
        ("Is the trash empty?", "No, it overflows", "no"),
        ("Is the worktop clean?", "It appears to be clean", "yes"),
        ("Can I put a couch here?", "There is no space for one", "no"),
        ("Do you see my keys?", "Yes, on the desk", ""),
        ("Where is the mug?", "No, on the desk", ""),
        ("Is the door open?", "Partially", ""),
    ],
)
def test_the_yes_or_no_of_a_gold_answer(question: str, gold: str, stance: str) -> None:
    assert gold_stance(question, gold) == stance


def test_clauses_that_say_that_nothing_is_known_are_left_out() -> None:
    assert informative("The picture gives no information about it.").strip() == "."
    assert "No" in informative("No, I cannot tell.")
    assert informative("There is no mug on the table") == "There is no mug on the table"


def test_a_leading_word_stands_by_itself() -> None:
    assert [leads_with(text) for text in ("No, it is", "no", "No mug", "Yes there is", "It is, yes", "")] == [
        *("no", "no", "", "yes", "", "")
    ]


@given(st.text(max_size=300), st.text(max_size=100))
def test_any_text_is_read_without_error(text: str, question: str) -> None:
    assert stated_yes_or_no(question, text) in ("yes", "no", "")
    assert gold_stance(question, text) in ("yes", "no", "")
    assert len(informative(text)) <= len(text)
