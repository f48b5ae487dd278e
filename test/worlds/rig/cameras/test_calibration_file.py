"""Calibrations in camera_info files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import yaml

from vantage.errors import ConfigError
from vantage.worlds.rig.cameras.calibration_file import Calibration, read_calibration, write_calibration

BY_ROS = """\
image_width: 640
image_height: 480
camera_name: narrow_stereo
camera_matrix:
  rows: 3
  cols: 3
  data: [511.0, 0.0, 316.2, 0.0, 512.5, 241.7, 0.0, 0.0, 1.0]
distortion_model: plumb_bob
distortion_coefficients:
  rows: 1
  cols: 5
  data: [0.05, -0.12, 0.0003, -0.0011, 0.0]
rectification_matrix:
  rows: 3
  cols: 3
  data: [1, 0, 0, 0, 1, 0, 0, 0, 1]
projection_matrix:
  rows: 3
  cols: 4
  data: [505.1, 0.0, 315.0, 0.0, 0.0, 508.9, 241.5, 0.0, 0.0, 0.0, 1.0, 0.0]
"""


def test_reads_what_ros_writes(tmp_path: Path) -> None:
    path = tmp_path / "camera.yaml"
    path.write_text(BY_ROS)
    read = read_calibration(path)
    assert (read.width, read.height, read.name, read.model) == (640, 480, "narrow_stereo", "plumb_bob")
    assert read.K.tolist() == [[511.0, 0.0, 316.2], [0.0, 512.5, 241.7], [0.0, 0.0, 1.0]]
    assert read.distortion == (0.05, -0.12, 0.0003, -0.0011, 0.0)
    pinhole = read.undistorter().intrinsics
    assert (pinhole.cx, pinhole.cy) == pytest.approx((316.7, 242.2)), "half a pixel more: another place of centres"


@pytest.mark.parametrize(
    ("model", "distortion"),
    [
        ("plumb_bob", (0.1 / 3, -0.2, 1e-7, 0.0, 0.05)),
        ("plumb_bob", ()),
        ("rational_polynomial", (0.5, -2.5, 0.0, 0.0, 1.5, 0.4, -2.3, 1.4)),
        ("equidistant", (0.02, -0.01, 0.003, -0.001)),
    ],
)
def test_what_is_written_is_read_back_to_the_last_bit(tmp_path: Path, model: str, distortion: tuple) -> None:
    K = np.array([[1000 / 3, 0, 320.1], [0, 334.7, 239.9], [0, 0, 1]])
    path = tmp_path / "folder" / "camera.yaml"
    written = Calibration(640, 480, K, distortion, model, "the rig's: 'left' eye")
    write_calibration(path, written)
    read = read_calibration(path)
    assert np.array_equal(read.K, K)
    assert read.distortion == (distortion or (0.0,) * 5)
    assert (read.width, read.height, read.model, read.name) == (640, 480, model, written.name)
    assert [entry.name for entry in path.parent.iterdir()] == ["camera.yaml"]
    document = yaml.safe_load(path.read_text())
    P, pinhole = np.array(document["projection_matrix"]["data"]).reshape(3, 4), read.undistorter().intrinsics
    assert P[0, 0] == pinhole.fx
    assert P[:2, 2].tolist() == pytest.approx([pinhole.cx - 0.5, pinhole.cy - 0.5])
    assert document["rectification_matrix"]["data"] == [1, 0, 0, 0, 1, 0, 0, 0, 1]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("image_width: 640", "image_width: wide", "camera.yaml: image_width: expected a whole number"),
        ("image_width: 640\n", "", "camera.yaml: image_width: is missing"),
        ("image_height: 480", "image_height: 0", "image_height: expected a whole number"),
        ("  data: [511.0,", "  data: [", "camera_matrix.data: expected a list of 9 numbers"),
        ("[511.0, 0.0", "[.nan, 0.0", "camera_matrix.data: expected a list of 9 numbers"),
        ("[511.0, 0.0", "[-511.0, 0.0", "camera.yaml: expected a camera matrix"),
        ("316.2", "900.0", "camera.yaml: the principal point"),
        (
            "  rows: 3\n  cols: 3\n  data: [511",
            "  rows: 3\n  cols: 4\n  data: [511",
            "camera_matrix: expected 3 x 3, got",
        ),
        ("plumb_bob", "plum_bob", "distortion_model: expected one of .*did you mean 'plumb_bob'"),
        ("plumb_bob", "equidistant", "distortion_coefficients: expected 1 x 4, got 1 x 5"),
        ("camera_matrix:", "camera_matrx:", "camera_matrix: is missing"),
        ("image_width", "%YAML:1.0\nimage_width", "as YAML"),
    ],
)
def test_a_wrong_file_names_the_key(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert old in BY_ROS
    path = tmp_path / "camera.yaml"
    path.write_text(BY_ROS.replace(old, new, 1))
    with pytest.raises(ConfigError, match=words):
        read_calibration(path)


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere.yaml does not exist; check the path"):
        read_calibration(tmp_path / "nowhere.yaml")
    with pytest.raises(ConfigError, match="is a folder"):
        read_calibration(tmp_path)


def test_nothing_is_written_of_numbers_that_make_no_camera(tmp_path: Path) -> None:
    path = tmp_path / "camera.yaml"
    with pytest.raises(ConfigError, match="3 x 3"):
        write_calibration(path, Calibration(640, 480, np.eye(2)))
    assert not path.exists()
    (tmp_path / "taken").mkdir()
    with pytest.raises(ConfigError, match=r"cannot write the calibration to .*taken: .*; choose another place"):
        write_calibration(
            tmp_path / "taken", Calibration(640, 480, np.array([[500, 0, 320], [0, 500, 240], [0, 0, 1]]))
        )
