"""Which materials a look tells apart, in pictures of homes as in life.

Fabric and leather are soft. Wood is told where it is brown, as it grows; painted wood, metal, plastic, ceramic and
glass are rendered as smooth, evenly colored surfaces that hardly differ but in their gloss, so that of a red bowl or a
black bin nobody can say which of these it is made of. Brown plastic passes for wood.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from vantage.questions.generation.facts import Facts
from vantage.scenes.catalog import CATALOG
from vantage.scenes.graph import GraphNode

_SOFT = frozenset({"fabric", "leather"})
_SMOOTH = frozenset({"metal", "ceramic", "glass", "stone"})


@dataclass(frozen=True)
class _Told:
    """Things of some materials, in some colors (none for any), that nobody takes for things of others."""

    materials: frozenset[str]
    colors: frozenset[str]
    never: frozenset[str]


_TOLD = (
    _Told(_SOFT, frozenset(), _SMOOTH | {"wood"}),
    _Told(_SMOOTH | {"wood"}, frozenset(), _SOFT),
    _Told(frozenset({"wood"}), frozenset({"brown"}), _SMOOTH),
)


def looks_unlike(node: GraphNode, material: str) -> bool:
    """Whether a look at an object suffices to say that it is not of a material."""
    return _unlike(node.material, node.color, material)


@lru_cache(maxsize=4096)
def _unlike(true: str, color: str, material: str) -> bool:
    return any(
        true in row.materials and material in row.never and (not row.colors or color in row.colors) for row in _TOLD
    )


def shows_its_material(facts: Facts, node: GraphNode, others: frozenset[str] = frozenset()) -> bool:
    """Whether a look tells what an object is made of, of all that such objects are made of.

    Args:
        others: materials of the kind besides those of the catalogue and of this scene.
    """
    plain = node.material in ("plastic", "glass") or (node.material == "wood" and node.color != "brown")
    if plain or node.label == "lamp":  # of a plain surface nobody knows what is below it, and a lamp has two
        return False
    catalogue = {material for entry in CATALOG.values() if entry.label == node.label for material in entry.materials}
    here = {other.material for other in facts.of(node.label)}
    return all(looks_unlike(node, other) for other in (catalogue | here | others) - {"", node.material})
