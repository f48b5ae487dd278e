"""Damaged files of every format: each gives a cloud or one FormatError, in little memory, without a word on stderr."""

from __future__ import annotations

import gzip
import random
import shutil
import struct
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from splat_files import KINDS, gz, small_cloud, sog_files, spz_bytes, write_archive

from vantage.errors import FormatError
from vantage.splats.cloud import GaussianCloud
from vantage.splats.formats.clouds import load_cloud

EACH = 170
MOST = 64 * 2**20  # bytes that reading one damaged file of a few kB may take at any time
NUMBERS = [
    *(struct.pack("<I", value) for value in (0, 1, 21, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 3_000_000)),
    *(struct.pack("<f", value) for value in (np.nan, np.inf, -np.inf, 1e38, -1.0, 1e-45)),
    *(struct.pack("<Q", value) for value in (1 << 62, 0xFFFFFFFFFFFFFFFF)),
]
WORDS = [b"0", b"-1", b"999999999999999", b"1e400", b"NaN", b"null", b"[]", b'"../x"', b"21", b"19", b"\xff"]


def cut(data: bytearray, rng: random.Random) -> None:
    del data[rng.randrange(len(data)) :]


def flip(data: bytearray, rng: random.Random) -> None:
    for _ in range(rng.randint(1, 4)):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def splice(data: bytearray, rng: random.Random) -> None:
    number = rng.choice(NUMBERS)
    start = rng.randrange(min(len(data), rng.choice([64, 1 << 20])))
    data[start : start + len(number)] = number


def respell(data: bytearray, rng: random.Random) -> None:
    digits = [k for k in range(len(data)) if chr(data[k]).isdigit()] or [0]
    start = stop = rng.choice(digits)
    while stop < len(data) and chr(data[stop]) in "0123456789.e-":
        stop += 1
    data[start:stop] = rng.choice(WORDS)


def swap(data: bytearray, rng: random.Random) -> None:
    size = rng.randint(1, max(1, len(data) // 4))
    a, b = sorted(rng.randrange(len(data)) for _ in range(2))
    first, second = data[a : a + size], data[b : b + size]
    data[b : b + size], data[a : a + size] = first, second


def repeat(data: bytearray, rng: random.Random) -> None:
    start, size = rng.randrange(len(data)), rng.randint(1, 64)
    data[start:start] = data[start : start + size] * rng.randint(1, 40)


def blank(data: bytearray, rng: random.Random) -> None:
    start, size = rng.randrange(len(data)), rng.randint(1, 64)
    data[start : start + size] = bytes([rng.choice([0, 255, 128])]) * size


DAMAGES: list[Callable[[bytearray, random.Random], None]] = [cut, flip, splice, respell, swap, repeat, blank]


def damaged(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2])):
        rng.choice(DAMAGES)(changed, rng)
        changed = changed or bytearray(b"\0")
    return bytes(changed)


def outer(kind: str) -> Callable[[Path, random.Random, GaussianCloud], Path]:
    """Damages one of the files as they lie on the disk."""

    def make(folder: Path, rng: random.Random, cloud: GaussianCloud) -> Path:
        path = KINDS[kind](folder, cloud)
        victim = rng.choice(sorted(path.iterdir())) if path.is_dir() else path
        victim.write_bytes(damaged(victim.read_bytes(), rng))
        return path

    return make


def inside_gzip(folder: Path, rng: random.Random, cloud: GaussianCloud) -> Path:
    """Damages what is packed, so that the checksum is right."""
    path = folder / "inside.spz"
    path.write_bytes(gz(damaged(gzip.decompress(spz_bytes(cloud, rng.choice([1, 2, 3]))), rng)))
    return path


def inside_zip(folder: Path, rng: random.Random, cloud: GaussianCloud) -> Path:
    files = sog_files(cloud)
    name = rng.choice(["meta.json", *files])
    return write_archive(folder / "inside.sog", files | {name: damaged(files[name], rng)})


MAKERS = {kind: outer(kind) for kind in KINDS} | {"inside gzip": inside_gzip, "inside zip": inside_zip}


@contextmanager
def traced() -> Iterator[Callable[[], int]]:
    """Gives the most bytes held since the call before it; those of earlier tests, and of the set-up, do not count."""

    def peak() -> int:
        held, most = tracemalloc.get_traced_memory()
        grown = most - start[0]
        tracemalloc.reset_peak()
        start[0] = held
        return grown

    start = [0]
    tracemalloc.start()
    try:
        peak()
        yield peak
    finally:
        tracemalloc.stop()


def test_the_measure_sees_what_is_taken_and_given_back() -> None:
    with traced() as peak:
        np.ones(2 * MOST, np.uint8)
        assert 2 * MOST <= peak() < 3 * MOST
        bytes(MOST)
        assert MOST <= peak() < 2 * MOST
        assert peak() < MOST // 100


def test_enough_files_are_tried() -> None:
    assert EACH * len(MAKERS) >= 2000


@pytest.mark.parametrize("kind", MAKERS)
def test_damage_gives_a_cloud_or_one_sentence(kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    clouds = [small_cloud(20, degree) for degree in range(4)]
    good = bad = 0
    for seed in range(EACH):
        folder = tmp_path / "one"
        folder.mkdir()
        path = MAKERS[kind](folder, random.Random(f"{kind} {seed}"), clouds[seed % 4])
        with warnings.catch_warnings(), traced() as peak:
            warnings.simplefilter("error")
            try:
                cloud = load_cloud(path)
            except FormatError as error:
                bad += 1
                sentence = str(error)
                assert str(path) in sentence, (seed, sentence)
                assert sentence.isprintable(), (seed, sentence)
                assert len(sentence) < 500 + 2 * len(str(path)), (seed, sentence)
            else:
                good += 1
                assert len(cloud) >= 1, seed
                assert np.isfinite(cloud.sh).all(), seed
            assert (taken := peak()) < MOST, (seed, taken)
        shutil.rmtree(folder)
    assert bad > EACH // 10, "the damage is noticed"
    assert good + bad == EACH
    assert capfd.readouterr() == ("", "")
