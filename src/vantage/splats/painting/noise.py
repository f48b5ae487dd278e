"""Smooth pseudo-random fields that depend on nothing but place and seed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.splats.jit import inline_kernel, kernel

Seeds = NDArray[np.int64] | int


def smooth_noise(points: NDArray[np.float64], seeds: Seeds) -> NDArray[np.float64]:
    """Value noise in [-1, 1] at points (N, 3) in units of its wavelength; one seed for all or one for each (N,)."""
    values = np.empty(len(points))
    _interpolate(np.ascontiguousarray(points), _starts(seeds, len(points)), values)
    return values


def hashed(cells: NDArray[np.float64], seeds: Seeds) -> NDArray[np.float64]:
    """Numbers in [-1, 1) that depend on whole numbers (N, 3) and seeds alone."""
    values = np.empty(len(cells))
    _hash_all(np.ascontiguousarray(cells), _starts(seeds, len(cells)), values)
    return values


def _starts(seeds: Seeds, count: int) -> NDArray[np.uint32]:
    numbers = np.asarray(seeds, dtype=np.int64) * 2654435761 % 2**32
    return np.ascontiguousarray(np.broadcast_to(numbers, count), dtype=np.uint32)


@inline_kernel
def _mixed(i: Any, j: Any, k: Any, start: Any) -> Any:
    """A number in [-1, 1) from whole numbers (multiply and shift, in the manner of an integer hash)."""
    bits = np.uint32(np.uint32(i) * np.uint32(73856093) + np.uint32(j) * np.uint32(19349663))
    bits = np.uint32(bits + np.uint32(k) * np.uint32(83492791) + start)
    bits = np.uint32(np.uint32(bits ^ (bits >> np.uint32(16))) * np.uint32(0x7FEB352D))
    bits = np.uint32(np.uint32(bits ^ (bits >> np.uint32(15))) * np.uint32(0x846CA68B))
    bits = np.uint32(bits ^ (bits >> np.uint32(16)))
    return float(bits) * (2.0 / 4294967296.0) - 1.0


@kernel
def _hash_all(cells: Any, starts: Any, values: Any) -> None:
    for n in range(len(cells)):
        values[n] = _mixed(np.int64(cells[n, 0]), np.int64(cells[n, 1]), np.int64(cells[n, 2]), starts[n])


@kernel
def _interpolate(points: Any, starts: Any, values: Any) -> None:
    for n in range(len(points)):
        i, j, k = math.floor(points[n, 0]), math.floor(points[n, 1]), math.floor(points[n, 2])
        x, y, z = points[n, 0] - i, points[n, 1] - j, points[n, 2] - k
        x, y, z = x * x * (3.0 - 2.0 * x), y * y * (3.0 - 2.0 * y), z * z * (3.0 - 2.0 * z)
        total = 0.0
        for a in range(2):
            for b in range(2):
                for c in range(2):
                    weight = (x if a else 1.0 - x) * (y if b else 1.0 - y) * (z if c else 1.0 - z)
                    total += weight * _mixed(np.int64(i + a), np.int64(j + b), np.int64(k + c), starts[n])
        values[n] = total
