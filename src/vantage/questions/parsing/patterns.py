"""Rules written as patterns: ``"is|are there SET [PLACE]"`` with a function that makes something of what was read.

``a|b`` is either word, ``( a b | c )`` is either phrase, ``[a b | c]`` may be missing, and a name in capitals is what
the rule of that name reads; a number behind it tells two of them apart.

A ``Chart`` works out every rule at every token once, and keeps the cheapest of several readings of a span.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
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

    ``ahead`` is what was said of the objects in question before it began: "On the table, ...".
    """

    def __init__(self, sentence: Sentence, rules: Mapping[str, Rule], ahead: tuple[Modifier, ...] = ()) -> None:
        self.sentence = sentence
        self.ahead = ahead
        self.words = tuple(token.word for token in sentence.tokens)
        self.padded = (*self.words, "")  # as patterns look at them: behind the last one there is no word
        self.rules = rules
        self._known: dict[tuple[str, int], tuple[Found, ...]] = {}

    def read(self, rule: str, start: int) -> tuple[Found, ...]:
        """Readings of a rule from a token on, one for each end, short ones first."""
        key = (rule, start)
        if key not in self._known:
            self._known[key] = ()  # a rule that comes back to itself without reading anything finds nothing
            best: dict[int, Found] = {}
            for found in self.rules[rule](self, start):
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


Captures = dict[str, Any]
Build = Callable[[Captures], Any]
_Read = tuple[int, float, tuple[tuple[str, Any], ...]]  # end, cost, what the rules read


@dataclass(frozen=True)
class Pattern:
    """A pattern made ready.

    Attributes:
        first: the words that it can begin with, None when it can begin with anything.
        match: where it can end, and what was read on the way there.
        empty: it matches nothing at all, too.
        word: it is one of the words of ``first`` and nothing else.
    """

    first: frozenset[str] | None
    match: Callable[[Chart, int], Iterator[_Read]]
    empty: bool = False
    word: bool = False

    def fits(self, word: str) -> bool:
        """Whether it may match where this word stands."""
        return self.empty or self.first is None or word in self.first


_LITERALS: set[str] = set()


def literals() -> frozenset[str]:
    """Every word that a pattern made so far names itself."""
    return frozenset(_LITERALS)


def pattern(text: str) -> Pattern:
    """Make a pattern ready."""
    symbols = text.replace("[", " [ ").replace("]", " ] ").split()
    parts, end = _sequence(symbols, 0)
    if end < len(symbols):
        raise ValueError(f"the pattern '{text}' has a bracket too many; remove '{symbols[end]}'")
    return parts


def either(*phrases: str) -> str:
    """One of several phrases, as part of a pattern."""
    return f"( {' | '.join(phrases)} )"


class Alternatives:
    """Patterns, each with what is made of it, by the word with which they can begin."""

    def __init__(self, alternatives: Iterable[tuple[str, Build]]) -> None:
        self._all = [(pattern(text), build) for text, build in alternatives]
        self._fitting: dict[str, list[tuple[Pattern, Build]]] = {}
        self._words = frozenset().union(*(one.first or () for one, _ in self._all))

    def matches(self, chart: Chart, start: int) -> Iterator[tuple[int, float, Captures, Build]]:
        """Every way in which one of the patterns matches from a token on."""
        word = chart.word(start)
        key = word if word in self._words else ""  # words that no pattern names are alike
        if key not in self._fitting:
            self._fitting[key] = [(one, build) for one, build in self._all if one.fits(word)]
        for one, build in self._fitting[key]:
            for end, cost, captures in one.match(chart, start):
                yield end, cost, dict(captures), build


def rule(*alternatives: tuple[str, Build]) -> Rule:
    """A rule of the chart from patterns and what is made of them; where that is None, nothing was read."""
    ready = Alternatives(alternatives)

    def read(chart: Chart, start: int) -> Iterator[Found]:
        for end, cost, captures, build in ready.matches(chart, start):
            value = build(captures)
            if value is not None:
                yield Found(value, end, cost)

    return read


def dearer(cost: float, name: str) -> Rule:
    """What another rule reads, at a higher cost."""

    def read(chart: Chart, start: int) -> Iterator[Found]:
        for found in chart.read(name, start):
            yield replace(found, cost=found.cost + cost)

    return read


def table(words: Mapping[str, Any], of_form: bool = False) -> Rule:
    """A rule that reads an entry of a table, and gives its meaning; ``of_form``: entries only build sentences."""
    if of_form:
        _LITERALS.update(word for phrase in words for word in phrase.split())

    def read(chart: Chart, start: int) -> Iterator[Found]:
        for value, end in chart.entries(words, start):
            yield Found(value, end)

    return read


def _sequence(symbols: list[str], at: int) -> tuple[Pattern, int]:
    """What stands from a symbol on, and where it ends: at the end of all or of what the brackets around it hold."""
    parts: list[Pattern] = []
    while at < len(symbols) and symbols[at] not in ("]", ")", "|"):
        symbol = symbols[at]
        at += 1
        if symbol in ("[", "("):
            choices: list[Pattern] = []
            mark = "|"
            while mark == "|":
                inner, at = _sequence(symbols, at)
                choices.append(inner)
                mark = symbols[at]
                at += 1
            parts.append(_choice([*choices, _chain([])] if symbol == "[" else choices))
        elif symbol[0].isupper():
            parts.append(_named(symbol))
        else:
            words = symbol.split("|")
            _LITERALS.update(words)
            parts.append(_words(frozenset(words)))
    return _chain(parts), at


def _words(words: frozenset[str]) -> Pattern:
    def match(chart: Chart, start: int) -> Iterator[_Read]:
        if chart.padded[start] in words and start < len(chart.words):
            yield start + 1, 0.0, ()

    return Pattern(words, match, word=True)


def _named(name: str) -> Pattern:
    read = name.rstrip("0123456789")
    if not read.isalpha() or not read.isupper():
        raise ValueError(f"'{name}' is no name of a rule; write rules in capitals and choices of rules in brackets")

    def match(chart: Chart, start: int) -> Iterator[_Read]:
        for found in chart.read(read, start):
            yield found.end, found.cost, ((name, found.value),)

    return Pattern(None, match)


def _choice(choices: list[Pattern]) -> Pattern:
    fitting: dict[str, list[Pattern]] = {}

    def match(chart: Chart, start: int) -> Iterator[_Read]:
        word = chart.padded[start]
        key = word if word in _LITERALS else ""  # words that no pattern names are alike
        if key not in fitting:
            fitting[key] = [choice for choice in choices if choice.fits(word)]
        for choice in fitting[key]:
            yield from choice.match(chart, start)

    return Pattern(_any_of([choice.first for choice in choices]), match, any(choice.empty for choice in choices))


def _any_of(firsts: list[frozenset[str] | None]) -> frozenset[str] | None:
    known = [first for first in firsts if first is not None]
    return frozenset().union(*known) if len(known) == len(firsts) else None


def _chain(parts: list[Pattern]) -> Pattern:
    words = [part.first if part.word else None for part in parts]
    most = len(parts)

    def match(chart: Chart, start: int, index: int = 0) -> Iterator[_Read]:
        while index < most:
            wanted = words[index]
            if wanted is None:
                break
            if start >= len(chart.words) or chart.words[start] not in wanted:
                return
            start, index = start + 1, index + 1
        if index == most:
            yield start, 0.0, ()
        elif index == most - 1:
            yield from parts[index].match(chart, start)
        elif parts[index].fits(chart.padded[start]):
            for end, cost, captures in parts[index].match(chart, start):
                for last, more, others in match(chart, end, index + 1):
                    yield last, cost + more, captures + others

    needed = next((index for index, part in enumerate(parts) if not part.empty), None)
    begin = parts if needed is None else parts[: needed + 1]
    return Pattern(_any_of([part.first for part in begin]), match, needed is None)
