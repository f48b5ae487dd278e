"""What everybody knows of homes, as tables: what a task takes unsaid, and how states are asked.

The tables hold knowledge of English and of homes alone: they were written without regard to gold goals. Other words
for things stand in ``questions.lexicon``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from vantage.goals import word_key
from vantage.questions.lexicon import kind_of, loosely, names_of, rows, words_for

CATEGORIES = frozenset({"food", "clothes", "hands"})  # first words of names that tell what kind of thing it is
# Last words of names that tell how it is kept.
FORMS = frozenset({"powder", "bottle", "carton", "tube", "liquid", "grain"})
CONTROLS = frozenset({"switch"})  # last words of names of what switches the thing that the other words name
ROOMS = (  # whose names before or behind a thing tell where it is; an office chair may be anywhere
    *("kitchen", "bathroom", "bedroom", "living room", "lounge", "dining room", "hall", "hallway", "storage room"),
    *("laundry room", "garage", "basement", "attic", "balcony", "terrace"),
)
_FOLDER = Path(__file__).parent
_NEEDS, _STATES = "usual_needs.tsv", "asked_states.tsv"


def other_words(noun: str) -> frozenset[str]:
    """Other words for a thing, and broader and narrower ones; with spaces between words."""
    found = words_for(noun)
    return same_words(noun) | found.broader | found.narrower | loosely(kind_of(noun))


def same_words(noun: str) -> frozenset[str]:
    """Words for the same thing."""
    return words_for(noun).same | names_of(noun)


@lru_cache(maxsize=1)
def usual_needs() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """Words of tasks, with the kinds of things that such a task usually takes."""
    return tuple((frozenset(words), frozenset(kinds)) for words, kinds in _listed(_NEEDS))


@lru_cache(maxsize=1)
def asked_states() -> Mapping[tuple[str, bool], frozenset[str]]:
    """Words that ask for a state, by its ``word_key`` and whether it shall hold."""
    return {
        (word_key(state[0].removeprefix("not ")), not state[0].startswith("not ")): frozenset(words)
        for state, words in _listed(_STATES)
    }


def _listed(name: str) -> list[tuple[list[str], list[str]]]:
    """The rows of a table of two lists.

    Raises:
        FormatError: the table was damaged.
    """
    return [(_words(first), _words(second)) for first, second in rows(_FOLDER / name, 2)]


def _words(field: str) -> list[str]:
    return [word for word in field.split(";") if word]
