"""How loops over pixels and voxels are compiled: without fast-math, for depth images hold NaN."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from vantage.jit import numba

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Machine code, kept on disk, that runs without the interpreter lock.

    NumPy's sorting and median are not for such functions: with them, kept code crashed a process that had loaded many
    modules. That names of closures clash there is suspected, not known.
    """
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))
