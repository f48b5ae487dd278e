"""Which looks of a thing can be asked for, or compared: those that somebody who sees it can tell."""

from __future__ import annotations

from functools import lru_cache

from vantage.questions.generation.facts import Facts
from vantage.questions.generation.visible_colors import shows_its_color
from vantage.questions.generation.visible_materials import shows_its_material
from vantage.scenes.catalog import CATALOG
from vantage.scenes.graph import GraphNode


def shows_its(facts: Facts, node: GraphNode, attribute: str) -> bool:
    """Whether a look at an object tells an attribute of it; only colors and materials may hide."""
    if attribute == "color":
        return shows_its_color(node)
    return attribute != "material" or shows_its_material(facts, node)


@lru_cache(maxsize=1024)
def known_of_all(label: str, attribute: str) -> bool:
    """Whether all things of a kind have one material, or one shape, so that the name alone tells it: books are paper.

    Kinds that the catalogue does not have are not known.
    """
    entries = [entry for entry in CATALOG.values() if entry.label == label]
    if attribute == "material":
        return len({material for entry in entries for material in entry.materials}) == 1
    return attribute == "shape" and len({entry.shape for entry in entries}) == 1
