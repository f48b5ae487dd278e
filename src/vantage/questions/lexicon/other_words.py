"""Other words for things of homes: for the same thing, broader and narrower ones; one source for all that reads tasks.

Rows by hand come first. Words that stand in none of them, nor in the table of related kinds, have what WordNet's nouns
of artifacts and food say, as ``tools/make_household_nouns.py`` wrote it down; so WordNet need not be installed, and the
same words mean the same everywhere. Nouns that are used too seldom to be known for ones in a text ("settle") have the
known words for what they may name, so that a thing by such a name is found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from vantage.questions.lexicon.related_kinds import kind_of, rows, semantic_neighbours, table
from vantage.questions.lexicon.synonyms import canonical, names

OTHER_WORDS = Path(__file__).with_name("other_words.tsv")
AMBIGUOUS = Path(__file__).with_name("ambiguous_nouns.tsv")
HOUSEHOLD_NOUNS = Path(__file__).with_name("household_nouns.tsv")
SELDOM_NOUNS = Path(__file__).with_name("seldom_nouns.tsv")


@dataclass(frozen=True)
class OtherWords:
    """Of one noun, with spaces between words.

    Attributes:
        same: for the same thing.
        broader: for what it is a kind of.
        narrower: for what is a kind of it, where there are few.
    """

    same: frozenset[str] = frozenset()
    broader: frozenset[str] = frozenset()
    narrower: frozenset[str] = frozenset()


@lru_cache(maxsize=16384)
def words_for(noun: str) -> OtherWords:
    """Other words for a noun in the singular; none where nobody knows it."""
    kind, listed = kind_of(noun), _by_hand()
    entry = table().get(kind)
    same = {canonical(noun), kind}
    broader: set[str] = set()
    for word in (noun, kind):
        if word in listed:
            same |= listed[word].same
            broader |= listed[word].broader
    if entry is not None:
        same |= {word for word in entry.synonyms if word not in table() or kind in table()[word].synonyms}
        broader |= entry.broader
    written = OtherWords()
    if entry is None and noun not in listed:
        fields = _written().get(noun) or _seldom().get(noun) or []
        written = OtherWords(*(frozenset(_listed(field)) for field in fields))
    return OtherWords(
        frozenset((same | written.same) - {noun}),
        frozenset((broader | written.broader) - {noun}),
        written.narrower - {noun},
    )


def called_alike(one: str, other: str) -> bool:
    """Whether two nouns in the singular are words for the same thing."""
    return one == other or other in words_for(one).same or one in words_for(other).same


def is_kind_of(one: str, other: str) -> bool:
    """Whether the first noun names a kind of what the second one names."""
    return other in words_for(one).broader or one in words_for(other).narrower


def near_in_meaning(one: str, other: str) -> bool:
    """Whether two nouns mean the same, kinds of each other, or kinds that people take for each other."""
    if called_alike(one, other) or is_kind_of(one, other) or is_kind_of(other, one):
        return True
    pairs = ((one, kind_of(other)), (other, kind_of(one)))
    return any(second == near.label for first, second in pairs for near in semantic_neighbours(first))


@lru_cache(maxsize=1)
def household_nouns() -> frozenset[str]:
    """Nouns of the tables by hand: what homes usually have."""
    return frozenset(_by_hand()) | names() | frozenset(table())


@lru_cache(maxsize=1)
def clear_nouns() -> frozenset[str]:
    """Those that seldom mean anything but a thing."""
    return household_nouns() - {word for [field] in rows(AMBIGUOUS, 1) for word in _listed(field)}


def names_thing(noun: str) -> bool:
    """Whether a noun in the singular is one for an artifact or food at all."""
    return noun in household_nouns() or noun in _written()


@lru_cache(maxsize=1)
def _by_hand() -> Mapping[str, OtherWords]:
    found: dict[str, tuple[set[str], set[str]]] = {}
    for first, second in rows(OTHER_WORDS, 2):
        alike, broader = _listed(first), _listed(second)
        for word in alike:
            same, above = found.setdefault(word, (set(), set()))
            same.update(alike)
            above.update(broader)
    return {word: OtherWords(frozenset(same), frozenset(above)) for word, (same, above) in found.items()}


@lru_cache(maxsize=1)
def _written() -> Mapping[str, list[str]]:
    """
    Raises:
        FormatError: the table was damaged.
    """
    return {word: fields for word, *fields in rows(HOUSEHOLD_NOUNS, 4)}


@lru_cache(maxsize=1)
def _seldom() -> Mapping[str, list[str]]:
    """Nouns that nobody need know, with known words for them.

    Raises:
        FormatError: the table was damaged.
    """
    return {word: fields for word, *fields in rows(SELDOM_NOUNS, 3)}


def _listed(field: str) -> list[str]:
    return [word for word in field.split(";") if word]
