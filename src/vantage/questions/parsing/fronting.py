"""What stands ahead of a question or behind it, put where the grammar expects it.

"From the door, is ..." becomes "is ... from the door", "The backpack, what color is it?" becomes "what color is the
backpack?", and of "On the table, how many ..." the place is said of what the rest asks about.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from vantage.questions.parsing.chart import Chart, Rule
from vantage.questions.parsing.descriptions import Modifier
from vantage.questions.parsing.patterns import either, rule
from vantage.questions.parsing.tokens import Sentence, Token

_PRONOUNS = frozenset({"it", "they", "them", "this", "these", "those"})
_POSSESSIVES = frozenset({"its", "their"})
_I = "i|we"
_MENTIONS = either(
    "[what] about",
    "regarding|concerning|consider|see",
    "( as for | with regard to | regards | speaking of | talking about | think of | look at | back to )",
    f"[{_I}] can [not|n't] ( find|see|spot|locate|remember | recall )",
    f"{_I} ( do [n't|not] | can [n't|not] | ) [seem to] ( find|see|remember|know|recall|forget|recognize )",
    f"{_I} ( have | am | are | was | were | ) [just|still|always] ( lost|forgot|forgotten|misplaced|missed|missing )",
    f"{_I} am|was|are|were [still] ( looking|searching for | thinking|wondering|asking about | after )",
    f"{_I} ( have | have got | own|need|want|bought|see|like|found|mean|remember )",
    "( there is|are | here is|are | you [can] see | this|that is )",
)
_REGARDING = either("looking|look at", "considering|consider|given|among|counting|with|of|take|taking")

RULES: dict[str, Rule] = {
    "MENTION": rule((_MENTIONS, lambda found: True)),
    # What may be left to the question to ask: a thing, or one of its attributes.
    "TOPIC": rule(
        ("NP", lambda found: True), ("NP and NP2", lambda found: True), ("the ATTRIBUTE of NP", lambda found: True)
    ),
    # Belongs behind the question.
    "BEHIND": rule(
        ("VIEW", lambda found: True),
        ("CLASS", lambda found: True),
        ("COMPARED ONE", lambda found: True),
        ("BESIDES ONE", lambda found: True),
    ),
    "AHEAD": rule(
        ("PLACE", lambda found: found["PLACE"]),
        ("PLACE [,] PLACE2", lambda found: (*found["PLACE"], *found["PLACE2"])),
        (
            f"[{_REGARDING}] [only|just] [all|everything|anything] that|what|which is PLACE",
            lambda found: found["PLACE"],
        ),
        (f"{_REGARDING} [only|just] [all|everything|the THING] PLACE", lambda found: found["PLACE"]),
    ),
}


def turned(chart: Chart) -> Iterator[Sentence]:
    """What belongs behind a question and stands ahead of it, moved there."""
    tokens = chart.sentence.tokens
    for found in chart.read("BEHIND", 0):
        if chart.word(found.end) == ",":
            moved = (*tokens[found.end + 1 :], tokens[found.end], *tokens[: found.end])
            yield replace(chart.sentence, tokens=moved)


def topics(chart: Chart) -> Iterator[Sentence]:
    """What a pronoun stands for, named ahead of the question or behind it, put in the place of the pronoun."""
    tokens = chart.sentence.tokens
    if "," not in chart.words or not (_PRONOUNS | _POSSESSIVES).intersection(chart.words):
        return
    for begin in (*(found.end for found in chart.read("MENTION", 0)), 0):
        for found in chart.read("TOPIC", begin):
            if chart.word(found.end) == ",":
                yield from _referred(chart, found.end + 1, len(tokens), tokens[begin : found.end])
    for comma in (index for index, word in enumerate(chart.words) if word == ","):
        if any(found.end == len(tokens) for found in chart.read("NP", comma + 1)):
            yield from _referred(chart, 0, comma, tokens[comma + 1 :])


def _referred(chart: Chart, start: int, end: int, topic: tuple[Token, ...]) -> Iterator[Sentence]:
    tokens = chart.sentence.tokens
    for at in range(start, end):
        if chart.words[at] in _PRONOUNS | _POSSESSIVES:
            owner = (replace(tokens[at], word="'s"),) if chart.words[at] in _POSSESSIVES else ()
            moved = (*tokens[start:at], *topic, *owner, *tokens[at + 1 : end])
            yield replace(chart.sentence, tokens=moved)
            return


def placed(chart: Chart) -> Iterator[tuple[Sentence, tuple[Modifier, ...]]]:
    """A question behind the place that it is about, and what that says: "On the table, how many mugs are there?"."""
    for found in reversed(chart.read("AHEAD", 0)):
        start = found.end + (chart.word(found.end) == ",")
        yield replace(chart.sentence, tokens=chart.sentence.tokens[start:]), found.value
