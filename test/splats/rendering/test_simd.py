"""Vectors in kernels, lane by lane against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vantage.jit import kernel
from vantage.splats.rendering import simd

ROWS = simd.lanes(range(16))


@kernel
def arithmetic(a: Any, b: Any, out: Any) -> None:
    x, y = simd.load(a, 0), simd.load(b, 0)
    simd.store(out, 0, x + y)
    simd.store(out, 16, x - y)
    simd.store(out, 32, x * y)
    simd.store(out, 48, x / y)
    simd.store(out, 64, -x)
    simd.store(out, 80, 2.0 * x + 1.0 - y * np.float32(0.5))
    simd.store(out, 96, simd.minimum(x, y))
    simd.store(out, 112, simd.maximum(x, y))
    simd.store(out, 128, simd.floor(x) + simd.ceil(y))
    simd.store(out, 144, simd.square_root(simd.maximum(x, -x)))
    simd.store(out, 160, simd.where((x > y) & (x >= 0.5), x, simd.splat(np.float32(9.0))))
    simd.store(out, 176, ROWS())


@kernel
def compared(a: Any, b: Any, out: Any) -> None:
    x, y = simd.load(a, 0), simd.load(b, 0)
    out[0], out[1] = simd.bits(x > y), simd.bits(x >= y)
    out[2], out[3] = simd.bits(x < y), simd.bits(x <= y)
    out[4] = simd.lowest_bit(out[0])


@kernel
def power(a: Any, out: Any) -> None:
    for i in range(0, len(a), 16):
        shifted = simd.load(a, i) + np.float32(simd.ROUND)
        simd.store(out, i, simd.scale_by_power(simd.splat(np.float32(1.5)), shifted))


@kernel
def memory(a: Any, ints: Any, longs: Any, image: Any, colors: Any, out: Any) -> None:
    out[0] = simd.get_float(a, 3)
    out[1] = simd.get_int(a, 0)
    out[2] = simd.get_int(ints, 1)
    out[3] = simd.get_long(longs, 1)
    simd.put_float(a, 1, np.float32(7.5))
    simd.put_int(ints, 0, np.int32(-3))
    simd.put_long(longs, 0, np.int64(1) << 40)
    simd.prefetch(a, 0)
    simd.store_block(image, 9, 8, simd.load(a, 0))
    simd.store_colors(colors, 3, 24, simd.load(a, 0), simd.broadcast(a, 2), simd.splat(np.float32(255.9)))


@kernel
def count_up(counter: Any) -> int:
    return simd.fetch_next(counter) + simd.fetch_next(counter)


def test_arithmetic() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=16).astype(np.float32), rng.normal(size=16).astype(np.float32)
    out = np.zeros(192, np.float32)
    arithmetic(a, b, out)
    expected = [
        *(a + b, a - b, a * b, a / b, -a, 2 * a + 1 - b / 2, np.minimum(a, b), np.maximum(a, b)),
        *(np.floor(a) + np.ceil(b), np.sqrt(abs(a)), np.where((a > b) & (a >= 0.5), a, 9.0), np.arange(16)),
    ]
    assert np.allclose(out.reshape(12, 16), expected, rtol=1e-6, atol=1e-7)


def test_comparisons_as_bits() -> None:
    a = np.array([1, 2, 3, np.nan] * 4, np.float32)
    b = np.array([2, 2, 2, 2] * 4, np.float32)
    out = np.zeros(5, np.int64)
    compared(a, b, out)
    assert [f"{bits:016b}" for bits in out[:4]] == ["0100" * 4, "0110" * 4, "0001" * 4, "0011" * 4]
    assert out[4] == 2


def test_powers_of_two_of_rounded_numbers() -> None:
    a = np.linspace(-100.3, 100.3, 1600).astype(np.float32)
    out = np.zeros_like(a)
    power(a, out)
    assert np.array_equal(out, (1.5 * 2.0 ** np.rint(a)).astype(np.float32))


def test_memory() -> None:
    a = np.arange(16, dtype=np.float32)
    a[0] = 1.0
    ints, longs = np.array([1, 2], np.int32), np.array([3, 1 << 50], np.int64)
    image, colors, out = np.full(64, -1, np.float32), np.zeros(4 * 24, np.uint8), np.zeros(4)
    memory(a, ints, longs, image, colors, out)
    assert out.tolist() == [3.0, np.float32(1).view(np.int32), 2, float(1 << 50)]
    assert a[1] == 7.5
    assert ints[0] == -3
    assert longs[0] == 1 << 40
    picture = image.reshape(8, 8)
    assert np.array_equal(picture[1:5, 1:5], a.reshape(4, 4))
    assert (np.delete(picture, slice(1, 5), axis=0) == -1).all()
    assert (picture[1:5, [0, 5, 6, 7]] == -1).all()
    block = colors.reshape(4, 8, 3)[:, 1:5]
    assert np.array_equal(block[..., 0], a.reshape(4, 4).astype(np.uint8))
    assert (block[..., 1] == 2).all()
    assert (block[..., 2] == 255).all()
    assert not colors.reshape(4, 8, 3)[:, 5:].any()


def test_counter() -> None:
    counter = np.zeros(1, np.int64)
    assert count_up(counter) == 1
    assert counter[0] == 2


@pytest.mark.parametrize("mistake", [lambda v: v + v, lambda v: v & v])
def test_no_vector_outside_kernels(mistake: Any) -> None:
    with pytest.raises(TypeError):
        mistake(simd.floats)
