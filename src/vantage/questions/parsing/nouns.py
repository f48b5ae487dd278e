"""Names of things: "cereal boxes" to the canonical label "cereal box". Any noun will do."""

from __future__ import annotations

import re
from dataclasses import dataclass

from vantage.questions.lexicon.synonyms import canonical, names
from vantage.questions.parsing.vocabulary import (
    COLOR_WORDS,
    MATERIAL_WORDS,
    OPENERS,
    OPENING_PARTS,
    ROOM_WORDS,
    SHAPE_WORDS,
    SIZE_WORDS,
    STATE_WORDS,
    THING_WORDS,
)
from vantage.questions.parsing.word_classes import FUNCTION_WORDS, REFUSED

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
_DRINKS = frozenset({"water", "coffee", "tea", "juice", "wine", "beer", "soda", "lemonade"})
_WORD = re.compile(r"[a-z][a-z'&]+$")
LONGEST = 4  # words of a known name
_LONGEST_UNKNOWN = 2
_KNOWN = names() | {
    *("apple", "banana", "bench", "book", "bottle", "calendar", "candle", "cabinet", "chair", "cupboard", "door"),
    *("doorway", "drum", "fork", "globe", "lantern", "orange", "printer", "radio", "rack", "spoon", "toaster"),
    *("toothbrush", "wall", "window", "bed", "ceiling", "sideboard", "poster", "quilt", "photo", "cap", "boot"),
    *("washing machine", "paper towel", "picture frame", "ironing board", "sewing machine", "dish towel", "tea towel"),
    *("coffee machine", "coffee maker", "light switch", "light bulb", "fire extinguisher", "radiator", "fireplace"),
    *("key", "pen", "pencil", "notebook", "computer", "phone", "camera", "scissors", "hammer", "skateboard", "piano"),
    *("filing cabinet", "shower", "bath mat", "shower curtain", "power outlet", "tissue box", "soap dish", "bag"),
    *("hairdryer", "hair dryer", "coat", "jacket", "coat hanger", "game console", "tablet", "wine rack", "doormat"),
    *("spice rack", "rice cooker", "slow cooker", "waffle iron", "iron", "fan", "heater", "air conditioner"),
    *("disc", "cloth", "thermos", "watering can", "dog bed", "cat bed", "blinds", "paper holder"),
}
_PREDICATES = frozenset({"open", "closed", "shut", "full", "off", "dirty", "lit", "unlit", "wooden", "metallic"})
_ADJECTIVES = frozenset(COLOR_WORDS) | frozenset(SIZE_WORDS) | frozenset(STATE_WORDS) | frozenset(SHAPE_WORDS)


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
    if noun in _KNOWN and word not in _SAME_IN_PLURAL and word not in _IRREGULAR:
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
    """The thing that words name, or None when they cannot be one name."""
    if not 0 < len(words) <= LONGEST:
        return None
    if len(words) > 1 and words[-1] in OPENING_PARTS:
        whole = name_of(words[:-1])
        if whole is not None and whole.label in OPENERS:
            return whole
    if len(words) > 2 and words[1] == "of" and words[-1] in _DRINKS:
        return name_of(words[:1])
    noun, plural = singular(" ".join(words))
    label = canonical(noun)
    if label in _KNOWN:
        return Name(label, plural, 0.0)
    if len(words) > _LONGEST_UNKNOWN or any(not _may_be_named(word) for word in words):
        return None
    if len(words) == 1 and noun in _ADJECTIVES:
        return None
    if len(words) > 1 and (words[0] in _ADJECTIVES or words[-1].endswith(("ing", "ed", "ly"))):
        return None
    if words[-1] in THING_WORDS or " ".join(words) in ROOM_WORDS or words[-1] in MATERIAL_WORDS:
        return None
    if noun.split()[-1] in ROOM_WORDS or noun.split()[-1] == "room":
        return None
    return Name(label, plural, 1.0 if len(words) == 1 else 2.2)


def _may_be_named(word: str) -> bool:
    return bool(_WORD.match(word)) and word not in FUNCTION_WORDS and word not in REFUSED and word not in _PREDICATES
