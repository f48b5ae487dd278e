"""What is true of objects of each kind somewhere in the homes of a set, so that false claims are not odd in themselves.

A claim that holds for no object of its kind gives itself away by its words, without a look: a toilet in the living
room, a wooden mug, a skateboard where no home holds one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from vantage.questions.generation import Facts

_LOOKS = ("color", "material", "shape", "text")


@dataclass(frozen=True)
class UsualClaims:
    """
    Attributes:
        true: kind, attribute and value of what is true of some object; ``place`` is what it is on or in, ``state`` one
            of its states, ``text`` what is printed on it.
    """

    true: frozenset[tuple[str, str, str]]

    @staticmethod
    def of(facts: Facts) -> UsualClaims:
        """What is true in one home."""
        return UsualClaims(frozenset(_true_in(facts)))

    @staticmethod
    def of_all(homes: Iterable[UsualClaims]) -> UsualClaims:
        """What is true in any of some homes."""
        return UsualClaims(frozenset().union(*(home.true for home in homes)))

    @cached_property
    def kinds(self) -> frozenset[str]:
        return frozenset(kind for kind, _, _ in self.true)

    @cached_property
    def _by_attribute(self) -> dict[tuple[str, str], frozenset[str]]:
        found: dict[tuple[str, str], set[str]] = defaultdict(set)
        for kind, attribute, value in self.true:
            if value:
                found[kind, attribute].add(value)
        return {key: frozenset(values) for key, values in found.items()}

    def values(self, kind: str, attribute: str) -> frozenset[str]:
        """All that an attribute is of objects of the kind."""
        return self._by_attribute.get((kind, attribute), frozenset())

    def has(self, kind: str, attribute: str, value: str) -> bool:
        """Whether it is true of some object of the kind."""
        return (kind, attribute, value) in self.true


def _true_in(facts: Facts) -> Iterator[tuple[str, str, str]]:
    for obj in facts.in_sight:
        support = facts.support(obj)
        yield obj.label, "room", facts.room(obj)
        if support is not None:
            yield obj.label, "place", support.label
        for state in obj.states:
            yield obj.label, "state", state
        for attribute in _LOOKS:
            yield obj.label, attribute, facts.truths.word(obj, attribute)
