"""Surfaces of a part as charts: patches that unroll into a rectangle, with triangles to see and places to paint.

Hollow parts have an inner side, too; whole faces that lie inside or against another box are left out.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.spec import FACES, Part

Array = NDArray[np.float64]
Place = Callable[[Array, Array], tuple[Array, Array]]

SHELL = 0.002  # m: of a hollow round part
_LIFT = 0.0003  # m: of the inner faces of a hollow box
_EDGE = 1e-4  # m: nothing is cut nearer to an edge
_ORDER = {"z": (0, 1, 2), "x": (1, 2, 0), "y": (2, 0, 1)}  # a part's axes, the one that it stands along last
_BOX_FACES = {  # corner and edges in half sizes, normals pointing out
    "x+": ((1, -1, -1), (0, 2, 0), (0, 0, 2)),
    "x-": ((-1, 1, -1), (0, -2, 0), (0, 0, 2)),
    "y+": ((1, 1, -1), (-2, 0, 0), (0, 0, 2)),
    "y-": ((-1, -1, -1), (2, 0, 0), (0, 0, 2)),
    "z+": ((-1, -1, 1), (2, 0, 0), (0, 2, 0)),
    "z-": ((-1, 1, -1), (2, 0, 0), (0, -2, 0)),
}
_NORMALS = {
    "x+": (1.0, 0.0, 0.0),
    "x-": (-1.0, 0.0, 0.0),
    "y+": (0.0, 1.0, 0.0),
    "y-": (0.0, -1.0, 0.0),
    "z+": (0.0, 0.0, 1.0),
    "z-": (0.0, 0.0, -1.0),
}
_SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
_TWO_TRIANGLES = np.array([(0, 1, 2), (0, 2, 3)], np.int32)


@dataclass(frozen=True, eq=False)
class Chart:
    """A patch of a surface in the frame of its object, as it is before the part is turned by its ``rotation``.

    Attributes:
        face: of the part, such as ``x+``, or ``side`` of what is round; inner sides begin with ``inner``.
        width, height: of the rectangle that it unrolls into, m.
        axes: numbers of the object's axes that the edges of the rectangle run along; -1 where they follow none.
        uv: places of the corners in the rectangle, 0..1, (V, 2).
        triangles: (T, 3) corners, counter-clockwise seen from before the surface.
        place: points (N, 3; m) and unit normals (N, 3) at places u, v (N,).
    """

    face: str
    width: float
    height: float
    axes: tuple[int, int]
    uv: Array
    triangles: NDArray[np.int32]
    place: Place


def part_charts(part: Part, left_out: Sequence[str] = (), cuts: Sequence[float] = ()) -> list[Chart]:
    """The charts that cover a part.

    Args:
        left_out: faces that nobody can see, beside those that are open.
        cuts: heights (m, in the frame of the object) at which upright faces of a box are cut in two.
    """
    skip = {*part.open_faces, *left_out}
    if part.shape == "box":
        return _box(part, skip, cuts)
    if part.shape == "ellipsoid":
        return [_ball(part)]
    return _round(part, skip)


def flat_chart(face: str, corner: Array, along_u: Array, along_v: Array) -> Chart:
    """A rectangle from a corner and two edges, m, whose cross product is the normal."""
    axes = (int(np.argmax(np.abs(along_u))), int(np.argmax(np.abs(along_v))))
    size = math.hypot(*along_u.tolist()), math.hypot(*along_v.tolist())
    (a, b, c), (d, e, f) = along_u.tolist(), along_v.tolist()
    normal = np.array([b * f - c * e, c * d - a * f, a * e - b * d]) / (size[0] * size[1])
    return Chart(face, *size, axes, _SQUARE, _TWO_TRIANGLES, partial(_flat_place, corner, along_u, along_v, normal))


def _flat_place(
    corner: Array, along_u: Array, along_v: Array, normal: Array, u: Array, v: Array
) -> tuple[Array, Array]:
    points = u[:, None] * along_u
    points += v[:, None] * along_v
    points += corner
    normals = np.empty_like(points)
    normals[:] = normal
    return points, normals


def _box(part: Part, skip: set[str], cuts: Sequence[float]) -> list[Chart]:
    center, half = np.asarray(part.center), 0.5 * np.asarray(part.size)
    charts = []
    for face in FACES:
        if face in skip:
            continue
        corner, along_u, along_v = (np.asarray(each) * half for each in _BOX_FACES[face])
        corner = corner + center
        if face[0] == "z":
            charts.append(flat_chart(face, corner, along_u, along_v))
        else:
            low, high = corner[2], corner[2] + along_v[2]
            ends = [low, *(cut for cut in cuts if low + _EDGE < cut < high - _EDGE), high]
            for bottom, top in itertools.pairwise(ends):
                start = np.array([corner[0], corner[1], bottom])
                charts.append(flat_chart(face, start, along_u, np.array([0.0, 0.0, top - bottom])))
        if part.open_faces:
            # A little before what adjoins, whose faces may lie in the same plane.
            inward = -_LIFT * np.asarray(_NORMALS[face])
            charts.append(flat_chart(f"inner {face}", corner + inward, along_v, along_u))
    return charts


def _round(part: Part, skip: set[str]) -> list[Chart]:
    """The side and both caps of a cylinder or cone."""
    ends = (1.0, 1.0) if part.shape == "cylinder" else part.ends
    charts = [_mantle(part, ends, 1.0)]
    if part.open_faces:
        charts.append(_mantle(part, ends, -1.0))
    for share, sign in ((ends[0], -1.0), (ends[1], 1.0)):
        face = part.axis + ("+" if sign > 0 else "-")
        if face not in skip and share > 0:
            charts.append(_cap(part, share, sign, face, 1.0))
            if part.open_faces:
                charts.append(_cap(part, share, sign, face, -1.0))
    return charts


def _steps(radius: float) -> int:
    """Corners of a polygon that looks like a circle of a radius, m."""
    return int(np.clip(4 * round(18.0 * math.sqrt(radius)), 8, 48))


def _mantle(part: Part, ends: tuple[float, float], side: float) -> Chart:
    a, b, height = (0.5 * part.size[k] for k in _ORDER[part.axis])
    if side < 0:
        a, b = max(a - SHELL, 0.5 * a), max(b - SHELL, 0.5 * b)
    radius = max(a, b) * max(ends)
    steps = _steps(radius)
    uv = np.array([(k / steps, v) for v in (0.0, 1.0) for k in range(steps + 1)])
    low = np.arange(steps)
    high = low + steps + 1
    triangles = np.concatenate([np.stack([low, low + 1, high + 1], 1), np.stack([low, high + 1, high], 1)])
    if side < 0:
        triangles = triangles[:, ::-1]
    slant = math.hypot(2 * height, max(a, b) * (ends[1] - ends[0]))
    face = "side" if side > 0 else "inner side"
    place = partial(_mantle_place, part, (a, b, height), ends, side)
    return Chart(face, math.tau * radius, slant, (-1, "xyz".index(part.axis)), uv, triangles.astype(np.int32), place)


def _mantle_place(
    part: Part, half: tuple[float, float, float], ends: tuple[float, float], side: float, u: Array, v: Array
) -> tuple[Array, Array]:
    """The middle of the rectangle is the side towards the first of the axes across."""
    a, b, height = half
    taper = ends[1] - ends[0]
    share = ends[0] + taper * v
    angle = (u - 0.5) * math.tau
    cos, sin = np.cos(angle), np.sin(angle)
    points = np.stack([a * share * cos, b * share * sin, height * (2 * v - 1)], 1)
    # Perpendicular to both the ring (-a sin, b cos, 0) and the slope (a taper cos, b taper sin, 2 height).
    normals = np.stack([2 * height * b * cos, 2 * height * a * sin, np.full_like(cos, -taper * a * b)], 1)
    normals *= side / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    return _placed(part, points), _turned(part, normals)


def _cap(part: Part, share: float, sign: float, face: str, side: float) -> Chart:
    a, b, height = (0.5 * part.size[k] for k in _ORDER[part.axis])
    if side < 0:
        height = max(height - SHELL, 0.5 * height)
    a, b = a * share, b * share
    steps = _steps(max(a, b))
    angle = np.arange(steps) * math.tau / steps
    uv = 0.5 + 0.5 * np.stack([np.cos(angle), np.sin(angle)], 1)
    fan = np.arange(1, steps - 1)
    triangles = np.stack([np.zeros_like(fan), fan, fan + 1], 1)
    if sign * side < 0:
        triangles = triangles[:, ::-1]
    order = _ORDER[part.axis]
    name = face if side > 0 else f"inner {face}"
    place = partial(_cap_place, part, (a, b, sign * height), sign * side)
    return Chart(name, 2 * a, 2 * b, (order[0], order[1]), uv, triangles.astype(np.int32), place)


def _cap_place(part: Part, half: tuple[float, float, float], sign: float, u: Array, v: Array) -> tuple[Array, Array]:
    a, b, height = half
    points = np.stack([a * (2 * u - 1), b * (2 * v - 1), np.full_like(u, height)], 1)
    normals = np.zeros_like(points)
    normals[:, 2] = sign
    return _placed(part, points), _turned(part, normals)


def _ball(part: Part) -> Chart:
    half = 0.5 * np.asarray(part.size)
    steps = _steps(float(half.max()))
    bands = max(5, steps // 2)
    uv = np.array([(k / steps, j / bands) for j in range(bands + 1) for k in range(steps + 1)])
    low = (np.arange(bands)[:, None] * (steps + 1) + np.arange(steps)[None]).ravel()
    high = low + steps + 1
    triangles = np.concatenate([np.stack([low, low + 1, high + 1], 1), np.stack([low, high + 1, high], 1)])
    place = partial(_ball_place, part)
    width, height = math.tau * float(half[:2].max()), math.pi * float(half.max())
    return Chart("side", width, height, (-1, -1), uv, triangles.astype(np.int32), place)


def _ball_place(part: Part, u: Array, v: Array) -> tuple[Array, Array]:
    half = 0.5 * np.asarray(part.size)
    angle, polar = (u - 0.5) * math.tau, (1.0 - v) * math.pi
    unit = np.stack([np.sin(polar) * np.cos(angle), np.sin(polar) * np.sin(angle), np.cos(polar)], 1)
    normals = unit / half
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return np.asarray(part.center) + unit * half, normals


def _turned(part: Part, vectors: Array) -> Array:
    """Vectors given across and along the axis of a part, in the frame of its object."""
    back = [_ORDER[part.axis].index(k) for k in range(3)]
    found: Array = vectors[:, back]
    return found


def _placed(part: Part, points: Array) -> Array:
    found: Array = _turned(part, points) + np.asarray(part.center)
    return found
