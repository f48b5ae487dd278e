"""How finely a look is drawn: sizes of texels along the axes of a part, in m."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from vantage.scenes.spec import ObjectSpec, Part

if TYPE_CHECKING:
    from vantage.worlds.house.looks.surfaces import Chart

LIGHT = 0.07  # m: of light, and of looks of one color
_PICTURES = {  # texels along the longer side
    "sky": 160,
    "clock face": 160,
    "screen": 200,
    "film": 256,
    "painting": 256,
    "globe": 160,
    "days": 160,
    "lines": 160,
    "burner": 96,
    "mirror": 64,
    "dark screen": 64,
    "glow": 32,
    "ball": 96,
}
_SPOTS = {  # m: of looks that are alike along all axes
    "fabric": 0.008,
    "leather": 0.016,
    "stone": 0.006,
    "paper": 0.012,
    "carpet": 0.012,
    "wicker": 0.005,
    "rug": 0.008,
    "leaf": 0.008,
    "soil": 0.005,
    "skin": 0.006,
    "mesh": 0.003,
    "water": 0.007,
    "keys": 0.004,
}
_GRAIN, _ALONG = 0.007, 0.06  # m: of wood across and along its grain
_STREAK = 0.005  # m: of brushed metal, upwards
_SHEET = 0.0015  # m: of the edges of pages, across
_LAID = 0.0075  # m: of boards and tiles
_SKIRTING = 0.003  # m: of a wall's skirting board, upwards
_LARGEST = 192  # texels along one side of a part of an object,
_LARGEST_LAID = 1400  # and of a floor or a tiled wall
_UNSEEN = 4.0  # how much coarser what lies on the ground is
_HIGHLIGHT = 0.02  # m: of light on shiny things
_LEAST, _LEAST_ROUND = 2, 12  # texels


def texel_count(chart: Chart, size: tuple[float, float, float], largest: int) -> tuple[int, int]:
    """Columns and rows of the bitmap of a chart, given the sizes of texels along the object's axes, m."""
    counts = []
    for extent, axis in zip((chart.width, chart.height), chart.axes, strict=True):
        texel = size[axis] if axis >= 0 else min(size)
        least = _LEAST_ROUND if axis < 0 else _LEAST
        counts.append(min(max(math.ceil(extent / texel - 1e-6), least), largest))
    return counts[0], counts[1]


def look_texels(obj: ObjectSpec, part: Part, laid: bool, face: str) -> tuple[float, float, float]:
    """Sizes of texels along x, y and z that show the pattern of a part; ``LIGHT`` where it has none."""
    look = part.look or obj.material
    if laid:
        return _LAID, _LAID, _LAID
    if look == "wood":
        sizes = [_GRAIN] * 3
        sizes[part.size.index(max(part.size))] = _ALONG
        found = sizes[0], sizes[1], sizes[2]
    elif look == "metal":
        found = LIGHT, LIGHT, _STREAK
    elif look == "pages":
        sizes = [LIGHT] * 3
        sizes[part.size.index(min(part.size))] = _SHEET
        found = sizes[0], sizes[1], sizes[2]
    elif look in _PICTURES:
        texel = max(part.size) / _PICTURES[look]
        found = texel, texel, texel
    else:
        spot = _SPOTS.get(look, LIGHT)
        found = spot, spot, spot
    if face == "z-" and not obj.is_structure:
        return _UNSEEN * found[0], _UNSEEN * found[1], _UNSEEN * found[2]
    return found


def skirting_texels() -> tuple[float, float, float]:
    """Sizes of texels of the lower edge of a wall."""
    return LIGHT, LIGHT, _SKIRTING


def light_count(chart: Chart, shiny: bool, counts: tuple[int, int]) -> tuple[int, int]:
    """Columns and rows of the light on a chart, never more than its texels."""
    across = _HIGHLIGHT if shiny else LIGHT
    a, b = texel_count(chart, (across, across, across), 64)
    return min(a, counts[0]), min(b, counts[1])


def largest_side(obj: ObjectSpec, printed: bool, look: str) -> int:
    """Texels along the longer side of a bitmap at most."""
    if obj.is_structure:
        return _LARGEST_LAID
    if printed:
        return 768
    return max(_LARGEST, _PICTURES.get(look, 0))
