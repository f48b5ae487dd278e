"""Which of two objects an answer calls the larger, taller or heavier one: "the vase is taller than the lamp"."""

from __future__ import annotations

import re

from vantage.benchmarks.judging.answer_lists import segments
from vantage.benchmarks.judging.answer_text import singular, words
from vantage.benchmarks.judging.answer_words import NEGATIONS
from vantage.benchmarks.judging.polar_questions import is_polar

_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
_PAIRS = (
    ("taller", "shorter"),
    ("higher", "lower"),
    ("larger", "smaller"),
    ("bigger", "smaller"),
    ("heavier", "lighter"),
    ("longer", "shorter"),
    ("wider", "narrower"),
    ("brighter", "darker"),
)


def _turned(comparative: str) -> frozenset[str]:
    """The comparatives that say the opposite."""
    return frozenset(other for pair in _PAIRS for one, other in (pair, pair[::-1]) if one == comparative)


def what_is_more(text: str, question: str) -> str:
    """The part of an answer to "which is taller, A or B" that names the one asked for: what stands before "than", or
    behind it where the answer says that the other one is shorter; the whole text where it does not compare."""
    if is_polar(question) or len(parts := _THAN.split(text)) != 2:
        return text
    asked, said = set(words(question)), words(parts[0])
    if said and asked.intersection(_turned(said[-1])):
        return parts[1]
    return parts[0] if said and said[-1] in asked else text


def compared_yes_or_no(text: str, question: str) -> str:
    """What a statement such as "the vase is taller" says to "is the lamp taller than the vase": ``yes``, ``no``, or an
    empty string where it says neither or both."""
    if not is_polar(question) or len(parts := _THAN.split(question)) != 2:
        return ""
    *first, asked = words(parts[0]) or ("",)
    ours, theirs = ({singular(word) for word in named} for named in (first[1:], words(parts[1])))
    ours, theirs = ours - theirs, theirs - ours
    found = set()
    for part in segments(text):
        at = next((at for at, word in enumerate(part) if word == asked or word in _turned(asked)), 0)
        named = {singular(word) for word in part[:at]}
        if NEGATIONS.intersection(part) or bool(ours & named) == bool(theirs & named):
            continue
        found.add("yes" if bool(ours & named) == (part[at] == asked) else "no")
    return found.pop() if len(found) == 1 else ""
