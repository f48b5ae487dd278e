"""Boxes in a picture become located objects: where the pixels and the depth say that they are."""

from dataclasses import replace

import numpy as np
import pytest
from painted_boxes import AHEAD, painted, table_with_objects

from vantage.errors import VantageError
from vantage.perception.perceivers.boxes import FoundBox, check_depth, located
from vantage.perception.perceivers.privileged import PrivilegedPerceiver


@pytest.fixture(scope="module")
def truth():
    """What the instance ids of a view show, and the view without them."""
    seen = table_with_objects().observe(AHEAD)
    return {each.label: each for each in PrivilegedPerceiver(20).perceive(seen)}, painted(seen)


def boxes(objects, *labels):
    return [FoundBox(label, 0.9, objects[label].box) for label in labels]


def test_objects_are_where_instance_ids_say_they_are(truth):
    objects, view = truth
    found = {each.label: each for each in located(view, boxes(objects, "box", "book"), 20)}
    for label in ("box", "book"):
        np.testing.assert_allclose(found[label].center, objects[label].center, atol=0.02)
        np.testing.assert_allclose(found[label].bounds_min, objects[label].bounds_min, atol=0.05)
        np.testing.assert_allclose(found[label].bounds_max, objects[label].bounds_max, atol=0.05)
        assert found[label].color == objects[label].color
        assert found[label].instance_id == 0
        assert not found[label].truncated


def test_a_loose_box_holds_the_same_object(truth):
    objects, view = truth
    x, y, w, h = objects["box"].box
    [found] = located(view, [FoundBox("box", 0.9, (x - 6, y - 6, w + 12, h + 12))], 20)
    np.testing.assert_allclose(found.center, objects["box"].center, atol=0.03)
    assert found.color == "red"


def test_what_was_told_of_a_object_is_kept(truth):
    objects, view = truth
    told = FoundBox("crate", 0.7, objects["box"].box, "purple", "wood", ("open",), "cubic", "TEA")
    [found] = located(view, [told], 20)
    assert (found.label, found.confidence, found.color) == ("crate", 0.7, "purple")
    assert (found.material, found.states, found.shape, found.text) == ("wood", ("open",), "cubic", "TEA")


def test_two_boxes_around_one_object_count_once_and_the_surer_one(truth):
    objects, view = truth
    x, y, w, h = objects["box"].box
    twice = [FoundBox("box", 0.5, (x + 1, y, w, h)), FoundBox("box", 0.8, (x, y, w, h))]
    [found] = located(view, twice, 20)
    assert found.confidence == 0.8
    assert len(located(view, [*twice, FoundBox("crate", 0.5, (x, y, w, h))], 20)) <= 2


def test_a_small_object_before_a_large_one_keeps_its_pixels(truth):
    objects, view = truth
    found = {each.label: each for each in located(view, boxes(objects, "box", "table"), 20)}
    np.testing.assert_allclose(found["box"].center, objects["box"].center, atol=0.02)
    assert found["table"].pixels > found["box"].pixels


@pytest.mark.parametrize("box", [(-50, -50, 20, 20), (400, 10, 30, 30), (10, 10, 0, 5), (10, 10, 5, -3)])
def test_boxes_outside_the_picture_are_left_out(truth, box):
    assert located(truth[1], [FoundBox("box", 0.9, box)], 20) == ()


def test_a_box_over_the_border_is_cut_off(truth):
    [found] = located(truth[1], [FoundBox("wall", 0.9, (-10, -10, 60, 60))], 20)
    assert found.truncated
    assert found.box == (0, 0, 50, 50)


def test_what_is_too_small_or_has_no_depth_is_left_out(truth):
    objects, view = truth
    assert located(view, boxes(objects, "book"), 100_000) == ()
    blind = replace(view, depth=np.full_like(view.depth, np.nan))
    assert located(blind, boxes(objects, "book"), 20) == ()
    assert located(view, [], 20) == ()


def test_the_same_picture_gives_the_same_objects(truth):
    objects, view = truth
    assert located(view, boxes(objects, "box", "book"), 20) == located(view, boxes(objects, "box", "book"), 20)


def test_depth_is_needed_and_of_the_size_of_the_picture(truth):
    view = truth[1]
    check_depth(view, "detector")
    with pytest.raises(VantageError, match="the detector perceiver cannot tell where things are without depth"):
        check_depth(replace(view, depth=None), "detector")
    with pytest.raises(VantageError, match=r"depth image \(10, 10\) and picture \(240, 320\) differ in size"):
        check_depth(replace(view, depth=np.ones((10, 10), np.float32)), "detector")
