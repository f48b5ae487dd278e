"""The compiled steps of the CPU renderer: project, sort by depth, put into tiles, composite.

Rules as in gsplat: 0.3 pixels^2 are added to the diagonal of the projected covariance, alpha is capped at 0.999, alpha
below 1/255 is skipped, and a pixel stops before its transmittance would fall to 1e-4 or less.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.splats.harmonics import C0, C1, C2, C3
from vantage.splats.jit import as_float, as_int, inline_kernel, kernel

Array = NDArray[Any]

TILE = 16
PIXELS = TILE * TILE
RECORD = 12  # u, v, three terms of the exponent, log2 opacity, r, g, b, z, instance slot, spare
LOG2E = math.log2(math.e)
LEAST = np.float32(math.log2(1 / 255))
MOST = np.float32(0.999)
ENOUGH = np.float32(1e-4)
ONE = np.float32(1.0)
ZERO = np.float32(0.0)
BLUR = 0.3

# 2**f on [-0.5, 0.5] to 2e-7, by Chebyshev fit
_F = np.linspace(-0.5, 0.5, 2001)
_POLYNOMIAL = np.polynomial.chebyshev.Chebyshev.fit(_F, 2.0**_F, 5).convert(kind=np.polynomial.Polynomial).coef
E0, E1, E2, E3, E4, E5 = (np.float32(value) for value in _POLYNOMIAL)
MAGIC = np.float32(1.5 * 2**23)  # adding it rounds to an integer in the low mantissa bits


@inline_kernel
def _exp2(p: Any) -> Any:
    shifted = p + MAGIC
    f = p - (shifted - MAGIC)
    q = E0 + f * (E1 + f * (E2 + f * (E3 + f * (E4 + f * E5))))
    return as_float(as_int(q) + (as_int(shifted) << np.int32(23)))


@inline_kernel
def _harmonics(x: Any, y: Any, z: Any, k: Any, out: Array) -> None:
    out[0] = C0
    if k > 1:
        out[1] = -C1 * y
        out[2] = C1 * z
        out[3] = -C1 * x
    if k > 4:
        xx, yy, zz = x * x, y * y, z * z
        out[4] = C2[0] * x * y
        out[5] = -C2[0] * y * z
        out[6] = C2[1] * (2 * zz - xx - yy)
        out[7] = -C2[0] * x * z
        out[8] = C2[2] * (xx - yy)
        if k > 9:
            out[9] = -C3[0] * y * (3 * xx - yy)
            out[10] = C3[1] * x * y * z
            out[11] = -C3[2] * y * (4 * zz - xx - yy)
            out[12] = C3[3] * z * (2 * zz - 3 * xx - 3 * yy)
            out[13] = -C3[2] * x * (4 * zz - xx - yy)
            out[14] = C3[4] * z * (xx - yy)
            out[15] = -C3[0] * x * (xx - 3 * yy)


@kernel
def project(
    first: Any,
    last: Any,
    geometry: Array,
    sh: Array,
    slots: Array,
    view: Array,
    eye: Array,
    camera: Array,
    records: Array,
    keys: Array,
    boxes: Array,
) -> Any:
    """Project Gaussians ``first`` to ``last`` and write the visible ones from index ``first`` on; returns how many.

    Args:
        geometry: (N, 11) float32: mean, covariance (xx xy xz yy yz zz), log2 opacity, reach in standard deviations.
        sh: (N, K, 3) float32.
        slots: (N,) int32 instance slots.
        view: (3, 4) float64, world to optical frame.
        eye: (3,) float64, camera in the world, m.
        camera: width, height, fx, fy, cx, cy, near, far.
        records: out, (N, RECORD) float32.
        keys: out, (N,) int32, ascending with depth.
        boxes: out, (N, 4) int32: first and last tile column, first and last pixel row.
    """
    width, height, fx, fy, cx, cy, near, far = camera
    margin_x, margin_y = 0.15 * width / fx, 0.15 * height / fy
    right, left = (width - cx) / fx + margin_x, -cx / fx - margin_x
    low, high = (height - cy) / fy + margin_y, -cy / fy - margin_y
    k = sh.shape[1]
    basis = np.empty(16)
    out = first
    for i in range(first, last):
        mx, my, mz = float(geometry[i, 0]), float(geometry[i, 1]), float(geometry[i, 2])
        z = view[2, 0] * mx + view[2, 1] * my + view[2, 2] * mz + view[2, 3]
        if not (near <= z <= far):
            continue
        x = view[0, 0] * mx + view[0, 1] * my + view[0, 2] * mz + view[0, 3]
        y = view[1, 0] * mx + view[1, 1] * my + view[1, 2] * mz + view[1, 3]
        inverse = 1.0 / z
        tx, ty = x * inverse, y * inverse
        bx, by = min(max(tx, left), right), min(max(ty, high), low)
        jx, jy = fx * inverse, fy * inverse
        p0, p1, p2 = (
            jx * (view[0, 0] - bx * view[2, 0]),
            jx * (view[0, 1] - bx * view[2, 1]),
            jx * (view[0, 2] - bx * view[2, 2]),
        )
        q0, q1, q2 = (
            jy * (view[1, 0] - by * view[2, 0]),
            jy * (view[1, 1] - by * view[2, 1]),
            jy * (view[1, 2] - by * view[2, 2]),
        )
        sxx, sxy, sxz = float(geometry[i, 3]), float(geometry[i, 4]), float(geometry[i, 5])
        syy, syz, szz = float(geometry[i, 6]), float(geometry[i, 7]), float(geometry[i, 8])
        u0, u1, u2 = sxx * p0 + sxy * p1 + sxz * p2, sxy * p0 + syy * p1 + syz * p2, sxz * p0 + syz * p1 + szz * p2
        v0, v1, v2 = sxx * q0 + sxy * q1 + sxz * q2, sxy * q0 + syy * q1 + syz * q2, sxz * q0 + syz * q1 + szz * q2
        a = p0 * u0 + p1 * u1 + p2 * u2 + BLUR
        b = q0 * u0 + q1 * u1 + q2 * u2
        c = q0 * v0 + q1 * v1 + q2 * v2 + BLUR
        determinant = a * c - b * b
        if not determinant > 0.0:
            continue
        u, v = fx * tx + cx, fy * ty + cy
        reach = float(geometry[i, 10])
        rx, ry = reach * math.sqrt(a), reach * math.sqrt(c)
        # pixel centres at half-integers: pixels whose centre lies within the reach
        x0, x1 = max(math.ceil(u - rx - 0.5), 0.0), min(math.floor(u + rx - 0.5), width - 1.0)
        y0, y1 = max(math.ceil(v - ry - 0.5), 0.0), min(math.floor(v + ry - 0.5), height - 1.0)
        if x0 > x1 or y0 > y1:
            continue
        boxes[out, 0], boxes[out, 1] = int(x0) // TILE, int(x1) // TILE
        boxes[out, 2], boxes[out, 3] = int(y0), int(y1)
        records[out, 0], records[out, 1] = u, v
        factor = -0.5 * LOG2E / determinant
        records[out, 2], records[out, 3], records[out, 4] = factor * c, -2.0 * factor * b, factor * a
        records[out, 5] = geometry[i, 9]
        if k == 1:
            basis[0] = C0
        else:
            dx, dy, dz = mx - eye[0], my - eye[1], mz - eye[2]
            scale = 1.0 / math.sqrt(dx * dx + dy * dy + dz * dz)
            _harmonics(dx * scale, dy * scale, dz * scale, k, basis)
        red, green, blue = 0.5, 0.5, 0.5
        for j in range(k):
            red += basis[j] * sh[i, j, 0]
            green += basis[j] * sh[i, j, 1]
            blue += basis[j] * sh[i, j, 2]
        records[out, 6], records[out, 7], records[out, 8] = max(red, 0.0), max(green, 0.0), max(blue, 0.0)
        records[out, 9] = z
        records[out, 10] = slots[i]
        keys[out] = as_int(np.float32(z))
        out += 1
    return out - first


@kernel
def sort_by_depth(keys: Array, spans: Array) -> Array:
    """Indices of all visible Gaussians, nearest first, ties by index: a radix sort of the bits of positive floats.

    Args:
        keys: (N,) int32.
        spans: (S, 2) int64: first index and number of the visible Gaussians of each part.
    """
    n = spans[:, 1].sum()
    order, other = np.empty(n, np.int32), np.empty(n, np.int32)
    at = np.int64(0)
    counts = np.zeros((3, 2048), np.int64)
    for s in range(len(spans)):
        for i in range(spans[s, 0], spans[s, 0] + spans[s, 1]):
            order[at] = i
            at += 1
            key = np.int64(keys[i])
            counts[0, key & 2047] += 1
            counts[1, (key >> 11) & 2047] += 1
            counts[2, (key >> 22) & 2047] += 1
    for digit in range(3):
        shift = 11 * digit
        total = 0
        for d in range(2048):
            count = counts[digit, d]
            counts[digit, d] = total
            total += count
        for j in range(n):
            i = order[j]
            d = (np.int64(keys[i]) >> shift) & 2047
            other[counts[digit, d]] = i
            counts[digit, d] += 1
        order, other = other, order
    return order


@kernel
def fill_tiles(order: Array, boxes: Array, columns: int, rows: int) -> Any:
    """Lists of Gaussians per tile, nearest first: (starts, (columns * rows + 1,) and entries, both int64/int32)."""
    starts = np.zeros(columns * rows + 1, np.int64)
    for j in range(len(order)):
        i = order[j]
        for row in range(boxes[i, 2] // TILE, boxes[i, 3] // TILE + 1):
            for tile in range(row * columns + boxes[i, 0], row * columns + boxes[i, 1] + 1):
                starts[tile + 1] += 1
    for tile in range(columns * rows):
        starts[tile + 1] += starts[tile]
    entries = np.empty(starts[-1], np.int32)
    cursor = starts[:-1].copy()
    for j in range(len(order)):
        i = order[j]
        for row in range(boxes[i, 2] // TILE, boxes[i, 3] // TILE + 1):
            for tile in range(row * columns + boxes[i, 0], row * columns + boxes[i, 1] + 1):
                entries[cursor[tile]] = i
                cursor[tile] += 1
    return starts, entries


@inline_kernel
def _blend_row(row: Array, x: Any, c0: Any, c1: Any, c2: Any, red: Any, green: Any, blue: Any, z: Any) -> None:
    """Composite one Gaussian onto one row of a tile.

    ``row`` holds six runs of TILE values: transmittance (negative once a pixel is finished), r, g, b, weighted depth,
    weight of this Gaussian. The exponent is ``c0 + d (c1 + d c2)`` in the distance d along the row, whose first value
    is ``x``. Written without branches and reductions, so that the compiler turns the loop into vector instructions.
    """
    for i in range(TILE):
        d = x + np.float32(i)
        p = c0 + d * (c1 + d * c2)
        alpha = min(_exp2(p), MOST)
        alpha = alpha if p >= LEAST else ZERO
        before = row[i]
        weight = alpha * before
        rest = before - weight
        going = rest > ENOUGH
        row[i] = rest if going else -abs(before)
        weight = weight if going else ZERO
        row[TILE + i] += weight * red
        row[2 * TILE + i] += weight * green
        row[3 * TILE + i] += weight * blue
        row[4 * TILE + i] += weight * z
        row[5 * TILE + i] = weight


@kernel
def composite(
    worker: int,
    workers: int,
    starts: Array,
    entries: Array,
    records: Array,
    boxes: Array,
    columns: int,
    vote: bool,
    names: Array,
    background: Array,
    rgb: Array,
    depth: Array,
    alpha: Array,
    instances: Array,
) -> None:
    """Draw every ``workers``-th tile, from ``worker`` on, into the images.

    Args:
        names: (S,) int32: instance id of each slot; without ``vote`` all Gaussians are of slot 0.
        background: (3,) float32.
    """
    height, width = depth.shape
    state = np.empty((TILE, 6 * TILE), np.float32)
    seen = np.full(len(names), -1, np.int64)  # slot -> plane of votes in this tile
    planes = np.empty(16, np.int64)  # plane -> slot
    votes = np.zeros((16, TILE, TILE), np.float32)
    for tile in range(worker, len(starts) - 1, workers):
        column, row = tile % columns, tile // columns
        left, top = column * TILE, row * TILE
        bottom = min(TILE, height - top)
        state[:] = ZERO
        state[:bottom, : min(TILE, width - left)] = ONE
        alive = (1 << bottom) - 1
        used = 0
        for e in range(starts[tile], starts[tile + 1]):
            i = entries[e]
            y0, y1 = max(boxes[i, 2] - top, 0), min(boxes[i, 3] - top, bottom - 1)
            if not (alive >> y0) & ((1 << (y1 - y0 + 1)) - 1):
                continue
            plane = np.int64(0)
            if vote:
                slot = np.int64(records[i, 10])
                plane = seen[slot]
                if plane < 0:
                    plane = used
                    used += 1
                    seen[slot] = plane
                    if plane == len(votes):
                        more = np.zeros((2 * plane, TILE, TILE), np.float32)
                        more[:plane] = votes
                        votes = more
                        longer = np.empty(2 * plane, np.int64)
                        longer[:plane] = planes
                        planes = longer
                    planes[plane] = slot
                    votes[plane] = ZERO
            x = np.float32(left + 0.5) - records[i, 0]
            cx, by = records[i, 2], records[i, 3]
            red, green, blue, z = records[i, 6], records[i, 7], records[i, 8], records[i, 9]
            for r in range(y0, y1 + 1):
                if not (alive >> r) & 1:
                    continue
                dy = np.float32(top + r + 0.5) - records[i, 1]
                line = state[r]
                c0 = records[i, 5] + dy * dy * records[i, 4]
                _blend_row(line, x, c0, dy * by, cx, red, green, blue, z)
                if vote:
                    ballot = votes[plane, r]
                    for j in range(TILE):
                        ballot[j] += line[5 * TILE + j]
                going = 0
                for j in range(TILE):
                    going += line[j] > ZERO
                if going == 0:
                    alive &= ~(1 << r)
            if alive == 0:
                break
        for r in range(bottom):
            for j in range(min(TILE, width - left)):
                t = abs(state[r, j])
                for c in range(3):
                    value = state[r, (1 + c) * TILE + j] + t * background[c]
                    rgb[top + r, left + j, c] = np.uint8(min(max(value, ZERO), ONE) * np.float32(255) + np.float32(0.5))
                weight = ONE - t
                alpha[top + r, left + j] = weight
                name = 0
                if t < ONE:
                    depth[top + r, left + j] = state[r, 4 * TILE + j] / weight
                    best = ZERO
                    for plane in range(used):
                        share = votes[plane, r, j]
                        if share > best or (share == best and share > ZERO and names[planes[plane]] < name):
                            best = share
                            name = names[planes[plane]]
                else:
                    depth[top + r, left + j] = np.nan
                instances[top + r, left + j] = name
        for plane in range(used):
            seen[planes[plane]] = -1
