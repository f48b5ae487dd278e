"""Stamps: a step is skipped while its inputs have the hash that was written after it last succeeded."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path


def digest(parts: Iterable[str], files: Iterable[Path], root: Path) -> str:
    """Hash of some words and of files by relative name and content."""
    result = hashlib.sha256()
    for part in parts:
        result.update(f"{part}\0".encode())
    for path in sorted(files):
        content = path.read_bytes()
        result.update(f"{path.relative_to(root).as_posix()}\0{len(content)}\0".encode())
        result.update(content)
    return result.hexdigest()


class Stamps:
    """Small files in one folder, each written whole."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, name: str) -> str | None:
        try:
            return (self.folder / name).read_text(encoding="utf-8").strip()
        except OSError:
            return None

    def matches(self, name: str, value: str) -> bool:
        return self.read(name) == value

    def write(self, name: str, value: str) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        partial = self.folder / f".{name}.partial"
        with partial.open("w", encoding="utf-8") as file:
            file.write(value + "\n")
            file.flush()
            os.fsync(file.fileno())
        partial.replace(self.folder / name)

    def forget(self, name: str) -> None:
        (self.folder / name).unlink(missing_ok=True)
