"""Programs of CLEVR's families about a home, at random: what they ask is there, and chains of up to three hops."""

from __future__ import annotations

from dataclasses import fields, is_dataclass

import numpy as np

from vantage.config import RelationSettings
from vantage.questions import programs as steps
from vantage.questions.execution import Executor, Truths
from vantage.questions.generation.program_phrases import told_clearly
from vantage.questions.lexicon import canonical

FAMILIES = (
    "exist",
    "exist related",
    "exist compared",
    "count",
    "count chained",
    "query",
    "query each",
    "verify",
    "compare attribute",
    "compare number",
    "compare quantity",
)
CONTAINERS = ("fridge", "cabinet", "wardrobe", "box", "basket", "bowl", "sink", "chest", "dresser", "bin")
RELATIONS = ("on", "in", "next to", "near")
ATTRIBUTES = ("color", "material", "shape", "size", "weight")
QUANTITIES = ("mass", "size", "length", "height")


class ChainedPrograms:
    """Draws programs that come to something on one scene graph, contents of closed containers included."""

    def __init__(self, graph, seed: int):
        self._rng = np.random.default_rng(seed)
        self.executor = Executor(graph, hidden=True)
        self._truths = Truths(graph, RelationSettings(), hidden=True)
        self._rooms = sorted({room.label for room in graph.rooms})

    def draw(self, family: str, tries: int = 400):
        """A program of a family; None when none was found."""
        for _ in range(tries):
            program = self._drawn(family)
            if program is not None and told_clearly(program) and self.executor.run(program).value is not None:
                return program
        return None

    def _drawn(self, family):
        if family == "exist":
            return steps.Exist(self._plain(self._any()))
        if family == "exist related":
            return self._over(steps.Exist, self._related(self._plain(self._any()), 2))
        if family == "exist compared":
            return self._over(steps.Exist, self._compared(self._plain(self._any()), 1))
        if family == "count":
            return steps.Count(self._plain(self._any()))
        if family == "count chained":
            return self._over(steps.Count, self._narrowed(self._plain(self._any()), 2))
        if family == "query":
            node = self._any()
            one = self._one(node, 2)
            return None if one is None else steps.Query(one, self._of(("color", "material", "room")))
        if family == "query each":
            objects = self._narrowed(self._plain(self._any()), 1) if self._chance(0.6) else self._plain(self._any())
            if objects is None or objects == steps.Scene():
                return None
            attributes = ("color", "material", "room", *(() if _label(objects) else ("label",)))
            return steps.QueryEach(objects, self._of(attributes))
        if family == "verify":
            one, attribute = self._one(self._any(), 2), self._of(("color", "material"))
            value = self._truths.word(self._any(), attribute)
            return None if one is None or not value else steps.Verify(one, attribute, value)
        if family == "compare attribute":
            pair = self._one(self._any(), 1), self._one(self._any(), 1)
            return (
                None
                if None in pair or pair[0] == pair[1]
                else steps.CompareAttribute(self._of(("color", "material")), *pair)
            )
        if family == "compare number":
            pair = self._plain(self._any()), self._plain(self._any())
            pair = [self._narrowed(each, 1) if self._chance(0.4) else each for each in pair]
            return None if None in pair or pair[0] == pair[1] else steps.CompareNumber(self._of(steps.NUMERIC), *pair)
        pair = self._one(self._any(), 1), self._one(self._any(), 1)
        if None in pair or pair[0] == pair[1]:
            return None
        return steps.CompareQuantity(self._of(QUANTITIES), *pair, self._chance(0.5))

    def _over(self, kind, objects):
        return None if objects is None else kind(objects)

    def _any(self):
        return self._of(self._truths.objects)

    def _plain(self, node):
        """Objects like one, told by a few of its words."""
        objects = steps.Scene()
        if self._chance(0.6):
            objects = steps.Filter(objects, "label", node.label)
        for attribute in ATTRIBUTES:
            value = self._truths.word(node, attribute)
            if value and self._chance(0.25):
                objects = steps.Filter(objects, attribute, value)
        if self._chance(0.3) and self._truths.word(node, "room"):
            objects = steps.Filter(objects, "room", self._truths.word(node, "room"))
        return objects

    def _one(self, node, depth):
        """A description that fits one object and no other."""
        for _ in range(4):
            objects = self._plain(node)
            if depth and self._chance(0.5):
                objects = self._narrowed(objects, depth)
            if objects is not None and self.executor.members(objects) == (node.instance_id,):
                return steps.Unique(objects)
        return None

    def _narrowed(self, objects, depth):
        chosen = int(self._rng.integers(8))
        if chosen < 4:
            return self._related(objects, depth)
        if chosen < 6:
            return self._compared(objects, depth)
        if chosen == 6:
            one = self._one(self._any(), depth - 1)
            same = None if one is None else steps.Same(one, self._of(("color", "material")))
            return None if same is None else same if objects == steps.Scene() else steps.Intersect(objects, same)
        both = self._related(objects, 1)
        return None if both is None else self._compared(both, 1)

    def _related(self, objects, depth):
        relation = self._of(RELATIONS)
        held = [
            node for node in self._truths.objects if node.relation == relation and node.parent in self._truths.nodes
        ]
        anchor = self._truths.nodes[self._of(held).parent] if held and self._chance(0.7) else self._any()
        if relation == "in" and anchor.label not in CONTAINERS:
            return None
        anchor = self._one(anchor, depth - 1)
        return None if anchor is None else steps.Relate(objects, relation, anchor)

    def _compared(self, objects, depth):
        one = self._one(self._any(), depth - 1)
        return None if one is None else steps.Compared(objects, self._of(QUANTITIES), one, self._chance(0.5))

    def _of(self, choices):
        return choices[int(self._rng.integers(len(choices)))]

    def _chance(self, share):
        return bool(self._rng.random() < share)


def _label(objects):
    while objects is not None and not isinstance(objects, (steps.Scene, steps.Same)):
        if isinstance(objects, steps.Filter) and objects.attribute == "label":
            return True
        objects = objects.first if isinstance(objects, steps.Intersect) else objects.objects
    return False


def plainest(step):
    """A program in which the order of conditions does not count, and "fewer" is "more" the other way round."""
    if isinstance(step, steps.ObjectSet):
        base, conditions = _conditions(step)
        return base, frozenset(conditions)
    if isinstance(step, steps.CompareNumber):
        pair = plainest(step.first), plainest(step.second)
        if step.relation == "equal":
            return "equal", frozenset(pair)
        return ("more", *(pair if step.relation == "more" else pair[::-1]))
    if isinstance(step, steps.CompareQuantity):
        pair = plainest(step.first), plainest(step.second)
        return step.quantity, step.least, *pair
    if isinstance(step, steps.CompareAttribute):
        return step.attribute, frozenset((plainest(step.first), plainest(step.second)))
    return (type(step).__name__, *(_part(getattr(step, item.name)) for item in fields(step)))


def _part(part):
    return plainest(part) if is_dataclass(part) else part


def _conditions(objects):
    if isinstance(objects, (steps.Filter, steps.Relate, steps.Between, steps.Compared)):
        base, conditions = _conditions(objects.objects)
        own = tuple(_part(getattr(objects, item.name)) for item in fields(objects) if item.name != "objects")
        if own[0] == "label":
            own = ("label", canonical(own[1]))
        return base, (*conditions, (type(objects).__name__, *own))
    if isinstance(objects, steps.Same):
        return "Scene", (("Same", plainest(objects.one), objects.attribute),)
    if isinstance(objects, steps.Intersect):
        first, second = _conditions(objects.first), _conditions(objects.second)
        return first[0], (*first[1], *second[1])
    return type(objects).__name__, ()
