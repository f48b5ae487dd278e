"""What several weighings say together."""

import math

import pytest
from hypothesis import given, strategies as st

from vantage.perception.map.mass_interval import agreed, checked_mass

MASSES = st.floats(0.0, 50.0)
INTERVALS = st.tuples(MASSES, MASSES).map(lambda pair: (min(pair), max(pair)))


def test_weighings_narrow_each_other_down():
    assert agreed(None, (0.2, 0.25)) == (0.2, 0.25)
    assert agreed((0.2, 0.3), None) == (0.2, 0.3)
    assert agreed((0.0, 0.25), (0.2, 0.3)) == (0.2, 0.25)
    assert agreed((5.0, math.inf), (4.0, 6.0)) == (5.0, 6.0)


def test_of_weighings_that_contradict_each_other_either_may_be_right():
    assert agreed((0.2, 0.25), (0.3, 0.35)) == (0.2, 0.35)
    assert agreed((5.0, math.inf), (0.9, 0.95)) == (0.9, math.inf)


@given(INTERVALS, INTERVALS)
def test_the_order_does_not_matter_and_nothing_but_what_was_told_comes_out(one, other):
    found = agreed(one, other)
    assert found == agreed(other, one)
    assert agreed(one, one) == one
    assert min(one[0], other[0]) <= found[0] <= found[1] <= max(one[1], other[1])


@pytest.mark.parametrize(
    ("low", "high"), [(1.0, 0.5), (-0.1, 1.0), (math.nan, 1.0), (0.0, math.nan), (math.inf, math.inf)]
)
def test_what_is_no_interval_is_refused_in_a_sentence(low, high):
    with pytest.raises(ValueError, match="a mass lies between two numbers of kg"):
        checked_mass(low, high)
