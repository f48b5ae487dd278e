"""What an answer says beside the right words and what is clearly false.

A question whose premise holds is right about the colors, materials, shapes and numbers that it gives, so these tell
what is false of the objects it is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from vantage.benchmarks.judging.answer_lists import segments
from vantage.benchmarks.judging.answer_names import same_kind
from vantage.benchmarks.judging.answer_text import singular, words
from vantage.benchmarks.judging.answer_words import (
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
from vantage.benchmarks.judging.stated_claims import ASKING
from vantage.benchmarks.judging.stated_places import placed
from vantage.questions import SUPPORTS
from vantage.questions.lexicon import appearances, kind_of, table
from vantage.questions.noise import clearly_other
from vantage.types import TruthQuestion

_OF_OBJECTS = ("color", "material", "shape", "size", "state", "text", "location", "room")  # kinds that ask of them
_EXCLUSIVE = {"color": COLORS, "material": MATERIALS, "shape": SHAPES}
_ADJECTIVES = frozenset().union(*VOCABULARIES) - PREPOSITIONS
_NO_NAMES = ASKING | COPULAS | NEGATIONS | PREPOSITIONS | _ADJECTIVES
_OTHERS = vocabulary("another other others also second both each unlike like than too different")
_RELATIVE = vocabulary("which who whose has have had")
_BESIDES = PREPOSITIONS | vocabulary("by across along")
_ASIDE = re.compile(
    r"\b(?:of|to|from|by|than|with|in|on|under|above|below|over|behind|beside|near) (?:it|them|this one|that one)\b"
    r"|\b(?!colou?r|material|shape|size|made|kind|top)\w+ of (?:an?|the|its|this|these|those)\b",
    re.IGNORECASE,
)  # "right of it", "the handle of the mug": of something else
_PRINTED_ON = re.compile(r"\b(read|written|printed|words?|text|print|writing|label) on ", re.IGNORECASE)
_ADVERBS = vocabulary("actually really now clearly indeed all")
_LONGEST = 3  # words of a name
_ONE = re.compile(rf"\b({'|'.join(sorted(COLORS | MATERIALS | SHAPES))}) ones?\b", re.IGNORECASE)  # "the blue one"
_FLAT = 0.03  # m: furniture stands on what is no higher
_FITS = 0.6  # of the length of furniture, up to which other furniture may stand on it
_BULK = 1.5  # of the length of an object, beyond which what is broader than that cannot be on or in it


@dataclass(frozen=True)
class _Said:
    """What a text says of an object.

    Attributes:
        values: words for its looks.
        number: how many there are of it, as digits or empty.
        place: the words of the place right behind it.
        first: nothing is said before it.
        outright: "there are" stands before it.
    """

    name: str
    values: frozenset[str]
    number: str = ""
    place: frozenset[str] = frozenset()
    first: bool = False
    outright: bool = False


def says_falsely(truth: TruthQuestion, text: str, question: str) -> bool:
    """Whether a text that answers a question whose premise holds says something that is not so.

    It gives an object of the question another color, material, shape or number than the question does, or puts an
    object where none of its kind can be.
    """
    return truth.kind in _OF_OBJECTS and (
        _says_otherwise(text, question) or _takes_back(truth, text, question) or _puts_where_it_cannot_be(text)
    )


def _takes_back(truth: TruthQuestion, text: str, question: str) -> bool:
    """Whether a text that gives the look that was asked for gives the same object another one too."""
    known = _EXCLUSIVE.get(truth.kind, frozenset())
    right = frozenset(words(truth.answer)) & known
    asked = next((said for part in segments(question) for said in _described(part)), None)
    if len(right) != 1 or asked is None or asked.number or ALTERNATIVES.intersection(words(question)):
        return False
    told = {value for said in _told(text, asked) for value in said.values & known}
    return right <= told and any(_excludes(truth.kind, value, right) for value in told - right)


def _says_otherwise(text: str, question: str) -> bool:
    if ALTERNATIVES.intersection(words(question)):
        return False  # "is the mug red or blue" says neither
    bearing = _PRINTED_ON.sub(r"\1 ", question)  # what bears a print is what is asked about, not its place
    asked = [said for part in segments(bearing) for said in _described(part)]
    space = frozenset(singular(word) for word in words(question))
    return any(_contradicts(said, list(_told(text, said)), space) for said in asked)


def _puts_where_it_cannot_be(text: str) -> bool:
    """Whether a text puts an object on or in one that cannot hold it, such as a desk on a table."""
    return any(
        preposition in ("on", "in") and _too_large(kind, anchor)
        for part in segments(text)
        for kind, (preposition, anchor) in placed(part)
    )


def _contradicts(asked: _Said, told: Sequence[_Said], space: frozenset[str]) -> bool:
    """Whether what is told of an object, which must be the one asked about, is not as asked.

    Args:
        space: the words of the question, which tell where objects are counted.
    """
    if asked.number and _counts_otherwise(int(asked.number), [said for said in told if said.number], space):
        return True
    for attribute, known in _EXCLUSIVE.items():
        right = asked.values & known
        stated = [said.values & known for said in told if said.values & known]
        said_right = any(right & values for values in stated)
        if right and not said_right and any(_excludes(attribute, one, right) for values in stated for one in values):
            return True
    return False


def _counts_otherwise(asked: int, told: Sequence[_Said], space: frozenset[str]) -> bool:
    """Whether numbers are given, and neither one of them nor their sum is right; of a wider space there may be more,
    and of a few of the objects there are less."""
    numbers = [int(said.number) for said in told]
    if asked in numbers or sum(numbers) == asked:
        return False
    here = [said for said in told if said.place <= space]
    return any(int(said.number) > asked or said.outright for said in here)


def _excludes(attribute: str, value: str, right: frozenset[str]) -> bool:
    """Whether nobody would say a value of an object with the right ones; both must be words of which that is known."""
    return all(clearly_other(attribute, one, (value,)) and clearly_other(attribute, value, (one,)) for one in right)


def _told(text: str, asked: _Said) -> Iterator[_Said]:
    """What a text states of an object: in its first words, of "it", and of what it names without setting it apart.

    Objects beside which others stand, and objects that it calls others, are left out.
    """
    plain = _ONE.sub(rf"\1 {asked.name}", _ASIDE.sub(" other ", text))
    about, begun = False, False
    for part in segments(plain.replace(" but ", ", ")):
        if NEGATIONS.intersection(part) or _OTHERS.intersection(part):
            about, begun = about and part[0] in COPULAS, True
            continue
        described = list(_described(part, begun))
        begun = begun or bool(described) or not _says_nothing(part)
        meant = [said for said in described if same_kind(said.name, asked.name) and _may_be(said, asked)]
        yield from meant
        if part[0] not in COPULAS:
            about = bool(meant) and meant[0] is described[0] and meant[0].number in ("", asked.number)
        if about:
            yield _Said(asked.name, _predicate(part))


def _may_be(said: _Said, asked: _Said) -> bool:
    """Whether an object must be the one asked about: named first, or with nothing of its own that sets it apart."""
    return said.first or (said.values <= asked.values and (bool(said.number) or not said.place))


def _described(part: Sequence[str], begun: bool = False) -> Iterator[_Said]:
    """Names with the adjectives and the number right before them, unless they are the place of another object.

    Args:
        begun: something was said before this part.
    """
    values: list[str] = []
    at = 0
    while at < len(part):
        if part[at] in _ADJECTIVES or part[at].isdigit():
            values.append(part[at])
            at += 1
            continue
        length = _name_length(part[at:])
        before = part[: at - len(values)]
        if length and not (before and before[-1] in _BESIDES):
            number = next((value for value in values if value.isdigit()), "")
            name = " ".join(singular(word) for word in part[at : at + length])
            first = not begun and _says_nothing(before)
            outright = "there" in before or "only" in before
            place = _place(part[at + length :])
            yield _Said(name, frozenset(values) - {number}, number, place, first, outright)
        values = []
        at += length or 1


def _says_nothing(before: Sequence[str]) -> bool:
    """Whether words only lead up to what is said: "there is", "the color of"."""
    return not any(word in _ADJECTIVES | _BESIDES or word.isdigit() or _name_length([word]) for word in before)


def _place(behind: Sequence[str]) -> frozenset[str]:
    """The words of the place with which words begin, if any."""
    if not behind or behind[0] not in _BESIDES:
        return frozenset()
    return frozenset(singular(word) for word in takewhile(lambda word: word not in _BESIDES | COPULAS, behind[1:]))


def _name_length(said: Sequence[str]) -> int:
    """How many words name a kind that is known; none where they name none."""
    for length in range(min(_LONGEST, len(said)), 0, -1):
        named = said[:length]
        if not _NO_NAMES.intersection(named) and kind_of(" ".join(singular(word) for word in named)) in table():
            return length
    return 0


def _predicate(part: Sequence[str]) -> frozenset[str]:
    """The adjectives right behind the first "is", unless it may be that of another object: "is red", "is of metal"."""
    at = next((at for at, word in enumerate(part) if word in COPULAS), len(part))
    if _RELATIVE.intersection(part[:at]):
        return frozenset()
    return frozenset(takewhile(lambda said: said in _ADJECTIVES | _ADVERBS | COPULAS, part[at:])) & _ADJECTIVES


def _too_large(obj: str, holder: str) -> bool:
    large, small = appearances().get(kind_of(obj)), appearances().get(kind_of(holder))
    if large is None or small is None or small.extents[2] <= _FLAT:
        return False
    if large.extents[1] > _BULK * small.extents[0]:
        return True
    both_furniture = kind_of(obj) in SUPPORTS and kind_of(holder) in SUPPORTS
    return both_furniture and large.extents[0] > _FITS * small.extents[0]
