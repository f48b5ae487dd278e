"""What is true of objects of each kind somewhere in the homes of a set, so that false claims are not odd in themselves.

A claim that holds for no object of its kind gives itself away by its words, without a look: a toilet in the living
room, a wooden mug, a skateboard where no home holds one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from vantage.questions.generation import Facts

_LOOKS = ("color", "material", "shape")


@dataclass(frozen=True)
class UsualClaims:
    """
    Attributes:
        true: kind, attribute and value of what is true of some object; ``place`` is what it is on or in.
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

    def has(self, kind: str, attribute: str, value: str) -> bool:
        """Whether it is true of some object of the kind."""
        return (kind, attribute, value) in self.true


def _true_in(facts: Facts) -> Iterator[tuple[str, str, str]]:
    for obj in facts.in_sight:
        support = facts.support(obj)
        yield obj.label, "room", facts.room(obj)
        if support is not None:
            yield obj.label, "place", support.label
        for attribute in _LOOKS:
            yield obj.label, attribute, facts.truths.word(obj, attribute)
