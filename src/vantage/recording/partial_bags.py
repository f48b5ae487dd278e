"""Bags in progress: every writer has a folder of its own, and what a dead writer left is recognised and removed."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from contextlib import suppress
from pathlib import Path

from vantage.files import try_lock

PARTIAL = ".partial"
_LOCK = "lock"
_OWN = re.compile(r"writer-\d+-[0-9a-f]{8}")


class PartialBag:
    """A place for an unfinished bag: ``<name>.partial/writer-<process>-<random>/<name>``.

    What writers of the same name left there is removed, once they are gone: each locks its folder as long as it writes,
    and a lock ends with its process.

    Raises:
        OSError: the place cannot be made.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.root = _root(folder, name)
        self._handle: int | None = None
        self.root.mkdir(parents=True, exist_ok=True)
        _sweep(self.root)
        while self._handle is None:  # what is new and not yet locked, another writer takes for remains
            self._own = self.root / f"writer-{os.getpid()}-{secrets.token_hex(4)}"
            self._own.mkdir(parents=True)  # another one may just have removed the empty root
            with suppress(FileNotFoundError):
                self._handle = try_lock(self._own / _LOCK)
        self.path = self._own / name

    def publish(self, path: Path) -> None:
        """Give the bag its final name.

        Raises:
            OSError: there is something of that name, or the disk failed.
        """
        self.path.rename(path)
        with suppress(OSError):
            (self._own / _LOCK).unlink()
            self._own.rmdir()
            self.root.rmdir()
        self.leave()

    def leave(self) -> None:
        """Write no more; what is there stays until the next writer of this name comes."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)


def sweep_partial(folder: Path, name: str) -> None:
    """Remove what writers of a bag left that are gone, for instance between giving it its name and clearing up."""
    root = _root(folder, name)
    if root.is_dir():
        _sweep(root)
        with suppress(OSError):
            root.rmdir()


def _root(folder: Path, name: str) -> Path:
    return folder / f"{name}{PARTIAL}"


def _sweep(root: Path) -> None:
    """Remove what writers left that are gone, and nothing else."""
    for item in root.iterdir():
        if _OWN.fullmatch(item.name) and item.is_dir() and not item.is_symlink():
            with suppress(OSError):
                handle = try_lock(item / _LOCK)
                if handle is not None:
                    shutil.rmtree(item, ignore_errors=True)
                    os.close(handle)
