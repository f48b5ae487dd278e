"""The whole grammar: every rule that a pattern may name, those of adjectives included, and the forms of questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from vantage.questions.parsing import (
    alternatives,
    attribute_questions,
    comparisons,
    context,
    fronting,
    modifiers,
    noun_phrases,
    number_questions,
    object_questions,
    place_questions,
    places,
    politeness,
    several_questions,
    use_questions,
    yes_no_questions,
)
from vantage.questions.parsing.descriptions import Either, Has
from vantage.questions.parsing.nouns import LONGEST, name_of
from vantage.questions.parsing.patterns import Alternatives, Chart, Found, Rule, either, rule, table
from vantage.questions.parsing.vocabulary import (
    ATTRIBUTE_NOUNS,
    CHANGE_WORDS,
    COLOR_WORDS,
    INTENSIFIERS,
    MATERIAL_WORDS,
    MORE_WORDS,
    MOST_WORDS,
    OBJECT_WORDS,
    PLACE_NOUNS,
    PREDICATE_STATES,
    SHADES,
    SHAPE_WORDS,
    SIZE_WORDS,
    STATE_WORDS,
    WEIGHT_WORDS,
)

_AS_WEIGHT = 0.05  # "light" is rather a lamp, or said of a color


def _is_weight(chart: Chart, end: int) -> bool:
    """Whether a word that ends there tells a weight: not the "light" of light wood, a light fixture, natural light."""
    if chart.word(end - 1) != "light":
        return True
    before = name_of(chart.words[end - 2 : end - 1]) if end > 1 else None
    if before is not None and before.cost > 0.0:
        return False
    following = [name_of(chart.words[end:last]) for last in range(end + 1, min(end + LONGEST, len(chart.words)) + 1)]
    names = [name for name in following if name is not None]
    return chart.word(end) != "wood" and (not names or any(name.cost == 0.0 for name in names))


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
        for weight, end in chart.entries(WEIGHT_WORDS, start):
            if _is_weight(chart, end):
                yield Found(Has("weight", weight), end, _AS_WEIGHT)
        for attribute, words in (("material", MATERIAL_WORDS), ("state", states)):
            for value, end in chart.entries(words, start):
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


_ADJECTIVES: dict[str, Rule] = {
    "ADJECTIVE": _single(STATE_WORDS),
    "ADJECTIVES": _joined("ADJECTIVE", "ADJECTIVES"),
    "QUALITY": _single(PREDICATE_STATES),
    "QUALITIES": _joined("QUALITY", "QUALITIES"),
}


_HAVE = (
    "have|has|contain|contains|hold|holds|carry|carries|include|includes|store|stores|house|houses|support|supports|"
    "host|hosts|boast|boasts|feature|features|accommodate|accommodates|comprise|comprises|bear|bears|keep|keeps|"
    "sport|sports|own|owns|offer|offers"
)
_HAVE_PHRASES = ("come with", "comes with", "is home to", "have got", "has got", "is equipped with", "are home to")
_SORTS = (*OBJECT_WORDS, "furniture", "piece of furniture")
_FOODS = ("fruit", "fruits", "food", "vegetable", "vegetables", "drink", "drinks", "toy", "toys", "appliance")
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
    **_ADJECTIVES,
    **politeness.RULES,
    **fronting.RULES,
    **context.RULES,
    **modifiers.RULES,
    **comparisons.RULES,
    **noun_phrases.RULES,
    **places.RULES,
    **alternatives.RULES,
    **use_questions.RULES,
    **several_questions.RULES,
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
    "AMONGST": rule(("the|our|my|these|those GROUP", lambda found: found["GROUP"])),
    "OTHER": rule(("else", lambda found: True)),
    "HAVE": table({word: word for word in (*_HAVE.split("|"), *_HAVE_PHRASES)}, True),
    "WRITTEN": table({word: word for word in modifiers.WRITTEN.split("|")}),
    "ATTRIBUTE": table(ATTRIBUTE_NOUNS),
    "CHANGED": table(CHANGE_WORDS),
    "FEATURE": table({word: word for word in ("color", "material", "shape", "size", "state")}, True),
    "MOSTLY": table({**MORE_WORDS, **MOST_WORDS}),
    "NUMERIC": table(_NUMERIC, True),
    "AMOUNT": table(_AMOUNTS, True),
    "WEIGHS": table(
        {"weighs more": ("mass", False), "weighs less": ("mass", True), "weighs the most": ("mass", False)}
    ),
    "FOODS": table({word: word for word in _FOODS}, True),
    "SORTED": table({word: word for word in _SORTS}, True),
    "SURFACE": table({word: word for word in (*_SORTS, "surface", "support", "container", *PLACE_NOUNS)}, True),
}
FORMS = Alternatives(
    form
    for forms in (
        number_questions.FORMS,
        several_questions.FORMS,
        alternatives.FORMS,
        yes_no_questions.FORMS,
        attribute_questions.ATTRIBUTES,
        place_questions.FORMS,
        object_questions.FORMS,
        attribute_questions.PRINTS,
        use_questions.FORMS,
    )
    for form in forms
)
