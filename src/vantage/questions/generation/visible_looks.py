"""Which looks of a thing can be asked for, or compared: those that somebody who sees it can tell."""

from __future__ import annotations

from vantage.questions.generation.facts import Facts
from vantage.questions.generation.visible_colors import shows_its_color
from vantage.questions.generation.visible_materials import shows_its_material
from vantage.scenes.graph import GraphNode


def shows_its(facts: Facts, node: GraphNode, attribute: str) -> bool:
    """Whether a look at an object tells an attribute of it; only colors and materials may hide."""
    if attribute == "color":
        return shows_its_color(node)
    return attribute != "material" or shows_its_material(facts, node)
