"""Connected regions against a plain flood."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vantage.splats.space.regions import fill_cavities, regions


def plain_regions(mask: np.ndarray, diagonal: bool) -> np.ndarray:
    steps = [s for s in itertools.product((-1, 0, 1), repeat=3) if any(s) and (diagonal or sum(map(abs, s)) == 1)]
    labels = np.zeros(mask.shape, int)
    count = 0
    for seed in map(tuple, np.argwhere(mask)):
        if labels[seed]:
            continue
        count += 1
        labels[seed] = count
        todo = [seed]
        while todo:
            at = todo.pop()
            for step in steps:
                beside = tuple(a + b for a, b in zip(at, step, strict=True))
                within = all(0 <= a < n for a, n in zip(beside, mask.shape, strict=True))
                if within and mask[beside] and not labels[beside]:
                    labels[beside] = count
                    todo.append(beside)
    return labels


@settings(max_examples=60, deadline=None)
@given(st.tuples(*[st.integers(1, 9)] * 3), st.floats(0.05, 0.95), st.booleans(), st.integers(0, 10**6))
def test_equals_a_plain_flood(shape: tuple[int, int, int], share: float, diagonal: bool, seed: int) -> None:
    mask = np.random.default_rng(seed).random(shape) < share
    labels, sizes = regions(mask, diagonal=diagonal)
    expected = plain_regions(mask, diagonal)
    assert np.array_equal(labels, expected)
    assert sizes[0] == 0
    assert sizes[1:].tolist() == np.bincount(expected.reshape(-1))[1:].tolist()


def test_a_long_winding_passage_is_one_region() -> None:
    mask = np.zeros((61, 61, 3), bool)
    mask[::2, :, 1] = True
    for k in range(1, 61, 2):
        mask[k, 0 if k % 4 == 1 else 60, 1] = True
    assert regions(mask)[1].tolist() == [0, mask.sum()]


def test_a_view_that_is_not_contiguous() -> None:
    mask = np.random.default_rng(1).random((6, 7, 8)) < 0.5
    assert np.array_equal(regions(mask.transpose(2, 0, 1))[0], plain_regions(mask.transpose(2, 0, 1), False))


@pytest.mark.parametrize(("most", "filled"), [(0, []), (1, [1]), (7, [1]), (8, [1, 8])])
def test_cavities_up_to_a_size_are_filled_and_never_the_largest(most: int, filled: list[int]) -> None:
    occupied = np.ones((12, 5, 5), bool)
    cavities = {
        1: (slice(1, 2),) * 3,
        8: (slice(4, 6), slice(1, 3), slice(1, 3)),
        27: (slice(8, 11),) + (slice(1, 4),) * 2,
    }
    for place in cavities.values():
        occupied[place] = False
    fill_cavities(occupied, most)
    assert [size for size, place in cavities.items() if occupied[place].all()] == filled
    fill_cavities(occupied, 1000)
    assert not occupied[cavities[27]].any()


def test_full_and_empty_grids_stay_as_they_are() -> None:
    for value in (True, False):
        occupied = np.full((3, 4, 5), value)
        fill_cavities(occupied, 1000)
        assert (occupied == value).all()
