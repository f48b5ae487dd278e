"""Pictures of strangers: how large one becomes is read from its header before it is unpacked."""

from __future__ import annotations

import struct
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

MOST_PIXELS = 1 << 26  # of a picture, 200 MB unpacked
_PNG = b"\x89PNG\r\n\x1a\n"
_WITHOUT_LENGTH = {0x01, *range(0xD0, 0xDA)}  # markers of JPEG
_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}


def decode_picture(data: Any) -> NDArray[np.uint8] | None:
    """(H, W, 3) uint8 BGR of the bytes of a PNG, JPEG or WebP picture; None where they are none, or are damaged, or
    announce more than ``MOST_PIXELS``."""
    import cv2  # here, because most readers of files need no pictures

    held = np.frombuffer(data, np.uint8)
    size = announced_size(held.tobytes())
    if size is None or not 0 < size[0] * size[1] <= MOST_PIXELS:
        return None
    try:
        found = cv2.imdecode(held, cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return cast("NDArray[np.uint8] | None", found)


def announced_size(data: bytes) -> tuple[int, int] | None:
    """Width and height that the header of a PNG, JPEG or WebP picture announces; None where it is none of these.

    Source: the specifications of PNG (IHDR), JPEG (ITU-T T.81, frame headers) and WebP (RFC 9649).
    """
    if data[:8] == _PNG and data[12:16] == b"IHDR" and len(data) >= 24:
        width, height = struct.unpack_from(">II", data, 16)
        return width, height
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP" and len(data) >= 30:
        return _of_webp(data)
    return _of_jpeg(data) if data[:2] == b"\xff\xd8" else None


def _of_webp(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    return None


def _of_jpeg(data: bytes) -> tuple[int, int] | None:
    """The largest of all frames."""
    largest, at = None, 2
    while at + 9 <= len(data):
        if data[at] != 0xFF:
            at = data.find(b"\xff", at)
            if at < 0:
                break
            continue
        marker = data[at + 1]
        if marker in (0xFF, 0x00) or marker in _WITHOUT_LENGTH:
            at += 1 if marker == 0xFF else 2
            continue
        if marker in _FRAMES:
            height, width = struct.unpack_from(">HH", data, at + 5)
            if largest is None or width * height > largest[0] * largest[1]:
                largest = width, height
        if marker == 0xDA:
            break
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return largest
