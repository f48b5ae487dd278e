"""Cylinders, cones and ellipsoids as stacks of elliptical rings of samples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vantage.scenes.spec import Part
from vantage.splats.synthesis.samples import Samples, cross, unit
from vantage.splats.synthesis.sheets import graded_cells

_SHELL = 0.004  # m: difference between the outer and the inner diameter of hollow round parts
_ORDER = {"z": (0, 1, 2), "x": (1, 2, 0), "y": (2, 0, 1)}  # a part's axes, the one that it stands along last


class Ring(NamedTuple):
    """An elliptical ring of samples about the z axis of a part that stands along ``axis``.

    Attributes:
        piece: number of the piece that it belongs to.
        axis: number of the part's axis that it turns about.
        side: 1 for a surface seen from outside, -1 from inside.
        steps: number of samples; ``phase`` is the share of a step by which the first is turned.
        along: extent of a cell across the ring, m.
        x, y, z: middle of the part, m.
        a, b, height: half axes of the ring and its place along the part's axis, m.
        da, db, dh: how these change along the surface, upwards.
    """

    piece: int
    axis: int
    side: float
    steps: int
    phase: float
    along: float
    x: float
    y: float
    z: float
    a: float
    b: float
    height: float
    da: float
    db: float
    dh: float


def part_rings(
    piece: int, part: Part, spacing: float, hidden: Sequence[str] = (), sleeves: Sequence[tuple[float, float]] = ()
) -> list[Ring]:
    """The rings that cover a round part.

    Args:
        piece: number of the piece.
        part: what to cover.
        spacing: largest cell, m.
        hidden: faces, of the part's own x, y and z, that nobody can see, beside those that are open.
        sleeves: stretches of its side, from and to along its axis about its middle (m), that are hidden.
    """
    if part.shape == "ellipsoid":
        return _ellipsoid(piece, part, spacing)
    order = _ORDER[part.axis]
    size = [part.size[k] for k in order]
    ends = (1.0, 1.0) if part.shape == "cylinder" else part.ends
    skip = {*part.open_faces, *hidden}
    rings = []
    for low, high in _bare(size[2], sleeves):
        rings += _mantle(piece, part, size, ends, spacing, 1.0, (low, high))
    if part.open_faces and not part.text:
        rings += _mantle(piece, part, [size[0] - _SHELL, size[1] - _SHELL, size[2]], ends, spacing, -1.0, (0.0, 1.0))
    for share, face, sign in ((ends[0], "-", -1.0), (ends[1], "+", 1.0)):
        if part.axis + face not in skip and share > 0:
            rings += _cap(piece, part, size, share, sign, spacing)
    return rings


def ring_samples(rings: Sequence[Ring]) -> Samples:
    """The samples of all rings, ring by ring."""
    table = np.array(rings, dtype=np.float64).reshape(-1, len(Ring._fields))
    counts = table[:, Ring._fields.index("steps")].astype(np.int64)
    ring = np.repeat(np.arange(len(rings)), counts)
    step = np.arange(len(ring)) - np.repeat(np.cumsum(counts) - counts, counts)
    _, axis, side, count, phase, along, x, y, z, a, b, height, da, db, dh = table[ring].T
    angle = (step + phase) * (math.tau / count)
    cos, sin = np.cos(angle), np.sin(angle)
    points = np.stack([a * cos, b * sin, height], axis=1)
    tangents = np.stack([-a * sin, b * cos, np.zeros_like(sin)], axis=1)
    length = np.linalg.norm(tangents, axis=1)
    tangents /= length[:, None]
    normals = unit(cross(tangents, np.stack([da * cos, db * sin, dh], axis=1)))
    widths = np.stack([np.maximum(length * math.tau / count, 1e-4), along], axis=1)
    vectors = [points, tangents * side[:, None], normals * side[:, None]]
    for name, number in (("x", 0), ("y", 1)):
        back = [_ORDER[name].index(k) for k in range(3)]
        rows = axis == number
        for each in vectors:
            each[rows] = each[rows][:, back]
    vectors[0] += np.stack([x, y, z], axis=1)
    points, tangents, normals = vectors
    return Samples(points, tangents, normals, widths, table[ring, 0].astype(np.int64))


def _bare(height: float, sleeves: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Shares of a height, from and to, that no sleeve hides."""
    bare, done = [], 0.0
    for low, high in sorted((low / height + 0.5, high / height + 0.5) for low, high in sleeves):
        if low > done:
            bare.append((done, min(low, 1.0)))
        done = max(done, high)
    return [*bare, (done, 1.0)] if done < 1.0 else bare


def _mantle(
    piece: int,
    part: Part,
    size: Sequence[float],
    ends: tuple[float, float],
    spacing: float,
    side: float,
    span: tuple[float, float],
) -> list[Ring]:
    a, b, height = 0.5 * size[0], 0.5 * size[1], size[2]
    radius, taper = max(a, b), ends[1] - ends[0]
    slant = math.hypot(height, 0.5 * (a + b) * taper)
    count = max(10, math.ceil(math.tau * radius * max(ends) / spacing))
    rings = []
    for middle, along in zip(*graded_cells(round(slant * (span[1] - span[0]), 9), round(spacing, 6)), strict=True):
        t = span[0] + float(middle) / slant
        share = ends[0] + taper * t
        up = (a * taper, b * taper, height)
        rings.append(_ring(piece, part, side, count, 0.5, float(along), (a * share, b * share, height * (t - 0.5)), up))
    return rings


def _cap(piece: int, part: Part, size: Sequence[float], share: float, sign: float, spacing: float) -> list[Ring]:
    a, b = 0.5 * size[0] * share, 0.5 * size[1] * share
    radius = max(a, b)
    cells = graded_cells(round(2 * radius, 9), round(spacing, 6))[1].tolist()
    widths = cells[: len(cells) // 2]
    if len(cells) % 2:
        widths = [*widths, 0.5 * cells[len(cells) // 2]]
    outer, rings = 1.0, []
    for width in widths:
        inner = max(0.0, outer - width / radius)
        middle = 0.5 * (outer + inner)
        count = max(5, math.ceil(math.tau * radius * middle / spacing))
        place = (a * middle, b * middle, sign * 0.5 * size[2])
        inward = (-sign * a, -sign * b, 0.0)
        rings.append(_ring(piece, part, 1.0, count, 0.0, (outer - inner) * radius, place, inward))
        outer = inner
    return rings


def _ellipsoid(piece: int, part: Part, spacing: float) -> list[Ring]:
    x, y, z = (0.5 * extent for extent in part.size)
    bands = max(6, math.ceil(math.pi * max(x, y, z) / spacing))
    rings = []
    for k in range(bands):
        polar = (k + 0.5) * math.pi / bands
        cos, sin = math.cos(polar), math.sin(polar)
        count = max(4, math.ceil(math.tau * sin * max(x, y) / spacing))
        along = math.pi / bands * math.sqrt(0.5 * (x * x + y * y) * cos * cos + z * z * sin * sin)
        up = (-x * cos, -y * cos, z * sin)
        rings.append(_ring(piece, part, 1.0, count, 0.5 * (k % 2), along, (x * sin, y * sin, z * cos), up, "z"))
    return rings


def _ring(
    piece: int,
    part: Part,
    side: float,
    count: int,
    phase: float,
    along: float,
    place: tuple[float, float, float],
    up: tuple[float, float, float],
    axis: str = "",
) -> Ring:
    return Ring(piece, "xyz".index(axis or part.axis), side, count, phase, along, *part.center, *place, *up)
