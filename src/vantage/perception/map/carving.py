"""Ray walks through a voxel grid (Amanatides and Woo, A Fast Voxel Traversal Algorithm, 1987), compiled.

A walk is a tuple: distance at which the present voxel begins, its three indices, and along each axis the distance to
the next border and that for each metre. Tuples stay in registers, arrays would not.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.perception.compiled import compiled

_UNKNOWN, _FREE, _OCCUPIED = 0, 1, 2
_HIT, _PASS, _LIMIT = 4, -1, 20  # evidence: one hit outweighs four frames that look through the voxel
_EDGE = 0.06  # relative jump of depth between neighbours at which a pixel lies on a silhouette
_APART = 2  # pixels to each side
_STEEPEST = 5.85  # tangent of the angle to a surface's normal beyond which depth leads from one surface to another
_FAR = 1e30
_LEVELS = 5  # of ever coarser lattices of rays, of which the coarsest walks from the camera on

Walk = tuple[float, int, int, int, float, float, float, float, float, float]
Entry = tuple[int, float]
Floats = NDArray[np.float64]


@compiled
def _inverse(slope: float) -> float:
    """Distance along a ray for each metre along one axis; huge where it runs across that axis."""
    return 1.0 / slope if abs(slope) > 1e-12 else _FAR


@compiled
def _first(low: float, count: int, voxel: float, start: float, slope: float, inverse: float, t: float) -> Entry:
    """Index of the voxel at distance ``t`` along one axis, and the distance to its far border."""
    index = min(max(int(np.floor((start + (t + 1e-9) * slope - low) / voxel)), 0), count - 1)
    if abs(slope) <= 1e-12:
        return index, _FAR
    border = index + 1 if slope > 0.0 else index
    return index, (low + border * voxel - start) * inverse


@compiled
def _span(low: float, high: float, start: float, inverse: float) -> tuple[float, float]:
    """Distances at which a ray is between two planes."""
    near, far = (low - start) * inverse, (high - start) * inverse
    return (near, far) if near < far else (far, near)


@compiled
def _enter(
    origin: Floats, voxel: float, shape: Any, start: Floats, dx: float, dy: float, dz: float, after: float
) -> Walk:
    """Where a ray is in the grid for the first time ``after`` a distance; the distance is -1 when it never is."""
    ix, iy, iz = _inverse(dx), _inverse(dy), _inverse(dz)
    near_x, far_x = _span(origin[0], origin[0] + shape[0] * voxel, start[0], ix)
    near_y, far_y = _span(origin[1], origin[1] + shape[1] * voxel, start[1], iy)
    near_z, far_z = _span(origin[2], origin[2] + shape[2] * voxel, start[2], iz)
    t = max(after, near_x, near_y, near_z)
    if t >= min(far_x, far_y, far_z):
        return -1.0, 0, 0, 0, 0.0, 0.0, 0.0, ix, iy, iz
    i, tx = _first(origin[0], shape[0], voxel, start[0], dx, ix, t)
    j, ty = _first(origin[1], shape[1], voxel, start[1], dy, iy, t)
    k, tz = _first(origin[2], shape[2], voxel, start[2], dz, iz, t)
    return t, i, j, k, tx, ty, tz, ix, iy, iz


@compiled
def _advance(walk: Walk, voxel: float, shape: Any) -> Walk:
    """The next voxel; the distance is -1 when the ray leaves the grid."""
    _, i, j, k, tx, ty, tz, ix, iy, iz = walk
    if tx <= ty and tx <= tz:
        t, i = tx, i + (1 if ix > 0.0 else -1)
        tx += voxel * abs(ix)
    elif ty <= tz:
        t, j = ty, j + (1 if iy > 0.0 else -1)
        ty += voxel * abs(iy)
    else:
        t, k = tz, k + (1 if iz > 0.0 else -1)
        tz += voxel * abs(iz)
    if not (0 <= i < shape[0] and 0 <= j < shape[1] and 0 <= k < shape[2]):
        t = -1.0
    return t, i, j, k, tx, ty, tz, ix, iy, iz


@compiled
def _nearest_around(depth: NDArray[np.float32], row: int, column: int, focal: float) -> tuple[float, bool]:
    """Smallest depth of a pixel and its four neighbours, and whether they lie on different surfaces or between two."""
    height, width = depth.shape
    nearest = farthest = depth[row, column]
    for d_row, d_column in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        r, c = row + d_row, column + d_column
        if 0 <= r < height and 0 <= c < width and depth[r, c] > 0.0:
            nearest, farthest = min(nearest, depth[r, c]), max(farthest, depth[r, c])
    if farthest - nearest > _EDGE * nearest + 0.01:
        return nearest, True
    if not (_APART <= row < height - _APART and _APART <= column < width - _APART):
        return nearest, False
    z = depth[row, column]
    slope = max(
        abs(z / depth[row, column - _APART] - z / depth[row, column + _APART]),
        abs(z / depth[row - _APART, column] - z / depth[row + _APART, column]),
    )
    return nearest, slope > 2.0 * _APART * _STEEPEST / focal


@compiled
def _crowded(row: int, column: int, apart: float) -> float:
    """Up to which distance (m) the rays of a coarser lattice see what one ray would, so that it need not walk there.

    ``row`` and ``column`` count rays; neighbours are half a voxel apart at the distance ``apart``.
    """
    for level in range(1, _LEVELS):
        if (row | column) & (1 << (level - 1)):
            return apart / (1 << level)
    return 0.0


@compiled
def carve(
    states: NDArray[np.uint8],
    score: NDArray[np.int8],
    stamps: NDArray[np.int32],
    round_: int,
    origin: Floats,
    voxel: float,
    position: Floats,
    rotation: Floats,
    camera: Floats,
    depth: NDArray[np.float32],
    stride: int,
    max_range: float,
) -> None:
    """Put one depth image into the grid.

    ``round_`` is even and grows: a voxel touched in this frame carries ``round_`` (looked through) or ``round_ + 1``
    (hit), so that each counts once a frame and a hit protects against grazing rays of the same frame.
    """
    height, width = depth.shape
    shape = states.shape
    apart = 0.5 * voxel * min(camera[0], camera[1]) / stride
    rays = np.empty((len(range(stride // 2, height, stride)) * len(range(stride // 2, width, stride)), 5))
    count = 0
    for row in range(stride // 2, height, stride):  # hits first, so that rays that look through come second
        y = (row + 0.5 - camera[3]) / camera[1]
        for column in range(stride // 2, width, stride):
            if not 0.0 < depth[row, column] < 1e6:
                continue
            x = (column + 0.5 - camera[2]) / camera[0]
            z, on_edge = _nearest_around(depth, row, column, min(camera[0], camera[1]))
            z = z if on_edge else depth[row, column]
            norm = np.sqrt(x * x + y * y + 1.0)
            dx = (rotation[0, 0] * x + rotation[0, 1] * y + rotation[0, 2]) / norm
            dy = (rotation[1, 0] * x + rotation[1, 1] * y + rotation[1, 2]) / norm
            dz = (rotation[2, 0] * x + rotation[2, 1] * y + rotation[2, 2]) / norm
            reach = norm * z
            after, end = _crowded(row // stride, column // stride, apart), min(reach - 0.25 * voxel, max_range)
            if after < end:
                rays[count] = dx, dy, dz, after, end
                count += 1
            if on_edge or reach > max_range:
                continue
            i = int(np.floor((position[0] + dx * (reach + 1e-4) - origin[0]) / voxel))
            j = int(np.floor((position[1] + dy * (reach + 1e-4) - origin[1]) / voxel))
            k = int(np.floor((position[2] + dz * (reach + 1e-4) - origin[2]) / voxel))
            inside = 0 <= i < shape[0] and 0 <= j < shape[1] and 0 <= k < shape[2]
            if inside and stamps[i, j, k] != round_ + 1:
                stamps[i, j, k] = round_ + 1
                score[i, j, k] = min(max(score[i, j, k], 0) + _HIT, _LIMIT)
                states[i, j, k] = _OCCUPIED
    flat_states, flat_score, flat_stamps = states.ravel(), score.ravel(), stamps.ravel()
    for ray in range(count):
        dx, dy, dz, after, end = rays[ray]
        walk = _enter(origin, voxel, shape, position, dx, dy, dz, after)
        _look_through(flat_states, flat_score, flat_stamps, round_, voxel, shape, walk, end)


@compiled
def _look_through(
    states: NDArray[np.uint8],
    score: NDArray[np.int8],
    stamps: NDArray[np.int32],
    round_: int,
    voxel: float,
    shape: Any,
    walk: Walk,
    end: float,
) -> None:
    """Count a pass for each voxel, of flat grids, on a walk up to a distance: as ``_advance``, but with one index."""
    t, i, j, k, tx, ty, tz, ix, iy, iz = walk
    along_x, along_y, along_z = voxel * abs(ix), voxel * abs(iy), voxel * abs(iz)
    step_i, step_j, step_k = (1 if ix > 0.0 else -1), (1 if iy > 0.0 else -1), (1 if iz > 0.0 else -1)
    row, plane = shape[2], shape[1] * shape[2]
    at = i * plane + j * row + k
    while 0.0 <= t < end:
        if stamps[at] < round_:
            stamps[at] = round_
            score[at] = max(score[at] + _PASS, -_LIMIT)
            states[at] = _OCCUPIED if score[at] > 0 else _FREE
        if tx <= ty and tx <= tz:
            t, i = tx, i + step_i
            at += step_i * plane
            tx += along_x
            if not 0 <= i < shape[0]:
                return
        elif ty <= tz:
            t, j = ty, j + step_j
            at += step_j * row
            ty += along_y
            if not 0 <= j < shape[1]:
                return
        else:
            t, k = tz, k + step_k
            at += step_k
            tz += along_z
            if not 0 <= k < shape[2]:
                return


@compiled
def count_unknown(
    states: NDArray[np.uint8],
    stamps: NDArray[np.int32],
    round_: int,
    origin: Floats,
    voxel: float,
    position: Floats,
    directions: Floats,
    max_range: float,
    box_min: Floats,
    box_max: Floats,
) -> int:
    """How many different unknown voxels with a centre in the box the rays meet before something occupied."""
    shape = states.shape
    count = 0
    for ray in range(directions.shape[0]):
        dx, dy, dz = directions[ray, 0], directions[ray, 1], directions[ray, 2]
        walk = _enter(origin, voxel, shape, position, dx, dy, dz, 0.0)
        while 0.0 <= walk[0] < max_range:
            i, j, k = walk[1], walk[2], walk[3]
            if states[i, j, k] == _OCCUPIED:
                break
            if states[i, j, k] == _UNKNOWN and stamps[i, j, k] != round_:
                stamps[i, j, k] = round_
                x = origin[0] + (i + 0.5) * voxel
                y = origin[1] + (j + 0.5) * voxel
                z = origin[2] + (k + 0.5) * voxel
                if box_min[0] <= x <= box_max[0] and box_min[1] <= y <= box_max[1] and box_min[2] <= z <= box_max[2]:
                    count += 1
            walk = _advance(walk, voxel, shape)
    return count


@compiled
def line_is_clear(
    states: NDArray[np.uint8], origin: Floats, voxel: float, start: Floats, direction: Floats, length: float
) -> bool:
    """Whether no occupied voxel lies on a line."""
    shape = states.shape
    walk = _enter(origin, voxel, shape, start, direction[0], direction[1], direction[2], 0.0)
    while 0.0 <= walk[0] < length:
        if states[walk[1], walk[2], walk[3]] == _OCCUPIED:
            return False
        walk = _advance(walk, voxel, shape)
    return True


@compiled
def reached(states: Any, barriers: Any, level: Any) -> Any:
    """Which columns of a block of voxels, shape (x, y), are known at one level, or are reached there by unknown space
    from space seen free without passing occupied voxels or ``barriers`` (x, y)."""
    nx, ny = states.shape[0], states.shape[1]
    found = np.zeros((nx, ny), np.bool_)
    stack = np.empty((nx * ny, 2), np.int64)
    count = 0
    for i in range(nx):
        for j in range(ny):
            found[i, j] = states[i, j, level] != _UNKNOWN
            if states[i, j, level] == _FREE and not barriers[i, j]:
                stack[count, 0], stack[count, 1] = i, j
                count += 1
    while count > 0:
        count -= 1
        at_i, at_j = stack[count, 0], stack[count, 1]
        for side in range(4):
            i, j = at_i + (side == 0) - (side == 1), at_j + (side == 2) - (side == 3)
            if 0 <= i < nx and 0 <= j < ny and not found[i, j] and not barriers[i, j]:
                found[i, j] = True
                stack[count, 0], stack[count, 1] = i, j
                count += 1
    return found


@compiled
def bar(
    closed: Any, lows: Floats, highs: Floats, height: float, origin: Floats, voxel: float, shape: Any, first: Any
) -> None:
    """Mark the columns of a block of voxels, shape (x, y), in which some boxes (N, 3; low and high corners, m) stand at
    a height (m).

    Args:
        shape: of the whole map.
        first: voxel (x, y) of the map with which the block begins.
    """
    begin, end = np.empty(3), np.empty(3)
    for n in range(len(lows)):
        if not lows[n, 2] <= height <= highs[n, 2]:
            continue
        within = True
        for axis in range(3):
            low = np.floor((lows[n, axis] - origin[axis]) / voxel + 1e-6)
            high = np.ceil((highs[n, axis] - origin[axis]) / voxel - 1e-6)
            begin[axis], end[axis] = max(low, 0.0), min(max(high, low + 1.0), float(shape[axis]))
            within = within and begin[axis] < end[axis]
        if within:
            for i in range(max(int(begin[0]) - first[0], 0), min(int(end[0]) - first[0], closed.shape[0])):
                for j in range(max(int(begin[1]) - first[1], 0), min(int(end[1]) - first[1], closed.shape[1])):
                    closed[i, j] = True
