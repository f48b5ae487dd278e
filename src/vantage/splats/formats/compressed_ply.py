"""Compressed PLY files of PlayCanvas and SuperSplat: 16 bytes for each Gaussian, and one for each SH coefficient.

Source: the reader and writer of playcanvas/splat-transform. Element ``chunk`` holds, for every 256 Gaussians, the
bounds of positions, of logarithms of scales and, in newer files, of colours; ``vertex`` holds four 32-bit words that
place a Gaussian within these bounds, from the most significant bit: position and scale in 11, 10 and 11 bits; the
index of the largest component of the quaternion w x y z in 2 bits, the others in 10 bits each; red, green, blue and
opacity in 8 bits each. The optional ``sh`` holds ``f_rest`` in 8 bits, -4..4, in the order of the uncompressed file.
The frame is that of the PLY file a capture was made from.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from vantage.errors import FormatError
from vantage.files import replacing
from vantage.splats.cloud import Floats, GaussianCloud
from vantage.splats.formats import smallest_three
from vantage.splats.formats.ply import Element
from vantage.splats.formats.raw_gaussians import AGAIN, RawGaussians, check_count, size_of
from vantage.splats.harmonics import C0, COEFFICIENTS

CHUNK = 256
SH_BOUND = 4.0
LOG_SCALE_BOUND = 20.0
_BITS = {"position": (11, 10, 11), "rotation": (2, 10, 10, 10), "scale": (11, 10, 11), "color": (8, 8, 8, 8)}
_WORDS = tuple(f"packed_{name}" for name in _BITS)
_AXES = ("x", "y", "z")


def _bounds(prefix: str, names: tuple[str, ...]) -> tuple[list[str], list[str]]:
    return [f"min_{prefix}{name}" for name in names], [f"max_{prefix}{name}" for name in names]


_POSITIONS, _SCALES, _COLORS = _bounds("", _AXES), _bounds("scale_", _AXES), _bounds("", ("r", "g", "b"))


def is_compressed(elements: dict[str, Element]) -> bool:
    """Whether a PLY file is of this kind, by its header."""
    vertex = elements.get("vertex")
    return "chunk" in elements and vertex is not None and "packed_position" in vertex.names


def read_compressed_ply(file: BinaryIO, elements: dict[str, Element], path: Path) -> RawGaussians:
    """Read Gaussians.

    Raises:
        FormatError: truncated, or parts of it contradict each other.
    """
    chunk, vertex, sh = elements["chunk"], elements["vertex"], elements.get("sh")
    k = 1 if sh is None else _coefficients(sh, path)
    check_count(vertex.count, k, size_of(file), path)
    missing = [name for name in _WORDS if name not in vertex.names]
    missing += [name for part in (*_POSITIONS, *_SCALES) for name in part if name not in chunk.names]
    if missing:
        raise FormatError(f"{path} is a compressed PLY file without {', '.join(missing)}; {AGAIN}")
    wrong = [name for name, kind in vertex.layout if name in _WORDS and kind[1:] != "u4"]
    if wrong:
        raise FormatError(
            f"{path} is a compressed PLY file whose {', '.join(wrong)} are not unsigned integers; {AGAIN}"
        )
    if chunk.count != -(-vertex.count // CHUNK):
        raise FormatError(f"{path} has {chunk.count} chunks of {CHUNK} for {vertex.count} Gaussians; {AGAIN}")
    if sh is not None and sh.count != vertex.count:
        raise FormatError(f"{path} has harmonics for {sh.count} of {vertex.count} Gaussians; {AGAIN}")
    chunks, words = chunk.read(file, path), vertex.read(file, path)
    unit = {name: _unpack(words[f"packed_{name}"], bits) for name, bits in _BITS.items()}
    means = _between(unit["position"], chunks, _POSITIONS)
    with np.errstate(over="ignore", invalid="ignore"):
        scales = np.exp(_between(unit["scale"], chunks, _SCALES))
    colors = unit["color"][:, :3]
    if all(name in chunk.names for part in _COLORS for name in part):
        colors = _between(colors, chunks, _COLORS)
    harmonics = np.empty((vertex.count, k, 3), np.float32)
    harmonics[:, 0] = (colors - 0.5) / C0
    if sh is not None:
        harmonics[:, 1:] = _read_sh(sh, k, file, path)
    return RawGaussians(
        means=means,
        scales=scales,
        quaternions=_quaternions(unit["rotation"]),
        opacities=unit["color"][:, 3],
        sh=harmonics,
    )


def _coefficients(sh: Element, path: Path) -> int:
    """Coefficients for each colour, the first included."""
    k = 1 + len(sh.layout) // 3
    if sorted(sh.names) != sorted(f"f_rest_{j}" for j in range(3 * (k - 1))) or k not in COEFFICIENTS[1:]:
        raise FormatError(f"{path} has {len(sh.layout)} harmonics, expected f_rest_0 up to 8, 23 or 44; {AGAIN}")
    if any(kind[1:] != "u1" for _, kind in sh.layout):
        raise FormatError(f"{path} is a compressed PLY file whose harmonics are not bytes; {AGAIN}")
    return k


def _read_sh(sh: Element, k: int, file: BinaryIO, path: Path) -> Floats:
    """(N, K - 1, 3). The values are the middles of their 256 intervals, but the outermost mean the bounds."""
    records = sh.read(file, path)
    table: NDArray[np.uint8] = records.view(np.uint8).reshape(sh.count, 3 * (k - 1))
    order = {name: column for column, name in enumerate(sh.names)}
    table = table[:, [order[f"f_rest_{c * (k - 1) + j}"] for j in range(k - 1) for c in range(3)]]
    values = (np.arange(256, dtype=np.float32) + 0.5) / 256
    values[[0, 255]] = 0.0, 1.0
    return np.asarray(((values - 0.5) * (2 * SH_BOUND))[table].reshape(sh.count, k - 1, 3), np.float32)


def _unpack(words: NDArray[Any], bits: tuple[int, ...]) -> Floats:
    """(N, len(bits)): the parts of the words, from the most significant; those of more than 2 bits as 0..1."""
    parts = np.empty((len(words), len(bits)), np.float32)
    left = 32
    for column, width in enumerate(bits):
        left -= width
        most = (1 << width) - 1
        parts[:, column] = ((words >> np.uint32(left)) & np.uint32(most)) / np.float32(1 if width == 2 else most)
    return parts


def _between(unit: Floats, chunks: NDArray[Any], names: tuple[list[str], list[str]]) -> Floats:
    """(N, 3): 0..1 between the bounds of the chunk of each Gaussian."""
    low, high = (np.stack([chunks[name] for name in part], axis=1).astype(np.float64) for part in names)
    which = np.arange(len(unit)) // CHUNK
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(low[which] * (1.0 - unit) + high[which] * unit, np.float32)


def _quaternions(parts: Floats) -> Floats:
    return smallest_three.join((parts[:, 1:] - 0.5) * (2 * smallest_three.BOUND), parts[:, 0].astype(np.intp))


def write_compressed_ply(cloud: GaussianCloud, path: Path) -> None:
    """Write a cloud, neighbours in space together, so in another order; the instances are lost.

    Within each chunk positions, logarithms of scales and colours are rounded to 1/2047 (the second of three to 1/1023)
    of their range; opacities to 1/255; components of quaternions to 0.0007; harmonics are cut to -4..4 and rounded to
    1/32, logarithms of scales cut to -20..20.
    """
    cloud = cloud.select(_along_a_curve(cloud.means))
    padded = np.minimum(np.arange(-(-len(cloud) // CHUNK) * CHUNK), len(cloud) - 1)
    colors = 0.5 + C0 * cloud.sh[:, 0].astype(np.float64)
    logs = np.log(np.maximum(cloud.scales.astype(np.float64), 1e-30)).clip(-LOG_SCALE_BOUND, LOG_SCALE_BOUND)
    bounds, unit = [], {}
    for name, values in (("position", cloud.means.astype(np.float64)), ("scale", logs), ("color", colors)):
        chunks = values[padded].reshape(-1, CHUNK, 3)
        low, high = chunks.min(axis=1).astype(np.float32), chunks.max(axis=1).astype(np.float32)
        bounds += [low, high]
        extent = high.astype(np.float64) - low
        scaled = (chunks - low[:, None]) / np.where(extent > 0, extent, 1.0)[:, None]
        unit[name] = scaled.reshape(-1, 3)[: len(cloud)].clip(0.0, 1.0)
    three, largest = smallest_three.split(cloud.quaternions.astype(np.float64))
    unit["rotation"] = np.column_stack([largest, three / (2 * smallest_three.BOUND) + 0.5])
    unit["color"] = np.column_stack([unit["color"], cloud.opacities])
    words = np.stack([_pack(unit[name], bits) for name, bits in _BITS.items()], axis=1).astype("<u4")
    rest = 3 * (cloud.sh.shape[1] - 1)
    header = ["ply", "format binary_little_endian 1.0", f"element chunk {len(padded) // CHUNK}"]
    header += [f"property float {name}" for kind in (_POSITIONS, _SCALES, _COLORS) for part in kind for name in part]
    header += [f"element vertex {len(cloud)}", *(f"property uint {name}" for name in _WORDS)]
    if rest:
        header += [f"element sh {len(cloud)}", *(f"property uchar f_rest_{j}" for j in range(rest))]
    sh = cloud.sh[:, 1:].transpose(0, 2, 1).reshape(len(cloud), rest)
    with replacing(path) as partial, partial.open("wb") as file:
        file.write(("\n".join([*header, "end_header"]) + "\n").encode())
        file.write(np.concatenate(bounds, axis=1).astype("<f4").tobytes())
        file.write(words.tobytes())
        file.write(np.floor((sh / (2 * SH_BOUND) + 0.5) * 256).clip(0, 255).astype(np.uint8).tobytes())


def _pack(parts: NDArray[np.float64], bits: tuple[int, ...]) -> NDArray[np.uint32]:
    """The inverse of ``_unpack``."""
    words: NDArray[np.uint32] = np.zeros(len(parts), np.uint32)
    for column, width in enumerate(bits):
        most = 1 if width == 2 else (1 << width) - 1
        words = (words << np.uint32(width)) | np.rint(parts[:, column] * most).astype(np.uint32)
    return words


def _along_a_curve(means: Floats) -> NDArray[np.intp]:
    """An order in which neighbours in space follow each other: that of interleaved bits (Morton), 10 for each axis."""
    low, high = means.min(axis=0), means.max(axis=0)
    steps = ((means.astype(np.float64) - low) / np.maximum(high.astype(np.float64) - low, 1e-30) * 1023).astype(
        np.uint32
    )
    code = np.zeros(len(means), np.uint32)
    for bit in range(10):
        for axis in range(3):
            code |= ((steps[:, axis] >> np.uint32(bit)) & np.uint32(1)) << np.uint32(3 * bit + axis)
    return np.argsort(code, kind="stable")
