"""What questions of one kind are most often answered with: the baseline that knows the answers of a training set alone.

The kind of a question is told by its first words, as in "what color" or "how many": by as many of them, four at most,
as begin enough of the questions that were counted.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from vantage.errors import FormatError
from vantage.files import read_json, write_whole

_VERSION = 1
_MOST_WORDS = 4
_LEAST = 5  # questions that begin with the same words, from which on these are a kind
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


class AnswerPrior:
    """How often each answer was right, by the first words of questions.

    Args:
        counts: by words with blanks between, the empty text for all questions; each of answers.
    """

    def __init__(self, counts: Mapping[str, Mapping[str, int]]) -> None:
        self._counts = counts

    @classmethod
    def of(cls, answered: Iterable[tuple[str, str]]) -> AnswerPrior:
        """Of questions with their right answers."""
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for question, answer in answered:
            for kind in _kinds(question):
                counts[kind][answer.strip()] += 1
        return cls({kind: each for kind, each in counts.items() if not kind or sum(each.values()) >= _LEAST})

    @classmethod
    def read(cls, path: str | Path) -> AnswerPrior:
        """From a file of ``write``.

        Raises:
            FormatError: it cannot be read, or is none.
        """
        document = read_json(Path(path))
        counts = document.get("counts") if isinstance(document, dict) and document.get("version") == _VERSION else None
        if not (isinstance(counts, dict) and all(_is_count(each) for each in counts.values())):
            raise FormatError(f"{path} holds no counts of answers; make it with `vantage episodes prior`")
        return cls(counts)

    def write(self, path: str | Path) -> None:
        """Write it whole, or not at all."""
        counts = {kind: dict(sorted(each.items())) for kind, each in sorted(self._counts.items())}
        write_whole(Path(path), json.dumps({"version": _VERSION, "counts": counts}, indent=1) + "\n")

    @property
    def questions(self) -> int:
        """How many were counted."""
        return sum(self._counts.get("", {}).values())

    @property
    def kinds(self) -> int:
        """How many kinds of question are told apart."""
        return sum(1 for kind in self._counts if kind)

    def guess(self, question: str) -> tuple[str, float]:
        """The commonest answer to questions of its kind, and its share among theirs; nothing where none was counted.

        Of answers that are equally common it is the first in the alphabet.
        """
        for kind in reversed(_kinds(question)):
            known = self._counts.get(kind)
            if known:
                best = min(known, key=lambda answer: (-known[answer], answer))
                return best, known[best] / sum(known.values())
        return "", 0.0


def _kinds(question: str) -> list[str]:
    """The first 0, 1, 2, ... words, in lower case."""
    words = _WORD.findall(question[:1000].lower())[:_MOST_WORDS]
    return [" ".join(words[:count]) for count in range(len(words) + 1)]


def _is_count(value: object) -> bool:
    return isinstance(value, dict) and all(type(count) is int and count > 0 for count in value.values())
