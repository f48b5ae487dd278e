"""What a sentence asks: its cheapest reading by the grammar, with or without the courtesy around it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from vantage.questions.parsing import courtesy
from vantage.questions.parsing.chart import Chart
from vantage.questions.parsing.grammar import FORMS, RULES
from vantage.questions.parsing.noun_phrases import Phrase
from vantage.questions.parsing.patterns import Captures, matches
from vantage.questions.parsing.tokens import Sentence
from vantage.questions.programs import Count, Program, Query, Verify, VerifyRelation


@dataclass(frozen=True)
class Reading:
    """A program, the number that is claimed of what it is about, and how unlikely it is that this was meant."""

    program: Program
    number: int | None
    cost: float


def read(sentence: Sentence) -> Reading | None:
    """The cheapest reading of a sentence; None when it is no question that the grammar knows."""
    whole = Chart(sentence, RULES)
    found: list[Reading] = []
    for start, end in courtesy.cores(whole):
        asked = sentence.asked or end - start < len(sentence.tokens)
        found += _readings(replace(sentence, tokens=sentence.tokens[start:end], asked=asked))
        if found and not found[-1].cost:
            break
    return min(found, key=lambda reading: reading.cost, default=None)


def _readings(sentence: Sentence) -> Iterator[Reading]:
    """The cheapest reading as it stands, or else with what stands ahead of the question."""
    chart = Chart(sentence, RULES)
    plain = _cheapest(chart, 0)
    found = [plain] if plain else [*_behind_view(sentence, chart), *_behind_place(sentence, chart)]
    yield from found[:1]


def _cheapest(chart: Chart, start: int) -> Reading | None:
    """The cheapest reading of all tokens from ``start`` on."""
    best: Reading | None = None
    for end, cost, captures, build in matches(FORMS, chart, start):
        if end == len(chart.words) and (best is None or cost < best.cost):
            program = build({**captures, "AHEAD": chart.ahead})
            if program is not None:
                best = Reading(program, _number(program, captures), cost)
    return best


def _number(program: Program, captures: Captures) -> int | None:
    """The number said of what a program is about."""
    about = captures.get("SUBJECT", captures.get("GROUP"))
    if isinstance(program, Count):
        about = captures.get("GROUP", about)
    elif not isinstance(program, (Query, Verify, VerifyRelation)):
        return None
    return about.claimed if isinstance(about, Phrase) else None


def _behind_view(sentence: Sentence, chart: Chart) -> Iterator[Reading]:
    """A question behind words on where it is seen from, which belong behind its sides: "From the door, is ..."."""
    tokens = sentence.tokens
    for view in chart.read("VIEW", 0):
        if chart.word(view.end) == ",":
            turned = (*tokens[view.end + 1 :], tokens[view.end], *tokens[: view.end])
            found = _cheapest(Chart(replace(sentence, tokens=turned), RULES), 0)
            if found is not None:
                yield found


def _behind_place(sentence: Sentence, chart: Chart) -> Iterator[Reading]:
    """A question behind the place that it is about: "On the table, how many mugs are there?"."""
    for ahead in reversed(chart.read("AHEAD", 0)):
        start = ahead.end + (chart.word(ahead.end) == ",")
        found = _cheapest(Chart(sentence, RULES, ahead.value), start)
        if found is not None:
            yield found
