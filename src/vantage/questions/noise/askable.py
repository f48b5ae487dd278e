"""What can be asked of a kind of things with profit: what its name does not tell, and what has one right answer."""

from __future__ import annotations

from functools import lru_cache

from vantage.scenes.catalog.catalog import CATALOG
from vantage.scenes.graph.graph import GraphNode

_OF_SEVERAL_MATERIALS = frozenset(  # a shade on a foot, bedclothes on a frame, a print behind glass
    {"bed", "clock", "guitar", "lamp", "lantern", "office chair", "picture", "sink", "television", "whiteboard"}
)
_FLAT = 0.3  # of the largest extent: thinner things are taken for no ball and no cylinder
_SOLID_SHAPES = ("cylindrical", "spherical")


def may_seem(thing: GraphNode, shape: str) -> bool:
    """Whether somebody who remembers a thing badly may think that it has a shape."""
    sides = [high - low for low, high in zip(thing.bounds_min, thing.bounds_max, strict=True)]
    return shape not in _SOLID_SHAPES or min(sides) >= _FLAT * max(sides)


def has_one_material(label: str) -> bool:
    """Whether people who see such a thing agree on what it is made of."""
    return label not in _OF_SEVERAL_MATERIALS


@lru_cache(maxsize=4096)
def told_by_name(label: str, attribute: str) -> bool:
    """Whether the name of a kind tells its color, material or shape: plants are green, books are of paper."""
    entries = [entry for entry in CATALOG.values() if entry.label == label]
    values = {
        "color": {color for entry in entries for color in entry.colors},
        "material": {material for entry in entries for material in entry.materials},
        "shape": {entry.shape for entry in entries},
    }.get(attribute, set())
    return len(values) == 1
