"""Courtesy and padding are taken off a question without touching what it says."""

import pytest

from vantage.questions.parsing import politeness
from vantage.questions.parsing.grammar import RULES
from vantage.questions.parsing.patterns import Chart
from vantage.questions.parsing.tokens import read_sentence


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Where on earth is the mug?", "where is the mug"),
        ("Do you happen to see a mug right now?", "do you see a mug"),
        ("Is the globe on the table?", "is the globe on the table"),
        ('Where is the jar that says "PLEASE"?', "where is the jar that says "),
        ("mug please maybe", "mug"),
    ],
)
def test_unpadded(text, left):
    assert " ".join(token.word for token in politeness.unpadded(read_sentence(text).tokens)) == left


@pytest.mark.parametrize(
    ("text", "core"),
    [
        ("Could you tell me where the mug is, please?", "where the mug is"),
        ("Which is it: is the mug full or empty?", "is the mug full or empty"),
        ("What size is the mug, small or large?", "what size is the mug"),
        ("How many things share the color of the mug, not counting it?", "how many things share the color of the mug"),
    ],
)
def test_cores(text, core):
    sentence = read_sentence(text)
    cores = [
        " ".join(token.word for token in sentence.tokens[a:b]) for a, b in politeness.cores(Chart(sentence, RULES))
    ]
    assert cores[0] == " ".join(token.word for token in sentence.tokens)
    assert core in cores
