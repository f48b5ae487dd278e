"""Articles, plurals and number words of generated sentences."""

from __future__ import annotations

from vantage.questions.kinds import NUMBERS

UNCOUNTED = frozenset({"bread", "toilet paper", "shampoo"})  # nobody counts them: "some bread"

_IRREGULAR = {"bookshelf": "bookshelves", "shelf": "shelves", "knife": "knives", "scarf": "scarves", "mouse": "mice"}
_IRREGULAR |= {"potato": "potatoes", "tomato": "tomatoes"}
ALWAYS_SEVERAL = frozenset({"blinds", "boots", "keys", "pliers", "scissors"})  # "the scissors are", of one object
_IRREGULAR |= {word: word for word in ALWAYS_SEVERAL}


def plural(noun: str) -> str:
    """Several of an object; the last word of a compound is inflected."""
    first, space, last = noun.rpartition(" ")
    if last in _IRREGULAR:
        several = _IRREGULAR[last]
    elif last.endswith(("s", "x", "ch", "sh")):
        several = last + "es"
    elif last.endswith("y") and last[-2:-1] not in "aeiou":
        several = last[:-1] + "ies"
    else:
        several = last + "s"
    return f"{first}{space}{several}"


def with_article(phrase: str) -> str:
    """``a red mug``, ``an orange ball``, ``some bread``."""
    if any(phrase == noun or phrase.endswith(f" {noun}") for noun in UNCOUNTED):
        return f"some {phrase}"
    return f"{'an' if phrase[0] in 'aeiou' else 'a'} {phrase}"


def number_word(number: int) -> str:
    """``three``; digits beyond twelve."""
    return NUMBERS[number] if number < len(NUMBERS) else str(number)


def capitalized(sentence: str) -> str:
    """With a capital first letter; the rest stays as it is."""
    return sentence[:1].upper() + sentence[1:]
