"""Connected regions of a voxel grid."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.splats.jit import kernel

# The neighbours of a voxel that a scan in index order meets before it: through faces only, or also edges and corners.
_FACES = np.array([(-1, 0, 0), (0, -1, 0), (0, 0, -1)])
_ALL = np.array([(i, j, k) for i in (-1, 0, 1) for j in (-1, 0, 1) for k in (-1, 0, 1) if (i, j, k) < (0, 0, 0)])


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
