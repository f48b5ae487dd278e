"""How enclosed places are: in the open, before a wall, in a box with and without a lid."""

from __future__ import annotations

import numpy as np
import pytest

from vantage.splats.space.enclosure import enclosure


def test_nothing_encloses_nothing() -> None:
    assert not enclosure(np.zeros((5, 6, 7), bool)).any()


def test_a_closed_box_encloses_its_inside_and_not_what_is_outside() -> None:
    blocked = np.zeros((40, 40, 40), bool)
    blocked[8:32, 8:32, 8:32] = True
    blocked[11:29, 11:29, 11:29] = False
    share = enclosure(blocked)
    assert share[12:28, 12:28, 12:28] == pytest.approx(1.0, abs=1e-5)
    outside = np.ones_like(blocked)
    outside[8:32, 8:32, 8:32] = False
    assert share[outside].max() < 0.5


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("end", [slice(0, 3), slice(-3, None)])
def test_a_wide_wall_fills_half_of_the_view_at_most(axis: int, end: slice) -> None:
    blocked = np.zeros((61, 61, 61), bool)
    blocked[tuple(end if k == axis else slice(None) for k in range(3))] = True
    share = enclosure(blocked)
    free = share[~blocked]
    assert free.max() < 0.5
    close = np.take(share, 3 if end.start == 0 else 57, axis=axis)
    assert close[20:40, 20:40].min() > 0.35


def test_a_box_without_a_lid_is_open_upwards_only() -> None:
    """A square of half side a at a height h takes 4 asin(a^2 / (a^2 + h^2)) of the 4 pi around."""
    blocked = np.zeros((27, 27, 20), bool)
    blocked[:3], blocked[-3:], blocked[:, :3], blocked[:, -3:], blocked[:, :, :3] = True, True, True, True, True
    share = enclosure(blocked)[13, 13, 3:]
    assert (np.diff(share) <= 1e-6).all()
    squares = (20 - (np.arange(3, 20) + 0.5)) ** 2
    exact = 1 - np.arcsin(10.5**2 / (10.5**2 + squares)) / np.pi
    assert share[:14] == pytest.approx(exact[:14], abs=0.12)  # on an axis, directions come and go eight at a time
    assert np.abs(share - exact)[:14].mean() < 0.04


def test_the_shares_do_not_depend_on_how_the_grid_is_turned() -> None:
    blocked = np.random.default_rng(0).random((9, 10, 11)) < 0.05
    share = enclosure(blocked)
    assert enclosure(blocked[::-1])[::-1] == pytest.approx(share, abs=0.02)
    assert enclosure(blocked.transpose(1, 2, 0)) == pytest.approx(share.transpose(1, 2, 0), abs=0.02)
