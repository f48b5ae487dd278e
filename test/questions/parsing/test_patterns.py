"""The language in which rules are written, and that the grammar names only rules that it has."""

import ast
import re
from pathlib import Path

import pytest

from vantage.questions import parsing
from vantage.questions.parsing.grammar import RULES
from vantage.questions.parsing.patterns import Chart, dearer, either, pattern, rule, table
from vantage.questions.parsing.tokens import read_sentence

COLORS = {"COLOR": table({"red": "red", "dark red": "maroon"}), "DEARER": dearer(0.5, "COLOR")}


def read(rules, name, text):
    return [
        (found.value, found.end, found.cost) for found in Chart(read_sentence(text), {**COLORS, **rules}).read(name, 0)
    ]


@pytest.mark.parametrize(
    ("text", "said", "ends"),
    [
        ("is|are there", "are there mugs", [2]),
        ("is [n't] there", "is there", [2]),
        ("is [n't] there", "isn't there", [3]),
        ("a [b [c]]", "a b c", [1, 2, 3]),
        ("( a b | c )", "a b", [2]),
        ("( a b | c )", "c", [1]),
        ("( that | ) a", "a b", [1]),
        ("a", "b", []),
        (either("a", "b c"), "b c", [2]),
    ],
)
def test_what_patterns_match(text, said, ends):
    assert sorted(end for _, end, _ in read({"RULE": rule((text, lambda found: True))}, "RULE", said)) == ends


def test_patterns_give_what_rules_read_by_name_and_number():
    rules = {"TWO": rule(("COLOR and COLOR2", lambda found: (found["COLOR"], found["COLOR2"])))}
    assert read(rules, "TWO", "dark red and red") == [(("maroon", "red"), 4, 0.0)]


def test_nothing_is_read_where_nothing_can_be_made_of_it():
    assert read({"NEVER": rule(("COLOR", lambda found: None))}, "NEVER", "red") == []


def test_the_cheaper_of_two_readings_is_kept():
    rules = {"BOTH": rule(("DEARER", lambda found: "dear"), ("COLOR", lambda found: "cheap"))}
    assert read(rules, "BOTH", "red") == [("cheap", 1, 0.0)]
    assert read({}, "DEARER", "red") == [("red", 1, 0.5)]


@pytest.mark.parametrize("text", ["a ]", "a )", "COLOR|SHAPE", "COLOR|a"])
def test_a_wrong_pattern_is_refused_when_it_is_made(text):
    with pytest.raises(ValueError, match=r"pattern|name of a rule"):
        pattern(text)


def test_every_rule_that_a_pattern_names_is_there():
    named = set()
    for path in Path(parsing.__file__).parent.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        notes = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in notes:
                named |= set(re.findall(r"\b[A-Z]{2,}(?=\d?\b)", node.value))
    named -= {"NFKC"}
    assert len(named) > 30
    assert named <= set(RULES)
