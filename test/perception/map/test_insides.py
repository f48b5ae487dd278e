"""What was seen of the insides of things that were opened by hand."""

import numpy as np
import pytest

from vantage.perception.map.insides import ENOUGH, InsideMemory
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Observation

BOX = ((0.0, 0.0, 0.0), (0.5, 1.0, 0.8))  # its front looks along -x
LEFT, RIGHT = (0.0, 0.3, 0.4), (0.0, 0.7, 0.4)
LENS = Intrinsics.from_fov(80, 60, 1.4)
HINGED, DRAWN = np.array([-0.35, 0.35, 0.0]), np.array([-0.3, 0.0, 0.0])
KEY = 7


def view(depth, x=-1.0, y=0.5, z=0.5, at=(0.25, 0.5, 0.4)):
    here = Viewpoint.looking_at((x, y, z), at)
    return Observation(1, here, LENS, np.zeros((60, 80, 3), np.uint8), np.full((60, 80), depth, np.float32))


def test_of_what_was_never_opened_nothing_is_known():
    inside = InsideMemory().of(KEY, [LEFT, RIGHT])
    assert not inside.complete
    assert inside.seen == 0.0
    assert inside.shut == (LEFT, RIGHT)
    assert not inside.unseen


def test_a_door_that_stands_open_is_not_looked_through_by_itself():
    memory = InsideMemory()
    memory.opened(KEY, BOX, LEFT, [], HINGED)
    inside = memory.of(KEY, [LEFT])
    assert (inside.complete, inside.shut) == (False, ())
    assert len(inside.unseen) > 5
    assert all(low <= x <= high for point in inside.unseen for low, x, high in zip(*_columns(point), strict=True))
    memory.looked(view(0.9))  # something is before it
    assert memory.of(KEY, [LEFT]).seen == 0.0
    memory.looked(view(np.nan))
    assert memory.of(KEY, [LEFT]).seen == 0.0
    memory.looked(view(4.0, x=-4.0))  # from so far nothing is made out
    assert memory.of(KEY, [LEFT]).seen == 0.0
    memory.looked(view(4.0))
    assert memory.of(KEY, [LEFT]).complete


def _columns(point):
    return BOX[0], point, BOX[1]


def test_what_was_seen_stays_seen_when_it_is_closed_again():
    memory = InsideMemory()
    memory.opened(KEY, BOX, LEFT, [], HINGED)
    memory.looked(view(4.0))
    memory.closed(KEY, LEFT)
    assert memory.of(KEY, [LEFT]).complete
    memory.closed(KEY)
    assert memory.of(KEY, [LEFT]).complete


def test_what_was_closed_before_anybody_looked_has_to_be_opened_again():
    memory = InsideMemory()
    memory.opened(KEY, BOX, LEFT, [], HINGED)
    memory.closed(KEY, LEFT)
    memory.looked(view(4.0))
    inside = memory.of(KEY, [LEFT])
    assert (inside.complete, inside.shut, inside.unseen) == (False, (LEFT,), ())
    memory.opened(KEY, BOX, LEFT, [], HINGED)
    memory.looked(view(4.0))
    assert memory.of(KEY, [LEFT]).complete


def test_each_door_stands_for_its_part():
    memory = InsideMemory()
    memory.opened(KEY, BOX, LEFT, [RIGHT], HINGED)
    assert all(y <= 0.5 + 1e-6 for _, y, _ in memory.of(KEY, [LEFT, RIGHT]).unseen)
    memory.looked(view(4.0))
    inside = memory.of(KEY, [LEFT, RIGHT])
    assert inside.shut == (RIGHT,)
    assert not inside.complete
    assert inside.seen == pytest.approx(0.5, abs=0.2)
    memory.opened(KEY, BOX, RIGHT, [LEFT], -HINGED)
    memory.looked(view(4.0))
    assert memory.of(KEY, [LEFT, RIGHT]).complete


def test_the_inside_of_a_drawer_comes_out_with_it():
    memory = InsideMemory()
    memory.opened(KEY, BOX, LEFT, [RIGHT, (0.0, 0.3, 0.7)], DRAWN)
    inside = memory.of(KEY, [LEFT])
    assert all(-0.3 <= x <= 0.0 and y <= 0.5 + 1e-6 and 0.3 <= z < 0.4 for x, y, z in inside.unseen)
    moved = (LEFT[0] + DRAWN[0], LEFT[1], LEFT[2])
    assert memory.of(KEY, [moved]).shut == ()  # its handle is seen where it is now
    memory.looked(view(4.0, z=1.2, at=(-0.1, 0.25, 0.37)))
    assert memory.of(KEY, [LEFT]).seen >= ENOUGH


def test_what_is_told_is_known():
    memory = InsideMemory()
    memory.know(KEY)
    assert memory.of(KEY, [LEFT]).complete
    memory.renamed(KEY, 8)
    assert memory.of(8, []).complete
    assert not memory.of(KEY, []).complete
    memory.reset()
    assert not memory.of(8, []).complete


def test_things_that_turn_out_to_be_one_keep_what_was_seen():
    memory = InsideMemory()
    memory.opened(KEY, BOX, LEFT, [], HINGED)
    memory.looked(view(4.0))
    memory.renamed(KEY, 8)
    assert memory.of(8, [LEFT]).complete
    assert memory.has_opened(8, LEFT)
    assert not memory.has_opened(KEY, LEFT)


def test_a_view_without_depth_shows_nothing():
    memory = InsideMemory()
    memory.opened(KEY, BOX, LEFT, [], HINGED)
    seen = view(4.0)
    memory.looked(Observation(1, seen.viewpoint, LENS, seen.rgb))
    assert memory.of(KEY, [LEFT]).seen == 0.0


def test_doors_whose_knobs_are_side_by_side_are_two():
    first, second = (0.0, 0.47, 0.4), (0.0, 0.53, 0.4)
    for keys in ((11, 12), (0, 0)):
        memory = InsideMemory()
        memory.opened(KEY, BOX, first, [second], HINGED, keys[0])
        memory.looked(view(4.0))
        moved = tuple(a + b for a, b in zip(first, HINGED, strict=True))
        assert memory.of(KEY, [moved, second]).shut == (second,)
        memory.opened(KEY, BOX, second, [moved], -HINGED, keys[1])
        memory.looked(view(4.0))
        assert memory.of(KEY, [moved, second]).complete


def test_what_shows_little_was_looked_into_from_several_places():
    memory = InsideMemory()
    memory.opened(KEY, BOX, LEFT, [], HINGED)
    for number, z in enumerate((0.3, 0.6, 0.9)):
        assert not memory.of(KEY, [LEFT]).complete, number
        seen = view(0.3, x=-0.8, z=z)
        seen.depth[:, 35:41] = 4.0  # through a gap
        memory.looked(seen)
        memory.looked(seen)
    assert memory.of(KEY, [LEFT]).seen < ENOUGH
    assert memory.of(KEY, [LEFT]).complete


def test_the_knob_beside_one_that_is_out_of_sight_stays_that_of_another_door():
    left, right = (0.0, 0.46, 0.4), (0.0, 0.54, 0.4)
    memory = InsideMemory()
    memory.opened(KEY, BOX, left, [right], HINGED)
    assert memory.of(KEY, [right]).shut == (right,)
    assert memory.of(KEY, [(-0.3, 0.8, 0.4), right]).shut == (right,)


def test_doors_swing_open_and_drawers_are_drawn_out():
    memory = InsideMemory()
    assert not memory.is_swung_open(KEY)
    memory.opened(KEY, BOX, LEFT, [RIGHT], HINGED)
    assert (memory.is_swung_open(KEY), memory.is_drawn_out(KEY)) == (True, False)
    memory.opened(KEY, BOX, RIGHT, [LEFT], DRAWN)
    assert (memory.is_swung_open(KEY), memory.is_drawn_out(KEY)) == (False, True)
    assert memory.of(KEY, [LEFT, RIGHT]).opened == 2
    memory.closed(KEY)
    assert (memory.is_swung_open(KEY), memory.is_drawn_out(KEY)) == (False, False)


def test_of_what_was_opened_without_a_felt_way_it_is_not_known_how():
    memory = InsideMemory()
    memory.opened(KEY, BOX, LEFT, [], np.zeros(3))
    assert (memory.is_swung_open(KEY), memory.is_drawn_out(KEY)) == (False, False)
