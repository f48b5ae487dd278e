"""What stands ahead of a question is put where the grammar expects it."""

import pytest

from vantage.questions.parsing import fronting
from vantage.questions.parsing.chart import Chart
from vantage.questions.parsing.grammar import RULES
from vantage.questions.parsing.tokens import read_sentence


def chart(text):
    return Chart(read_sentence(text), RULES)


def words(sentence):
    return " ".join(token.word for token in sentence.tokens)


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("From the door, is the desk left of the bed?", "is the desk left of the bed , from the door"),
        ("Compared with the mug, is the cup smaller?", "is the cup smaller , compared with the mug"),
        ("For a box, is the box large?", "is the box large , for a box"),
    ],
)
def test_turned(text, moved):
    assert moved in [words(sentence) for sentence in fronting.turned(chart(text))]


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("The mug on the desk, what color is it?", "what color is the mug on the desk"),
        ("What color is it, the mug on the desk?", "what color is the mug on the desk"),
        ("I can't find my mug. Where is it?", "where is my mug"),
        ("The mugs, are they clean?", "are the mugs clean"),
        ("The box, what are its color and shape?", "what are the box 's color and shape"),
        ("I forgot the color of the mug, what is it?", "what is the color of the mug"),
    ],
)
def test_topics(text, moved):
    assert moved in [words(sentence) for sentence in fronting.topics(chart(text))]


@pytest.mark.parametrize(
    "text",
    ["Where is it?", "The mug, what color is that mug?", "Open the fridge, it is full", "Is it red, blue or green?"],
)
def test_no_topic(text):
    assert not list(fronting.topics(chart(text)))


def test_placed():
    said = [words(sentence) for sentence, _ in fronting.placed(chart("On the table in the hall, is there a mug?"))]
    assert said[0] == "is there a mug"
    assert not list(fronting.placed(chart("Is there a mug?")))
