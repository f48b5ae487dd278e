"""Houses as schema 1.0.0 has them: those of 0.0.1 are brought into its form, and empty values are left out.

Schema 0.0.1 gives holes by ``boundingBox`` (``min`` and ``max``) and materials by their names, with colors beside them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SCHEMA = "1.0.0"
OLDER = ("0.0.1",)

_MATERIALS = {"rooms": "floorMaterial", "walls": "material"}
_COLORS = {"rooms": "floorColor", "walls": "color"}


def in_current_form(house: Mapping[str, Any]) -> dict[str, Any]:
    """The house in the form of schema 1.0.0; what is of another kind than the schema says stays as it is."""
    found: dict[str, Any] = _filled(house)
    for group, key in _MATERIALS.items():
        for entry in _entries(found, group):
            if isinstance(entry.get(key), str):
                color = {"color": entry[_COLORS[group]]} if _COLORS[group] in entry else {}
                entry[key] = {"name": entry[key], **color}
    for group in ("doors", "windows"):
        for entry in _entries(found, group):
            box = entry.get("boundingBox")
            if "holePolygon" not in entry and isinstance(box, dict) and {"min", "max"} <= box.keys():
                entry["holePolygon"] = [box["min"], box["max"]]
    return found


def _filled(value: Any) -> Any:
    """A copy without the keys that have no value."""
    if isinstance(value, Mapping):
        return {key: _filled(each) for key, each in value.items() if each is not None}
    if isinstance(value, list):
        return [_filled(each) for each in value]
    return value


def _entries(house: Mapping[str, Any], group: str) -> list[dict[str, Any]]:
    entries = house.get(group)
    return [each for each in entries if isinstance(each, dict)] if isinstance(entries, list) else []
