"""Questions whose own words give the answer away: "what can I get soap from" is no question about a soap dispenser.

An answer is given away by a word of it or the stem of one ("toast" of a toaster, "shoe" of a shoe rack), and a kind of
thing by another name for it or by a word for what it is a kind of: "read" of a book, which is reading.
"""

from __future__ import annotations

from functools import lru_cache

from vantage.questions.lexicon import names_of, singular, words_for
from vantage.questions.programs import Program, Query

_ASKED = ("label", "place", "room", "text", "color", "material", "shape")  # what is not offered to choose from
_PLAIN = frozenset({"a", "an", "and", "are", "at", "can", "from", "in", "is", "of", "on", "room", "the", "thing", "to"})
_TEETH = {"feet": "foot", "teeth": "tooth"}
_STEM = 4  # letters of the shortest word that counts as a part of a longer one


def gives_away(text: str, program: Program, answer: str) -> bool:
    """Whether the words of a question tell its answer."""
    if not isinstance(program, Query) or program.attribute not in _ASKED:
        return False
    return names_answer(text, answer, program.attribute == "label")


@lru_cache(maxsize=65_536)
def names_answer(text: str, answer: str, is_kind: bool = True) -> bool:
    """Whether a text holds a word of an answer, its stem or, of a kind of thing, a word that means it.

    Args:
        is_kind: the answer is a kind of thing.
    """
    said, told = _words(text), _words(answer)
    if any(_akin(one, other) for one in said for other in told if not {one, other} & _PLAIN):
        return True
    if not is_kind:
        return False
    known = words_for(answer)
    return any(_holds(said, _words(name)) for name in (*names_of(answer), *known.same, *known.broader))


def _words(text: str) -> tuple[str, ...]:
    plain = "".join(letter if letter.isalnum() else " " for letter in text.lower())
    return tuple(_TEETH.get(word, singular(word)) for word in plain.split())


def _akin(one: str, other: str) -> bool:
    """Whether two words are the same, or the shorter one begins or ends the other."""
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) >= _STEM and (long.startswith(short) or long.endswith(short)))


def _holds(said: tuple[str, ...], name: tuple[str, ...]) -> bool:
    """Whether the words of a name follow each other in a text, or what one does with it ("reading") stands there."""
    if set(name) <= _PLAIN:
        return False
    verb = len(name) == 1 and name[0].endswith("ing") and name[0].removesuffix("ing") in said
    return verb or any(said[k : k + len(name)] == name for k in range(len(said)))
