"""How blocks of 4 x 4 pixels become images."""

from __future__ import annotations

from typing import Any

import numpy as np

from vantage.splats.jit import inline_kernel
from vantage.splats.rendering import simd


@inline_kernel
def put_block(image: Any, at: Any, stride: Any, inside_x: Any, inside_y: Any, values: Any, staged: Any) -> None:
    """Write a block, or what of it lies inside the image, to a flat image of 4-byte values."""
    if inside_x >= 4 and inside_y >= 4:
        simd.store_block(image, at, stride, values)
    else:
        simd.store(staged, 0, values)
        for y in range(min(inside_y, 4)):
            for x in range(min(inside_x, 4)):
                simd.put_int(image, at + y * stride + x, simd.get_int(staged, 4 * y + x))


@inline_kernel
def to_bytes(color: Any) -> Any:
    """0..1 as 0..255, to be cut to integers."""
    zero, one = simd.splat(np.float32(0.0)), simd.splat(np.float32(1.0))
    return simd.minimum(simd.maximum(color, zero), one) * 255.0 + 0.5
