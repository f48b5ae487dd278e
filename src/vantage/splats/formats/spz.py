"""``.spz`` files (Niantic), versions 1 to 4: about 20 bytes for each Gaussian.

Source: the reader and writer of nianticlabs/spz, and its extensions. Versions 1 to 3 are one gzip stream: a header of
16 bytes, then all positions, opacities, colours, scales, quaternions and harmonics. Version 4 has a plain header of 32
bytes, optional extensions, the sizes of its streams, and these six parts as zstd streams. Version 1 holds float16
positions, later ones 24-bit fixed-point numbers; versions 1 and 2 hold three components of a quaternion in a byte each,
later ones the smallest three in 10 bits each.

The numbers are read as they are, as the reference reader does by default: in the frame of the file. By the
specification that is x right, y up, z back (of OpenGL), but the usual converters write the frame of the PLY file,
mostly x right, y down, z forward, unchanged. A file that names another frame in the extension
``SPZ_ADOBE_coordinate_system`` is turned, and mirrored where it is left-handed, into x right, y up, z back.
"""

from __future__ import annotations

import math
import struct
import sys
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from vantage.errors import FormatError
from vantage.files import replacing
from vantage.spatial import quaternion
from vantage.splats import harmonics
from vantage.splats.cloud import Floats, GaussianCloud
from vantage.splats.formats import smallest_three
from vantage.splats.formats.raw_gaussians import AGAIN, RawGaussians, check_count, size_of

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

COLOR_SCALE = 0.15
SH_STEP_1 = 8  # of 1/128, degree 1
SH_STEP_REST = 16
_MOST_COEFFICIENTS = 16
_XYZW_TO_WXYZ = (3, 0, 1, 2)
_WXYZ_TO_XYZW = (1, 2, 3, 0)

# In the order of their numbers, from 1: right or left, up or down, back or front.
FRAMES = (
    *("LDB", "RDB", "LUB", "RUB", "LDF", "RDF", "LUF", "RUF"),
    *("LFD", "RFD", "LFU", "RFU", "LBD", "RBD", "LBU", "RBU"),
)

_DIRECTIONS = {
    **{"R": (1, 0, 0), "U": (0, 1, 0), "B": (0, 0, 1)},
    **{"L": (-1, 0, 0), "D": (0, -1, 0), "F": (0, 0, -1)},
}

MAGIC = b"NGSP"
HEADER = struct.Struct("<4sIIBBBB")
HEADER_4 = struct.Struct("<4sIIBBBBI12x")
STREAM = struct.Struct("<QQ")
RECORD = struct.Struct("<II")
HAS_EXTENSIONS = 2
FRAME_EXTENSION = 0xADBE0003
WRITTEN_VERSION = 3
_COEFFICIENTS = (1, 4, 9, 16, 25)  # of degrees 0 to 4; the fourth is not kept
_LONGEST_EXTENSIONS = 1 << 20
_MOST_FRACTION_BITS = 30
_PIECE = 1 << 20


@dataclass(frozen=True)
class _Header:
    version: int
    count: int
    coefficients: int
    fraction_bits: int
    extended: bool

    @property
    def sizes(self) -> dict[str, int]:
        """Bytes of each part, in the order of the file."""
        each = {"positions": 6 if self.version == 1 else 9, "opacities": 1, "colors": 3, "scales": 3}
        each |= {"quaternions": 3 if self.version < 3 else 4, "harmonics": 3 * (self.coefficients - 1)}
        return {name: size * self.count for name, size in each.items()}


def read_spz(file: BinaryIO, path: Path) -> RawGaussians:
    """Read Gaussians. A fourth degree of harmonics is left out.

    Raises:
        FormatError: another kind of file, an unknown version, truncated, or parts contradict each other.
    """
    start = file.read(HEADER_4.size)
    file.seek(0)
    if start[:2] == b"\x1f\x8b":
        header, parts, extensions = _read_gzip(file, path)
    elif start[:4] == MAGIC and len(start) == HEADER_4.size:
        header, parts, extensions = _read_streams(file, start, path)
    else:
        raise FormatError(f"{path} is no .spz file, or one without its header; export it again")
    raw = decode(header.version, header.count, header.coefficients, header.fraction_bits, parts)
    return in_right_up_back(raw, _named_frame(extensions, path), path)


def _checked(version: int, count: int, degree: int, fraction_bits: int, flags: int, stored: int, path: Path) -> _Header:
    if degree >= len(_COEFFICIENTS):
        raise FormatError(f"{path} has harmonics of degree {degree}, expected 0 to 4; {AGAIN}")
    if fraction_bits > _MOST_FRACTION_BITS:
        raise FormatError(f"{path} has positions with {fraction_bits} bits of fraction; {AGAIN}")
    check_count(count, _COEFFICIENTS[degree], stored, path)
    return _Header(version, count, _COEFFICIENTS[degree], fraction_bits, bool(flags & HAS_EXTENSIONS))


def _read_gzip(file: BinaryIO, path: Path) -> tuple[_Header, dict[str, bytes], bytes]:
    """Versions 1 to 3: header, parts, extensions. Nothing is unpacked beyond what the header announces."""
    stream = zlib.decompressobj(16 + zlib.MAX_WBITS)

    def unpack(size: int) -> bytes:
        pieces = []
        while size > 0 and not stream.eof:
            packed = stream.unconsumed_tail or file.read(_PIECE)
            try:
                pieces.append(stream.decompress(packed, size))
            except zlib.error as error:
                raise FormatError(f"{path} is not packed correctly ({error}); {AGAIN}") from error
            if not packed and not pieces[-1]:
                break
            size -= len(pieces[-1])
        return b"".join(pieces)

    start = unpack(HEADER.size)
    if len(start) < HEADER.size or start[:4] != MAGIC:
        raise FormatError(f"{path} is a gzip file but no .spz file, or one without its header; export it again")
    _, version, count, degree, fraction_bits, flags, _ = HEADER.unpack(start)
    if version not in (1, 2, 3):
        raise FormatError(f"{path} is a packed .spz file of version {version}, expected 1, 2 or 3; {AGAIN}")
    header = _checked(version, count, degree, fraction_bits, flags, size_of(file), path)
    parts = {}
    for name, size in header.sizes.items():
        parts[name] = unpack(size)
        if len(parts[name]) < size:
            raise FormatError(f"{path} announces {count} Gaussians but its {name} end early; {AGAIN}")
    extensions = unpack(_LONGEST_EXTENSIONS)
    if not stream.eof:  # only at its end is the checksum compared
        raise FormatError(f"{path} does not end where its {count} Gaussians do; {AGAIN}")
    return header, parts, extensions if header.extended else b""


def _read_streams(file: BinaryIO, start: bytes, path: Path) -> tuple[_Header, dict[str, bytes], bytes]:
    """Version 4: header, parts, extensions."""
    _, version, count, degree, fraction_bits, flags, streams, table = HEADER_4.unpack(start)
    if version != 4:
        raise FormatError(f"{path} is an .spz file of version {version} without gzip, expected 4; export it again")
    stored = size_of(file)
    header = _checked(version, count, degree, fraction_bits, flags, stored, path)
    sizes = {name: size for name, size in header.sizes.items() if size}
    if streams != len(sizes) or not HEADER_4.size <= table <= HEADER_4.size + _LONGEST_EXTENSIONS:
        raise FormatError(f"{path} has {streams} streams after {table} bytes, expected {len(sizes)}; {AGAIN}")
    file.seek(HEADER_4.size)
    extensions = file.read(table - HEADER_4.size)
    listed = file.read(STREAM.size * streams)
    if len(listed) < STREAM.size * streams:
        raise FormatError(f"{path} ends within the list of its streams; {AGAIN}")
    table_of_sizes = list(STREAM.iter_unpack(listed))
    if sum(packed for packed, _ in table_of_sizes) != stored - file.tell():
        raise FormatError(f"{path} has streams of another length than it announces; {AGAIN}")
    parts = {"harmonics": b""}
    for (name, size), (packed, unpacked) in zip(sizes.items(), table_of_sizes, strict=True):
        # A stream that packing made longer than its content by more than a little is not one of ours.
        if unpacked != size or packed > size + size // 8 + _PIECE:
            raise FormatError(f"{path} announces {unpacked} bytes of {name} for {count} Gaussians; {AGAIN}")
        parts[name] = _unpack_stream(file.read(packed), size, f"{path} has {name} that")
    return header, parts, extensions if header.extended else b""


def _unpack_stream(packed: bytes, size: int, what: str) -> bytes:
    """The ``size`` bytes of a zstd stream; it is not unpacked beyond them."""
    unpacker = zstd.ZstdDecompressor()
    try:
        pieces = [unpacker.decompress(packed, size)]
        left = size - len(pieces[0])
        while not unpacker.eof and not unpacker.needs_input and left >= 0:
            pieces.append(unpacker.decompress(b"", left + 1))
            left -= len(pieces[-1])
    except zstd.ZstdError as error:
        raise FormatError(f"{what} are not packed correctly ({error}); {AGAIN}") from error
    if left != 0 or not unpacker.eof or unpacker.unused_data:
        raise FormatError(f"{what} do not unpack to the {size} bytes announced; {AGAIN}")
    return b"".join(pieces)


def _named_frame(extensions: bytes, path: Path) -> int:
    """The number of the frame that the extensions name, 0 where they name none; unknown extensions are passed over."""
    start, frame = 0, 0
    while start + RECORD.size <= len(extensions):
        kind, length = RECORD.unpack_from(extensions, start)
        start += RECORD.size
        if start + length > len(extensions):
            raise FormatError(f"{path} has an extension that ends early; {AGAIN}")
        if kind == FRAME_EXTENSION and length >= 4:
            frame = int.from_bytes(extensions[start : start + 4], "little")
        start += length
    return frame


def write_spz(cloud: GaussianCloud, path: Path) -> None:
    """Write version 3, in the frame of the cloud; the instances are lost.

    Positions are rounded to 2^-16 units, or less finely where the cloud reaches beyond 128 units; opacities and base
    colours to 1/255 (colours within 0.5 +- 0.94); logarithms of scales to 1/16 within -10..5.94; components of
    quaternions to 0.0007; harmonics to 1/16 in degree 1 and 1/8 above, within -1..1, as the reference writer does.

    Raises:
        FormatError: the cloud reaches too far for the format.
    """
    reach = float(np.abs(cloud.means).max())
    bits = min(16, 23 - math.frexp(reach)[1]) if reach > 0 else 16
    if bits < 0:
        raise FormatError(
            f"cannot write {path}: the cloud reaches {reach:.3g} units from its origin, an .spz file 2^23"
        )
    header = HEADER.pack(MAGIC, WRITTEN_VERSION, len(cloud), cloud.degree, bits, 0, 0)
    stream = zlib.compressobj(6, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    with replacing(path) as partial, partial.open("wb") as file:
        for part in (header, *encode(cloud, bits)):
            file.write(stream.compress(part))
        file.write(stream.flush())


def in_right_up_back(raw: RawGaussians, frame: int, path: Path) -> RawGaussians:
    """Gaussians of the frame of that number, in the frame x right, y up, z back; 0 means that they are in it.

    Raises:
        FormatError: there is no such frame.
    """
    if frame > len(FRAMES):
        raise FormatError(f"{path} names the unknown frame {frame}; {AGAIN}")
    if frame == 0:
        return raw
    R_rub_file = np.array([_DIRECTIONS[letter] for letter in FRAMES[frame - 1]], np.float64).T
    if np.linalg.det(R_rub_file) < 0:
        raw = _mirrored(raw)
        R_rub_file[:, 0] *= -1
    x, y, z, w = quaternion(R_rub_file)
    product = np.array([[w, -x, -y, -z], [x, w, -z, y], [y, z, w, -x], [z, -y, x, w]])
    return RawGaussians(
        means=np.asarray(raw.means @ R_rub_file.T, np.float32),
        scales=raw.scales,
        quaternions=np.asarray(raw.quaternions @ product.T, np.float32),
        opacities=raw.opacities,
        sh=harmonics.rotate(raw.sh, R_rub_file),
        instances=raw.instances,
    )


def _mirrored(raw: RawGaussians) -> RawGaussians:
    """With x negated. Harmonics are even or odd in x, which one direction tells."""
    direction = np.array([[0.48, 0.6, 0.64]])
    degree = harmonics.degree_of(raw.sh.shape[1])
    signs = np.sign(harmonics.basis(direction * [-1, 1, 1], degree) * harmonics.basis(direction, degree))[0]
    return RawGaussians(
        means=raw.means * np.array([-1, 1, 1], np.float32),
        scales=raw.scales,
        quaternions=raw.quaternions * np.array([1, 1, -1, -1], np.float32),
        opacities=raw.opacities,
        sh=np.asarray(raw.sh * signs[:, None], np.float32),
        instances=raw.instances,
    )


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
