"""What a report says of rooms, captures and odd clouds.

Floaters are told from surfaces, dense or sparse, in any frame and unit.
"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from plain_renderer import random_cloud
from turned_rooms import blob, ceiling, sparse_room, table_with_box, turned

from vantage.splats.cloud import GaussianCloud
from vantage.splats.cloud_report import COMPANY, floaters, report
from vantage.splats.formats.clouds import load_cloud


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


def test_a_room_in_metres() -> None:
    cloud = sparse_room(1)
    about = report(cloud)
    assert (about.gaussians, about.sh_degree) == (len(cloud), 0)
    assert about.instances == len(set(cloud.instances.tolist()) - {0})
    assert about.memory == len(cloud) * 4 * (3 + 3 + 4 + 1 + 3 + 1)
    assert about.up == "z"
    assert about.up_confidence > 0.9
    assert about.units == "metric plausible"
    assert f"height of {ceiling(1):.3g} units" in about.units_reason
    assert sum(about.opacities) == len(cloud)
    assert about.opacities[9] >= 0.98 * len(cloud)  # all but what is of glass
    assert list(about.scales) == sorted(about.scales)
    assert about.scales[1] == pytest.approx(float(np.median(cloud.scales.max(axis=1))))
    assert about.floater_share < 2e-3
    assert about.bounds_min is not None
    assert about.robust_min is not None
    assert np.all(np.array(about.bounds_min) <= about.robust_min)


def test_a_room_in_other_units() -> None:
    about = report(turned(sparse_room(1), (0, 0, 0, 1), 7.0)[0])
    assert about.units == "not metric"
    assert "fits no room" in about.units_reason


def test_a_object_may_have_any_size() -> None:
    about = report(table_with_box())
    assert (about.up, about.units) == ("z", "unknown")
    assert report(turned(table_with_box(), (0, 0, 0, 1), 1e4)[0]).units == "not metric"


def test_no_floor() -> None:
    about = report(blob())
    assert about.up == ""
    assert about.up_confidence == 0.0
    assert "no floor was found" in about.up_reason
    assert about.units == "unknown"


def test_few_and_none() -> None:
    assert "too few" in report(random_cloud(5, degree=2)).up_reason
    about = report(GaussianCloud.empty())
    assert about.gaussians == about.floaters == about.instances == about.memory == 0
    assert about.bounds_min is None
    assert about.units == "unknown"
    assert about.floater_share == 0.0


def test_the_same_seed_gives_the_same_report() -> None:
    assert report(table_with_box(), 3) == report(table_with_box(), 3)


def test_a_huge_spread_does_not_overflow() -> None:
    cloud = table_with_box()
    cloud.means[0] = 3e38
    assert report(dataclasses.replace(cloud)).up == "z"


@pytest.mark.parametrize("name", ["plant/plant", "tarot/academic_tarot_cards"])
def test_real_captures(data_folder: Path, name: str) -> None:
    about = report(load_cloud(data_folder / "splats" / f"{name}.splat"))
    assert about.up == "-y"
    assert about.units == "not metric"
    assert 0 < about.floater_share < 0.01
    assert about.instances == 0
