"""``.spz`` files of all versions: values, frames, exactness, and what is wrong with damaged or lying ones."""

from __future__ import annotations

import gzip
import struct
import sys
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from row_tables import each_row
from sampling import examples
from splat_files import (
    assert_same,
    first_three,
    gz,
    read_elsewhere,
    small_cloud,
    smallest_three,
    spz_bytes,
    turned_apart,
    written_elsewhere,
)

from vantage.errors import FormatError
from vantage.splats import harmonics
from vantage.splats.cloud import GaussianCloud
from vantage.splats.formats.clouds import load_cloud, save_cloud
from vantage.splats.formats.spz import FRAMES

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

VERSIONS = [1, 2, 3, 4]


def load(path: Path, data: bytes) -> GaussianCloud:
    path.write_bytes(data)
    return load_cloud(path)


def extension(kind: int, payload: bytes) -> bytes:
    return struct.pack("<II", kind, len(payload)) + payload


def frame_extension(frame: int) -> bytes:
    return extension(0xADBE0003, struct.pack("<I", frame))


@each_row("version", VERSIONS)
@each_row("degree", [0, 1, 2, 3])
def test_values_of_every_version_and_degree(tmp_path: Path, version: int, degree: int) -> None:
    cloud = small_cloud(30, degree)
    found = load(tmp_path / "a.spz", spz_bytes(cloud, version))
    assert found.means == pytest.approx(cloud.means, abs=2.1e-3 if version == 1 else 0.5001 / 4096)
    assert np.log(found.scales) == pytest.approx(np.log(cloud.scales), abs=0.5001 / 16)
    assert turned_apart(found, cloud) < (0.005 if version < 3 else 4e-6)
    assert found.opacities == pytest.approx(cloud.opacities, abs=0.5001 / 255)
    assert found.sh[:, 0] == pytest.approx(cloud.sh[:, 0], abs=0.5001 / 255 / 0.15)
    assert found.sh[:, 1:] == pytest.approx(cloud.sh[:, 1:], abs=0.5001 / 128)
    assert found.degree == degree


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_the_reference_reader_finds_the_same(tmp_path: Path, degree: int) -> None:
    cloud = small_cloud(100, degree)
    save_cloud(cloud, tmp_path / "a.spz")
    assert_same(load_cloud(tmp_path / "a.spz"), read_elsewhere(tmp_path / "a.spz"))
    for version in VERSIONS:
        (tmp_path / "b.spz").write_bytes(spz_bytes(cloud, version))
        assert_same(load_cloud(tmp_path / "b.spz"), read_elsewhere(tmp_path / "b.spz"))
    assert_same(load_cloud(written_elsewhere(cloud, tmp_path / "c.spz")), read_elsewhere(tmp_path / "c.spz"))


def test_the_bytes_mean_what_the_reference_reader_means(tmp_path: Path) -> None:
    header = struct.pack("<4sIIBBBB", b"NGSP", 2, 1, 1, 8, 1, 0)
    means = (0x000180).to_bytes(3, "little") + (0xFFFF00).to_bytes(3, "little") + (0x7FFFFF).to_bytes(3, "little")
    packed = means + bytes([51]) + bytes([255, 0, 128]) + bytes([0, 160, 255]) + bytes([255, 127, 128])
    cloud = load(tmp_path / "a.spz", gz(header + packed + bytes([128, 0, 255, *[192] * 6])))
    assert cloud.means[0].tolist() == [1.5, -1.0, 0x7FFFFF / 256]
    assert cloud.opacities[0] == pytest.approx(0.2)
    assert cloud.sh[0, 0] == pytest.approx([0.5 / 0.15, -0.5 / 0.15, (128 / 255 - 0.5) / 0.15], abs=1e-5)
    assert np.log(cloud.scales[0]) == pytest.approx([-10, 0, 255 / 16 - 10], abs=1e-5)
    assert cloud.quaternions[0] == pytest.approx([0, 1, 0, 0], abs=0.01)
    assert cloud.sh[0, 1].tolist() == [0, -1, 127 / 128]
    assert (cloud.sh[0, 2:] == 0.5).all()


@pytest.mark.parametrize("version", VERSIONS)
def test_a_fourth_degree_is_left_out(tmp_path: Path, version: int) -> None:
    cloud = small_cloud(9, 3)
    found = load(tmp_path / "a.spz", spz_bytes(cloud, version, degree4=True))
    assert found.degree == 3
    assert found.sh[:, 1:] == pytest.approx(cloud.sh[:, 1:], abs=0.005)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(60), deadline=None)
@given(st.lists(st.floats(-1, 1, width=32), min_size=4, max_size=4).filter(lambda q: np.linalg.norm(q) > 0.1))
def test_every_rotation_survives(tmp_path: Path, numbers: list[float]) -> None:
    q = np.array(numbers) / np.linalg.norm(numbers)
    cloud = small_cloud(1, 0)
    cloud = GaussianCloud(cloud.means, cloud.scales, q[None], cloud.opacities, cloud.sh, cloud.instances)
    save_cloud(cloud, tmp_path / "a.spz")
    assert turned_apart(load_cloud(tmp_path / "a.spz"), cloud) < 4e-6
    assert turned_apart(load(tmp_path / "b.spz", spz_bytes(cloud, 1, bits=8)), cloud) < 0.01


@each_row("degree", [0, 1, 2, 3])
@each_row("reach", [1e-3, 1.0, 200.0, 5e4, 8e6])
def test_a_cloud_survives_within_the_documented_steps(tmp_path: Path, degree: int, reach: float) -> None:
    cloud = small_cloud(50, degree)
    means = cloud.means / np.abs(cloud.means).max() * reach
    cloud = GaussianCloud(means, cloud.scales, cloud.quaternions, cloud.opacities, cloud.sh, cloud.instances)
    save_cloud(cloud, tmp_path / "a.spz")
    found = load_cloud(tmp_path / "a.spz")
    assert np.abs(found.means - cloud.means).max() <= max(2.0**-17, reach * 2.0**-23)
    assert np.log(found.scales) == pytest.approx(np.log(cloud.scales), abs=0.5001 / 16)
    assert found.opacities == pytest.approx(cloud.opacities, abs=0.5001 / 255)
    assert found.base_colors() == pytest.approx(cloud.base_colors(), abs=0.004)
    assert turned_apart(found, cloud) < 4e-6
    assert found.sh[:, 1:4] == pytest.approx(cloud.sh[:, 1:4], abs=0.5001 / 16)
    assert found.sh[:, 4:] == pytest.approx(cloud.sh[:, 4:], abs=0.5001 / 8)
    assert not found.instances.any()


def test_what_the_format_cannot_hold(tmp_path: Path) -> None:
    cloud = small_cloud(2, 1)
    far = GaussianCloud(
        cloud.means + 1e7, cloud.scales * 0, cloud.quaternions, cloud.opacities, cloud.sh * 9, cloud.instances
    )
    with pytest.raises(FormatError, match=r"reaches 1e\+07 units"):
        save_cloud(far, tmp_path / "a.spz")
    assert list(tmp_path.iterdir()) == []
    near = GaussianCloud(cloud.means, far.scales, far.quaternions, far.opacities, far.sh, far.instances)
    save_cloud(near, tmp_path / "a.spz")
    found = load_cloud(tmp_path / "a.spz")
    assert np.log(found.scales) == pytest.approx(-10)
    assert np.abs(found.sh[:, 1:]).max() <= 1


@pytest.mark.parametrize("version", VERSIONS)
def test_unknown_extensions_are_passed_over(tmp_path: Path, version: int) -> None:
    cloud = small_cloud(5)
    found = load(tmp_path / "a.spz", spz_bytes(cloud, version, extension(0xADBE0002, bytes(12)) + extension(7, b"")))
    assert np.array_equal(found.means, load(tmp_path / "b.spz", spz_bytes(cloud, version)).means)


@each_row("version", [3, 4])
@each_row("frame", range(1, 17))
def test_a_named_frame_is_turned_into_right_up_back(tmp_path: Path, version: int, frame: int) -> None:
    """Colours and covariances are compared as a camera sees them, for left-handed frames too."""
    cloud = small_cloud(6, 3)
    path = tmp_path / "a.spz"
    plain, found = (load(path, spz_bytes(cloud, version, data)) for data in (b"", frame_extension(frame)))
    letters = {"R": (1, 0, 0), "U": (0, 1, 0), "B": (0, 0, 1), "L": (-1, 0, 0), "D": (0, -1, 0), "F": (0, 0, -1)}
    R = np.array([letters[letter] for letter in FRAMES[frame - 1]], float).T
    assert found.means == pytest.approx(plain.means @ R.T, abs=1e-5)
    assert found.covariances() == pytest.approx(R @ plain.covariances() @ R.T, rel=1e-4, abs=1e-6)
    direction = np.random.default_rng(0).normal(size=(6, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    colors = np.einsum("nk,nkc->nc", harmonics.basis(direction, 3), plain.sh)
    turned = np.einsum("nk,nkc->nc", harmonics.basis(direction @ R.T, 3), found.sh)
    assert turned == pytest.approx(colors, abs=1e-5)


def with_header(data: bytes, **values: int) -> bytes:
    """A version 4 file with other numbers in its header."""
    names = ["magic", "version", "count", "degree", "bits", "flags", "streams", "table"]
    fields = dict(zip(names, struct.unpack_from("<4sIIBBBBI", data), strict=True)) | values
    return struct.pack("<4sIIBBBBI12x", *fields.values()) + data[32:]


def with_size(data: bytes, stream: int, packed: int = 0, unpacked: int = 0) -> bytes:
    """A version 4 file with other sizes of a stream; differences."""
    place = 32 + 16 * stream
    a, b = struct.unpack_from("<QQ", data, place)
    return data[:place] + struct.pack("<QQ", a + packed, b + unpacked) + data[place + 16 :]


FOUR = spz_bytes(small_cloud(5), 4)
THREE = gzip.decompress(spz_bytes(small_cloud(5), 3))


@each_row(
    "data, complaint",
    [
        (b"", "no .spz file"),
        (b"NGSP", "no .spz file"),
        (bytes(100), "no .spz file"),
        (gz(b"hello"), "a gzip file but no .spz file"),
        (gz(b"NGSQ" + THREE[4:]), "a gzip file but no .spz file"),
        (b"\x1f\x8b" + bytes(50), "not packed correctly"),
        (gz(THREE[:4] + struct.pack("<I", 4) + THREE[8:]), "version 4, expected 1, 2 or 3"),
        (gz(THREE[:8] + struct.pack("<I", 0) + THREE[12:]), "no Gaussians"),
        (gz(THREE[:8] + struct.pack("<I", 6) + THREE[12:]), "announces 6 Gaussians but its harmonics end early"),
        (gz(THREE[:8] + struct.pack("<I", 4_000_000_000) + THREE[12:]), "at most 50000000"),
        (gz(THREE[:8] + struct.pack("<I", 40_000_000) + THREE[12:]), "40000000 Gaussians in only"),
        (gz(THREE[:12] + b"\x05" + THREE[13:]), "degree 5"),
        (gz(THREE[:13] + b"\xff" + THREE[14:]), "255 bits of fraction"),
        (gz(THREE[:-1]), "harmonics end early"),
        (gz(THREE)[:-1], "does not end where its 5 Gaussians do"),
        (gz(THREE)[:-5] + b"x" + gz(THREE)[-4:], "not packed correctly"),
        (gz(THREE + bytes(3 << 20)), "does not end where its 5 Gaussians do"),
        (THREE, "version 3 without gzip"),
        (with_header(FOUR, version=5), "version 5 without gzip, expected 4"),
        (with_header(FOUR, count=6), "announces 45 bytes of positions for 6 Gaussians"),
        (with_header(FOUR, count=0xFFFFFFFF), "at most 50000000"),
        (with_header(FOUR, count=40_000_000), "40000000 Gaussians in only"),
        (with_header(FOUR, degree=0), "6 streams after 32 bytes, expected 5"),
        (with_header(FOUR, degree=9), "degree 9"),
        (with_header(FOUR, streams=200), "200 streams"),
        (with_header(FOUR, table=0), "after 0 bytes"),
        (with_header(FOUR, table=0xFFFFFFFF), "after 4294967295 bytes"),
        (with_header(FOUR, table=100_000), "ends within the list of its streams"),
        (with_size(FOUR, 0, unpacked=1), "announces 46 bytes of positions"),
        (with_size(FOUR, 0, packed=1), "streams of another length"),
        (with_size(FOUR, 0, packed=1 << 62), "streams of another length"),
        (with_size(with_size(FOUR, 0, packed=1), 1, packed=-1), "positions that"),
        (FOUR + b"x", "streams of another length"),
        (FOUR[:-1], "streams of another length"),
        (spz_bytes(small_cloud(5), 4, frame_extension(17)), "the unknown frame 17"),
        (spz_bytes(small_cloud(5), 3, frame_extension(99)), "the unknown frame 99"),
        (spz_bytes(small_cloud(5), 4, struct.pack("<II", 1, 5) + b"abc"), "an extension that ends early"),
        (spz_bytes(small_cloud(5), 3, struct.pack("<II", 1, 0xFFFFFFFF)), "an extension that ends early"),
    ],
)
def test_damaged_files(tmp_path: Path, data: bytes, complaint: str) -> None:
    with pytest.raises(FormatError, match=complaint) as caught:
        load(tmp_path / "bad.spz", data)
    assert str(caught.value).startswith(str(tmp_path / "bad.spz"))


def test_half_floats_that_are_not_finite(tmp_path: Path) -> None:
    data = gzip.decompress(spz_bytes(small_cloud(5), 1))
    with pytest.raises(FormatError, match="2 of 5 Gaussians have means that are not finite"):
        load(tmp_path / "a.spz", gz(data[:16] + struct.pack("<6e", np.nan, 0, 0, 0, 0, np.inf) + data[28:]))


@pytest.mark.parametrize("version", VERSIONS)
def test_a_file_cut_anywhere_is_refused(tmp_path: Path, version: int) -> None:
    data = spz_bytes(small_cloud(2), version)
    for length in range(len(data)):
        with pytest.raises(FormatError):
            load(tmp_path / "cut.spz", data[:length])


def test_bombs_are_not_unpacked(tmp_path: Path) -> None:
    """Streams that unpack to far more than the header announces take no memory."""
    zeros = bytes(200 << 20)
    bomb = zstd.compress(zeros)
    sizes = [(bomb, 45), *[(zstd.compress(bytes(n)), n) for n in (5, 15, 15, 20, 45)]]
    table = b"".join(struct.pack("<QQ", len(packed), size) for packed, size in sizes)
    four = FOUR[:32] + table + b"".join(packed for packed, _ in sizes)
    three = gz(THREE + zeros)
    del zeros
    for data, complaint in ((four, "do not unpack to the 45 bytes"), (three, "does not end where")):
        (tmp_path / "bomb.spz").write_bytes(data)
        tracemalloc.start()
        try:
            with pytest.raises(FormatError, match=complaint):
                load_cloud(tmp_path / "bomb.spz")
            assert tracemalloc.get_traced_memory()[1] < 20 << 20
        finally:
            tracemalloc.stop()


def test_the_builders_of_these_tests_pack_the_identity_as_the_format_says() -> None:
    assert first_three(0, 0, 0, 1) == bytes([128, 128, 128])
    assert smallest_three([0, 0, 0, 1]) == struct.pack("<I", 3 << 30)
