"""Tables of classes beside a cloud: written, read, and what is wrong with others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vantage.errors import FormatError
from vantage.splats.formats.class_table import read_classes, write_classes
from vantage.splats.formats.scenesplat import MOST_LABELS


@pytest.mark.parametrize("classes", [[], [0], [0, 5, 2**31 - 1]])
def test_there_and_back(tmp_path: Path, classes: list[int]) -> None:
    write_classes(np.array(classes, np.int32), tmp_path / "deep" / "classes.npy")
    found = read_classes(tmp_path / "deep" / "classes.npy")
    assert found.dtype == np.int32
    assert found.tolist() == classes
    assert [entry.name for entry in (tmp_path / "deep").iterdir()] == ["classes.npy"]


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        (np.zeros((3, 2), np.int32), "no list of whole numbers"),
        (np.zeros(3), "no list of whole numbers"),
        (np.array([0, -1]), "classes from -1 to 0"),
        (np.array([0, 2**31]), "classes from 0 to 2147483648"),
        (np.array(["a"]), "no table of numbers"),
        (np.zeros(MOST_LABELS + 2, np.int8), "at most 4194305 are read"),
    ],
)
def test_other_tables(tmp_path: Path, values: Any, complaint: str) -> None:
    np.save(tmp_path / "classes.npy", values)
    with pytest.raises(FormatError, match=rf"classes\.npy .*{complaint}"):
        read_classes(tmp_path / "classes.npy")


def test_files_that_are_no_table(tmp_path: Path) -> None:
    path = tmp_path / "classes.npy"
    with pytest.raises(FormatError, match=r"cannot read .*classes\.npy"):
        read_classes(path)
    np.save(path, np.arange(9))
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(FormatError, match=r"classes\.npy announces 9 numbers"):
        read_classes(path)
    path.write_bytes(b"classes")
    with pytest.raises(FormatError, match=r"no \.npy file"):
        read_classes(path)
