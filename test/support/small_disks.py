"""A file system that is soon full."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(folder: Path, megabytes: int = 3) -> Iterator[Path]:
    """A file system of so many MB at a folder that is made; the test is skipped where none can be mounted."""
    folder.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("a small file system can be mounted by root alone")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path, left: int = 0) -> Path:
    """The file that leaves so many bytes free on the disk of a folder."""
    hog = folder / "hog"
    free = os.statvfs(folder)
    hog.write_bytes(bytes(free.f_bavail * free.f_bsize - left))
    return hog
