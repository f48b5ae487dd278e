"""Colors and materials in words, from the names that materials have in AI2-THOR."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from vantage.files import read_json
from vantage.scenes.catalog import CATALOG
from vantage.scenes.spec import COLORS, MATERIALS, decoding

_COLORS = {word: word for word in COLORS} | {
    "grey": "gray",
    "steel": "gray",
    "cream": "white",
    "creame": "white",
    "teal": "blue",
    "gold": "yellow",
    "brass": "yellow",
    "violet": "purple",
    "maroon": "red",
}
_MATERIALS = {word: word for word in MATERIALS} | {
    "carpet": "fabric",
    "cloth": "fabric",
    "porcelain": "ceramic",
    "wicker": "wood",
    "steel": "metal",
    "aluminum": "metal",
    "iron": "metal",
    "copper": "metal",
    "brass": "metal",
    "rubber": "plastic",
}
_PLAIN = {"wood": "brown", "metal": "gray"}  # colors of timber and of bare metal
_CLEAR = ("white", "glass")  # what is called so is no paint
_UPHOLSTERED = {"fabric", "leather", "paper", ""}  # kinds of which hard materials are but legs and frames
_HARD = {"wood", "metal", "plastic", "glass", "ceramic"}


@dataclass(frozen=True)
class Look:
    """A color and a material in words, empty where nothing tells."""

    color: str = ""
    material: str = ""


@dataclass(frozen=True)
class MaterialDatabase:
    """The categories of materials, such as ``Wood``, by the names of the materials."""

    categories: Mapping[str, str] = field(default_factory=dict)

    @staticmethod
    def load(path: str | Path) -> MaterialDatabase:
        """Read ``material-database.json``: lists of names under their categories.

        Raises:
            FormatError: the file is no JSON or of another kind.
        """
        where, found = str(path), {}
        for category, names in decoding.mapping(read_json(path), where).items():
            for name in decoding.words({category: names}, category, where):
                found[name] = category
        return MaterialDatabase(found)

    def look(self, name: str) -> Look:
        """What a material looks like."""
        return look_of_material(self.categories.get(name, ""), name)


def look_of_material(category: str, name: str) -> Look:
    """What the name of a material and its category tell."""
    named = _words(name)
    material = _first(named, _MATERIALS) or _MATERIALS.get(category.lower(), "")
    color = _first(named, _COLORS) or _PLAIN.get(material, "")
    return Look("" if (color, material) == _CLEAR else color, material)


def look_of_asset(entry: str, materials: Sequence[tuple[str, str]]) -> Look:
    """What an asset looks like as a whole.

    Its first material tells, or the one that is called primary. Materials of legs and frames are passed over.

    Args:
        entry: of the catalogue that stands for it, empty for none.
        materials: categories and names.
    """
    usual = set(CATALOG[entry].materials) if entry in CATALOG else set()
    looks = [
        look_of_material(category, name)
        for category, name in sorted(materials, key=lambda each: "primary" not in each[1].lower())
    ]
    if usual and usual <= _UPHOLSTERED:
        looks = [look for look in looks if look.material not in _HARD]
    return looks[0] if looks else Look()


def _words(name: str) -> list[str]:
    """The words of a name such as ``Sofa2_FabricVARPINK``, in small letters; of capitals, the color at their end."""
    found = []
    for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name):
        ends = (color for color in (*_COLORS, *_MATERIALS) if word.isupper() and color.upper() in word)
        found += list(ends) or [word.lower()]
    return found


def _first(names: Iterable[str], known: Mapping[str, str]) -> str:
    return next((known[name] for name in names if name in known), "")
