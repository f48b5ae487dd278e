"""Folders of SceneSplat: the trained ``ckpts/point_cloud_30000.ply``, or one ``.npy`` file for each property.

Source: the preprocessing of zenghjian/SceneSplat. ``coord`` (N, 3) m, ``color`` (N, 3) 0..255, ``opacity`` (N) 0..1,
``scale`` (N, 3) m, ``quat`` (N, 4) w x y z; labelled scenes also have ``instance`` and ``segment`` (in ScanNet
``segment200`` and ``segment20``), whose first column is the label that counts and where negative numbers mean none.
The frame is that of the data set, Z up and in metres. Colours do not depend on the viewing direction.

In a cloud 0 is no instance, and in a table of classes no class, so both numbers are those of the files plus one.
That preprocessing writes a zero quaternion where w was exactly 0; such Gaussians are broken.

Beside a saved cloud of any format the same kind of table, an ``.npy`` file, holds the class (M,) of each instance id.
"""

from __future__ import annotations

import tokenize
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.errors import FormatError
from vantage.files import replacing
from vantage.splats.formats.raw_gaussians import AGAIN, RawGaussians, check_count, instance_ids, opened, size_of
from vantage.splats.harmonics import C0

TRAINED = Path("ckpts") / "point_cloud_30000.ply"
NEEDED = ("coord", "color", "opacity", "scale", "quat")
SEGMENTS = ("segment", "segment200", "segment20")
MOST_LABELS = 1 << 22

# The header is a Python literal, cut into tokens, parsed and made into a dtype.
_BAD_HEADER = (
    *(ValueError, TypeError, LookupError, OverflowError),
    *(SyntaxError, tokenize.TokenError, RecursionError, MemoryError),
)


def read_classes(path: Path) -> NDArray[np.int32]:
    """What ``write_classes`` wrote.

    Raises:
        FormatError: missing, of another kind, longer than ``MOST_LABELS`` or with numbers that are no classes.
    """
    try:
        table = read_npy(path, most=MOST_LABELS + 1)
    except OSError as error:
        raise FormatError(f"cannot read {path}: {error.strerror}; check the path and its permissions") from error
    if table.ndim != 1 or table.dtype.kind not in "iu":
        raise FormatError(f"{path} holds no list of whole numbers; expected the class of each instance id")
    if len(table) and not 0 <= int(table.min()) <= int(table.max()) <= np.iinfo(np.int32).max:
        raise FormatError(f"{path} holds classes from {table.min()} to {table.max()}; expected 0 to 2147483647")
    return np.asarray(table, np.int32)


def write_classes(classes: NDArray[Any], path: Path) -> None:
    """Write a table (M,) whole or not at all."""
    with replacing(path) as partial, partial.open("wb") as file:
        np.save(file, np.asarray(classes, np.int32), allow_pickle=False)


def is_scenesplat(folder: Path) -> bool:
    """Whether a folder holds the properties of Gaussians."""
    return (folder / "coord.npy").is_file()


def read_scenesplat(folder: Path) -> tuple[RawGaussians, NDArray[np.int32], int]:
    """Gaussians, the class of each instance id, and the size of the files in bytes.

    Where only segments are known, each class is one instance; where only instances are, all classes are 0. The class
    of an instance is that of most of its Gaussians that have one, the smaller of equals.

    Raises:
        FormatError: a file is missing, truncated, of another kind or shape than the others ask for.
        OSError: a file is not readable.
    """
    parts: dict[str, NDArray[Any]] = {}
    stored = 0
    for name in (*NEEDED, "instance", *SEGMENTS):
        path = folder / f"{name}.npy"
        if path.exists():
            count = None if name == NEEDED[0] else len(parts[NEEDED[0]])
            parts[name] = read_npy(path, count)
            stored += path.stat().st_size
        elif name in NEEDED:
            raise FormatError(f"{folder} holds coord.npy but no {name}.npy; copy the whole scene again")
    count = len(parts["coord"])

    def columns(name: str, width: int) -> NDArray[np.float32]:
        if parts[name].shape != (count, width):
            expected = f"({count}, {width})"
            raise FormatError(f"{folder / name}.npy has the shape {parts[name].shape}, expected {expected}; {AGAIN}")
        return parts[name].astype(np.float32)

    instances, classes = _labels(parts, folder)
    opacities = parts["opacity"].reshape(count, -1)
    if opacities.shape[1] != 1:
        raise FormatError(
            f"{folder / 'opacity.npy'} has the shape {parts['opacity'].shape}, expected ({count},); {AGAIN}"
        )
    raw = RawGaussians(
        means=columns("coord", 3),
        scales=columns("scale", 3),
        quaternions=columns("quat", 4),
        opacities=opacities[:, 0].astype(np.float32),
        sh=np.asarray((columns("color", 3) / 255 - np.float32(0.5)) / np.float32(C0), np.float32)[:, None, :],
        instances=instances,
    )
    return raw, classes, stored


def _labels(parts: dict[str, NDArray[Any]], folder: Path) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The instance id of each Gaussian, and the class of each instance id."""
    count = len(parts["coord"])
    segment = next((_shifted(parts[name], folder / f"{name}.npy") for name in SEGMENTS if name in parts), None)
    if "instance" not in parts:
        instances = np.zeros(count, np.int32) if segment is None else segment
        top = int(instances.max())
        return instances, np.arange(top + 1, dtype=np.int32) * np.int32(segment is not None)
    instances = _shifted(parts["instance"], folder / "instance.npy")
    classes = np.zeros(int(instances.max()) + 1, np.int32)
    if segment is None:
        return instances, classes
    known = (instances > 0) & (segment > 0)
    pairs, votes = np.unique(np.stack([instances[known], segment[known]]), axis=1, return_counts=True)
    order = np.lexsort((-pairs[1], votes))  # later ones win, so most votes last and of those the smaller class
    classes[pairs[0, order]] = pairs[1, order]
    return instances, classes


def _shifted(values: NDArray[Any], path: Path) -> NDArray[np.int32]:
    labels = values.reshape(len(values), -1)
    if labels.shape[1] == 0:
        raise FormatError(f"{path} has no columns; {AGAIN}")
    first = labels[:, 0].astype(np.float64)
    numbers = instance_ids(np.where(first >= 0, first + 1, 0), path)
    if len(numbers) and numbers.max() > MOST_LABELS:
        raise FormatError(
            f"{path} has the label {numbers.max() - 1}, expected less than {MOST_LABELS}; number them anew"
        )
    return numbers


def read_npy(path: Path, rows: int | None = None, most: int | None = None) -> NDArray[Any]:
    """A table of numbers with ``rows`` entries along the first axis, or at most ``most``; else one for each Gaussian.

    Raises:
        FormatError: another kind of file, truncated, or with another number of rows.
        OSError: it is missing or not readable.
    """
    npy: Any = np.lib.format  # not every numpy has types for it
    with opened(path) as file:
        size = size_of(file)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                if npy.read_magic(file) != (1, 0):  # later ones are for structures and allow huge headers
                    raise ValueError("unusual version")
                shape, fortran, dtype = npy.read_array_header_1_0(file)
            known = dtype.kind in "fiu" and 1 <= len(shape) <= 2 and min(shape) >= 0
        except _BAD_HEADER as error:
            raise FormatError(f"{path} is no .npy file, or one with a damaged header; {AGAIN}") from error
        if not known:
            raise FormatError(f"{path} holds no table of numbers; {AGAIN}")
        if most is not None:
            if shape[0] > most:
                raise FormatError(f"{path} has {shape[0]} rows, at most {most} are read; {AGAIN}")
        elif rows is None:
            check_count(shape[0], 1, size, path)
        elif shape[0] != rows:
            raise FormatError(f"{path} has {shape[0]} rows, but coord.npy has {rows}; {AGAIN}")
        count = shape[0] * (shape[1] if len(shape) == 2 else 1)
        if file.tell() + count * dtype.itemsize > size:
            raise FormatError(f"{path} announces {count} numbers of {dtype.itemsize} bytes but has {size}; {AGAIN}")
        values = np.fromfile(file, dtype=dtype, count=count)
    return values.reshape(shape[::-1]).T if fortran else values.reshape(shape)
