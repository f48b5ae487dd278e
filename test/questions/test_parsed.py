"""What a question says is worth looking for."""

import pytest

from vantage.questions.parsed import ParsedQuestion
from vantage.questions.parsing.parser import parse
from vantage.questions.programs import read_program


@pytest.mark.parametrize(
    ("program", "labels"),
    [
        ("exist(filter(scene(), 'label', 'mug'))", ("mug",)),
        ("count(scene())", ()),
        ("count(filter(rooms(), 'label', 'kitchen'))", ("kitchen",)),
        ("verify(unique(filter(scene(), 'label', 'mug')), 'room', 'kitchen')", ("mug", "kitchen")),
        ("verify(unique(scene()), 'label', 'ball')", ("ball",)),
        (
            "exist(relate(filter(filter(scene(), 'label', 'mug'), 'room', 'office'), 'left of', "
            "unique(filter(scene(), 'label', 'desk')), unique(filter(scene(), 'label', 'door'))))",
            ("mug", "desk", "door", "office"),
        ),
        (
            "count(between(filter(scene(), 'label', 'mug'), unique(filter(scene(), 'label', 'mug')), "
            "unique(filter(scene(), 'label', 'plate'))))",
            ("mug", "plate"),
        ),
        (
            "count(compared(filter(scene(), 'label', 'mug'), 'mass', unique(filter(scene(), 'label', 'plate'))))",
            ("mug", "plate"),
        ),
        ("query_each(filter(filter(scene(), 'label', 'mug'), 'room', 'office'), 'color')", ("mug", "office")),
        (
            "compare_attribute('color', unique(filter(scene(), 'label', 'mug')), "
            "unique(filter(scene(), 'label', 'cup')))",
            ("mug", "cup"),
        ),
        (
            "query(most(relate(scene(), 'on', unique(filter(scene(), 'label', 'table'))), 'size'), 'label')",
            ("table",),
        ),
    ],
)
def test_labels_name_objects_first_then_anchors_then_rooms(program, labels):
    assert ParsedQuestion("", read_program(program)).labels == labels


def test_equal_questions_are_equal_and_cannot_be_changed():
    first, second = parse("Is there a mug?"), parse("Is there a mug?")
    assert first == second
    with pytest.raises(AttributeError):
        first.text = "no"
