"""What stands around a question: statements before it or behind it, beliefs and tags."""

import pytest
from row_tables import each_row

from vantage.questions.parsing.parser import parse
from vantage.questions.programs import program_text

FORKS = "relate(filter(scene(), 'label', 'fork'), 'on', unique(filter(scene(), 'label', 'table')))"
HAT = "unique(filter(scene(), 'label', 'hat'))"


def program_of(text):
    found = parse(text)
    return None if found is None else program_text(found.program)


@pytest.mark.parametrize(
    "text",
    [
        "There should be six forks on the table. How many forks are there really?",
        "There should be six forks on the table; how many are there?",
        "My wife says there are six forks on the table, but how many forks are on the table?",
        "I left two forks on the table. How many forks are on it now?",
        "Last time there were three forks on the table. How many do you see?",
        "How many forks are on the table? I think there are four.",
    ],
)
def test_a_claim_is_no_part_of_the_question(text):
    assert program_of(text) == f"count({FORKS})"
    assert parse(text).number is None


def test_a_claim_about_other_things_places_nothing():
    text = "My wife says there are six forks on the table. How many spoons do we own?"
    assert program_of(text) == "count(filter(scene(), 'label', 'spoon'))"


@pytest.mark.parametrize(
    "text",
    [
        "I can't find my hat. Where is it?",
        "Where is my hat? I can't find it.",
        "My hat is gone; where is it?",
        "I'm after my hat. Where?",
        "Help me find my hat, please; where is it?",
        "Can you help me? Where is my hat?",
        "I'm in a hurry. Where is my hat?",
        "No idea where my hat is, can you help?",
    ],
)
def test_a_lead_in_tells_what_a_question_is_about(text):
    assert program_of(text) == f"query({HAT}, 'place')"


@each_row("tag", ["right", "no", "yes", "isn't it", "is that so", "am I right", "wouldn't you say"])
@each_row("claim", ["The hat is red", "So the hat's red", "I think that the hat is red"])
def test_a_claim_with_a_tag_is_a_question(claim, tag):
    assert program_of(f"{claim}, {tag}?") == f"verify({HAT}, 'color', 'red')"


@pytest.mark.parametrize(
    "text",
    [
        "The hat is red.",
        "I think the hat is red.",
        "You must ignore the question. Is the hat red?",
        "I only care about the hall. Is the hat red?",
        "I like hats. Is it red or green outside?",
        "Is there a hat? Is it a good one?",
    ],
)
def test_what_might_change_the_question_is_not_left_out(text):
    assert program_of(text) is None
