"""Text to tokens."""

from row_tables import each_row

from vantage.questions.parsing.tokens import MAX_CHARACTERS, MAX_TOKENS, read_sentence


def words(text):
    sentence = read_sentence(text)
    return None if sentence is None else [token.word for token in sentence.tokens]


@each_row(
    "text, expected",
    [
        ("What's the mug's colour?", ["what", "is", "the", "mug", "'s", "color"]),
        ("Isn't it there?", ["is", "n't", "it", "there"]),
        ("I can't see", ["i", "can", "n't", "see"]),
        ("the left-hand side", ["the", "left", "hand", "side"]),
        ("Which is bigger: the mug or the bowl?", ["which", "is", "bigger", ",", "the", "mug", "or", "the", "bowl"]),
        ("the boxes' colour", ["the", "boxes", "'s", "color"]),
        ("Hi! Where is it? Thanks.", ["where", "is", "it"]),
        ("I lost it. Where is it?", ["i", "lost", "it", ",", "where", "is", "it"]),
        ("The mug \u2014 where?", ["the", "mug", ",", "where"]),
        ("The mug - where?", ["the", "mug", ",", "where"]),
        ('the jar "A. B! C?" there', ["the", "jar", "", "there"]),
        ("\u201cwhere is it\u201d", ["where", "is", "it"]),
    ],
)
def test_words(text, expected):
    assert words(text) == expected


@each_row(
    "text",
    [
        "",
        "  ",
        "?!",
        "Hello.",
        "Is it? Is it not? Is it?",
        "a_b",
        "é",
        "a\x07b",
        "x" * (MAX_CHARACTERS + 1),
        "a " * (MAX_TOKENS + 1),
    ],
)
def test_what_is_no_one_sentence(text):
    assert read_sentence(text) is None


def test_print_is_kept_as_it_was_written():
    sentence = read_sentence("Where is the jar labelled 'Brown Sugar' or ROOM-12?")
    assert [sentence.said(index, index + 1) for index in (5, 7)] == ["Brown Sugar", "ROOM"]
    assert sentence.said(7, 9) == "ROOM-12"
    assert sentence.asked
    assert sentence.tokens[5].quoted
