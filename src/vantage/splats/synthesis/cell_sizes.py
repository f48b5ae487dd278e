"""Sizes of the cells that surfaces are divided into, so that a home of any size is quick to render and sharp."""

from __future__ import annotations

import math

import numpy as np

from vantage.scenes.spec.spec import SceneSpec
from vantage.splats.synthesis.object_surfaces import LARGEST_CELL, object_coarseness, usual_cell
from vantage.splats.synthesis.pieces import finish_of
from vantage.splats.synthesis.room_map import rooms_of
from vantage.splats.synthesis.samples import Array

_FIRST, _EACH, _MOST = 120_000, 27_000, 340_000  # Gaussians of a home whatever its size, for each room, at most
_FINEST, _COARSEST = 0.9, 2.8
_SEEN = 0.55  # share of the faces of objects that are neither hidden nor left out
_EDGES = 2.2  # cells more along a side than its length asks for, because they are small at both ends
_MORE, _SLOWER = 2.0, 0.45  # measured on homes of 1 to 10 rooms: small cells at outlines, factor and power of the cell
_BUILDING = 0.12  # m: cell of walls, floors and ceilings
_HALVINGS = 20


def coarseness(spec: SceneSpec) -> float:
    """Factor for the cells of all objects with which a home has about as many Gaussians as it should.

    Raises:
        SceneError: a part has an unknown look.
    """
    goal = min(_FIRST + _EACH * len(rooms_of(spec)), _MOST)
    sides = _sides(spec)
    low, high = math.log(_FINEST), math.log(_COARSEST)
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _count(sides, math.exp(middle)) > goal else (low, middle)
    return math.exp(low)


def _sides(spec: SceneSpec) -> Array:
    """Of the faces of all parts: both extents, the cell and the usual cell of the object, m; (F, 4)."""
    rows = []
    for obj in spec.objects:
        usual = usual_cell(obj)
        for part in obj.parts:
            x, y, z = part.size
            cell = min(finish_of(obj, part).spacing or usual, 0.3 * max(part.size))
            if obj.is_structure:
                a, b = sorted(part.size)[1:]
                rows.append((a / _SEEN, b, _BUILDING, _BUILDING))
            elif part.shape == "box":
                rows += [(a, b, cell, usual) for a, b in ((x, y), (y, z), (x, z)) for _ in range(2)]
            else:
                rows.append((0.5 * math.pi * (x + y + z - max(part.size)), max(part.size), cell, usual))
    return np.array(rows).reshape(-1, 4)


def _count(sides: Array, factor: float) -> float:
    a, b, cell, usual = sides.T
    own = object_coarseness(np.minimum(usual, LARGEST_CELL), factor)
    count = _SEEN * ((a / (own * cell) + _EDGES) * (b / (own * cell) + _EDGES))
    return _MORE * float((own**_SLOWER * count).sum())
