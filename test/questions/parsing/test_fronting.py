"""What stands ahead of a question is put where the grammar expects it."""

import pytest

from vantage.questions.parsing import fronting
from vantage.questions.parsing.grammar import RULES
from vantage.questions.parsing.patterns import Chart
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
        ("Facing the bed, what is left of it?", "what is left of the bed , facing the bed"),
        ("Facing the bed, what is on the left?", "what is on the left of the bed , facing the bed"),
        ("Facing the bed, is the mug on my right-hand side?", "is the mug on the right of the bed , facing the bed"),
        (
            "If I stand at the door and look at the bed, what is on its left?",
            "what is on the left of the bed , if i stand at the door and look at the bed",
        ),
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


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Of the two mugs, is the red one full?", "is the red MUG full"),
        ("Among the mugs on the desk, is there one that is red?", "is there a MUG that is red"),
        ("Of the two mugs, are any red?", "are any MUG red"),
        ("Of the two mugs, is either of them red?", "is either of the MUG red"),
        ("Of the two mugs, which ones are red?", "which MUG are red"),
    ],
)
def test_shared(text, rest):
    for sentence in fronting.shared(chart(text)):
        said = [token.word if token.stands_for is None else "MUG" for token in sentence.tokens]
        assert " ".join(said) == rest
        assert {token.stands_for.label for token in sentence.tokens if token.stands_for} == {"mug"}
    assert list(fronting.shared(chart(text)))


@pytest.mark.parametrize("text", ["Of the two mugs, where is the plate?", "Is the red one full?"])
def test_nothing_shared(text):
    assert not list(fronting.shared(chart(text)))


def test_placed():
    said = [words(sentence) for sentence, _ in fronting.placed(chart("On the table in the hall, is there a mug?"))]
    assert said[0] == "is there a mug"
    assert not list(fronting.placed(chart("Is there a mug?")))
