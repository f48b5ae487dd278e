"""Answers with several values, in any order."""

from row_tables import each_row

from vantage.benchmarks.judging.exact_answers import is_exact
from vantage.benchmarks.judging.several_values import values_of
from vantage.types import Answer, TruthQuestion, Verdict

LETTERS = "abcdefghijkl"


@each_row(
    "gold, said, right",
    [
        ("blue, red", "blue, red", True),
        ("blue, red", "red and blue", True),
        ("blue, red", "Blue and red.", True),
        ("blue, red", "The cups are red and blue.", True),
        ("blue, red", "red and blue, not green", True),
        ("blue, red", "red", False),
        ("blue, red", "blue, red and green", False),
        ("blue, red", "red or blue", False),
        ("blue, red", "", False),
        ("metal, wood", "wooden, metallic", True),
        ("metal, wood", "steel and oak", True),
        ("bedroom, kitchen", "in the kitchen and the bedroom", True),
        ("bathroom, living room", "The living room and the bathroom", True),
        ("bedroom, kitchen", "the kitchen", False),
        ("bowl, fork, mug", "a mug, a fork and a bowl", True),
        ("bowl, fork, mug", "There are a mug, a fork and a bowl on the table.", True),
        ("bowl, fork, mug", "the mug and the bowl", False),
        ("bowl, fork", "a lamp, a bowl, a fork", False),
        ("paper towel, soap dispenser", "soap dispenser and paper towel", True),
        (", ".join(LETTERS), ", ".join(reversed(LETTERS)), True),
        ("blue", "blue", True),
        ("blue", "It is blue.", True),
        ("blue", "blue, red", False),
    ],
)
def test_values_in_any_order(gold, said, right):
    answer = Answer("q", said, Verdict.ANSWERED, 1.0)
    assert is_exact(TruthQuestion("q", "query", gold), answer) is right


@each_row(
    "gold, said, right",
    [
        ("3", "3", True),
        ("3", "three", True),
        ("3", "There are three.", True),
        ("3", "four", False),
        ("0", "none", True),
    ],
)
def test_numbers_as_words_or_digits(gold, said, right):
    answer = Answer("q", said, Verdict.ANSWERED, 1.0)
    assert is_exact(TruthQuestion("q", "count", gold), answer) is right


def test_what_a_gold_answer_lists():
    assert values_of("blue, red") == ("blue", "red")
    assert values_of("blue") == ("blue",)
    assert values_of("") == ()
