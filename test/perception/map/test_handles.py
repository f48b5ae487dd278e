"""Handles without identities: the same one again, and two side by side."""

import pytest

from vantage.perception.map.handles import HandleMemory
from vantage.types import Detection

LEFT, RIGHT = (1.0, 0.0, 1.0), (1.0, 0.07, 1.0)


def knob(place, pixels=200, key=0):
    return Detection(key, "handle", "", "", 0.9, pixels, (0, 0, 5, 5), place, place, place)


def seen(*views):
    memory = HandleMemory()
    for stamp, view in enumerate(views, start=1):
        memory.add([knob(place) for place in view], stamp, {})
    return sorted(handle.center for handle in memory.all)


def test_two_knobs_side_by_side_stay_two():
    off = 0.02
    found = seen([LEFT, RIGHT], [(1.0, 0.05, 1.0), (1.0, off, 1.0)])
    assert [y for _, y, _ in found] == pytest.approx([0.01, 0.06])


def test_of_two_knobs_one_is_recognised_alone():
    found = seen([LEFT, RIGHT], [(1.0, 0.06, 1.0)])
    assert [y for _, y, _ in found] == pytest.approx([0.0, 0.065])


def test_what_is_farther_off_is_another_handle():
    assert len(seen([LEFT], [(1.0, 0.1, 1.0)])) == 2


def test_parts_of_a_bar_that_were_seen_one_by_one_become_one_handle():
    memory = HandleMemory()
    memory.add([knob((1.0, 0.0, 1.0), 60)], 1, {})
    memory.add([knob((1.0, 0.11, 1.0), 90)], 2, {})
    assert len(memory.all) == 2
    memory.add([knob((1.0, 0.055, 1.0), 400)], 3, {})
    (only,) = memory.all
    assert only.pixels == 400


def test_a_sighting_between_two_knobs_is_of_one_of_them():
    memory = HandleMemory()
    memory.add([knob((1.0, 0.0, 1.0)), knob((1.0, 0.05, 1.0))], 1, {})
    for stamp, middle in enumerate((0.025, 0.03, 0.02), start=2):
        memory.add([knob((1.0, middle, 1.0), 900)], stamp, {})
        assert len(memory.all) == 2, middle


def test_a_handle_that_is_turned_is_found_anew_and_others_stay():
    memory = HandleMemory()
    memory.add([knob(LEFT), knob((1.0, 0.4, 1.0))], 1, {})
    memory.moved(memory.nearest(LEFT, 0.1))
    assert [handle.center for handle in memory.all] == [(1.0, 0.4, 1.0)]


def test_an_identity_tells_handles_apart_wherever_they_are():
    memory = HandleMemory()
    memory.add([knob(LEFT, key=5), knob(LEFT, key=6)], 1, {})
    memory.add([knob(RIGHT, key=5)], 2, {})
    assert {handle.key: handle.center for handle in memory.all} == {5: RIGHT, 6: LEFT}
