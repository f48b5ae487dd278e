"""The numbers in ``.spz`` files and what they mean; see ``spz`` for the files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.splats.cloud import Floats, GaussianCloud
from vantage.splats.formats import smallest_three
from vantage.splats.formats.reading import RawGaussians

COLOR_SCALE = 0.15
SH_STEP_1 = 8  # of 1/128, degree 1
SH_STEP_REST = 16

_MOST_COEFFICIENTS = 16
_XYZW_TO_WXYZ = (3, 0, 1, 2)
_WXYZ_TO_XYZW = (1, 2, 3, 0)


def decode(version: int, count: int, coefficients: int, fraction_bits: int, parts: Mapping[str, bytes]) -> RawGaussians:
    """Gaussians of the parts of a file, each of the length its version asks for."""
    bytes_of = {name: np.frombuffer(part, np.uint8) for name, part in parts.items()}
    k = min(coefficients, _MOST_COEFFICIENTS)
    sh = np.empty((count, k, 3), np.float32)
    sh[:, 0] = (bytes_of["colors"].reshape(count, 3) / np.float32(255) - 0.5) / COLOR_SCALE
    harmonics = bytes_of["harmonics"].reshape(count, coefficients - 1, 3)[:, : k - 1]
    sh[:, 1:] = (harmonics.astype(np.float32) - 128) / 128
    if version == 1:
        means = np.frombuffer(parts["positions"], "<f2").astype(np.float32)
    else:
        means = _fixed_point(bytes_of["positions"]) * np.float32(0.5**fraction_bits)
    rotations = bytes_of["quaternions"].reshape(count, -1)
    return RawGaussians(
        means=means.reshape(count, 3),
        scales=np.exp(bytes_of["scales"].reshape(count, 3) / np.float32(16) - 10),
        quaternions=_first_three(rotations) if version < 3 else _smallest_three(parts["quaternions"]),
        opacities=np.asarray(bytes_of["opacities"] / np.float32(255), np.float32),
        sh=sh,
    )


def _fixed_point(values: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Signed 24-bit little-endian integers as floats: shifted down from the top of 32 bits, which keeps the sign."""
    wide = np.zeros((len(values) // 3, 4), np.uint8)
    wide[:, 1:] = values.reshape(-1, 3)
    return (wide.reshape(-1).view("<i4") >> 8).astype(np.float32)


def _first_three(rotations: NDArray[np.uint8]) -> Floats:
    """x, y, z in a byte each; w is positive and follows from the length."""
    xyz = rotations.astype(np.float32) / np.float32(127.5) - 1
    return smallest_three.join(xyz, np.zeros(len(xyz), np.intp))


def _smallest_three(rotations: bytes) -> Floats:
    """The index of the largest of x, y, z, w in 2 bits, then sign and 9 bits for each of the others."""
    words = np.frombuffer(rotations, "<u4")
    fields = (words[:, None] >> np.array([20, 10, 0], np.uint32)) & np.uint32(1023)
    sizes = (fields & 511) * np.float32(smallest_three.BOUND / 511)
    three = np.where(fields & 512, -sizes, sizes)
    return smallest_three.join(three, (words >> np.uint32(30)).astype(np.intp))[:, _XYZW_TO_WXYZ]


def encode(cloud: GaussianCloud, fraction_bits: int) -> Iterator[bytes]:
    """The parts of a file of version 3 in its order."""
    fixed = np.rint(np.ldexp(cloud.means.astype(np.float64), fraction_bits)).clip(-(1 << 23), (1 << 23) - 1)
    yield fixed.astype("<i4").reshape(-1, 1).view(np.uint8)[:, :3].tobytes()
    yield _bytes(cloud.opacities * 255.0)
    yield _bytes(cloud.sh[:, 0] * (COLOR_SCALE * 255.0) + 127.5)
    with np.errstate(divide="ignore"):
        yield _bytes((np.log(cloud.scales.astype(np.float64)) + 10.0) * 16.0)
    three, largest = smallest_three.split(cloud.quaternions[:, _WXYZ_TO_XYZW].astype(np.float64))
    words = largest.astype(np.uint32)
    for column in range(3):
        size = np.rint(np.abs(three[:, column]) * (511 / smallest_three.BOUND)).clip(0, 511).astype(np.uint32)
        words = (words << np.uint32(10)) | size | ((three[:, column] < 0).astype(np.uint32) << np.uint32(9))
    yield words.astype("<u4").tobytes()
    steps = np.array([SH_STEP_1] * 3 + [SH_STEP_REST] * 12)[: cloud.sh.shape[1] - 1, None]
    yield _bytes(np.rint(cloud.sh[:, 1:].astype(np.float64) * 128 / steps) * steps + 128)


def _bytes(values: NDArray[Any]) -> bytes:
    return bytes(np.rint(values).clip(0, 255).astype(np.uint8).tobytes())
