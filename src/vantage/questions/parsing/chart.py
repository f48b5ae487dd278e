"""A chart: every rule at every token is worked out once, and of several readings of a span the cheapest is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from vantage.questions.parsing.descriptions import Modifier
from vantage.questions.parsing.tokens import Sentence

_LONGEST_PHRASE = 7  # words of an entry in a table


@dataclass(frozen=True)
class Found:
    """What a rule makes of the tokens up to ``end``; the higher ``cost`` is, the less likely it was meant."""

    value: Any
    end: int
    cost: float = 0.0


Rule = Callable[["Chart", int], Iterable[Found]]


class Chart:
    """The readings of one sentence by a set of named rules, which may refer to each other.

    ``ahead`` is what was said of the things in question before it began: "On the table, ...".
    """

    def __init__(self, sentence: Sentence, rules: Mapping[str, Rule], ahead: tuple[Modifier, ...] = ()) -> None:
        self.sentence = sentence
        self.ahead = ahead
        self.words = tuple(token.word for token in sentence.tokens)
        self._rules = rules
        self._known: dict[tuple[str, int], tuple[Found, ...]] = {}

    def read(self, rule: str, start: int) -> tuple[Found, ...]:
        """Readings of a rule from a token on, one for each end, short ones first."""
        key = (rule, start)
        if key not in self._known:
            self._known[key] = ()  # a rule that comes back to itself without reading anything finds nothing
            best: dict[int, Found] = {}
            for found in self._rules[rule](self, start):
                if found.end not in best or found.cost < best[found.end].cost:
                    best[found.end] = found
            self._known[key] = tuple(best[end] for end in sorted(best))
        return self._known[key]

    def word(self, index: int) -> str:
        """The word at a token; empty behind the last one and at quotations."""
        return self.words[index] if 0 <= index < len(self.words) else ""

    def after(self, start: int, *phrases: str) -> Iterator[int]:
        """Where each of the phrases that stand at ``start`` ends; the empty phrase always does."""
        for phrase in phrases:
            words = tuple(phrase.split())
            if self.words[start : start + len(words)] == words:
                yield start + len(words)

    def entries(self, table: Mapping[str, Any], start: int) -> Iterator[tuple[Any, int]]:
        """The meanings in a table of the words from ``start`` on, each with its end, long phrases first."""
        for end in range(min(start + _LONGEST_PHRASE, len(self.words)), start, -1):
            phrase = " ".join(self.words[start:end])
            if phrase in table:
                yield table[phrase], end

    def skip(self, start: int, words: frozenset[str]) -> int:
        """The first token from ``start`` on that is none of the words."""
        while self.word(start) in words:
            start += 1
        return start
