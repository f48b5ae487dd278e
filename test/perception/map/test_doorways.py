"""Openings behind which nothing was seen yet."""

import pytest
from made_detections import detection, remembered

from vantage.perception.map.coverage import FREE, CoverageMap
from vantage.perception.map.search_coverage import unseen_doorways

DOORWAY = ((3.95, 1.0, 0.0), (4.05, 1.9, 2.0))
OUTER = ((-0.05, 1.0, 0.0), (0.05, 1.9, 2.0))


def seen(label, states=(), box=DOORWAY):
    return remembered(detection(1, label, *box, states=states))


@pytest.fixture
def half_known():
    coverage = CoverageMap((0.0, 0.0, 0.0), (8.0, 4.0, 2.6))
    coverage._states[:40] = FREE
    return coverage


def test_the_side_that_was_not_seen_is_worth_a_look(half_known):
    (points,) = unseen_doorways(seen("doorway"), half_known)
    assert points[:, 0] == pytest.approx([4.8, 4.8])
    assert points[:, 1] == pytest.approx([1.45, 1.45])
    assert (points[:, 2] < 2.0).all()


def test_nothing_is_left_once_both_sides_were_seen(half_known):
    half_known._states[:] = FREE
    assert unseen_doorways(seen("doorway"), half_known) == []


def test_closed_doors_windows_and_slivers_lead_nowhere(half_known):
    assert unseen_doorways(seen("door", ("closed",)), half_known) == []
    assert unseen_doorways(seen("window"), half_known) == []
    assert unseen_doorways(seen("doorway", box=((3.95, 1.0, 0.0), (4.05, 1.2, 2.0))), half_known) == []


def test_a_leaf_that_stands_open_hides_which_way_it_leads(half_known):
    ways = unseen_doorways(seen("door", ("open",), ((3.5, 1.0, 0.0), (4.4, 1.9, 2.0))), half_known)
    assert any(points[0, 0] > 4.5 for points in ways)


def test_nothing_outside_the_map_is_worth_a_look(half_known):
    assert unseen_doorways(seen("door", box=OUTER), half_known) == []
    half_known._states[:] = 0
    (points,) = unseen_doorways(seen("door", box=OUTER), half_known)
    assert points[0, 0] > 0
