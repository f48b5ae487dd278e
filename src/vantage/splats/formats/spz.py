"""``.spz`` files (Niantic), versions 1 to 4: about 20 bytes for each Gaussian.

Source: the reader and writer of nianticlabs/spz. Versions 1 to 3 are one gzip stream: a header of 16 bytes, then all
positions, opacities, colours, scales, quaternions and harmonics. Version 4 has a plain header of 32 bytes, optional
extensions, the sizes of its streams, and these six parts as zstd streams. Version 1 holds float16 positions, later
ones 24-bit fixed-point numbers; versions 1 and 2 hold three components of a quaternion in a byte each, later ones the
smallest three in 10 bits each.

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
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from vantage.errors import FormatError
from vantage.files import replacing
from vantage.splats.cloud import GaussianCloud
from vantage.splats.formats import spz_values
from vantage.splats.formats.reading import AGAIN, RawGaussians, check_count, size_of
from vantage.splats.formats.spz_frame import in_right_up_back

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

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
    raw = spz_values.decode(header.version, header.count, header.coefficients, header.fraction_bits, parts)
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
        for part in (header, *spz_values.encode(cloud, bits)):
            file.write(stream.compress(part))
        file.write(stream.flush())
