"""Programs in words; the parser understands them again."""

import pytest

from vantage.answering.symbolic import wording
from vantage.questions.parsing.parser import parse
from vantage.questions.programs import read_program

MUG, TABLE = "filter(scene(), 'label', 'mug')", "unique(filter(scene(), 'label', 'table'))"
RED_MUG = f"unique(filter({MUG}, 'color', 'red'))"


@pytest.mark.parametrize(
    ("program", "question"),
    [
        (f"exist(relate(filter({MUG}, 'material', 'wood'), 'on', {TABLE}))", "Is there a wooden mug on the table?"),
        (f"count(relate({MUG}, 'on', {TABLE}))", "How many mugs are on the table?"),
        (f"count({MUG})", "How many mugs are there?"),
        (f"query({RED_MUG}, 'material')", "What is the red mug made of?"),
        (
            f"query(unique(relate({MUG}, 'left of', {TABLE})), 'color')",
            "What color is the mug to the left of the table?",
        ),
        (
            f"query(most(filter({MUG}, 'room', 'kitchen'), 'size'), 'color')",
            "What color is the largest mug in the kitchen?",
        ),
        (f"query({RED_MUG}, 'place')", "Where is the red mug?"),
        (f"verify({RED_MUG}, 'material', 'glass')", "Is the red mug made of glass?"),
        (f"verify_relation({RED_MUG}, 'on', {TABLE})", "Is the red mug on the table?"),
        (f"compare_number('more', {MUG}, filter(scene(), 'label', 'book'))", "Are there more mugs than books?"),
        (f"compare_quantity('height', {RED_MUG}, {TABLE})", "Is the red mug taller than the table?"),
        (f"exist(compared({MUG}, 'mass', {TABLE}, True))", "Is there a mug lighter than the table?"),
        (f"count(compared({MUG}, 'size', {TABLE}))", "How many mugs are larger than the table?"),
        (f"query_each({MUG}, 'color')", "What colors are the mugs?"),
        (f"query_each({MUG}, 'room')", "Which rooms are the mugs in?"),
        (
            f"query_each(relate(scene(), 'on', {TABLE}), 'material')",
            "What materials are the things on the table made of?",
        ),
        (f"compare_quantity('length', {RED_MUG}, {TABLE}, True)", "Is the red mug shorter in length than the table?"),
        (f"query_each(relate(scene(), 'on', {TABLE}), 'label')", "What things are on the table?"),
        (f"verify({RED_MUG}, 'weight', 'heavy')", "Is the red mug heavy?"),
        (f"query({RED_MUG}, 'weight')", "Is the red mug light or heavy?"),
    ],
)
def test_questions_are_worded_plainly_and_understood_again(program, question):
    found = read_program(program)
    assert wording.question(found) == question
    parsed = parse(question)
    assert parsed is not None
    assert wording.question(parsed.program) == question


@pytest.mark.parametrize(
    ("objects", "words"),
    [
        (f"filter(filter(filter({MUG}, 'material', 'wood'), 'color', 'red'), 'size', 'small')", "small red wooden mug"),
        (f"filter({MUG}, 'state', 'empty')", "empty mug"),
        ("filter(filter(scene(), 'label', 'lamp'), 'state', 'on')", "lamp that is on"),
        (f"filter({MUG}, 'text', 'TEA')", 'mug that says "TEA"'),
        (f"between({MUG}, {TABLE}, {RED_MUG})", "mug between the table and the red mug"),
        (f"union({MUG}, filter(scene(), 'label', 'book'))", "mug or book"),
        (f"intersect(same({RED_MUG}, 'color'), {MUG})", "other mug of the same color as the red mug"),
        ("rooms()", "room"),
        (f"filter(filter({MUG}, 'color', 'red'), 'weight', 'heavy')", "heavy red mug"),
        (f"compared({MUG}, 'length', {TABLE}, True)", "mug shorter in length than the table"),
    ],
)
def test_descriptions_are_worded(objects, words):
    assert wording.phrase(read_program(f"count({objects})").objects).words() == words


def test_an_explanation_comes_before_the_answer():
    assert wording.finished("", "blue") == "blue"
    assert wording.finished("the mug is blue", "blue") == "The mug is blue. Answer: blue."
    assert wording.finished("there is none", "") == "There is none."
