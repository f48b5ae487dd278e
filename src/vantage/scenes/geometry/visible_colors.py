"""How much of what an object shows has which color: for a lamp with a white shade on a gray pole, both.

Shown is what people see who stand before an object: points on the faces of its parts are seen from the front and from
both sides of it, a little from above, and in each cell of such a picture the nearest point counts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.spec import AXES, FACES, Part, nearest_color
from vantage.spatial import rotation_matrix

_CELLS = 24  # of a picture, along the largest extent of the object
_POINTS = 1.5  # for each cell, along both directions of a face
_AZIMUTHS = (0.0, math.radians(50), math.radians(-50))
_ELEVATION = math.radians(25)
_OF_MANY = frozenset({"days", "film", "globe", "mirror", "painting", "screen", "sky"})  # looks of several colors

Array = NDArray[np.float64]


def color_shares(parts: Sequence[Part]) -> dict[str, float]:
    """The share (0..1) of each color in what shows of an object, from its parts in its own frame.

    The empty word stands for what shows several colors of its own, such as a painting; print does not count.
    """
    corners = [np.asarray(part.center) + side * 0.5 * np.asarray(part.size) for part in parts for side in (-1, 1)]
    cell = float(np.ptp(corners, axis=0).max()) / _CELLS
    found = [_points(part, cell / _POINTS) for part in parts]
    points = np.concatenate(found)
    owners = np.repeat(np.arange(len(parts)), [len(each) for each in found])
    seen = np.zeros(len(parts))
    for azimuth in _AZIMUTHS:
        seen += _seen(points, owners, len(parts), cell, azimuth)
    shares: dict[str, float] = {}
    for part, number in zip(parts, seen, strict=True):
        word = "" if part.look in _OF_MANY else nearest_color(part.rgb)
        shares[word] = shares.get(word, 0.0) + float(number) / float(seen.sum())
    return shares


def _seen(points: Array, owners: NDArray[np.int64], parts: int, cell: float, azimuth: float) -> Array:
    """How many cells each part has in the picture from a direction (rad from the front), (P,)."""
    level = math.cos(_ELEVATION)
    away = np.array([level * math.cos(azimuth), level * math.sin(azimuth), math.sin(_ELEVATION)])
    right = np.array([-math.sin(azimuth), math.cos(azimuth), 0.0])
    across = np.floor(points @ right / cell).astype(np.int64)
    upright = np.floor(points @ np.cross(away, right) / cell).astype(np.int64)
    cells = (across - across.min()) * (int(np.ptp(upright)) + 1) + upright - upright.min()
    nearest = np.lexsort((-(points @ away), cells))
    first = np.ones(len(nearest), dtype=bool)
    first[1:] = np.diff(cells[nearest]) > 0
    return np.bincount(owners[nearest[first]], minlength=parts).astype(float)


def _points(part: Part, spacing: float) -> Array:
    """Points on the faces of a part in the frame of its object, (N, 3), about ``spacing`` m from each other."""
    unit = _box(part, spacing) if part.shape == "box" else _round(part, spacing)
    points: Array = 0.5 * np.asarray(part.size) * unit
    if part.is_turned:
        points = points @ rotation_matrix(part.rotation).T
    return np.asarray(part.center) + points


def _box(part: Part, spacing: float) -> Array:
    faces = []
    for axis in range(3):
        beside = [k for k in range(3) if k != axis]
        across, along = (_middles(part.size[k], spacing) for k in beside)
        grid = np.stack(np.meshgrid(across, along, indexing="ij"), axis=-1).reshape(-1, 2)
        for face, side in zip(FACES[2 * axis : 2 * axis + 2], (1.0, -1.0), strict=True):
            if face not in part.open_faces:
                points = np.full((len(grid), 3), side)
                points[:, beside] = grid
                faces.append(points)
    return np.concatenate(faces or [np.zeros((0, 3))])


def _round(part: Part, spacing: float) -> Array:
    """Of the side of a body that is round about an axis, and of the caps that close it; in the unit cube."""
    along = AXES.index(part.axis)
    beside = [k for k in range(3) if k != along]
    heights = _middles(part.size[along], spacing)
    angles = math.pi * _middles(math.pi * max(part.size[k] for k in beside), spacing)
    low, high = part.ends if part.shape == "cone" else (1.0, 1.0)
    if part.shape == "ellipsoid":
        rings = [(float(h), math.sqrt(1.0 - float(h) ** 2)) for h in heights]
    else:
        rings = [(float(h), low + 0.5 * (1.0 + float(h)) * (high - low)) for h in heights]
        for end, side, radius in (("-", -1.0, low), ("+", 1.0, high)):
            if f"{part.axis}{end}" not in part.open_faces:
                span = max(part.size[k] for k in beside) * radius
                rings += [(side, radius * 0.5 * (1.0 + float(r))) for r in _middles(0.5 * span, spacing)]
    points = np.empty((len(rings), len(angles), 3))
    levels, radii = np.array(rings).T
    points[..., along] = levels[:, None]
    points[..., beside[0]] = radii[:, None] * np.cos(angles)
    points[..., beside[1]] = radii[:, None] * np.sin(angles)
    return points.reshape(-1, 3)


def _middles(length: float, spacing: float) -> Array:
    """Of equal pieces of [-1, 1], as many as a length in m has spacings."""
    number = max(1, math.ceil(length / spacing))
    return (2.0 * np.arange(number) + 1.0) / number - 1.0
