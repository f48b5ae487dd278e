"""The CPU renderer's last step: blend the Gaussians of each tile, nearest first, into the images.

A tile is 4 x 4 blocks of 4 x 4 pixels, and a block is one vector. Gaussians are taken 16 at a time: one test with a
Gaussian in each lane tells which of them reach a block at all; only those are blended into its pixels. A pixel shows
the instance whose Gaussians have the largest sum of weights.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from vantage.jit import inline_kernel, kernel
from vantage.splats.rendering import simd
from vantage.splats.rendering.cpu_layout import FAINT
from vantage.splats.rendering.cpu_project import RECORD, TILE
from vantage.splats.rendering.cpu_sort import INDEX, LAST, origin
from vantage.splats.rendering.simd import LANES

PIXELS = TILE * TILE
LEAST = math.log2(FAINT)  # log2 of the smallest alpha that counts
MOST = 0.999
ENOUGH = 1e-4  # transmittance at which a pixel is finished
_CAUTION = 0.02  # by which the test of a block errs on the safe side, in log2 of alpha

# 2**f on [-0.5, 0.5] by Chebyshev fit; relative error 3e-6, far below one step of 8 bits after blending
_F = np.linspace(-0.5, 0.5, 4001)
_POLYNOMIAL = np.polynomial.chebyshev.Chebyshev.fit(_F, 2.0**_F, 4).convert(kind=np.polynomial.Polynomial).coef

# What the inner loop needs at every turn, as an argument: of constants the compiler would load each time from memory.
NUMBERS = np.zeros(3 * LANES, np.float32)
NUMBERS[:9] = (simd.ROUND, *_POLYNOMIAL, LEAST, MOST, ENOUGH)
NUMBERS[LANES : 2 * LANES] = [i % 4 for i in range(LANES)]  # the columns
NUMBERS[2 * LANES :] = [i // 4 for i in range(LANES)]  # and rows of a block's pixels

# Scratch of one thread, float32: six values of every pixel (block by block), then what the 16 Gaussians at hand are.
# T is the transmittance, zero once a pixel is finished; LEFT is what it was when it finished.
_T, _LEFT, _R, _G, _B, _Z = (k * PIXELS for k in range(6))
_FIELDS = 6 * PIXELS
_U, _V, _UU, _UV, _VV, _OPACITY, _RED, _GREEN, _BLUE, _DEPTH, _PLANE = (_FIELDS + k * LANES for k in range(11))
_RIDGE_X, _RIDGE_Y, _BASE, _SLOPE_X, _SLOPE_Y = (_FIELDS + k * LANES for k in range(11, 16))
_BOWL = _FIELDS + 16 * LANES
SCRATCH = _BOWL + LANES * LANES
_LANE_XX = simd.lanes([(i % 4) ** 2 for i in range(LANES)])
_LANE_XY = simd.lanes([(i % 4) * (i // 4) for i in range(LANES)])
_LANE_YY = simd.lanes([(i // 4) ** 2 for i in range(LANES)])


@inline_kernel
def rank(slots: Any, used: Any, labels: Any, ranked: Any) -> None:
    """The first ``used`` slots in ascending order of their labels (Shell sort)."""
    for i in range(used):
        ranked[i] = slots[i]
    gap = used
    while gap > 1:
        gap = max(gap * 4 // 9, 1)
        for i in range(gap, used):
            slot = ranked[i]
            k = i
            while k >= gap and labels[ranked[k - gap]] > labels[slot]:
                ranked[k] = ranked[k - gap]
                k -= gap
            ranked[k] = slot


@inline_kernel
def largest_vote(block: Any, ranked: Any, used: Any, labels: Any, planes: Any, votes: Any) -> Any:
    """The bits of the label with the largest sum of votes in each pixel of a block, the smallest of equals, or 0."""
    zero = simd.splat(np.float32(0.0))
    best, winner, total = zero, zero, zero
    for i in range(used):
        slot = np.int64(ranked[i])
        total = total + simd.load(votes, np.int64(planes[slot]) * PIXELS + block * LANES)
        if i + 1 == used or labels[ranked[i + 1]] != labels[slot]:
            more = total > best
            best = simd.where(more, total, best)
            winner = simd.where(more, simd.broadcast(labels, slot), winner)
            total = zero
    return winner


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


@inline_kernel
def _nearest(heads: Any, records: Any) -> Any:
    """The part whose next entry comes first: by depth, then by index in the cloud."""
    best, nearest = heads[0], np.int64(0)
    for part in range(1, len(heads)):
        other = heads[part]
        before = other < best
        if other >> 32 == best >> 32 and other != LAST:
            before = origin(records, other) < origin(records, best)
        if before:
            best, nearest = other, np.int64(part)
    return nearest


@inline_kernel
def _gather(
    scratch: Any,
    count: Any,
    heads: Any,
    cursors: Any,
    ends: Any,
    lists: Any,
    records: Any,
    center_x: Any,
    center_y: Any,
    planes: Any,
    slots: Any,
    used: Any,
) -> Any:
    """Bring the next ``count`` Gaussians into the scratch, value by value; returns how many planes are in use."""
    for j in range(count):
        part = _nearest(heads, records)
        record = (heads[part] & INDEX) * RECORD
        cursor = cursors[part] + 1
        cursors[part] = cursor
        heads[part] = simd.get_long(lists, cursor) if cursor < ends[part] else LAST
        if cursor + LANES < ends[part]:
            simd.prefetch(records, (simd.get_long(lists, cursor + LANES) & INDEX) * RECORD)
        simd.put_float(scratch, _U + j, simd.get_float(records, record) - center_x)
        simd.put_float(scratch, _V + j, simd.get_float(records, record + 1) - center_y)
        for field in range(2, 10):
            simd.put_float(scratch, _U + field * LANES + j, simd.get_float(records, record + field))
        slot = np.int64(simd.get_int(records, record + 10))
        plane = np.int64(simd.get_int(planes, slot))
        if plane < 0:
            plane = used
            simd.put_int(planes, slot, np.int32(plane))
            simd.put_int(slots, used, np.int32(slot))
            used += 1
        simd.put_int(scratch, _PLANE + j, np.int32(plane))
    return used


@inline_kernel
def _expand(scratch: Any, count: Any) -> None:
    """What of the exponents does not depend on the block: where ridges run, and the quadratic terms in its pixels."""
    half = simd.load(scratch, _UV) * -0.5
    simd.store(scratch, _RIDGE_X, half / simd.load(scratch, _UU))
    simd.store(scratch, _RIDGE_Y, half / simd.load(scratch, _VV))
    for j in range(count):
        bowl = _LANE_XX() * simd.broadcast(scratch, _UU + j)
        bowl = bowl + _LANE_XY() * simd.broadcast(scratch, _UV + j)
        bowl = bowl + _LANE_YY() * simd.broadcast(scratch, _VV + j)
        simd.store(scratch, _BOWL + j * LANES, bowl)


@inline_kernel
def _reaching(scratch: Any, x: Any, y: Any) -> Any:
    """Which of the 16 Gaussians at hand reach the block whose first pixel centre is at x, y of the tile, as bits.

    The exponent of each is a quadratic form; its largest value over the block lies at the centre of the Gaussian, if
    that is inside, and on one of the two edges that face the centre otherwise. Leaves its expansion about the first
    pixel in the scratch.
    """
    a, b, c = simd.load(scratch, _UU), simd.load(scratch, _UV), simd.load(scratch, _VV)
    opacity = simd.load(scratch, _OPACITY)
    x0, y0 = x - simd.load(scratch, _U), y - simd.load(scratch, _V)
    x1, y1 = x0 + 3.0, y0 + 3.0
    zero = simd.splat(np.float32(0.0))
    edge_x = simd.minimum(simd.maximum(zero, x0), x1)
    edge_y = simd.minimum(simd.maximum(zero, y0), y1)
    best_y = simd.minimum(simd.maximum(edge_x * simd.load(scratch, _RIDGE_Y), y0), y1)
    best_x = simd.minimum(simd.maximum(edge_y * simd.load(scratch, _RIDGE_X), x0), x1)
    on_x = edge_x * (a * edge_x + b * best_y) + c * best_y * best_y
    on_y = best_x * (a * best_x + b * edge_y) + c * edge_y * edge_y
    simd.store(scratch, _BASE, x0 * (a * x0 + b * y0) + (c * y0 * y0 + opacity))
    simd.store(scratch, _SLOPE_X, a * x0 * 2.0 + b * y0)
    simd.store(scratch, _SLOPE_Y, c * y0 * 2.0 + b * x0)
    return simd.bits(simd.maximum(on_x, on_y) >= np.float32(LEAST - _CAUTION) - opacity)


@inline_kernel
def _constants(numbers: Any) -> Any:
    """Of 2 to the power: what rounds, and the polynomial."""
    return (
        simd.broadcast(numbers, 0),
        simd.broadcast(numbers, 1),
        simd.broadcast(numbers, 2),
        simd.broadcast(numbers, 3),
        simd.broadcast(numbers, 4),
        simd.broadcast(numbers, 5),
    )


@inline_kernel
def _blend(scratch: Any, block: Any, reaching: Any, votes: Any, numbers: Any) -> Any:
    """Blend the Gaussians of a set of bits into a block; returns whether any of its pixels goes on."""
    at = block * LANES
    zero = simd.splat(np.float32(0.0))
    shift, c0, c1, c2, c3, c4 = _constants(numbers)
    least, most, enough = simd.broadcast(numbers, 6), simd.broadcast(numbers, 7), simd.broadcast(numbers, 8)
    x, y = simd.load(numbers, LANES), simd.load(numbers, 2 * LANES)
    t, left = simd.load(scratch, _T + at), simd.load(scratch, _LEFT + at)
    red, green, blue = simd.load(scratch, _R + at), simd.load(scratch, _G + at), simd.load(scratch, _B + at)
    depth = simd.load(scratch, _Z + at)
    while reaching != 0:
        j = simd.lowest_bit(reaching)
        reaching &= reaching - 1
        power = simd.load(scratch, _BOWL + j * LANES) + simd.broadcast(scratch, _BASE + j)
        power = power + simd.broadcast(scratch, _SLOPE_X + j) * x
        power = power + simd.broadcast(scratch, _SLOPE_Y + j) * y
        shifted = power + shift
        f = power - (shifted - shift)
        alpha = simd.minimum(simd.scale_by_power((((c4 * f + c3) * f + c2) * f + c1) * f + c0, shifted), most)
        alpha = simd.where(power >= least, alpha, zero)
        weight = alpha * t
        rest = t - weight
        going = rest > enough
        weight = simd.where(going, weight, zero)
        t, left = simd.where(going, rest, zero), simd.where(going, rest, left)
        red = red + weight * simd.broadcast(scratch, _RED + j)
        green = green + weight * simd.broadcast(scratch, _GREEN + j)
        blue = blue + weight * simd.broadcast(scratch, _BLUE + j)
        depth = depth + weight * simd.broadcast(scratch, _DEPTH + j)
        ballot = np.int64(simd.get_int(scratch, _PLANE + j)) * PIXELS + at
        simd.store(votes, ballot, simd.load(votes, ballot) + weight)
    simd.store(scratch, _T + at, t)
    simd.store(scratch, _LEFT + at, left)
    simd.store(scratch, _R + at, red)
    simd.store(scratch, _G + at, green)
    simd.store(scratch, _B + at, blue)
    simd.store(scratch, _Z + at, depth)
    return simd.bits(t > zero) != 0


@kernel
def raster(
    counter: Any,
    first_row: int,
    last_row: int,
    columns: int,
    starts: Any,
    lists: Any,
    records: Any,
    names: Any,
    background: Any,
    scratches: Any,
    ballots: Any,
    width: int,
    height: int,
    rgb: Any,
    linear: Any,
    depth: Any,
    alpha: Any,
    instances: Any,
    kinds: Any,
    classes: Any,
    numbers: Any,
    part: int,
) -> None:
    """Draw tiles of some rows of tiles until none is left; several threads share ``counter``.

    Args:
        counter: (1,) int64, zero at first.
        first_row, last_row, columns: the rows of tiles, and how many tiles each has.
        starts: (parts, tiles + 1) int64, see ``list_tiles``.
        lists: int64 entries of all parts.
        records: see ``project``.
        names: (S,) int32, ascending: the instance id of each slot.
        background: (3,) float32, 0..1.
        scratches: (threads, SCRATCH) float32, of which this thread uses row ``part``.
        ballots: (threads, planes * PIXELS) float32, all zero, and so again afterwards: as many planes as one tile may
            have instance ids.
        rgb: out, flat (H * W * 3) uint8.
        linear: out, flat (H * W * 3) float32, colours before they are clipped; empty if they are not wanted.
        depth, alpha: out, flat (H * W) float32.
        instances: out, flat (H * W) int32.
        kinds: (S,) int32: the class of each slot; empty if classes are not wanted.
        classes: out, flat (H * W) int32 or empty.
        numbers: ``NUMBERS``.
    """
    scratch, votes = scratches[part], ballots[part]
    planes = np.full(len(names), -1, np.int32)  # of each slot in this tile
    slots = np.empty(len(votes) // PIXELS, np.int32)  # of each plane
    ranked, ranked_kinds = np.empty_like(slots), np.empty_like(slots)
    zero, one = simd.splat(np.float32(0.0)), simd.splat(np.float32(1.0))
    tiles, parts = (last_row - first_row) * columns, len(starts)
    heads, cursors, ends = np.empty(parts, np.int64), np.empty(parts, np.int64), np.empty(parts, np.int64)
    staged, corner = np.empty(3 * LANES, np.float32), np.empty(3 * LANES, np.uint8)
    nothing = simd.splat(np.float32(np.nan))
    while True:
        tile = simd.fetch_next(counter)
        if tile >= tiles:
            break
        tile += first_row * columns
        left, top = tile % columns * TILE, tile // columns * TILE
        for at in range(_T, _R, LANES):
            simd.store(scratch, at, one)
        for at in range(_R, _FIELDS, LANES):
            simd.store(scratch, at, zero)
        live = 0
        for block in range(16):
            if left + (block & 3) * 4 < width and top + (block >> 2) * 4 < height:
                live |= 1 << block
        drawn = live
        used = 0
        waiting = np.int64(0)
        for source in range(parts):
            cursors[source], ends[source] = starts[source, tile], starts[source, tile + 1]
            heads[source] = simd.get_long(lists, cursors[source]) if cursors[source] < ends[source] else LAST
            waiting += ends[source] - cursors[source]
        while waiting > 0 and live != 0:
            count = min(np.int64(LANES), waiting)
            waiting -= count
            used = _gather(
                scratch,
                count,
                heads,
                cursors,
                ends,
                lists,
                records,
                np.float32(left + 0.5),
                np.float32(top + 0.5),
                planes,
                slots,
                used,
            )
            _expand(scratch, count)
            here = (1 << count) - 1
            left_over = live
            while left_over != 0:
                block = simd.lowest_bit(left_over)
                left_over &= left_over - 1
                x, y = np.float32((block & 3) * 4), np.float32((block >> 2) * 4)
                reaching = _reaching(scratch, x, y) & here
                if reaching != 0 and not _blend(scratch, block, reaching, votes, numbers):
                    live &= ~(1 << block)
        rank(slots, used, names, ranked)
        if len(classes) > 0:
            rank(slots, used, kinds, ranked_kinds)
        for block in range(16):
            if not (drawn >> block) & 1:
                continue
            x, y = left + (block & 3) * 4, top + (block >> 2) * 4
            inside_x, inside_y = width - x, height - y
            pixel = y * width + x
            at = block * LANES
            t = simd.load(scratch, _LEFT + at)
            weight = one - t
            red = simd.load(scratch, _R + at) + t * background[0]
            green = simd.load(scratch, _G + at) + t * background[1]
            blue = simd.load(scratch, _B + at) + t * background[2]
            mean = simd.where(weight > 0.0, simd.load(scratch, _Z + at) / weight, nothing)
            put_block(alpha, pixel, width, inside_x, inside_y, weight, staged)
            put_block(depth, pixel, width, inside_x, inside_y, mean, staged)
            put_block(
                instances,
                pixel,
                width,
                inside_x,
                inside_y,
                largest_vote(block, ranked, used, names, planes, votes),
                staged,
            )
            if len(classes) > 0:
                elected = largest_vote(block, ranked_kinds, used, kinds, planes, votes)
                put_block(classes, pixel, width, inside_x, inside_y, elected, staged)
            if inside_x >= 4 and inside_y >= 4:
                simd.store_colors(rgb, 3 * pixel, 3 * width, to_bytes(red), to_bytes(green), to_bytes(blue))
            else:
                simd.store_colors(corner, 0, 12, to_bytes(red), to_bytes(green), to_bytes(blue))
                for row in range(min(inside_y, 4)):
                    for value in range(min(3 * inside_x, 12)):
                        rgb[3 * (pixel + row * width) + value] = corner[12 * row + value]
            if len(linear) > 0:
                simd.store(staged, 0, red)
                simd.store(staged, LANES, green)
                simd.store(staged, 2 * LANES, blue)
                for row in range(min(inside_y, 4)):
                    for column in range(min(inside_x, 4)):
                        for channel in range(3):
                            value = staged[channel * LANES + 4 * row + column]
                            linear[3 * (pixel + row * width + column) + channel] = value
        for plane in range(used):
            for block in range(16):
                simd.store(votes, plane * PIXELS + block * LANES, zero)
            simd.put_int(planes, np.int64(simd.get_int(slots, plane)), np.int32(-1))
