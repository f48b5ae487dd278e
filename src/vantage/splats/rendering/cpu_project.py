"""The CPU renderer's first step: which Gaussians a camera sees, where, how large and in what colour.

Projection of the covariance is the linear approximation of Zwicker et al., "EWA Splatting" (2002), eq. 29 and 31, with
gsplat's rules: 0.3 pixels^2 are added to its diagonal, and the direction at which it is linearised stays within 1.3
times the view.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from vantage.jit import inline_kernel, kernel
from vantage.splats.harmonics import C0, C1, C2, C3
from vantage.splats.rendering import simd
from vantage.splats.rendering.cpu_layout import CHUNK, FIELDS
from vantage.splats.rendering.simd import LANES

TILE = 16
RECORD = 12  # floats: u, v, three terms of the exponent, log2 opacity, r, g, b, z, slot, origin
BLUR = 0.3
BEYOND = 0.3  # how far beyond the view, in half views, a covariance is linearised
_SLACK = 4.0  # pixels around the image that the blur may bring in
_LOG2E = math.log2(math.e)


@kernel
def cull(boxes: Any, view: Any, camera: Any, chunks: Any) -> int:
    """Write the chunks that may be seen to ``chunks`` (C,) int32; returns how many. Arguments as in ``project``."""
    width, height, fx, fy, cx, cy, near, far = camera
    left, right = (cx + _SLACK) / fx, (width - cx + _SLACK) / fx
    up, down = (cy + _SLACK) / fy, (height - cy + _SLACK) / fy
    across, along = np.float32(0.5 * BEYOND) * width / fx, np.float32(0.5 * BEYOND) * height / fy
    found = 0
    for chunk in range(len(boxes)):
        x, y, z, sx, sy, sz = boxes[chunk]
        u = view[0, 0] * x + view[0, 1] * y + view[0, 2] * z + view[0, 3]
        v = view[1, 0] * x + view[1, 1] * y + view[1, 2] * z + view[1, 3]
        w = view[2, 0] * x + view[2, 1] * y + view[2, 2] * z + view[2, 3]
        thick = abs(view[2, 0]) * sx + abs(view[2, 1]) * sy + abs(view[2, 2]) * sz
        seen = w + thick > near and w - thick < far
        for side in range(4):
            row = side >> 1
            limit, beside = (
                (left, u) if side == 0 else (right, -u) if side == 1 else (up, v) if side == 2 else (down, -v)
            )
            sign = np.float32(1 - 2 * (side & 1))
            reach = (
                abs(sign * view[row, 0] + limit * view[2, 0]) * sx
                + abs(sign * view[row, 1] + limit * view[2, 1]) * sy
                + abs(sign * view[row, 2] + limit * view[2, 2]) * sz
                + (across if row == 0 else along) * thick
            )
            seen = seen and beside + limit * w + reach >= 0
        if seen:
            chunks[found] = chunk
            found += 1
    return found


@inline_kernel
def _color(channel: Any, sh: Any, at: Any, coefficients: Any, x: Any, y: Any, z: Any) -> Any:
    """One colour of 16 Gaussians seen along x, y, z; see ``vantage.splats.harmonics``."""
    at = at + channel * LANES
    step = 3 * LANES
    value = simd.load(sh, at) * C0 + 0.5
    if coefficients > 1:
        value = value + C1 * (
            z * simd.load(sh, at + 2 * step) - y * simd.load(sh, at + step) - x * simd.load(sh, at + 3 * step)
        )
    if coefficients > 4:
        xx, yy, zz = x * x, y * y, z * z
        value = value + (x * y) * C2[0] * simd.load(sh, at + 4 * step) - (y * z) * C2[0] * simd.load(sh, at + 5 * step)
        value = value + (zz * 2.0 - xx - yy) * C2[1] * simd.load(sh, at + 6 * step)
        value = (
            value - (x * z) * C2[0] * simd.load(sh, at + 7 * step) + (xx - yy) * C2[2] * simd.load(sh, at + 8 * step)
        )
        if coefficients > 9:
            ring = zz * 4.0 - xx - yy
            value = value - y * (xx * 3.0 - yy) * C3[0] * simd.load(sh, at + 9 * step)
            value = value + x * y * z * C3[1] * simd.load(sh, at + 10 * step)
            value = value - y * ring * C3[2] * simd.load(sh, at + 11 * step)
            value = value + z * (zz * 2.0 - xx * 3.0 - yy * 3.0) * C3[3] * simd.load(sh, at + 12 * step)
            value = value - x * ring * C3[2] * simd.load(sh, at + 13 * step)
            value = value + z * (xx - yy) * C3[4] * simd.load(sh, at + 14 * step)
            value = value - x * (xx - yy * 3.0) * C3[0] * simd.load(sh, at + 15 * step)
    return simd.maximum(value, simd.splat(np.float32(0.0)))


@kernel
def project(
    edges: Any,
    chunks: Any,
    geometry: Any,
    sh: Any,
    coefficients: int,
    slots: Any,
    origins: Any,
    view: Any,
    eye: Any,
    camera: Any,
    columns: int,
    scratch: Any,
    records: Any,
    boxes: Any,
    touched: Any,
    part: int,
) -> Any:
    """Project one part of the chunks that a camera may see; returns how many Gaussians it does see.

    They are written from index ``edges[part] * CHUNK`` on.

    Args:
        edges: (parts + 1,) int64: where each part starts and ends in ``chunks``.
        chunks: (C,) int32, from ``cull``.
        geometry, sh, coefficients, slots, origins: see ``Layout``.
        view: (3, 4) float32, world (relative to the layout's centre) to optical frame.
        eye: (3,) float32, the camera in the world, relative in the same way, m.
        camera: (8,) float32: width, height, fx, fy, cx, cy, near, far.
        columns: tiles in a row of the image.
        scratch: (parts, 256 or more) float32.
        records: out, flat float32, ``RECORD`` a Gaussian.
        boxes: out, int64: first column, first row, last column, last row of tiles, 16 bits each.
        touched: out, (parts, tiles) int32: how many of the part touch each tile.
    """
    first, last, staged, counts = edges[part], edges[part + 1], scratch[part], touched[part]
    width, height, fx, fy, cx, cy, near, far = camera
    beyond_x, beyond_y = np.float32(0.5 * BEYOND) * width / fx, np.float32(0.5 * BEYOND) * height / fy
    right, left = simd.splat((width - cx) / fx + beyond_x), simd.splat(-cx / fx - beyond_x)
    low, high = simd.splat((height - cy) / fy + beyond_y), simd.splat(-cy / fy - beyond_y)
    vx, vy, vz, vt = view[0]
    wx, wy, wz, wt = view[1]
    zx, zy, zz, zt = view[2]
    ex, ey, ez = eye
    zero, nearest = simd.splat(np.float32(0.0)), simd.splat(near)
    last_x, last_y = simd.splat(width), simd.splat(height)
    for tile in range(len(counts)):
        counts[tile] = 0
    out = first * CHUNK
    for c in range(first, last):
        chunk = np.int64(chunks[c])
        for at in range(chunk * CHUNK, (chunk + 1) * CHUNK, LANES):
            g = at * FIELDS
            mx, my, mz = simd.load(geometry, g), simd.load(geometry, g + LANES), simd.load(geometry, g + 2 * LANES)
            depth = zx * mx + (zy * my + (zz * mz + zt))
            ahead = (depth > near) & (depth < far)
            if simd.bits(ahead) == 0:
                continue
            inverse = 1.0 / simd.maximum(depth, nearest)
            tx = (vx * mx + (vy * my + (vz * mz + vt))) * inverse
            ty = (wx * mx + (wy * my + (wz * mz + wt))) * inverse
            bx = simd.minimum(simd.maximum(tx, left), right)
            by = simd.minimum(simd.maximum(ty, high), low)
            jx, jy = fx * inverse, fy * inverse
            p0, p1, p2 = jx * (vx - bx * zx), jx * (vy - bx * zy), jx * (vz - bx * zz)
            q0, q1, q2 = jy * (wx - by * zx), jy * (wy - by * zy), jy * (wz - by * zz)
            sxx, sxy = simd.load(geometry, g + 3 * LANES), simd.load(geometry, g + 4 * LANES)
            sxz, syy = simd.load(geometry, g + 5 * LANES), simd.load(geometry, g + 6 * LANES)
            syz, szz = simd.load(geometry, g + 7 * LANES), simd.load(geometry, g + 8 * LANES)
            u0, u1, u2 = sxx * p0 + sxy * p1 + sxz * p2, sxy * p0 + syy * p1 + syz * p2, sxz * p0 + syz * p1 + szz * p2
            v0, v1, v2 = sxx * q0 + sxy * q1 + sxz * q2, sxy * q0 + syy * q1 + syz * q2, sxz * q0 + syz * q1 + szz * q2
            a = p0 * u0 + p1 * u1 + p2 * u2 + BLUR
            b = q0 * u0 + q1 * u1 + q2 * u2
            d = q0 * v0 + q1 * v1 + q2 * v2 + BLUR
            determinant = a * d - b * b
            u, v = fx * tx + cx, fy * ty + cy
            extent = simd.load(geometry, g + 10 * LANES)
            rx, ry = extent * simd.square_root(a), extent * simd.square_root(d)
            # pixels whose centres, at half-integers, lie within the extent: first and one after the last
            x0 = simd.maximum(simd.ceil(u - rx - 0.5), zero)
            x1 = simd.minimum(simd.floor(u + rx - 0.5) + 1.0, last_x)
            y0 = simd.maximum(simd.ceil(v - ry - 0.5), zero)
            y1 = simd.minimum(simd.floor(v + ry - 0.5) + 1.0, last_y)
            seen = simd.bits(
                ahead & (determinant > 0.0) & (determinant < 1e38) & (extent >= 0.0) & (x1 > x0) & (y1 > y0)
            )
            if seen == 0:
                continue
            factor = np.float32(-0.5 * _LOG2E) / determinant
            simd.store(staged, 0, u)
            simd.store(staged, LANES, v)
            simd.store(staged, 2 * LANES, factor * d)
            simd.store(staged, 3 * LANES, -2.0 * factor * b)
            simd.store(staged, 4 * LANES, factor * a)
            simd.store(staged, 5 * LANES, simd.load(geometry, g + 9 * LANES))
            dx, dy, dz = mx - ex, my - ey, mz - ez
            if coefficients > 1:
                norm = 1.0 / simd.square_root(dx * dx + dy * dy + dz * dz + 1e-20)
                dx, dy, dz = dx * norm, dy * norm, dz * norm
            for channel in range(3):
                simd.store(
                    staged,
                    (6 + channel) * LANES,
                    _color(channel, sh, at * coefficients * 3, coefficients, dx, dy, dz),
                )
            simd.store(staged, 9 * LANES, depth)
            simd.store(staged, 12 * LANES, x0)
            simd.store(staged, 13 * LANES, x1)
            simd.store(staged, 14 * LANES, y0)
            simd.store(staged, 15 * LANES, y1)
            while seen != 0:
                lane = simd.lowest_bit(seen)
                seen &= seen - 1
                record = out * RECORD
                for field in range(10):
                    simd.put_float(records, record + field, simd.get_float(staged, field * LANES + lane))
                simd.put_int(records, record + 10, simd.get_int(slots, at + lane))
                simd.put_int(records, record + 11, simd.get_int(origins, at + lane))
                column0 = np.int64(simd.get_float(staged, 12 * LANES + lane)) // TILE
                column1 = (np.int64(simd.get_float(staged, 13 * LANES + lane)) - 1) // TILE
                row0 = np.int64(simd.get_float(staged, 14 * LANES + lane)) // TILE
                row1 = (np.int64(simd.get_float(staged, 15 * LANES + lane)) - 1) // TILE
                simd.put_long(boxes, out, column0 | row0 << 16 | column1 << 32 | row1 << 48)
                across = column1 - column0 + 1
                cell: Any = row0 * columns + column0
                column: Any = column0
                for _ in range((row1 - row0 + 1) * across):
                    simd.put_int(counts, cell, simd.get_int(counts, cell) + np.int32(1))
                    ends = np.int64(column == column1)
                    cell += 1 + ends * (columns - across)
                    column += 1 - ends * across
                out += 1
    return out - first * CHUNK
