"""Floaters are told from surfaces, dense or sparse, in any frame and unit."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from turned_rooms import sparse_room, table_with_box, turned

from vantage.splats.cloud import GaussianCloud
from vantage.splats.floaters import COMPANY, floaters


def with_loners(cloud: GaussianCloud, n: int, reach: float) -> GaussianCloud:
    rng = np.random.default_rng(2)
    means = cloud.means.copy()
    directions = rng.normal(size=(n, 3))
    means[:n] = directions / np.linalg.norm(directions, axis=1, keepdims=True) * reach * rng.uniform(1, 2, (n, 1))
    return dataclasses.replace(cloud, means=means)


def test_surfaces_have_none() -> None:
    assert floaters(sparse_room(1)).mean() < 2e-3
    assert floaters(table_with_box()).mean() < 2e-3


def test_what_hangs_alone_is_found() -> None:
    found = floaters(with_loners(table_with_box(), 40, 2.0))
    assert found[:40].all()
    assert found[40:].mean() < 2e-3


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_units_do_not_matter(unit: float) -> None:
    cloud, _, _ = turned(with_loners(table_with_box(), 40, 2.0), (0, 0, 0, 1), unit)
    assert floaters(cloud)[:40].all()
    assert floaters(cloud)[40:].mean() < 2e-3


def test_a_group_is_no_floater_and_a_smaller_one_is() -> None:
    cloud = table_with_box()
    cloud.means[: COMPANY + 1] = [3.0, 0.0, 0.0]
    cloud.means[COMPANY + 1 : 2 * COMPANY + 1] = [0.0, 3.0, 0.0]
    found = floaters(cloud)
    assert not found[: COMPANY + 1].any()
    assert found[COMPANY + 1 : 2 * COMPANY + 1].all()


def test_extremes() -> None:
    assert len(floaters(GaussianCloud.empty())) == 0
    cloud = table_with_box()
    cloud.means[0], cloud.means[1] = 3e38, -3e38
    found = floaters(cloud)
    assert found[:2].all()
    assert found[2:].mean() < 2e-3
    flat = dataclasses.replace(cloud, means=np.ones((len(cloud), 3)))
    flat.means[:3] = 5.0
    assert np.flatnonzero(floaters(flat)).tolist() == [0, 1, 2]
