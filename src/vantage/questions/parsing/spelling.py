"""Misspelt words: those that are no English words, and are clearly meant for one that the parser knows.

What is an English word a list of the most frequent ones says, which comes with ``symspellpy``; such a word is never
changed. Candidates are found by symmetric deletion (SymSpell), with swapped neighbours as one error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files

from symspellpy import SymSpell, Verbosity

from vantage.questions.lexicon import canonical, plural, table
from vantage.questions.parsing.accounting import closed_class
from vantage.questions.parsing.nouns import KINDS, singular
from vantage.questions.parsing.tokens import Sentence, Token
from vantage.questions.parsing.vocabulary import (
    COLOR_WORDS,
    MATERIAL_WORDS,
    OPENING_PARTS,
    PREDICATE_STATES,
    ROOM_WORDS,
    SHAPE_WORDS,
    SIZE_WORDS,
    WEIGHT_WORDS,
)
from vantage.questions.parsing.word_classes import NO_OBJECTS, REFUSED

_FREQUENCIES = "frequency_dictionary_en_82_765.txt"
_SHORTEST = 3  # letters of a word that is looked at
_TWO_ERRORS = 7  # letters from which on two errors are believed
_FIRST_MAY_DIFFER = 5  # letters from which on the first one may be wrong
_RARE, _EVERYDAY = 120_000, 10_000_000  # occurrences in the list's corpus
_CLEARLY = 5.0  # times as frequent as the next candidate that is as near


@cache
def _frequencies() -> dict[str, int]:
    """How often each of the most frequent English words occurs, in a corpus of billions of words."""
    lines = files("symspellpy").joinpath(_FREQUENCIES).read_text(encoding="utf-8-sig").splitlines()
    return {word: int(count) for word, count in (line.split() for line in lines if line)}


def _phrases() -> Iterator[str]:
    tables = (COLOR_WORDS, MATERIAL_WORDS, PREDICATE_STATES, ROOM_WORDS, SHAPE_WORDS, SIZE_WORDS, WEIGHT_WORDS)
    for phrases in (KINDS, table(), closed_class(), REFUSED, NO_OBJECTS, OPENING_PARTS, *tables):
        yield from phrases


@cache
def _vocabulary() -> frozenset[str]:
    """Every single word that the parser knows."""
    return frozenset(word for phrase in _phrases() for word in phrase.split() if word.isalpha())


@cache
def _run_together() -> dict[str, str]:
    """Names of several words as people write them without the blank."""
    return {phrase.replace(" ", ""): phrase for phrase in (*KINDS, *table(), *ROOM_WORDS) if " " in phrase}


@cache
def _index() -> SymSpell:
    index = SymSpell(max_dictionary_edit_distance=2, prefix_length=7)
    several = {plural(kind) for kind in KINDS if kind.isalpha()}
    for word in _vocabulary() | several:
        if len(word) >= _SHORTEST:
            index.create_dictionary_entry(word, max(1, _frequencies().get(word, 1)))
    return index


def is_word(word: str) -> bool:
    """Whether it is an English word, or one of the parser's own."""
    return any(each in known for known in (_vocabulary(), _frequencies()) for each in (word, singular(word)[0]))


def corrected(sentence: Sentence) -> tuple[Sentence, tuple[tuple[str, str], ...]]:
    """A sentence with its misspelt words put right, and which these were; "teh" is not worth mentioning."""
    tokens: list[Token] = []
    found: list[tuple[str, str]] = []
    shouted = sentence.text.isupper()
    for index, token in enumerate(sentence.tokens):
        printed = token.quoted or (not shouted and sentence.said(index, index + 1).isupper())
        meant = "" if printed else _meant(token.word)
        tokens.extend(replace(token, word=word) for word in meant.split()) if meant else tokens.append(token)
        if meant and meant not in closed_class():
            found.append((token.word, meant))
    return replace(sentence, tokens=tuple(tokens)), tuple(dict.fromkeys(found))


def unknown_words(tokens: Iterable[Token]) -> tuple[str, ...]:
    """The words that are no English words, and are not clearly meant for one."""
    return tuple(token.word for token in tokens if _is_looked_at(token.word) and not is_word(token.word))


def _is_looked_at(word: str) -> bool:
    return len(word) >= _SHORTEST and word.isalpha()


def _meant(word: str) -> str:
    """The word that a misspelt one clearly stands for; empty where it is well spelt or nobody can tell."""
    if not _is_looked_at(word):
        return ""
    if is_word(word):
        return _swapped(word) if word not in _vocabulary() and _frequencies().get(word, _RARE) < _RARE else ""
    if word in _run_together():
        return _run_together()[word]
    errors = 2 if len(word) >= _TWO_ERRORS else 1
    near = _index().lookup(word, Verbosity.CLOSEST, max_edit_distance=errors)
    ranked = sorted(near, key=lambda each: (_oddity(word, each.term), -each.count))
    if not ranked or (len(word) < _FIRST_MAY_DIFFER and ranked[0].term[0] != word[0]):
        return ""
    best, *others = ranked
    kind = canonical(singular(best.term)[0])
    rivals = [each for each in others if _oddity(word, each.term) <= _oddity(word, best.term)]
    unlike = [each.count for each in rivals if canonical(singular(each.term)[0]) != kind]
    return best.term if not unlike or best.count >= _CLEARLY * max(unlike) else ""


def _swapped(word: str) -> str:
    """The everyday word that a rare one is but for two letters in the wrong order: "chari", also a river."""
    near = _index().lookup(word, Verbosity.CLOSEST, max_edit_distance=1)
    return next((each.term for each in near if sorted(each.term) == sorted(word) and each.count > _EVERYDAY), "")


def _oddity(written: str, meant: str) -> tuple[bool, int]:
    """How unlikely an error is among others as many: another first letter; swapped letters, one left out, too many."""
    longer = len(meant) - len(written)
    if sorted(written) == sorted(meant):
        kind = 0
    else:
        kind = 2 - longer if longer else 4
    return written[0] != meant[0], kind
