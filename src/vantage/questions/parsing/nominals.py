"""Nouns with the adjectives before them: a description, and whether the noun stands in the plural."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from vantage.questions import programs as steps
from vantage.questions.parsing.chart import Chart, Found
from vantage.questions.parsing.descriptions import Description, Has, Modifier
from vantage.questions.parsing.nouns import LONGEST, name_of
from vantage.questions.parsing.vocabulary import (
    COLLECTIVES,
    OPENERS,
    OPENING_PARTS,
    ROOM_WORDS,
    SHAPE_NOUNS,
    THING_WORDS,
)
from vantage.questions.parsing.word_classes import IDLE

_ROOM_AS_NOUN = 0.1  # "the office" is a room, but "the office chair" rather a name
_ROOM_AHEAD = 0.2
_ROOM_IN_NAME = 0.3  # "the kitchen cabinet" is the one in the kitchen
_PURPOSES = frozenset({"storage", "entrance"})  # rather what a thing is for
_REPEATED = 0.1


def nominals(chart: Chart, start: int) -> Iterator[Found]:
    """Adjectives, a room and a noun: "small red kitchen chairs"."""
    yield from _nouns(chart, start)
    for room, end in chart.entries(ROOM_WORDS, start):
        for noun in _nouns(chart, end + (chart.word(end) == "'s")):
            yield from _narrowed(noun, (Has("room", room),), _ROOM_AHEAD)
    for adjectives in chart.read("ADJECTIVES", start):
        for noun in nominals(chart, chart.skip(adjectives.end, IDLE)):
            yield from _narrowed(noun, adjectives.value, adjectives.cost)


def _narrowed(noun: Found, modifiers: tuple[Modifier, ...], cost: float) -> Iterator[Found]:
    description, plural = noun.value
    narrowed = description.narrowed(*modifiers)
    if narrowed is not None and not description.of_rooms:
        yield Found((narrowed, plural), noun.end, noun.cost + cost)


def _nouns(chart: Chart, start: int) -> Iterator[Found]:
    word = chart.word(start)
    meant = chart.sentence.tokens[start].stands_for if start < len(chart.words) else None
    if meant is not None:
        yield Found((meant, False), start + 1)
    if word in THING_WORDS:
        yield Found((Description(), word.endswith("s")), start + 1)
    if word in SHAPE_NOUNS:
        yield Found((Description(filters=(Has("shape", SHAPE_NOUNS[word]),)), word.endswith("s")), start + 1)
    if (word in COLLECTIVES or word.removesuffix("s") in COLLECTIVES) and chart.word(start + 1) == "of":
        for noun in _nouns(chart, start + 2):
            yield replace(noun, cost=noun.cost + 0.1)
    if word in ("one", "ones"):
        yield from _repeated(chart, start)
    yield from _rooms(chart, start)
    yield from _wholes(chart, start)
    for label, plural, end, cost in _names(chart, start):
        yield Found((_labelled(label), plural), end, cost)
        if label in OPENERS and chart.word(end) == "'s" and chart.word(end + 1) in OPENING_PARTS:
            yield Found((_labelled(label), plural), end + 2, cost)  # the fridge's door is open where the fridge is


def _repeated(chart: Chart, start: int) -> Iterator[Found]:
    """The noun that "the white one" or "closed ones" stands for: the first that was named."""
    qualified = any(found.end == start for at in (start - 1, start - 2) for found in chart.read("ADJECTIVE", at))
    if not qualified and chart.word(start - 1) != "the":
        return
    for first in range(start - 1):
        named = [found for found in chart.read("NOUN", first) if found.value.names_something and found.end < start]
        if named:
            found = min(named, key=lambda item: item.cost)
            label = tuple(item for item in found.value.description.filters if item.attribute == "label")
            yield Found((Description(filters=label), chart.word(start) == "ones"), start + 1, _REPEATED + found.cost)
            return
    if chart.read("INSCRIPTION", start + 1):  # "the one labelled MILK" tells which, whatever it is
        yield Found((Description(), chart.word(start) == "ones"), start + 1, _REPEATED)


def _wholes(chart: Chart, start: int) -> Iterator[Found]:
    """The thing that a door, a lid or a drawer belongs to, whose state is that of the part."""
    if chart.word(start) in OPENING_PARTS and chart.word(start + 1) == "of":
        for whole in chart.read("NOUN", start + 2):
            if whole.value.description.label in OPENERS:
                yield Found((whole.value.description, whole.value.plural), whole.end, whole.cost)


def _rooms(chart: Chart, start: int) -> Iterator[Found]:
    word = chart.word(start)
    if word in ("room", "rooms"):
        yield Found((Description(steps.Rooms()), word == "rooms"), start + 1)
    for kind, end in chart.entries(ROOM_WORDS, start):
        yield Found((_kind_of_room(kind), False), end, _ROOM_AS_NOUN)
    if word.endswith("s") and word[:-1] in ROOM_WORDS:
        yield Found((_kind_of_room(ROOM_WORDS[word[:-1]]), True), start + 1, _ROOM_AS_NOUN)
    if chart.word(start + 1) == "rooms" and f"{word} room" in ROOM_WORDS:
        yield Found((_kind_of_room(ROOM_WORDS[f"{word} room"]), True), start + 2)


def _names(chart: Chart, start: int) -> Iterator[tuple[str, bool, int, float]]:
    for end in range(start + 1, min(start + LONGEST, len(chart.words)) + 1):
        words = chart.words[start:end]
        name = name_of(words) if all(words) and "," not in words else None
        if name is not None:
            yield name.label, name.plural, end, name.cost + _ROOM_IN_NAME * _tells_only_room(words, name.label)


def _tells_only_room(words: tuple[str, ...], label: str) -> bool:
    """Whether a name begins with a room and means the same thing without it."""
    if len(words) < 2 or words[0] not in ROOM_WORDS or words[0] in _PURPOSES:
        return False
    rest = name_of(words[1:])
    return rest is not None and rest.label == label


def _labelled(label: str) -> Description:
    return Description(filters=(Has("label", label),))


def _kind_of_room(kind: str) -> Description:
    return Description(steps.Rooms(), (Has("label", kind),))
