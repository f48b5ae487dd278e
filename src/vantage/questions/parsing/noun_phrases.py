"""Noun phrases: "the two red mugs on the table in the kitchen" as descriptions, attached to the nearest noun."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from vantage.questions import programs as steps
from vantage.questions.kinds import FURNITURE, NUMBERS
from vantage.questions.lexicon import canonical, names
from vantage.questions.parsing.descriptions import (
    Description,
    Either,
    Exceeds,
    Has,
    IsMost,
    LiesBetween,
    Modifier,
    Stands,
)
from vantage.questions.parsing.nouns import nominals
from vantage.questions.parsing.patterns import Chart, Found, Rule, table
from vantage.questions.parsing.vocabulary import (
    FLAT_STRUCTURE,
    MORE_WORDS,
    MOST_WORDS,
    OBJECT_WORDS,
    PRONOUN_OBJECTS,
)
from vantage.questions.parsing.word_classes import DEFINITE, EVERY, IDLE, INDEFINITE, OWNERS

_STRESSING = frozenset({"very", "single", "absolute", "absolutely"})
_LITTLE = frozenset({"little", "old", "big", "older", "younger"})  # brother
_ONE = frozenset({"one", "ones"})
_SEATS = frozenset(
    {"chair", "armchair", "sofa", "bed", "office chair", "bench", "bookshelf", "basket", "bowl", "crate"}
)
_MOST_MODIFIERS = 6  # behind one noun
_FURTHER_MODIFIER = 0.3  # costs more than attaching it to the nearer noun
_ODD_ATTACHMENT = 1.5  # the wall above the bed, the table next to the plate
_UNTOLD = 0.5  # "the other objects on the desk"
_JOINING = {
    "or": ("or", "or also", ", or"),
    "and": ("and", "and also", ", and", "plus", "as well as", "together with", "along with"),
    ",": (",",),
}
_TELLING = ("that", "which", "who")
_ALL_OF = ("", "the", "these", "those", "of the", "my", "our")
_OF_THEM = tuple(f"of {words}" for words in ("the", "these", "those", "all the", "my", "our", "your", "their", "all"))
_ANY_OF = ("any", "some", "one", "either", "any one", "even one", "at least one", "a single one", "one or more")


@dataclass(frozen=True)
class Phrase:
    """A noun phrase.

    Attributes:
        description: of the set of objects.
        determiner: ``the``, ``a``, ``every`` or empty.
        plural: the noun stood in the plural.
        number: that was said of them, or None.
        other: it is about others ("another mug", "what else"), so something must tell from which.
        joined: it names several objects with "and" or "or".
        apart: "that are" tells which, so that it is said of no others.
    """

    description: Description
    determiner: str = ""
    plural: bool = False
    number: int | None = None
    other: bool = False
    joined: str = ""
    apart: bool = False

    @property
    def claimed(self) -> int | None:
        """The number that was said of them, unless it is one."""
        return None if self.number == 1 else self.number

    @property
    def names_something(self) -> bool:
        """Whether a noun of objects stood in it, which "one" may repeat."""
        return not self.description.of_rooms and bool(self.determiner or self.plural)

    def one(self, numbered: bool = False) -> steps.One | None:
        """The one object that the phrase means, or None when it cannot mean one.

        With ``numbered``, "the three mugs" will do, where an answer is wanted for each of them.
        """
        unfit = self.claimed is not None and not (numbered and self.determiner == "the")
        untold = self.other and not self.description.shared
        if self.joined or untold or unfit or self.determiner == "every":
            return None
        return self.description.one()

    def objects(self) -> steps.ObjectSet | None:
        """The set that the phrase means.

        None when it says a number, is about every member of the set, or about others without saying than what.
        """
        if self.claimed is not None or self.determiner == "every" or (self.other and not self.description.shared):
            return None
        return self.description.objects()

    def narrowed(self, modifiers: tuple[Modifier, ...]) -> Phrase | None:
        """With more said of it."""
        description = self.description.narrowed(*modifiers)
        return None if description is None else replace(self, description=description)


def _noun_phrases(chart: Chart, start: int) -> Iterator[Found]:
    """Nouns, alone or joined with "and" or "or", with what is said behind them of all of them."""
    for found in chart.read("NOUNS", start):
        yield from _with_modifiers(chart, found)


def _one_noun_phrases(chart: Chart, start: int) -> Iterator[Found]:
    """A noun that is not joined with others, with what is said behind it."""
    for found in (*chart.read("NOUN", start), *chart.read("FREE", start)):
        yield from _with_modifiers(chart, found)


def _joined_nouns(chart: Chart, start: int) -> Iterator[Found]:
    """Nouns joined with "and" or "or"; each may have modifiers of its own."""
    yield from chart.read("NOUN", start)
    for first in chart.read("NP", start + (chart.word(start) in ("either", "both"))):
        for word, phrases in _JOINING.items():
            for middle in chart.after(first.end, *phrases):
                for rest in chart.read("NOUNS", middle):
                    joined = _joined(first.value, rest.value, word)
                    if joined is not None:
                        yield Found(joined, rest.end, first.cost + rest.cost + 0.1)


def _joined(first: Phrase, rest: Phrase, word: str) -> Phrase | None:
    if (word == "," and not rest.joined) or word not in (rest.joined or word, ","):
        return None
    if first.objects() is None or rest.objects() is None or rest.description.of_rooms:
        return None
    members = (first.description, *(rest.description.members or (rest.description,)))
    return Phrase(Description(members=members), first.determiner, True, joined=rest.joined or word)


def _noun(chart: Chart, start: int) -> Iterator[Found]:
    """A noun with what stands before it: determiner, number, superlative, adjectives, room."""
    for phrase, most, at in _determined(chart, start):
        for found in nominals(chart, at):
            description, plural = found.value
            if not plural and (chart.word(start) == "both" or (phrase.claimed or 0) > 1):
                continue  # "the three blade fan"
            for ranked, end in _ranked(chart, most, found.end):
                narrowed = description.narrowed(*ranked)
                if narrowed is not None:
                    yield Found(replace(phrase, description=narrowed, plural=plural), end, found.cost)
    if chart.word(start) in PRONOUN_OBJECTS:
        other = chart.word(start + 1) == "else"
        at = start + 1 + other
        phrase = Phrase(Description(), PRONOUN_OBJECTS[chart.word(start)], other=other)
        yield Found(phrase, at)
        for found in chart.read("ADJECTIVES", at):
            narrowed = phrase.narrowed(found.value)
            if narrowed is not None:
                yield Found(narrowed, found.end, found.cost)


def _number(chart: Chart, start: int) -> tuple[int | None, int]:
    """A number and its end, if there is one; "exactly" says nothing more of a number than one."""
    at = start + (chart.word(start) in ("exactly", "precisely"))
    word = chart.word(at)
    number = NUMBERS.index(word) if word in NUMBERS else int(word[:6]) if word.isdigit() else None
    return (None, start) if number is None or (number == 1 and at > start) else (number, at + 1)


def _ranked(chart: Chart, most: tuple[IsMost, ...], end: int) -> Iterator[tuple[tuple[IsMost, ...], int]]:
    """A superlative with what is told behind the noun: "the nearest chair to the window", "the larger of the two"."""
    yield most, end
    if not most:
        return
    for last in chart.after(
        end, *(f"of {words}" for words in ("the two", "the three", "these two", "all", "them all"))
    ):
        yield most, last
    if most[0].quantity == "distance":
        for start in chart.after(end, "to", "from"):
            for found in chart.read("ONE", start):
                yield (replace(most[0], anchor=found.value),), found.end


def _quantified(chart: Chart, start: int) -> tuple[str, int]:
    """A word for some or for all of several objects, and where it ends: "any of the", "every one of", "both"."""
    found = [
        ("a", end) for end in chart.after(start, "at least one", "at least a", "one or more", "any one", "a single")
    ]
    found += [("a", end) for end in chart.after(start, *(f"{some} {of}" for some in _ANY_OF for of in _OF_THEM))]
    found += [
        ("every", end)
        for end in chart.after(start, *(f"{every} {all_}".strip() for every in EVERY for all_ in _ALL_OF))
    ]
    return max(found, key=lambda item: item[1], default=("", start))


def _determined(chart: Chart, start: int) -> Iterator[tuple[Phrase, tuple[IsMost, ...], int]]:
    """A phrase that has no noun yet, a superlative if there is one, and where the adjectives begin."""
    determiner, at = _quantified(chart, start)
    of_several, other, number = at > start, False, None
    if not determiner and chart.word(at) in DEFINITE | INDEFINITE:
        determiner, at = "the" if chart.word(at) in DEFINITE else "a", at + 1
    at_owner = chart.skip(at, _LITTLE)
    if determiner and chart.word(at_owner) in OWNERS:
        end = max(chart.after(at_owner + 1, "", "in law"))
        if chart.word(end) == "'s":
            determiner, at = "the", end + 1
    if chart.word(at) in ("another", "other"):
        other, at = True, at + 1
    else:
        counted = at
        number, at = _number(chart, at)
        if chart.word(counted) == "one":
            yield Phrase(Description(), determiner), (), counted  # "the one on the shelf"
    at = chart.skip(at, IDLE)
    other = other or chart.word(at) == "other"
    at += chart.word(at) == "other"
    if chart.word(start) == "both":
        number = 2
    elif of_several and determiner != "every":
        number = None
    phrase = Phrase(Description(), determiner, False, number, other)
    yield phrase, (), at
    if determiner == "the" or at == start:
        yield from _superlative(chart, replace(phrase, determiner="the"), chart.skip(at, _STRESSING), determiner)


def _superlative(
    chart: Chart, phrase: Phrase, at: int, determiner: str
) -> Iterator[tuple[Phrase, tuple[IsMost, ...], int]]:
    """A phrase with a superlative; "the larger" is one too, of two."""
    words = {**MOST_WORDS, **MORE_WORDS} if determiner else MOST_WORDS
    for (quantity, least), end in chart.entries(words, at):
        yield phrase, (IsMost(quantity, least),), chart.skip(end, IDLE)
        behind = chart.skip(end, _ONE)
        for last in chart.after(behind, "of", "among", "among the", "out of the", *_OF_THEM):
            yield phrase, (IsMost(quantity, least),), chart.skip(_number(chart, last)[1], IDLE)


def _with_modifiers(chart: Chart, noun: Found) -> Iterator[Found]:
    yield noun
    level = [noun]
    for round_ in range(_MOST_MODIFIERS):
        best: dict[int, Found] = {}
        for found in level:
            for start in chart.after(found.end, *(("", "and", ",") if round_ else ("",))):
                for modifier in chart.read("MODIFIER", start):
                    narrowed = found.value.narrowed(modifier.value)
                    if narrowed is None or any(_is_seated(found.value.description, item) for item in modifier.value):
                        continue
                    cost = found.cost + modifier.cost + _FURTHER_MODIFIER * bool(round_)
                    cost += sum(_oddity(found.value.description, item) for item in modifier.value)
                    if modifier.end not in best or cost < best[modifier.end].cost:
                        apart = narrowed.apart or chart.word(start) in _TELLING
                        best[modifier.end] = Found(replace(narrowed, apart=apart), modifier.end, cost)
        yield from (_told(found) for found in best.values())
        level = list(best.values())


def _is_seated(description: Description, modifier: Modifier) -> bool:
    """Whether a seat or a bed is said to bear something small, above the top of which it reaches."""
    if not isinstance(modifier, Stands) or modifier.relation != "under" or description.kind not in _SEATS:
        return False
    return canonical(label_of(modifier.anchor)) not in FURNITURE


def _told(found: Found) -> Found:
    """The reading, dearer where it is about other objects and does not tell from which."""
    untold = found.value.other and not found.value.description.shared
    return replace(found, cost=found.cost + _UNTOLD) if untold else found


def _oddity(description: Description, modifier: Modifier) -> float:
    """How unlikely it is that something is said of these objects: what is large is not placed by what is small."""
    if isinstance(modifier, Either):
        return max(_oddity(description, item) for item in modifier.choices)
    if isinstance(modifier, Has) and modifier.attribute == "use":
        return _ODD_ATTACHMENT if description.label else 0.0  # "the thing on the table to cut bread with"
    if description.kind not in FURNITURE:
        return 0.0
    if isinstance(modifier, Has) and modifier.attribute == "text":
        return _ODD_ATTACHMENT
    if not isinstance(modifier, (Stands, LiesBetween, Exceeds)):
        return 0.0
    anchor = canonical(label_of(_told_by(modifier)))
    small = anchor in names() and anchor not in FURNITURE
    return _ODD_ATTACHMENT if small or description.kind in FLAT_STRUCTURE else 0.0


def _told_by(modifier: Stands | LiesBetween | Exceeds) -> steps.One:
    if isinstance(modifier, LiesBetween):
        return modifier.first
    return modifier.anchor if isinstance(modifier, Stands) else modifier.one


def _definite(chart: Chart, start: int) -> Iterator[Found]:
    """One object that is taken for granted."""
    for found in chart.read("NP", start):
        one = found.value.one()
        if one is not None:
            yield Found(one, found.end, found.cost + (0.0 if found.value.determiner == "the" else 0.2))


def label_of(one: steps.One) -> str:
    """The label that the members of a step are filtered by, empty when there is none."""
    step: steps.Step = one
    while not isinstance(step, steps.Filter) or step.attribute != "label":
        if not isinstance(step, (steps.Unique, steps.Most, steps.Filter, steps.Relate, steps.Between)):
            return ""
        step = step.objects
    return step.value


RULES: dict[str, Rule] = {
    "NOUN": _noun,
    "NOUNS": _joined_nouns,
    "NP": _one_noun_phrases,
    "NPS": _noun_phrases,
    "ONE": _definite,
    "THINGS": table({word: word for word in OBJECT_WORDS}),
    "THING": table({word: word for word in (*OBJECT_WORDS, *FURNITURE, "surface", "piece of furniture")}),
}
