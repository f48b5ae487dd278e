"""A question as it may go into a prompt: one line of text, of bounded length, that cannot end its own marks."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

MOST_CHARACTERS = 1000  # far beyond any question, and too little to bury a prompt
_TAG = re.compile(r"<(?=\s*/?\s*[^\W\d])")  # begins a mark; "x < 3" does not
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]?")  # what colors a terminal
_NO_TEXT = ("Cc", "Cf", "Cs", "Co", "Cn")  # Unicode categories: control characters, halves of pairs, unassigned


@dataclass(frozen=True)
class PromptQuestion:
    """
    Attributes:
        text: what is sent; empty where there is nothing to ask.
        note: what was changed, a sentence; empty where nothing was.
    """

    text: str
    note: str = ""


def prompt_question(text: str) -> PromptQuestion:
    """A question without line breaks, control characters and marks, cut to ``MOST_CHARACTERS``.

    Signs that are others in another width or style become those first (Unicode NFKC): a model reads them as the same.
    """
    cut = text[: 4 * MOST_CHARACTERS]  # blanks and marks of a long text need no cleaning
    clean = _plain(unicodedata.normalize("NFKC", cut))
    asked = " ".join(_TAG.sub(" ", clean).split())
    if not any(unicodedata.category(sign)[0] in "LN" for sign in re.sub(r"</?question>", "", clean)):
        return PromptQuestion("", "The question holds no words.")
    notes = []
    if len(asked) > MOST_CHARACTERS or len(text) > len(cut):
        asked = asked[:MOST_CHARACTERS]
        notes.append(f"Only the first {MOST_CHARACTERS} characters of the question were read.")
    if any(_is_no_text(sign) and not sign.isspace() for sign in cut):
        notes.append("Characters of the question that are no text were left out.")
    if _TAG.search(clean):
        notes.append("Marks in the question that might end it for the model were left out.")
    return PromptQuestion(asked, " ".join(notes))


def one_line(text: str, most: int) -> str:
    """What a model said, as one line of at most so many characters, without control characters."""
    clean = _plain(text[: 4 * most])
    return clean if len(clean) <= most else f"{clean[: most - 3].rstrip()}..."


def _plain(text: str) -> str:
    """One line, without what is no text."""
    return " ".join("".join(" " if _is_no_text(sign) else sign for sign in _ESCAPE.sub(" ", text)).split())


def _is_no_text(sign: str) -> bool:
    return unicodedata.category(sign) in _NO_TEXT
