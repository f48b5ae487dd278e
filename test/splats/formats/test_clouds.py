"""Cloud files: what is written is read again, and bad files give one sentence that names them."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from plain_renderer import random_cloud
from row_tables import each_row
from sampling import examples
from splat_files import KINDS, in_order_of, small_cloud, turned_apart

from vantage.errors import FormatError
from vantage.splats.cloud import GaussianCloud
from vantage.splats.formats.clouds import SUFFIXES, WRITABLE, load_cloud, losses, read_cloud, save_cloud, save_ply

PLAIN = ["x", "y", "z", "f_dc_0", "f_dc_1", "f_dc_2", "opacity", "scale_0", "scale_1", "scale_2"]
PLAIN += ["rot_0", "rot_1", "rot_2", "rot_3"]


def same(a: GaussianCloud, b: GaussianCloud) -> None:
    for name in ("means", "scales", "opacities", "sh", "instances"):
        assert getattr(a, name) == pytest.approx(getattr(b, name), rel=1e-4, abs=1e-5), name
    assert np.abs(np.sum(a.quaternions * b.quaternions, axis=1)) == pytest.approx(1.0, abs=1e-5)


def write(path: Path, names: list[str], rows: np.ndarray, *, kind: str = "float", head: str = "", order: str = "little",
          count: int | None = None) -> Path:  # fmt: skip
    lines = ["ply", f"format binary_{order}_endian 1.0", *([head] if head else [])]
    lines += [f"element vertex {len(rows) if count is None else count}"]
    lines += [f"property {kind} {name}" for name in names] + ["end_header"]
    dtype = ("<" if order == "little" else ">") + {"float": "f4", "double": "f8", "uchar": "u1"}[kind]
    path.write_bytes(("\n".join(lines) + "\n").encode() + np.asarray(rows, dtype=dtype).tobytes())
    return path


def row(**values: float) -> list[float]:
    defaults = dict.fromkeys(PLAIN, 0.0) | {"rot_0": 2.0, "scale_0": -2.0, "scale_1": -3.0, "scale_2": -4.0}
    return [(defaults | values)[name] for name in PLAIN]


@pytest.mark.parametrize("degree", [0, 1, 2, 3])
def test_ply_round_trip(tmp_path: Path, degree: int) -> None:
    cloud = random_cloud(30, degree)
    save_ply(cloud, tmp_path / "a.ply")
    same(load_cloud(tmp_path / "a.ply"), cloud)


def test_long_files_are_read_in_pieces_without_a_seam(tmp_path: Path) -> None:
    cloud = random_cloud(5000, 1)
    save_ply(cloud, tmp_path / "a.ply")
    same(load_cloud(tmp_path / "a.ply"), cloud)


@pytest.mark.parametrize("suffix", WRITABLE)
def test_writing_twice_gives_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    for name in ("a", "b"):
        save_cloud(random_cloud(30, 1), tmp_path / f"{name}{suffix}")
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()


def test_instances_are_a_property_only_where_there_are_any(tmp_path: Path) -> None:
    cloud = random_cloud(5)
    save_ply(cloud, tmp_path / "named.ply")
    save_ply(cloud.select(cloud.instances == 0), tmp_path / "plain.ply")
    assert b"property int instance_id" in (tmp_path / "named.ply").read_bytes()
    assert b"instance_id" not in (tmp_path / "plain.ply").read_bytes()


@pytest.mark.parametrize("named", [True, False])
def test_parts_are_kept_with_and_without_instances(tmp_path: Path, named: bool) -> None:
    plain = random_cloud(300)
    parts = np.arange(300, dtype=np.int32) % 7
    instances = plain.instances if named else np.zeros(300, np.int32)
    save_ply(dataclasses.replace(plain, instances=instances, parts=parts), tmp_path / "a.ply")
    back = load_cloud(tmp_path / "a.ply")
    assert back.parts.tolist() == parts.tolist()
    assert back.instances.tolist() == instances.tolist()
    save_ply(plain, tmp_path / "b.ply")
    assert b"part_id" not in (tmp_path / "b.ply").read_bytes()
    assert not load_cloud(tmp_path / "b.ply").parts.any()


def test_part_ids_of_other_tools_are_read_by_the_same_rules_as_instance_ids(tmp_path: Path) -> None:
    rows = np.array([[*row(), value] for value in (3, -1, 0)], np.float64)
    write(tmp_path / "a.ply", [*PLAIN, "part_id"], rows, kind="double")
    assert load_cloud(tmp_path / "a.ply").parts.tolist() == [3, 0, 0]


def test_the_values_mean_what_the_reference_implementation_means(tmp_path: Path) -> None:
    names = PLAIN + [f"f_rest_{k}" for k in range(9)]
    values = row(x=1, y=2, z=3, f_dc_0=0.1, f_dc_1=0.2, f_dc_2=0.3, opacity=1.0) + list(range(9))
    cloud = load_cloud(write(tmp_path / "a.ply", names, np.array([values])))
    assert cloud.means[0] == pytest.approx([1, 2, 3])
    assert cloud.scales[0] == pytest.approx(np.exp([-2, -3, -4]))
    assert cloud.opacities[0] == pytest.approx(1 / (1 + np.exp(-1.0)))
    assert cloud.quaternions[0] == pytest.approx([1, 0, 0, 0])
    assert cloud.sh[0] == pytest.approx(np.array([[0.1, 0.2, 0.3], [0, 3, 6], [1, 4, 7], [2, 5, 8]]))


@pytest.mark.parametrize(("kind", "order"), [("float", "little"), ("double", "little"), ("float", "big")])
def test_order_of_properties_number_types_and_unknown_ones_do_not_matter(tmp_path: Path, kind: str, order: str) -> None:
    names = [*PLAIN, "nx", "confidence"]
    values = np.array([[*row(x=1.5, opacity=2.0), 7, 8], [*row(y=-2.5), 9, 9]])
    shuffle = np.random.default_rng(0).permutation(len(names))
    path = write(tmp_path / "a.ply", [names[k] for k in shuffle], values[:, shuffle], kind=kind, order=order)
    cloud = load_cloud(path)
    assert cloud.means == pytest.approx(np.array([[1.5, 0, 0], [0, -2.5, 0]]))
    assert cloud.opacities[0] == pytest.approx(1 / (1 + np.exp(-2.0)))


def test_comments_and_elements_before_and_after_the_vertices(tmp_path: Path) -> None:
    save_ply(random_cloud(3), tmp_path / "a.ply")
    head, end, data = (tmp_path / "a.ply").read_bytes().partition(b"end_header\n")
    head = head.replace(b"element vertex", b"comment made by hand\nelement camera 2\nproperty uchar k\nelement vertex")
    head += b"element face 1\nproperty list uchar int vertex_indices\n"
    (tmp_path / "b.ply").write_bytes(head + end + b"\x01\x02" + data + b"\x00")
    same(load_cloud(tmp_path / "b.ply"), random_cloud(3))


def test_splat_round_trip_keeps_what_the_format_holds(tmp_path: Path) -> None:
    cloud = random_cloud(50)
    save_cloud(cloud, tmp_path / "a.splat")
    back = load_cloud(tmp_path / "a.splat")
    assert np.array_equal(back.means, cloud.means)
    assert np.array_equal(back.scales, cloud.scales)
    assert back.opacities == pytest.approx(cloud.opacities, abs=0.003)
    assert back.base_colors() == pytest.approx(cloud.base_colors(), abs=0.003)
    assert np.abs(np.sum(back.quaternions * cloud.quaternions, axis=1)).min() > 0.999
    assert (tmp_path / "a.splat").stat().st_size == 50 * 32
    assert not back.instances.any()


def test_every_quaternion_component_survives_the_splat_file(tmp_path: Path) -> None:
    quaternions = np.concatenate([np.eye(4), -np.eye(4)])
    cloud = random_cloud(8)
    cloud = GaussianCloud(cloud.means, cloud.scales, quaternions, cloud.opacities, cloud.sh, cloud.instances)
    save_cloud(cloud, tmp_path / "a.splat")
    assert load_cloud(tmp_path / "a.splat").quaternions == pytest.approx(quaternions, abs=0.01)


MESH = b"ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n"


def ply_with(**values: float) -> Callable[[Path], None]:
    return lambda path: write(path, PLAIN, np.array([row(), row(**values)])) and None  # type: ignore[func-returns-value]


def truncated(path: Path) -> None:
    save_ply(random_cloud(10), path)
    path.write_bytes(path.read_bytes()[:-5])


def lying(count: int) -> Callable[[Path], None]:
    return lambda path: write(path, PLAIN, np.array([row()]), count=count) and None  # type: ignore[func-returns-value]


def raw(data: bytes) -> Callable[[Path], None]:
    return lambda path: path.write_bytes(data) and None  # type: ignore[func-returns-value]


@each_row(
    "make, complaint",
    [
        (raw(b""), "no complete PLY header"),
        (raw(b"not a ply at all\n" * 10), "no complete PLY header"),
        (raw(MESH), "no complete PLY header"),
        (raw(MESH + b"end_header"), "no complete PLY header"),
        (raw(MESH + b"end_header\n" + bytes(12)), "without Gaussians .a mesh or a point cloud.*lacks f_dc_0"),
        (raw(b"ply\nformat ascii 1.0\nelement vertex 0\nend_header\n"), "format 'ascii', not binary"),
        (raw(b"ply\nelement vertex 1\nproperty float x\nend_header\n0000"), "does not say its PLY format"),
        (raw(b"ply\nformat binary_little_endian 1.0\nelement vertex -4\nend_header\n"), "makes no sense"),
        (raw(b"ply\nformat binary_little_endian 1.0\nproperty float x\nend_header\n"), "makes no sense"),
        (raw(b"ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty quad x\nend_header\n"), "no sense"),
        (raw(b"ply\nformat binary_little_endian 1.0\nelement face 1\nproperty int a\nend_header\n0000"), "a mesh"),
        (raw(MESH.replace(b"float y", b"float x") + b"end_header\n" + bytes(12)), "plain list of vertices"),
        (raw(MESH.replace(b"float x", b"list uchar int x") + b"end_header\n" + bytes(12)), "plain list of vertices"),
        (lying(2), "announces 2 entries of 56 bytes as .vertex. but ends after"),
        (lying(10**15), "announces 1000000000000000 Gaussians"),
        (lying(10**30), "announces 1000000000000000000000000000000 Gaussians"),
        (raw(b"ply\nformat binary_little_endian 1.0\nelement vertex " + b"9" * 5000 + b"\nend_header\n"), "no sense"),
        (truncated, "truncated or damaged"),
        (lying(0), "holds no Gaussians"),
        (
            ply_with(x=np.nan),
            "1 of 2 Gaussians have means that are not finite; .* --drop-broken. saves",
        ),
        (ply_with(scale_1=np.inf), "1 of 2 Gaussians have scales that"),
        (ply_with(scale_1=1e30), "1 of 2 Gaussians have scales that"),
        (ply_with(opacity=np.nan), "have opacities that are not finite"),
        (ply_with(f_dc_2=-np.inf), "have sh that"),
        (ply_with(rot_2=np.nan), "1 of 2 Gaussians have quaternions that are not finite"),
        (ply_with(rot_0=0.0), "1 of 2 Gaussians have quaternions of length zero"),
        (lambda path: write(path, [*PLAIN, "f_rest_0"], np.array([[*row(), 1]])), "1 f_rest properties"),
        (lambda path: write(path, [*PLAIN, *(f"f_rest_{k}" for k in range(1, 10))], np.zeros((1, 23))), "in a row"),
    ],
)
def test_bad_ply(tmp_path: Path, make: Callable[[Path], None], complaint: str) -> None:
    path = tmp_path / "bad.ply"
    make(path)
    with pytest.raises(FormatError, match=complaint) as caught:
        load_cloud(path)
    assert str(caught.value).startswith(str(path))
    assert str(caught.value).count("\n") == 0


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "has 0 bytes"),
        (bytes(33), "has 33 bytes"),
        (bytes(31), "truncated"),
        (np.array([np.nan] * 8, "<f4").tobytes(), "not finite"),
        (bytes(28) + bytes([128] * 4), "1 of 1 Gaussians have quaternions of length zero; export it again"),
        (np.array([0, 0, 0, -1, 1, 1], "<f4").tobytes() + bytes(8), "negative"),
    ],
)
def test_bad_splat(tmp_path: Path, data: bytes, complaint: str) -> None:
    path = tmp_path / "bad.splat"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=complaint) as caught:
        load_cloud(path)
    assert str(caught.value).startswith(str(path))


def load_or_complaint(path: Path) -> GaussianCloud | str:
    try:
        return load_cloud(path)
    except FormatError as error:
        return str(error)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(60))
@given(data=st.binary(max_size=200), suffix=st.sampled_from(SUFFIXES), ply=st.booleans())
def test_any_bytes_give_a_cloud_or_a_format_error(tmp_path: Path, data: bytes, suffix: str, ply: bool) -> None:
    path = tmp_path / f"any{suffix}"
    path.write_bytes((MESH + b"end_header\n" if ply else b"") + data)
    outcome = load_or_complaint(path)
    assert (str(path) in outcome) if isinstance(outcome, str) else len(outcome) >= 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(60))
@given(position=st.integers(0, 700), value=st.integers(0, 255))
def test_one_wrong_byte_gives_a_cloud_or_a_format_error(tmp_path: Path, position: int, value: int) -> None:
    path = tmp_path / "one.ply"
    save_ply(random_cloud(4), path)
    data = bytearray(path.read_bytes())
    data[position % len(data)] = value
    path.write_bytes(bytes(data))
    outcome = load_or_complaint(path)
    assert (str(path) in outcome) if isinstance(outcome, str) else len(outcome) >= 1


def test_missing_file_folder_and_unknown_kind(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"cannot read .*gone.ply"):
        load_cloud(tmp_path / "gone.ply")
    (tmp_path / "folder.splat").mkdir()
    with pytest.raises(FormatError, match=r"folder\.splat"):
        load_cloud(tmp_path / "folder.splat")
    with pytest.raises(FormatError, match=r"convert the capture to one of \.ply, \.splat, \.spz, \.sog"):
        load_cloud(tmp_path / "scene.obj")
    with pytest.raises(FormatError, match=r"written as \.ply, \.compressed\.ply, \.splat, \.spz"):
        save_cloud(random_cloud(1), tmp_path / "scene.obj")
    with pytest.raises(FormatError, match=r"folder without a cloud; expected coord\.npy"):
        load_cloud(tmp_path)
    with pytest.raises(FormatError, match="no name of a file"):
        load_cloud("zero\0byte.ply")
    assert list(tmp_path.iterdir()) == [tmp_path / "folder.splat"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_pipes_and_devices_are_refused_at_once_and_links_followed(tmp_path: Path, suffix: str) -> None:
    os.mkfifo(tmp_path / f"pipe{suffix}")
    (tmp_path / f"device{suffix}").symlink_to("/dev/zero")
    (tmp_path / f"loop{suffix}").symlink_to(f"loop{suffix}")
    for name in ("pipe", "device"):
        with pytest.raises(FormatError, match="a folder, a pipe or a device"):
            load_cloud(tmp_path / f"{name}{suffix}")
    with pytest.raises(FormatError, match=f"cannot read .*loop{suffix}"):
        load_cloud(tmp_path / f"loop{suffix}")
    save_ply(random_cloud(3), tmp_path / "real.ply")
    (tmp_path / "link.ply").symlink_to("real.ply")
    same(load_cloud(tmp_path / "link.ply"), random_cloud(3))


def test_a_sparse_file_of_huge_size_is_refused_without_reading_it(tmp_path: Path) -> None:
    for suffix in SUFFIXES:
        with (tmp_path / f"huge{suffix}").open("wb") as file:
            file.truncate(1 << 40)
        with pytest.raises(FormatError, match=r"at most 50000000|no complete|no \.spz|no ZIP"):
            load_cloud(tmp_path / f"huge{suffix}")


def test_broken_gaussians_are_dropped_on_request(tmp_path: Path) -> None:
    broken = [row(x=np.nan), row(scale_2=np.inf), row(rot_0=0.0), row(opacity=np.nan), row(f_dc_1=np.inf)]
    path = write(tmp_path / "a.ply", PLAIN, np.array([row(x=1), *broken, row(x=2)]))
    loaded = read_cloud(path, broken="drop")
    assert loaded.dropped == 5
    assert loaded.cloud.means[:, 0].tolist() == [1, 2]
    assert loaded.stored == path.stat().st_size
    with pytest.raises(FormatError) as caught:
        load_cloud(path)
    for found in ("1 of 7 Gaussians have means", "1 of 7 Gaussians have quaternions of length zero"):
        assert found in str(caught.value)
    write(path, PLAIN, np.array(broken))
    with pytest.raises(FormatError, match="export it again"):
        load_cloud(path, broken="drop")


def test_ids_of_no_instance_become_zero_and_huge_ones_are_refused(tmp_path: Path) -> None:
    def ids_of(kind: str, *ids: float) -> list[int]:
        rows = np.array([[*row(), value] for value in ids], np.float64)
        write(tmp_path / "a.ply", [*PLAIN, "instance_id"], rows, kind=kind)
        return load_cloud(tmp_path / "a.ply").instances.tolist()

    assert ids_of("float", 3, -1, np.nan, 0) == [3, 0, 0, 0]
    assert ids_of("double", 70000, -5) == [70000, 0]
    with pytest.raises(FormatError, match=r"instance id 3000000000\.0, which does not fit into 32 bits"):
        ids_of("double", 3e9)


@each_row("degree", [0, 1, 2, 3])
@each_row("kind", ["ply", "compressed ply", "splat", "spz 3"])
def test_formats_agree_on_what_a_cloud_is(tmp_path: Path, kind: str, degree: int) -> None:
    cloud = small_cloud(40, degree)
    found = in_order_of(load_cloud(KINDS[kind](tmp_path, cloud)), cloud)
    assert found.means == pytest.approx(cloud.means, abs=0.005)
    assert np.log(found.scales) == pytest.approx(np.log(cloud.scales), abs=0.04)
    assert found.opacities == pytest.approx(cloud.opacities, abs=0.003)
    assert found.base_colors() == pytest.approx(cloud.base_colors(), abs=0.005)
    assert turned_apart(found, cloud) < 1e-4
    if kind != "splat":
        assert found.sh[:, 1:] == pytest.approx(cloud.sh[:, 1:], abs=0.07)


def test_losses_say_what_a_file_does_not_hold(tmp_path: Path) -> None:
    cloud = small_cloud(30, 2)
    named = int((cloud.instances != 0).sum())
    assert losses(cloud, "a.ply") == []
    assert losses(cloud, "a.splat")[:2] == [f"the instance ids of {named} Gaussians", "harmonics of degree 1 to 2"]
    assert "the order of the Gaussians" in losses(cloud, "a.compressed.ply")
    assert losses(cloud.select(cloud.instances == 0), "a.spz") == ["precision of all values"]
    parted = dataclasses.replace(cloud, parts=np.ones(len(cloud), np.int32))
    assert "the part ids of 30 Gaussians" in losses(parted, "a.spz")
    assert losses(parted, "a.ply") == []
    with pytest.raises(FormatError, match="clouds are written as"):
        losses(cloud, "a.sog")


def test_an_empty_cloud_is_written_only_where_the_format_allows_it(tmp_path: Path) -> None:
    for name in ("a.compressed.ply", "a.spz"):
        with pytest.raises(FormatError, match="the cloud is empty"):
            save_cloud(GaussianCloud.empty(), tmp_path / name)
    save_cloud(GaussianCloud.empty(), tmp_path / "a.ply")
    assert [path.name for path in tmp_path.iterdir()] == ["a.ply"]


@pytest.mark.parametrize(
    ("name", "count"), [("plant/plant.splat", 113648), ("tarot/academic_tarot_cards.splat", 114865)]
)
def test_real_captures(data_folder: Path, name: str, count: int) -> None:
    path = data_folder / "splats" / name
    if not path.is_file():
        pytest.skip(f"{path} is absent")
    cloud = load_cloud(path)
    assert len(cloud) == count
    assert np.ptp(cloud.means, axis=0).max() == pytest.approx(1.0, abs=1e-3)
