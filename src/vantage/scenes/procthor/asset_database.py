"""The asset database of AI2-THOR: how large the things of ProcTHOR houses are, and of what."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vantage.files import read_json
from vantage.scenes.procthor.object_types import CLASSES, type_in_name
from vantage.scenes.spec import decoding
from vantage.scenes.spec.palette import COLORS, MATERIALS
from vantage.types import Point

MASSES_FILE = "thor_object_masses_kg.json"  # beside the database, where there is one

_NAMED_COLORS = {word: word for word in COLORS} | {
    "grey": "gray",
    "steel": "gray",
    "cream": "white",
    "teal": "blue",
    "gold": "yellow",
    "violet": "purple",
}


@dataclass(frozen=True)
class Asset:
    """A thing of the database.

    Attributes:
        asset_id, kind: its name and its object type.
        size: depth (to its front), width and height while closed, m.
        color, material: words, empty where its materials name none.
        mass: kg, 0 where nobody knows.
        entry, label: the catalogue entry that looks like it and the word for it, empty where its type tells.
        text: printed on it, empty where nobody knows.
    """

    asset_id: str
    kind: str
    size: Point
    color: str = ""
    material: str = ""
    mass: float = 0.0
    entry: str = ""
    label: str = ""
    text: str = ""


class AssetDatabase:
    """Assets by name and by object type."""

    def __init__(self, assets: Mapping[str, Asset]) -> None:
        self._assets = dict(assets)

    @staticmethod
    def load(path: str | Path) -> AssetDatabase:
        """Read ``asset-database.json``: lists of assets under their object types, the bounding boxes in Unity's axes.

        Raises:
            FormatError: the file is missing, no JSON or of another kind.
        """
        where = str(path)
        masses_file = Path(path).with_name(MASSES_FILE)
        masses = decoding.mapping(read_json(masses_file), str(masses_file)) if masses_file.is_file() else {}
        by_type = {kind.lower(): mass for kind, mass in masses.items()}
        found = {}
        for kind, entries in decoding.mapping(read_json(path), where).items():
            mass = by_type.get(kind.lower(), 0.0)
            for entry in decoding.records({kind: entries}, kind, where):
                asset = _asset(decoding.mapping(entry, f"an asset of {where}"), kind, mass, where)
                found[asset.asset_id] = asset
        return AssetDatabase(found)

    def get(self, asset_id: str) -> Asset | None:
        """The asset of a name, None when it is missing."""
        return self._assets.get(asset_id)

    def nearest(self, kind: str, size: Point) -> Asset | None:
        """The asset of an object type whose size is the most alike by ratio; None when the type is missing."""
        alike = [asset for asset in self._assets.values() if asset.kind == kind]
        return min(alike, key=lambda asset: _unlike(asset.size, size), default=None)


def guessed_asset(asset_id: str) -> Asset | None:
    """What the name alone tells of an asset: its object type and the usual size; None where it names no type."""
    kind = type_in_name(asset_id)
    return Asset(asset_id, kind, CLASSES[kind].size) if kind else None


def _asset(entry: Mapping[str, Any], kind: str, mass: Any, where: str) -> Asset:
    asset_id = decoding.text(entry, "assetId", f"an asset of {where}")
    name = f"asset '{asset_id}' of {where}"
    box = decoding.mapping(decoding.item(entry, "boundingBox", name), f"'boundingBox' of {name}")
    extents = (decoding.number(decoding.item(box, axis, name), f"'{axis}' of {name}") for axis in ("z", "x", "y"))
    depth, width, height = (max(extent, 0.002) for extent in extents)
    words = [str(word) for pair in entry.get("materials") or [] if isinstance(pair, list) for word in pair]
    return Asset(
        asset_id,
        kind,
        (depth, width, height),
        _word_in(words, _NAMED_COLORS),
        _word_in(words, {word: word for word in MATERIALS}),
        decoding.number(mass, f"the mass of {kind}"),
    )


def _word_in(names: list[str], known: Mapping[str, str]) -> str:
    for name in names:
        for word in re.findall(r"[a-z]+|[A-Z][a-z]*", name):
            if word.lower() in known:
                return known[word.lower()]
    return ""


def _unlike(first: Point, second: Point) -> float:
    return sum(abs(math.log(a / max(b, 1e-3))) for a, b in zip(first, second, strict=True))
