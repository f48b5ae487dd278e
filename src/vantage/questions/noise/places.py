"""Places with names of their own, in which something is, or is said to be: on or in an object, or in a room."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from vantage.questions.generation import Facts, Phrase, extent, prepositional
from vantage.questions.noise.pairing import PairScene
from vantage.scenes.graph import GraphNode

_MOST_SEEN = 2  # supports of a room that must be seen for something to be missed there
_FITS = 0.6  # of the size of a place, beyond which nobody looks for an object there
_ODD = ("toilet", "bin", "stove", "microwave", "washing machine", "dishwasher", "bathtub", "oven", "fireplace", "sink")


@dataclass(frozen=True)
class Place:
    """A place with a name of its own.

    Attributes:
        words: ``on the desk``.
        support, anchor: the object, and its description; None for a room.
        room: its kind; for a support that of its room, or empty.
        seen: what must be seen for something to be missed there.
    """

    words: str
    relation: str
    support: GraphNode | None
    anchor: Phrase | None
    room: str
    seen: tuple[GraphNode, ...]

    def of(self, phrase: Phrase) -> Phrase:
        """The objects of a description that are there."""
        return phrase.in_room(self.room) if self.anchor is None else phrase.placed(self.relation, self.anchor)

    def holds(self, facts: Facts, obj: GraphNode) -> bool:
        """Whether an object is there, at any depth."""
        if self.support is None:
            return facts.room(obj) == self.room
        return obj is self.support or facts.truths.is_at(obj, self.support)

    def suits(self, pairing: PairScene, kind: str) -> bool:
        """Whether objects of a kind are in such a place somewhere in the set."""
        if self.support is None:
            return pairing.looks.suits(kind, "room") and pairing.is_usual(kind, "room", self.room)
        return pairing.is_usual(kind, "place", self.support.label)

    def takes(self, size: float) -> bool:
        """Whether people would look there for an object of a size, m."""
        return self.support is None or (self.support.label not in _ODD and size <= _FITS * extent(self.support))


def at_support(pairing: PairScene, support: GraphNode, relation: str = "", avoid: Collection[str] = ()) -> Place | None:
    """The place on or in an object; None where no short description tells it from all others."""
    facts = pairing.facts
    anchor = pairing.describe(support, "place", "relation", *avoid)
    if anchor is None:
        return None
    chosen = relation or facts.relation_to(support)
    words = f"{prepositional(chosen)} {anchor.the}"
    return Place(words, chosen, support, anchor, facts.room(support), (support,))


def in_room(pairing: PairScene, room: str) -> Place | None:
    """A room as a place; None where nothing stands in it on which to look."""
    facts = pairing.facts
    there = [support for support in facts.supports if facts.named_room(support) == room]
    largest = sorted(there, key=extent, reverse=True)[:_MOST_SEEN]
    return Place(f"in the {room}", "in", None, None, room, tuple(largest)) if largest else None


def places_of(pairing: PairScene, obj: GraphNode, avoid: Collection[str] = ()) -> list[Place]:
    """Names of where an object is, in a random order."""
    facts = pairing.facts
    support, room = facts.support(obj), facts.named_room(obj)
    found = []
    if support in facts.supports and support is not None:
        found.append(at_support(pairing, support, obj.relation or "on", avoid))
    if room:
        found.append(in_room(pairing, room))
    return pairing.shuffled([place for place in found if place is not None])


def rooms(facts: Facts) -> list[str]:
    """Kinds of rooms of which the home has one, among others."""
    return sorted({facts.named_room(support) for support in facts.supports} - {""})
