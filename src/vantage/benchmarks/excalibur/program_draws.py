"""Draws programs about one house at random: what is asked, in a chain of steps that turns on the wanted relations.

What is not so is drawn as it might be: a material or color that such things come in, a kind that is found at such
places, a thing of about that weight or size. Otherwise the words alone would tell that the answer is no.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import TypeVar

import numpy as np

from vantage.benchmarks.excalibur.question_labels import (
    ADJACENT,
    COLOR,
    CONTAINED,
    COUNT,
    HEAVIER,
    LARGER,
    MATERIAL,
    ON_TOP,
    QUERY,
    SIZES,
)
from vantage.questions import Executor, Truths, programs as steps
from vantage.scenes.catalog import CATALOG
from vantage.scenes.graph import GraphNode

_STEPS = {CONTAINED: "in", ADJACENT: "next to", ON_TOP: "on"}
_PLACED, _COMPARED = frozenset(_STEPS), frozenset((HEAVIER, LARGER))
_LIKE = 2.5  # times as heavy or large: what is compared by words that may go either way
_NAMED = 0.7  # of things told by a kind of which such things come in one material or color only, that are tried again

T = TypeVar("T")


class NothingDrawnError(Exception):
    """No such program can be drawn from what was drawn so far."""


def families_of(kind: str, relations: frozenset[str]) -> tuple[str, ...]:
    """The families of a type of questions that can turn on these relations and no others."""
    words, compared = relations & {COLOR, MATERIAL}, relations & _COMPARED
    if kind == COUNT:
        return ("count_chained",) if relations & (_PLACED | _COMPARED) else ("count",)
    if kind == QUERY:
        return "query", "query_each"
    found = ["exist_compared" if compared else "exist_related" if relations & _PLACED else "exist", "compare_number"]
    found += ["verify", "compare_attribute"] if words else []
    return (*found, *(["compare_quantity"] if compared else []))


@cache
def usual_values(label: str, attribute: str) -> tuple[str, ...]:
    """The words of an attribute that things of a kind come in, by the catalogue; none for a kind that it lacks."""
    entries = [entry for entry in CATALOG.values() if entry.label == label]
    found = {word for entry in entries for word in (entry.colors if attribute == COLOR else entry.materials)}
    return tuple(sorted(found - {""}))


class ProgramDraws:
    """Draws programs about one house.

    Args:
        things: that can be seen. lifted: those of them that can be weighed.
    """

    def __init__(
        self,
        truths: Truths,
        executor: Executor,
        things: Sequence[GraphNode],
        lifted: Sequence[GraphNode],
        rng: np.random.Generator,
    ) -> None:
        self._truths, self._executor, self._rng = truths, executor, rng
        self._things, self._lifted = things, lifted
        self._found: dict[tuple[str, int], list[GraphNode]] = {}

    def draw(self, family: str, relations: frozenset[str], yes: bool, number: str) -> steps.Program:
        """One program, which may turn out to be of no use.

        Args:
            yes: the wanted answer of a yes/no question.
            number: how numbers are compared, of ``programs.NUMERIC``.

        Raises:
            NothingDrawnError: what was drawn leads nowhere.
        """
        words = [each for each in (COLOR, MATERIAL) if each in relations]
        if family.startswith("exist"):
            objects = self._described(self._any(relations), relations)
            return steps.Exist(objects if yes else self._altered(objects))
        if family.startswith("count"):
            return steps.Count(self._described(self._any(relations), relations))
        if family == "query":
            asked = self.of(words or (["label"] if relations & _PLACED else ["room", "label"]))
            return steps.Query(self._one(relations - {asked} if self._chance(0.7) else relations, asked), asked)
        if family == "query_each":
            asked = self.of(words or (["label"] if relations & _PLACED else ["room", "label"]))
            rest = relations - {asked}
            return steps.QueryEach(self._described(self._any(rest), rest, asked), asked)
        if family == "verify":
            asked = self.of(words)
            one = self._one(relations - {asked} if self._chance(0.7) else relations, asked)
            return steps.Verify(one, asked, self._verified(one, asked, yes))
        if family == "compare_attribute":
            asked = self.of(words)
            first, second = self._two(relations - {asked}, asked)
            return steps.CompareAttribute(asked, first, second)
        if family == "compare_number":
            parts = self._split(relations)
            pair = [self._described(self._any(part), part) for part in parts]
            return steps.CompareNumber(number, *pair)
        asked = self.of([each for each in (HEAVIER, LARGER) if each in relations])
        quantity, parts = self._quantity(asked), self._split(relations - {asked})
        first = self._one(parts[0], "", self._pool(asked))
        node = self._truths.nodes[(self._executor.members(first.objects) or ())[0]]
        return steps.CompareQuantity(
            quantity, first, self._one(parts[1], "", self._likes(node, quantity)), self._chance(0.5)
        )

    def of(self, choices: Sequence[T]) -> T:
        """One of several, by chance.

        Raises:
            NothingDrawnError: there are none.
        """
        if not choices:
            raise NothingDrawnError
        return choices[int(self._rng.integers(len(choices)))]

    def _described(
        self, node: GraphNode, relations: frozenset[str], untold: str = "", depth: int = 2
    ) -> steps.ObjectSet:
        """Objects like one, told by all these relations.

        Args:
            untold: attribute that must not be told.
        """
        objects: steps.ObjectSet = steps.Scene()
        named = untold != "label" and self._chance(0.6 if relations else 1.0)
        if named and any(self._goes_without_saying(node.label, each) for each in relations - {untold}):
            named = not self._chance(_NAMED)
        if named:
            objects = steps.Filter(objects, "label", node.label)
        for attribute in (COLOR, MATERIAL):
            if attribute in relations and attribute != untold:
                objects = steps.Filter(objects, attribute, self._word(node, attribute))
        if untold != "room" and not relations & _PLACED and self._chance(0.3):
            objects = steps.Filter(objects, "room", self._word(node, "room"))
        order = [each for each in (ON_TOP, CONTAINED, ADJACENT, HEAVIER, LARGER) if each in relations]
        for relation in order:
            objects = self._related(objects, node, relation, relations, depth)
        if objects == steps.Scene():
            raise NothingDrawnError
        return objects

    @staticmethod
    def _goes_without_saying(label: str, attribute: str) -> bool:
        return attribute in (COLOR, MATERIAL) and len(usual_values(label, attribute)) < 2

    def _related(
        self, objects: steps.ObjectSet, node: GraphNode, relation: str, relations: frozenset[str], depth: int
    ) -> steps.ObjectSet:
        if relation in _COMPARED:
            quantity = self._quantity(relation)
            one = self._unique(self.of(self._likes(node, quantity)), relations, depth - 1)
            return steps.Compared(objects, quantity, one, self._chance(0.5))
        step = _STEPS[relation]
        if relation == ADJACENT:
            pool = self._neighbours(node)
        else:
            pool = [each for each in self._things if each.instance_id == node.parent and node.relation == step]
        return steps.Relate(objects, step, self._unique(self.of(pool), relations, depth - 1))

    def _neighbours(self, node: GraphNode) -> list[GraphNode]:
        """What a thing is next to."""
        step = _STEPS[ADJACENT]
        key = step, node.instance_id
        if key not in self._found:
            self._found[key] = [each for each in self._things if self._truths.stands(node, step, each, None)]
        return self._found[key]

    def _likes(self, node: GraphNode, quantity: str) -> list[GraphNode]:
        """What a thing may be compared with in a quantity."""
        key = quantity, node.instance_id
        if key not in self._found:
            pool = self._lifted if quantity == "mass" else self._things
            self._found[key] = [each for each in pool if each is not node and self._is_like(node, each, quantity)]
        return self._found[key]

    def _pool(self, relation: str) -> Sequence[GraphNode]:
        return self._lifted if relation == HEAVIER else self._things

    def _is_like(self, node: GraphNode, other: GraphNode, quantity: str) -> bool:
        """Whether two things are near enough in a quantity for either to have more of it."""
        first, second = self._truths.amount(node, quantity), self._truths.amount(other, quantity)
        return bool(first and second) and max(first, second) <= _LIKE * min(first, second)  # type: ignore[type-var,operator]

    def _two(self, relations: frozenset[str], untold: str) -> tuple[steps.Unique, steps.Unique]:
        """Two different things that share the relations between them."""
        first, second = self._split(relations)
        pair = self._one(first, untold), self._one(second, untold)
        if self._executor.members(pair[0].objects) == self._executor.members(pair[1].objects):
            raise NothingDrawnError
        return pair

    def _one(
        self, relations: frozenset[str], untold: str = "", things: Sequence[GraphNode] | None = None
    ) -> steps.Unique:
        """A description of exactly one thing that is told by all these relations."""
        node = self.of(things) if things is not None and not relations else self._any(relations, things)
        if self._goes_without_saying(node.label, untold) and self._chance(_NAMED):
            raise NothingDrawnError
        if untold == MATERIAL and node.label == node.material:  # what a glass is made of
            raise NothingDrawnError
        objects = self._described(node, relations, untold)
        if self._executor.members(objects) != (node.instance_id,):
            raise NothingDrawnError
        return steps.Unique(objects)

    def _unique(self, node: GraphNode, relations: frozenset[str], depth: int) -> steps.Unique:
        """A plain description of one thing by what the question turns on anyway."""
        words = [each for each in (COLOR, MATERIAL) if each in relations and self._chance(0.5)]
        deeper = relations - {COLOR, MATERIAL} if depth > 0 and self._chance(0.25) else frozenset()
        objects: steps.ObjectSet = steps.Filter(steps.Scene(), "label", node.label)
        for attribute in words:
            objects = steps.Filter(objects, attribute, self._word(node, attribute))
        if self._executor.members(objects) != (node.instance_id,):
            objects = steps.Filter(objects, "room", self._word(node, "room"))
        if self._executor.members(objects) != (node.instance_id,) and deeper:
            objects = self._related(objects, node, self.of(sorted(deeper)), relations, depth)
        if self._executor.members(objects) != (node.instance_id,):
            raise NothingDrawnError
        return steps.Unique(objects)

    # What is not so ---------------------------------------------------------------------------------------------------

    def _verified(self, one: steps.Unique, attribute: str, yes: bool) -> str:
        """The word of a thing, or another one that such things come in."""
        node = self._truths.nodes[(self._executor.members(one.objects) or (0,))[0]]
        word, told = self._word(node, attribute), _label_told(one.objects)
        usual = usual_values(told, attribute) if told else self._here(attribute)
        if yes and any(each != word for each in usual):
            return word
        return self.of([each for each in usual if each != word])

    def _altered(self, objects: steps.ObjectSet, told: tuple[tuple[str, str], ...] = ()) -> steps.ObjectSet:
        """With one condition changed, so that it likely fits nothing.

        Args:
            told: attributes with their words that the same things are told by, besides.
        """
        label = _label_told(objects)
        if isinstance(objects, steps.Filter):
            if self._chance(0.4) and objects.objects != steps.Scene():
                told = (*told, (objects.attribute, objects.value))
                return replace(objects, objects=self._altered(objects.objects, told))
            return replace(objects, value=self._other(objects, label, told))
        if isinstance(objects, (steps.Relate, steps.Compared)):
            if self._chance(0.6):
                return replace(objects, objects=self._altered(objects.objects, told))
            if isinstance(objects, steps.Compared):
                return replace(objects, least=not objects.least)
            return replace(objects, anchor=self._unique(self._anchor(objects.relation), frozenset(), 0))
        raise NothingDrawnError

    def _other(self, condition: steps.Filter, label: str, told: tuple[tuple[str, str], ...]) -> str:
        attribute, value = condition.attribute, condition.value
        if attribute == "label":
            roles = {_role(node) for node in self._things if node.label == value}
            others = [node.label for node in self._things if node.label != value and _role(node) in roles]
            words = [(each, word) for each, word in told if each in (COLOR, MATERIAL)]
            return self.of([name for name in others if all(word in usual_values(name, each) for each, word in words)])
        if attribute in (COLOR, MATERIAL):
            usual = usual_values(label, attribute) if label else self._here(attribute)
            return self.of([each for each in usual if each != value])
        return self.of([each for each in self._here(attribute) if each != value])

    def _here(self, attribute: str) -> list[str]:
        """Words of an attribute, as common as they are in the house."""
        return [word for node in self._things if (word := self._truths.word(node, attribute))]

    def _anchor(self, relation: str) -> GraphNode:
        """Something in or on which there is something, or anything for other relations."""
        if relation not in ("in", "on"):
            return self.of(self._things)
        holders = {node.parent for node in self._things if node.relation == relation}
        return self.of([node for node in self._things if node.instance_id in holders])

    # Lots -------------------------------------------------------------------------------------------------------------

    def _split(self, relations: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
        first = frozenset(each for each in sorted(relations) if self._chance(0.5))
        return first, relations - first

    def _any(self, relations: frozenset[str], things: Sequence[GraphNode] | None = None) -> GraphNode:
        """A thing that has what the relations tell, of some or of all."""
        pool: Sequence[GraphNode] = self._things if things is None else things
        if HEAVIER in relations and things is None and self._chance(0.7):
            pool = self._lifted
        if CONTAINED in relations:
            pool = [node for node in pool if node.relation == "in"]
        elif ON_TOP in relations:
            pool = [node for node in pool if node.relation == "on"]
        return self.of(pool)

    def _quantity(self, relation: str) -> str:
        return "mass" if relation == HEAVIER else self.of(SIZES)

    def _word(self, node: GraphNode, attribute: str) -> str:
        word = self._truths.word(node, attribute)
        if not word:
            raise NothingDrawnError
        return word

    def _chance(self, share: float) -> bool:
        return bool(self._rng.random() < share)


def _label_told(objects: steps.ObjectSet) -> str:
    """The kind that a description names of what it describes; empty where it names none."""
    while isinstance(objects, (steps.Filter, steps.Relate, steps.Compared)):
        if isinstance(objects, steps.Filter) and objects.attribute == "label":
            return objects.value
        objects = objects.objects
    return ""


def _role(node: GraphNode) -> str:
    """``in`` or ``on`` something; empty for what stands on the floor."""
    return node.relation if node.parent else ""
