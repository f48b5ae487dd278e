"""Quaternions stored as their three smaller components and the index of the largest, as compressed formats do.

A quaternion and its negative are the same rotation, so the largest component is positive; it follows from the length.
The others lie within +-sqrt(1/2).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

BOUND = 0.7071067811865476  # sqrt(1/2)

_OTHERS = np.array([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])


def join(three: NDArray[Any], largest: NDArray[Any]) -> NDArray[np.float32]:
    """Quaternions (N, 4) of the three other components (N, 3), in their order, and the index of the largest (N,)."""
    rows = np.arange(len(three))
    quaternions = np.empty((len(three), 4), np.float32)
    quaternions[rows[:, None], _OTHERS[largest]] = three
    squares = np.sum(np.square(three, dtype=np.float64), axis=1)
    quaternions[rows, largest] = np.sqrt(np.maximum(1.0 - squares, 0.0))
    return quaternions


def split(quaternions: NDArray[Any]) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """The inverse of ``join`` for unit quaternions."""
    rows = np.arange(len(quaternions))
    largest = np.argmax(np.abs(quaternions), axis=1)
    signs = np.where(quaternions[rows, largest] < 0, -1.0, 1.0)
    return quaternions[rows[:, None], _OTHERS[largest]] * signs[:, None], largest
