"""The CPU renderer's second step: order what a camera sees by depth, and list it for every tile of the image.

Both run on one thread: they take a tenth of a frame, and parallel regions cost more than they save on a busy machine.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from vantage.splats import simd
from vantage.splats.cpu_project import RECORD
from vantage.splats.jit import inline_kernel, kernel

DIGIT = 11  # bits a pass of the radix sort looks at
_VALUES = 1 << DIGIT


@kernel
def sort_by_depth(keys: Any, spans: Any, records: Any, keys_0: Any, order_0: Any, keys_1: Any, order_1: Any) -> Any:
    """Radix sort by the exact bits of z, ties by index in the cloud; returns how many there are and in which buffer.

    Args:
        keys: int32, bits of positive floats, of which ``spans`` (S, 2) int64 names first index and number.
        records: see ``project``.
        keys_0, order_0, keys_1, order_1: scratch and result, int32, with room for all; ``order_*`` holds indices of
            records, nearest first.
    """
    low, high = np.int64(1) << 40, np.int64(-1)
    count = np.int64(0)
    for s in range(len(spans)):
        for i in range(spans[s, 0], spans[s, 0] + spans[s, 1]):
            key = np.int64(simd.get_int(keys, i))
            low, high = min(low, key), max(high, key)
            simd.put_int(keys_0, count, np.int32(key))
            simd.put_int(order_0, count, np.int32(i))
            count += 1
    if count == 0:
        return count, 0
    passes = 1
    while (high - low) >> (DIGIT * passes) > 0:
        passes += 1
    least = np.int32(low)
    places = np.zeros(3 * _VALUES, np.int32)
    for j in range(count):
        key = simd.get_int(keys_0, j) - least
        simd.put_int(keys_0, j, key)
        for digit in range(3):
            place = np.int64(digit * _VALUES + ((key >> (DIGIT * digit)) & (_VALUES - 1)))
            simd.put_int(places, place, simd.get_int(places, place) + np.int32(1))
    source_keys, source, target_keys, target = keys_0, order_0, keys_1, order_1
    for digit in range(passes):
        total = np.int32(0)
        for place in range(digit * _VALUES, (digit + 1) * _VALUES):
            number = places[place]
            places[place] = total
            total += number
        for j in range(count):
            key = simd.get_int(source_keys, j)
            place = np.int64(digit * _VALUES + ((key >> (DIGIT * digit)) & (_VALUES - 1)))
            to = np.int64(simd.get_int(places, place))
            simd.put_int(places, place, np.int32(to + 1))
            simd.put_int(target_keys, to, key)
            simd.put_int(target, to, simd.get_int(source, j))
        source_keys, source, target_keys, target = target_keys, target, source_keys, source
    _break_ties(source_keys, source, count, records)
    return count, passes & 1


@inline_kernel
def _break_ties(keys: Any, order: Any, count: Any, records: Any) -> None:
    """Sort every run of equal keys by the index in the cloud (Shell sort: runs are short, or nearly sorted)."""
    start = np.int64(0)
    while start < count:
        end = start + 1
        while end < count and simd.get_int(keys, end) == simd.get_int(keys, start):
            end += 1
        gap = end - start
        while gap > 1:
            gap = max(gap * 4 // 9, 1)
            for j in range(start + gap, end):
                moved = simd.get_int(order, j)
                rank = simd.get_int(records, np.int64(moved) * RECORD + 11)
                k = j
                while (
                    k - gap >= start
                    and simd.get_int(records, np.int64(simd.get_int(order, k - gap)) * RECORD + 11) > rank
                ):
                    simd.put_int(order, k, simd.get_int(order, k - gap))
                    k -= gap
                simd.put_int(order, k, moved)
        start = end


@kernel
def list_tiles(
    order: Any,
    count: int,
    boxes: Any,
    counts: Any,
    columns: int,
    first_row: int,
    last_row: int,
    starts: Any,
    lists: Any,
) -> None:
    """Fill ``lists`` with the records that touch each tile of some rows of tiles, nearest first.

    Args:
        order, count: from ``sort_by_depth``.
        boxes, counts: from ``project``; ``counts`` (threads, tiles) is used up for these rows.
        starts: out, (tiles + 1,) int64: where the list of each tile of these rows starts in ``lists``, and its end.
        lists: out, int32, with room for the sum of the counts of these rows.
    """
    total = np.int64(0)
    cursor = counts[0]
    for tile in range(first_row * columns, last_row * columns):
        starts[tile] = total
        here = np.int64(0)
        for thread in range(len(counts)):
            here += counts[thread, tile]
        cursor[tile] = total
        total += here
    starts[last_row * columns] = total
    for j in range(count):
        i = simd.get_int(order, j)
        box = np.int64(simd.get_int(boxes, np.int64(i))) & 0xFFFFFFFF
        row0, row1 = max((box >> 8) & 255, first_row), min(box >> 24, last_row - 1)
        column0, column1 = box & 255, (box >> 16) & 255
        for row in range(row0, row1 + 1):
            for tile in range(row * columns + column0, row * columns + column1 + 1):
                to = np.int64(simd.get_int(cursor, tile))
                simd.put_int(lists, to, i)
                simd.put_int(cursor, tile, np.int32(to + 1))
