"""Where lines enter and leave convex bodies: boxes, ellipsoids and frusta, each in a frame in which it fills [-1, 1]^3.

Arrays hold S bodies of one kind and N lines, (S, N, 3) in the bodies' frames. A line enters and leaves a body at most
once, each time through a face: 0 to 5 for x-, x+, y-, y+, z-, z+ of a box; of a round body 0 is its side, and 4 and 5
are the caps of a frustum.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Crossing = tuple[Floats, Floats, NDArray[np.intp], NDArray[np.intp]]  # enter, leave, and through which face each

BOX, ELLIPSOID, FRUSTUM = range(3)
_TINY = 1e-12


def crossings(kind: int, start: Floats, end: Floats, closed: Flags, ends: Floats) -> tuple[Floats, Floats]:
    """Where segments pass through faces that are there.

    Args:
        start: (S, 1 or N, 3). end: (S, N, 3).
        closed: (S, 6), which faces are there.
        ends: (S, 2), radii of a frustum at z = -1 and z = 1.

    Returns:
        Two arrays (S, N) with the share of the way, 0 at the start and 1 at the end: where the line enters and where
        it leaves; inf where it misses or the face is open.
    """
    way = end - start
    way = np.where(np.abs(way) < _TINY, _TINY, way)
    if kind == BOX and closed.all():
        return _through_closed_box(start, way)
    start = np.broadcast_to(start, way.shape)
    if kind == BOX:
        enter, leave, first, last = _through_box(start, way)
    elif kind == ELLIPSOID:
        enter, leave, first, last = _through_sphere(start, way)
    else:
        enter, leave, first, last = _through_frustum(start, way, ends)
    hit = enter < leave
    if closed.all():
        return np.where(hit, enter, np.inf), np.where(hit, leave, np.inf)
    return (
        np.where(hit & np.take_along_axis(closed, first, axis=1), enter, np.inf),
        np.where(hit & np.take_along_axis(closed, last, axis=1), leave, np.inf),
    )


def is_inside(kind: int, points: Floats, ends: Floats) -> Flags:
    """Which points (S, N, 3) lie in their body, (S, N)."""
    x, y, z = points[..., 0], points[..., 1], points[..., 2]
    if kind == BOX:
        return np.asarray((np.abs(points) <= 1).all(axis=-1))
    if kind == ELLIPSOID:
        return np.asarray(x * x + y * y + z * z <= 1)
    a, b = _taper(ends)
    radius = a + b * z
    return np.asarray((np.abs(z) <= 1) & (x * x + y * y <= radius * radius))


def _taper(ends: Floats) -> tuple[Floats, Floats]:
    """Radius a + b z of frusta, each (S, 1)."""
    return 0.5 * (ends[:, :1] + ends[:, 1:]), 0.5 * (ends[:, 1:] - ends[:, :1])


def _through_box(start: Floats, way: Floats) -> Crossing:
    low, high = (-1.0 - start) / way, (1.0 - start) / way
    near, far = np.minimum(low, high), np.maximum(low, high)
    axis_in, axis_out = near.argmax(axis=-1), far.argmin(axis=-1)
    upwards = way > 0

    def at(values: NDArray[np.generic], axis: NDArray[np.intp]) -> NDArray[np.generic]:
        return np.take_along_axis(values, axis[..., None], axis=-1)[..., 0]

    return (
        np.asarray(at(near, axis_in), np.float64),
        np.asarray(at(far, axis_out), np.float64),
        2 * axis_in + np.where(at(upwards, axis_in), 0, 1),  # going up it enters through the lower face
        2 * axis_out + np.where(at(upwards, axis_out), 1, 0),
    )


def _through_closed_box(start: Floats, way: Floats) -> tuple[Floats, Floats]:
    """Where lines enter and leave, whatever the faces; inf where they miss."""
    low, high = (-1.0 - start) / way, (1.0 - start) / way
    near, far = np.minimum(low, high), np.maximum(low, high)
    enter = np.maximum(np.maximum(near[..., 0], near[..., 1]), near[..., 2])
    leave = np.minimum(np.minimum(far[..., 0], far[..., 1]), far[..., 2])
    hit = enter < leave
    return np.where(hit, enter, np.inf), np.where(hit, leave, np.inf)


def _through_sphere(start: Floats, way: Floats) -> Crossing:
    enter, leave = _roots((way * way).sum(axis=-1), (way * start).sum(axis=-1), (start * start).sum(axis=-1) - 1.0)
    side = np.zeros(enter.shape, dtype=np.intp)
    return enter, leave, side, side


def _through_frustum(start: Floats, way: Floats, ends: Floats) -> Crossing:
    """The part of a line with |z| <= 1 and x^2 + y^2 <= (a + b z)^2."""
    a, b = _taper(ends)
    x, y, z = start[..., 0], start[..., 1], start[..., 2]
    dx, dy, dz = way[..., 0], way[..., 1], way[..., 2]
    radius = a + b * z
    square = dx * dx + dy * dy - b * b * dz * dz
    square = np.where(np.abs(square) < _TINY, _TINY, square)
    first, second = _roots(square, dx * x + dy * y - b * dz * radius, x * x + y * y - radius * radius)
    cap_low, cap_high = (-1.0 - z) / dz, (1.0 - z) / dz
    cap_in, cap_out = np.minimum(cap_low, cap_high), np.maximum(cap_low, cap_high)
    steep = square < 0  # then the line is inside the double cone outside of the two roots
    all_inside = steep & ~np.isfinite(first)
    before = first > cap_in
    side_in = np.where(steep, np.where(before, -np.inf, second), first)
    side_out = np.where(steep, np.where(before, first, np.inf), second)
    side_in, side_out = np.where(all_inside, -np.inf, side_in), np.where(all_inside, np.inf, side_out)
    face_in = np.where(side_in >= cap_in, 0, np.where(dz > 0, 4, 5))
    face_out = np.where(side_out <= cap_out, 0, np.where(dz > 0, 5, 4))
    return np.maximum(side_in, cap_in), np.minimum(side_out, cap_out), face_in, face_out


def _roots(square: Floats, linear: Floats, constant: Floats) -> tuple[Floats, Floats]:
    """Solutions of square t^2 + 2 linear t + constant = 0 in ascending order; inf and -inf where there are none."""
    discriminant = linear * linear - square * constant
    root = np.sqrt(np.maximum(discriminant, 0.0))
    one, other = (-linear - root) / square, (-linear + root) / square
    none = discriminant < 0
    return np.where(none, np.inf, np.minimum(one, other)), np.where(none, -np.inf, np.maximum(one, other))
