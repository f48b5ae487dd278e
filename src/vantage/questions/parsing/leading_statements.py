"""Statements ahead of a question: "My wife says we own two umbrellas; how many are there?".

What a statement claims is not believed. It tells what "it" and "how many of them" are about, and where the things
are that the question is about where that says the same of them; the rest is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from vantage.questions.parsing.chart import Chart
from vantage.questions.parsing.descriptions import Modifier
from vantage.questions.parsing.noun_phrases import Phrase
from vantage.questions.parsing.tokens import Sentence, Token

_SPEAKERS = frozenset(["i", "we", "he", "she", "they", "somebody", "someone", "everybody", "everyone", "people"])
_OWNERS = frozenset({"my", "our"})
_SAYING = frozenset(
    [
        "says",
        "say",
        "said",
        "claims",
        "claim",
        "swears",
        "insists",
        "thinks",
        "believes",
        "reckons",
        "told",
        "lists",
        "mentions",
        "states",
    ]
)
# With these a statement may say how the question is to be taken, or give an order.
_BINDING = frozenset(
    [
        "you",
        "your",
        "yourself",
        "instructions",
        "prompt",
        "ignore",
        "pretend",
        "disregard",
        "care",
        "mean",
        "talking",
        "question",
        "answer",
        "about",
    ]
)
_REST_WORDS = 3  # of a statement behind the thing that it is about
_LINKS = frozenset({"but", "so", "and", "then", "now", "yet", "tell", "me", "please", "exactly", "really", ","})
_TIMES = frozenset(
    [
        "last",
        "time",
        "yesterday",
        "earlier",
        "before",
        "once",
        "originally",
        "previously",
        "usually",
        "normally",
        "week",
        "month",
    ]
)
_THERE = frozenset({"it", "them", "there"})
_WITHIN = frozenset({"in", "on", "inside", "under", "at"})


@dataclass(frozen=True)
class Lead:
    """A question behind a statement, and the things that the statement is about, if it names any."""

    question: Sentence
    about: Phrase | None = None

    @property
    def place(self) -> tuple[Modifier, ...]:
        """Where the things are, by the statement."""
        return self.about.description.whereabouts if self.about is not None else ()


def leads(chart: Chart) -> Iterator[Lead]:
    """The questions behind the statement that a sentence begins with."""
    tokens = chart.sentence.tokens
    for comma in (index for index, word in enumerate(chart.words) if word == ","):
        if not _is_statement(chart.words[:comma]):
            continue
        question = tokens[comma + 1 :]
        named = list(_named(chart, comma))
        for begin, end, _ in named[:2]:
            yield from (
                Lead(replace(chart.sentence, tokens=moved))
                for moved in _put_in(tokens[begin:end], question, tokens[comma])
            )
        about = next((phrase for _, end, phrase in named if end == comma), None)
        yield Lead(replace(chart.sentence, tokens=question), about)


def _is_statement(words: tuple[str, ...]) -> bool:
    if words[:3] == ("you", "told", "me") or words[:2] == ("you", "said"):
        words = ("i", *words[2:])
    if len(words) < 2 or _BINDING.intersection(words):
        return False
    words = words[next((at for at, word in enumerate(words) if word not in _TIMES), 0) :]
    if words[0] == "there" or words[0] in _SPEAKERS or words[0] in _OWNERS:
        return True
    return words[0] == "the" and bool(_SAYING.intersection(words[2:4]))


def _named(chart: Chart, comma: int) -> Iterator[tuple[int, int, Phrase]]:
    """The things that a statement names, those first that are named last word by last word."""
    first = 3 if chart.word(0) in _OWNERS | {"the"} else 1
    for rest in range(_REST_WORDS + 1):
        for begin in range(first, comma - rest):
            for found in chart.read("NPS", begin):
                told = found.value.determiner or found.value.number is not None
                if found.end == comma - rest and told:
                    yield begin, found.end, found.value


def _put_in(topic: tuple[Token, ...], question: tuple[Token, ...], comma: Token) -> Iterator[tuple[Token, ...]]:
    """A question that leaves its things unsaid, with them said: "how many are there" is "of these, how many ..."."""
    words = [token.word for token in question]
    begin = next((index for index, word in enumerate(words) if word not in _LINKS), len(words))
    if words[begin : begin + 2] == ["how", "many"]:
        yield (replace(comma, word="of"), *topic, comma, *question[begin:])
    if "it" in words:
        at = words.index("it")
        yield (*question[:at], *topic, *question[at + 1 :])


def there_left_out(sentence: Sentence) -> Sentence:
    """A question without "in it" or "on there", where the place is known."""
    tokens = sentence.tokens
    for at in range(1, len(tokens)):
        if tokens[at].word in _THERE and tokens[at - 1].word in _WITHIN:
            return replace(sentence, tokens=(*tokens[: at - 1], *tokens[at + 1 :]))
    return sentence
