"""Order by depth and lists of tiles, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sampling import examples

from vantage.splats.rendering.cpu_project import RECORD
from vantage.splats.rendering.cpu_sort import INDEX, list_tiles, sort_by_depth


def order_of(depths: np.ndarray, origins: np.ndarray, first: int = 0) -> np.ndarray:
    n = len(depths)
    records = np.zeros((first + n) * RECORD, np.float32)
    records[first * RECORD + 9 :: RECORD] = depths
    records.view(np.int32)[first * RECORD + 11 :: RECORD] = origins
    entries, spare = np.zeros(first + n, np.int64), np.zeros(first + n, np.int64)
    sort_by_depth(first, n, records, entries, spare)
    assert not entries[:first].any()
    return np.asarray((entries[first:] & INDEX) - first)


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(st.floats(np.float32(0.01), 1e6, width=32), max_size=60),
    st.integers(0, 5),
    st.randoms(use_true_random=False),
)
def test_any_depths(depths: list[float], first: int, random: object) -> None:
    origins = list(range(len(depths)))
    random.shuffle(origins)  # type: ignore[attr-defined]
    expected = sorted(range(len(depths)), key=lambda i: (depths[i], origins[i]))
    assert order_of(np.array(depths), np.array(origins, dtype=np.int32), first).tolist() == expected


@pytest.mark.parametrize("levels", [1, 3, 500, 10**6])
def test_many_ties_are_broken_by_index(levels: int) -> None:
    rng = np.random.default_rng(levels)
    depths = 0.5 + rng.integers(0, levels, 5000) / 7.0
    origins = rng.permutation(5000).astype(np.int32)
    assert np.array_equal(order_of(depths, origins), np.lexsort([origins, depths.astype(np.float32)]))


@pytest.mark.parametrize(("first_row", "last_row"), [(0, 3), (1, 2), (2, 3)])
def test_lists_of_tiles(first_row: int, last_row: int) -> None:
    rng = np.random.default_rng(1)
    n, columns, rows = 300, 5, 3
    c0, r0 = rng.integers(0, columns, n), rng.integers(0, rows, n)
    c1, r1 = np.minimum(c0 + rng.integers(0, 4, n), columns - 1), np.minimum(r0 + rng.integers(0, 3, n), rows - 1)
    boxes = c0 | r0 << 16 | c1 << 32 | r1 << 48
    entries = np.sort(rng.integers(1, 1 << 30, n)) << 32 | np.arange(n)
    tiles = [
        [i for i in range(n) if c0[i] <= c <= c1[i] and r0[i] <= r <= r1[i]]
        for r in range(rows)
        for c in range(columns)
    ]
    counts = np.array([len(tile) for tile in tiles], np.int32)
    starts, base = np.zeros(columns * rows + 1, np.int64), 10
    here = range(first_row * columns, last_row * columns)
    lists = np.full(base + sum(len(tiles[t]) for t in here), -1, np.int64)
    list_tiles(0, n, entries, boxes, counts, columns, first_row, last_row, base, starts, lists)
    for t in here:
        assert (lists[starts[t] : starts[t + 1]] & INDEX).tolist() == tiles[t]
    assert (lists[:base] == -1).all()
