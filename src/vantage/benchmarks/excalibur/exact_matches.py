"""Whether an answer is right: exactly for yes and no, within 5 % for counts, in any order for several values.

Of an answer with its reasons, ``<explanation> Answer: <answer>.``, what follows ``Answer:`` counts.
"""

from __future__ import annotations

import math
import re

from vantage.benchmarks.excalibur.question_labels import COUNT, YES_NO
from vantage.benchmarks.judging import words
from vantage.types import Answer, TruthQuestion, Verdict

COUNT_TOLERANCE = 0.05  # share of the right number
_SAID = (Verdict.ANSWERED, Verdict.CORRECTED)
_JOINT = re.compile(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
_LONGEST = 40  # words of an answer; more are a list of guesses
_MARK = "Answer:"
_STANCES = frozenset({"yes", "no"})


def is_right(gold: TruthQuestion, answer: Answer | None) -> bool:
    """Whether an answer says what the gold data say; what was not answered is wrong."""
    if answer is None or answer.verdict not in _SAID:
        return False
    said = answer.text.rpartition(_MARK)[2]
    told = words(said)
    if not 0 < len(told) <= _LONGEST:
        return False
    return any(_agrees(gold.kind, told, said, form) for form in (gold.answer, *gold.accepted))


def _agrees(kind: str, told: tuple[str, ...], said: str, gold: str) -> bool:
    if kind == YES_NO:
        return _STANCES.intersection(told) == set(words(gold))
    if kind == COUNT:
        numbers = {word for word in told if _is_number(word)}
        if len(numbers) != 1 or not _is_number(gold.strip()):
            return False
        right = float(gold)
        return math.isclose(float(numbers.pop()), right, rel_tol=0.0, abs_tol=COUNT_TOLERANCE * right + 1e-9)
    return _values(said) == _values(gold)


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10


def _values(text: str) -> frozenset[tuple[str, ...]]:
    return frozenset(found for found in (words(part) for part in _JOINT.split(text.strip(" ."))) if found)
