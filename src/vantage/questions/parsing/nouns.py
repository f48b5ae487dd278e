"""Nouns with the adjectives before them, as descriptions; "cereal boxes" gets the canonical label "cereal box".

Any noun will do. A reading also says whether the noun stands in the plural.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from vantage.questions import programs as steps
from vantage.questions.lexicon import SORTS, canonical, names, table
from vantage.questions.parsing.descriptions import Description, Has, Modifier
from vantage.questions.parsing.patterns import Chart, Found
from vantage.questions.parsing.vocabulary import (
    COLLECTIVES,
    COLOR_WORDS,
    DRINKS,
    MATERIAL_WORDS,
    OBJECT_WORDS,
    OPENERS,
    OPENING_PARTS,
    ROOM_WORDS,
    SHAPE_NOUNS,
    SHAPE_WORDS,
    SIZE_WORDS,
    STATE_WORDS,
    WEIGHT_WORDS,
)
from vantage.questions.parsing.word_classes import FUNCTION_WORDS, IDLE, NO_OBJECTS, REFUSED

_SAME_IN_PLURAL = frozenset(
    {"scissors", "headphones", "trousers", "pants", "jeans", "shorts", "series", "binoculars", "clothes", "stairs"}
    | {
        "canvas",
        "atlas",
        "gas",
        "tongs",
        "pliers",
        "sunglasses",
        "eyeglasses",
        "goggles",
        "lens",
        "chess",
        "glasses",
        "blinds",
    }
)
_IRREGULAR = {
    "mice": "mouse",
    "feet": "foot",
    "people": "person",
    "men": "man",
    "women": "woman",
    "children": "child",
    "knives": "knife",
    "shelves": "shelf",
    "bookshelves": "bookshelf",
    "loaves": "loaf",
    "leaves": "leaf",
    "scarves": "scarf",
    "potatoes": "potato",
    "tomatoes": "tomato",
    "cookies": "cookie",
    "ties": "tie",
    "pies": "pie",
    "buses": "bus",
    "lenses": "lens",
    "glasses": "glass",
    "dice": "die",
    "thermoses": "thermos",
    "keys": "key",
    "boots": "boot",
}
_WORD = re.compile(r"[a-z][a-z'&]+$")
LONGEST = 4  # words of a known name
_LONGEST_UNKNOWN = 2
KINDS = names() | {
    *("apple", "banana", "bench", "book", "bottle", "calendar", "candle", "cabinet", "chair", "cupboard", "door"),
    *("doorway", "drum", "fork", "globe", "lantern", "orange", "printer", "radio", "rack", "spoon", "toaster"),
    *("toothbrush", "wall", "window", "bed", "ceiling", "sideboard", "poster", "quilt", "photo", "cap", "boot"),
    *("washing machine", "paper towel", "picture frame", "ironing board", "sewing machine", "dish towel", "tea towel"),
    *("coffee machine", "coffee maker", "light switch", "light bulb", "fire extinguisher", "radiator", "fireplace"),
    *("key", "pen", "pencil", "notebook", "computer", "phone", "camera", "scissors", "hammer", "skateboard", "piano"),
    *("filing cabinet", "shower", "bath mat", "shower curtain", "power outlet", "tissue box", "soap dish", "bag"),
    *("hairdryer", "hair dryer", "coat", "jacket", "coat hanger", "game console", "tablet", "wine rack", "doormat"),
    *("spice rack", "rice cooker", "slow cooker", "waffle iron", "iron", "fan", "heater", "air conditioner"),
    *("disc", "cloth", "thermos", "watering can", "dog bed", "cat bed", "blinds", "paper holder", "ceiling fan"),
    *("christmas tree", "fish tank", "coffee pot", "walking stick", "kitchen roll", "record player", "exercise bike"),
    *(
        "rocking chair",
        "high chair",
        "music stand",
        "photo album",
        "board game",
        "first aid kit",
        "dog bowl",
        "lunch box",
    ),
    *("cat tree", "litter box", "pencil case", "piggy bank", "bread maker", "ice bucket", "pepper mill", "egg timer"),
    *("kitchen scales", "bathroom scales", "baby monitor", "fish bowl", "bread bin", "bread box", "cookie jar"),
    *("garden hose", "tool belt", "toy train", "doll house", "rocking horse", "dish rack", "drying rack", "shoe box"),
    *("hat box", "jewelry box", "magazine rack", "umbrella stand", "clothes horse", "hot water bottle", "beach towel"),
    *("floor mat", "china cabinet", "trash bag", "shopping bag", "sleeping bag", "alarm clock", "key ring", "bean bag"),
}
_PREDICATES = frozenset({"open", "closed", "shut", "full", "off", "dirty", "lit", "unlit", "wooden", "metallic"})
_ADJECTIVES = frozenset().union(COLOR_WORDS, SIZE_WORDS, WEIGHT_WORDS, STATE_WORDS, SHAPE_WORDS)


@dataclass(frozen=True)
class Name:
    """A canonical label, whether it stood in the plural, and how unsure it is that the words are one name."""

    label: str
    plural: bool
    cost: float


def singular(noun: str) -> tuple[str, bool]:
    """The singular of the last word of a noun, and whether it was a plural."""
    vessel, of, content = noun.partition(" of ")
    if of:
        one, plural = singular(vessel)
        return f"{one} of {content}", plural
    head, _, word = noun.rpartition(" ")
    lead = f"{head} " if head else ""
    if noun in KINDS and word not in _SAME_IN_PLURAL and word not in _IRREGULAR:
        return noun, False
    if word in _IRREGULAR:
        return lead + _IRREGULAR[word], True
    if word in _SAME_IN_PLURAL or len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return noun, word in _SAME_IN_PLURAL
    if word.endswith("ies"):
        return lead + word[:-3] + "y", True
    if word.endswith(("xes", "ches", "shes", "sses")):
        return lead + word[:-2], True
    return lead + word[:-1], True


def name_of(words: tuple[str, ...]) -> Name | None:
    """The object that words name, or None when they cannot be one name."""
    if not 0 < len(words) <= LONGEST:
        return None
    if len(words) > 1 and words[-1] in OPENING_PARTS:
        whole = name_of(words[:-1])
        if whole is not None and canonical(whole.label) in OPENERS:
            return whole
    if len(words) == 3 and words[1] == "of" and words[-1] in DRINKS:
        return name_of(words[:1])
    noun, plural = singular(" ".join(words))
    label = noun if noun in SORTS else canonical(noun)
    if label in SORTS or label in KINDS or (len(words) > 1 and label in table()):
        return Name(label, plural, 0.0)
    if len(words) > _LONGEST_UNKNOWN or any(not _may_be_named(word) for word in words):
        return None
    if words[-1] in NO_OBJECTS or (len(words) == 1 and noun in _ADJECTIVES):
        return None
    if len(words) > 1 and (is_kind(words[-1]) or singular(words[0])[1]):  # a sort of it that nobody here knows
        return None
    if len(words) > 1 and (words[0] in _ADJECTIVES or words[-1].endswith(("ing", "ed", "ly"))):
        return None
    if words[-1] in OBJECT_WORDS or " ".join(words) in ROOM_WORDS or words[-1] in MATERIAL_WORDS:
        return None
    if noun.split()[-1] in ROOM_WORDS or noun.split()[-1] == "room":
        return None
    return Name(label, plural, 1.0 if len(words) == 1 else 2.2)


def is_kind(word: str) -> bool:
    """Whether a noun, in the singular or plural, names a kind of objects of which sorts may be told apart."""
    kind = canonical(singular(word)[0])
    return kind in KINDS or kind in table()


def _may_be_named(word: str) -> bool:
    return bool(_WORD.match(word)) and word not in FUNCTION_WORDS and word not in REFUSED and word not in _PREDICATES


_ROOM_AS_NOUN = 0.1  # "the office" is a room, but "the office chair" rather a name
_ROOM_AHEAD = 0.2
_ROOM_IN_NAME = 0.3  # "the kitchen cabinet" is the one in the kitchen
OUTSIDES = frozenset({"casing", "housing", "shell", "exterior", "outside"})  # made of what an object is made of
_PURPOSES = frozenset({"storage", "entrance"})  # rather what an object is for
_REPEATED = 0.1
STUFF = frozenset({"paper", "cardboard", "cloth", "china", "tin", "iron", "brick", "wax", "clay", "felt", "glass"})


def nominals(chart: Chart, start: int) -> Iterator[Found]:
    """Adjectives, a room and a noun: "small red kitchen chairs"."""
    yield from _nouns(chart, start)
    for room, end in chart.entries(ROOM_WORDS, start):
        if chart.word(start) in _PURPOSES and end == start + 1:
            continue
        for noun in _nouns(chart, end + (chart.word(end) == "'s")):
            yield from _narrowed(noun, (Has("room", room),), _ROOM_AHEAD)
    for adjectives in chart.read("ADJECTIVES", start):
        for noun in nominals(chart, chart.skip(adjectives.end, IDLE)):
            label = noun.value[0].label
            if chart.word(adjectives.end - 1) in STUFF and label and not is_kind(label):
                continue  # "a paper cutter", "a cloth hanger": rather what it is for
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
        yield Found((meant, chart.sentence.tokens[start].several), start + 1)
    if word in OBJECT_WORDS:
        yield Found((Description(), word.endswith("s")), start + 1)
    if word in SHAPE_NOUNS:
        yield Found((Description(filters=(Has("shape", SHAPE_NOUNS[word]),)), word.endswith("s")), start + 1)
    worn = word.startswith("pair") and chart.word(start + 2) == "glasses"  # no drinking glasses
    if word.removesuffix("s") in COLLECTIVES and chart.word(start + 1) == "of" and not worn:
        for noun in _nouns(chart, start + 2):
            yield replace(noun, cost=noun.cost + 0.1)
    if word in ("one", "ones"):
        yield from _repeated(chart, start)
    yield from _rooms(chart, start)
    yield from _wholes(chart, start)
    for label, plural, end, cost in _names(chart, start):
        yield Found((_labelled(label), plural), end, cost)
        if canonical(label) in OPENERS and chart.word(end) == "'s" and chart.word(end + 1) in OPENING_PARTS:
            yield Found((_labelled(label), plural), end + 2, cost)  # the fridge's door is open where the fridge is


def _repeated(chart: Chart, start: int) -> Iterator[Found]:
    """The noun that "the white one" or "closed ones" stands for: the first that was named."""
    qualified = any(found.end == start for at in (start - 1, start - 2) for found in chart.read("ADJECTIVE", at))
    of_room = any(end == start for at in range(max(0, start - 3), start) for _, end in chart.entries(ROOM_WORDS, at))
    if not qualified and not of_room and chart.word(start - 1) != "the":
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
    """The object that a door, a lid or a drawer belongs to, whose state is that of the part."""
    if chart.word(start) in OUTSIDES and chart.word(start + 1) == "of":
        yield from (
            (replace(whole, value=(whole.value.description, whole.value.plural)))
            for whole in chart.read("NOUN", start + 2)
        )
    if chart.word(start) in OPENING_PARTS and chart.word(start + 1) in ("of", "on", "to"):
        for whole in chart.read("NOUN", start + 2):
            if whole.value.description.kind in OPENERS:
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
    """Whether a name begins with a room and means the same object without it."""
    if len(words) < 2 or words[0] not in ROOM_WORDS or words[0] in _PURPOSES:
        return False
    rest = name_of(words[1:])
    return rest is not None and canonical(rest.label) == canonical(label)


def _labelled(label: str) -> Description:
    return Description(filters=(Has("label", label),))


def _kind_of_room(kind: str) -> Description:
    return Description(steps.Rooms(), (Has("label", kind),))
