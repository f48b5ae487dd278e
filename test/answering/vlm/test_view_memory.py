"""Views that are remembered: bounded, diverse, in the order in which they came."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from vantage.answering.vlm.view_memory import MAX_SIDE, ViewMemory, spread
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Observation

LENS = Intrinsics.from_fov(64, 48, 1.2)


def seen(stamp=1, x=0.0, yaw=0.0, value=100, shape=(48, 64)):
    rgb = np.full((*shape, 3), value, np.uint8)
    rgb[: shape[0] // 2, :, 0] = 200
    return Observation(stamp, Viewpoint(x, 0.0, 1.2, yaw, 0.0), LENS, rgb)


def test_a_view_keeps_picture_stamp_and_pose():
    memory = ViewMemory()
    assert memory.add(seen(7, 1.5, 0.3), ["mug"])
    (view,) = memory.views
    assert (view.evidence.stamp, view.evidence.viewpoint.x, view.labels) == (7, 1.5, {"mug"})
    assert view.image.shape == (48, 64, 3)
    assert np.abs(view.image.astype(int) - seen().rgb)[:16].max() <= 8, "red stays red"


def test_large_pictures_are_made_smaller():
    memory = ViewMemory()
    memory.add(seen(shape=(1500, 2048)))
    assert memory.views[0].image.shape == (750, MAX_SIDE, 3)


def test_of_views_from_one_place_the_newest_stays():
    memory = ViewMemory()
    memory.add(seen(1, 0.0, value=50))
    memory.add(seen(2, 0.05, value=90))
    memory.add(seen(3, 1.0))
    assert [view.stamp for view in memory.views] == [2, 3]


def test_an_unchanged_view_stays_what_it_was():
    memory = ViewMemory()
    memory.add(seen(1))
    memory.add(seen(2))
    assert [(view.stamp, view.number) for view in memory.views] == [(1, 1)]


def test_turning_and_moving_by_an_action_gives_another_view():
    memory = ViewMemory()
    for k in range(12):
        memory.add(seen(k, 0.0, k * math.pi / 6))
        memory.add(seen(100 + k, 0.25 * (k + 1), 0.0))
    assert len(memory.views) == 24


def test_yaw_goes_round():
    memory = ViewMemory()
    for k, yaw in enumerate((math.pi - 0.01, 0.01 - math.pi)):
        memory.add(seen(k, 0.0, yaw, value=100 + 50 * k))
    assert [view.stamp for view in memory.views] == [1]


def test_number_and_bytes_are_bounded_and_what_stays_is_diverse():
    memory = ViewMemory(max_views=8)
    for k in range(100):
        memory.add(seen(k, 0.25 * k if k < 8 else 20.0 + 0.21 * k))
    assert len(memory.views) == 8
    positions = sorted(view.viewpoint.x for view in memory.views)
    assert positions[-1] > 40.0
    assert positions[0] < 1.0, "the first place is not forgotten for a hundred looks at another"
    small = ViewMemory(max_bytes=3 * memory.views[0].jpeg.__len__())
    for k in range(20):
        small.add(seen(k, 1.0 * k))
    assert 1 <= len(small.views) <= 3
    assert small.size <= 3 * len(memory.views[0].jpeg) + 64


def test_one_view_larger_than_the_bound_is_still_kept():
    memory = ViewMemory(max_bytes=1)
    memory.add(seen(1))
    memory.add(seen(2, 5.0))
    assert [view.stamp for view in memory.views] == [2]


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_views_without_a_pose_are_left_out_and_counted(bad):
    memory = ViewMemory()
    assert not memory.add(replace(seen(), viewpoint=Viewpoint(bad, 0, 0, 0, 0)))
    assert (memory.views, memory.unposed) == ((), 1)
    memory.reset()
    assert memory.unposed == 0


def test_stamps_that_go_back_are_counted_and_the_order_is_that_of_arrival():
    memory = ViewMemory()
    for k, stamp in enumerate((50, 60, 10, 20)):
        memory.add(seen(stamp, 1.0 * k))
    assert [view.stamp for view in memory.views] == [50, 60, 10, 20]
    assert memory.jumps == 1
    assert len({view.key for view in memory.views}) == 4


def test_a_spread_differs_most_and_takes_some_first():
    memory = ViewMemory()
    for k in range(40):
        memory.add(seen(k, 0.25 * k))
    views = memory.views
    few = spread(views, 4)
    assert [view.number for view in few] == sorted(view.number for view in few)
    assert {views[0], views[-1]} <= set(few)
    assert min(b.viewpoint.x - a.viewpoint.x for a, b in pairwise(few)) > 2.0
    assert views[17] in spread(views, 4, [views[17]])
    assert spread(views[:3], 4) == views[:3]
    assert spread((), 4) == ()


def test_many_views_take_little_memory():
    rng = np.random.default_rng(0)
    noise = rng.integers(0, 255, (48, 64, 3), dtype=np.uint8)
    memory = ViewMemory()
    for k in range(300):
        memory.add(replace(seen(k, 0.3 * k), rgb=np.roll(noise, k, axis=1)))
    assert len(memory.views) == 256
    assert memory.size < 64 << 20
