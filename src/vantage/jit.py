"""How the project compiles its inner loops."""

from __future__ import annotations

import hashlib
import importlib
import logging
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast


def _lean(name: str) -> ModuleType:
    """Import a module while the package coverage seems absent.

    Numba would import that too, which takes tens of milliseconds, only to tell it which lines are compiled.
    """
    blocked = "coverage" not in sys.modules
    if blocked:
        sys.modules["coverage"] = cast(ModuleType, None)
    try:
        return importlib.import_module(name)
    finally:
        if blocked:
            del sys.modules["coverage"]


numba = cast(Any, _lean("numba"))

F = TypeVar("F", bound=Callable[..., Any])


_FAST = {"nnan", "ninf", "nsz", "arcp", "contract", "afn"}  # not reassoc: sums stay as they are written


def kernel(function: F) -> F:
    """Compile a function to machine code that runs without the interpreter lock and is kept on disk.

    Kernels are serial; callers spread them over a thread pool. Numba's own parallel loops are avoided because one of
    its thread layers aborts when two threads enter it and another when the process forks afterwards. The code on disk
    is renewed when any module beside the kernel's or in the package around it changes, as it may hold parts of it.
    """
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": _FAST}
    try:
        compiled = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # neither the package's folder nor the user's is writable
        return cast(F, numba.njit(**options)(function))
    with suppress(AttributeError):  # there is no public way to either
        compiled._cache._cache_file._source_stamp = _stamp(Path(function.__code__.co_filename).parent)
        compiled._cache.save_overload = _forgiving(compiled._cache.save_overload)
    return cast(F, compiled)


def _forgiving(save: Callable[..., None]) -> Callable[..., None]:
    """Where code cannot be kept, on a full disk say, it is compiled at every start instead."""

    def save_if_possible(*arguments: Any) -> None:
        try:
            save(*arguments)
        except OSError as error:
            _warn_once(error.strerror or str(error))

    return save_if_possible


@lru_cache
def _warn_once(reason: str) -> None:
    logging.getLogger(__name__).warning("compiled code is not kept for the next start: %s; free some space", reason)


@lru_cache
def _stamp(folder: Path) -> str:
    """Of the contents of the modules in a folder, of those in the package around it and of this one."""
    around = folder.parent if (folder.parent / "__init__.py").exists() else folder
    digest = hashlib.sha256()
    for file in sorted({*folder.glob("*.py"), *around.glob("*.py"), Path(__file__)}):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def inline_kernel(function: F) -> F:
    """A kernel that only other kernels call."""
    return cast(F, numba.njit(nogil=True, error_model="numpy", fastmath=_FAST, inline="always")(function))
