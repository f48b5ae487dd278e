"""What the views of one object come to."""

import pytest

from vantage.perception.map.observed_object import ObservedObject
from vantage.spatial import Viewpoint
from vantage.types import Detection


def seen(label, views):
    """An object with an identity, seen in views (pixels, low, high) from places one meter apart."""
    obj = ObservedObject(3)
    for k, (pixels, low, high) in enumerate(views):
        center = tuple(0.5 * (a + b) for a, b in zip(low, high, strict=True))
        found = Detection(3, label, "white", "", 0.9, pixels, (0, 0, 9, 9), center, low, high)
        obj.add(found, k + 1, Viewpoint(float(k), 0.0, 1.0, 0.0, 0.0))
    return obj


# Two of them along it, mixed with what stands before it; each alone is strong.
VIEWS = (
    (4000, (4.0, 0.0, 0.1), (4.02, 2.0, 2.4)),
    (2500, (3.4, 1.0, 0.2), (3.9, 3.5, 2.0)),
    (3000, (4.01, 0.5, 0.0), (4.03, 2.5, 2.3)),
    (1800, (3.7, 1.0, 0.5), (4.4, 2.0, 2.0)),
)


def test_where_a_plane_lies_is_the_weighted_median_and_how_far_it_goes_is_all_that_was_seen():
    wall = seen("wall", VIEWS)
    assert wall.bounds_min == pytest.approx((4.0, 0.0, 0.0))
    assert wall.bounds_max == pytest.approx((4.02, 3.5, 2.4))
    obj = seen("cabinet", VIEWS)
    assert (obj.bounds_min[0], obj.bounds_max[0]) == pytest.approx((3.4, 4.4))


def test_pixels_weigh_rather_than_views():
    few, many = (200, (0.0, 0.0, 0.3), (3.0, 3.0, 0.3)), (900, (0.0, 0.0, 0.0), (3.0, 3.0, 0.01))
    floor = seen("floor", (few, few, few, many))
    assert (floor.bounds_min[2], floor.bounds_max[2]) == pytest.approx((0.0, 0.01))
    more = seen("floor", (*(few for _ in range(6)), many))
    assert more.bounds_max[2] == pytest.approx(0.3)


def test_one_view_of_a_plane_is_taken_as_it_is():
    rug = seen("rug", VIEWS[:1])
    assert (rug.bounds_min, rug.bounds_max) == (VIEWS[0][1], VIEWS[0][2])


def told(*views):
    """An object whose color was told in views (x of the camera, pixels, color)."""
    obj = ObservedObject(-3)
    for k, (x, pixels, color) in enumerate(views):
        found = Detection(
            0, "mug", color, "", 0.5, pixels, (0, 0, 9, 9), (2.0, 0.0, 1.0), (1.9, 0.0, 0.9), (2.0, 0.1, 1.0)
        )
        obj.add(found, k + 1, Viewpoint(x, 0.0, 1.0, 0.0, 0.1 * k))
    return obj


def test_views_from_one_place_are_no_witnesses_of_each_other():
    staring = told(*[(0.1, 700, "yellow")] * 5)
    assert (staring.color, staring.views) == ("yellow", 5)
    assert staring.confidence == pytest.approx(0.5)
    assert not staring.votes["color"].plain
    moving = told((0.1, 700, "yellow"), (0.8, 700, "yellow"))
    assert moving.confidence == pytest.approx(0.75)
    assert moving.votes["color"].plain
    assert told((0.1, 3000, "yellow")).votes["color"].plain


def test_places_that_disagree_are_no_plain_word():
    assert not told((0.1, 3000, "yellow"), (0.8, 3000, "orange")).votes["color"].plain
    assert not ObservedObject(-3).votes["color"].plain


def test_of_one_place_the_nearest_view_counts():
    assert told((0.1, 300, "orange"), (0.1, 2500, "yellow"), (0.1, 400, "orange")).color == "yellow"


def test_objects_that_turn_out_to_be_one_are_as_sure_as_both_together():
    obj, other = told((0.1, 700, "yellow")), told((0.8, 700, "yellow"), (0.1, 600, "orange"))
    obj.take_over(other)
    assert obj.confidence == pytest.approx(0.75)
    assert obj.votes["color"].plain
