"""False statements beside a right answer, by the words of the question and by what such things are."""

from __future__ import annotations

import pytest

from vantage.benchmarks.rule_judge import RuleJudge
from vantage.benchmarks.stated_facts import says_falsely
from vantage.types import Answer, NoiseType, TruthQuestion, Verdict

MATERIAL = TruthQuestion("q", "material", "plastic", target_instances=(1,))
COLOR = TruthQuestion("q", "color", "blue", target_instances=(1,))
BLUE_MUG = "What is the blue mug on the wooden desk made of?"
TWO_CHAIRS = "What color are the two round chairs in the kitchen?"
DESK = "What color is the desk?"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        (BLUE_MUG, "The mug is red. plastic"),
        (BLUE_MUG, "The mug is actually red, made of plastic."),
        (BLUE_MUG, "I see a mug. It is red. Answer: plastic"),
        (BLUE_MUG, "The red mug is made of plastic."),
        (BLUE_MUG, "The color of the mug is red. plastic"),
        (TWO_CHAIRS, "There are five chairs in the kitchen. blue"),
        (TWO_CHAIRS, "The chairs are square. blue"),
        (DESK, "The desk is on the kitchen table. blue"),
        (DESK, "There is a bed on the sofa. blue"),
        (DESK, "The wardrobe in the mug is big. blue"),
        (DESK, "The blue desk on the table."),
    ],
)
def test_what_cannot_be_so_spoils_a_right_answer(question: str, text: str) -> None:
    truth = MATERIAL if question == BLUE_MUG else COLOR
    judgement = RuleJudge().judge(truth, Answer("q", text, Verdict.ANSWERED, 0.9), 1.0, question)
    assert (judgement.score, judgement.correct, judgement.false_alarm) == (1, False, False)
    assert "cannot be so" in judgement.reason


@pytest.mark.parametrize(
    ("question", "text"),
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
def test_only_questions_about_a_thing_are_looked_at(kind: str) -> None:
    truth = TruthQuestion("q", kind, "yes", target_instances=(1,))
    assert not says_falsely(truth, "The mug is red. yes", "Is there a blue mug on the desk?")


def test_a_noisy_question_is_not_taken_at_its_word() -> None:
    truth = TruthQuestion(
        *("q", "material", "plastic", (), False, NoiseType.COLOR, "the mug is blue", "the mug is red"),
        *("What is the red mug made of?", (1,)),
    )
    answer = Answer("q", "The mug is red, not blue. Answer: plastic", Verdict.CORRECTED, 0.9)
    assert RuleJudge().judge(truth, answer, None, "What is the blue mug made of?").score == 5
