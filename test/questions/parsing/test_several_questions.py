"""Questions with several answers."""

from row_tables import each_row

from vantage.questions.parsing.parser import parse
from vantage.questions.programs import program_text

ON_TABLE = "relate(scene(), 'on', unique(filter(scene(), 'label', 'table')))"
IN_FRIDGE = "relate(scene(), 'in', unique(filter(scene(), 'label', 'fridge')))"
CUPS = "filter(filter(scene(), 'label', 'cup'), 'room', 'kitchen')"
CHAIRS = "filter(scene(), 'label', 'chair')"
PLANTS = "filter(scene(), 'label', 'plant')"


@each_row(
    "text, objects, attribute",
    [
        ("What are the materials of the things on the table?", ON_TABLE, "material"),
        ("What materials are the things on the table made of?", ON_TABLE, "material"),
        ("Of what materials are the things on the table made?", ON_TABLE, "material"),
        ("What colors are the cups in the kitchen?", CUPS, "color"),
        ("What are the colors of the cups in the kitchen?", CUPS, "color"),
        ("Name the colors of all the cups in the kitchen.", CUPS, "color"),
        ("What colors do the chairs have?", CHAIRS, "color"),
        ("What different colors are the chairs?", CHAIRS, "color"),
        ("What are the shapes of the chairs?", CHAIRS, "shape"),
        ("What states are the chairs in?", CHAIRS, "state"),
        ("What things are in the fridge?", IN_FRIDGE, "label"),
        ("Which objects are in the fridge?", IN_FRIDGE, "label"),
        ("What are the things in the fridge?", IN_FRIDGE, "label"),
        ("What things can you see in the fridge?", IN_FRIDGE, "label"),
        ("What kinds of things are in the fridge?", IN_FRIDGE, "label"),
        ("List all the things in the fridge.", IN_FRIDGE, "label"),
        ("Which rooms have a plant?", PLANTS, "room"),
        ("Which rooms contain plants?", PLANTS, "room"),
        ("Which rooms are the plants in?", PLANTS, "room"),
        ("In which rooms are there plants?", PLANTS, "room"),
        ("In which rooms can I find a plant?", PLANTS, "room"),
        ("What rooms are there?", "rooms()", "label"),
        (
            "What other things are made of the same material as the chair?",
            "same(unique(filter(scene(), 'label', 'chair')), 'material')",
            "label",
        ),
    ],
)
def test_several_answers(text, objects, attribute):
    parsed = parse(text)
    assert parsed is not None
    assert program_text(parsed.program) == f"query_each({objects}, '{attribute}')"
    assert parsed.number is None


@each_row(
    "text",
    [
        "What is on the table?",
        "What color are the cups in the kitchen?",
        "What colors are the three cups in the kitchen?",
        "Which of the rooms is the piano in?",
        "What materials were used to build the chest?",
        "What are the chairs made of?",
    ],
)
def test_one_answer(text):
    parsed = parse(text)
    assert parsed is not None
    assert program_text(parsed.program).startswith("query(")
