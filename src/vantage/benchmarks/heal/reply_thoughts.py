"""What a model thought before it replied: whether it noticed that something is not there, and went on all the same."""

from __future__ import annotations

import re
from collections.abc import Iterable

from vantage.goals import kind_of

_SENTENCE = re.compile(r"[.!?\n;]+")
_ABSENT = re.compile(
    r"\b(?:no|not|n['’]t|isn['’]t|aren['’]t|without|missing|absent|lacks?|cannot|can['’]t|none|neither|unavailable|"
    r"doesn['’]t|don['’]t|wasn['’]t)\b",
    re.IGNORECASE,
)
_MOST_TEXT = 50_000  # characters
_MOST_SENTENCES = 5_000


def notices(thoughts: str, absent: Iterable[str]) -> bool:
    """Whether a sentence of the thoughts names something absent and says that something is not so."""
    words = [re.compile(rf"\b{re.escape(kind_of(name))}(?:e?s)?\b".replace("_", r"[\s_]")) for name in absent]
    if not words:
        return False
    for sentence in _SENTENCE.split(thoughts[-_MOST_TEXT:])[:_MOST_SENTENCES]:
        if _ABSENT.search(sentence) and any(word.search(sentence.lower()) for word in words):
            return True
    return False
