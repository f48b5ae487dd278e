"""Adjectives before nouns and behind "is"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from vantage.questions.parsing.descriptions import Either, Has
from vantage.questions.parsing.patterns import Chart, Found, Rule
from vantage.questions.parsing.vocabulary import (
    COLOR_WORDS,
    INTENSIFIERS,
    MATERIAL_WORDS,
    PREDICATE_STATES,
    SHADES,
    SHAPE_WORDS,
    SIZE_WORDS,
    STATE_WORDS,
)


def _single(states: Mapping[str, str]) -> Rule:
    def read(chart: Chart, first: int) -> Iterator[Found]:
        start = chart.skip(first, INTENSIFIERS)
        color_at = start + (chart.word(start) in SHADES)
        for color, end in chart.entries(COLOR_WORDS, color_at):
            for last in chart.after(end, "", "colored", "in color"):
                yield Found(Has("color", color), last)
            for last in chart.after(end, "color"):
                yield Found(Has("color", color), last, 0.2)
        for shape, end in chart.entries(SHAPE_WORDS, start):
            for last in chart.after(end, "", "shaped", "in shape"):
                yield Found(Has("shape", shape), last)
        for size, end in chart.entries(SIZE_WORDS, start):
            for last in chart.after(end, "", "sized", "in size"):
                yield Found(Has("size", size), last)
        for attribute, table in (("material", MATERIAL_WORDS), ("state", states)):
            for value, end in chart.entries(table, start):
                yield Found(Has(attribute, value), end)

    return read


def _joined(single: str, several: str) -> Rule:
    """One, several of one attribute with "or", or several attributes with "and" or a comma; a tuple of modifiers."""

    def read(chart: Chart, start: int) -> Iterator[Found]:
        begin = max(chart.after(start, "", "both", "either"))
        for first in chart.read(single, begin):
            yield Found((first.value,), first.end, first.cost)
            for end in chart.after(first.end, "or", ", or", "or a", "or an"):
                for second in chart.read(single, end):
                    if second.value.attribute == first.value.attribute:
                        yield Found((Either((first.value, second.value)),), second.end, first.cost + second.cost)
            for end in chart.after(first.end, ","):
                for rest in chart.read(several, end):
                    if len(rest.value) == 1 and isinstance(rest.value[0], Either):
                        choices = (first.value, *rest.value[0].choices)
                        if len({getattr(item, "attribute", "") for item in choices}) == 1:
                            yield Found((Either(choices),), rest.end, first.cost + rest.cost)
            for end in chart.after(first.end, "and", ",", ", and", "and also"):
                for rest in chart.read(several, end):
                    attributes = [item.attribute for item in (first.value, *rest.value) if isinstance(item, Has)]
                    if len(set(attributes)) == len(attributes) == len(rest.value) + 1:
                        yield Found((first.value, *rest.value), rest.end, first.cost + rest.cost)

    return read


RULES: dict[str, Rule] = {
    "ADJECTIVE": _single(STATE_WORDS),
    "ADJECTIVES": _joined("ADJECTIVE", "ADJECTIVES"),
    "QUALITY": _single(PREDICATE_STATES),
    "QUALITIES": _joined("QUALITY", "QUALITIES"),
}
