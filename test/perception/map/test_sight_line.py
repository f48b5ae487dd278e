"""Where something is by its box in the picture and the depth in there."""

from dataclasses import replace

import numpy as np
import pytest

from vantage.perception.map.sight_line import area_at, is_within_reach, middle_in_sight, put_in_sight
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Detection, Observation

LENS = Intrinsics.from_fov(80, 60, 1.2)
HERE = Viewpoint(0.0, 0.0, 1.0, 0.0, 0.0)  # looks along +x
BOX = (36, 26, 8, 8)  # pixels, amid the picture
KNOB = (1.0, 0.0, 1.0)


def view(depth=1.0, behind=3.0, lens=None):
    """A knob before a wall."""
    few = lens or LENS
    seen = np.full((few.height, few.width), behind, np.float32)
    share = few.width / LENS.width
    left, top, width, height = (round(share * each) for each in BOX)
    seen[top : top + height, left : left + width] = depth
    return Observation(1, HERE, LENS, np.zeros((60, 80, 3), np.uint8), seen, depth_intrinsics=lens)


def covered():
    """By the robot's own hand, beside which the knob shows."""
    seen = view()
    seen.depth[:, 44:] = np.nan
    return seen


def knob(off=(0.05, -0.04, 0.08), box=BOX, **said):
    """As a perceiver tells it that puts it a little beside."""
    x, y, z = (float(a) for a in np.add(KNOB, off))
    low, high = (x - 0.01, y - 0.05, z - 0.05), (x + 0.01, y + 0.05, z + 0.05)
    return Detection(0, "handle", "", "", 0.9, 64, box, (x, y, z), low, high, **said)


@pytest.mark.parametrize("lens", [None, Intrinsics.from_fov(40, 30, 1.2)])
def test_box_and_depth_tell_where_it_is(lens):
    seen = put_in_sight(view(lens=lens), knob())
    assert seen.center == pytest.approx(KNOB, abs=1e-6)
    assert np.subtract(seen.bounds_max, seen.bounds_min) == pytest.approx([0.02, 0.1, 0.1])
    assert seen.bounds_min == pytest.approx(np.subtract(KNOB, (0.01, 0.05, 0.05)))


@pytest.mark.parametrize(
    ("seen", "detection"),
    [
        (view(depth=np.nan), knob()),
        (covered(), knob()),
        (view(depth=2.0), knob()),  # through it shows what is behind
        (view(), knob(truncated=True)),
        (view(), knob(off=(0.4, 0.0, 0.0))),
    ],
)
def test_what_the_view_does_not_tell_is_left_open(seen, detection):
    assert put_in_sight(seen, detection) is None


def test_a_simulator_and_a_camera_without_depth_are_believed():
    named = replace(knob(), instance_id=7)
    assert put_in_sight(view(), named) is named
    assert put_in_sight(replace(view(), depth=None), knob()) == knob()
    assert middle_in_sight(replace(view(), depth=None), knob()) is None


def test_the_hand_asks_only_for_what_is_near_small_and_whole():
    assert is_within_reach(view(), knob())
    assert not is_within_reach(view(), knob(truncated=True))
    assert not is_within_reach(view(), knob(off=(2.0, 0.0, 0.0)))
    assert not is_within_reach(view(), replace(knob(), bounds_max=(1.0, 0.9, 1.1)))


def test_what_is_shown_from_afar_is_as_large_as_from_near():
    near = area_at(view(), knob(), np.array(KNOB))
    half = area_at(view(), knob(box=(38, 28, 4, 4)), np.array((2.0, 0.0, 1.0)))
    assert near == pytest.approx(half)
    assert near == pytest.approx((8 / LENS.fx) ** 2)
