"""Programs of every kind of step about the homes of ``known_scenes``, at random."""

from __future__ import annotations

import numpy as np
from known_scenes import COLORS, MATERIALS, SHAPES, SMALL

from vantage.questions import programs as steps

LABELS = (*SMALL, "table", "chest", "stool", "piano")
VALUES = {
    "label": LABELS,
    "color": COLORS,
    "material": MATERIALS,
    "shape": SHAPES,
    "size": steps.SIZES,
    "state": ("open", "closed"),
    "text": ("TEA", "COFFEE"),
    "room": ("kitchen", "bedroom", "garage"),
}
QUERIES = tuple(name for name in steps.QUERIES if name != "weight")  # which cannot be seen, as mass
QUANTITIES = ("size", "height", "length", "volume", "distance")
PROGRAMS = (
    steps.Exist,
    steps.Count,
    steps.Query,
    steps.Verify,
    steps.VerifyRelation,
    steps.CompareNumber,
    steps.CompareQuantity,
    steps.CompareAttribute,
    steps.Alike,
)


class Chance:
    """Draws steps; ``depth`` bounds how deep descriptions are nested."""

    def __init__(self, seed: int):
        self._rng = np.random.default_rng(seed)

    def program(self, kind):
        if kind in (steps.Exist, steps.Count):
            return kind(self.objects(2))
        if kind is steps.Query:
            return kind(self.one(2), self._of(QUERIES))
        if kind is steps.Alike:
            return kind(self.one(2), self._of(QUERIES))
        if kind is steps.Verify:
            attribute = self._of(tuple(VALUES))
            return kind(self.one(2), attribute, self._of(VALUES[attribute]))
        if kind is steps.VerifyRelation:
            return kind(self.one(1), self._of(steps.RELATIONS), self.one(1))
        if kind is steps.CompareNumber:
            return kind(self._of(steps.NUMERIC), self.objects(1), self.objects(1))
        if kind is steps.CompareQuantity:
            return kind(self._of(QUANTITIES), self.one(1), self.one(1), self._chance(0.5))
        return kind(self._of(steps.SAMENESS), self.one(1), self.one(1))

    def one(self, depth):
        if self._chance(0.15):
            anchor = self.one(depth - 1) if depth > 0 and self._chance(0.3) else None
            quantity = "distance" if anchor is not None else self._of(QUANTITIES)
            return steps.Most(self.objects(depth - 1), quantity, self._chance(0.5), anchor)
        if self._chance(0.08):
            return steps.Unique(steps.Filter(steps.Rooms(), "label", self._of(("kitchen", "bedroom"))))
        return steps.Unique(self.objects(depth))

    def objects(self, depth):
        found = steps.Scene()
        if self._chance(0.85):
            found = steps.Filter(found, "label", self._of(LABELS))
        for _ in range(int(self._rng.integers(0, 3))):
            found = self._narrowed(found, depth)
        return found

    def _narrowed(self, objects, depth):
        if depth <= 0 or self._chance(0.6):
            attribute = self._of(("color", "color", "material", "shape", "size", "state", "text", "room"))
            return steps.Filter(objects, attribute, self._of(VALUES[attribute]))
        choice = int(self._rng.integers(10))
        if choice == 0:
            return steps.Between(objects, self.one(depth - 1), self.one(depth - 1))
        if choice == 1:
            return steps.Union(objects, self.objects(depth - 1))
        if choice == 2:
            return steps.Intersect(objects, self.objects(depth - 1))
        if choice == 3:
            return steps.Same(self.one(depth - 1), self._of(steps.SAMENESS))
        viewer = self.one(0) if self._chance(0.1) else None
        return steps.Relate(objects, self._of(steps.RELATIONS), self.one(depth - 1), viewer)

    def _of(self, words):
        return words[int(self._rng.integers(len(words)))]

    def _chance(self, share):
        return bool(self._rng.random() < share)
