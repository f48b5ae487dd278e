"""The whole grammar: every rule that a pattern may name, and the forms of questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from vantage.questions.parsing import adjectives, fronting, modifiers, noun_phrases, places, prints
from vantage.questions.parsing import number_questions as forms_numbers
from vantage.questions.parsing import politeness as courtesy
from vantage.questions.parsing import wh_questions as forms_which
from vantage.questions.parsing import yes_no_questions as forms_yes_no
from vantage.questions.parsing.patterns import Chart, Found, Rule, either, pattern, rule, table
from vantage.questions.parsing.vocabulary import (
    ATTRIBUTE_NOUNS,
    CHANGE_WORDS,
    MORE_WORDS,
    MOST_WORDS,
    PLACE_NOUNS,
    THING_WORDS,
)

_HAVE = (
    "have|has|contain|contains|hold|holds|carry|carries|include|includes|store|stores|house|houses|support|supports|"
    "host|hosts|boast|boasts|feature|features|accommodate|accommodates|comprise|comprises|bear|bears|keep|keeps|"
    "sport|sports|own|owns|offer|offers"
)
_HAVE_PHRASES = ("come with", "comes with", "is home to", "have got", "has got", "is equipped with", "are home to")
_SORTS = (*THING_WORDS, "furniture", "piece of furniture")
_AMOUNTS = {
    **dict.fromkeys(("equal to", "the same as", "as large as", "identical to", "as high as"), "equal"),
    **{f"{word} than": "more" for word in ("greater", "larger", "higher", "bigger", "more")},
    **{f"{word} than": "fewer" for word in ("less", "smaller", "lower", "fewer")},
}

_NUMERIC = {
    **dict.fromkeys(("more", "any more"), "more"),
    **dict.fromkeys(("fewer", "less", "any fewer"), "fewer"),
    **{f"a {word} number of": "more" for word in ("greater", "larger", "higher", "bigger")},
    **{f"a {word} number of": "fewer" for word in ("smaller", "lower", "lesser")},
}

_AMONG = either(
    *("of", "among", "amongst", "out of", "counting", "considering", "from among", "looking at", "taking", "from"),
    *("with regard to", "comparing", "adding up", "taken from"),
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


def _indefinite(chart: Chart, start: int) -> Iterator[Found]:
    """A group that is not taken for granted: "a mug", "any mugs", "mugs"."""
    yield from (found for found in chart.read("GROUP", start) if found.value.determiner in ("", "a"))


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
    "ANYGROUP": _indefinite,
    "AMONG": rule(
        (
            f"{_AMONG} [all] [of] [both] GROUP [together] [,]",
            lambda found: replace(found["GROUP"], determiner="the", number=None),
        ),
    ),
    "OTHER": rule(("else", lambda found: True)),
    "HAVE": table({word: word for word in (*_HAVE.split("|"), *_HAVE_PHRASES)}),
    "WRITTEN": table({word: word for word in prints.WRITTEN.split("|")}),
    "ATTRIBUTE": table(ATTRIBUTE_NOUNS),
    "CHANGED": table(CHANGE_WORDS),
    "FEATURE": table({word: word for word in ("color", "material", "shape", "size", "state")}),
    "MOSTLY": table({**MORE_WORDS, **MOST_WORDS}),
    "NUMERIC": table(_NUMERIC),
    "AMOUNT": table(_AMOUNTS),
    "WEIGHS": table(
        {"weighs more": ("mass", False), "weighs less": ("mass", True), "weighs the most": ("mass", False)}
    ),
    "SORTED": table({word: word for word in _SORTS}),
    "SURFACE": table({word: word for word in (*_SORTS, "surface", "support", "container", *PLACE_NOUNS)}),
}
FORMS = [(pattern(text), build) for text, build in (*forms_numbers.FORMS, *forms_yes_no.FORMS, *forms_which.FORMS)]
