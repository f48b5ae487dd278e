"""Questions to be answered with yes or no that take something false for granted beside what they ask about."""

import pytest
from known_scenes import KnownScene, KnownSpace
from two_rooms import SMALL, obj, with_more

from vantage.answering.symbolic.reasoner import SymbolicReasoner
from vantage.questions.parsing.parser import parse
from vantage.types import NoiseType, Verdict

BOWLS = [
    obj(40 + k, "bowl", (7.2 + 0.3 * k, 2.2, 0.5), SMALL, 11, room=2, color=color, material="wood", shape="round")
    for k, color in enumerate(("green", "green", "green"))
]
STAND = obj(50, "stool", (3.0, 3.0, 0.0), (0.4, 0.4, 0.5), color="black", material="metal", shape="square")
HOME = with_more(*BOWLS, STAND)


def asked(text, graph=HOME):
    question, scene = parse(text), KnownScene(graph)
    assert question is not None, text
    return SymbolicReasoner().assess(question, scene, KnownSpace(scene), True)


@pytest.mark.parametrize(
    ("text", "noise", "explanation", "corrected", "answer"),
    [
        (
            "Is the red mug on the table ceramic?",
            NoiseType.COLOR,
            "The mug on the table is blue, not red.",
            "Is the blue mug on the table made of ceramic?",
            "yes",
        ),
        (
            "Is the red mug on the table made of glass?",
            NoiseType.COLOR,
            "The mug on the table is blue, not red.",
            "Is the blue mug on the table made of glass?",
            "no",
        ),
        (
            "Is the wooden mug on the table blue?",
            NoiseType.MATERIAL,
            "The mug on the table is made of ceramic, not made of wood.",
            "Is the ceramic mug on the table blue?",
            "yes",
        ),
        (
            "Is the blue mug on the bed made of ceramic?",
            NoiseType.POSITION,
            "The blue mug is on the table, not on the bed.",
            "Is the blue mug on the table made of ceramic?",
            "yes",
        ),
        (
            "Is the round stool black?",
            NoiseType.SHAPE,
            "The stool is square, not round.",
            "Is the square stool black?",
            "yes",
        ),
        (
            "Is the mug on the table round?",  # what is asked is no premise
            NoiseType.NONE,
            "The mug on the table is cylindrical.",
            "",
            "no",
        ),
        (
            "Are the two bowls on the bed green?",
            NoiseType.COUNT,
            "There are three bowls on the bed, not two.",
            "Are the three bowls on the bed green?",
            "yes",
        ),
        (
            "Are the four bowls on the bed made of metal?",
            NoiseType.COUNT,
            "There are three bowls on the bed, not four.",
            "Are the three bowls on the bed made of metal?",
            "no",
        ),
        (
            "Are the two mugs on the table blue?",
            NoiseType.COUNT,
            "There is one mug on the table, not two.",
            "Is the mug on the table blue?",
            "yes",
        ),
        (
            "Is the red mug on the table?",
            NoiseType.COLOR,
            "The mug is blue, not red.",
            "Is the blue mug on the table?",
            "yes",
        ),
        (
            "Is the red mug on the bed?",
            NoiseType.COLOR,
            "The mug is blue, not red.",
            "Is the blue mug on the bed?",
            "no",
        ),
        (
            "Is the green ceramic mug on the table empty?",
            NoiseType.COLOR,
            "The ceramic mug on the table is blue, not green.",
            "Is the blue ceramic mug on the table empty?",
            "yes",
        ),
        (
            "Is the green wooden mug on the table empty?",
            NoiseType.COLOR,
            "The mug on the table is blue and made of ceramic, not green and made of wood.",
            "Is the blue ceramic mug on the table empty?",
            "yes",
        ),
    ],
)
def test_what_is_taken_for_granted_is_put_right_and_what_is_asked_is_answered(
    text, noise, explanation, corrected, answer
):
    found = asked(text)
    assert found.noise.noise_type is noise
    assert found.text == f"{explanation} Answer: {answer}."
    assert (found.noise.corrected_question, found.answer) == (corrected, answer)
    if corrected:
        assert found.verdict is Verdict.CORRECTED
        again = asked(corrected)
        assert (again.verdict, again.answer) == (Verdict.ANSWERED, answer)


@pytest.mark.parametrize(
    "text", ["Is the guitar on the table brown?", "Is the brown guitar on the table made of wood?"]
)
def test_of_what_is_not_there_nothing_is_affirmed_or_denied(text):
    found = asked(text)
    assert (found.verdict, found.noise.noise_type, found.answer) == (Verdict.UNANSWERABLE, NoiseType.LATENT, "")


def test_what_is_nowhere_is_not_at_a_place_either():
    found = asked("Is the guitar on the table?")
    assert (found.verdict, found.answer) == (Verdict.ANSWERED, "no")
    assert found.text.startswith("There is no guitar; ")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Is the blue mug on the table ceramic?", "yes"),
        ("Are the three bowls on the bed green?", "yes"),
        ("Are there three bowls on the bed?", "yes"),
        ("Are there two bowls on the bed?", "no"),
        ("Is there a red mug on the table?", "no"),
        ("Is the square stool black?", "yes"),
        ("Is the mug on the bed?", "no"),
    ],
)
def test_honest_questions_raise_no_objection(text, answer):
    found = asked(text)
    assert (found.verdict, found.noise.noise_type, found.answer) == (Verdict.ANSWERED, NoiseType.NONE, answer)
