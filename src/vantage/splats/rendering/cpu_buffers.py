"""Working memory of the CPU renderer."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def aligned(count: int, kind: Any, zero: bool = False) -> NDArray[Any]:
    """Memory that starts at a cache line, uninitialised or zero."""
    size = np.dtype(kind).itemsize
    raw = (np.zeros if zero else np.empty)(count * size + 64, np.uint8)
    first = -raw.ctypes.data % 64
    return raw[first : first + count * size].view(kind)


class Buffers:
    """Working memory of one picture at a time, kept from picture to picture because fresh memory is slow."""

    def __init__(self) -> None:
        self._arrays: dict[str, NDArray[Any]] = {}

    def take(self, name: str, count: int, kind: Any, zero: bool = False) -> NDArray[Any]:
        """An array of ``count`` values, as they were left; new ones are uninitialised, or zero."""
        array = self._arrays.get(name)
        if array is None or len(array) < count:
            self._arrays[name] = array = aligned(count, kind, zero)
        return array[:count]

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for array in self._arrays.values())
