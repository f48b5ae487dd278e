"""Questions that ask for yes or no, and what a statement without either word says to them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from vantage.benchmarks.judging.answer_lists import segments
from vantage.benchmarks.judging.answer_text import PAUSE, explicit_yes_or_no, mentions, singular, spoken, words
from vantage.benchmarks.judging.answer_words import (
    ALTERNATIVES,
    COPULAS,
    NEGATIONS,
    OPPOSITES,
    PREPOSITIONS,
    ROOMS,
    VOCABULARIES,
    vocabulary,
)
from vantage.benchmarks.judging.stated_claims import ASKING

_SENTENCE = re.compile(r"[.!?;]+(?:\s|$)")
_ASKS = re.compile(
    r"(?:^|,\s*)(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would|should|am)\b", re.IGNORECASE
)
_WANTED = vocabulary("what which where who whose whom when why how")
_FINDING = vocabulary("see seen find found")
_ABILITY = vocabulary("do does did can could")
_REACH = 4  # words between "can" and "see"
_PARTICIPLES = ("ed", "en", "ing")
_ADJECTIVES = frozenset().union(*VOCABULARIES) - ROOMS
_PARTLY = vocabulary("1 some other others another few most half partly partially almost")
_PRONOUNS = vocabulary("they he she")
_CLAUSE = re.compile(r"([.,;:!?\n]+(?:\s|$)|\b(?:because|since|but|although|though)\b)", re.IGNORECASE)
_STANCE = re.compile(r"^\W*(?:yes|no)\b[\s,.:;]+(?=\w)", re.IGNORECASE)
_UNTOLD = re.compile(
    r"(?:\b(?:not|cannot|no|without|never)\b|n['\u2019]t\b)[^\n]{0,200}?\b(?:information|provided?s?|determined?|"
    r"tell|known?|sure|certain|specif(?:y|ied)|mention(?:ed)?|confirm(?:ed)?|indicated?)\b|"
    r"\b(?:unclear|unknown|uncertain|unsure|unable to|impossible to|hard to (?:say|tell)|difficult to (?:say|tell))\b",
    re.IGNORECASE,
)
_ALIKE = vocabulary("both same identical")
_UNLIKE = vocabulary("different differ differs differing")
_LONGEST_READ = 8000  # characters


def is_polar(question: str) -> bool:
    """Whether yes or no answers a question: "is it open", but not "is it open or closed", "do you see what it is"."""
    sentences = [sentence for sentence in _SENTENCE.split(question[:_LONGEST_READ]) if words(sentence)]
    if not sentences or not _ASKS.search(sentences[-1].strip()):
        return False
    return not (_WANTED | ALTERNATIVES).intersection(words(sentences[-1]))


def asks_presence(question: str) -> bool:
    """Whether a question asks if something is there at all: "is there room", "do you see a vase"."""
    said = words(question)
    if not said or not is_polar(question):
        return False
    if "there" in said[:2] and said[0] in COPULAS:
        return True
    return said[0] in _ABILITY and bool((_FINDING | {"have"}).intersection(said[1 : 1 + _REACH]))


def informative(text: str) -> str:
    """A text without the clauses that say that something is not known: "the picture gives no information about it"."""
    parts = _CLAUSE.split(text[:_LONGEST_READ])
    return "".join(part for part in parts if not _UNTOLD.search(part))


def leads_with(text: str) -> str:
    """``yes`` or ``no`` where a text begins with that word by itself, otherwise an empty string."""
    said = spoken(text)
    if not said or said[0] not in ("yes", "no"):
        return ""
    return said[0] if len(said) == 1 or said[1] in (PAUSE, "there", "they", "i") else ""


def without_stance(text: str) -> str:
    """A text without the yes or no that leads it: "a studio" for "Yes, a studio"."""
    return _STANCE.sub("", text)


def gold_stance(question: str, gold: str) -> str:
    """``yes`` or ``no`` where a gold answer means that, in words or by what it states, otherwise an empty string.

    Whoever asks "do you see my keys" wants to be told where, so that there the rest of the answer counts too.
    """
    if words(gold) in (("yes",), ("no",)):
        return words(gold)[0]
    if not is_polar(question) or _FINDING.intersection(words(question)):
        return ""
    said = words(gold)
    if said[:2] in (("there", "is"), ("there", "are")) and NEGATIONS.intersection(said[2:3]):
        return "no"
    return leads_with(gold) or stated_yes_or_no(question, gold)


def stated_yes_or_no(question: str, text: str) -> str:
    """What a statement without yes and no says to a question such as "is the counter clean": "it looks clean", "it is
    dirty", "the counter is not clean".

    The question must end with what it asks of one object; a statement about anything else says nothing to it, and so
    does one that states both.
    """
    wanted = predicate(question)
    said = words(text)
    if not wanted or explicit_yes_or_no(text) or ALTERNATIVES.intersection(said):
        return ""
    if any(wanted in known and len(known.intersection(said)) > 1 for known in VOCABULARIES):
        return ""  # "red, green and blue"
    subject = takewhile(lambda word: word not in PREPOSITIONS, words(question)[1:])
    about = {singular(word) for word in subject} - _ADJECTIVES - {wanted}
    found = set()
    for part in segments(text.replace(" but ", ", ")):
        stated = _states(part, wanted, about)
        if stated:
            found.add(stated)
    return found.pop() if len(found) == 1 else ""


def alike_yes_or_no(text: str, question: str) -> str:
    """What a statement such as "both are red", "they differ" says to "are the chairs the same color"; an empty string
    where it says neither or both."""
    said = set(words(text))
    alike, unlike = bool(_ALIKE & said), bool(_UNLIKE & said)
    if alike == unlike or not is_polar(question) or "same" not in words(question):
        return ""
    return "yes" if alike != bool(NEGATIONS & said) else "no"


def is_about(question: str, text: str) -> bool:
    """Whether a text mentions what a question names first: the lamp, for "is the lamp on the bed"."""
    named = (word for word in words(question)[1:] if word not in ASKING | COPULAS | PREPOSITIONS)
    first = next(named, "")
    return not first or mentions(text, first)


def predicate(question: str) -> str:
    """What a question such as "is the door of the room open" asks of its subject; empty for other questions."""
    said = words(question)
    if len(said) < 2 or said[0] not in ("is", "are", "was", "were") or "there" in said[:2] or not is_polar(question):
        return ""
    last = said[-1]
    if last in _ADJECTIVES or last in OPPOSITES:
        return last
    if last.endswith(_PARTICIPLES) and not PREPOSITIONS.intersection(said[-3:]):  # "on the bed" ends with a place
        return last
    return "" if said[1] in _ADJECTIVES or PREPOSITIONS.intersection(said) else last


def _states(part: Sequence[str], wanted: str, about: set[str]) -> str:
    """What one part of a sentence says to the question: of its subject or "it", and not of some of several alone."""
    if _PARTLY.intersection(part):
        return ""
    opposites = OPPOSITES.get(wanted, frozenset()) | {f"un{wanted}", wanted.removeprefix("un")} - {wanted}
    for at, word in enumerate(part):
        if word not in {wanted, *opposites} or not COPULAS.intersection(part[:at]):
            continue
        if word in PREPOSITIONS and at < len(part) - 1:
            continue  # "on the desk"
        pronoun = part[0] in COPULAS or part[0] in _PRONOUNS
        if pronoun or about.intersection(singular(each) for each in part[:at]):
            denied = bool(NEGATIONS.intersection(part)) != (word in opposites)
            return "no" if denied else "yes"
    return ""
