"""How the project compiles its inner loops."""

from __future__ import annotations

import hashlib
import importlib
import logging
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar, cast

from vantage.files import try_lock


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
_compiler_lock = cast(Any, _lean("numba.core.compiler_lock")).global_compiler_lock

F = TypeVar("F", bound=Callable[..., Any])


_FAST = {"nnan", "ninf", "nsz", "arcp", "contract", "afn"}  # not reassoc: sums stay as they are written


def kernel(function: F) -> F:
    """Compile a function to machine code that runs without the interpreter lock and is kept on disk.

    Kernels are serial; callers spread them over a thread pool. Numba's own parallel loops are avoided because one of
    its thread layers aborts when two threads enter it and another when the process forks afterwards. The code on disk
    is renewed when any module beside the kernel's or in the package around it changes, as it may hold parts of it. Of
    processes that need it at once one compiles and the others wait for what that one keeps.
    """
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "fastmath": _FAST}
    try:
        compiled = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # neither the package's folder nor the user's is writable
        return cast(F, numba.njit(**options)(function))
    with suppress(AttributeError):  # there is no public way to either
        compiled._cache._cache_file._source_stamp = _stamp(Path(function.__code__.co_filename).parent)
        compiled._cache.save_overload = _forgiving(compiled._cache.save_overload)
        kept = Path(compiled._cache.cache_path) / compiled._cache._cache_file._index_name
        compiled.compile = _in_turn(compiled.compile, kept.with_suffix(".lock"))
    return cast(F, compiled)


def _forgiving(save: Callable[..., None]) -> Callable[..., None]:
    """Where code cannot be kept, on a full disk say, it is compiled at every start instead."""

    def save_if_possible(*arguments: Any) -> None:
        try:
            save(*arguments)
        except OSError as error:
            _warn_once(error.strerror or str(error))

    return save_if_possible


def _in_turn(compile_one: Callable[[Any], Any], lock: Path) -> Callable[[Any], Any]:
    """Compiling that begins when no other process compiles the same kernel; what that one kept is then found."""

    def compile_in_turn(signature: Any) -> Any:
        with _compiler_lock, _held(lock):  # in this order, or two threads could wait for each other
            return compile_one(signature)

    return compile_in_turn


_LONGEST_TURN = 120.0  # s; whoever holds a lock for longer is stuck, and is no longer waited for
_holding: set[Path] = set()  # by this process; a kernel that calls itself comes here twice


@contextmanager
def _held(lock: Path) -> Iterator[None]:
    handle = None
    if lock not in _holding:
        deadline = time.monotonic() + _LONGEST_TURN
        with suppress(OSError):  # a folder that is not writable: nothing is kept there, so there is nothing to wait for
            while (handle := try_lock(lock)) is None and time.monotonic() < deadline:
                time.sleep(0.02)
    if handle is None:
        yield
        return
    _holding.add(lock)
    try:
        yield
    finally:
        _holding.discard(lock)
        with suppress(OSError):
            lock.unlink(missing_ok=True)
        os.close(handle)


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
