"""Synonyms, broader words and related kinds, with and without WordNet."""

from __future__ import annotations

import pytest
from row_tables import each_row

from vantage.errors import FormatError
from vantage.questions.kinds import PORTABLE, SUPPORTS
from vantage.questions.lexicon import related_kinds
from vantage.questions.lexicon.related_kinds import (
    kind_of,
    may_be_called,
    related,
    rows,
    semantic_neighbours,
    share_meaning,
    singular,
    table,
)
from vantage.scenes.catalog.catalog import CATALOG
from vantage.scenes.procthor.asset_database import CLASSES


@pytest.fixture
def no_wordnet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(related_kinds, "installed", lambda: None)


def test_knows_every_kind_of_generated_and_imported_scenes() -> None:
    kinds = {entry.label for entry in CATALOG.values()} | {kind.label for kind in CLASSES.values() if kind.label}
    assert {kind for kind in {*kinds, *PORTABLE, *SUPPORTS} if kind_of(kind) not in table()} == set()


@each_row(
    "one, other",
    [
        ("sofa", "couch"),
        ("couches", "sofa"),
        ("television", "tv"),
        ("fridge", "electric refrigerator"),
        ("violin", "fiddle"),
        ("mug", "mugs"),
        ("Washing Machine", "washer"),
        ("stove", "oven"),
        ("telephone", "phone"),
        ("gizmo", "gizmos"),
    ],
)
def test_synonyms_share_a_meaning(one: str, other: str, no_wordnet: None) -> None:
    assert share_meaning(one, other)
    assert share_meaning(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [("mug", "cup"), ("sofa", "armchair"), ("can", "toilet"), ("handbag", "suitcase"), ("vase", "jar"), ("", "mug")],
)
def test_related_and_ambiguous_words_do_not(one: str, other: str) -> None:
    assert not share_meaning(one, other)
    assert not share_meaning(other, one)


@pytest.mark.needs("wordnet")
def test_words_outside_the_table_need_wordnet(monkeypatch: pytest.MonkeyPatch) -> None:
    assert share_meaning("automobile", "motorcar")
    assert not share_meaning("automobile", "airplane")
    monkeypatch.setattr(related_kinds, "installed", lambda: None)
    assert not share_meaning("automobile", "motorcar")


def test_broader_and_loose_words_may_be_used() -> None:
    assert may_be_called("armchair", "chair")
    assert not may_be_called("chair", "armchair") or "armchair" in related_kinds.loosely("chair")
    assert may_be_called("cereal box", "box")
    assert may_be_called("mug", "cup")
    assert not may_be_called("mug", "vase")


def test_neighbours_are_near_and_other_kinds() -> None:
    for label in table():
        found = semantic_neighbours(label)
        assert [item.similarity for item in found] == sorted((item.similarity for item in found), reverse=True)
        for item in found:
            assert item.label in table()
            assert item.reason in ("category", "function")
            assert 0.2 < item.similarity < 1.0
            assert not may_be_called(label, item.label)
            assert not may_be_called(item.label, label)
            assert related(label, item.label)
            assert related(item.label, label)


def test_the_examples_of_the_paper_are_neighbours() -> None:
    reasons = {item.label: item.reason for item in semantic_neighbours("fireplace")}
    assert reasons["stove"] == "function"
    assert "armchair" in {item.label for item in semantic_neighbours("sofa")}


def test_most_kinds_have_neighbours() -> None:
    assert sum(bool(semantic_neighbours(label)) for label in table()) > 0.7 * len(table())


def test_unknown_words_have_none() -> None:
    for word in ("gizmo", "", "  ", "a" * 10_000, "\x00", "mug;cup\t"):
        assert semantic_neighbours(word) == ()
        assert not related(word, "mug")


@pytest.mark.parametrize(
    ("several", "one"),
    [
        ("knives", "knife"),
        ("bookshelves", "bookshelf"),
        ("cereal boxes", "cereal box"),
        ("glasses", "glass"),
        ("batteries", "battery"),
        ("glass", "glass"),
        ("bus", "bus"),
        ("potatoes", "potato"),
        ("mice", "mouse"),
    ],
)
def test_number_does_not_matter(several: str, one: str) -> None:
    assert singular(several) == one


def test_a_damaged_table_is_named(tmp_path) -> None:
    path = tmp_path / "table.tsv"
    path.write_text("# remark\nmug\tcup\n")
    with pytest.raises(FormatError, match=r"table\.tsv: the row 'mug' does not have 4 columns"):
        rows(path, 4)


def test_words_outside_the_table_have_kinds_of_it_that_stand_in_for_them() -> None:
    assert "bunny" not in table()
    assert [near.label for near in semantic_neighbours("bunnies")] == ["bear", "doll"]
    assert semantic_neighbours("zeppelin") == ()
    lines = rows(related_kinds._OUTSIDE, 2)
    assert all(kind_of(word) not in table() for word, _ in lines)
    assert {label for _, labels in lines for label in labels.split(";")} <= set(table())
