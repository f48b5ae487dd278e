"""Answers that a question may well have, by its first words, drawn at random: the least that any agent must exceed."""

from __future__ import annotations

import re

import numpy as np

from vantage.scenes.spec import COLORS, MATERIALS

_WORD = re.compile(r"[^\W_]+")
_POLAR = frozenset(
    (
        "am",
        "are",
        "can",
        "could",
        "did",
        "do",
        "does",
        "had",
        "has",
        "have",
        "is",
        "may",
        "might",
        "should",
        "was",
        "were",
    )
)
_NUMBER_OF = ["what", "is", "the", "number"]
_NUMBERS = tuple(str(number) for number in range(5))
_BY_WORD = {  # of what is asked
    **dict.fromkeys(("color", "colors", "colour", "colours"), tuple(COLORS)),
    **dict.fromkeys(("material", "materials", "made"), tuple(MATERIALS)),
    **dict.fromkeys(("shape", "shapes"), ("rectangular", "round", "flat")),
    **dict.fromkeys(("size", "sizes", "large", "big"), ("small", "large")),
    **dict.fromkeys(("weight", "weights", "heavy"), ("light", "heavy")),
    **dict.fromkeys(("state", "states"), ("open", "closed")),
    **dict.fromkeys(("room", "rooms", "where"), ("kitchen", "living room", "bedroom", "bathroom")),
}
_THINGS = ("table", "chair", "book", "mug", "box", "lamp")
_LOOKED_AT = 6  # first words


def plausible_answer(question: str, rng: np.random.Generator) -> str:
    """An answer of the type that the question asks for: yes or no, a small number, or a word of what is asked."""
    said = [word.lower() for word in _WORD.findall(question[:1000])]
    return str(rng.choice(possible_answers(said)))


def possible_answers(said: list[str]) -> tuple[str, ...]:
    """All from which one is drawn, by the words of a question in lower case."""
    if not said or said[0] in _POLAR:
        return ("yes", "no")
    first = said[:_LOOKED_AT]
    if first[:4] == _NUMBER_OF or ("how" in first and {"many", "much", "few"}.intersection(first)):
        return _NUMBERS
    told = next((word for word in (*first, *said) if word in _BY_WORD), None)
    if told is not None:
        return _BY_WORD[told]
    return ("yes", "no") if _POLAR.intersection(first) and first[0] not in ("what", "which", "who") else _THINGS
