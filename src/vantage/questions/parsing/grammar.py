"""The whole grammar: every rule that a pattern may name, and the forms of questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from vantage.questions.parsing import (
    adjectives,
    courtesy,
    forms_numbers,
    forms_which,
    forms_yes_no,
    fronting,
    modifiers,
    noun_phrases,
    places,
    prints,
)
from vantage.questions.parsing.chart import Chart, Found, Rule
from vantage.questions.parsing.patterns import either, pattern, rule, table
from vantage.questions.parsing.vocabulary import ATTRIBUTE_NOUNS, CHANGE_WORDS, THING_WORDS

_HAVE = "have|has|contain|contains|hold|holds|carry|carries|include|includes|store|stores|house|houses|support|supports"
_SORTS = (*THING_WORDS, "furniture", "piece of furniture")
_AMOUNTS = {
    **dict.fromkeys(("equal to", "the same as", "as large as", "identical to", "as high as"), "equal"),
    **{f"{word} than": "more" for word in ("greater", "larger", "higher", "bigger", "more")},
    **{f"{word} than": "fewer" for word in ("less", "smaller", "lower", "fewer")},
}

_AMONG = either(
    *("of", "among", "amongst", "out of", "counting", "considering", "from among", "looking at", "taking", "from"),
    *("with regard to", "comparing", "adding up"),
)


def _placed(source: str) -> Rule:
    """A phrase that the question is about, at the place that was named ahead of it."""

    def read(chart: Chart, start: int) -> Iterator[Found]:
        for found in chart.read(source, start):
            phrase = found.value.narrowed(chart.ahead)
            if phrase is not None:
                yield replace(found, value=phrase)

    return read


def _asked_if(chart: Chart, start: int) -> Iterator[Found]:
    """The word "whether"; nothing at all where a question mark alone shows that something is asked."""
    yield from (Found((), end) for end in chart.after(start, "if", "whether", "that"))
    if chart.sentence.asked:
        yield Found((), start)


def _any(chart: Chart, start: int) -> Iterator[Found]:
    """A mere "any mugs", "anything under the bed"."""
    if chart.word(start) in ("any", "anything") and chart.sentence.asked:
        yield from chart.read("GROUP", start)


RULES: dict[str, Rule] = {
    **adjectives.RULES,
    **courtesy.RULES,
    **fronting.RULES,
    **modifiers.RULES,
    **noun_phrases.RULES,
    **places.RULES,
    **prints.RULES,
    "SUBJECT": _placed("NP"),
    "GROUP": _placed("NPS"),
    "BARE": _placed("NOUN"),
    "IF": _asked_if,
    "ANY": _any,
    "AMONG": rule(
        (f"{_AMONG} [all] [of] [both] GROUP [together] [,]", lambda found: replace(found["GROUP"], determiner="the")),
    ),
    "OTHER": rule(("else", lambda found: True)),
    "HAVE": table({word: word for word in _HAVE.split("|")}),
    "WRITTEN": table({word: word for word in prints.WRITTEN.split("|")}),
    "ATTRIBUTE": table(ATTRIBUTE_NOUNS),
    "CHANGED": table(CHANGE_WORDS),
    "NUMERIC": table({"more": "more", "fewer": "fewer", "less": "fewer"}),
    "AMOUNT": table(_AMOUNTS),
    "WEIGHS": table(
        {"weighs more": ("mass", False), "weighs less": ("mass", True), "weighs the most": ("mass", False)}
    ),
    "SORTED": table({word: word for word in _SORTS}),
    "SURFACE": table({word: word for word in (*_SORTS, "surface", "place", "spot", "support", "container")}),
}
FORMS = [(pattern(text), build) for text, build in (*forms_numbers.FORMS, *forms_yes_no.FORMS, *forms_which.FORMS)]
