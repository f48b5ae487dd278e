"""What statements are about, and what sets a false one apart from the true one."""

from __future__ import annotations

from vantage.benchmarks.judging.answer_text import singular, words
from vantage.benchmarks.judging.answer_words import COPULAS, PREPOSITIONS, VOCABULARIES, vocabulary

ASKING = (
    vocabulary("what which where how many much who is are was were do does did can could you i me tell see find made")
    | vocabulary("color material shape size kind sort room thing object place state name called have has be there any")
    | vocabulary("and many side one most least same as than other located standing lying something anything whose")
)
_STRUCTURE = frozenset(words("there is are was were be has have in on room scene house here any some and"))
_ADJECTIVES = frozenset().union(*VOCABULARIES)
_TELLING = vocabulary("says say reads read carries carry")


def difference(one: str, other: str) -> tuple[str, ...]:
    """The phrases of one statement that the other lacks: neighbouring content words, articles and the like apart.

    Where only prepositions differ, they stand with what follows them: "under table".
    """
    known = {singular(word) for word in words(other)} | _STRUCTURE
    said = words(one)
    phrases: list[list[str]] = [[]]
    for word in said:
        if singular(word) in known:
            phrases.append([])
        else:
            phrases[-1].append(word)
    found = tuple(" ".join(phrase) for phrase in phrases if phrase)
    if found or said == words(other):
        return found
    places = [at for at, word in enumerate(said) if word in PREPOSITIONS and word not in words(other)]
    return tuple(" ".join(said[at:][:3]) for at in places)


def subject(claim: str) -> str:
    """What a claim such as "there is a red washing machine in the hall" is about: "washing machine"."""
    named: list[str] = []
    for word in words(claim):
        if word in PREPOSITIONS:
            break
        if word != "can" and (word in _STRUCTURE or word in ASKING):  # a claim asks nothing: its can is made of tin
            named = []
        else:
            named.append(word)
    while len(named) > 1 and named[0] in _ADJECTIVES:
        named.pop(0)
    return " ".join(named)


def object_in(claim: str) -> str:
    """The last word of what a claim is about: "mug" in "the red mug on the desk is blue"."""
    named: list[str] = []
    for word in words(claim):
        if named and (word in COPULAS or word in PREPOSITIONS or word in _TELLING or word.startswith("label")):
            break
        if word not in COPULAS and word not in ("there", "1"):
            named.append(word)
    return named[-1] if named else ""
