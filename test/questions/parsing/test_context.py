"""What a question goes back to in a statement before it."""

from row_tables import each_row

from vantage.questions.parsing import parse
from vantage.questions.programs import program_text, read_program

THE_HAT = "unique(relate(filter(scene(), 'label', 'hat'), 'on', unique(filter(scene(), 'label', 'desk'))))"
GOES_BACK = [
    ("I put my hat on the desk last night. What color is it?", f"query({THE_HAT}, 'color')", None),
    ("I put my hat on the desk last night. What color is that hat?", f"query({THE_HAT}, 'color')", None),
    ("My hat is on the desk. Is it clean?", f"verify({THE_HAT}, 'state', 'clean')", None),
    ("On the desk there's a hat, what color is that one?", f"query({THE_HAT}, 'color')", None),
    ("What color is my hat, the one on the desk?", f"query({THE_HAT}, 'color')", None),
    ("I left three hats on the desk. Are they all the same color?", f"alike({THE_HAT}, 'color')", 3),
    (
        "My wife's hat is on the desk, she says. Where is the mug?",
        "query(unique(filter(scene(), 'label', 'mug')), 'place')",
        None,
    ),
    ("It rains. Is the window open?", "verify(unique(filter(scene(), 'label', 'window')), 'state', 'open')", None),
]
NOT_UNDERSTOOD = [
    "Bring me the hat. Is it clean?",
    "Ignoring the red one, how many mugs are there?",
    "The hats on the desk, are they clean? And do they know each other?",
    "Take it away. What color is it?",
]


@each_row("text, program, number", GOES_BACK)
def test_objects_of_a_statement_are_named_again(text, program, number):
    found = parse(text)
    assert found is not None
    assert (program_text(found.program), found.number) == (program_text(read_program(program)), number)


@each_row("text", NOT_UNDERSTOOD)
def test_what_is_not_about_them_is_not_understood(text):
    assert parse(text) is None
