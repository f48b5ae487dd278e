"""Compressed PLY files: what their bits mean, how exactly they keep a cloud, and what is wrong with damaged ones."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from plain_renderer import random_cloud
from row_tables import each_row
from sampling import examples
from splat_files import assert_same, in_order_of, read_elsewhere, small_cloud, turned_apart

from vantage.errors import FormatError
from vantage.splats.cloud import GaussianCloud
from vantage.splats.formats.clouds import load_cloud, save_cloud
from vantage.splats.harmonics import C0

BOUNDS = ["min_x", "min_y", "min_z", "max_x", "max_y", "max_z"]
BOUNDS += [name.replace("_", "_scale_") for name in BOUNDS]
COLORS = ["min_r", "min_g", "min_b", "max_r", "max_g", "max_b"]
WORDS = ["packed_position", "packed_rotation", "packed_scale", "packed_color"]


def write(path: Path, bounds: dict[str, float], words: list[int], sh: bytes = b"") -> Path:
    lines = ["ply", "format binary_little_endian 1.0", "element chunk 1"]
    lines += [f"property float {name}" for name in bounds] + ["element vertex 1"]
    lines += [f"property uint {name}" for name in WORDS]
    if sh:
        lines += ["element sh 1", *(f"property uchar f_rest_{k}" for k in range(len(sh)))]
    data = struct.pack(f"<{len(bounds)}f", *bounds.values()) + struct.pack("<4I", *words)
    path.write_bytes(("\n".join([*lines, "end_header"]) + "\n").encode() + data + sh)
    return path


def test_the_bits_mean_what_they_mean_elsewhere(tmp_path: Path) -> None:
    bounds = dict.fromkeys(BOUNDS, 0.0) | {"min_x": 1.0, "max_x": 3.0, "max_y": 1.0, "max_z": 1.0}
    bounds |= {"min_scale_x": -2.0, "max_scale_x": -1.0, "max_scale_y": -3.0, "max_scale_z": -4.0}
    position = 2047 << 21 | 1023 << 11 | 0
    rotation = 2 << 30 | 512 << 20 | 512 << 10 | 1023  # y is the largest; w and x about 0, z sqrt(1/2)
    scale = 0 << 21 | 1023 << 11 | 2047
    color = 255 << 24 | 51 << 16 | 0 << 8 | 102
    path = write(tmp_path / "a.ply", bounds, [position, rotation, scale, color], bytes([128, 0, 255] + [64] * 6))
    cloud = load_cloud(path)
    assert cloud.means[0].tolist() == [3, 1, 0]
    assert np.log(cloud.scales[0]) == pytest.approx([-2, -3, -4])
    assert cloud.quaternions[0] == pytest.approx([0, 0, 0.7071, 0.7071], abs=1e-3)
    assert cloud.opacities[0] == pytest.approx(0.4)
    assert 0.5 + C0 * cloud.sh[0, 0] == pytest.approx([1, 0.2, 0], abs=1e-6)
    assert cloud.sh[0, 1:, 0] == pytest.approx([8 * (128.5 / 256 - 0.5), -4, 4])
    assert cloud.sh[0, 1:, 1:] == pytest.approx(8 * (64.5 / 256 - 0.5))
    bounds |= dict.fromkeys(COLORS, 0.0) | {"max_r": 2.0, "min_b": -1.0}
    cloud = load_cloud(write(path, bounds, [position, rotation, scale, color]))
    assert 0.5 + C0 * cloud.sh[0, 0] == pytest.approx([2, 0, -1], abs=1e-6)
    assert cloud.degree == 0


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_another_reader_finds_the_same(tmp_path: Path, degree: int) -> None:
    save_cloud(small_cloud(600, degree), tmp_path / "a.compressed.ply")
    assert_same(load_cloud(tmp_path / "a.compressed.ply"), read_elsewhere(tmp_path / "a.compressed.ply"))


@each_row("degree", [0, 1, 2, 3])
@each_row("origin", [0.0, 1e3, 1e6])
def test_a_cloud_survives_within_the_documented_steps(tmp_path: Path, degree: int, origin: float) -> None:
    cloud = small_cloud(300, degree)
    moved = cloud.means + np.float32(origin)
    cloud = GaussianCloud(moved, cloud.scales, cloud.quaternions, cloud.opacities, cloud.sh, cloud.instances)
    save_cloud(cloud, tmp_path / "a.compressed.ply")
    found = load_cloud(tmp_path / "a.compressed.ply")
    spacing = float(np.spacing(np.float32(origin)))
    found = in_order_of(found, cloud) if origin < 1e6 else found
    if origin < 1e6:
        extent = np.ptp(cloud.means.astype(np.float64), axis=0)
        assert (np.abs(found.means - cloud.means.astype(np.float64)) <= extent / [2046, 1022, 2046] + spacing).all()
        assert found.sh[:, 1:] == pytest.approx(cloud.sh[:, 1:], abs=1 / 32 + 1e-6)
        assert found.opacities == pytest.approx(cloud.opacities, abs=0.5 / 255 + 1e-6)
        assert turned_apart(found, cloud) < 4 * 0.0007**2
        logs = np.log(cloud.scales)
        assert (np.abs(np.log(found.scales) - logs) <= np.ptp(logs, axis=0) / 1022).all()
    assert found.means.min() >= cloud.means.min() - spacing
    assert found.means.max() <= cloud.means.max() + spacing
    assert not found.instances.any()


def test_neighbours_share_chunks_so_that_positions_are_finer_than_the_whole(tmp_path: Path) -> None:
    cloud = random_cloud(5000)
    save_cloud(cloud, tmp_path / "a.compressed.ply")
    found = load_cloud(tmp_path / "a.compressed.ply")
    nearest = np.array([np.abs(cloud.means - mean).max(axis=1).min() for mean in found.means[::50]])
    assert np.median(nearest) < np.ptp(cloud.means, axis=0).max() / 1023 / 4


def test_extreme_values_are_cut_not_wrapped(tmp_path: Path) -> None:
    cloud = small_cloud(3, 1)
    scales, sh = cloud.scales.copy(), cloud.sh.copy()
    scales[0], scales[1] = 0.0, 3e38
    sh[0, 1], sh[1, 1] = 90.0, -90.0
    odd = GaussianCloud(cloud.means, scales, cloud.quaternions, cloud.opacities, sh, cloud.instances)
    save_cloud(odd, tmp_path / "a.compressed.ply")
    found = in_order_of(load_cloud(tmp_path / "a.compressed.ply"), odd)
    assert np.log(found.scales[:2, 0]) == pytest.approx([-20, 20], abs=0.05)
    assert found.sh[:2, 1, 0].tolist() == [4, -4]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(30), deadline=None)
@given(count=st.integers(1, 600), seed=st.integers(0, 99), degree=st.integers(0, 3))
def test_any_count_survives_and_a_second_round_changes_nothing(
    tmp_path: Path, count: int, seed: int, degree: int
) -> None:
    first, second = tmp_path / "a.compressed.ply", tmp_path / "b.compressed.ply"
    save_cloud(small_cloud(count, degree, seed), first)
    once = load_cloud(first)
    save_cloud(once, second)
    twice = in_order_of(load_cloud(second), once)
    assert len(once) == count
    assert twice.means == pytest.approx(once.means, abs=2e-2)
    assert twice.sh[:, 1:] == pytest.approx(once.sh[:, 1:], abs=1e-6)


GOOD = dict.fromkeys(BOUNDS, 0.0)
QUIET = [0, 0, 0, 0]


def replaced(old: bytes, new: bytes) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        write(path, GOOD, QUIET, bytes(9))
        data = path.read_bytes()
        assert old in data
        path.write_bytes(data.replace(old, new))

    return make


@each_row(
    "make, complaint",
    [
        (replaced(b"element vertex 1\n", b"element vertex 2\n"), "harmonics for 1 of 2 Gaussians"),
        (replaced(b"element vertex 1\n", b"element vertex 300\n"), "1 chunks of 256 for 300 Gaussians"),
        (replaced(b"element vertex 1\n", b"element vertex 0\n"), "holds no Gaussians"),
        (replaced(b"element vertex 1\n", b"element vertex 99999999999\n"), "at most 50000000 are read"),
        (replaced(b"element chunk 1\n", b"element chunk 3\n"), "3 chunks of 256 for 1 Gaussians"),
        (replaced(b"element sh 1\n", b"element sh 7\n"), "harmonics for 7 of 1 Gaussians"),
        (replaced(b"float max_scale_z", b"float max_scale_w"), "without max_scale_z"),
        (replaced(b"uint packed_scale", b"uint packed_scales"), "without packed_scale"),
        (replaced(b"uint packed_color", b"float packed_color"), "packed_color are not unsigned integers"),
        (replaced(b"uchar f_rest_8", b"uchar f_rest_9"), "expected f_rest_0 up to 8, 23 or 44"),
        (replaced(b"uchar f_rest_8", b"char f_rest_8"), "harmonics are not bytes"),
        (replaced(b"property uchar f_rest_8\n", b""), "8 harmonics"),
        (lambda path: write(path, GOOD | {"min_x": np.nan}, QUIET) and None, "means that are not finite"),
        (lambda path: write(path, GOOD | {"min_scale_y": 1e9}, QUIET) and None, "scales that are not finite"),
    ],
)
def test_damaged_files(tmp_path: Path, make: Callable[[Path], None], complaint: str) -> None:
    path = tmp_path / "bad.compressed.ply"
    make(path)
    with pytest.raises(FormatError, match=complaint) as caught:
        load_cloud(path)
    assert str(path) in str(caught.value)


def test_a_file_cut_anywhere_is_refused(tmp_path: Path) -> None:
    save_cloud(small_cloud(3, 1), tmp_path / "a.compressed.ply")
    data = (tmp_path / "a.compressed.ply").read_bytes()
    for length in range(len(data)):
        (tmp_path / "cut.ply").write_bytes(data[:length])
        with pytest.raises(FormatError, match=r"no complete PLY header|ends after"):
            load_cloud(tmp_path / "cut.ply")
