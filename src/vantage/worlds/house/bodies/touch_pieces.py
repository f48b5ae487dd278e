"""Convex pieces that stand for the primitives of a scene where something touches them.

Solid primitives are one piece each. Of a hollow one every face that is there is a thin slab, and what is round has
flat segments around its axis. Pieces are at least 4 mm thick, so that nothing slips through them within one time step.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.spec import AXES, Part
from vantage.spatial import rotation_matrix

Array = NDArray[np.float64]

SHEET = 0.004  # m: least thickness of what can be touched
_EQUAL = 0.03  # relative difference up to which two diameters count as the same
_SMALL, _LARGE = 0.15, 0.5  # m: diameters from which rings have more segments
_STEEP = 0.45  # ratio of its ends under which the segments of a hollow cone taper themselves
_FLAT, _ON_FLOOR, _DEPTH = 0.1, 0.005, 0.5  # m: what is so low, so near to the floor, goes so far into it
_UPRIGHT = 1.0 - 1e-6
_CORNERS = 12  # of an outline that is given as a mesh or by the corners of boxes
_STANDS = 0.3  # of its greatest radius that the low end of a cone has at least to stand on it
_POINT = 1e-3  # smallest radius of a cone's end, as a fraction of half its size


@dataclass(frozen=True, eq=False)
class Piece:
    """A convex solid in the frame of an object.

    Attributes:
        kind: ``box``, ``cylinder`` (along its own z), ``sphere``, ``ellipsoid`` or ``mesh``.
        center: (3,), m.
        R_object_piece: (3, 3).
        size: half extents of a box, radii of an ellipsoid, radius and half length of a cylinder (3,), m.
        volume: m^3.
        vertices: corners (N, 3) of a mesh around its center in its own frame, m.
    """

    kind: str
    center: Array
    R_object_piece: Array
    size: Array
    volume: float
    vertices: Array | None = None

    @property
    def reach(self) -> Array:
        """Half extents (3,) of the box around it along the axes of the object, m."""
        turn = self.R_object_piece
        if self.vertices is not None:
            return np.asarray(np.abs(self.vertices @ turn.T).max(axis=0))
        if self.kind == "box":
            return np.asarray(np.abs(turn) @ self.size)
        if self.kind == "cylinder":
            across = np.sqrt(np.maximum(1.0 - turn[:, 2] ** 2, 0.0))
            return np.asarray(self.size[0] * across + self.size[1] * np.abs(turn[:, 2]))
        return np.asarray(np.sqrt((turn**2) @ self.size**2))


def grounded(found: Sequence[Piece], height: float) -> list[Piece]:
    """The pieces of a thing that is fixed at a height (m), but what lies flat on the floor goes deep into it: what a
    fast thing enters would else press it down, against the floor, where it is below the middle of a rug.

    Their volumes stay.
    """
    return [_deep(piece, height) if piece.kind in ("box", "cylinder") else piece for piece in found]


def _deep(piece: Piece, height: float) -> Piece:
    up, half = piece.R_object_piece[2], piece.reach[2]
    bottom = height + piece.center[2] - half
    axis = int(np.argmax(np.abs(up)))
    if abs(up[axis]) < _UPRIGHT or half > 0.5 * _FLAT or abs(bottom) > _ON_FLOOR:
        return piece
    along = {"box": axis, "cylinder": 1}[piece.kind]
    if piece.kind == "cylinder" and axis != 2:
        return piece
    center, size = piece.center.copy(), piece.size.copy()
    center[2] -= 0.5 * _DEPTH
    size[along] += 0.5 * _DEPTH
    return replace(piece, center=center, size=size)


def pieces(part: Part, solid: bool = False, grow: tuple[float, float, float] = (0.0, 0.0, -1.0)) -> list[Piece]:
    """The convex pieces of a primitive, in the frame of its object.

    Args:
        solid: whether open faces do not make it hollow, as those of a wall do not.
        grow: towards which side of each axis it becomes thicker where it is thinner than 4 mm: -1 or 1, or 0 for both.
            What grows upward stands on its base.
    """
    turn = rotation_matrix(part.rotation)
    center = np.array(part.center)
    low = [_thickened(piece, grow) for piece in _own_pieces(part, solid, grow[2] > 0.0)]
    return [
        replace(piece, center=center + turn @ piece.center, R_object_piece=turn @ piece.R_object_piece) for piece in low
    ]


def _own_pieces(part: Part, solid: bool, stands: bool) -> Iterator[Piece]:
    """Pieces around the origin, before the primitive is turned."""
    half = 0.5 * np.array(part.size)
    hollow = bool(part.open_faces) and not solid
    if part.shape == "ellipsoid":
        yield _ellipsoid(half)
    elif part.shape == "box":
        if hollow:
            yield from _faces(half, part.open_faces)
        else:
            yield _box(np.zeros(3), np.eye(3), half)
    else:
        yield from _round_pieces(part, half, hollow, stands and part.axis == "z")


def _box(center: Array, turn: Array, half: Array) -> Piece:
    return Piece("box", center, turn, half, float(8.0 * np.prod(half)))


def _ellipsoid(half: Array) -> Piece:
    volume = float(4.0 / 3.0 * math.pi * np.prod(half))
    if half.max() <= (1.0 + _EQUAL) * half.min():
        return Piece("sphere", np.zeros(3), np.eye(3), np.full(3, half.mean()), volume)
    return Piece("ellipsoid", np.zeros(3), np.eye(3), half, volume)


def _faces(half: Array, left_out: tuple[str, ...]) -> Iterator[Piece]:
    """A slab inward of every face of a box that is there."""
    for axis in range(3):
        for sign, name in ((1.0, "+"), (-1.0, "-")):
            if AXES[axis] + name in left_out:
                continue
            slab, center = half.copy(), np.zeros(3)
            slab[axis] = min(0.5 * SHEET, half[axis])
            center[axis] = sign * (half[axis] - slab[axis])
            yield _box(center, np.eye(3), slab)


def _round_pieces(part: Part, half: Array, hollow: bool, stands: bool) -> Iterator[Piece]:
    """Pieces of a cylinder or a cone, made along z and then laid along their axis."""
    k = AXES.index(part.axis)
    order = [(k + 1) % 3, (k + 2) % 3, k]
    lay = np.eye(3)[:, order]  # its columns are the axes of the piece in the frame of the part
    a, b, h = (float(half[axis]) for axis in order)
    ends = (1.0, 1.0) if part.shape == "cylinder" else part.ends
    low, high = (max(end, _POINT) for end in ends)
    caps = [sign for sign, name in ((-1.0, "-"), (1.0, "+")) if part.axis + name not in part.open_faces]
    if hollow:
        closed = [_cap(a, b, h, low if sign < 0 else high, sign) for sign in caps]
        found = [*_ring(a, b, h, low, high), *itertools.chain.from_iterable(closed)]
    else:
        found = _frustum(a, b, h, low, high)
        if stands and low != high and low >= _STANDS * max(low, high):
            found += _cap(a, b, h, low, -1.0)  # a mesh touches the ground with few corners on one side only
    for piece in found:
        yield replace(piece, center=lay @ piece.center, R_object_piece=lay @ piece.R_object_piece)


def _frustum(a: float, b: float, h: float, low: float, high: float) -> list[Piece]:
    """A solid along z with the half axes a and b, times ``low`` and ``high`` at its ends."""
    volume = math.pi * a * b * 2.0 * h * (low**2 + low * high + high**2) / 3.0
    if low == high and max(a, b) <= (1.0 + _EQUAL) * min(a, b):
        return [Piece("cylinder", np.zeros(3), np.eye(3), np.array([0.5 * low * (a + b), h, 0.0]), volume)]
    ring = _outline(a, b, _CORNERS)
    if low == high:
        boxes = [np.array([low * x, low * y, h]) for x, y in ring[: _CORNERS // 4]]
        return [replace(_box(np.zeros(3), np.eye(3), half), volume=volume / len(boxes)) for half in boxes]
    corners = np.concatenate(
        [np.column_stack([end * ring, np.full(len(ring), z)]) for end, z in ((low, -h), (high, h))]
    )
    return [Piece("mesh", np.zeros(3), np.eye(3), np.array([a, b, h]), volume, corners)]


def _cap(a: float, b: float, h: float, end: float, sign: float) -> list[Piece]:
    """The closed end of a hollow solid."""
    thick = min(0.5 * SHEET, h)
    middle = np.array([0.0, 0.0, sign * (h - thick)])
    return [replace(piece, center=middle) for piece in _frustum(end * a, end * b, thick, 1.0, 1.0)]


def _outline(a: float, b: float, count: int) -> Array:
    """Corners (count, 2) on an ellipse."""
    angles = math.tau * (np.arange(count) + 0.5) / count
    return np.column_stack([a * np.cos(angles), b * np.sin(angles)])


def _ring(a: float, b: float, h: float, low: float, high: float) -> Iterator[Piece]:
    """Flat segments around z, inward of the side of a hollow solid."""
    width = 2.0 * max(a, b) * max(low, high)
    count = 8 if width < _SMALL and low == high else 12 if width < _LARGE else 16
    ring = _outline(a, b, count)
    for start, end in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        corners = np.array([[*(low * start), -h], [*(low * end), -h], [*(high * start), h], [*(high * end), h]])
        bottom, top = corners[:2].mean(axis=0), corners[2:].mean(axis=0)
        rise = float(np.linalg.norm(top - bottom))
        up = (top - bottom) / rise
        along = (corners[1] - corners[0]) / np.linalg.norm(corners[1] - corners[0])
        out = np.cross(along, up)
        turn = np.column_stack([out, along, up])
        if min(low, high) < _STEEP * max(low, high):
            yield _tapered(corners, turn, out)
            continue
        wide = max(np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[3] - corners[2]))
        half = np.array([0.5 * SHEET, 0.5 * wide, 0.5 * rise])
        yield _box(0.5 * (bottom + top) - half[0] * out, turn, half)


def _tapered(corners: Array, turn: Array, out: Array) -> Piece:
    """A flat segment with these four outer corners (4, 3)."""
    center = corners.mean(axis=0) - 0.5 * SHEET * out
    vertices = (np.concatenate([corners, corners - SHEET * out]) - center) @ turn
    low, high = np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[3] - corners[2])
    rise = np.linalg.norm(corners[2:].mean(axis=0) - corners[:2].mean(axis=0))
    return Piece(
        "mesh", center, turn, 0.5 * np.ptp(vertices, axis=0), float(0.5 * (low + high) * rise * SHEET), vertices
    )


def _thickened(piece: Piece, grow: tuple[float, float, float]) -> Piece:
    """The same box or cylinder, 4 mm thick at least, grown to the given side of each axis."""
    if piece.kind == "cylinder" and 2.0 * piece.size[1] < SHEET:
        along = piece.R_object_piece[:, 2]
        axis = int(np.abs(along).argmax())
        size = np.array([piece.size[0], 0.5 * SHEET, 0.0])
        step = np.zeros(3)
        step[axis] = grow[axis] * (size[1] - piece.size[1])
        return replace(piece, size=size, center=piece.center + step)
    if piece.kind != "box" or 2.0 * piece.size.min() >= SHEET:
        return piece
    half = np.maximum(piece.size, 0.5 * SHEET)
    more = np.abs(piece.R_object_piece) @ (half - piece.size)
    return replace(piece, size=half, center=piece.center + np.array(grow) * more)
