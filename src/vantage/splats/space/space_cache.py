"""Keeps the free space of a scene on disk, beside the scene, under a key made of its content.

An entry is one compressed ``.npz`` file, written whole or not at all, and checked when it is read: whatever is missing,
cut, damaged or made for something else is computed anew. Where the folder of the scene cannot be written, its files are
not to change, or the cache there is not this user's own, entries lie in ``$XDG_CACHE_HOME/vantage``
(``~/.cache/vantage``) instead.
"""

from __future__ import annotations

import hashlib
import logging
import os
import struct
import zipfile
import zlib
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.errors import ConfigError
from vantage.files import cache_folder, replacing, shared_folder, untrusted_owner, write_whole
from vantage.splats.scene import SplatScene
from vantage.splats.space.free_space import FreeSpace, find_free_space
from vantage.splats.space.occupancy import OccupancyGrid, grid_shape

VERSION = 1  # of everything that the grids depend on: raise it when solidity, free space or distances change
FOLDER = ".vantage-cache"
MOST_ENTRIES = 64  # in one folder; those used least recently go first
_HEADERS = 4096  # bytes: more than the header of an array in a file takes
_DAMAGED = (
    OSError,
    EOFError,
    ValueError,
    LookupError,
    MemoryError,
    OverflowError,
    RuntimeError,
    struct.error,
    zlib.error,
    zipfile.BadZipFile,
)
_log = logging.getLogger(__name__)


def cached_free_space(scene: SplatScene, voxel: float, radius: float) -> FreeSpace:
    """The same as ``find_free_space``, from the cache where it holds it; scenes that are no files are not cached.

    Raises:
        SceneError: as ``find_free_space``.
    """
    folders = _folders(scene.source)
    if not folders:
        return find_free_space(scene, voxel, radius)
    shape = grid_shape(scene.bounds_min, scene.bounds_max, voxel)
    key = cache_key(scene, voxel, radius)
    for folder in filter(_is_own, folders):
        space = _read(folder / f"{key}.npz", key, scene, voxel, radius, shape)
        if space is not None:
            return space
    space = find_free_space(scene, voxel, radius)
    if not any(_write(folder, key, space) for folder in folders):
        _warn_once(str(folders[-1]))
    return space


def cache_key(scene: SplatScene, voxel: float, radius: float) -> str:
    """Equal for equal content: Gaussians, bounds, floor, start, parameters and version."""
    start = None if scene.start is None else tuple(float(value) for value in scene.start.position)
    parts = (VERSION, scene.fingerprint, scene.bounds_min, scene.bounds_max, scene.floor, start, scene.start_region)
    text = repr((*parts, float(voxel), float(radius)))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _folders(source: Path) -> list[Path]:
    """Where entries may lie, best first."""
    if source == Path() or not source.exists():
        return []
    beside = source.resolve() if source.is_dir() else source.resolve().parent
    return [cache_folder()] if _is_installed(beside) else [beside / FOLDER, cache_folder()]


def _is_own(path: Path) -> bool:
    """Whether nobody else can have put there what keeps a rig off the walls."""
    try:
        return not untrusted_owner(path)
    except OSError:
        return False


def _is_installed(folder: Path) -> bool:
    """Whether a folder belongs to the project itself, which caches must not change."""
    try:
        return folder.is_relative_to(shared_folder("config").resolve())
    except ConfigError:
        return False


def _read(
    path: Path, key: str, scene: SplatScene, voxel: float, radius: float, shape: tuple[int, int, int]
) -> FreeSpace | None:
    """The entry at a path; None where there is none that fits, or it is not this user's own."""
    if not _is_own(path):
        return None
    count = shape[0] * shape[1] * shape[2]
    packed = (count + 7) // 8
    sizes = {
        "key.npy": len(key),
        "indoors.npy": 1,
        "solid.npy": packed,
        "places.npy": packed,
        "quarters.npy": 4 * count,
    }
    try:
        with zipfile.ZipFile(path) as archive:
            members = {member.filename: member.file_size for member in archive.infolist()}
        if members.keys() != sizes.keys() or any(members[name] > sizes[name] + _HEADERS for name in sizes):
            return None
        with np.load(path, allow_pickle=False) as arrays:
            values = {name.removesuffix(".npy"): arrays[name.removesuffix(".npy")] for name in sizes}
    except _DAMAGED:
        return None
    quarters = values.pop("quarters")
    if quarters.dtype != np.int32 or quarters.shape != shape:
        return None
    if any(value.dtype != np.uint8 or value.shape != (sizes[f"{name}.npy"],) for name, value in values.items()):
        return None
    if values["key"].tobytes() != key.encode():
        return None
    solid, places = (
        np.unpackbits(values[name], count=count).reshape(shape).astype(np.bool_) for name in ("solid", "places")
    )
    with suppress(OSError):
        os.utime(path)
    grid = OccupancyGrid(scene.bounds_min, scene.bounds_max, float(voxel), solid)
    return FreeSpace(grid, places, quarters, float(radius), bool(values["indoors"][0]))


def _write(folder: Path, key: str, space: FreeSpace) -> bool:
    """Whether an entry was written; the oldest entries beyond the number allowed are removed."""
    values: dict[str, NDArray[Any]] = {
        "key": np.frombuffer(key.encode(), np.uint8),
        "indoors": np.array([space.indoors], np.uint8),
        "solid": np.packbits(space.solid.occupied),
        "places": np.packbits(space.places),
        "quarters": space.quarters,
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not _is_own(folder):
            return False
        if not (folder / ".gitignore").exists():
            write_whole(folder / ".gitignore", "*\n")
        with replacing(folder / f"{key}.npz") as partial:
            np.savez_compressed(partial, allow_pickle=False, **values)
    except OSError:
        return False
    with suppress(OSError):
        entries = sorted(folder.glob("*.npz"), key=lambda entry: entry.stat().st_mtime_ns, reverse=True)
        for entry in entries[MOST_ENTRIES:]:
            entry.unlink(missing_ok=True)
    return True


@lru_cache(maxsize=1)
def _warn_once(folder: str) -> None:
    _log.warning(
        "the free space of scenes is not kept: %s is not yours or not writable; mend it to start faster", folder
    )
