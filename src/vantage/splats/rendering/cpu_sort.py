"""The CPU renderer's second step: order what a camera sees by depth, and list it for every tile of the image.

Each thread sorts and lists what it projected; the parts are merged tile by tile when they are blended.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from vantage.jit import inline_kernel, kernel
from vantage.splats.rendering import simd
from vantage.splats.rendering.cpu_project import RECORD

WIDEST = 13  # bits of a digit of the radix sort, at most: as many counters as stay in the first cache
INDEX = 0xFFFFFFFF  # the part of an entry that is the index of a record
_TILE_INDEX = 0xFFFF
LAST = 0x7FFFFFFFFFFFFFFF  # an entry behind all others


@inline_kernel
def origin(records: Any, entry: Any) -> Any:
    """Index in the cloud of an entry's Gaussian."""
    return simd.get_int(records, (entry & INDEX) * RECORD + 11)


@kernel
def sort_by_depth(first: int, count: int, records: Any, entries: Any, spare: Any) -> None:
    """Sort records ``first`` to ``first + count`` by the exact bits of z, ties by index in the cloud; a radix sort.

    Args:
        records: see ``project``.
        entries: out, int64, from ``first`` on: the bits of z and the index of the record, 32 bits each.
        spare: scratch of the same size.
    """
    low, high = np.int64(1) << 40, np.int64(0)
    for i in range(first, first + count):
        key = np.int64(simd.get_int(records, i * RECORD + 9))
        low, high = min(low, key), max(high, key)
    width = 0
    while count > 0 and (high - low) >> width > 0:
        width += 1
    passes = max((width + WIDEST - 1) // WIDEST, 1)
    digit = (width + passes - 1) // passes
    values = np.int64(1) << digit
    places = np.zeros(passes * values, np.int64)
    source, target = (entries, spare) if passes % 2 == 0 else (spare, entries)
    for i in range(first, first + count):
        key = np.int64(simd.get_int(records, i * RECORD + 9))
        simd.put_long(source, i, key << 32 | i)
        for turn in range(passes):
            place = turn * values + (((key - low) >> (digit * turn)) & (values - 1))
            simd.put_long(places, place, simd.get_long(places, place) + 1)
    for turn in range(passes):
        total = np.int64(first)
        for counter in range(turn * values, (turn + 1) * values):
            number = places[counter]
            places[counter] = total
            total += number
        for i in range(first, first + count):
            entry = simd.get_long(source, i)
            place = turn * values + ((((entry >> 32) - low) >> (digit * turn)) & (values - 1))
            to = simd.get_long(places, place)
            simd.put_long(places, place, to + 1)
            simd.put_long(target, to, entry)
        source, target = target, source
    _break_ties(entries, np.int64(first), np.int64(first + count), records)


@inline_kernel
def _break_ties(entries: Any, first: Any, last: Any, records: Any) -> None:
    """Sort every run of equal keys by the index in the cloud (Shell sort: runs are short, or nearly sorted)."""
    start = first
    while start < last:
        end = start + 1
        while end < last and simd.get_long(entries, end) >> 32 == simd.get_long(entries, start) >> 32:
            end += 1
        gap = end - start
        while gap > 1:
            gap = max(gap * 4 // 9, 1)
            for j in range(start + gap, end):
                moved = simd.get_long(entries, j)
                rank = origin(records, moved)
                k = j
                while k - gap >= start and origin(records, simd.get_long(entries, k - gap)) > rank:
                    simd.put_long(entries, k, simd.get_long(entries, k - gap))
                    k -= gap
                simd.put_long(entries, k, moved)
        start = end


@kernel
def list_tiles(
    first: int,
    count: int,
    entries: Any,
    boxes: Any,
    counts: Any,
    columns: int,
    first_row: int,
    last_row: int,
    base: int,
    starts: Any,
    lists: Any,
) -> None:
    """List the entries that touch each tile of some rows of tiles, nearest first.

    Args:
        first, count, entries: see ``sort_by_depth``.
        boxes: see ``project``.
        counts: (tiles,) int32, how many touch each tile, from ``project``; used up for these rows.
        columns, first_row, last_row: how many tiles each row has, and the rows.
        base: where the lists of this part start.
        starts: out, (tiles + 1,) int64: where the list of each tile of these rows starts in ``lists``, and its end.
        lists: out, int64 entries.
    """
    total = np.int64(base)
    for tile in range(first_row * columns, last_row * columns):
        starts[tile] = total
        here = np.int64(counts[tile])
        counts[tile] = total - base
        total += here
    starts[last_row * columns] = total
    for j in range(first, first + count):
        entry = simd.get_long(entries, j)
        box = simd.get_long(boxes, entry & INDEX)
        row0, row1 = max((box >> 16) & _TILE_INDEX, first_row), min(box >> 48, last_row - 1)
        column0, column1 = box & _TILE_INDEX, (box >> 32) & _TILE_INDEX
        width = column1 - column0 + 1
        tile, column = row0 * columns + column0, column0
        for _ in range((row1 - row0 + 1) * width):  # one loop: the processor foresees its end more often than of two
            to = np.int64(simd.get_int(counts, tile))
            simd.put_long(lists, base + to, entry)
            simd.put_int(counts, tile, np.int32(to + 1))
            ends = np.int64(column == column1)
            tile += 1 + ends * (columns - width)
            column += 1 - ends * width
