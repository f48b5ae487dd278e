"""Noun phrases of questions: "the three red wooden boxes on the left table" as data. Any noun will do."""

from __future__ import annotations

import re
from dataclasses import dataclass

from vantage.questions.kinds import COLORS, MATERIALS, NUMBERS
from vantage.questions.synonyms import canonical

_MORE_COLORS = {
    **{word: word for word in COLORS},
    **{word: word for word in ("beige", "turquoise", "gold", "silver", "cyan", "magenta")},
    "grey": "gray",
    "violet": "purple",
    "golden": "gold",
    "crimson": "red",
    "scarlet": "red",
    "navy": "blue",
}
_MORE_MATERIALS = {
    **{word: word for word in MATERIALS},
    **{word: word for word in ("stone", "rubber", "concrete", "brick", "marble", "wicker", "bamboo")},
    "wooden": "wood",
    "metallic": "metal",
    "steel": "metal",
    "iron": "metal",
    "porcelain": "ceramic",
    "cloth": "fabric",
    "textile": "fabric",
    "cardboard": "paper",
}
_DETERMINERS = {"the", "that", "this", "these", "those", "my", "our", "your", "their", "its", "his", "her"}
_INDEFINITE = {"a", "an", "any", "some"}
_IDLE = {
    *("big", "small", "little", "large", "tall", "short", "tiny", "huge", "old", "new", "nice", "pretty", "round"),
    *("single", "only", "same", "visible", "lovely", "bright", "dark", "light", "pale", "of", "certain", "different"),
}
_NOT_NOUNS = {
    *("is", "are", "was", "were", "be", "am", "do", "does", "did", "what", "which", "where", "who", "when", "why"),
    *("how", "there", "it", "they", "you", "we", "he", "she", "i", "me", "and", "or", "not", "if", "whether", "to"),
    *("from", "for", "with", "by", "about", "than", "then", "made", "color", "has", "have", "had", "can", "could"),
    *("on", "in", "at", "under", "near", "between", "behind", "above", "below", "over", "beside", "see", "many"),
    *("located", "standing", "lying", "sitting", "thing", "things", "anything", "something", "everything", "one"),
    *("object", "objects", "item", "items", "stuff", "will", "would", "should", "as", "but", "because", "so"),
    *("another", "other", "others", "else", "more", "no", "none", "all", "every", "each", "both"),
}
_SAME_IN_PLURAL = {"scissors", "headphones", "trousers", "pants", "jeans", "shorts", "series", "glasses", "binoculars"}
_IRREGULAR = {
    "mice": "mouse",
    "feet": "foot",
    "people": "person",
    "knives": "knife",
    "shelves": "shelf",
    "bookshelves": "bookshelf",
    "loaves": "loaf",
    "leaves": "leaf",
    "scarves": "scarf",
    "wolves": "wolf",
    "potatoes": "potato",
    "tomatoes": "tomato",
    "cookies": "cookie",
    "ties": "tie",
    "pies": "pie",
    "buses": "bus",
    "lenses": "lens",
}
_WORD = re.compile(r"[a-z][a-z'\-]*$")
_MAX_NOUN_WORDS = 4
_COLOR_SUFFIX = re.compile(r"^([a-z]+)[- ]?colou?red$")


@dataclass(frozen=True)
class NounPhrase:
    """A description: canonical singular label and what is said of it."""

    label: str
    color: str = ""
    material: str = ""
    number: int | None = None
    plural: bool = False
    definite: bool = True


def singular(noun: str) -> tuple[str, bool]:
    """The singular of the last word of a noun, and whether it was a plural."""
    head, _, word = noun.rpartition(" ")
    lead = f"{head} " if head else ""
    if word in _IRREGULAR:
        return lead + _IRREGULAR[word], True
    if word in _SAME_IN_PLURAL or len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return noun, word in _SAME_IN_PLURAL
    if word.endswith("ies"):
        return lead + word[:-3] + "y", True
    if word.endswith(("xes", "ches", "shes", "sses")):
        return lead + word[:-2], True
    return lead + word[:-1], True


def color_word(word: str) -> str:
    """The canonical color, empty when the word is none; understands "grey" and "red-colored"."""
    suffix = _COLOR_SUFFIX.match(word)
    return _MORE_COLORS.get(suffix.group(1) if suffix else word, "")


def material_word(word: str) -> str:
    """The canonical material, empty when the word is none; understands "wooden"."""
    return _MORE_MATERIALS.get(word, "")


def number_of(word: str) -> int | None:
    """The value of a number in words or digits (at most 99), or None."""
    if word in NUMBERS:
        return NUMBERS.index(word)
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 2 else None


def noun_phrase(text: str) -> NounPhrase | None:
    """Parse "the two red mugs", without a place; None when it is no such phrase."""
    words = text.split()
    definite, color, material, number = False, "", "", None
    while words and (words[0] in _DETERMINERS or words[0] in _INDEFINITE):
        definite = definite or words[0] in _DETERMINERS
        words = words[1:]
    while len(words) > 1:
        word = words[0]
        count = number_of(word)
        if count is not None and number is None:
            number = count
        elif color_word(word) and not color and not _is_noun_start(words):
            color = color_word(word)
        elif word in ("colored", "coloured") and color:
            pass
        elif material_word(word) and not material and not _is_noun_start(words):
            material = material_word(word)
        elif word not in _IDLE and word != "pair":
            break
        words = words[1:]
    if not 1 <= len(words) <= _MAX_NOUN_WORDS:
        return None
    if any(word in _NOT_NOUNS or word in _DETERMINERS or not _WORD.match(word) for word in words):
        return None
    label, plural = singular(" ".join(words))
    if len(label) < 2 or label in _IDLE:
        return None
    return NounPhrase(canonical(label), color, material, number, plural, definite)


def _is_noun_start(words: list[str]) -> bool:
    """Whether a color or material word begins a fixed name ("cardboard box", "glass" alone)."""
    return canonical(singular(" ".join(words))[0]) != singular(" ".join(words))[0]
