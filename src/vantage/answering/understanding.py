"""From a text of any kind to a question, or to the reason in words why it was not understood. Takes bounded time."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from vantage.answering.assessment import NOT_UNDERSTOOD, Assessment
from vantage.questions.parsed import ParsedQuestion
from vantage.questions.parsing.parser import parse

LONGEST = 1200  # characters; longer texts are no questions, and are neither read nor remembered


def understood(text: object) -> ParsedQuestion | None:
    """The question that a text asks; None when it was not understood."""
    return _parsed(text) if isinstance(text, str) and len(text) <= LONGEST else None


_parsed = lru_cache(maxsize=256)(parse)  # a search asks the same question at every step


def not_understood(text: object) -> Assessment:
    """Why a text was not understood, in words; the text itself is never repeated."""
    reason = _reason(text)
    if not reason:
        return NOT_UNDERSTOOD
    said = f"I did not understand the question: {reason}."
    return replace(NOT_UNDERSTOOD, text=said, noise=replace(NOT_UNDERSTOOD.noise, explanation=reason))


def _reason(text: object) -> str:
    if not isinstance(text, str):
        return "it is no text"
    if len(text) > LONGEST:
        return f"it has {len(text)} characters, and I read at most {LONGEST}"
    if not text.strip():
        return "it is empty"
    if not all(letter.isprintable() or letter.isspace() for letter in text):
        return "it holds bytes that are no letters"
    if sum(letter.isascii() for letter in text) < 0.9 * len(text):
        return "I only understand English"
    return ""
