"""Programs about the things of one home that turn on weight and on what is inside of things, too, at random."""

from __future__ import annotations

import numpy as np

from vantage.perception import SHELVES
from vantage.questions import inner_steps, programs as steps
from vantage.questions.execution import Executor

PLACED = ("on", "in", "at", "next to", "near")
MEASURED = ("size", "length", "height")
KINDS = (
    steps.Exist,
    steps.Count,
    steps.Query,
    steps.QueryEach,
    steps.Verify,
    steps.VerifyRelation,
    steps.CompareNumber,
    steps.CompareQuantity,
    steps.CompareAttribute,
)
TOLD = ("color", "material", "room")


class FeltChance:
    """Draws programs whose premises hold in a home.

    Args:
        attributes: by which sets are narrowed down.
    """

    def __init__(self, seed, graph, asker, attributes=("color", "material", "room", "weight")):
        self._rng = np.random.default_rng(seed)
        self._executor = Executor(graph, asker, hidden=True)
        self._things = graph.objects()
        self._rooms = {room.room_id: room.label for room in graph.rooms}
        self._attributes = attributes

    def program(self, kind):
        if kind in (steps.Exist, steps.Count):
            return kind(self.objects(2))
        if kind is steps.Query:
            return kind(self.one(), self._of((*TOLD, "place", "label")))
        if kind is steps.QueryEach:
            return kind(self.objects(2), self._of((*TOLD, "label")))
        if kind is steps.Verify:
            attribute = self._of((*TOLD, "label"))
            return kind(self.one(), attribute, self._value(attribute))
        if kind is steps.VerifyRelation:
            return kind(self.one(), *self._place())
        if kind is steps.CompareNumber:
            return kind(self._of(steps.NUMERIC), self.objects(1), self.objects(1))
        if kind is steps.CompareQuantity:
            return kind(self._of(("mass", "mass", "mass", *MEASURED)), self.one(), self.one(), self._chance(0.5))
        return kind(self._of(TOLD), self.one(), self.one())

    def one(self):
        """A description that fits one thing alone."""
        if self._chance(0.1):
            return steps.Most(self.objects(1), self._of(("mass", "size")), self._chance(0.5))
        while True:
            node = self._of(self._things)
            found = steps.Filter(steps.Scene(), "label", node.label)
            told = {"color": node.color, "material": node.material, "room": self._rooms.get(node.room, "")}
            for attribute in self._rng.permutation(TOLD):
                if len(self._executor.members(found) or ()) == 1:
                    return steps.Unique(found)
                if told[str(attribute)]:
                    found = steps.Filter(found, str(attribute), told[str(attribute)])
            if len(self._executor.members(found) or ()) == 1:
                return steps.Unique(found)

    def _place(self):
        """A relation and an anchor; on and in are one of shelves, for people."""
        while True:
            relation, anchor = self._of(PLACED), self.one()
            label = next((s.value for s in inner_steps(anchor) if getattr(s, "attribute", "") == "label"), "")
            if relation not in ("on", "in") or label not in SHELVES:
                return relation, anchor

    def objects(self, depth):
        found = steps.Scene()
        if self._chance(0.5):
            found = steps.Filter(found, "label", self._value("label"))
        for _ in range(int(self._rng.integers(1, 3))):
            found = self._narrowed(found, depth)
        return found

    def _narrowed(self, objects, depth):
        choice = self._rng.random()
        if depth <= 0 or choice < 0.35:
            attribute = self._of(self._attributes)
            return steps.Filter(objects, attribute, self._value(attribute))
        if choice < 0.65:
            quantity = "mass" if self._chance(0.7) else self._of(MEASURED)
            return steps.Compared(objects, quantity, self.one(), self._chance(0.5))
        if choice < 0.9:
            return steps.Relate(objects, *self._place())
        if choice < 0.94:
            return steps.Union(objects, self.objects(depth - 1))
        if choice < 0.97:
            return steps.Intersect(objects, self.objects(depth - 1))
        return steps.Same(self.one(), self._of(TOLD))

    def _value(self, attribute):
        if attribute == "weight":
            return self._of(steps.WEIGHTS)
        if attribute == "room":
            return self._of(tuple(self._rooms.values()))
        values = [getattr(node, attribute) for node in self._things]
        return self._of([value for value in values if value])

    def _of(self, words):
        return words[int(self._rng.integers(len(words)))]

    def _chance(self, share):
        return bool(self._rng.random() < share)
