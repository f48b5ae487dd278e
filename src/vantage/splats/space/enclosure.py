"""How much of what is around a place is shut off by obstacles: little in the open, nearly all in a room."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.splats.jit import kernel

_REACH = 2  # directions are the steps of at most this many voxels along each axis: 98 of them
_SAMPLES = 20_000


def enclosure(blocked: NDArray[np.bool_]) -> NDArray[np.float32]:
    """(X, Y, Z), 0..1: share of the solid angle in which a straight line from a voxel's middle meets a block.

    A line that leaves the grid meets nothing. 98 directions are tried, each weighted by the solid angle that is closer
    to it than to any other. Lines look at every second or third voxel only: blocks thinner than three may be missed.
    """
    share = np.zeros(blocked.shape, np.float32)
    hit = np.empty(blocked.shape, np.bool_)
    for direction, weight in zip(*_directions(), strict=True):
        _sweep(np.ascontiguousarray(blocked), direction, weight, hit, share)
    return share


@lru_cache(maxsize=1)
def _directions() -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Steps (98, 3) in voxels, and the share of the sphere around each, by counting points of a Fibonacci spiral."""
    steps = np.array(list(np.ndindex((2 * _REACH + 1,) * 3))) - _REACH
    steps = steps[np.gcd.reduce(steps, axis=1) == 1]
    number = np.arange(_SAMPLES)
    z = 1.0 - (2.0 * number + 1.0) / _SAMPLES
    angle = number * math.pi * (3.0 - math.sqrt(5.0))
    level = np.sqrt(1.0 - z * z)
    sphere = np.column_stack([level * np.cos(angle), level * np.sin(angle), z])
    units = steps / np.linalg.norm(steps, axis=1, keepdims=True)
    nearest = np.argmax(sphere @ units.T, axis=1)
    return steps, np.bincount(nearest, minlength=len(steps)) / _SAMPLES


@kernel
def _sweep(blocked: Any, step: Any, weight: float, hit: Any, share: Any) -> None:
    """Add a weight where a line along a step meets a block: one voxel on, or where the line from there does."""
    nx, ny, nz = blocked.shape
    dx, dy, dz = step[0], step[1], step[2]
    for a in range(nx):
        i = nx - 1 - a if dx > 0 else a
        for b in range(ny):
            j = ny - 1 - b if dy > 0 else b
            within = 0 <= i + dx < nx and 0 <= j + dy < ny
            for c in range(nz):
                k = nz - 1 - c if dz > 0 else c
                hits = False
                if within and 0 <= k + dz < nz:
                    hits = blocked[i + dx, j + dy, k + dz] or hit[i + dx, j + dy, k + dz]
                hit[i, j, k] = hits
                if hits:
                    share[i, j, k] += weight
