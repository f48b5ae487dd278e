"""Algorithms on voxel grids: connected regions, and the distance to what is solid."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.jit import kernel

_FAR = 1e30  # quarter squares: more than between any two voxels; finite, for the kernels know no infinity

# The neighbours of a voxel that a scan in index order meets before it: through faces only, or also edges and corners.
_FACES = np.array([(-1, 0, 0), (0, -1, 0), (0, 0, -1)])
_ALL = np.array([(i, j, k) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1) if (i, j, k) < (0, 0, 0)])


def quarter_squares(marked: NDArray[np.bool_]) -> NDArray[np.float32]:
    """(X, Y, Z): 4 d^2 with d the distance, in voxels, from a voxel's middle to the box of the nearest marked voxel.

    Exact as long as it is below 2^24; ``1e30`` where nothing is marked. The squared distance is a sum over the axes, so
    three passes along lines find it, each as the lower envelope of parabolas in linear time (P. Felzenszwalb and
    D. Huttenlocher, "Distance Transforms of Sampled Functions", Theory of Computing 8, 2012). A box is nearest at its
    faces: the parabolas start at the faces between voxels, at the lower value of the two sides.
    """
    squares: NDArray[np.float32] = np.where(np.ascontiguousarray(marked), np.float32(0), np.float32(_FAR))
    for axis in range(3):
        stride = math.prod(squares.shape[axis + 1 :])
        _pass(squares.reshape(-1), squares.shape[axis], stride)
    return squares


def interpolate(field: NDArray[np.float32], low: Any, voxel: float, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N,): a field known at the middles of voxels, trilinear at finite points (N, 3), m; constant at the border."""
    values = np.empty(len(points))
    _interpolate(field, np.asarray(low, dtype=np.float64), voxel, np.ascontiguousarray(points), values)
    return values


@kernel
def _pass(values: Any, size: int, stride: int) -> None:
    """One pass along the lines of one axis of a flat array, in place."""
    line, height = np.empty(size, np.float64), np.empty(size + 1, np.float64)
    start, place = np.empty(size + 2, np.float64), np.empty(size + 1, np.float64)
    for block in range(0, len(values), size * stride):
        for offset in range(stride):
            base = block + offset
            for i in range(size):
                line[i] = values[base + i * stride]
            count = 0
            for face in range(size + 1):
                least = min(line[max(face - 1, 0)], line[min(face, size - 1)])
                if least >= _FAR:
                    continue
                at = 2.0 * face - 1.0  # in half voxels; the middle of voxel i is at 2 i
                begin = -_FAR
                while count > 0:
                    before = place[count - 1]
                    begin = (least + at * at - height[count - 1] - before * before) / (2.0 * (at - before))
                    if begin > start[count - 1]:
                        break
                    count -= 1
                    begin = -_FAR
                place[count], height[count], start[count] = at, least, begin
                count += 1
            if count == 0:
                continue
            start[count] = _FAR
            k = 0
            for i in range(size):
                while start[k + 1] < 2.0 * i:
                    k += 1
                away = 2.0 * i - place[k]
                values[base + i * stride] = min(line[i], away * away + height[k])


@kernel
def _interpolate(field: Any, low: Any, voxel: float, points: Any, values: Any) -> None:
    cell, share = np.empty((3, 2), np.int64), np.empty((3, 2))
    for n in range(len(points)):
        for k in range(3):
            last = field.shape[k] - 1
            at = min(max((points[n, k] - low[k]) / voxel - 0.5, 0.0), float(last))
            cell[k, 0] = math.floor(at)
            cell[k, 1] = min(cell[k, 0] + 1, last)
            share[k, 1] = at - cell[k, 0]
            share[k, 0] = 1.0 - share[k, 1]
        total = 0.0
        for a in range(2):
            for b in range(2):
                for c in range(2):
                    weight = share[0, a] * share[1, b] * share[2, c]
                    total += weight * field[cell[0, a], cell[1, b], cell[2, c]]
        values[n] = total


def regions(mask: NDArray[np.bool_], *, diagonal: bool = False) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Number the connected parts of a mask (X, Y, Z), through faces or, if ``diagonal``, also edges and corners.

    Returns:
        Labels (X, Y, Z), 0 outside the mask and 1, 2, ... in index order of the first voxel, and the number of voxels
        with each label, with 0 for label 0.
    """
    mask = np.ascontiguousarray(mask)
    labels = np.zeros(mask.shape, np.int32)
    count = _label(mask, _ALL if diagonal else _FACES, labels)
    sizes = np.zeros(count + 1, np.int64)
    _count(labels, sizes)
    return labels, sizes


def fill_cavities(occupied: NDArray[np.bool_], most: int) -> None:
    """Occupy, in place, the free spaces connected through faces of at most ``most`` voxels, but not the largest."""
    labels, sizes = regions(~occupied)
    if len(sizes) < 3:
        return
    small = (sizes <= most) & (sizes > 0)
    small[int(np.argmax(sizes))] = False
    if small.any():
        occupied |= small[labels]


@kernel
def _label(mask: Any, neighbours: Any, labels: Any) -> int:
    """Union-find in place: a voxel holds 1 + the flat index of another of its part, the first one that of itself."""
    nx, ny, nz = mask.shape
    inside, flat = mask.reshape(-1), labels.reshape(-1)
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                at = (i * ny + j) * nz + k
                if not inside[at]:
                    continue
                flat[at] = at + 1
                for n in range(len(neighbours)):
                    a, b, c = i + neighbours[n, 0], j + neighbours[n, 1], k + neighbours[n, 2]
                    if not (a >= 0 and 0 <= b < ny and 0 <= c < nz):
                        continue
                    other = (a * ny + b) * nz + c
                    if inside[other]:
                        first, second = _root(flat, at), _root(flat, other)
                        flat[max(first, second)] = min(first, second) + 1
    count = 0
    for at in range(len(flat)):
        if flat[at] == at + 1:
            count += 1
            flat[at] = -count
        elif flat[at] > 0:
            flat[at] = flat[flat[at] - 1]
    for at in range(len(flat)):
        flat[at] = -flat[at]
    return count


@kernel
def _count(labels: Any, sizes: Any) -> None:
    for label in labels.reshape(-1):
        if label > 0:
            sizes[label] += 1


@kernel
def _root(flat: Any, at: int) -> int:
    while flat[at] != at + 1:
        flat[at] = flat[flat[at] - 1]
        at = flat[at] - 1
    return at
