"""The table of classes beside a saved cloud: an ``.npy`` file with the class (M,) of each instance id, 0 for none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.errors import FormatError
from vantage.files import replacing
from vantage.splats.formats.scenesplat import MOST_LABELS, read_npy


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
