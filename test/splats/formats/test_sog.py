"""SOG scenes: archives and folders, what their pixels mean, and what is wrong with damaged or hostile ones."""

from __future__ import annotations

import json
import os
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from row_tables import each_row
from splat_files import (
    assert_same,
    in_order_of,
    read_elsewhere,
    small_cloud,
    sog_files,
    turned_apart,
    webp,
    write_archive,
    write_folder,
    written_elsewhere,
)

from vantage.errors import FormatError
from vantage.splats.formats.clouds import load_cloud, read_cloud
from vantage.splats.formats.sog import decode_rgba, size_of_image

Files = dict[str, bytes]


def changed(**entries: Any) -> Callable[[Files], Files]:
    """Other entries of ``meta.json``; ``a__b`` is b in a, None removes."""

    def change(files: Files) -> Files:
        meta = json.loads(files["meta.json"])
        for name, value in entries.items():
            *parts, last = name.split("__")
            place = meta
            for part in parts:
                place = place[part]
            if value is None:
                del place[last]
            else:
                place[last] = value
        return files | {"meta.json": json.dumps(meta).encode()}

    return change


def with_file(name: str, data: bytes) -> Callable[[Files], Files]:
    return lambda files: files | {name: data}


def without(name: str) -> Callable[[Files], Files]:
    return lambda files: {key: data for key, data in files.items() if key != name}


@each_row("degree", [0, 1, 2, 3])
@each_row("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, None])
def test_values_of_archives_and_folders(tmp_path: Path, degree: int, method: int | None) -> None:
    cloud = small_cloud(70, degree)
    if method is None:
        loaded = read_cloud(write_folder(tmp_path / "scene", sog_files(cloud)))
        assert loaded.stored == sum(map(len, sog_files(cloud).values()))
        assert np.array_equal(load_cloud(tmp_path / "scene" / "meta.json").means, loaded.cloud.means)
    else:
        loaded = read_cloud(write_archive(tmp_path / "a.sog", sog_files(cloud), method))
    found = loaded.cloud
    assert found.means == pytest.approx(cloud.means, rel=1e-3, abs=1e-4)
    assert found.scales == pytest.approx(cloud.scales, rel=1e-5)
    assert turned_apart(found, cloud) < 1e-4
    assert found.opacities == pytest.approx(cloud.opacities, abs=0.5001 / 255)
    assert found.sh[:, 0] == pytest.approx(cloud.sh[:, 0], abs=1e-6)
    assert found.sh[:, 1:] == pytest.approx(cloud.sh[:, 1:], abs=0.5001 / 127)
    assert found.degree == degree


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_archives_of_another_writer(tmp_path: Path, degree: int) -> None:
    cloud = small_cloud(300, degree)
    path = written_elsewhere(cloud, tmp_path / "a.sog")
    found = load_cloud(path)
    assert_same(found, read_elsewhere(path))
    original = cloud.select(cloud.instances == 0)
    assert in_order_of(found, original).means == pytest.approx(original.means, abs=1e-3)


def test_pixels_mean_what_the_specification_says(tmp_path: Path) -> None:
    names = {"means": ["a.webp", "b.webp"], "scales": ["c.webp"], "quats": ["d.webp"], "sh0": ["e.webp"]}
    meta: dict[str, Any] = {name: {"files": files} for name, files in names.items()}
    meta["means"] |= {"mins": [-1.0, 0.0, np.log(3)], "maxs": [-1.0, np.log(11), np.log(5)]}
    meta["scales"]["codebook"], meta["sh0"]["codebook"] = [-3.0, -2.0, -1.0], [0.5, -0.5]
    files = {
        "meta.json": json.dumps({"version": 2, "count": 2, **meta}).encode(),
        "a.webp": webp([[0, 255, 0, 255], [0, 0, 255, 255]]),
        "b.webp": webp([[0, 255, 0, 255], [0, 0, 255, 255]]),
        "c.webp": webp([[0, 1, 2, 255], [2, 2, 2, 255]]),
        "d.webp": webp([[255, 128, 128, 253], [128, 128, 128, 252]]),
        "e.webp": webp([[0, 1, 0, 51], [1, 1, 1, 255]]),
    }
    cloud = load_cloud(write_archive(tmp_path / "a.sog", files))
    assert cloud.means == pytest.approx(np.array([[1 - np.e, 10, 2], [1 - np.e, 0, 4]]), abs=1e-5)
    assert np.log(cloud.scales) == pytest.approx(np.array([[-3, -2, -1], [-1, -1, -1]]))
    assert cloud.quaternions == pytest.approx(np.array([[0.707, 0.707, 0, 0], [1, 0, 0, 0]]), abs=0.005)
    assert cloud.sh[:, 0] == pytest.approx(np.array([[0.5, -0.5, 0.5], [-0.5] * 3]))
    assert cloud.opacities == pytest.approx([0.2, 1.0])


LOSSY = cv2.imencode(".webp", np.zeros((16, 16, 3), np.uint8), [cv2.IMWRITE_WEBP_QUALITY, 50])[1].tobytes()
PNG = cv2.imencode(".png", np.zeros((16, 16, 3), np.uint8))[1].tobytes()


def announcing(width: int, height: int) -> bytes:
    """The header of a lossless image of any size."""
    bits = (width - 1) | (height - 1) << 14
    return b"RIFF\x1e\0\0\0WEBPVP8L\x11\0\0\0\x2f" + bits.to_bytes(4, "little") + bytes(20)


WRONG: list[tuple[Callable[[Files], Files], str]] = [
    (without("meta.json"), "holds no meta.json"),
    (without("quats.webp"), "holds no quats.webp"),
    (with_file("meta.json", b""), "is not JSON"),
    (with_file("meta.json", b"\xff\xfe"), "is not JSON"),
    (with_file("meta.json", b"[" * 100_000), "is not JSON"),
    (with_file("meta.json", b"[" * 300_000), "more than the 262144 bytes it can need"),
    (with_file("meta.json", b"1" * 5000), "is not"),
    (with_file("meta.json", b"[2]"), "not of SOG version 2"),
    (changed(version=1), "not of SOG version 2"),
    (changed(version=None), "not of SOG version 2"),
    (changed(count="20"), "'count' in meta.json must be a whole number"),
    (changed(count=-3), "'count' in meta.json must be a whole number"),
    (changed(count=10**40), "'count' in meta.json must be a whole number"),
    (changed(count=0), "holds no Gaussians"),
    (changed(count=10**9), "at most 50000000"),
    (changed(count=40_000_000), "40000000 Gaussians in only"),
    (changed(count=25), "8 x 3 pixels for 25 Gaussians"),
    (changed(means=[]), "must be a list"),
    (changed(means__mins=[1, 2]), "lacks bounds of the positions"),
    (changed(means__maxs=[1, 2, "3"]), "must be finite numbers"),
    (changed(means__maxs=[1, 2, float("inf")]), "must be finite numbers"),
    (changed(means__maxs=[900, 900, 900], means__mins=[800, 800, 800]), "20 of 20 Gaussians have means"),
    (changed(means__files=["means_l.webp"]), "must be a list of names of images"),
    (changed(means__files=["means_l.webp", 3]), "must be a list of names of images"),
    (changed(quats__files=["../quats.webp"]), "names of images without any folder"),
    (changed(quats__files=["/etc/passwd"]), "names of images without any folder"),
    (changed(quats__files=["a\\..\\b.webp"]), "names of images without any folder"),
    (changed(quats__files=[".."]), "names of images without any folder"),
    (changed(quats__files=["a\0b"]), "names of images without any folder"),
    (changed(quats__files=["a\nb"]), "names of images without any folder"),
    (changed(quats__files=[""]), "names of images without any folder"),
    (changed(scales__codebook=[]), "a list of up to 256 numbers"),
    (changed(scales__codebook=[0.0] * 257), "a list of up to 256 numbers"),
    (changed(scales__codebook=[-3.0] * 30), "have scales that are not finite"),
    (changed(sh0__codebook=[True] * 256), "must be finite numbers"),
    (changed(shN__bands=4), "harmonics of degree 4"),
    (changed(shN__bands=2), "no palette of 20 entries"),
    (changed(shN__count=0), "no palette of 0 entries"),
    (changed(shN__count=65), "no palette of 65 entries"),
    (changed(shN__count=19), "1 Gaussians whose harmonics are not among its 19 entries"),
    (with_file("quats.webp", b""), "quats.webp is no lossless WebP image"),
    (with_file("quats.webp", LOSSY), "quats.webp is no lossless WebP image"),
    (with_file("quats.webp", PNG), "quats.webp is no lossless WebP image"),
    (with_file("quats.webp", announcing(16384, 16384)), "16384 x 16384 pixels, far more than Gaussians"),
    (with_file("quats.webp", announcing(8, 3)), "quats.webp is a damaged WebP image"),
    (with_file("quats.webp", webp(np.zeros((20, 4)))), "20 of 20 Gaussians have quaternions of length zero"),
    (with_file("quats.webp", bytes(1 << 20)), "more than the"),
    (with_file("shN_centroids.webp", webp(np.zeros((64, 4)))), "no palette"),
]


@each_row("change, complaint", WRONG)
@each_row("archive", [True, False])
def test_damaged_scenes(tmp_path: Path, change: Callable[[Files], Files], complaint: str, archive: bool) -> None:
    files = change(sog_files(small_cloud(20, 1)))
    if not archive and "meta.json" not in files:
        complaint = "a folder without a cloud"
    elif not archive and "quats.webp" not in files:
        complaint = r"cannot read .*quats\.webp: No such file"
    elif not archive:
        complaint = complaint.replace("more than the 262144 bytes", "more than").replace("more than the", "more than")
    path = write_archive(tmp_path / "a.sog", files) if archive else write_folder(tmp_path / "scene", files)
    with pytest.raises(FormatError, match=complaint) as caught:
        load_cloud(path)
    assert str(path) in str(caught.value)
    assert str(caught.value).isprintable()


def test_some_pixels_without_a_rotation_are_broken_gaussians(tmp_path: Path) -> None:
    files = sog_files(small_cloud(20, 0))
    pixels = decode_rgba(files["quats.webp"], 8, 3, "quats")[:20].copy()
    pixels[3, 3] = 7
    path = write_archive(tmp_path / "a.sog", files | {"quats.webp": webp(pixels)})
    with pytest.raises(FormatError, match="1 of 20 Gaussians have quaternions of length zero"):
        load_cloud(path)
    assert len(load_cloud(path, broken="drop")) == 19


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"PK\x05\x06" + bytes(18), bytes(1000)])
def test_what_is_no_archive(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.sog").write_bytes(data)
    with pytest.raises(FormatError, match=r"no ZIP archive|holds no meta\.json"):
        load_cloud(tmp_path / "a.sog")


def test_archives_packed_or_locked_in_another_way(tmp_path: Path) -> None:
    files = sog_files(small_cloud(5, 0))
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        with pytest.raises(FormatError, match="in a way that SOG files do not"):
            load_cloud(write_archive(tmp_path / "a.sog", files, method))
    data = write_archive(tmp_path / "a.sog", files).read_bytes()
    locked = data.replace(b"PK\x03\x04\x14\0\0\0", b"PK\x03\x04\x14\0\1\0")
    locked = locked.replace(b"PK\x01\x02\x14\x03\x14\0\0\0", b"PK\x01\x02\x14\x03\x14\0\1\0")
    assert locked != data
    (tmp_path / "a.sog").write_bytes(locked)
    with pytest.raises(FormatError, match="no ZIP archive, or a damaged one"):
        load_cloud(tmp_path / "a.sog")


def test_a_file_cut_anywhere_is_refused(tmp_path: Path) -> None:
    data = write_archive(tmp_path / "a.sog", sog_files(small_cloud(2, 0))).read_bytes()
    for length in range(0, len(data), 7):
        (tmp_path / "cut.sog").write_bytes(data[:length])
        with pytest.raises(FormatError, match="no ZIP archive"):
            load_cloud(tmp_path / "cut.sog")


def test_bombs_are_not_unpacked(tmp_path: Path) -> None:
    """A member that unpacks to 200 MB, and an image of 1 GB of pixels, take little memory."""
    files = sog_files(small_cloud(20, 0))
    bombs = {"meta.json": b" " * (200 << 20), "sh0.webp": bytes(200 << 20), "quats.webp": announcing(16000, 16000)}
    for name, data in bombs.items():
        path = write_archive(tmp_path / "bomb.sog", files | {name: data}, zipfile.ZIP_DEFLATED)
        assert path.stat().st_size < 1 << 20
        tracemalloc.start()
        try:
            with pytest.raises(FormatError, match="more than"):
                load_cloud(path)
            assert tracemalloc.get_traced_memory()[1] < 10 << 20
        finally:
            tracemalloc.stop()


def test_pipes_in_a_folder_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_folder(tmp_path / "scene", sog_files(small_cloud(5, 0)))
    (folder / "quats.webp").unlink()
    os.mkfifo(folder / "quats.webp")
    with pytest.raises(FormatError, match=r"quats\.webp is a folder, a pipe or a device"):
        load_cloud(folder)
    monkeypatch.chdir(folder)
    with pytest.raises(FormatError, match="pipe"):
        load_cloud("meta.json")


def test_headers_of_images_in_the_extended_layout() -> None:
    plain = webp(np.zeros((16, 4)))
    body = plain[12:]
    canvas = b"VP8X\x0a\0\0\0" + bytes([16, 0, 0, 0]) + (7).to_bytes(3, "little") + (1).to_bytes(3, "little")
    extended = b"RIFF" + (4 + len(canvas) + len(body)).to_bytes(4, "little") + b"WEBP" + canvas + body
    assert size_of_image(extended, "x") == size_of_image(plain, "x") == (8, 2)
    assert decode_rgba(extended, 8, 2, "x").shape == (16, 4)
    animated = extended.replace(canvas[:9], canvas[:8] + bytes([18]))
    with pytest.raises(FormatError, match="no lossless WebP"):
        size_of_image(animated, "x")


def test_real_captures_named_meta_json_that_are_something_else(tmp_path: Path) -> None:
    (tmp_path / "meta.json").write_text('{"title": "a plant", "license": "CC BY 4.0"}')
    with pytest.raises(FormatError, match="not of SOG version 2"):
        load_cloud(tmp_path)
