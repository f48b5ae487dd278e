"""Random draws that belong to keys rather than to an order: the same key always gives the same draws.

A generator with state would give a thing other errors whenever another thing comes into view. The mixing function is
that of SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.perception.compiled import compiled

_STEP = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31, _11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


def uniform(seed: int, keys: NDArray[np.int64], count: int) -> NDArray[np.float64]:
    """``count`` independent draws in [0, 1) for each key (N, any number of integers), shape (N, ``count``)."""
    return _uniform(np.uint64(seed % 2**64), np.ascontiguousarray(keys, dtype=np.int64), count)


@compiled
def _mixed(value: Any) -> Any:
    value = (value ^ (value >> _30)) * _FIRST
    value = (value ^ (value >> _27)) * _SECOND
    return value ^ (value >> _31)


@compiled
def _uniform(seed: np.uint64, keys: NDArray[np.int64], count: int) -> NDArray[np.float64]:
    rows, columns = keys.shape
    found = np.empty((rows, count))
    for row in range(rows):
        state = _mixed(seed + _STEP)
        for column in range(columns):
            state = _mixed((state ^ np.uint64(keys[row, column])) + _STEP)
        for k in range(count):
            state += _STEP
            found[row, k] = np.float64(_mixed(state) >> _11) / 9007199254740992.0
    return found
