"""What a question says must be in its program: else it was not understood, and the word is named."""

from row_tables import each_row

from vantage.questions.parsing import parse, understand
from vantage.questions.parsing.accounting import left_over
from vantage.questions.parsing.parser import read
from vantage.questions.parsing.tokens import read_sentence
from vantage.questions.programs import read_program

MUG = "query(unique(filter(scene(), 'label', 'mug')), 'place')"


def leavings(text, program):
    tokens = read_sentence(text).tokens
    return left_over(tokens, tokens, read_program(program))


@each_row(
    "text, rest",
    [
        ("Where is the mug?", ()),
        ("Where is the striped mug?", ("striped",)),
        ("Where is the red mug?", ("red",)),
        ("Where is the mug in the kitchen?", ("kitchen",)),
        ("Where is the mug with the giraffe and the zebra?", ("giraffe", "zebra")),
        ("Please, where on earth is my mug then?", ()),
    ],
)
def test_words_that_a_program_does_not_say_are_left_over(text, rest):
    assert leavings(text, MUG) == rest


def test_a_clause_of_its_own_is_context():
    text = "I want to bake some bread. Where is the oven?"
    found = read(read_sentence(text))
    assert left_over(read_sentence(text).tokens, found.tokens, found.program) == ()
    assert parse(text).labels == ("stove",)


@each_row(
    "text",
    [
        "I'm looking for a bottle with a red cap. Where is it?",
        "I'm looking for my old pillow. It has a picture of a clock on it. Can you find it?",
        "I'm looking for my Acme racket bag. Can you find it?",
    ],
)
def test_what_it_stands_for_is_not_half_of_what_was_said(text):
    assert parse(text) is None


@each_row(
    "text",
    [
        "Where can I store the blender?",
        "Where can I put my jacket?",
        "Where should I set the table?",
        "Which room can I keep a dog in?",
        "Can I keep a dog in this room?",
        "How many books can I put on the shelf?",
        "What can I use to practice the guitar?",
        "What floor is the kitchen on?",
        "Is the kitchen on the same floor as the bedroom?",
        "Can I hang the round mirror elsewhere?",
        "What is across from the sofa?",
        "What is in the corner of the dining room?",
        "Is the table in the center of the room clean?",
        "Is there room on the desk?",
        "Is there room on the counter to work?",
        "What color pattern is on the pillow?",
        "Where is the three blade fan?",
        "Where is the full length mirror?",
        "What can be seen in the mirror?",
        "What color is the bridge in the painting?",
        "Is the home in the city?",
        "What color is the toilet seat?",
        "Is the owner of the house a keen reader?",
        "What is at the back of the living room, behind the couches?",
        "Is there any furniture in the hall?",
        "Where is the storage bin?",
    ],
)
def test_what_is_no_question_about_seen_objects_is_not_read_as_one(text):
    assert parse(text) is None


@each_row(
    "text, sort",
    [
        ("Where is the house key?", "house key"),
        ("Where is the plaid blanket?", "plaid blanket"),
        ("Is there a conference table?", "conference table"),
    ],
)
def test_a_sort_that_nobody_knows_is_not_its_last_word_alone(text, sort):
    assert understand(text).reason == f"I do not know what kind of thing '{sort}' is"


@each_row(
    "text, label",
    [
        ("Where is the trash can?", "bin"),
        ("Where is the fire extinguisher?", "fire extinguisher"),
        ("Where is the ceiling fan?", "ceiling fan"),
        ("Where is the dog bed?", "dog bed"),
        ("Where is the paper towel?", "paper towel"),
        ("Where is the paper cutter?", "paper cutter"),
        ("Where is the wooden chair?", "chair"),
        ("Where is the paper bag?", "bag"),
    ],
)
def test_sorts_that_are_known_and_qualities_are_understood(text, label):
    assert parse(text).labels == (label,)


def test_an_opening_is_no_question_besides_where_a_view_follows_behind_a_comma():
    asked = "the red book is to the right of the remote, as seen from the television?"
    plain = parse(f"Do you think {asked}")
    for opening in ("Is it true that", "Is it right that"):
        found = parse(f"{opening} {asked}")
        assert found is not None
        assert found.program == plain.program
