"""Gaussian clouds from and to files.

| name                     | what is read                                         | what is written            |
| ------------------------ | ---------------------------------------------------- | -------------------------- |
| ``*.ply``                | trained Gaussians (INRIA), binary                    | everything                 |
| ``*.compressed.ply``     | PlayCanvas and SuperSplat, also when called ``.ply`` | no instances               |
| ``*.splat``              | 32-byte records of web viewers                       | base colours, no instances |
| ``*.spz``                | Niantic, versions 1 to 4                             | version 3, no instances    |
| ``*.sog``, ``meta.json`` | PlayCanvas SOG 2, an archive or a folder             | -                          |
| a folder                 | SceneSplat, original or preprocessed, or SOG         | -                          |

A cloud keeps the frame and the units of its file; the modules of the formats say what these mostly are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vantage.errors import FormatError
from vantage.splats.cloud import GaussianCloud
from vantage.splats.formats.compressed_ply import is_compressed, read_compressed_ply, write_compressed_ply
from vantage.splats.formats.ply import read_header, read_ply, write_ply
from vantage.splats.formats.raw_gaussians import Broken, RawGaussians, complete, opened, size_of
from vantage.splats.formats.scenesplat import TRAINED, is_scenesplat, read_scenesplat
from vantage.splats.formats.sog import META, read_sog, read_sog_folder
from vantage.splats.formats.splat_file import read_splat, write_splat
from vantage.splats.formats.spz import read_spz, write_spz

SUFFIXES = (".ply", ".splat", ".spz", ".sog")
COMPRESSED = ".compressed.ply"
WRITABLE = (".ply", COMPRESSED, ".splat", ".spz")


@dataclass(frozen=True, eq=False)
class LoadedCloud:
    """A cloud and the file it came from.

    Attributes:
        kind: the format, in words.
        stored: bytes of the file, or of the files of a folder.
        dropped: how many broken Gaussians were left out.
        classes: (M,) int32: the class of each instance id, 0 for none, as a renderer takes it; None where the format
            knows no classes.
    """

    cloud: GaussianCloud
    kind: str
    stored: int
    dropped: int = 0
    classes: NDArray[np.int32] | None = None


def load_cloud(path: str | Path, broken: Broken = "error") -> GaussianCloud:
    """Read a cloud from a file or folder, in its frame and units.

    Args:
        broken: "drop" leaves out Gaussians with impossible values (not finite, a quaternion of length zero, a negative
            scale), of which captures sometimes hold a few; "error" refuses them.

    Raises:
        FormatError: missing, truncated, empty, not a cloud of Gaussians, or with impossible values.
    """
    return read_cloud(path, broken).cloud


def read_cloud(path: str | Path, broken: Broken = "error") -> LoadedCloud:
    """As ``load_cloud``, with what is known about the file.

    Raises:
        FormatError: as ``load_cloud``.
    """
    source = Path(path)
    try:
        with np.errstate(all="ignore"):  # damaged numbers are found once all are there
            found = _read_folder(source) if source.is_dir() else _read_file(source)
            cloud, dropped = complete(found.raw, broken)
    except OSError as error:
        place = error.filename or source
        raise FormatError(
            f"cannot read {place}: {error.strerror or error}; check the path and its permissions"
        ) from error
    except MemoryError as error:
        raise FormatError(f"{source} does not fit into memory; read it on a larger machine or split it") from error
    except FormatError as error:
        text = str(error)
        raise FormatError(text if text.startswith(str(source)) else f"{source}: {text}") from error
    return LoadedCloud(cloud, found.kind, found.stored, dropped, found.classes)


@dataclass
class _Found:
    raw: RawGaussians
    kind: str
    stored: int
    classes: NDArray[np.int32] | None = None


def _read_folder(folder: Path) -> _Found:
    if is_scenesplat(folder):
        raw, classes, stored = read_scenesplat(folder)
        return _Found(raw, "SceneSplat properties", stored, classes)
    for name in (TRAINED, Path(META)):
        if (folder / name).is_file():
            return _read_file(folder / name)
    raise FormatError(f"{folder} is a folder without a cloud; expected coord.npy, {TRAINED} or {META} in it")


def _read_file(path: Path) -> _Found:
    suffix = path.suffix.lower()
    if suffix == ".json":
        raw, stored = read_sog_folder(path)
        return _Found(raw, "SOG folder", stored)
    if suffix not in SUFFIXES:
        raise FormatError(f"{path} is no cloud file; convert the capture to one of {', '.join(SUFFIXES)}")
    with opened(path) as file:
        stored = size_of(file)
        if suffix == ".splat":
            return _Found(read_splat(file, path), ".splat", stored)
        if suffix == ".spz":
            return _Found(read_spz(file, path), ".spz", stored)
        if suffix == ".sog":
            return _Found(read_sog(file, path), "SOG archive", stored)
        elements = read_header(file, path)
        if is_compressed(elements):
            return _Found(read_compressed_ply(file, elements, path), "compressed PLY", stored)
        return _Found(read_ply(file, elements, path), "PLY", stored)


def save_cloud(cloud: GaussianCloud, path: str | Path) -> None:
    """Write one of ``WRITABLE``, whole or not at all; ``losses`` tells what is lost.

    Raises:
        FormatError: the name ends otherwise, or the format cannot hold the cloud.
    """
    file = Path(path)
    write = _writer(file)
    if len(cloud) == 0 and write not in (write_ply, write_splat):
        raise FormatError(f"cannot write {file}: the cloud is empty, which this format does not allow")
    write(cloud, file)


def save_ply(cloud: GaussianCloud, path: str | Path) -> None:
    """Write a ``.ply`` file, whole or not at all."""
    write_ply(cloud, Path(path))


def is_writable(path: str | Path) -> bool:
    """Whether ``save_cloud`` knows names that end so."""
    return Path(path).name.lower().endswith(WRITABLE)


def losses(cloud: GaussianCloud, path: str | Path) -> list[str]:
    """What writing a cloud under that name loses, in words.

    Raises:
        FormatError: no cloud is written under such a name.
    """
    write = _writer(Path(path))
    if write is write_ply:
        return []
    ids = {"instance": cloud.instances, "part": cloud.parts}
    lost = [f"the {what} ids of {np.count_nonzero(of)} Gaussians" for what, of in ids.items() if of.any()]
    if write is write_splat:
        lost += [f"harmonics of degree 1 to {cloud.degree}"] if cloud.degree else []
        return [*lost, "precision of colours, opacities and rotations (8 bits)"]
    lost.append("precision of all values")
    return [*lost, "the order of the Gaussians"] if write is write_compressed_ply else lost


def _writer(path: Path) -> Callable[[GaussianCloud, Path], None]:
    name = path.name.lower()
    if name.endswith(COMPRESSED):
        return write_compressed_ply
    for suffix, write in ((".ply", write_ply), (".splat", write_splat), (".spz", write_spz)):
        if name.endswith(suffix):
            return write
    raise FormatError(f"cannot write {path}: clouds are written as {', '.join(WRITABLE)}")
