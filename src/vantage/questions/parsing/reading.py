"""What a sentence asks: its cheapest reading by the grammar, with or without the courtesy around it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain

from vantage.questions.parsing import courtesy, fronting
from vantage.questions.parsing.chart import Chart
from vantage.questions.parsing.grammar import FORMS, RULES
from vantage.questions.parsing.noun_phrases import Phrase
from vantage.questions.parsing.patterns import Captures, matches
from vantage.questions.parsing.tokens import Sentence
from vantage.questions.programs import Count, Program, Query, Verify, VerifyRelation

_PADDED = 0.3  # leaving words out costs


@dataclass(frozen=True)
class Reading:
    """A program, the number that is claimed of what it is about, and how unlikely it is that this was meant."""

    program: Program
    number: int | None
    cost: float


def read(sentence: Sentence) -> Reading | None:
    """The cheapest reading of a sentence; None when it is no question that the grammar knows."""
    found = _without_courtesy(sentence)
    if found is not None and not found.cost:
        return found
    tokens = courtesy.unpadded(sentence.tokens)
    if 0 < len(tokens) < len(sentence.tokens):
        plain = _without_courtesy(replace(sentence, tokens=tokens))
        if plain is not None and (found is None or plain.cost + _PADDED < found.cost):
            return plain
    return found


def _without_courtesy(sentence: Sentence) -> Reading | None:
    """The cheapest reading of what is left when courtesy is taken off either end."""
    found: list[Reading] = []
    for start, end in courtesy.cores(Chart(sentence, RULES)):
        asked = sentence.asked or end - start < len(sentence.tokens)
        chart = Chart(replace(sentence, tokens=sentence.tokens[start:end], asked=asked), RULES)
        reading = _cheapest(chart) or _rearranged(chart)
        if reading is not None:
            found.append(reading)
            if not reading.cost:
                break
    return min(found, key=lambda reading: reading.cost, default=None)


def _rearranged(chart: Chart) -> Reading | None:
    """The reading of a sentence that does not begin with its question."""
    turned = (_cheapest(Chart(moved, RULES)) for moved in fronting.turned(chart))
    referred = (read(moved) for moved in fronting.topics(chart))
    placed = (_cheapest(Chart(rest, RULES, ahead)) for rest, ahead in fronting.placed(chart))
    return next((found for found in chain(turned, referred, placed) if found), None)


def _cheapest(chart: Chart) -> Reading | None:
    """The cheapest reading of all tokens."""
    best: Reading | None = None
    for end, cost, captures, build in matches(FORMS, chart, 0):
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
