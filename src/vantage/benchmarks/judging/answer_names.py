"""Names of objects in answers: a couch is a sofa, because the two words share a sense.

Colors, materials, numbers, relations and the like have closed vocabularies and no synonyms here.
"""

from __future__ import annotations

from collections.abc import Iterator

from vantage.benchmarks.judging.answer_lists import places_of, segments
from vantage.benchmarks.judging.answer_text import affirms, negated, singular, spoken, words
from vantage.benchmarks.judging.answer_words import COPULAS, NEGATIONS, PREPOSITIONS, VOCABULARIES
from vantage.questions.lexicon import kind_of, share_meaning, table

_CLOSED = frozenset().union(*VOCABULARIES) | COPULAS | NEGATIONS | PREPOSITIONS
_LONGEST = 3  # words of a name


def same_kind(one: str, other: str) -> bool:
    """Whether two names are of the same kind: equal, or synonyms of which the lexicon knows one, so that the verdict
    does not depend on what else is installed."""
    if one == other:
        return True
    known = kind_of(one) in table() or kind_of(other) in table()
    return known and share_meaning(one, other)


def affirms_name(text: str, name: str) -> bool:
    """Whether a text mentions an object by its name or a synonym without a negation shortly before it."""
    said = spoken(text)
    return affirms(text, name) or any(not negated(said, at) for at in name_places(text, name))


def denies_name(text: str, name: str) -> bool:
    """Whether a text mentions an object by its name or a synonym with a negation shortly before it."""
    said = spoken(text)
    return any(negated(said, at) for at in name_places(text, name))


def name_places(text: str, name: str) -> list[int]:
    """Where an object is mentioned by its name or a synonym: indices into the spoken words of the text."""
    plain = " ".join(singular(word) for word in words(name))
    if not plain or _CLOSED.issuperset(plain.split()):
        return []
    return [at for at, phrase in _phrases(text) if same_kind(phrase, plain)]


def affirms_place(text: str, place: str) -> bool:
    """Whether a text affirms a place such as "on the sofa", by whatever name of what it is a place of."""
    wanted = words(place)
    if affirms(text, place):
        return True
    if len(wanted) < 2 or wanted[0] not in PREPOSITIONS or PREPOSITIONS.intersection(wanted[1:]):
        return False
    anchor = " ".join(singular(word) for word in wanted[1:])
    return any(
        preposition == wanted[0] and any(same_kind(" ".join(named[start:]), anchor) for start in range(len(named)))
        for segment in segments(text)
        for preposition, named in places_of(segment)
    )


def _phrases(text: str) -> Iterator[tuple[int, str]]:
    """Up to three neighbouring words that may name an object, with the place of the first."""
    said = spoken(text)
    for start in range(len(said)):
        phrase: list[str] = []
        for word in said[start : start + _LONGEST]:
            if not word[0].isalpha() or word in _CLOSED - {"glass", "paper"}:
                break
            phrase.append(singular(word))
            yield start, " ".join(phrase)
