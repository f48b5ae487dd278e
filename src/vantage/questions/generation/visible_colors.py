"""Which things have a color that a look tells: those of which one color covers two thirds of what shows.

As of materials, the catalogue says what things of a kind look like. A lamp with a white shade on a gray pole is neither
a white lamp nor a gray one.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from vantage.scenes.catalog import CATALOG
from vantage.scenes.geometry import Style, color_shares
from vantage.scenes.graph import GraphNode
from vantage.scenes.spec import COLORS

LEAST_SHARE = 2.0 / 3.0  # of what shows


def shows_its_color(node: GraphNode) -> bool:
    """Whether the color of an object covers two thirds of what shows of such objects; so it is for unknown kinds."""
    return bool(node.color) and _shows(node.label, node.color, node.material, node.shape, node.states)


@lru_cache(maxsize=4096)
def _shows(label: str, color: str, material: str, shape: str, states: tuple[str, ...]) -> bool:
    """By all catalogue entries that an object may have been made from: of its label and, if any are, of its looks."""
    of_kind = [entry for entry in CATALOG.values() if entry.label == label]
    of_shape = [entry for entry in of_kind if entry.shape == shape] or of_kind
    entries = [entry for entry in of_shape if color in entry.colors] or of_shape
    if color not in COLORS:
        return True
    style = Style(color, material, COLORS[color], states)
    designs = (entry.build(style, np.random.default_rng(0)) for entry in entries)
    return all(color_shares(design.parts).get(color, 0.0) >= LEAST_SHARE for design in designs)
