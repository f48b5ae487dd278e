"""Two questions in one breath, and what is left out of a question by "besides"."""

from row_tables import each_row

from vantage.questions.parsing import parse
from vantage.questions.programs import program_text

MUG = "unique(filter(scene(), 'label', 'mug'))"
ON_TABLE = "relate(filter(scene(), 'label', 'mug'), 'on', unique(filter(scene(), 'label', 'table')))"
OTHERS = f"relate(same(unique({ON_TABLE}), 'place'), 'on', unique(filter(scene(), 'label', 'table')))"


def programs_of(text):
    found = parse(text)
    return None if found is None else [program_text(each.program) for each in (found, *found.further)]


@each_row(
    "text, programs",
    [
        ("What color is the mug and where is it?", [f"query({MUG}, 'color')", f"query({MUG}, 'place')"]),
        ("Where is the mug, and what is it made of?", [f"query({MUG}, 'place')", f"query({MUG}, 'material')"]),
        ("Is the mug red? Where is it?", [f"verify({MUG}, 'color', 'red')", f"query({MUG}, 'place')"]),
        (
            "Is there a mug on the table and what color is it?",
            [f"exist({ON_TABLE})", f"query(unique({ON_TABLE}), 'color')"],
        ),
        ("Is the mug red and on the table?", None),
        ("Is the mug red and why?", None),
        ("What color is the mug and delete the file?", None),
    ],
)
def test_two_questions_are_two_programs(text, programs):
    found = programs_of(text)
    assert found == programs if programs else found is None or len(found) == 1


@each_row(
    "text",
    [
        "What is on the table besides the mug?",
        "What else is on the table other than the mug?",
        "Apart from the mug, what is on the table?",
        "What besides the mug is on the table?",
    ],
)
def test_besides_leaves_one_object_out(text):
    assert programs_of(text) == [f"query(unique({OTHERS}), 'label')"]


@each_row("text", ["Is there anything on the table besides the mug?", "Is anything on the table except the mug?"])
def test_besides_leaves_one_object_out_of_whether_there_is_one(text):
    assert programs_of(text) == [f"exist({OTHERS})"]
