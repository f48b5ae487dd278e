"""Which materials a look tells apart, in pictures of homes as in life.

Fabric and leather are soft. Glass lets light through, wood has its grain, metal and ceramic shine each in its way: two
readers of a panel told these apart (docs/validity.md). Plastic passes for painted metal, and for ceramic and wood;
brown wood alone is told from all that is smooth.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from vantage.questions.generation.facts import Facts
from vantage.scenes.catalog import CATALOG
from vantage.scenes.graph import GraphNode

_SOFT = frozenset({"fabric", "leather"})
_SMOOTH = frozenset({"metal", "ceramic", "glass", "stone"})
_CLEAR = frozenset({"glass"})


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
    _Told(_CLEAR, frozenset(), (_SMOOTH | {"wood", "plastic"}) - _CLEAR),
    _Told((_SMOOTH | {"wood", "plastic"}) - _CLEAR, frozenset(), _CLEAR),
    _Told(frozenset({"metal"}), frozenset(), frozenset({"ceramic", "wood"})),
    _Told(frozenset({"ceramic", "wood"}), frozenset(), frozenset({"metal"})),
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
    catalogue = {material for entry in CATALOG.values() if entry.label == node.label for material in entry.materials}
    here = {other.material for other in facts.of(node.label)}
    return all(looks_unlike(node, other) for other in (catalogue | here | others) - {"", node.material})
