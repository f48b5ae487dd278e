"""Looks that serve several questions."""

from __future__ import annotations

import numpy as np
import pytest

from vantage.planning.agents.search_targets import OBJECT_WORTH, Target
from vantage.planning.agents.shared_looks import WHOLE, Wanted, shared

HERE, THERE = np.array([[1.0, 2.0, 0.5]]), np.array([[4.0, 2.0, 0.5]])


def target(points, worth=OBJECT_WORTH, key=0):
    return Target(points, worth, 1.0, 0.6, key=key)


def test_a_target_of_two_questions_is_looked_at_once_for_both():
    (found,) = shared([Wanted([target(HERE)], 0.02, False), Wanted([target(HERE)], 0.01, False)])
    assert found.share * found.worth == pytest.approx(0.03 * WHOLE)


def test_what_may_be_at_several_places_is_worth_no_more_than_one():
    places = [target(HERE), target(THERE), target(HERE + 1.0)]
    found = shared([Wanted(places, 0.02, True)])
    assert sum(each.share * each.worth for each in found) == pytest.approx(0.02 * WHOLE)
    whole = shared([Wanted(places, 0.02, False)])
    assert sum(each.share * each.worth for each in whole) == pytest.approx(3 * 0.02 * WHOLE)


def test_other_things_at_one_place_stay_apart():
    assert len(shared([Wanted([target(HERE, key=1), target(HERE, key=2)], 0.02, False)])) == 2


def test_nothing_wanted_is_nothing_to_look_at():
    assert shared([]) == []
    assert shared([Wanted([], 0.02, True)]) == []
