"""Forms of one answer: alternatives ("red or maroon"), lists in any order, and remarks in brackets beside it."""

from __future__ import annotations

import re

from vantage.benchmarks.judging.answer_lists import segments
from vantage.benchmarks.judging.answer_names import same_kind
from vantage.benchmarks.judging.answer_text import singular, words
from vantage.benchmarks.judging.answer_words import (
    ALTERNATIVES,
    COPULAS,
    NEGATIONS,
    PREPOSITIONS,
    WIDER,
    vocabulary,
)
from vantage.benchmarks.judging.polar_questions import without_stance

_REMARK = re.compile(r"\s*\([^()]*\)")
_OR = re.compile(r",? or | / ", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s*")
_EITHER = re.compile(r"\beither ", re.IGNORECASE)
_SENTENCE = COPULAS | NEGATIONS | vocabulary("has have can could would should do does")
_LONGEST = 6  # words of an alternative
_LEAD = vocabulary("there i you we they see can here both 1 other another")
_MOST_ITEMS = 8

Item = tuple[str, ...]


def gold_forms(gold: str) -> tuple[str, ...]:
    """A gold answer and what is as good: without a remark in brackets, without the yes or no before what it tells, and
    each of its alternatives, which keep a preposition that stands before the first ("on the porch / balcony")."""
    plain = _REMARK.sub("", gold).strip()
    told = without_stance(plain)
    parts = alternatives(plain)
    found = [gold, plain, told]
    if len(parts) > 1 and not any(_SENTENCE.intersection(words(part)) for part in parts):
        first = words(parts[0])
        before = parts[0].split()[0] if first and first[0] in PREPOSITIONS else ""
        for part in parts:
            said = words(part)
            if said and len(said) <= _LONGEST:
                found.append(part if not before or said[0] in PREPOSITIONS else f"{before} {part}")
    return tuple(dict.fromkeys(form for form in found if words(form)))


def alternatives(text: str) -> tuple[str, ...]:
    """The parts of a text between "or": "red", "blue", "green" of "red, blue, or green"; the text where it has none."""
    text = " ".join(text.split())
    if not _OR.search(text):
        return (text,)
    parts = [part.strip(" .!") for whole in _OR.split(_EITHER.sub("", text)) for part in _COMMA.split(whole)]
    return tuple(part for part in parts if part)


def is_covered(said: str, gold: str) -> bool:
    """Whether one of two answers of one word covers the other by meaning: what is spherical is round."""
    one, other = words(said), words(gold)
    return len(one) == len(other) == 1 and (WIDER.get(one[0]) == other[0] or WIDER.get(other[0]) == one[0])


def lists_same(said: str, gold: str) -> bool:
    """Whether two texts list the same in any order: "white and dark green", "It is dark green and white"."""
    wanted, told = _items(gold), _items(said)
    if len(wanted) < 2 or len(wanted) != len(told):
        return False
    if wanted[-1][-1] == told[-1][-1] and min(len(wanted[-1]), len(told[-1])) > 1:
        shared_wanted, shared_told = _without_shared_head(wanted), _without_shared_head(told)
        if _match(shared_wanted, shared_told):
            return True
    return _match(wanted, told)


def _items(text: str) -> tuple[Item, ...]:
    """The items of a list, without what leads up to it; none where a text is no list."""
    if ALTERNATIVES.intersection(words(text)):
        return ()
    found = []
    for part in segments(text):
        if NEGATIONS.intersection(part):
            return ()
        start = max((at for at, word in enumerate(part) if word in COPULAS), default=-1) + 1
        while start < len(part) and part[start] in _LEAD:
            start += 1
        if start < len(part):
            found.append(tuple(singular(word) for word in part[start:]))
    return tuple(found) if len(found) <= _MOST_ITEMS else ()


def _without_shared_head(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Items without the noun that the last one names for all: "blue, white and orange painting"."""
    return (*items[:-1], items[-1][:-1])


def _match(wanted: tuple[Item, ...], told: tuple[Item, ...]) -> bool:
    left = list(told)
    for item in wanted:
        same = next((other for other in left if item == other or same_kind(" ".join(item), " ".join(other))), None)
        if same is None:
            return False
        left.remove(same)
    return not left
