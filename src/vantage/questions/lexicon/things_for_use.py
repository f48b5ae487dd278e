"""What kinds of things are for: "to cut bread" is what a knife is for, and scissors might do.

The table ``uses.tsv`` holds common knowledge of homes. Besides the kinds that are for a use it names those that people
could give as an answer instead, so that a thing is only asked for by its use where no second answer is right.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from vantage.errors import UnknownNameError
from vantage.questions.lexicon.related_kinds import kind_of, rows
from vantage.registry import did_you_mean

USES = Path(__file__).with_name("uses.tsv")
_NO_PREPOSITIONS = ("-", "itself", "where")


@dataclass(frozen=True)
class Use:
    """What something can be used for.

    Attributes:
        name: in the infinitive, as programs have it: ``cut bread``.
        ends: prepositions that may end it, "to cut bread with", the most usual one first; none where the thing is what
            is eaten, worn or ridden.
        is_place: "where could I sit down" asks for it.
        by_itself: the thing does it, rather than a person with it: a clock tells the time.
        kinds: what is for it.
        others: what somebody could name instead.
        wordings: as questions may say it, in the infinitive.
        verbs: in the infinitive, as people may say it.
        objects: what may follow the verbs; empty for nothing at all.
    """

    name: str
    ends: tuple[str, ...]
    is_place: bool
    by_itself: bool
    kinds: frozenset[str]
    others: frozenset[str]
    wordings: tuple[str, ...]
    verbs: tuple[str, ...]
    objects: tuple[str, ...]


@lru_cache(maxsize=1)
def uses() -> dict[str, Use]:
    """Every use by its name, in the order of the table.

    Raises:
        FormatError: the table was damaged.
    """
    found = {}
    for name, ends, kinds, others, wordings, verbs, objects in rows(USES, 7):
        words = tuple(ends.split(";"))
        found[name] = Use(
            name,
            tuple(word for word in words if word not in _NO_PREPOSITIONS),
            "where" in words,
            "itself" in words,
            frozenset(map(kind_of, kinds.split(";"))),
            frozenset(map(kind_of, others.split(";"))) if others else frozenset(),
            tuple(wordings.split(";")),
            tuple(verbs.split(";")),
            tuple(objects.split(";")),
        )
    return found


def use_of(name: str) -> Use:
    """The use of a name.

    Raises:
        UnknownNameError: there is none.
    """
    if name not in uses():
        raise UnknownNameError(f"there is no use '{name}' of things{did_you_mean(name, list(uses()))}")
    return uses()[name]


def is_for(label: str, name: str) -> bool:
    """Whether things of a kind are for a use; a use that nobody knows is that of nothing."""
    return name in uses() and kind_of(label) in uses()[name].kinds


def may_serve(label: str, name: str) -> bool:
    """Whether somebody could name things of a kind for a use: they are for it, or would do."""
    return is_for(label, name) or (name in uses() and kind_of(label) in uses()[name].others)


_DOUBLED = frozenset({"chop", "cut", "drag", "drop", "flip", "get", "hit", "hug", "jot", "mop", "nap", "put", "run"})
_DOUBLED |= {"scrub", "set", "shut", "sip", "sit", "snap", "snip", "stir", "trim", "wrap", "zap"}  # last letters
_VOWELS = "aeiou"


def gerund(phrase: str) -> str:
    """A verb phrase as what goes on: ``cutting bread`` for ``cut bread``."""
    verb, space, rest = phrase.partition(" ")
    if verb in _DOUBLED:
        verb += verb[-1]
    elif verb in ("lie", "tie", "die"):
        verb = verb[:-2] + "y"
    elif verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")):
        verb = verb[:-1]
    return f"{verb}ing{space}{rest}"


def third_person(phrase: str) -> str:
    """A verb phrase as what something does: ``tells the time`` for ``tell the time``."""
    verb, space, rest = phrase.partition(" ")
    if verb == "have":
        verb = "ha"
    elif verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        verb += "e"
    elif verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        verb = f"{verb[:-1]}ie"
    return f"{verb}s{space}{rest}"
