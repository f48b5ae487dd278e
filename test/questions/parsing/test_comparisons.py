"""Sets of things heavier, larger or longer than one, and heavy and light as adjectives."""

import pytest
from row_tables import each_row

from vantage.questions.parsing.parser import parse
from vantage.questions.programs import program_text

SCENE = "scene()"


def every(label, *filters):
    found = f"filter(scene(), 'label', '{label}')"
    for attribute, value in filters:
        found = f"filter({found}, '{attribute}', '{value}')"
    return found


def the(label, *filters):
    return f"unique({every(label, *filters)})"


def of(attribute, value):
    return f"filter(scene(), '{attribute}', '{value}')"


def program_of(text):
    parsed = parse(text)
    return "none" if parsed is None else program_text(parsed.program)


PAN_ON_STOVE = f"unique(relate({every('pan')}, 'on', {the('stove')}))"
WHITE_CUP = the("cup", ("color", "white"), ("room", "kitchen"))


@each_row(
    "text, program",
    [
        (
            "How many gray things are heavier than the white cup in the kitchen?",
            f"count(compared({of('color', 'gray')}, 'mass', {WHITE_CUP}))",
        ),
        (
            "Are there any metal objects lighter than the pan on the stove?",
            f"exist(compared({of('material', 'metal')}, 'mass', {PAN_ON_STOVE}, True))",
        ),
        (
            "Is there something longer than the sofa in the bedroom?",
            f"exist(compared(scene(), 'length', {the('sofa', ('room', 'bedroom'))}))",
        ),
        ("Is there anything bigger than the fridge?", f"exist(compared(scene(), 'size', {the('fridge')}))"),
        ("Are any things smaller than the mug?", f"exist(compared(scene(), 'size', {the('mug')}, True))"),
        (
            "Are there brown things shorter than the lamp?",
            f"exist(compared({of('color', 'brown')}, 'height', {the('lamp')}, True))",
        ),
        (
            "Are there things shorter in length than the broom?",
            f"exist(compared(scene(), 'length', {the('broom')}, True))",
        ),
        ("Does anything weigh more than the piano?", f"exist(compared(scene(), 'mass', {the('piano')}))"),
        (
            "Is there a chair that weighs less than the stool?",
            f"exist(compared({every('chair')}, 'mass', {the('stool')}, True))",
        ),
        (
            "How many things weighing more than the box are there?",
            f"count(compared(scene(), 'mass', {the('box')}))",
        ),
        (
            "Are there any boxes with a greater weight than the suitcase?",
            f"exist(compared({every('box')}, 'mass', {the('suitcase')}))",
        ),
        (
            "How many boxes are lighter than the red one?",
            f"count(compared({every('box')}, 'mass', {the('box', ('color', 'red'))}, True))",
        ),
        (
            "What color is the thing that is heavier than the mug?",
            f"query(unique(compared(scene(), 'mass', {the('mug')})), 'color')",
        ),
        (
            "Is the thing that is heavier than the bowl red?",
            f"verify(unique(compared(scene(), 'mass', {the('bowl')})), 'color', 'red')",
        ),
        (
            "How many wooden things are adjacent to the thing that is heavier than the bed?",
            f"count(relate({of('material', 'wood')}, 'next to', unique(compared(scene(), 'mass', {the('bed')}))))",
        ),
        (
            "Is there a thing that is both next to the sofa in the hall and heavier than the mug?",
            f"exist(compared(relate(scene(), 'next to', {the('sofa', ('room', 'hall'))}), 'mass', {the('mug')}))",
        ),
        (
            "Are there more things heavier than the chair than things lighter than the mug?",
            f"compare_number('more', compared(scene(), 'mass', {the('chair')}), "
            f"compared(scene(), 'mass', {the('mug')}, True))",
        ),
        ("What things are heavier than the chair?", f"query_each(compared(scene(), 'mass', {the('chair')}), 'label')"),
        (
            "Which rooms are larger than the kitchen?",
            "query_each(compared(rooms(), 'size', unique(filter(rooms(), 'label', 'kitchen'))), 'label')",
        ),
        ("Is anything nearer to the sofa than the table?", "none"),
    ],
)
def test_sets_of_things_with_more_than_one(text, program):
    assert program_of(text) == program


@each_row(
    "text, quantity, least",
    [
        ("Is the mug heavier than the bowl?", "mass", False),
        ("Is the mug clearly heavier than the bowl?", "mass", False),
        ("Is the mug heavier then the bowl?", "mass", False),
        ("Does the mug weigh more than the bowl?", "mass", False),
        ("Does the mug outweigh the bowl?", "mass", False),
        ("Is the weight of the mug greater than the weight of the bowl?", "mass", False),
        ("Is the mug lighter than the bowl?", "mass", True),
        ("Does the mug weigh less than the bowl does?", "mass", True),
        ("Does the mug have a smaller weight than the bowl?", "mass", True),
        ("Is the mug larger than the bowl?", "size", False),
        ("Is the mug bigger than the bowl?", "size", False),
        ("Is the mug smaller in size than the bowl?", "size", True),
        ("Is the mug longer than the bowl?", "length", False),
        ("Is the mug shorter in length than the bowl?", "length", True),
        ("Is the mug taller than the bowl?", "height", False),
        ("Is the mug shorter than the bowl?", "height", True),
        ("Is the mug shorter in height than the bowl?", "height", True),
    ],
)
def test_one_compared_with_another(text, quantity, least):
    more = ", True" if least else ""
    assert program_of(text) == f"compare_quantity('{quantity}', {the('mug')}, {the('bowl')}{more})"


@each_row(
    "text, program",
    [
        ("Is the bowl heavy?", f"verify({the('bowl')}, 'weight', 'heavy')"),
        (
            "Is the bowl in the kitchen light?",
            f"verify({the('bowl', ('room', 'kitchen'))}, 'weight', 'light')",
        ),
        ("What color is the heavy box?", f"query({the('box', ('weight', 'heavy'))}, 'color')"),
        ("Is there a very heavy chair?", f"exist({every('chair', ('weight', 'heavy'))})"),
        (
            "How many light wooden chairs are there?",
            f"count({every('chair', ('material', 'wood'), ('weight', 'light'))})",
        ),
        ("How many light blue chairs are there?", f"count({every('chair', ('color', 'blue'))})"),
        (
            "Is there a lightweight blue chair?",
            f"exist({every('chair', ('color', 'blue'), ('weight', 'light'))})",
        ),
        ("Is there a light laundry basket?", f"exist({every('laundry basket', ('weight', 'light'))})"),
        ("Is there a light fixture in the hall?", "none"),  # no word for a weight
        ("Is there any natural light in the room?", "none"),
        ("Is the light wood table in the hall?", "none"),
        ("Is the bowl light or heavy?", f"query({the('bowl')}, 'weight')"),
        ("Is the kitchen light on?", f"verify({the('lamp', ('room', 'kitchen'))}, 'state', 'on')"),
        ("Is there a light in the hall?", f"exist({every('lamp', ('room', 'hall'))})"),
        ("Is the light bulb on?", f"verify({the('light bulb')}, 'state', 'on')"),
        ("Is the kitchen heavy?", "none"),
        ("How heavy is the box?", "none"),  # in which words of weight nobody could say
    ],
)
def test_heavy_and_light(text, program):
    assert program_of(text) == program


@pytest.mark.parametrize("words", ["contained in", "contained by", "inside", "in"])
def test_what_contains_things(words):
    assert program_of(f"How many things are {words} the fridge?") == f"count(relate(scene(), 'in', {the('fridge')}))"


@each_row(
    "text, material",
    [("Are there any glass objects?", "glass"), ("How many paper things are there?", "paper")],
)
def test_stuff_that_is_also_a_material(text, material):
    assert f"filter(scene(), 'material', '{material}')" in program_of(text)
