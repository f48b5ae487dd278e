"""Rectangles covered with cells, small along edges, so that these stay crisp, and wide elsewhere; lines on them.

What lies against a rectangle (a rug on a floor, a picture on a wall, a printed label on a carton) is a ``Cover``: it
hides the cells behind it, and cells become ever smaller towards its outline. A ``Stroke`` is a thin straight line on a
surface, such as a joint between tiles or the ink of a letter.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vantage.splats.synthesis.samples import Array, Samples, join

Cells = tuple[Array, Array]  # middles and widths along an edge, m

Vector = tuple[float, float, float]

_EDGE = 0.010  # m: largest cell beside an edge, which near views show, though of very large cells
_LEAST_EDGE_SHARE = 0.11  # at least this share,
_EDGE_SHARE = 0.3  # and at most this one
_GROWTH = 1.5  # of the next cell to all between it and an edge, which its Gaussian then hardly reaches
_SPLITS = 5  # times that a cell is halved at most
_COARSE = 1.4  # finest cells: larger ones are halved
_NEAR = 1.25  # sides of a cell from an outline within which it is halved


class Stroke(NamedTuple):
    """A line on a surface of a piece: its middle, the unit vectors along it and off the surface, and its extents, m."""

    piece: int
    middle: Vector
    along: Vector
    normal: Vector
    length: float
    width: float


def stroke_samples(strokes: Sequence[Stroke]) -> Samples:
    """One sample for each stroke."""
    middles, along, normals = (
        np.array([getattr(stroke, name) for stroke in strokes], dtype=np.float64).reshape(-1, 3)
        for name in ("middle", "along", "normal")
    )
    widths = np.array([(stroke.length, stroke.width) for stroke in strokes], dtype=np.float64).reshape(-1, 2)
    return Samples(middles, along, normals, widths, np.array([stroke.piece for stroke in strokes], dtype=np.int64))


@dataclass(frozen=True)
class Cover:
    """A rectangle or ellipse on a sheet, in the frame of the sheet's corner and edges, m.

    Attributes:
        middle, half: its centre and half its extents.
        angle: by which it is turned, rad.
        round: whether it is an ellipse.
        reach: how far the sheet goes on behind it, m; None where it hides nothing.
        finest: cells at its outline (or in it, where it hides nothing) are halved until they are about this large, m.
    """

    middle: tuple[float, float]
    half: tuple[float, float]
    angle: float = 0.0
    round: bool = False
    reach: float | None = 0.0
    finest: float = 0.012

    def depth(self, places: Array) -> Array:
        """How deep places (N, 2) lie in it, m, negative outside (approximate for ellipses)."""
        c, s = math.cos(self.angle), math.sin(self.angle)
        offset = (places - self.middle) @ np.array([[c, -s], [s, c]])
        half = np.asarray(self.half)
        if self.round:
            share: Array = np.sqrt(((offset / half) ** 2).sum(axis=1))
            return (1.0 - share) * float(half.min())
        inside: Array = (half - np.abs(offset)).min(axis=1)
        return inside


@dataclass(frozen=True)
class Sheet:
    """A rectangle divided into cells: a corner and two edges (m) whose cross product is the normal.

    Attributes:
        piece: number of the piece that it is a face of.
        columns, rows: the cells along each edge.
    """

    piece: int
    corner: Vector
    along_u: Vector
    along_v: Vector
    columns: Cells
    rows: Cells
    covers: tuple[Cover, ...] = ()


@lru_cache(maxsize=65536)
def graded_cells(length: float, spacing: float, stretch: float = 1.0) -> Cells:
    """Cells of at most a spacing (m) that fill [0, length], small at both ends, so that edges are crisp.

    ``stretch`` makes the cells between the ends longer.
    """
    side: list[float] = []
    width = min(_EDGE_SHARE * spacing, max(_LEAST_EDGE_SHARE * spacing, _EDGE))
    spacing *= stretch
    while width < 0.8 * spacing and 2 * (sum(side) + width) < 0.8 * length:
        side.append(width)
        width = _GROWTH * sum(side)
    middle = length - 2 * sum(side)
    count = max(1, math.ceil(middle / spacing - 1e-9))
    sizes = np.array([*side, *([middle / count] * count), *reversed(side)])
    return np.cumsum(sizes) - 0.5 * sizes, sizes


def pitched_cells(start: float, length: float, pitch: float) -> Cells:
    """Cells that fill [0, length] and end where ``start`` plus the place is a multiple of a pitch, all in m."""
    first, last = math.floor(start / pitch + 1e-6) + 1, math.ceil((start + length) / pitch - 1e-6)
    edges = np.array([0.0, *(k * pitch - start for k in range(first, last)), length])
    return 0.5 * (edges[1:] + edges[:-1]), np.diff(edges)


def sheet_samples(sheets: Sequence[Sheet]) -> Samples:
    """The samples of all sheets, sheet by sheet (those with covers last)."""
    whole = [sheet for sheet in sheets if not sheet.covers]
    cut = [sheet for sheet in sheets if sheet.covers]
    found = []
    if whole:
        found.append(_expand(whole, *_grids(whole)))
    if cut:
        grids = [_refined(sheet) for sheet in cut]
        number = np.repeat(np.arange(len(cut)), [len(places) for places, _ in grids])
        places, widths = (np.concatenate([grid[k] for grid in grids]) for k in (0, 1))
        found.append(_expand(cut, number, places, widths))
    return join(found)


def _grids(sheets: Sequence[Sheet]) -> tuple[NDArray[np.int64], Array, Array]:
    """For all cells of all sheets: the number of their sheet (N,), their middles (N, 2) and widths (N, 2)."""
    across = np.array([len(sheet.columns[0]) for sheet in sheets])
    up = np.array([len(sheet.rows[0]) for sheet in sheets])
    counts = across * up
    number = np.repeat(np.arange(len(sheets)), counts)
    place = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    i, j = np.divmod(place, up[number])
    i += (np.cumsum(across) - across)[number]
    j += (np.cumsum(up) - up)[number]
    middles, widths = (
        np.stack(
            [
                np.concatenate([sheet.columns[k] for sheet in sheets])[i],
                np.concatenate([sheet.rows[k] for sheet in sheets])[j],
            ],
            axis=1,
        )
        for k in (0, 1)
    )
    return number, middles, widths


def _expand(sheets: Sequence[Sheet], grid: NDArray[np.int64], places: Array, widths: Array) -> Samples:
    corners, u_edges, v_edges = (
        np.array([getattr(sheet, name) for sheet in sheets], dtype=np.float64)
        for name in ("corner", "along_u", "along_v")
    )
    u_axes = u_edges / np.linalg.norm(u_edges, axis=1, keepdims=True)
    v_axes = v_edges / np.linalg.norm(v_edges, axis=1, keepdims=True)
    pieces = np.array([sheet.piece for sheet in sheets], dtype=np.int64)
    points = corners[grid] + places[:, :1] * u_axes[grid] + places[:, 1:] * v_axes[grid]
    return Samples(points, u_axes[grid], np.cross(u_axes, v_axes)[grid], widths, pieces[grid])


def _refined(sheet: Sheet) -> tuple[Array, Array]:
    """Middles and widths (N, 2) of the cells of a sheet with covers."""
    _, places, widths = _grids([sheet])
    for _ in range(_SPLITS):
        split = np.zeros(len(places), dtype=bool)
        largest = widths.max(axis=1)
        for cover in sheet.covers:
            depth = cover.depth(places)
            near = np.abs(depth) if cover.reach is not None else np.maximum(-depth, 0.0)
            split |= (near < _NEAR * largest) & (largest > _COARSE * cover.finest)
        if not split.any():
            break
        places, widths = _halved(places, widths, split)
    kept = np.ones(len(places), dtype=bool)
    for cover in sheet.covers:
        if cover.reach is not None:
            kept &= cover.depth(places) <= cover.reach
    return places[kept], widths[kept]


def _halved(places: Array, widths: Array, split: NDArray[np.bool_]) -> tuple[Array, Array]:
    """Cells with those of a mask cut in two across their longer side, or in four where both sides are alike."""
    old, size = places[split], widths[split]
    wide = size >= 0.6 * size.max(axis=1, keepdims=True)
    quarter = 0.25 * size * wide
    half = np.where(wide, 0.5 * size, size)
    both = wide.all(axis=1)
    moved = [old + quarter * sign for sign in ((-1, -1), (1, 1))]
    crossed = [(old + quarter * sign)[both] for sign in ((-1, 1), (1, -1))]
    return (
        np.concatenate([places[~split], *moved, *crossed]),
        np.concatenate([widths[~split], half, half, half[both], half[both]]),
    )
