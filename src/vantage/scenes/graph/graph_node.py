"""One thing of a scene graph."""

from __future__ import annotations

from dataclasses import dataclass

from vantage.scenes.spec.spec import STRUCTURE_LABELS
from vantage.types import Point


@dataclass(frozen=True)
class GraphNode:
    """One thing.

    Attributes:
        instance_id: unique and positive.
        label, color, material, shape: words; the last three are empty where no single word is right.
        bounds_min, bounds_max: world-frame bounding box, m.
        relation, parent: ``on`` or ``in`` another thing, found from the geometry; ``""`` and 0 on the bare floor.
        states: such as ``open``, ``on``, ``full``, ``dirty``.
        text: words printed on it.
        mass: kg, 0 where nobody knows.
        room: id of the room it is in, 0 for none.
        parts: names of its parts; part ids count them from 1.
    """

    instance_id: int
    label: str
    color: str
    material: str
    bounds_min: Point
    bounds_max: Point
    relation: str = ""
    parent: int = 0
    states: tuple[str, ...] = ()
    shape: str = ""
    text: str = ""
    mass: float = 0.0
    room: int = 0
    parts: tuple[str, ...] = ()

    @property
    def center(self) -> Point:
        """Of the bounding box, m."""
        x, y, z = (0.5 * (low + high) for low, high in zip(self.bounds_min, self.bounds_max, strict=True))
        return x, y, z

    @property
    def is_structure(self) -> bool:
        """Whether it is the building itself: floor, wall or ceiling."""
        return self.label in STRUCTURE_LABELS
