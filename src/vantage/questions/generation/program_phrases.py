"""Noun phrases of programs: the members of any set in plain English, with what is told behind the noun in clear order.

Listeners attach what is said to the nearest noun. So rooms come first behind a noun, one thing that is told by another
object follows, and two such things are joined: "the box in the hall that is both next to the sofa and heavier than the
mug". Of several ways to say the same, chance takes one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from vantage.questions.generation.referring_expressions import prepositional
from vantage.questions.kinds import FURNITURE, MATERIAL_ADJECTIVES
from vantage.questions.lexicon import ALWAYS_SEVERAL, canonical, gerund, names, plural, with_article
from vantage.questions.program_parts import descriptions
from vantage.questions.programs import (
    Between,
    Compared,
    Filter,
    Intersect,
    Most,
    ObjectSet,
    One,
    Program,
    Relate,
    Rooms,
    Same,
    Scene,
    Union,
)

COMPARATIVES: dict[tuple[str, bool], tuple[str, ...]] = {
    ("mass", False): ("heavier",),
    ("mass", True): ("lighter",),
    ("size", False): ("larger", "bigger"),
    ("size", True): ("smaller",),
    ("length", False): ("longer",),
    ("length", True): ("shorter in length",),
    ("height", False): ("taller",),
    ("height", True): ("shorter", "lower"),
    ("volume", False): ("bulkier", "larger in volume"),
    ("volume", True): ("smaller in volume",),
    ("distance", False): ("farther away",),
    ("distance", True): ("nearer",),
}
_SUPERLATIVES = {
    ("mass", False): "heaviest",
    ("mass", True): "lightest",
    ("size", False): "largest",
    ("size", True): "smallest",
    ("length", False): "longest",
    ("length", True): "narrowest",
    ("height", False): "tallest",
    ("height", True): "shortest",
    ("volume", False): "bulkiest",
    ("volume", True): "least bulky",
    ("distance", False): "farthest",
    ("distance", True): "nearest",
}
_RELATIONS = {
    "on": ("on", "on top of"),
    "in": ("in", "inside", "contained in"),
    "next to": ("next to", "adjacent to", "beside"),
    "near": ("near", "close to"),
    "under": ("under", "below"),
}
_SHARED = {
    "material": "made of the same material as",
    "label": "of the same kind as",
    "state": "in the same state as",
    "room": "in the same room as",
    "place": "in the same place as",
}
_BEFORE = ("size", "weight", "state", "shape", "color", "material")  # adjectives as people order them
_TOLD = (Relate, Between, Compared)
_AHEAD = (*_BEFORE, "label")
_AFTER_STATES = {"on": "switched on", "off": "switched off"}
_MADE_OF = 0.15  # of materials that are told behind the noun
_BARE = 0.6  # of places that are told without "that is"


@dataclass(frozen=True)
class NounPhrase:
    """A set of objects in words.

    Attributes:
        noun: the kind, ``thing`` or ``room``. before: (attribute, adjective). other: others than one that is named.
        places: behind the noun, of no other object: ``made of wood``, ``in the kitchen``.
        told: by other objects, as after "is": ``next to the sofa``, ``heavier than the mug``.
        bare: what is told follows the noun without "that is".
    """

    noun: str
    before: tuple[tuple[str, str], ...] = ()
    other: bool = False
    places: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    bare: bool = False
    relational: bool = field(default=False, compare=False)

    def head(self, number: int = 1) -> str:
        """Adjectives and noun, in the plural unless ``number`` is one; without an article."""
        ranked = sorted(self.before, key=lambda item: _BEFORE.index(item[0]))
        noun = self.noun if number == 1 else plural(self.noun)
        return " ".join(("other",) * self.other + tuple(word for _, word in ranked) + (noun,))

    def words(self, number: int = 1) -> str:
        """All of it, without an article."""
        return " ".join((self.head(number), *self.tail(number)))

    def tail(self, number: int = 1) -> tuple[str, ...]:
        """What follows the noun."""
        if not self.told:
            return self.places
        if self.bare and len(self.told) == 1:
            return (*self.places, self.told[0])
        be = "is" if number == 1 and not self.always_several else "are"
        both = "both " if len(self.told) == 2 else ""
        return (*self.places, f"that {be} {both}{' and '.join(self.told)}")

    @property
    def always_several(self) -> bool:
        """Whether one such object is spoken of in the plural: "the scissors are"."""
        return self.noun in ALWAYS_SEVERAL

    @property
    def said(self) -> str:
        """All that may follow "is" or "are" of such objects; empty where there is nothing."""
        return " and ".join(self.told) if self.told else " ".join(self.places[-1:])

    @property
    def rest(self) -> NounPhrase:
        """The same without what ``said`` says."""
        return replace(self, told=()) if self.told else replace(self, places=self.places[:-1])

    @property
    def a(self) -> str:
        """``a red mug on the table``, ``another thing made of the same material as the pan``."""
        words = self.words()
        return f"an{words}" if self.other else with_article(words)


class Phrasing:
    """Words sets and single objects of one question, with one word for things of any kind."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.thing = self.pick(("thing", "object"))

    def pick(self, choices: Sequence[str]) -> str:
        """One of several, by chance."""
        return choices[int(self.rng.integers(len(choices)))]

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def the(self, one: One, bare: bool = True) -> str:
        """``the red mug on the table``, ``the heaviest box``.

        Args:
            bare: what is told may follow the noun without "that is".
        """
        if isinstance(one, Most):
            return self._most(one)
        phrase = self.phrase(one.objects)
        return f"the {replace(phrase, bare=bare and phrase.bare and phrase.relational).words()}"

    def be(self, one: One) -> str:
        """``is`` or ``are``."""
        return "are" if self.phrase(one.objects).always_several else "is"

    def several(self, objects: ObjectSet) -> str:
        """``red mugs on the table``."""
        return self.phrase(objects).words(2)

    def phrase(self, objects: ObjectSet, outermost: bool = False) -> NounPhrase:
        """A set in words; ``outermost``: none is told by it."""
        base, conditions = taken_apart(objects)
        if isinstance(base, Union):
            first, second = self.phrase(base.first), self.phrase(base.second)
            return NounPhrase(f"{first.words()} or {second.words()}")
        found = NounPhrase("room" if isinstance(base, Rooms) else self.thing, bare=self.chance(_BARE))
        filters = [each for each in conditions if isinstance(each, Filter)]
        alone = outermost and len(filters) == len(conditions) and all(each.attribute in _AHEAD for each in filters)
        for condition in sorted(filters, key=lambda each: each.attribute == "room"):
            if alone and condition.attribute == "material" and self.chance(_MADE_OF):
                found = replace(found, places=(f"made of {condition.value}",))
                continue
            found = self._filtered(found, condition.attribute, condition.value)
        anchored = [each for each in conditions if not isinstance(each, Filter)]
        told = [self._told(each) for each in anchored]
        return replace(
            found,
            other=any(isinstance(each, Same) for each in anchored),
            told=tuple(sorted(told, key=len)),
            relational=all(isinstance(each, (Relate, Between)) for each in anchored),
        )

    def relation(self, name: str, anchor: One) -> str:
        """``on top of the table``."""
        words = self.pick(_RELATIONS.get(name, (name,)))
        if name == "in" and isinstance(taken_apart(anchor.objects)[0], Rooms):
            words = "in"
        return f"{prepositional(words)} {self.the(anchor)}"

    def comparative(self, quantity: str, least: bool) -> str:
        """``heavier``."""
        return self.pick(COMPARATIVES[quantity, least])

    def _filtered(self, found: NounPhrase, attribute: str, value: str) -> NounPhrase:
        if attribute == "label":
            return replace(found, noun=value)
        if attribute == "room":
            return replace(found, places=(*found.places, f"in the {value}"))
        if attribute == "text":
            return replace(found, places=(*found.places, f'labelled "{value}"'))
        if attribute == "use":
            return replace(found, places=(*found.places, f"for {gerund(value)}"))
        if value == "light":  # which before a color is said of the color
            value = "lightweight"
        word = MATERIAL_ADJECTIVES.get(value, value) if attribute == "material" else _AFTER_STATES.get(value, value)
        return replace(found, before=(*found.before, (attribute, word)))

    def _told(self, condition: ObjectSet) -> str:
        if isinstance(condition, Relate):
            return self.relation(condition.relation, condition.anchor)
        if isinstance(condition, Between):
            return f"between {self.the(condition.first)} and {self.the(condition.second)}"
        if isinstance(condition, Compared):
            return f"{self.comparative(condition.quantity, condition.least)} than {self.the(condition.one)}"
        if isinstance(condition, Same):
            shared = _SHARED.get(condition.attribute, f"of the same {condition.attribute} as")
            return f"{shared} {self.the(condition.one)}"
        raise AssertionError(f"{type(condition).__name__} is no condition")

    def _most(self, one: Most) -> str:
        phrase, word = self.phrase(one.objects), _SUPERLATIVES[one.quantity, one.least]
        if one.anchor is None:
            return f"the {word} {phrase.words()}"
        return f"the {phrase.words()} {word} {'to' if one.least else 'from'} {self.the(one.anchor)}"


def told_clearly(program: Program) -> bool:
    """Whether all listeners take a chain alike.

    No large thing is told by a small one: "the box by the table next to the mug" rather says of the box that it is next
    to the mug.
    """
    return not any(_is_odd(one.objects) for one in descriptions(program))


def _is_odd(objects: ObjectSet) -> bool:
    if _kind(objects) not in FURNITURE:
        return False
    small = names() - FURNITURE
    ends = [end for each in taken_apart(objects)[1] if isinstance(each, _TOLD) for end in _ends(each)]
    return any(_kind(end.objects) in small for end in ends)


def _ends(condition: Relate | Between | Compared) -> tuple[One, ...]:
    if isinstance(condition, Between):
        return condition.first, condition.second
    return (condition.anchor if isinstance(condition, Relate) else condition.one,)


def _kind(objects: ObjectSet) -> str:
    labels = (each.value for each in taken_apart(objects)[1] if isinstance(each, Filter) and each.attribute == "label")
    return next((canonical(label) for label in labels), "")


def taken_apart(objects: ObjectSet) -> tuple[ObjectSet, tuple[ObjectSet, ...]]:
    """What a set is narrowed down from, and by what: like ``described``, but sharing is one of the conditions."""
    if isinstance(objects, (Filter, Relate, Between, Compared)):
        base, conditions = taken_apart(objects.objects)
        return base, (*conditions, objects)
    if isinstance(objects, Same):
        return Scene(), (objects,)
    if isinstance(objects, Intersect):
        first, second = taken_apart(objects.first), taken_apart(objects.second)
        return first[0], (*first[1], *second[1])
    return objects, ()
