"""Smooth pseudo-random fields that depend on nothing but place and seed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_PRIMES = (73856093, 19349663, 83492791)


def _mixed(bits: NDArray[np.uint32]) -> NDArray[np.float64]:
    """Numbers in [-1, 1) from scrambled bits (multiply and shift, in the manner of an integer hash)."""
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        bits = (bits ^ (bits >> np.uint32(shift))) * np.uint32(factor)
    bits = bits ^ (bits >> np.uint32(16))
    values: NDArray[np.float64] = bits.astype(np.float64) * (2.0 / 2**32) - 1.0
    return values


def smooth_noise(points: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """Value noise in [-1, 1] at points (N, 3) in units of its wavelength."""
    start = np.uint32(seed * 2654435761 % 2**32)
    bits, weights = [], []
    for axis, prime in enumerate(_PRIMES):
        cell = np.floor(points[:, axis])
        f = points[:, axis] - cell
        f = f * f * (3.0 - 2.0 * f)
        low = cell.astype(np.int64).astype(np.uint32)
        bits.append((low * np.uint32(prime), (low + np.uint32(1)) * np.uint32(prime)))
        weights.append((1.0 - f, f))
    total = np.zeros(len(points))
    for i, j, k in np.ndindex(2, 2, 2):
        corner = _mixed(bits[0][i] ^ bits[1][j] ^ bits[2][k] ^ start)
        total += weights[0][i] * weights[1][j] * weights[2][k] * corner
    return total
