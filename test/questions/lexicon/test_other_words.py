"""Other words for things, the same with and without WordNet on the machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from row_tables import each_row

from vantage.errors import FormatError
from vantage.questions.lexicon import (
    called_alike,
    clear_nouns,
    household_nouns,
    is_kind_of,
    names_thing,
    near_in_meaning,
    other_words,
    words_for,
)


@each_row(
    "one, other, alike",
    [
        ("fridge", "icebox", True),
        ("trashcan", "wastebasket", True),
        ("coffe maker", "espresso machine", True),
        ("pail", "bucket", True),  # of WordNet
        ("toilet", "stool", False),  # whatever WordNet says of either
        ("cup", "mug", False),
        ("bookshelf", "shelf", False),
        ("tallboy", "dresser", False),
        ("carboy", "bottle", False),
        ("zyzzyva", "lamp", False),
        ("zyzzyva", "zyzzyva", True),
        ("", "lamp", False),
    ],
)
def test_words_for_the_same_thing(one: str, other: str, alike: bool) -> None:
    assert called_alike(one, other) is alike
    assert called_alike(other, one) is alike


@each_row(
    "one, other, is_one",
    [
        ("mug", "cup", True),
        ("cup", "mug", False),
        ("bookshelf", "shelf", True),
        ("fedora", "hat", True),  # of WordNet
        ("recliner", "chair", True),
        ("coffer", "chest", True),  # of a seldom sense of a seldom noun
        ("pannier", "basket", True),
        ("basket", "pannier", False),
        ("lantern", "torch", False),
        ("clock", "timepiece", True),
        ("apple", "banana", False),
    ],
)
def test_kinds_of_things(one: str, other: str, is_one: bool) -> None:
    assert is_kind_of(one, other) is is_one


def test_nouns_are_known_by_hand_and_by_wordnet() -> None:
    assert {"fridge", "music"} <= household_nouns()
    assert "music" not in clear_nouns()
    assert (names_thing("espresso machine"), names_thing("anchor"), names_thing("happiness")) == (True, True, False)
    assert near_in_meaning("apple", "pear")
    assert not near_in_meaning("apple", "wardrobe")
    assert words_for("zyzzyva") == other_words.OtherWords()


def test_seldom_nouns_are_no_names_in_a_text_and_lead_to_none_by_hand() -> None:
    assert "bench" in words_for("settle").broader
    assert not names_thing("settle")
    assert household_nouns().isdisjoint(other_words._seldom())


def test_a_damaged_table_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "other_words.tsv"
    path.write_text("lamp;light\n", encoding="utf-8")
    monkeypatch.setattr(other_words, "OTHER_WORDS", path)
    with pytest.raises(FormatError, match="does not have 2 columns"):
        other_words._by_hand.__wrapped__()
