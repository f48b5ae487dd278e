"""Where boxes fall on an image."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vantage.benchmarks.labelling.projection import box_in_image
from vantage.spatial import Intrinsics, Viewpoint, apply, invert

LENS = Intrinsics(100, 80, 50.0, 50.0, 50.0, 40.0)
AHEAD = Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0)  # looks along x


def test_a_box_ahead_falls_on_the_middle() -> None:
    assert box_in_image((2.0, -0.4, 0.8), (4.0, 0.4, 1.2), AHEAD, LENS) == pytest.approx((40.0, 35.0, 60.0, 45.0))


def test_left_of_the_camera_is_left_in_the_image_and_above_is_above() -> None:
    box = box_in_image((2.0, 0.4, 1.2), (2.0, 0.8, 1.6), AHEAD, LENS)
    assert box == pytest.approx((30.0, 25.0, 40.0, 35.0))


@pytest.mark.parametrize(
    ("low", "high"),
    [
        ((-3.0, -0.4, 0.8), (-2.0, 0.4, 1.2)),
        ((1.0, 5.0, 0.8), (2.0, 6.0, 1.2)),
        ((1.0, -0.1, 7.0), (2.0, 0.1, 9.0)),
    ],
)
def test_what_is_behind_or_beside_is_not_in_it(
    low: tuple[float, float, float], high: tuple[float, float, float]
) -> None:
    assert box_in_image(low, high, AHEAD, LENS) is None


def test_a_box_around_the_camera_fills_the_image() -> None:
    assert box_in_image((-1.0, -1.0, 0.0), (3.0, 1.0, 2.0), AHEAD, LENS) == (0.0, 0.0, 100.0, 80.0)


def test_a_box_that_reaches_behind_the_camera_is_cut_where_that_stands() -> None:
    left, top, right, bottom = box_in_image((-2.0, -1.0, 0.0), (4.0, 1.0, 0.5), AHEAD, LENS) or (0.0,) * 4
    assert (left, right, bottom) == (0.0, 100.0, 80.0)
    assert top == pytest.approx(40.0 + 50.0 * 0.5 / 4.0)


def test_all_points_of_a_box_in_sight_lie_in_it() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        low = rng.uniform(-3.0, 3.0, 3)
        high = low + rng.uniform(0.05, 2.0, 3)
        view = Viewpoint(*rng.uniform(-2.0, 2.0, 3), float(rng.uniform(-math.pi, math.pi)), float(rng.uniform(-1, 1)))
        points = apply(invert(view.T_world_camera_optical()), rng.uniform(low, high, (50, 3)))
        uv = LENS.project(points[points[:, 2] > 0.05])
        seen = uv[(uv >= 0).all(axis=1) & (uv < (LENS.width, LENS.height)).all(axis=1)]
        if not len(seen):
            continue
        box = box_in_image(tuple(low), tuple(high), view, LENS)
        assert box is not None
        assert (seen >= np.array(box[:2]) - 1e-6).all()
        assert (seen <= np.array(box[2:]) + 1e-6).all()
