"""How loops over pixels and voxels are compiled: without fast-math, for depth images hold NaN."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Machine code, kept on disk, that runs without the interpreter lock.

    NumPy's sorting and median are not for such functions: Numba builds them from closures whose names clash when code
    of several modules is read from disk, and then the process crashes.
    """
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))
