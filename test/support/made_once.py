"""Folders that tests of several files start from, made by whichever process needs one first."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest


def made_once(
    factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object], folder: Path | None = None
) -> Path:
    """A copy of what ``make`` writes into the folder that it is given, once in a run of tests.

    Args:
        name: of what is made; the same name stands for the same bytes.
        folder: where the copy is put; one of its own otherwise.
    """
    base = factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "made-once"
    shared.mkdir(exist_ok=True)
    whole, part = shared / name, shared / f"{name}.part-{os.getpid()}"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not whole.exists():
            make(part)
            part.rename(whole)
    return Path(copytree(whole, folder or factory.mktemp(name) / "set"))
