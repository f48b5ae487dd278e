"""Calibrations in camera_info files.

Pictures of a lens made into those of a pinhole, and where pixel centres lie.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
import yaml
from row_tables import each_row

from vantage.errors import ConfigError
from vantage.spatial import Intrinsics
from vantage.worlds.rig.cameras.lens import (
    Calibration,
    Undistorter,
    from_ros,
    read_calibration,
    to_ros,
    write_calibration,
)

WIDTH, HEIGHT = 320, 240
K = np.array([[260.0, 0.0, 158.0], [0.0, 262.0, 121.0], [0.0, 0.0, 1.0]])
LENSES = {
    "barrel": ((-0.3, 0.1, 0.001, -0.0005, -0.02), "plumb_bob"),
    "cushion": ((0.2, 0.0, 0.0, 0.0, 0.0), "plumb_bob"),
    "rational": ((0.5, -2.5, 0.0002, 0.0001, 1.5, 0.4, -2.3, 1.4), "rational_polynomial"),
    "fisheye": ((0.02, -0.01, 0.003, -0.001), "equidistant"),
}


def through_lens(rays: np.ndarray, distortion: tuple[float, ...], model: str) -> np.ndarray:
    """Pixels (N, 2), centres at integers, of rays (N, 2) at z = 1; written out from the definitions of the models."""
    x, y = rays[:, 0], rays[:, 1]
    r2 = x * x + y * y
    if model == "equidistant":
        k1, k2, k3, k4 = distortion
        r = np.sqrt(r2)
        t = np.arctan(r)
        scale = np.where(r > 0, t * (1 + k1 * t**2 + k2 * t**4 + k3 * t**6 + k4 * t**8) / np.maximum(r, 1e-12), 1.0)
        u, v = x * scale, y * scale
    else:
        k1, k2, p1, p2, k3, *more = distortion
        k4, k5, k6 = more or (0.0, 0.0, 0.0)
        scale = (1 + k1 * r2 + k2 * r2**2 + k3 * r2**3) / (1 + k4 * r2 + k5 * r2**2 + k6 * r2**3)
        u = x * scale + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
        v = y * scale + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
    return np.stack([K[0, 0] * u + K[0, 2], K[1, 1] * v + K[1, 2]], axis=1)


def spots(pixels: np.ndarray) -> np.ndarray:
    """A picture with a soft spot at each pixel position, centres at integers."""
    v, u = np.mgrid[0:HEIGHT, 0:WIDTH]
    image = np.zeros((HEIGHT, WIDTH))
    for x, y in pixels:
        image += 255 * np.exp(-((u - x) ** 2 + (v - y) ** 2) / (2 * 1.5**2))
    return np.repeat(np.clip(image, 0, 255).astype(np.uint8)[:, :, None], 3, axis=2)


def test_pixel_centres_at_integers_and_at_half_integers() -> None:
    moved = from_ros(K)
    assert moved.tolist() == [[260.0, 0.0, 158.5], [0.0, 262.0, 121.5], [0.0, 0.0, 1.0]]
    assert to_ros(moved).tolist() == K.tolist()
    centred = to_ros(Intrinsics.from_fov(WIDTH, HEIGHT, 1.2).matrix())
    assert centred[:2, 2].tolist() == [159.5, 119.5], "the middle of pixels 0 .. 319"


def test_a_lens_without_distortion_changes_nothing() -> None:
    for distortion in ((), (0.0,) * 5):
        lens = Undistorter(WIDTH, HEIGHT, K, distortion, "plumb_bob")
        assert lens.intrinsics == Intrinsics(WIDTH, HEIGHT, 260.0, 262.0, 158.5, 121.5)
        image, depth = np.zeros((HEIGHT, WIDTH, 3), np.uint8), np.zeros((HEIGHT, WIDTH), np.float32)
        assert lens.rgb(image) is image
        assert lens.depth(depth) is depth


@pytest.mark.parametrize("name", sorted(LENSES))
def test_objects_are_where_the_pinhole_projects_them(name: str) -> None:
    distortion, model = LENSES[name]
    lens = Undistorter(WIDTH, HEIGHT, K, distortion, model)
    rays = np.array([[-0.3, -0.2], [0.25, 0.1], [0.05, -0.25], [-0.2, 0.3], [0.3, -0.3], [0.0, 0.0]])
    image = lens.rgb(spots(through_lens(rays, distortion, model)))
    grey = image[:, :, 0].astype(np.float64)
    for x, y in lens.intrinsics.project(np.column_stack([rays, np.ones(len(rays))])):
        v, u = np.mgrid[int(y) - 6 : int(y) + 7, int(x) - 6 : int(x) + 7]
        weight = grey[v, u]
        found = np.array([(weight * (u + 0.5)).sum(), (weight * (v + 0.5)).sum()]) / weight.sum()
        assert found == pytest.approx([x, y], abs=0.1)


@pytest.mark.parametrize("name", sorted(LENSES))
def test_every_pixel_gets_a_picture_and_the_view_is_wide(name: str) -> None:
    distortion, model = LENSES[name]
    lens = Undistorter(WIDTH, HEIGHT, K, distortion, model)
    assert (lens.rgb(np.full((HEIGHT, WIDTH, 3), 200, np.uint8)) == 200).all()
    assert np.isfinite(lens.depth(np.ones((HEIGHT, WIDTH), np.float32))).all()
    wanted = lens.intrinsics
    assert wanted.fx / wanted.fy == pytest.approx(260.0 / 262.0)
    assert (wanted.cx, wanted.cy) == (158.5, 121.5)
    slightly_wider = Intrinsics(WIDTH, HEIGHT, 0.97 * wanted.fx, 0.97 * wanted.fy, wanted.cx, wanted.cy)
    edges = np.array([[u, v] for u in (0.5, 160, WIDTH - 0.5) for v in (0.5, 120, HEIGHT - 0.5)])
    rays = (edges - [slightly_wider.cx, slightly_wider.cy]) / [slightly_wider.fx, slightly_wider.fy]
    seen = through_lens(rays, distortion, model)
    inside = (seen >= 0) & (seen <= [WIDTH - 1, HEIGHT - 1])
    assert not inside.all(), "a wider view would look beyond the picture"


def test_a_fisheye_keeps_half_of_its_focal_length() -> None:
    wide = np.array([[100.0, 0.0, 159.5], [0.0, 100.0, 119.5], [0.0, 0.0, 1.0]])  # 183 degrees across
    lens = Undistorter(WIDTH, HEIGHT, wide, (0.001, 0.0, 0.0, 0.0), "equidistant")
    assert lens.intrinsics.fx == pytest.approx(50.0)
    assert (lens.rgb(np.full((HEIGHT, WIDTH, 3), 9, np.uint8)) == 9).all()


def test_depth_comes_from_the_nearest_pixel_and_is_never_mixed() -> None:
    distortion, model = LENSES["barrel"]
    lens = Undistorter(WIDTH, HEIGHT, K, distortion, model)
    depth = np.full((HEIGHT, WIDTH), 1.0, np.float32)
    depth[:, WIDTH // 2 :] = 3.0
    depth[100:120, 100:120] = np.nan
    moved = lens.depth(depth)
    assert set(np.unique(moved[np.isfinite(moved)])) == {1.0, 3.0}
    assert 200 < np.isnan(moved).sum() < 900


def test_agrees_with_opencv_on_its_own_pinhole() -> None:
    distortion, model = LENSES["barrel"]
    lens = Undistorter(WIDTH, HEIGHT, K, distortion, model)
    image = cv2.GaussianBlur(np.random.default_rng(1).integers(0, 255, (HEIGHT, WIDTH, 3), np.uint8), (0, 0), 3)
    expected = cv2.undistort(image, K, np.array(distortion), None, to_ros(lens.intrinsics.matrix()))
    assert np.abs(lens.rgb(image).astype(int) - expected).max() <= 2


@each_row(
    "matrix, distortion, model, words",
    [
        (K[:2], (), "plumb_bob", "3 x 3 finite numbers"),
        (K * np.nan, (), "plumb_bob", "3 x 3 finite numbers"),
        (K - np.diag([300.0, 0.0, 0.0]), (), "plumb_bob", "positive focal lengths"),
        (K + np.array([[0, 5.0, 0], [0, 0, 0], [0, 0, 0]]), (), "plumb_bob", r"\[fx 0 cx; 0 fy cy; 0 0 1\]"),
        (K + np.array([[0, 0, 400.0], [0, 0, 0], [0, 0, 0]]), (), "plumb_bob", "outside the picture of 320 x 240"),
        (K, (0.1, 0.2), "plumb_bob", "has 5 finite coefficients"),
        (K, (0.1, np.inf, 0, 0, 0), "plumb_bob", "has 5 finite coefficients"),
        (K, (0.1,) * 5, "rational_polynomial", "has 8 finite coefficients"),
        (K, (0.1,) * 4, "thin_prism", "unknown distortion model 'thin_prism', expected one of plumb_bob"),
        (K, (600.0, 0, 0, 0, 0), "plumb_bob", "leaves no picture"),
    ],
)
def test_numbers_that_make_no_camera(matrix: np.ndarray, distortion: tuple, model: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        Undistorter(WIDTH, HEIGHT, matrix, distortion, model)


def test_a_picture_of_another_size() -> None:
    lens = Undistorter(WIDTH, HEIGHT, K, (), "plumb_bob")
    with pytest.raises(ConfigError, match="640 x 480 pixels, calibrated are 320 x 240"):
        lens.rgb(np.zeros((480, 640, 3), np.uint8))


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


@each_row(
    "old, new, words",
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
