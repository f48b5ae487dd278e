"""Small cloud files of every format, written plainly from the formats' descriptions: what the readers are tested on."""

from __future__ import annotations

import gzip
import json
import math
import struct
import sys
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2
import gaussforge
import numpy as np
import pytest
from plain_renderer import random_cloud

from vantage.splats.cloud import GaussianCloud
from vantage.splats.formats.clouds import save_cloud
from vantage.splats.harmonics import C0

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def small_cloud(count: int = 20, degree: int = 1, seed: int = 0) -> GaussianCloud:
    """A cloud whose values all formats can hold: harmonics within +-1, colours within 0..1, instances."""
    cloud = random_cloud(count, degree, seed)
    rng = np.random.default_rng(seed)
    sh = rng.uniform(-0.9, 0.9, cloud.sh.shape)
    return GaussianCloud(cloud.means, cloud.scales, cloud.quaternions, cloud.opacities, sh, cloud.instances)


def in_order_of(found: GaussianCloud, cloud: GaussianCloud) -> GaussianCloud:
    """The Gaussians of ``found`` in the order of those of ``cloud`` that they are nearest to."""
    distances = np.linalg.norm(found.means[None] - cloud.means[:, None], axis=2)
    order = distances.argmin(axis=1)
    assert len(set(order)) == len(cloud)
    return found.select(order)


def turned_apart(a: GaussianCloud, b: GaussianCloud) -> float:
    """The largest of 1 - cos of half the angle between the rotations of two clouds."""
    return float(1 - np.abs(np.sum(a.quaternions.astype(np.float64) * b.quaternions, axis=1)).min())


def read_elsewhere(path: Path) -> GaussianCloud:
    """The cloud as gaussforge reads it, which holds the reference reader of ``.spz``."""
    found = gaussforge.GaussForge().read(path.read_bytes(), path.name.partition(".")[2])
    assert "error" not in found, found
    values = found["data"]
    n = values["numPoints"]

    def part(name: str, width: int) -> Any:
        return np.frombuffer(values[name], np.float32).reshape(n, width)

    quaternions = part("rotations", 4)
    sh = np.concatenate([part("colors", 3), part("sh", len(values["sh"]) // (4 * n))], axis=1)
    return GaussianCloud(
        part("positions", 3),
        np.exp(part("scales", 3)),
        quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True),
        1 / (1 + np.exp(-part("alphas", 1)[:, 0])),
        sh.reshape(n, -1, 3),
        np.zeros(n, np.int32),
    )


def written_elsewhere(cloud: GaussianCloud, path: Path) -> Path:
    """A file that gaussforge made of the PLY file of a cloud."""
    save_cloud(cloud.select(cloud.instances == 0), path.with_suffix(".ply"))
    data = path.with_suffix(".ply").read_bytes()
    made = gaussforge.GaussForge().convert(data, "ply", path.name.partition(".")[2])
    assert "error" not in made, made
    path.write_bytes(made["data"])
    return path


def assert_same(a: GaussianCloud, b: GaussianCloud) -> None:
    """Equal but for rounding in float32."""
    assert a.means == pytest.approx(b.means, rel=1e-5, abs=1e-5)
    assert a.scales == pytest.approx(b.scales, rel=1e-5)
    assert turned_apart(a, b) < 1e-6
    assert a.opacities == pytest.approx(b.opacities, abs=2e-3)  # of 0 and 1 it keeps only the logit of nearby values
    assert a.sh == pytest.approx(b.sh, abs=1e-5)


def gz(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)


def spz_bytes(
    cloud: GaussianCloud, version: int, extensions: bytes = b"", bits: int = 12, degree4: bool = False
) -> bytes:
    """An ``.spz`` file; with ``degree4`` each Gaussian has nine more coefficients of an unused degree."""

    def byte(value: float) -> int:
        return max(0, min(255, round(value)))

    parts: dict[str, bytearray] = {name: bytearray() for name in ("means", "alpha", "color", "scale", "turn", "sh")}
    for k in range(len(cloud)):
        for value in cloud.means[k].tolist():
            fixed = round(value * 2**bits).to_bytes(4, "little", signed=True)[:3]
            parts["means"] += struct.pack("<e", value) if version == 1 else fixed
        parts["alpha"].append(byte(cloud.opacities[k] * 255))
        parts["color"] += bytes(byte((0.5 + 0.15 * value) * 255) for value in cloud.sh[k, 0])
        parts["scale"] += bytes(byte((math.log(value) + 10) * 16) for value in cloud.scales[k])
        w, x, y, z = cloud.quaternions[k].tolist()
        parts["turn"] += first_three(x, y, z, w) if version < 3 else smallest_three([x, y, z, w])
        rest = cloud.sh[k, 1:].reshape(-1).tolist() + [0.3] * (27 if degree4 else 0)
        parts["sh"] += bytes(byte(128 + 128 * value) for value in rest)
    degree, flags = 4 if degree4 else cloud.degree, 2 if extensions else 0
    if version < 4:
        header = struct.pack("<4sIIBBBB", b"NGSP", version, len(cloud), degree, bits, flags, 0)
        return gz(header + b"".join(parts.values()) + extensions)
    streams = [(zstd.compress(bytes(part)), len(part)) for part in parts.values() if part]
    start = 32 + len(extensions)
    header = struct.pack("<4sIIBBBBI12x", b"NGSP", 4, len(cloud), degree, bits, flags, len(streams), start)
    sizes = b"".join(struct.pack("<QQ", len(packed), size) for packed, size in streams)
    return header + extensions + sizes + b"".join(packed for packed, _ in streams)


def first_three(x: float, y: float, z: float, w: float) -> bytes:
    sign = -1 if w < 0 else 1
    return bytes(max(0, min(255, round(sign * value * 127.5 + 127.5))) for value in (x, y, z))


def smallest_three(xyzw: list[float]) -> bytes:
    largest = max(range(4), key=lambda k: abs(xyzw[k]))
    word = largest
    for k in range(4):
        if k != largest:
            negative = (xyzw[k] < 0) != (xyzw[largest] < 0)
            word = word << 10 | negative << 9 | round(511 * min(abs(xyzw[k]) * math.sqrt(2), 1.0))
    return word.to_bytes(4, "little")


def webp(pixels: Any, width: int = 8) -> bytes:
    """A lossless image of rows of RGBA, filled up with zeros."""
    rgba = np.asarray(pixels, np.uint8).reshape(-1, 4)
    height = -(-len(rgba) // width)
    image = np.zeros((height * width, 4), np.uint8)
    image[: len(rgba)] = rgba
    bgra = image.reshape(height, width, 4)[..., [2, 1, 0, 3]]
    return cv2.imencode(".webp", np.ascontiguousarray(bgra), [cv2.IMWRITE_WEBP_QUALITY, 101])[1].tobytes()


def sog_files(cloud: GaussianCloud) -> dict[str, bytes]:
    """The files of a SOG scene by name. Scales and base colours are kept exactly: each gets a place in its table."""
    n, k = len(cloud), cloud.sh.shape[1] - 1
    assert n <= 85, "three values for each Gaussian must fit into a table of 256"
    logs = np.sign(cloud.means) * np.log1p(np.abs(cloud.means.astype(np.float64)))
    low, high = logs.min(axis=0), logs.max(axis=0)
    words = np.rint((logs - low) / (high - low) * 65535).astype(int)
    full = np.full((n, 1), 255)
    places = np.arange(3 * n).reshape(n, 3)
    quaternions = cloud.quaternions.astype(np.float64)
    largest = np.abs(quaternions).argmax(axis=1)
    signed = quaternions * np.sign(quaternions[np.arange(n), largest])[:, None]
    three = np.array([np.delete(q, which) for q, which in zip(signed, largest, strict=True)])
    files = {
        "means_l.webp": webp(np.hstack([words & 255, full])),
        "means_u.webp": webp(np.hstack([words >> 8, full])),
        "scales.webp": webp(np.hstack([places, full])),
        "quats.webp": webp(np.hstack([np.rint((three / math.sqrt(2) + 0.5) * 255), largest[:, None] + 252])),
        "sh0.webp": webp(np.hstack([places, np.rint(cloud.opacities[:, None] * 255)])),
    }
    meta: dict[str, Any] = {
        "version": 2,
        "count": n,
        "means": {"mins": low.tolist(), "maxs": high.tolist(), "files": ["means_l.webp", "means_u.webp"]},
        "scales": {"codebook": np.log(cloud.scales.astype(np.float64)).ravel().tolist(), "files": ["scales.webp"]},
        "quats": {"files": ["quats.webp"]},
        "sh0": {"codebook": cloud.sh[:, 0].ravel().tolist(), "files": ["sh0.webp"]},
    }
    if k:
        table = np.linspace(-1, 1, 256)
        palette = np.zeros((-(-n // 64) * 64, k, 4))
        palette[:n, :, :3] = np.rint((cloud.sh[:, 1:] + 1) / 2 * 255)
        palette[..., 3] = 255
        files["shN_centroids.webp"] = webp(palette, width=64 * k)
        labels = np.arange(n)
        files["shN_labels.webp"] = webp(np.stack([labels & 255, labels >> 8, 0 * labels, 0 * labels + 255], axis=1))
        names = ["shN_centroids.webp", "shN_labels.webp"]
        meta["shN"] = {"count": n, "bands": cloud.degree, "codebook": table.tolist(), "files": names}
    return {"meta.json": json.dumps(meta).encode(), **files}


def write_archive(path: Path, files: Mapping[str, bytes], method: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return path


def write_folder(folder: Path, files: Mapping[str, bytes]) -> Path:
    folder.mkdir(parents=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def write_scenesplat(folder: Path, cloud: GaussianCloud, **labels: Any) -> Path:
    """The preprocessed properties of a cloud, and files of the names and values in ``labels``."""
    folder.mkdir(parents=True)
    colors = (np.clip(0.5 + C0 * cloud.sh[:, 0], 0, 1) * 255).astype(np.uint8)
    parts = {"coord": cloud.means, "color": colors, "opacity": cloud.opacities, "scale": cloud.scales}
    for name, values in (parts | {"quat": cloud.quaternions} | labels).items():
        np.save(folder / f"{name}.npy", values)
    return folder


def _saved(name: str) -> Callable[[Path, GaussianCloud], Path]:
    def write(folder: Path, cloud: GaussianCloud) -> Path:
        save_cloud(cloud, folder / name)
        return folder / name

    return write


def _spz(version: int) -> Callable[[Path, GaussianCloud], Path]:
    def write(folder: Path, cloud: GaussianCloud) -> Path:
        path = folder / f"v{version}.spz"
        path.write_bytes(spz_bytes(cloud, version))
        return path

    return write


# Every kind of file that is read, and a function that writes one into a folder.
KINDS: dict[str, Callable[[Path, GaussianCloud], Path]] = {
    "ply": _saved("cloud.ply"),
    "compressed ply": _saved("cloud.compressed.ply"),
    "splat": _saved("cloud.splat"),
    "spz 1": _spz(1),
    "spz 2": _spz(2),
    "spz 3": _spz(3),
    "spz 4": _spz(4),
    "sog": lambda folder, cloud: write_archive(folder / "cloud.sog", sog_files(cloud)),
    "sog packed": lambda folder, cloud: write_archive(folder / "packed.sog", sog_files(cloud), zipfile.ZIP_DEFLATED),
    "sog folder": lambda folder, cloud: write_folder(folder / "sog", sog_files(cloud)),
    "scenesplat": lambda folder, cloud: write_scenesplat(
        folder / "properties", cloud, instance=cloud.instances - 1, segment=cloud.instances % 3 - 1
    ),
}
