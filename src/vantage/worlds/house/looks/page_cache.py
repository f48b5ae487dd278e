"""Keeps the painted pages of homes in ``$XDG_CACHE_HOME/vantage/house`` (``~/.cache``), under a key of their content.

Whatever is missing, cut, damaged, not this user's own or made for something else is painted anew.
"""

from __future__ import annotations

import hashlib
import os
import struct
import zipfile
import zlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vantage.files import cache_folder, replacing, untrusted_owner
from vantage.scenes.spec import SceneSpec
from vantage.worlds.house.code_stamp import code_stamp

MOST_ENTRIES = 24  # those used least recently go first
_FASTEST = 1  # compression
_DAMAGED = (OSError, EOFError, ValueError, LookupError, MemoryError, struct.error, zlib.error, zipfile.BadZipFile)

Pages = tuple[NDArray[np.uint8], ...]


def cache_key(home: SceneSpec, *settings: object) -> str:
    """Equal for homes with the same things and equal settings, painted by the same code."""
    return hashlib.sha256(repr((code_stamp(), settings, home)).encode()).hexdigest()[:32]


def read_pages(key: str, sizes: Sequence[tuple[int, int]]) -> Pages | None:
    """Pages (height, width, 3) of these widths and heights that were kept under a key; None where there are none."""
    path = _folder() / f"{key}.zip"
    names = [f"{number}" for number in range(len(sizes))]
    pages = []
    try:
        if untrusted_owner(path.parent) or untrusted_owner(path):
            return None
        with zipfile.ZipFile(path) as archive:
            members = {member.filename: member.file_size for member in archive.infolist()}
            if members != {name: 3 * w * h for name, (w, h) in zip(names, sizes, strict=True)}:
                return None
            for name, (width, height) in zip(names, sizes, strict=True):
                pages.append(np.frombuffer(archive.read(name), np.uint8).reshape(height, width, 3))
    except _DAMAGED:
        return None
    with suppress(OSError):
        os.utime(path)
    return tuple(pages)


def keep_pages(key: str, pages: Pages) -> None:
    """Keep pages under a key where that can be; the oldest beyond the number allowed are removed."""
    folder = _folder()
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        if untrusted_owner(folder):
            return
        with (
            replacing(folder / f"{key}.zip") as partial,
            zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=_FASTEST) as archive,
        ):
            for number, page in enumerate(pages):
                archive.writestr(f"{number}", page.tobytes())
        entries = sorted(folder.glob("*.zip"), key=lambda entry: entry.stat().st_mtime_ns, reverse=True)
        for entry in entries[MOST_ENTRIES:]:
            entry.unlink(missing_ok=True)


def _folder() -> Path:
    return cache_folder() / "house"
