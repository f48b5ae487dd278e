"""The free floor as it was observed, and ways over it."""

import itertools
import math

import numpy as np
import pytest

from vantage.perception.map import FREE, OCCUPIED, CoverageMap
from vantage.planning.skills.floor import FloorMap

LOW, HIGH = (0.0, 0.0, -0.025), (4.0, 4.0, 1.575)


def coverage(filled=(), unseen=()):
    """A floor that was seen everywhere but in some boxes (x0, y0, x1, y1), with things on it in others."""
    space = CoverageMap(LOW, HIGH, 0.05)
    states = space._states
    states[:, :, 0] = OCCUPIED
    states[:, :, 1:] = FREE
    for boxes, state, levels in ((filled, OCCUPIED, slice(2, 20)), (unseen, 0, slice(None))):
        for x0, y0, x1, y1 in boxes:
            i0, j0, i1, j1 = (round(value / 0.05) for value in (x0, y0, x1, y1))
            states[i0:i1, j0:j1, levels] = state
    return space


def test_a_way_leads_straight_where_nothing_is():
    floor = FloorMap(coverage(), 0.22, (1.0, 1.0))
    assert floor.way((3.0, 2.0)) == [(3.0, 2.0)]
    assert floor.cost((3.0, 2.0)) == pytest.approx(math.dist((1.0, 1.0), (3.0, 2.0)), rel=0.1)


def test_a_way_leads_around_what_stands_there():
    floor = FloorMap(coverage([(1.8, 0.0, 2.2, 3.0)]), 0.22, (1.0, 1.0))
    way = floor.way((3.0, 1.0))
    assert way[-1] == (3.0, 1.0)
    assert max(y for _, y in way) > 3.2
    points = [(1.0, 1.0), *way]
    for start, end in itertools.pairwise(points):
        assert floor.line_is_free(start, end)


def test_a_gap_narrower_than_the_robot_is_no_way():
    assert FloorMap(coverage([(1.8, 0.0, 2.2, 1.8), (1.8, 2.1, 2.2, 4.0)]), 0.22, (1.0, 1.0)).way((3.0, 1.0)) is None
    assert FloorMap(coverage([(1.8, 0.0, 2.2, 1.6), (1.8, 2.4, 2.2, 4.0)]), 0.22, (1.0, 1.0)).way((3.0, 1.0))


def test_floor_that_was_not_seen_is_not_free_but_below_the_robot_it_is():
    floor = FloorMap(coverage(unseen=[(0.8, 0.8, 1.2, 1.2), (2.0, 2.0, 3.0, 3.0)]), 0.22, (1.0, 1.0))
    assert floor.stands((1.0, 1.0))
    assert not floor.stands((2.5, 2.5))
    assert floor.way((2.5, 2.5)) is None


def test_a_bump_is_gone_around():
    space = coverage()
    assert FloorMap(space, 0.22, (1.0, 2.0)).line_is_free((1.0, 2.0), (3.0, 2.0))
    floor = FloorMap(space, 0.22, (1.0, 2.0), bumps=[(2.0, 2.0)])
    assert not floor.line_is_free((1.0, 2.0), (3.0, 2.0))
    assert len(floor.way((3.0, 2.0))) > 1


def test_a_robot_that_stands_too_near_to_something_comes_away():
    floor = FloorMap(coverage([(0.0, 0.0, 1.0, 4.0)]), 0.22, (1.15, 2.0))
    assert floor.way((3.0, 2.0))


def test_places_outside_and_numbers_that_are_none_are_no_places():
    floor = FloorMap(coverage(), 0.22, (1.0, 1.0))
    for place in ((-1.0, 1.0), (9.0, 9.0), (math.nan, 1.0), (math.inf, 1.0)):
        assert not floor.stands(place)
        assert floor.way(place) is None
        assert floor.room(place) == 0.0
        assert not np.isfinite(floor.cost(place))


def test_nothing_beyond_the_limits_is_a_place():
    floor = FloorMap(coverage(), 0.22, (1.0, 1.0), low=(0.5, 0.5), high=(2.5, 4.0))
    assert floor.stands((2.4, 3.0))
    assert not floor.stands((2.6, 3.0))
    assert floor.way((2.6, 3.0)) is None
    assert floor.way((2.4, 3.0))


def test_a_way_keeps_off_the_posts_of_a_doorway_where_there_is_room():
    space = coverage([(1.9, 0.0, 2.1, 1.5), (1.9, 2.5, 2.1, 4.0)])
    floor = FloorMap(space, 0.22, (1.0, 1.4))
    points = [(1.0, 1.4), *floor.way((3.0, 1.4))]
    on_the_way = [np.linspace(start, end, 40) for start, end in itertools.pairwise(points)]
    least = min(floor.room((float(x), float(y))) for line in on_the_way for x, y in line)
    assert least > 0.27, "a straight line would go along the post at 0.1 m from it"
    assert floor.line_is_free((1.0, 1.7), (3.0, 1.7))
