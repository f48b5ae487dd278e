"""Comparison of answers with gold answers by words: no embeddings, no model, the same verdict every time."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from vantage.benchmarks.judging.answer_words import (
    ALTERNATIVES,
    BOUNDS,
    COLORS,
    COPULAS,
    FILLERS,
    MATERIALS,
    MODALS,
    NEGATIONS,
    NUMBERS,
    OPPOSITES,
    PHRASES,
    PREPOSITIONS,
    STATES,
    SYNONYMS,
    VOCABULARIES,
    WIDER,
)

LONGEST_ANSWER = 400  # words; a longer text is a list of guesses rather than an answer
_WINDOW = 3  # words that may stand between the words of a gold phrase: "on the small brown table"

_BREAKS = (
    NEGATIONS | PREPOSITIONS | ALTERNATIVES | {"but", "and"}
)  # "on the chair beside the table" is not on the table
_MOST_VALUES = 2  # that one answer may assert: "a blue mug on a white table"; more are a list of guesses
_ONE, _REST = frozenset({"1", "some", "first"}), frozenset({"other", "others", "another", "second", "rest"})
_TENS = frozenset(str(value) for value in range(20, 100, 10))
PAUSE = ","  # stands for any punctuation between clauses
_WORD = re.compile(r"\w+|[,;:.!?\u2014]", re.UNICODE)
_NO_DECIMALS = re.compile(r"(?<![\w.])(\d+)\.0+(?![\w.])")
_CONTRACTED_NOT = re.compile(r"n['\u2019]t\b")
_QUOTED = re.compile(r"[\"\u201c\u2018']([^\"\u201d\u2019]+)[\"\u201d\u2019']")
_SAYING = re.compile(r"\b(?:says?|reads?|is|written|printed|text|label)\b\s*:?|:", re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?;\n]+(?:\s|$)")
_PLACE = re.compile(
    r"\b(?:on|in|under|beneath|below|above|over|next to|beside|near|behind|between|at)\b", re.IGNORECASE
)
_MARK = re.compile(r"\banswer\s*(?:is\s*)?\**\s*:\**", re.IGNORECASE)


def final_part(text: str) -> str:
    """What follows the last ``Answer:``, or the whole text."""
    start = 0
    for mark in _MARK.finditer(text):
        start = mark.end()
    return text[start:].strip()


def words(text: str) -> tuple[str, ...]:
    """Lower-case words in one spelling each: digits for number words, one synonym of each group, no articles."""
    return tuple(word for word in spoken(text) if word != PAUSE)


@lru_cache(maxsize=64)
def spoken(text: str) -> tuple[str, ...]:
    """The words of a text with the pauses between them, as ``PAUSE``."""
    plain = _CONTRACTED_NOT.sub(" not", unicodedata.normalize("NFKC", text).casefold())
    plain = _NO_DECIMALS.sub(r"\1", plain)
    found = [NUMBERS.get(word, SYNONYMS.get(word, word)) for word in _WORD.findall(plain)]
    found = [word if word[0].isalnum() or word[0] == "_" else PAUSE for word in found]
    for phrase, replacement in PHRASES:
        found = _replaced(found, phrase, replacement)
    return tuple(_compounded([word for word in found if word not in FILLERS]))


def _compounded(found: list[str]) -> list[str]:
    """``20, 1`` as ``21``, where both were said in words next to each other."""
    result: list[str] = []
    for word in found:
        if result and result[-1] in _TENS and len(word) == 1 and word in "123456789":
            result[-1] = str(int(result[-1]) + int(word))
        else:
            result.append(word)
    return result


def _replaced(found: list[str], phrase: tuple[str, ...], replacement: tuple[str, ...]) -> list[str]:
    if phrase[0] not in found:
        return found
    result: list[str] = []
    i = 0
    while i < len(found):
        if tuple(found[i : i + len(phrase)]) == phrase:
            result.extend(replacement)
            i += len(phrase)
        else:
            result.append(found[i])
            i += 1
    return result


def singular(word: str) -> str:
    """A word without a plural ending, good enough to compare two wordings with each other."""
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    if len(word) > 4 and word.endswith("ves"):
        return word[:-3] + "f"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us")):
        return word[:-1]
    return word


def mentions(text: str, phrase: str) -> bool:
    """Whether a text contains the words of a phrase in this order, close together; singular and plural are one."""
    return bool(mention_places(text, phrase))


def affirms(text: str, phrase: str) -> bool:
    """Whether a text mentions a phrase at least once without a negation shortly before it."""
    said, wanted = _comparable(text, phrase)
    return any(not negated(said, place) for place in _places(said, wanted))


def denies(text: str, phrase: str) -> bool:
    """Whether a text mentions a phrase at least once with a negation shortly before it."""
    said, wanted = _comparable(text, phrase)
    return any(negated(said, place) for place in _places(said, wanted))


def mention_places(text: str, phrase: str) -> list[int]:
    """Where a text mentions a phrase: indices into its spoken words."""
    return _places(*_comparable(text, phrase))


def _comparable(text: str, phrase: str) -> tuple[list[str], list[str]]:
    return [singular(word) for word in spoken(text)], [singular(word) for word in words(phrase)]


def _places(said: Sequence[str], phrase: Sequence[str]) -> list[int]:
    """Where the words of a phrase begin in a text, in order and with at most ``_WINDOW`` words between them."""
    if not phrase:
        return []
    places = []
    for first, word in enumerate(said):
        if word != phrase[0]:
            continue
        position = first
        for wanted in phrase[1:]:
            following = said[position + 1 : position + 2 + _WINDOW]
            gap = following.index(wanted) if wanted in following else len(following)
            if gap == len(following) or _BREAKS.intersection(following[:gap]):
                break
            position += 1 + gap
        else:
            places.append(first)
    return places


def negated(said: Sequence[str], place: int) -> bool:
    """Whether a negation stands before a word in the same clause, at most three words away."""
    for word in reversed(said[max(0, place - 3) : place]):
        if word == PAUSE or word == "but":
            return False
        if word in NEGATIONS:
            return True
    return False


def agrees(text: str, gold: str) -> bool:
    """Whether an answer says exactly what a gold answer says.

    Yes and no, numbers, colors, materials, rooms, shapes, sizes and states are compared as such: the one that the text
    asserts must be the gold one. Anything else must be affirmed in the text, word for word. Alternatives ("red or
    blue") are not exact.
    """
    said, wanted = words(text), words(gold)
    if not said or not wanted or len(said) > LONGEST_ANSWER or text.isspace():
        return False
    if ALTERNATIVES.intersection(said) and not ALTERNATIVES.intersection(wanted):
        return False
    if wanted in (("yes",), ("no",)):
        return yes_or_no(text) == wanted[0]
    if len(wanted) == 1 and wanted[0].isdigit():
        return _numbers(spoken(text)) == {wanted[0]}
    for vocabulary in VOCABULARIES:
        if len(wanted) == 1 and wanted[0] in vocabulary:
            asserted = [_as_gold(value, wanted[0]) for value in _asserted(spoken(text), vocabulary)]
            if not asserted or asserted[0] != wanted[0] or len(set(asserted)) > _MOST_VALUES:
                return False
            return len(set(asserted)) == 1 or not _is_undecided(spoken(text), wanted[0], vocabulary)
    return affirms(text, gold)


def agrees_in_letters(text: str, gold: str) -> bool:
    """Whether an answer gives exactly a printed text; case, punctuation and blanks do not count.

    The text may stand alone, in quotation marks, or after words such as "it says".
    """
    said = [sentence for sentence in _SENTENCE.split(text) if _SAYING.search(sentence)]
    quoted = {_letters(part) for part in _QUOTED.findall(text)}
    parts = [text]
    if len(quoted) == 1:
        parts += quoted
    if len(said) == 1:  # several sentences that say something are a list of guesses
        parts += [text[mark.end() :] for mark in _SAYING.finditer(text)]
    return bool(_letters(gold)) and any(_letters(part) == _letters(gold) for part in parts)


def _letters(text: str) -> str:
    return "".join(letter for letter in unicodedata.normalize("NFKC", text).casefold() if letter.isalnum())


def named_first(text: str) -> str:
    """The beginning of an answer that names the object, without the place that follows ("a lamp | on the desk")."""
    head = _PLACE.split(text, maxsplit=1)[0]
    return head if set(words(head)) - COPULAS - {"there", "i", "see"} else text


def explicit_yes_or_no(text: str) -> str:
    """``yes`` or ``no``, whichever word a text says first, or an empty string."""
    return next((word for word in words(text) if word in ("yes", "no")), "")


def yes_or_no(text: str) -> str:
    """``yes``, ``no`` or, where a text says neither or both, an empty string."""
    said = words(text)
    explicit = explicit_yes_or_no(text)
    if explicit:
        return "" if _says_alone(text, "yes") and _says_alone(text, "no") else explicit
    if NEGATIONS.intersection(said):
        return "no"
    return "yes" if {"is", "are", "has", "have", "see", "there"}.intersection(said) else ""


def _says_alone(text: str, word: str) -> bool:
    """Whether a text says a word by itself, between pauses: "no, ..." but not "no mug"."""
    said = (PAUSE, *spoken(text), PAUSE)
    breaks = (PAUSE, "and", "or", "but")
    return any(said[at] == word and said[at - 1] in breaks and said[at + 1] in breaks for at in range(1, len(said) - 1))


def _numbers(said: Sequence[str]) -> set[str]:
    """The numbers that a text affirms, none where it only bounds them; "none" and "no" count as 0 where it affirms
    none. Of a sum and its parts ("2, one mug and one cup") the sum alone counts."""
    places = [at for at, word in enumerate(said) if word.isascii() and word.isdigit() and len(word) < 10]
    if any(tuple(said[max(0, at - 2) : at]) in BOUNDS for at in places):
        return set()
    told = [int(said[at]) for at in places if not negated(said, at)]
    if len(told) > 2:
        told = next(([one] for one in (told[0], told[-1]) if 2 * one == sum(told)), told)
    digits = {str(number) for number in told}
    denied = {"none", "no", "nothing"}.intersection(said) or ("any" in said and negated(said, said.index("any")))
    return digits or ({"0"} if denied else set())


def _asserted(said: Sequence[str], vocabulary: frozenset[str]) -> list[str]:
    """The words of a vocabulary that a text asserts: after a copula, otherwise wherever they are not negated."""
    places = [i for i, word in enumerate(said) if word in vocabulary and not negated(said, i)]
    predicates = [i for i in places if COPULAS.intersection(said[max(0, i - 2) : i])]
    return [said[i] for i in predicates or places]


def _as_gold(value: str, gold: str) -> str:
    """The gold color or material for one that is a sort of it: metal for steel."""
    return gold if value in COLORS | MATERIALS and WIDER.get(value) == gold else value


def _is_undecided(said: Sequence[str], gold: str, vocabulary: frozenset[str]) -> bool:
    """Whether a text gives a value beside the gold one to the same objects, in one breath ("blue and red") or as a
    possibility, or gives each of several objects another one."""
    if MODALS.intersection(said) or _told_apart(said, vocabulary):
        return True
    places = [at for at, word in enumerate(said) if word in vocabulary and not negated(said, at)]
    return any(
        gold in (said[one], said[other])
        and said[one] != said[other]
        and (vocabulary is not STATES or said[one] in OPPOSITES[said[other]])  # "clean and empty" are no rivals
        and _joins(said[one + 1 : other], said[other + 1 : other + 2])
        and not WIDER.keys() & {said[one], said[other]}
        for one, other in pairwise(places)
    )


def _joins(between: Sequence[str], behind: Sequence[str]) -> bool:
    """Whether the words between two values make them a list, and not the second one that of another object."""
    return set(between) <= {"and"} or (set(between) == {PAUSE} and set(behind) <= {PAUSE})


def _told_apart(said: Sequence[str], vocabulary: frozenset[str]) -> bool:
    """Whether a text gives one of several objects one value and the rest another: "one is black, the other is blue"."""
    at = next((at for at, word in enumerate(said) if word in _ONE), len(said))
    rest = next((k for k in range(at + 1, len(said)) if said[k] in _REST or said[k] == "1"), len(said))
    first = [word for word in said[at:rest] if word in vocabulary]
    return any(word in vocabulary and word not in first for word in said[rest:]) and bool(first)


def values_of(text: str, like: Sequence[str]) -> frozenset[str]:
    """The colors, materials or numbers that a text mentions, of those kinds to which the words of ``like`` belong."""
    said = set(words(text))
    found: set[str] = set()
    for vocabulary in (COLORS, MATERIALS):
        if vocabulary.intersection(like):
            found |= said & vocabulary
    if any(word.isdigit() for word in like):
        found |= {word for word in said if word.isdigit()}
    return frozenset(found)
