"""What objects of a kind may look like, as far as its name leaves that open.

People ask only for what they cannot know without a look, and err only within reason: a table may be round, a bookshelf
is not; bananas are yellow, books are of paper. What kinds come in is known from the catalogue and from the homes of a
set; which shapes people would tell apart is said here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from vantage.questions.kinds import COLORS, OPPOSITES
from vantage.questions.noise.clear_contrasts import clearly_other
from vantage.questions.noise.usual_claims import UsualClaims
from vantage.scenes.catalog import CATALOG

_SHAPES = {  # of kinds of which people own round and angular ones
    "box": ("round", "rectangular"),
    "clock": ("round", "square"),
    "mirror": ("round", "rectangular"),
    "pillow": ("round", "rectangular"),
    "rug": ("round", "rectangular"),
    "table": ("round", "rectangular"),
}
_MATERIALS = {  # of kinds of which people own some of each, besides what they are in the homes
    "bookshelf": ("wood", "metal"),
    "cabinet": ("wood", "metal"),
    "chair": ("wood", "metal"),
    "chest": ("wood", "metal"),
    "desk": ("wood", "metal", "glass"),
    "nightstand": ("wood", "metal"),
    "shelf": ("wood", "metal", "glass"),
    "table": ("wood", "metal", "glass"),
    "wardrobe": ("wood", "metal"),
}
OF_ONE_ROOM = frozenset(  # where everybody knows that they are, though some are elsewhere
    {"bed", "bathtub", "fridge", "pot", "sink", "sofa", "stove", "toilet", "toothbrush", "towel", "wardrobe"}
)
_OF_SEVERAL_MATERIALS = frozenset(  # a shade on a foot, bedclothes on a frame, a print behind glass
    {"bed", "clock", "guitar", "lamp", "lantern", "office chair", "picture", "sink", "television", "whiteboard"}
)
_OF_SEVERAL_COLORS = frozenset({"mirror", "newspaper", "picture", "poster", "whiteboard", "window"})
_FOOD = ("banana", "bread", "cake", "carrot", "cookie", "cucumber", "egg", "lemon", "lettuce", "onion", "orange")
_BY_NATURE = frozenset(  # of one color and of what they are, whatever a home says of them
    (*_FOOD, "foil", "paper towel", "peach", "pear", "plant", "potato", "toilet paper", "tomato")
)
_VISIBLE_STATES = frozenset({"open", "closed", "on", "off", "full", "empty"})  # from some way off


@dataclass(frozen=True)
class PossibleLooks:
    """What is known of the looks of kinds, and of where they are: the catalogue, and what is true in some homes."""

    claims: UsualClaims

    def of(self, kind: str, attribute: str) -> frozenset[str]:
        """The colors, materials, shapes, states or prints that objects of a kind may have."""
        if attribute == "shape":
            return frozenset(_SHAPES.get(kind, ()))
        if (attribute, kind) in _UNTOLD or (kind in _BY_NATURE and attribute in ("color", "material")):
            return frozenset()
        if kind not in self.claims.kinds and kind not in _labels():
            return frozenset(COLORS) if attribute == "color" else frozenset()
        values = _of_catalogue(kind, attribute) | self.claims.values(kind, attribute)
        if attribute == "material":
            values |= frozenset(_MATERIALS.get(kind, ()))
        return values & _VISIBLE_STATES if attribute == "state" else values

    def leaves_open(self, kind: str, attribute: str) -> bool:
        """Whether the name of a kind leaves its color, material or shape open: two that nobody takes for each other."""
        values = self.of(kind, attribute)
        return any(clearly_other(attribute, value, values) for value in values)

    def suits(self, kind: str, attribute: str, value: str = "") -> bool:
        """Whether people may ask for an attribute of such an object, or with a value whether it has it.

        A room is asked for, or claimed, only of what is in rooms of several kinds: nobody need look where the bed is.
        """
        if attribute == "room":
            return kind not in OF_ONE_ROOM and len(self.claims.values(kind, "room")) > 1
        if attribute == "place":
            return True
        if attribute == "state":
            return not {value, OPPOSITES.get(value, value)}.isdisjoint(self.of(kind, "state"))
        if attribute == "text":
            return bool(self.of(kind, "text"))
        return self.leaves_open(kind, attribute) and (not value or value in self.of(kind, attribute))


_UNTOLD = {("material", kind) for kind in _OF_SEVERAL_MATERIALS} | {("color", kind) for kind in _OF_SEVERAL_COLORS}


@lru_cache(maxsize=1)
def _labels() -> frozenset[str]:
    return frozenset(entry.label for entry in CATALOG.values())


@lru_cache(maxsize=4096)
def _of_catalogue(kind: str, attribute: str) -> frozenset[str]:
    entries = [entry for entry in CATALOG.values() if entry.label == kind]
    values = {
        "color": {color for entry in entries for color in entry.colors},
        "material": {material for entry in entries for material in entry.materials if material},
        "state": {state for entry in entries for group in entry.states for state in group},
        "text": {word for entry in entries for word in entry.prints},
    }
    return frozenset(values[attribute])
