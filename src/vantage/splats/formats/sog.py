"""SOG files, version 2 (PlayCanvas): lossless WebP images, one pixel for each Gaussian, and ``meta.json``.

Source: the format specification and the reader of playcanvas/splat-transform. The images lie in a ZIP archive
(``.sog``) or beside ``meta.json``. Positions are 16-bit numbers, low and high bytes in two images, between bounds of
``sign(v) ln(1 + |v|)``; scales (logarithms) and base colours are indices into tables of at most 256 numbers;
quaternions w x y z hold their smallest three in a byte each, and 252 plus the index of the largest as alpha; harmonics
are a palette of up to 65,536 entries, 64 in a row, and the entry of each Gaussian. The specification calls the frame x
right, y up, z back, but the usual writer keeps that of the PLY file, mostly x right, y down, z forward.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from vantage.bounded_json import bounded_json
from vantage.errors import FormatError
from vantage.splats.cloud import Floats
from vantage.splats.formats import smallest_three
from vantage.splats.formats.raw_gaussians import AGAIN, RawGaussians, check_count, opened, size_of
from vantage.splats.harmonics import COEFFICIENTS

ReadPart = Callable[[str, int], bytes]  # name, the most bytes it may have

_CHUNK = 8  # bytes of name and length before each chunk
_FILE = 12
_ANIMATED = 2
_MOST_CHUNKS = 16
META = "meta.json"
_MOST_META_BYTES = 1 << 18
_FREE_PIXELS = 1 << 16
_PALETTE_ROW = 64
_MOST_PALETTE = 1 << 16
_FIRST_TAG = 252


def read_sog(file: BinaryIO, path: Path) -> RawGaussians:
    """Read a ``.sog`` archive.

    Raises:
        FormatError: no such archive, damaged, or its parts contradict each other.
    """
    with _archive(file, path) as read:
        return _read(read, size_of(file), path)


def read_sog_folder(meta: Path) -> tuple[RawGaussians, int]:
    """Read ``meta.json`` and the images beside it; also the size of all these files in bytes.

    Raises:
        FormatError: as above.
        OSError: a file is missing or not readable.
    """
    sizes: dict[str, int] = {}

    def read(name: str, most: int) -> bytes:
        part = meta if name == META else meta.parent / name
        with opened(part) as file:
            sizes[name] = size_of(file)
            if sizes[name] > most:
                raise FormatError(f"{part} has {sizes[name]} bytes, more than it can need; {AGAIN}")
            return file.read(most)

    stored = sum(entry.stat().st_size for entry in meta.parent.iterdir() if entry.suffix == ".webp" and entry.is_file())
    return _read(read, stored, meta), sum(sizes.values())


@contextmanager
def _archive(file: BinaryIO, path: Path) -> Iterator[ReadPart]:
    with _zip_failures(path):
        archive = zipfile.ZipFile(file)

    def read(name: str, most: int) -> bytes:
        info = archive.NameToInfo.get(name)
        if info is None:
            raise FormatError(f"{path} holds no {name}; {AGAIN}")
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise FormatError(f"{path} packs {name} in a way that SOG files do not; {AGAIN}")
        with _zip_failures(path), archive.open(info) as part:
            data = part.read(most + 1)
        if len(data) > most:
            raise FormatError(f"{path} holds {name} with more than the {most} bytes it can need; {AGAIN}")
        return data

    with archive:
        yield read


@contextmanager
def _zip_failures(path: Path) -> Iterator[None]:
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, RuntimeError, ValueError, OverflowError) as error:
        raise FormatError(f"{path} is no ZIP archive, or a damaged one; {AGAIN}") from error


def _read(read: ReadPart, stored: int, path: Path) -> RawGaussians:
    meta = _Meta(read(META, _MOST_META_BYTES), path)
    count = meta.whole("count")
    bands = meta.whole("shN", "bands") if meta.has("shN") else 0
    if bands not in range(4):
        raise FormatError(f"{path} has harmonics of degree {bands}, expected 0 to 3; {AGAIN}")
    check_count(count, COEFFICIENTS[bands], stored, path)

    def pixels(part: str, which: int = 0) -> NDArray[np.uint8]:
        """(count, 4)"""
        name = meta.file(part, which)
        width, height, data = _image(read, name, 4 * count + _FREE_PIXELS, path)
        if width * height < count:
            raise FormatError(f"{path}: {name} has {width} x {height} pixels for {count} Gaussians; {AGAIN}")
        return decode_rgba(data, width, height, f"{path}: {name}")[:count]

    low, high = meta.numbers("means", "mins", most=3), meta.numbers("means", "maxs", most=3)
    if len(low) != 3 or len(high) != 3:
        raise FormatError(f"{path} lacks bounds of the positions; {AGAIN}")
    words = pixels("means", 0)[:, :3].astype(np.uint16) | pixels("means", 1)[:, :3].astype(np.uint16) << 8
    logs = low + (high - low) * (words / 65535.0)
    base = pixels("sh0")
    sh = np.empty((count, COEFFICIENTS[bands], 3), np.float32)
    sh[:, 0] = meta.table("sh0")[base[:, :3]]
    if bands:
        sh[:, 1:] = _harmonics(read, meta, bands, pixels("shN", 1), path)
    with np.errstate(over="ignore", invalid="ignore"):
        return RawGaussians(
            means=np.asarray(np.sign(logs) * np.expm1(np.abs(logs)), np.float32),
            scales=np.exp(meta.table("scales")[pixels("scales")[:, :3]]),
            quaternions=_quaternions(pixels("quats")),
            opacities=np.asarray(base[:, 3] / np.float32(255), np.float32),
            sh=sh,
        )


def _image(read: ReadPart, name: str, most_pixels: int, path: Path) -> tuple[int, int, bytes]:
    """Width and height that an image announces, and its bytes."""
    data = read(name, 4 * most_pixels + _FREE_PIXELS)
    width, height = size_of_image(data, f"{path}: {name}")
    if width * height > most_pixels:
        raise FormatError(f"{path}: {name} has {width} x {height} pixels, far more than Gaussians; {AGAIN}")
    return width, height, data


def _quaternions(pixels: NDArray[np.uint8]) -> Floats:
    """Where alpha names no component, zero."""
    three = (pixels[:, :3] / np.float32(255) - np.float32(0.5)) * np.float32(2 * smallest_three.BOUND)
    named = pixels[:, 3] >= _FIRST_TAG
    largest = np.where(named, pixels[:, 3].astype(np.intp) - _FIRST_TAG, 0)
    return np.where(named[:, None], smallest_three.join(three, largest), np.float32(0))


def _harmonics(read: ReadPart, meta: _Meta, bands: int, labels: NDArray[np.uint8], path: Path) -> Floats:
    """(N, K - 1, 3)"""
    rest = COEFFICIENTS[bands] - 1
    count = meta.whole("shN", "count")
    name = meta.file("shN", 0)
    width, height, data = _image(read, name, rest * _MOST_PALETTE, path)
    if width != _PALETTE_ROW * rest or not 0 < count <= min(_MOST_PALETTE, height * _PALETTE_ROW):
        raise FormatError(f"{path}: {name} has {width} x {height} pixels, no palette of {count} entries; {AGAIN}")
    entries = labels[:, 0].astype(np.intp) | labels[:, 1].astype(np.intp) << 8
    if (beyond := int((entries >= count).sum())) > 0:
        raise FormatError(f"{path} has {beyond} Gaussians whose harmonics are not among its {count} entries; {AGAIN}")
    palette = decode_rgba(data, width, height, f"{path}: {name}")[:, :3].reshape(-1, rest, 3)
    return np.asarray(meta.table("shN")[palette][entries], np.float32)


class _Meta:
    """The entries of ``meta.json``, each checked as it is taken."""

    def __init__(self, data: bytes, path: Path) -> None:
        self._path = path
        try:
            self._values = bounded_json(data)
        except ValueError as error:
            raise FormatError(f"{path}: {META} is not JSON ({str(error)[:80]!a}); {AGAIN}") from error
        version = self._values.get("version") if isinstance(self._values, dict) else None
        if version != 2:
            raise FormatError(f"{path}: {META} is not of SOG version 2; export the capture again, or give another file")

    def _take(self, *keys: str) -> Any:
        value: Any = self._values
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def _wrong(self, keys: tuple[str, ...], expected: str) -> FormatError:
        return FormatError(f"{self._path}: '{'.'.join(keys)}' in {META} must be {expected}; {AGAIN}")

    def has(self, key: str) -> bool:
        return self._take(key) is not None

    def whole(self, *keys: str) -> int:
        value = self._take(*keys)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 63:
            raise self._wrong(keys, "a whole number")
        return value

    def file(self, part: str, which: int) -> str:
        """The name of an image. It must lie in the archive or beside ``meta.json``, so it is a plain name."""
        names = self._take(part, "files")
        if not isinstance(names, list) or len(names) <= which or not isinstance(names[which], str):
            raise self._wrong((part, "files"), "a list of names of images")
        name = str(names[which])
        plain = name.isprintable() and "\\" not in name and len(name) < 256
        if not plain or name != Path(name).name or name in ("", ".", ".."):
            raise self._wrong((part, "files"), "names of images without any folder")
        return name

    def numbers(self, *keys: str, most: int) -> NDArray[np.float64]:
        values = self._take(*keys)
        number = (int, float)
        if not isinstance(values, list) or not 0 < len(values) <= most:
            raise self._wrong(keys, f"a list of up to {most} numbers")
        if not all(isinstance(value, number) and not isinstance(value, bool) and abs(value) < 1e30 for value in values):
            raise self._wrong(keys, "finite numbers")
        return np.array(values, np.float64)

    def table(self, part: str) -> Floats:
        """256 numbers by index; NaN, which the cloud reports, for indices that the file leaves out."""
        values = self.numbers(part, "codebook", most=256)
        return np.asarray(np.concatenate([values, np.full(256 - len(values), np.nan)]), np.float32)


def size_of_image(data: bytes, where: str) -> tuple[int, int]:
    """Width and height that the header of a lossless, still WebP image announces.

    Source: the WebP container and lossless bitstream specifications.

    Raises:
        FormatError: another kind of image.
    """
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        start = _FILE
        for _ in range(_MOST_CHUNKS):
            name, length = data[start : start + 4], int.from_bytes(data[start + 4 : start + 8], "little")
            body = data[start + _CHUNK : start + _CHUNK + 5]
            if name == b"VP8L" and len(body) == 5 and body[0] == 0x2F:
                bits = int.from_bytes(body[1:], "little")
                return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
            if name in (b"VP8 ", b"ANIM") or (name == b"VP8X" and body[:1] and body[0] & _ANIMATED):
                break
            start += _CHUNK + length + length % 2
    raise FormatError(f"{where} is no lossless WebP image; {AGAIN}")


def decode_rgba(data: bytes, width: int, height: int, where: str | Path) -> NDArray[np.uint8]:
    """Pixels (width * height, 4) of an image whose header announced that size.

    Raises:
        FormatError: damaged.
    """
    import cv2  # here, because most clouds are read without images

    try:
        # OpenCV refuses, and complains to stderr about, images of less than 32 bytes, which tiny ones have.
        image = cv2.imdecode(np.frombuffer(data.ljust(32, b"\0"), np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error as error:
        raise FormatError(f"{where} cannot be decoded; {AGAIN}") from error
    if image is None or image.dtype != np.uint8 or image.shape[:2] != (height, width) or image.ndim != 3:
        raise FormatError(f"{where} is a damaged WebP image; {AGAIN}")
    rgba = np.full((height * width, 4), 255, np.uint8)
    order = [2, 1, 0, 3][: image.shape[2]]
    rgba[:, : image.shape[2]] = image.reshape(height * width, -1)[:, order]
    return rgba
