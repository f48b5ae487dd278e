"""Which lines of sight meet a convex body: ``crossings`` for one yes or no a line, compiled.

Bodies are those of ``crossings``. A line is done at the first face that it meets, and bodies far from it cost nothing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.labelling.ray_crossings import Flags, Floats
from vantage.jit import inline_kernel, kernel

BOX_KIND, ELLIPSOID_KIND = 0, 1  # as crossings.BOX and crossings.ELLIPSOID; the rest are frusta
_TINY = 1e-12
_FAR = 1e300  # instead of infinity, which compiled code may not rely on
_SLACK = 1e-9  # m


@kernel
def lines_blocked(
    origin: Floats,
    points: Floats,
    ends: Floats,
    kinds: Floats,
    linear: Floats,
    offset: Floats,
    closed: Flags,
    radii: Floats,
    centers: Floats,
    reaches: Floats,
) -> Flags:
    """Which lines from ``origin`` (3,) to ``points`` (N, 3) pass through a face before the share ``ends`` (N,), (N,).

    Args:
        kinds: (S,) of each body. linear: (S, 3, 3), transposed, and offset: (S, 3): from the world to its frame.
        closed: (S, 6) which faces are there. radii: (S, 2) of a frustum at z = -1 and z = 1.
        centers: (S, 3) and reaches: (S,) of spheres around the bodies, m, world frame.
    """
    blocked = np.zeros(len(points), dtype=np.bool_)
    near = np.zeros(len(kinds), dtype=np.int64)
    count = _near_hull(origin, points, centers, reaches, near)
    for n in range(len(points)):
        x, y, z = points[n, 0] - origin[0], points[n, 1] - origin[1], points[n, 2] - origin[2]
        square = x * x + y * y + z * z
        for k in range(count):
            s = near[k]
            a, b, c = centers[s, 0] - origin[0], centers[s, 1] - origin[1], centers[s, 2] - origin[2]
            along = (a * x + b * y + c * z) / max(square, _TINY)
            along = min(max(along, 0.0), 1.0)
            a, b, c = a - along * x, b - along * y, c - along * z
            reach = reaches[s] + _SLACK
            if a * a + b * b + c * c > reach * reach:
                continue
            if _meets(origin, points[n], ends[n], kinds[s], linear[s], offset[s], closed[s], radii[s]):
                blocked[n] = True
                break
    return blocked


@inline_kernel
def _near_hull(origin: Floats, points: Floats, centers: Floats, reaches: Floats, near: NDArray[np.int64]) -> int:
    """Fills ``near`` with the bodies that may touch the hull of origin and points; their number."""
    low, high = np.empty(3), np.empty(3)
    for axis in range(3):
        low[axis], high[axis] = origin[axis], origin[axis]
        for n in range(len(points)):
            low[axis] = min(low[axis], points[n, axis])
            high[axis] = max(high[axis], points[n, axis])
    count = 0
    for s in range(len(reaches)):
        reach, outside = reaches[s] + _SLACK, False
        for axis in range(3):
            outside |= centers[s, axis] + reach < low[axis] or centers[s, axis] - reach > high[axis]
        if not outside:
            near[count] = s
            count += 1
    return count


@kernel
def _meets(
    origin: Floats,
    point: Floats,
    end: float,
    kind: float,
    linear: Floats,
    offset: Floats,
    closed: Flags,
    radii: Floats,
) -> bool:
    """Whether one line meets one body."""
    start, way = np.empty(3), np.empty(3)
    for axis in range(3):
        start[axis] = origin[0] * linear[0, axis] + origin[1] * linear[1, axis] + origin[2] * linear[2, axis]
        start[axis] += offset[axis]
        there = point[0] * linear[0, axis] + point[1] * linear[1, axis] + point[2] * linear[2, axis]
        way[axis] = there + offset[axis] - start[axis]
        if abs(way[axis]) < _TINY:
            way[axis] = _TINY
    if kind == BOX_KIND:
        enter, leave, first, last = _box(start, way)
    elif kind == ELLIPSOID_KIND:
        enter, leave, first, last = _sphere(start, way)
    else:
        enter, leave, first, last = _frustum(start, way, radii)
    if enter >= leave:
        return False
    return (closed[first] and 0.0 < enter < end) or (closed[last] and 0.0 < leave < end)


@kernel
def _box(start: Floats, way: Floats) -> tuple[float, float, int, int]:
    """Where a line enters and leaves, and through which faces."""
    enter, leave, first, last = -_FAR, _FAR, 0, 0
    for axis in range(3):
        low, high = (-1.0 - start[axis]) / way[axis], (1.0 - start[axis]) / way[axis]
        upwards = 1 if way[axis] > 0 else 0
        if min(low, high) > enter:
            enter, first = min(low, high), 2 * axis + 1 - upwards  # going up it enters through the lower face
        if max(low, high) < leave:
            leave, last = max(low, high), 2 * axis + upwards
    return enter, leave, first, last


@kernel
def _sphere(start: Floats, way: Floats) -> tuple[float, float, int, int]:
    square = way[0] * way[0] + way[1] * way[1] + way[2] * way[2]
    linear = way[0] * start[0] + way[1] * start[1] + way[2] * start[2]
    constant = start[0] * start[0] + start[1] * start[1] + start[2] * start[2] - 1.0
    discriminant = linear * linear - square * constant
    if discriminant < 0:
        return _FAR, -_FAR, 0, 0
    root = np.sqrt(discriminant)
    one, other = (-linear - root) / square, (-linear + root) / square
    return min(one, other), max(one, other), 0, 0


@kernel
def _frustum(start: Floats, way: Floats, radii: Floats) -> tuple[float, float, int, int]:
    """The part of a line with |z| <= 1 and x^2 + y^2 <= (a + b z)^2."""
    a, b = 0.5 * (radii[0] + radii[1]), 0.5 * (radii[1] - radii[0])
    radius = a + b * start[2]
    square = way[0] * way[0] + way[1] * way[1] - b * b * way[2] * way[2]
    if abs(square) < _TINY:
        square = _TINY
    linear = way[0] * start[0] + way[1] * start[1] - b * way[2] * radius
    constant = start[0] * start[0] + start[1] * start[1] - radius * radius
    cap_low, cap_high = (-1.0 - start[2]) / way[2], (1.0 - start[2]) / way[2]
    cap_in, cap_out = min(cap_low, cap_high), max(cap_low, cap_high)
    side_in, side_out = -_FAR, _FAR
    discriminant = linear * linear - square * constant
    if discriminant >= 0:
        root = np.sqrt(discriminant)
        one, other = (-linear - root) / square, (-linear + root) / square
        side_in, side_out = min(one, other), max(one, other)
        if square < 0:  # then the line is inside the double cone outside of the two roots
            if side_in > cap_in:
                side_in, side_out = -_FAR, side_in
            else:
                side_in, side_out = side_out, _FAR
    elif square > 0:
        return _FAR, -_FAR, 0, 0
    upwards = way[2] > 0
    first = 0 if side_in >= cap_in else (4 if upwards else 5)
    last = 0 if side_out <= cap_out else (5 if upwards else 4)
    return max(side_in, cap_in), min(side_out, cap_out), first, last
