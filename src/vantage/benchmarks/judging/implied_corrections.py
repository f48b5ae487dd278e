"""Corrections that are made in passing: "yes, but the cabinet is white", "there are only three plates"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from vantage.benchmarks.judging.answer_names import affirms_name, name_places
from vantage.benchmarks.judging.answer_text import LONGEST_ANSWER, mentions, words
from vantage.benchmarks.judging.answer_words import COPULAS, VOCABULARIES
from vantage.benchmarks.judging.stated_claims import difference, object_in
from vantage.types import NoiseType, TruthQuestion

_CONTRAST = r"\b(?:but|though|although|however|actually|in fact|only that|except that|mind you|by the way)\b"
_TURN = re.compile(_CONTRAST, re.IGNORECASE)
_END = re.compile(r"[.;!?\n]+(?:\s|$)")
_STATES = re.compile(
    r"\b(?:is|are|was|were|looks?|lies|lie|stands?|sits?|hangs?|rests?)\b|['\u2019](?:s|re)\b", re.IGNORECASE
)
_REFERS = re.compile(r"\b(?:it|they|that one|this one|those|these)\b", re.IGNORECASE)
_COUNTS = re.compile(
    r"\b(?:only|just|merely|exactly|there (?:is|are|were|was)|i (?:see|saw|count(?:ed)?|found|find))\b", re.IGNORECASE
)
_SAYING = COPULAS | {"of"}  # "is white", "is made of wood"
_SHORT_FORM = re.compile(r"\b(it|that|they)['\u2019](?:s|re)\b", re.IGNORECASE)
_STRESSED = re.compile(r"\b(is|are|was|were)\s+(?:actually|in fact|really)\b", re.IGNORECASE)
_SHORT = 3  # letters of "the" and the like
_HEDGED = re.compile(
    r"\b(?:maybe|perhaps|possibly|might|may|could|if|unless|not sure|unsure|so far|from here|in (?:this )?view|visible|"
    r"seems?|probably)\b",
    re.IGNORECASE,
)


def implies_correction(truth: TruthQuestion, text: str) -> bool:
    """Whether a clause of a text sets what is true of the object against what the question says of it.

    That takes a word of contrast ("but", "actually") and a statement about the object, or "it"; of a number, that it is
    counted ("there are only three plates"). A description ("yes, the white cabinet") corrects nothing.
    """
    needed, false = difference(truth.correction, truth.false_claim), difference(truth.false_claim, truth.correction)
    if not needed or truth.noise_type == NoiseType.LATENT or len(words(text)) > LONGEST_ANSWER:
        return False
    about = object_in(truth.correction)
    clauses = _counted(text) if truth.noise_type == NoiseType.COUNT else _contrasted(text)
    return any(
        not _HEDGED.search(clause)
        and _is_about(clause, about)
        and all(_affirms(clause, phrase) for phrase in needed)
        and not any(affirms_name(clause, phrase) for phrase in false)
        for clause in clauses
    )


def _affirms(clause: str, phrase: str) -> bool:
    """Whether a clause says a phrase of what it is about; a color and the like as a predicate, for "it stands beside a
    white lamp" says nothing of how it looks itself."""
    single = words(phrase)
    value = len(single) == 1 and any(single[0] in values for values in VOCABULARIES)
    return single[0] in _predicates(clause) if value else affirms_name(clause, phrase)


def _predicates(clause: str) -> set[str]:
    """The words that follow a copula at once: what something is said to be."""
    return {word for before, word in pairwise(words(clause)) if before in _SAYING}


def _is_about(clause: str, about: str) -> bool:
    """Whether a clause names an object, or refers to it, or ends with a number."""
    if _REFERS.search(clause) or mentions(clause, about) or name_places(clause, about):
        return True
    return "".join(words(clause)[-1:]).isdigit()


def opposes(question: str, text: str) -> bool:
    """Whether a clause of a text sets another look or number against the one that a question gives: the same on a
    question that is right.
    """
    asked = words(question)
    offers = "or" in asked
    for clause in _contrasted(text):
        about = _REFERS.search(clause) is not None or bool(_things(asked).intersection(words(clause)))
        told = _predicates(clause)
        for values in VOCABULARIES:
            known = values.intersection(asked)
            if about and len(known) == 1 and not offers and told & values and not told & known:
                return not _HEDGED.search(clause)
    numbers = {word for word in asked if word.isdigit() and word != "1"}
    for clause in _counted(text):
        said = set(words(clause))
        given = {word for word in said if word.isdigit()}
        if len(numbers) == 1 and given and not given & numbers and said & _things(asked):
            return not _HEDGED.search(clause)
    return False


def _things(said: tuple[str, ...]) -> set[str]:
    """The words of a question that are no values and no small words."""
    return {word for word in said if len(word) > _SHORT and not any(word in values for values in VOCABULARIES)}


def _written_out(text: str) -> str:
    """The same with short forms written out, and "is" for "is actually": a word amid a statement sets nothing apart."""
    return _STRESSED.sub(r"\1", _SHORT_FORM.sub(r"\1 is", text))


def _contrasted(text: str) -> Iterator[str]:
    """What follows a word of contrast up to the end of the sentence and states something; where such a word comes last
    ("it is white, though"), what stands before it."""
    for sentence in _END.split(_written_out(text)):
        for turn in _TURN.finditer(sentence):
            after = _TURN.split(sentence[turn.end() :])[0].strip(" ,:")
            clause = after if after else sentence[: turn.start()].strip(" ,:").rpartition(",")[2]
            if _STATES.search(clause):
                yield clause


def _counted(text: str) -> Iterator[str]:
    """Clauses that count."""
    for clause in re.split(rf"[.,;:!?\n]+(?:\s|$)|{_CONTRAST}|\band\b", text, flags=re.IGNORECASE):
        if clause and _COUNTS.search(clause):
            yield clause
