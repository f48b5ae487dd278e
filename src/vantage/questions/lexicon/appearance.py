"""Kinds of objects that look alike from some way off: of one form, and of about one size.

The forms and typical extents are those of ``kinds.tsv``. Kinds that are related in meaning are left out, so
that a confusion of looks is never one of meaning (a mug taken for a vase, but not for a cup).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from vantage.questions.lexicon.related_kinds import KINDS, kind_of, related, rows
from vantage.types import Point

_RATIO = 1.8  # of the sizes of two kinds that look alike: their extents may differ by this factor on average
_CLOSE_FORMS = (
    frozenset({"cylinder", "bottle"}),
    frozenset({"cylinder", "handled"}),
    frozenset({"bottle", "handled"}),
    frozenset({"cylinder", "small cylinder"}),
    frozenset({"cylinder", "stool"}),
    frozenset({"box", "appliance"}),
    frozenset({"box", "case"}),
    frozenset({"box", "small box"}),
    frozenset({"small box", "appliance"}),
    frozenset({"cupboard", "large appliance"}),
    frozenset({"couch", "bedlike"}),
    frozenset({"bedlike", "trough"}),
    frozenset({"seat", "toilet"}),
    frozenset({"seat", "stool"}),
    frozenset({"tablelike", "stool"}),
    frozenset({"bowl", "pot"}),
    frozenset({"bowl", "handled"}),
    frozenset({"pot", "handled"}),
    frozenset({"bowl", "hat"}),
    frozenset({"pan", "paddle"}),
    frozenset({"plate", "tray"}),
    frozenset({"plate", "disc"}),
    frozenset({"slab", "tray"}),
    frozenset({"slab", "upright book"}),
    frozenset({"upright book", "small box"}),
    frozenset({"sheet", "slab"}),
    frozenset({"folded cloth", "bag"}),
    frozenset({"folded cloth", "loaf"}),
    frozenset({"bag", "figure"}),
    frozenset({"stem", "plant"}),
    frozenset({"stem", "long stick"}),
    frozenset({"stick", "long stick"}),
    frozenset({"short stick", "cutlery"}),
    frozenset({"short stick", "hand tool"}),
    frozenset({"short stick", "stick"}),
    frozenset({"pen", "cutlery"}),
    frozenset({"figure", "toy"}),
    frozenset({"figure", "bottle"}),
    frozenset({"small cloth", "hat"}),
    frozenset({"panel", "door"}),
    frozenset({"rack", "cupboard"}),
)


_LOOSE_RATIO = 2.5  # the same for one that might be taken for the other by somebody who has nothing better to take


@dataclass(frozen=True)
class Appearance:
    """What objects of a kind look like.

    Attributes:
        form: a word of the table for the outline, empty where objects of the kind have none in common.
        extents: typical, the greatest level one first and the height last, m.
    """

    form: str
    extents: Point


def confusable(label: str, extents: Point | None = None, color: str = "") -> tuple[str, ...]:
    """Kinds that look like this one, the most similar in size first; none for a word outside the table.

    Args:
        label: the kind.
        extents: of one object of the kind along x, y and z, m; None for the typical ones.
        color: of that object; kinds that never have it are left out. Empty for any.
    """
    kind = kind_of(label)
    look = appearances().get(kind)
    if look is None:
        return ()
    if extents is not None:
        x, y, z = extents
        look = Appearance(look.form, (max(x, y), min(x, y), z))
    return tuple(other for other in _alike(kind, look) if not color or _COLORS.get(other, color) == color)


@lru_cache(maxsize=65536)
def alike_in_form(one: str, other: str) -> bool:
    """Whether objects of two kinds may look alike in a pinch: of like forms, and of about one size.

    Wider than ``confusable``, and kinds that are related in meaning count, too.
    """
    first, second = (appearances().get(kind_of(label)) for label in (one, other))
    if first is None or second is None or not _same_form(first.form, second.form):
        return False
    return _difference(first.extents, second.extents) <= math.log(_LOOSE_RATIO)


@lru_cache(maxsize=1)
def appearances() -> dict[str, Appearance]:
    """The look of every kind in the table."""
    found = {}
    for label, _, form, extents, _ in rows(KINDS, 5):
        length, width, height = (float(figure) for figure in extents.split())
        found[label] = Appearance(form, (length, width, height))
    return found


_COLORS = {  # of kinds that come in one color only
    "banana": "yellow",
    "carrot": "orange",
    "cucumber": "green",
    "lemon": "yellow",
    "lettuce": "green",
    "orange": "orange",
    "plant": "green",
    "tomato": "red",
}


def _alike(kind: str, look: Appearance) -> tuple[str, ...]:
    ranked = sorted(
        (difference, other)
        for other, seen in appearances().items()
        if other != kind and _same_form(look.form, seen.form)
        if (difference := _difference(look.extents, seen.extents)) <= math.log(_RATIO) and not related(kind, other)
    )
    return tuple(other for _, other in ranked)


def _same_form(one: str, other: str) -> bool:
    return bool(one) and (one == other or frozenset((one, other)) in _CLOSE_FORMS)


def _difference(one: Point, other: Point) -> float:
    """Mean difference of the logarithms of the extents; what is thinner than 2 cm counts as that thick."""
    pairs = zip(one, other, strict=True)
    return sum(abs(math.log(max(a, 0.02) / max(b, 0.02))) for a, b in pairs) / len(one)
