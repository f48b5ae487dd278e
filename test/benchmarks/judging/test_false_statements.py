"""False statements beside a right answer, by the words of the question and by what such objects are."""

from __future__ import annotations

import pytest
from row_tables import each_row

from vantage.benchmarks.judging.false_statements import says_falsely
from vantage.benchmarks.judging.judges import Case
from vantage.benchmarks.judging.rule_judge import RuleJudge
from vantage.types import Answer, NoiseType, TruthQuestion, Verdict

MATERIAL = TruthQuestion("q", "material", "plastic", target_instances=(1,))
COLOR = TruthQuestion("q", "color", "blue", target_instances=(1,))
BLUE_MUG = "What is the blue mug on the wooden desk made of?"
TWO_CHAIRS = "What color are the two round chairs in the kitchen?"
DESK = "What color is the desk?"
LAMP = "What is the white lamp made of?"
TWO_BOOKS = "Where are the two books?"
RED_BOOK = "Where is the red book?"


@each_row(
    "question, text",
    [
        (BLUE_MUG, "The mug is red. plastic"),
        (BLUE_MUG, "The mug is actually red, made of plastic."),
        (BLUE_MUG, "I see a mug. It is red. Answer: plastic"),
        (BLUE_MUG, "The red mug is made of plastic."),
        (BLUE_MUG, "The color of the mug is red. plastic"),
        (TWO_CHAIRS, "The chairs are square. blue"),
        (DESK, "The desk is on the kitchen table. blue"),
        (DESK, "There is a bed on the sofa. blue"),
        (DESK, "The wardrobe in the mug is big. blue"),
        (DESK, "The blue desk on the table."),
        (DESK, "The desk beside the lamp stands on the table. blue"),
        (DESK, "The desk in the kitchen is on the table. blue"),
        (BLUE_MUG, "There is a red mug. plastic"),
        (BLUE_MUG, "I looked around. The red mug is made of plastic."),
        (BLUE_MUG, "The red mug on the desk is made of plastic."),
        (BLUE_MUG, "plastic. The mug is red."),
        (BLUE_MUG, "The mug is made of plastic. It is red."),
        (TWO_CHAIRS, "There is only one chair in the kitchen. blue"),
    ],
)
def test_what_cannot_be_so_spoils_a_right_answer(question: str, text: str) -> None:
    truth = MATERIAL if question == BLUE_MUG else COLOR
    judgement = RuleJudge().judge(Case(truth, Answer("q", text, Verdict.ANSWERED, 0.9), 1.0, question))
    assert (judgement.score, judgement.correct, judgement.false_alarm) == (1, False, False)
    assert "cannot be so" in judgement.reason


@each_row(
    "text",
    ["There are five chairs in the kitchen. blue", "The chairs are blue. There are three chairs in the kitchen."],
)
def test_another_number_than_the_question_has_is_an_objection_to_it(text: str) -> None:
    """As on a question with a false number, which it puts right."""
    verdict = RuleJudge().judge(Case(COLOR, Answer("q", text, Verdict.ANSWERED, 0.9), 1.0, question=TWO_CHAIRS))
    assert (verdict.score, verdict.false_alarm) == (1, True)


@each_row(
    "question, text",
    [
        (BLUE_MUG, "plastic"),
        (BLUE_MUG, "The blue mug is made of plastic."),
        (BLUE_MUG, "The mug on the desk is blue. plastic"),
        (BLUE_MUG, "The mug next to the red mug is plastic."),
        (BLUE_MUG, "There is another red mug. The blue mug is plastic."),
        (BLUE_MUG, "The red mug is a different one; the blue mug is plastic."),
        (BLUE_MUG, "The mug has a red handle. plastic"),
        (BLUE_MUG, "The mug is turquoise. plastic"),
        (BLUE_MUG, "The lamp is red. The cup is red. The mug is plastic."),
        (BLUE_MUG, "The desk is brown. plastic"),
        (TWO_CHAIRS, "The two chairs are blue."),
        (TWO_CHAIRS, "There are five chairs in the home, and the two chairs in the kitchen are blue."),
        (TWO_CHAIRS, "Both chairs in the kitchen are blue."),
        (DESK, "The desk is on the rug. blue"),
        (DESK, "The desk in the kitchen is blue."),
        (DESK, "The stool is on the table. blue"),
        (DESK, "The mug on the table is next to the blue desk."),
        (DESK, "The desk is not on the table. blue"),
        (DESK, "The gizmo is on the widget. blue"),
        (DESK, "The mug beside the desk on the table is red. blue"),
        (DESK, "The lamp by the desk is on the table. blue"),
        (DESK, "The lamp to the right of the desk on the table is lit. blue"),
        (DESK, "The desk in the mirror is blue."),
        ("What color is the bed?", "The bed which has a lamp on the nightstand is blue"),
        ("What color is the sofa?", "The sofa that I see in the mirror is red"),
        ("What color is the chair?", "The chair at the desk with a mug on the book is red"),
        (LAMP, "The lamp is metal. The black lamp by the door is plastic."),
        (LAMP, "It is made of metal, unlike the black lamp on the floor."),
        (LAMP, "It is made of metal unlike the black lamp on the floor."),
        (LAMP, "The lamp is metal. The lamp by the door is black."),
        (LAMP, "The lamp is metal. There is a black lamp by the door. It is plastic."),
        (LAMP, "The black lamp by the door is plastic, the white one is metal."),
        (LAMP, "The lamp is metal, its base is black."),
        (LAMP, "The base of the lamp is black. metal"),
        (LAMP, "The lamp which stands on the desk that is black is metal."),
        (RED_BOOK, "On the shelf, the green book is right of it."),
        (RED_BOOK, "The green book is right of it. on the shelf"),
        (RED_BOOK, "On the shelf, right of the green book"),
        ("Where are the two chairs?", "In the kitchen. I see 4 chairs in the home."),
        ("Where are the two chairs?", "There are 4 chairs in total. in the kitchen"),
        (TWO_CHAIRS, "They are blue. The 4 chairs in the home are square."),
        (TWO_BOOKS, "One book is on the shelf and one book is on the shelf too."),
        (TWO_BOOKS, "There is one book on the left side and one book on the right side of the shelf."),
        (TWO_BOOKS, "One book is on the shelf, the other one beside it."),
        ("Is the mug red or blue?", "The mug is red. blue"),
        ("", "The mug is red. blue"),
        (DESK, ""),
    ],
)
def test_what_may_be_so_does_no_harm(question: str, text: str) -> None:
    assert not says_falsely(MATERIAL if question == BLUE_MUG else COLOR, text, question)


def test_an_answer_of_no_may_say_what_is_so_instead() -> None:
    truth = TruthQuestion("q", "color", "no", target_instances=(1,))
    assert not says_falsely(truth, "No, the plastic mug is red.", "Is the plastic mug blue?")


@pytest.mark.parametrize("kind", ["existence", "count", "comparison", "sameness", "relation"])
def test_only_questions_about_a_object_are_looked_at(kind: str) -> None:
    truth = TruthQuestion("q", kind, "yes", target_instances=(1,))
    assert not says_falsely(truth, "The mug is red. yes", "Is there a blue mug on the desk?")


def test_a_noisy_question_is_not_taken_at_its_word() -> None:
    truth = TruthQuestion(
        *("q", "material", "plastic", (), False, NoiseType.COLOR, "the mug is blue", "the mug is red"),
        *("What is the red mug made of?", (1,)),
    )
    answer = Answer("q", "The mug is red, not blue. Answer: plastic", Verdict.CORRECTED, 0.9)
    assert RuleJudge().judge(Case(truth, answer, None, "What is the blue mug made of?")).score == 5
