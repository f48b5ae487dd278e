"""Misspelt words: put right where one word is clearly meant, left alone where they are English, refused otherwise."""

from row_tables import each_row

from vantage.questions import ParsedQuestion
from vantage.questions.parsing import parse, understand
from vantage.questions.parsing.spelling import corrected, is_word, unknown_words
from vantage.questions.parsing.tokens import read_sentence


def taken_for(word):
    sentence, _ = corrected(read_sentence(f"where is the {word}"))
    return " ".join(token.word for token in sentence.tokens[3:])


@each_row(
    "written, meant",
    [
        ("televsion", "television"),
        ("umbrela", "umbrella"),
        ("tabel", "table"),
        ("bwol", "bowl"),
        ("chiar", "chair"),
        ("refrigirator", "refrigerator"),
        ("spon", "spoon"),
        ("dishwaser", "dishwasher"),
        ("washingmachine", "washing machine"),
        ("frontdoor", "front door"),
    ],
)
def test_one_word_is_clearly_meant(written, meant):
    assert taken_for(written) == meant


@each_row("word", ["ouch", "trivet", "hangar", "colander", "violins", "doily", "credenza", "ukulele", "mug", "sofas"])
def test_an_english_word_is_never_changed(word):
    assert is_word(word)
    assert taken_for(word) == word


@each_row("word", ["flurbix", "wlbrtk", "xbox", "zzzz"])
def test_a_word_that_nobody_can_tell_is_no_absent_thing(word):
    assert unknown_words(read_sentence(f"where is the {word}").tokens) == (word,)
    assert understand(f"Where is the {word}?").reason == f"I do not know the word '{word}'"


def test_what_a_word_was_taken_for_is_kept_and_only_where_it_says_something():
    found = parse("Where is teh televsion?")
    assert found.labels == ("television",)
    assert found.corrections == (("televsion", "television"),)
    assert found.text == "Where is teh televsion?"
    assert parse("Where is the television?").corrections == ()


@each_row(
    "text", ['Where is the jar labelled "SUGR"?', "Where is the jar labelled SUGR?", "Where is the jar that says SUGR?"]
)
def test_print_is_read_letter_by_letter(text):
    found = understand(text)
    assert isinstance(found, ParsedQuestion)
    assert found.corrections == ()
    assert "'SUGR'" in repr(found.program)


def test_capitals_throughout_are_no_print():
    assert parse("WHERE IS THE TELEVSION?").labels == ("television",)


@each_row("text", ["teh", "mugg", "the of and is", "Where ist die mug dans la cuisine?", "tvv tvv tvv"])
def test_a_word_or_none_is_no_question(text):
    assert parse(text) is None
