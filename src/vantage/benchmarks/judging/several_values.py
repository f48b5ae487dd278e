"""Answers to questions with several values: all of them, in any order, and no others."""

from __future__ import annotations

import re

from vantage.benchmarks.judging.answer_forms import lists_same
from vantage.benchmarks.judging.answer_text import LONGEST_ANSWER, named_first, negated, spoken, words
from vantage.benchmarks.judging.answer_words import ALTERNATIVES, VOCABULARIES, WIDER

_JOINT = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_BETWEEN = ", "  # values of a gold answer


def values_of(gold: str) -> tuple[str, ...]:
    """The values that a gold answer such as ``blue, red`` lists; one or none where it is no list."""
    return tuple(value for value in gold.split(_BETWEEN) if value.strip())


def names_all(said: str, gold: str) -> bool:
    """Whether a text names all values of a gold answer, and no others of their kind."""
    told = words(said)
    if not told or ALTERNATIVES.intersection(told):
        return False
    wanted = {words(value) for value in values_of(gold)}
    if {words(item) for item in _JOINT.split(said.strip(" .!"))} == wanted:
        return True
    for vocabulary in VOCABULARIES:
        if all(len(value) == 1 and value[0] in vocabulary for value in wanted):
            return len(told) <= LONGEST_ANSWER and _asserted(said, vocabulary, wanted) == wanted
    return lists_same(said, gold) or lists_same(named_first(said), gold)


def _asserted(said: str, vocabulary: frozenset[str], wanted: set[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """The words of a vocabulary that a text affirms; a sort of a wanted one, such as steel, stands for that."""
    heard = spoken(said)
    found = {word for at, word in enumerate(heard) if word in vocabulary and not negated(heard, at)}
    return {(WIDER[word],) if (WIDER.get(word),) in wanted else (word,) for word in found}
