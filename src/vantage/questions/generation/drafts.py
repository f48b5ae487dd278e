"""What all question generators share: the scene, a random generator, and drafts of questions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from vantage.questions.generation.facts import Facts
from vantage.questions.generation.question_templates import worded
from vantage.questions.generation.referring_expressions import Describer, Phrase
from vantage.questions.programs import Program
from vantage.scenes.graph import GraphNode

T = TypeVar("T")


@dataclass(frozen=True)
class Draft:
    """A question whose answer is still to be computed.

    Attributes:
        targets: ids of what must be seen to answer it.
    """

    text: str
    program: Program
    targets: tuple[int, ...]


@dataclass(frozen=True)
class QuestionScene:
    """One scene to ask about.

    Attributes:
        yes: the answer that a question with yes or no for an answer should have.
    """

    facts: Facts
    rng: np.random.Generator
    yes: bool = True

    def describe(self, obj: GraphNode, *avoid: str) -> Phrase | None:
        """See ``Describer.describe``."""
        return Describer(self.facts, self.rng).describe(obj, avoid)

    def worded(self, form: str, **parts: str) -> str:
        """See ``wording.worded``."""
        return worded(form, self.rng, **parts)

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def pick(self, items: Sequence[T]) -> T:
        return items[int(self.rng.integers(len(items)))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        return shuffled(items, self.rng)

    def evenly(self, items: Iterable[T], value: Callable[[T], object]) -> Iterator[T]:
        """The items in a random order in which each value is as likely as any other to come next."""
        groups: dict[object, list[T]] = defaultdict(list)
        for item in items:
            groups[value(item)].append(item)
        piles = [self.shuffled(group) for group in self.shuffled(list(groups.values()))]
        while piles:
            for pile in piles:
                yield pile.pop()
            piles = [pile for pile in piles if pile]


Maker = Callable[[QuestionScene], Iterator[Draft]]


def shuffled(items: Sequence[T], rng: np.random.Generator) -> list[T]:
    """The items in a random order."""
    return [items[int(k)] for k in rng.permutation(len(items))]


def ids(objects: Collection[GraphNode]) -> tuple[int, ...]:
    """Of several objects."""
    return tuple(obj.instance_id for obj in objects)
