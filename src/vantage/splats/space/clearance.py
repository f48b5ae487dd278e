"""How far it is to what is solid: a distance field over a voxel grid."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.splats.jit import kernel

_FAR = 1e30  # quarter squares: more than between any two voxels; finite, for the kernels know no infinity


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
