"""Lossless WebP images of known size."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vantage.errors import FormatError
from vantage.splats.formats.reading import AGAIN

_CHUNK = 8  # bytes of name and length before each chunk
_FILE = 12
_ANIMATED = 2
_MOST_CHUNKS = 16


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
