"""What a text says beside its answer that is not so, by the words of a right question, or of such things at all.

A question whose premise holds is right about the colors, materials, shapes and numbers that it gives. Only what is
clearly false counts, and only of the things that the question is about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from vantage.benchmarks.answer_lists import segments
from vantage.benchmarks.answer_names import same_kind
from vantage.benchmarks.answer_text import singular, words
from vantage.benchmarks.answer_words import (
    ALTERNATIVES,
    COLORS,
    COPULAS,
    MATERIALS,
    NEGATIONS,
    PREPOSITIONS,
    SHAPES,
    VOCABULARIES,
    vocabulary,
)
from vantage.benchmarks.claims import ASKING
from vantage.benchmarks.stated_places import named_kinds, places
from vantage.questions.appearance import looks
from vantage.questions.kinds import SUPPORTS
from vantage.questions.lexicon import kind_of, table
from vantage.questions.pairs.clear import clearly_other
from vantage.types import TruthQuestion

_OF_THINGS = ("color", "material", "shape", "size", "state", "text", "location", "room")  # kinds that ask of them
_EXCLUSIVE = {"color": COLORS, "material": MATERIALS, "shape": SHAPES}
_ADJECTIVES = frozenset().union(*VOCABULARIES)
_NO_NAMES = ASKING | COPULAS | NEGATIONS | PREPOSITIONS | _ADJECTIVES
_OTHERS = vocabulary("another other others also second both each")
_ADVERBS = vocabulary("actually really now clearly indeed all")
_LONGEST = 3  # words of a name
_FLAT = 0.03  # m: furniture stands on what is no higher
_FITS = 0.6  # of the length of furniture, up to which other furniture may stand on it
_BULK = 1.5  # of the length of a thing, beyond which what is broader than that cannot be on or in it


@dataclass(frozen=True)
class _Said:
    """What a text says of a thing: words for its looks, and how many there are of it, as a number or empty."""

    name: str
    values: frozenset[str]
    number: str


def says_falsely(truth: TruthQuestion, text: str, question: str) -> bool:
    """Whether a text that answers a question whose premise holds says something that is not so.

    It gives a thing of the question another color, material, shape or number than the question does, or puts a thing
    where none of its kind can be.
    """
    return truth.kind in _OF_THINGS and (_says_otherwise(text, question) or _puts_where_it_cannot_be(text))


def _says_otherwise(text: str, question: str) -> bool:
    if ALTERNATIVES.intersection(words(question)):
        return False  # "is the mug red or blue" says neither
    asked = [said for part in segments(question) for said in _described(part)]
    told = list(_told(text))
    return any(_contradicts(said, [own for own in told if same_kind(own.name, said.name)]) for said in asked)


def _puts_where_it_cannot_be(text: str) -> bool:
    """Whether a text puts a thing on or in one that cannot hold it, such as a desk on a table."""
    return any(
        preposition in ("on", "in") and any(_too_large(kind, anchor) for kind in named_kinds(part))
        for part in segments(text)
        for preposition, anchor in places(part)
    )


def _contradicts(asked: _Said, told: Sequence[_Said]) -> bool:
    """Whether one of the things told of must be the one asked about, and is not as asked."""
    numbers = {said.number for said in told} - {""}
    if asked.number and numbers and asked.number not in numbers:
        return True
    for attribute, known in _EXCLUSIVE.items():
        right = asked.values & known
        stated = [said.values & known for said in told if said.values & known]
        said_right = any(right & values for values in stated)
        if right and not said_right and any(_excludes(attribute, one, right) for values in stated for one in values):
            return True
    return False


def _excludes(attribute: str, value: str, right: frozenset[str]) -> bool:
    """Whether nobody would say a value of a thing with the right ones; both must be words of which that is known."""
    return all(clearly_other(attribute, one, (value,)) and clearly_other(attribute, value, (one,)) for one in right)


def _told(text: str) -> Iterator[_Said]:
    """What a text states, things beside which others stand and things that it calls others left out."""
    about = ""
    for part in segments(text.replace(" but ", ", ")):
        if NEGATIONS.intersection(part) or _OTHERS.intersection(part):
            continue
        described = list(_described(part))
        yield from described
        about = about if part[0] in COPULAS else described[0].name if described else ""
        if about:
            yield _Said(about, _predicate(part), "")


def _described(part: Sequence[str]) -> Iterator[_Said]:
    """Names with the adjectives and the number right before them, unless they are the place of another thing."""
    values: list[str] = []
    at = 0
    while at < len(part):
        if part[at] in _ADJECTIVES or part[at].isdigit():
            values.append(part[at])
            at += 1
            continue
        length = _name_length(part[at:])
        before = part[at - len(values) - 1] if at > len(values) else ""
        if length and before not in PREPOSITIONS:
            number = next((value for value in values if value.isdigit()), "")
            name = " ".join(singular(word) for word in part[at : at + length])
            yield _Said(name, frozenset(values) - {number}, number)
        values = []
        at += length or 1


def _name_length(said: Sequence[str]) -> int:
    """How many words name a kind that is known; none where they name none."""
    for length in range(min(_LONGEST, len(said)), 0, -1):
        named = said[:length]
        if not _NO_NAMES.intersection(named) and kind_of(" ".join(singular(word) for word in named)) in table():
            return length
    return 0


def _predicate(part: Sequence[str]) -> frozenset[str]:
    """The adjectives right behind "is": "is red", "is made of metal"."""
    found = set()
    for at, word in enumerate(part):
        if word in COPULAS:
            found |= set(takewhile(lambda said: said in _ADJECTIVES | _ADVERBS | COPULAS, part[at + 1 :]))
    return frozenset(found & _ADJECTIVES)


def _too_large(thing: str, holder: str) -> bool:
    large, small = looks().get(kind_of(thing)), looks().get(kind_of(holder))
    if large is None or small is None or small.extents[2] <= _FLAT:
        return False
    if large.extents[1] > _BULK * small.extents[0]:
        return True
    both_furniture = kind_of(thing) in SUPPORTS and kind_of(holder) in SUPPORTS
    return both_furniture and large.extents[0] > _FITS * small.extents[0]
