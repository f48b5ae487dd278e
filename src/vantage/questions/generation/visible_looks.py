"""Which looks of a thing can be asked for, or compared: those that somebody who sees it can tell."""

from __future__ import annotations

from functools import lru_cache

from vantage.questions.generation.facts import Facts
from vantage.questions.generation.visible_colors import shows_its_color
from vantage.questions.generation.visible_materials import shows_its_material
from vantage.scenes.catalog import CATALOG
from vantage.scenes.graph import GraphNode

_SOFT = ("pillow",)  # of no clear outline


def shows_its(facts: Facts, node: GraphNode, attribute: str) -> bool:
    """Whether a look at an object tells an attribute of it; only colors, materials and soft shapes may hide."""
    if attribute == "color":
        return shows_its_color(node)
    if attribute == "shape":
        return node.label not in _SOFT
    return attribute != "material" or shows_its_material(facts, node)


@lru_cache(maxsize=1024)
def known_of_all(label: str, attribute: str) -> bool:
    """Whether everybody knows an attribute of all things of a kind: books are paper, and plates are round.

    By the catalogue; of other materials than paper it holds fewer than there are in life: kettles are not all metal.
    """
    entries = [entry for entry in CATALOG.values() if entry.label == label]
    if attribute == "material":
        return {material for entry in entries for material in entry.materials} == {"paper"}
    return attribute == "shape" and len({entry.shape for entry in entries}) == 1
