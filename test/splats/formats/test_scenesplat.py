"""SceneSplat folders: properties, instances, classes, and what is wrong with damaged ones.

Tables of classes beside a cloud: written, read, and what is wrong with others.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from row_tables import each_row
from splat_files import small_cloud, write_scenesplat

from vantage.errors import FormatError
from vantage.splats.cloud import GaussianCloud
from vantage.splats.formats.clouds import load_cloud, read_cloud, save_ply
from vantage.splats.formats.raw_gaussians import Broken
from vantage.splats.formats.scenesplat import MOST_LABELS, read_classes, write_classes


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


def load_scenesplat(folder: Path, broken: Broken = "error") -> tuple[GaussianCloud, NDArray[np.int32]]:
    loaded = read_cloud(folder, broken)
    assert loaded.classes is not None
    return loaded.cloud, loaded.classes


def test_properties_become_a_cloud(tmp_path: Path) -> None:
    cloud = small_cloud(30, 2)
    found, classes = load_scenesplat(write_scenesplat(tmp_path / "scene", cloud))
    assert np.array_equal(found.means, cloud.means)
    assert np.array_equal(found.scales, cloud.scales)
    assert found.quaternions == pytest.approx(cloud.quaternions)
    assert found.opacities == pytest.approx(cloud.opacities)
    assert found.base_colors() == pytest.approx(cloud.base_colors(), abs=1.001 / 255)
    assert found.degree == 0
    assert not found.instances.any()
    assert classes.tolist() == [0]


def test_ids_are_those_of_the_files_plus_one_and_classes_the_most_frequent(tmp_path: Path) -> None:
    instance = np.array([-1, 0, 0, 0, 4, 4, 4, 4, 7, -100], np.int16)
    segment = np.array([3, 5, 5, 2, 9, 9, 1, 1, -1, -1], np.int16)
    folder = write_scenesplat(tmp_path / "scene", small_cloud(10), instance=instance, segment=segment)
    cloud, classes = load_scenesplat(folder)
    assert cloud.instances.tolist() == [0, 1, 1, 1, 5, 5, 5, 5, 8, 0]
    assert classes.tolist() == [0, 6, 0, 0, 0, 2, 0, 0, 0]  # of two equally frequent ones the smaller
    assert classes.dtype == np.int32


def test_only_segments_only_instances_and_the_names_of_scannet(tmp_path: Path) -> None:
    cloud = small_cloud(3)
    segment = np.array([-1, 2, 0], np.int16)
    found, classes = load_scenesplat(write_scenesplat(tmp_path / "a", cloud, segment=segment))
    assert found.instances.tolist() == [0, 3, 1]
    assert classes.tolist() == [0, 1, 2, 3]
    found, classes = load_scenesplat(write_scenesplat(tmp_path / "b", cloud, instance=segment))
    assert found.instances.tolist() == [0, 3, 1]
    assert classes.tolist() == [0, 0, 0, 0]
    both = {"segment20": segment * 0, "segment200": segment, "instance": np.array([0, 1, 2])}
    assert load_scenesplat(write_scenesplat(tmp_path / "c", cloud, **both))[1].tolist() == [0, 0, 3, 1]
    nothing = {"segment": np.array([-1, -1, -1]), "instance": np.array([-1, -1, -1])}
    assert load_scenesplat(write_scenesplat(tmp_path / "d", cloud, **nothing))[1].tolist() == [0]


def test_several_labels_for_each_gaussian_count_by_their_first(tmp_path: Path) -> None:
    labels = np.array([[4, 1, -1], [-1, -1, -1]])
    folder = write_scenesplat(tmp_path / "a", small_cloud(2), instance=labels, segment=labels + 1)
    cloud, classes = load_scenesplat(folder)
    assert cloud.instances.tolist() == [5, 0]
    assert classes.tolist() == [0, 0, 0, 0, 0, 6]


def test_number_types_column_order_and_columns_of_one(tmp_path: Path) -> None:
    cloud = small_cloud(9)
    other = {
        "coord": np.asfortranarray(cloud.means.astype(">f8")),
        "color": (cloud.base_colors() * 255).astype(np.float64),
        "opacity": cloud.opacities[:, None].astype(np.float16),
    }
    found = load_cloud(write_scenesplat(tmp_path / "a", cloud, **other))
    assert found.means == pytest.approx(cloud.means)
    assert found.opacities == pytest.approx(cloud.opacities, abs=1e-3)
    assert found.base_colors() == pytest.approx(cloud.base_colors(), abs=1e-5)


def test_the_original_folder_holds_a_trained_ply(tmp_path: Path) -> None:
    save_ply(small_cloud(6, 3), tmp_path / "ckpts" / "point_cloud_30000.ply")
    loaded = read_cloud(tmp_path)
    assert len(loaded.cloud) == 6
    assert loaded.cloud.degree == 3
    assert loaded.kind == "PLY"
    assert loaded.classes is None


def npy(header: bytes, data: bytes = b"", version: bytes = b"\x01\x00") -> bytes:
    return b"\x93NUMPY" + version + struct.pack("<H", len(header)) + header + data


def shape(text: str, kind: str = "<f4") -> bytes:
    return f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {text}, }}".encode()


@each_row(
    "name, content, complaint",
    [
        ("coord", b"", "no .npy file"),
        ("coord", b"PK\x03\x04 an npz", "no .npy file"),
        ("coord", npy(b"{"), "no .npy file"),
        ("coord", npy(b"(" * 9000), "no .npy file"),
        ("coord", npy(b"1" * 5000), "no .npy file"),
        ("coord", npy(b"{'descr': ["), "no .npy file"),
        ("coord", npy(shape("(1, 3)"), version=b"\x02\x00"), "no .npy file"),
        ("coord", npy(shape("(1000, 3)")), "announces 3000 numbers of 4 bytes but has"),
        ("coord", npy(shape("(99999999999, 3)")), "at most 50000000"),
        ("coord", npy(shape("(40000000, 3)")), "40000000 Gaussians in only"),
        ("coord", npy(shape("(-5, 3)")), "no table of numbers"),
        ("coord", npy(shape("()")), "no table of numbers"),
        ("coord", npy(shape("(2, 3, 4)")), "no table of numbers"),
        ("coord", npy(shape("(2, 3)", "O")), "no table of numbers"),
        ("coord", npy(shape("(2, 3)", "<c8"), bytes(48)), "no table of numbers"),
        ("coord", npy(shape("(2, 3)", "S3"), bytes(18)), "no table of numbers"),
        ("coord", np.zeros((0, 3), np.float32), "holds no Gaussians"),
        ("coord", np.zeros((20, 4), np.float32), r"shape \(20, 4\), expected \(20, 3\)"),
        ("coord", np.full((20, 3), np.inf, np.float32), "20 of 20 Gaussians have means that are not finite"),
        ("color", np.zeros((19, 3), np.uint8), "has 19 rows, but coord.npy has 20"),
        ("opacity", np.zeros((20, 2), np.float32), r"shape \(20, 2\), expected \(20,\)"),
        ("opacity", np.full(20, 2.0, np.float32), "20 of 20 Gaussians have opacities outside 0..1"),
        ("scale", -np.ones((20, 3), np.float32), "20 of 20 Gaussians have negative scales"),
        ("scale", np.full((20, 3), 1e300), "20 of 20 Gaussians have scales that are not finite"),
        ("quat", np.zeros((20, 4), np.float32), "20 of 20 Gaussians have quaternions of length zero"),
        ("quat", np.zeros(80, np.float32), "has 80 rows, but coord.npy has 20"),
        ("instance", np.full(20, 2**40), "does not fit into 32 bits"),
        ("instance", np.full(20, 10**8), "has the label 99999999|has the label 100000000"),
        ("instance", np.zeros((20, 0), np.int32), "has no columns"),
        ("segment", np.zeros(7, np.int32), "has 7 rows, but coord.npy has 20"),
    ],
)
def test_damaged_properties(tmp_path: Path, name: str, content: Any, complaint: str) -> None:
    folder = write_scenesplat(tmp_path / "scene", small_cloud(20))
    if isinstance(content, bytes):
        (folder / f"{name}.npy").write_bytes(content)
    else:
        np.save(folder / f"{name}.npy", content)
    with pytest.raises(FormatError, match=complaint) as caught:
        load_cloud(folder)
    assert str(folder) in str(caught.value)


@pytest.mark.parametrize("name", ["color", "opacity", "scale", "quat"])
def test_missing_properties_and_pipes(tmp_path: Path, name: str) -> None:
    folder = write_scenesplat(tmp_path / "scene", small_cloud(20))
    (folder / f"{name}.npy").unlink()
    with pytest.raises(FormatError, match=f"no {name}.npy"):
        load_cloud(folder)
    os.mkfifo(folder / f"{name}.npy")
    with pytest.raises(FormatError, match=rf"{name}\.npy is a folder, a pipe or a device"):
        load_cloud(folder)


def test_the_zero_quaternions_of_the_preprocessing_can_be_dropped(tmp_path: Path) -> None:
    cloud = small_cloud(8)
    quaternions = cloud.quaternions.copy()
    quaternions[[2, 5]] = 0
    folder = write_scenesplat(tmp_path / "scene", cloud, quat=quaternions, instance=np.arange(8))
    with pytest.raises(FormatError, match="2 of 8 Gaussians have quaternions of length zero"):
        load_cloud(folder)
    found, classes = load_scenesplat(folder, broken="drop")
    assert found.instances.tolist() == [1, 2, 4, 5, 7, 8]
    assert len(classes) == 9
