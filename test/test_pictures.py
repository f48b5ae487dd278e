"""Pictures are unpacked by what their headers announce, and huge ones are not."""

from __future__ import annotations

import resource
import struct
import zlib

import cv2
import numpy as np
import pytest
from hypothesis import given, strategies as st

from vantage.pictures import MOST_PIXELS, announced_size, decode_picture

PICTURE = np.random.default_rng(1).integers(0, 255, (37, 53, 3)).astype(np.uint8)
KINDS = [
    (".png", []),
    (".jpg", []),
    (".jpg", [cv2.IMWRITE_JPEG_PROGRESSIVE, 1]),
    (".webp", []),
    (".webp", [cv2.IMWRITE_WEBP_QUALITY, 101]),
]


def encoded(kind: str, options: list[int]) -> bytes:
    return bytes(cv2.imencode(kind, PICTURE, options)[1])


def bomb(edge: int) -> bytes:
    """A PNG of zeros."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compressobj(9)
    data = b"".join(rows.compress(bytes(1 + 3 * edge)) for _ in range(edge)) + rows.flush()
    head = struct.pack(">IIBBBBB", edge, edge, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


@pytest.mark.parametrize(("kind", "options"), KINDS)
def test_each_kind_is_read_and_its_size_is_that_of_the_header(kind: str, options: list[int]) -> None:
    data = encoded(kind, options)
    assert announced_size(data) == (53, 37)
    found = decode_picture(data)
    assert found is not None
    assert np.array_equal(found, cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR))


def test_a_picture_that_is_small_in_its_file_alone_is_not_unpacked() -> None:
    data = bomb(9000)
    assert len(data) < 300_000
    assert announced_size(data) == (9000, 9000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert MOST_PIXELS < 9000 * 9000
    assert decode_picture(data) is None
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000, "kB"


@given(st.sampled_from(KINDS), st.integers(0, 3000), st.binary(max_size=8))
def test_damage_is_none_or_a_picture(kind: tuple[str, list[int]], place: int, other: bytes) -> None:
    data = encoded(*kind)
    announced_size(data[:place])
    damaged = data[:place] + other + data[place + len(other) :]
    size, found = announced_size(damaged), decode_picture(damaged)
    assert found is None or (found.ndim == 3 and size is not None)


def test_what_is_no_picture_is_none() -> None:
    for data in (b"", b"text", b"\xff\xd8" + b"\xff" * 1000, b"BM" + bytes(100)):
        assert decode_picture(data) is None
