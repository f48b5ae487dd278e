"""Covers the surfaces of primitives with flat elliptical samples: the skeleton of a cloud made from shapes.

Cells are small along edges, so that edges stay crisp, and as wide as the spacing elsewhere. Each sample knows the
width of its cell, from which the scale of its Gaussian follows.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.spec import Part

Array = NDArray[np.float64]

_EDGE = 0.007  # m: largest cell beside an edge
_FINE = 0.035  # m: largest cell behind things that are fixed to a face
_SHELL = 0.004  # m: difference between the outer and the inner diameter of hollow round parts
_GROWTH = 2.6  # from one cell to the next away from an edge


@dataclass(frozen=True)
class Samples:
    """N surface elements in one frame.

    Attributes:
        points: (N, 3), m.
        tangents, normals: (N, 3), unit and perpendicular; the third axis is their cross product.
        widths: (N, 2), extents of the cells along the tangent and the third axis, m.
        uv: (N, 2), place on the face, 0..1.
    """

    points: Array
    tangents: Array
    normals: Array
    widths: Array
    uv: Array

    def __len__(self) -> int:
        return len(self.points)

    def select(self, which: NDArray[np.bool_]) -> Samples:
        """Some of the samples."""
        return Samples(
            self.points[which], self.tangents[which], self.normals[which], self.widths[which], self.uv[which]
        )


def join(samples: Sequence[Samples]) -> Samples:
    """All samples in order."""
    return Samples(
        np.concatenate([each.points for each in samples]),
        np.concatenate([each.tangents for each in samples]),
        np.concatenate([each.normals for each in samples]),
        np.concatenate([each.widths for each in samples]),
        np.concatenate([each.uv for each in samples]),
    )


@dataclass(frozen=True)
class Cuts:
    """Where cells along one edge of a face are to be small.

    Attributes:
        breaks: places (m) with small cells on both sides, as if the edge were cut there.
        fine: ranges (m) in which cells are not larger than ``_FINE``.
    """

    breaks: tuple[float, ...] = ()
    fine: tuple[tuple[float, float], ...] = ()


UNCUT = Cuts()


def graded_cells(length: float, spacing: float, cuts: Cuts = UNCUT) -> tuple[Array, Array]:
    """Middles and widths of cells that fill [0, length] (m), small at both ends and on both sides of every break."""
    edges = {*cuts.breaks, *(edge for limits in cuts.fine for edge in limits)}
    stops = [0.0, *sorted(edge for edge in edges if 1e-6 < edge < length - 1e-6), length]
    widths: list[float] = []
    for low, high in itertools.pairwise(stops):
        middle = 0.5 * (low + high)
        fine = any(limits[0] < middle < limits[1] for limits in cuts.fine)
        widths += _graded(high - low, min(spacing, _FINE) if fine else spacing)
    sizes = np.array(widths)
    return np.cumsum(sizes) - 0.5 * sizes, sizes


def _graded(length: float, spacing: float) -> list[float]:
    side: list[float] = []
    width = min(0.4 * spacing, _EDGE)
    while width < 0.8 * spacing and 2 * (sum(side) + width) < 0.8 * length:
        side.append(width)
        width *= _GROWTH
    middle = length - 2 * sum(side)
    count = max(1, math.ceil(middle / spacing - 1e-9))
    return [*side, *([middle / count] * count), *reversed(side)]


def rectangle(
    corner: Sequence[float],
    along_u: Sequence[float],
    along_v: Sequence[float],
    spacing: float,
    cuts_u: Cuts = UNCUT,
    cuts_v: Cuts = UNCUT,
) -> Samples:
    """Samples of a rectangle with a corner and two edges (m); its normal is the cross product of the edges."""
    u_edge, v_edge = np.asarray(along_u, dtype=np.float64), np.asarray(along_v, dtype=np.float64)
    length_u, length_v = float(np.linalg.norm(u_edge)), float(np.linalg.norm(v_edge))
    u, u_size = graded_cells(length_u, spacing, cuts_u)
    v, v_size = graded_cells(length_v, spacing, cuts_v)
    n = len(u) * len(v)
    grid_u, grid_v = (grid.ravel() for grid in np.meshgrid(u, v, indexing="ij"))
    size_u, size_v = (grid.ravel() for grid in np.meshgrid(u_size, v_size, indexing="ij"))
    u_axis, v_axis = u_edge / length_u, v_edge / length_v
    points = np.asarray(corner) + grid_u[:, None] * u_axis + grid_v[:, None] * v_axis
    return Samples(
        points,
        np.broadcast_to(u_axis, (n, 3)),
        np.broadcast_to(np.cross(u_axis, v_axis), (n, 3)),
        np.stack([size_u, size_v], axis=1),
        np.stack([grid_u / length_u, grid_v / length_v], axis=1),
    )


_BOX_FACES = {  # corner and edges of every face, in units of half the size; edges turn so that normals point out
    "x+": ((1, -1, -1), (0, 2, 0), (0, 0, 2)),
    "x-": ((-1, 1, -1), (0, -2, 0), (0, 0, 2)),
    "y+": ((1, 1, -1), (-2, 0, 0), (0, 0, 2)),
    "y-": ((-1, -1, -1), (2, 0, 0), (0, 0, 2)),
    "z+": ((-1, -1, 1), (2, 0, 0), (0, 2, 0)),
    "z-": ((-1, 1, -1), (2, 0, 0), (0, -2, 0)),
}


def box_face(size: Sequence[float], face: str, spacing: float, cuts_u: Cuts = UNCUT, cuts_v: Cuts = UNCUT) -> Samples:
    """One face of a box of a size (m) around the origin."""
    half = 0.5 * np.asarray(size, dtype=np.float64)
    corner, along_u, along_v = ((np.asarray(vector) * half).tolist() for vector in _BOX_FACES[face])
    return rectangle(corner, along_u, along_v, spacing, cuts_u, cuts_v)


def part_samples(part: Part, spacing: float, hidden: Sequence[str] = (), top_spacing: float | None = None) -> Samples:
    """Samples of a part in the frame of its object; open and hidden faces are left out.

    Args:
        part: what to cover.
        spacing: largest cell, m.
        hidden: faces, of the part's own x, y and z, that nobody can see.
        top_spacing: of the upper face of a box, on which things may stand; as elsewhere when none is given.
    """
    skip = {*part.open_faces, *hidden}
    if part.shape == "box":
        cells = {"z+": top_spacing or spacing}
        faces = [box_face(part.size, face, cells.get(face, spacing)) for face in _BOX_FACES if face not in skip]
        samples = join(faces) if faces else _empty()
    elif part.shape == "ellipsoid":
        samples = _ellipsoid(part.size, spacing)
    else:
        samples = _turned(part, spacing, skip)
    return Samples(
        samples.points + np.asarray(part.center), samples.tangents, samples.normals, samples.widths, samples.uv
    )


def _empty() -> Samples:
    return Samples(*(np.zeros((0, k)) for k in (3, 3, 3, 2, 2)))


def _turned(part: Part, spacing: float, skip: set[str]) -> Samples:
    """A cylinder or cone about any axis: made about z, then its axes are exchanged in a circle."""
    order = {"z": (0, 1, 2), "x": (1, 2, 0), "y": (2, 0, 1)}[part.axis]
    back = [order.index(k) for k in range(3)]
    size = [part.size[k] for k in order]
    ends = (1.0, 1.0) if part.shape == "cylinder" else part.ends
    pieces = [_mantle(size, ends, spacing)]
    if part.open_faces:
        pieces.append(_inside_out(_mantle([size[0] - _SHELL, size[1] - _SHELL, size[2]], ends, spacing)))
    if part.axis + "-" not in skip and ends[0] > 0:
        pieces.append(_cap(size, ends[0], -1.0, spacing))
    if part.axis + "+" not in skip and ends[1] > 0:
        pieces.append(_cap(size, ends[1], 1.0, spacing))
    upright = join(pieces)
    return Samples(
        upright.points[:, back], upright.tangents[:, back], upright.normals[:, back], upright.widths, upright.uv
    )


def _inside_out(samples: Samples) -> Samples:
    """The same surface, seen from its other side."""
    return Samples(samples.points, -samples.tangents, -samples.normals, samples.widths, samples.uv)


def _mantle(size: Sequence[float], ends: tuple[float, float], spacing: float) -> Samples:
    a, b, height = 0.5 * size[0], 0.5 * size[1], size[2]
    radius, slope = max(a, b), 0.5 * (size[0] + size[1]) * 0.5 * (ends[0] - ends[1])
    slant = math.hypot(height, slope)
    count = max(10, math.ceil(math.tau * radius * max(ends) / spacing))
    s, s_size = graded_cells(slant, spacing)
    angle = (np.arange(count) + 0.5) * (math.tau / count)
    t, grid = (each.ravel() for each in np.meshgrid(s / slant, angle, indexing="ij"))
    along = np.repeat(s_size, count)
    share = ends[0] + (ends[1] - ends[0]) * t
    cos, sin = np.cos(grid), np.sin(grid)
    points = np.stack([a * share * cos, b * share * sin, height * (t - 0.5)], axis=1)
    tangents = np.stack([-a * sin, b * cos, np.zeros_like(sin)], axis=1)
    length = np.linalg.norm(tangents, axis=1)
    tangents /= length[:, None]
    up = np.stack([a * (ends[1] - ends[0]) * cos, b * (ends[1] - ends[0]) * sin, np.full_like(sin, height)], axis=1)
    normals = np.cross(tangents, up)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    around = np.maximum(length * share * (math.tau / count), 1e-4)
    return Samples(points, tangents, normals, np.stack([around, along], axis=1), np.stack([grid / math.tau, t], axis=1))


def _cap(size: Sequence[float], share: float, side: float, spacing: float) -> Samples:
    a, b = 0.5 * size[0] * share, 0.5 * size[1] * share
    radius = max(a, b)
    cells = _graded(2 * radius, spacing)
    rings = cells[: len(cells) // 2]
    if len(cells) % 2:
        rings = [*rings, 0.5 * cells[len(cells) // 2]]
    outer, pieces = 1.0, []
    for ring in rings:
        inner = max(0.0, outer - ring / radius)
        middle = 0.5 * (outer + inner)
        count = max(5, math.ceil(math.tau * radius * middle / spacing))
        angle = (np.arange(count) + 0.5) * (math.tau / count)
        cos, sin = np.cos(angle), np.sin(angle)
        points = np.stack([a * middle * cos, b * middle * sin, np.full(count, side * 0.5 * size[2])], axis=1)
        tangents = np.stack([-a * sin, b * cos, np.zeros(count)], axis=1)
        length = np.linalg.norm(tangents, axis=1)
        tangents /= length[:, None]
        normals = np.broadcast_to(np.array([0.0, 0.0, side]), (count, 3))
        widths = np.stack([length * middle * (math.tau / count), np.full(count, (outer - inner) * radius)], axis=1)
        uv = np.stack([0.5 + 0.5 * middle * cos, 0.5 + 0.5 * middle * sin], axis=1)
        pieces.append(Samples(points, tangents, normals, widths, uv))
        outer = inner
    return join(pieces)


def _ellipsoid(size: Sequence[float], spacing: float) -> Samples:
    radii = 0.5 * np.asarray(size, dtype=np.float64)
    bands = max(6, math.ceil(math.pi * float(radii.max()) / spacing))
    pieces = []
    for k in range(bands):
        polar = (k + 0.5) * math.pi / bands
        ring = math.tau * math.sin(polar) * max(radii[0], radii[1])
        count = max(4, math.ceil(ring / spacing))
        angle = (np.arange(count) + 0.5 * (k % 2)) * (math.tau / count)
        cos, sin = np.cos(angle), np.sin(angle)
        unit = np.stack([math.sin(polar) * cos, math.sin(polar) * sin, np.full(count, math.cos(polar))], axis=1)
        around = np.stack([-radii[0] * sin, radii[1] * cos, np.zeros(count)], axis=1)
        down = np.stack([math.cos(polar) * cos, math.cos(polar) * sin, np.full(count, -math.sin(polar))], axis=1)
        length = np.linalg.norm(around, axis=1)
        widths = np.stack(
            [
                length * math.sin(polar) * (math.tau / count),
                np.linalg.norm(down * radii, axis=1) * (math.pi / bands),
            ],
            axis=1,
        )
        normals = unit / radii
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        uv = np.stack([angle / math.tau, np.full(count, 1.0 - (k + 0.5) / bands)], axis=1)
        pieces.append(Samples(unit * radii, around / length[:, None], normals, widths, uv))
    return join(pieces)
