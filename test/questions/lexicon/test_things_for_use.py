"""Uses of things: every kind in homes has a place in the table, and what it says fits together."""

from __future__ import annotations

import pytest
from row_tables import each_row

from vantage.errors import UnknownNameError
from vantage.questions.lexicon import gerund, is_for, kind_of, may_serve, table, third_person, use_of, uses
from vantage.scenes.catalog import labels
from vantage.scenes.procthor.asset_database import CLASSES

BUILDING = {"door", "doorway", "window"}
FOR_NOTHING_IN_PARTICULAR = {"decoration", "disc", "faucet", "foil", "paper holder", "picture", "statue", "dog bed"}
FOR_NOTHING_IN_PARTICULAR |= {"potato", "lettuce", "egg", "wine", "coat", "garbage bag", "desk", "card"}


def test_every_kind_of_generated_and_imported_homes_has_a_use_or_is_known_to_have_none() -> None:
    kinds = {kind_of(label) for label in (*labels(), *(each.label for each in CLASSES.values() if each.label))}
    named = frozenset().union(*(use.kinds | use.others for use in uses().values()))
    assert kinds - named - BUILDING - FOR_NOTHING_IN_PARTICULAR == set()


def test_every_kind_in_the_table_is_one_that_the_lexicon_knows() -> None:
    kinds = frozenset().union(*(use.kinds | use.others for use in uses().values()))
    assert {kind for kind in kinds if kind not in table()} - {"door"} == set()


def test_no_kind_is_both_for_a_use_and_a_mere_stand_in() -> None:
    assert {use.name: use.kinds & use.others for use in uses().values() if use.kinds & use.others} == {}


def test_a_use_says_how_it_is_worded() -> None:
    for use in uses().values():
        assert use.kinds
        assert all(use.wordings)
        assert use.verbs
        assert len(set(use.wordings)) == len(use.wordings)
        assert not (use.by_itself and (use.ends or use.is_place))


@each_row(
    "label, name, strictly, loosely",
    [
        ("knife", "cut bread", True, True),
        ("Knives", "cut bread", True, True),
        ("scissors", "cut bread", False, True),
        ("spoon", "cut bread", False, False),
        ("couch", "sit down", True, True),
        ("bed", "sit down", False, True),
        ("clock", "tell the time", True, True),
        ("laptop", "tell the time", False, True),
        ("knife", "no such use", False, False),
    ],
)
def test_what_is_for_a_use_and_what_would_do(label: str, name: str, strictly: bool, loosely: bool) -> None:
    assert is_for(label, name) is strictly
    assert may_serve(label, name) is loosely


def test_an_unknown_use_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'cut bread'"):
        use_of("cut bred")


@each_row(
    "phrase, ing, does",
    [
        ("cut bread", "cutting bread", "cuts bread"),
        ("write a note", "writing a note", "writes a note"),
        ("lie down", "lying down", "lies down"),
        ("see myself", "seeing myself", "sees myself"),
        ("wash my hands", "washing my hands", "washes my hands"),
        ("dry my hands", "drying my hands", "dries my hands"),
        ("play a tune", "playing a tune", "plays a tune"),
        ("have a meal", "having a meal", "has a meal"),
        ("do homework", "doing homework", "does homework"),
        ("sweep", "sweeping", "sweeps"),
        ("dye cloth", "dyeing cloth", "dyes cloth"),
    ],
)
def test_verbs_are_inflected(phrase: str, ing: str, does: str) -> None:
    assert gerund(phrase) == ing
    assert third_person(phrase) == does
