"""Numbers of objects of which not all were seen clearly.

Truth tables of three values, and numbers that are only known to lie in a span.
"""

import itertools

import pytest
from hypothesis import given, strategies as st

from vantage.answering.symbolic.observed_facts import SeenObject
from vantage.answering.symbolic.three_valued_sets import (
    SearchCompleteness,
    Selection,
    Space,
    Span,
    every,
    negation,
    some,
)
from vantage.perception.map.observed_object import ObservedObject
from vantage.spatial import Viewpoint
from vantage.types import Detection

VALUES = (True, False, None)


def possible(value):
    return (True, False) if value is None else (value,)


@pytest.mark.parametrize(("first", "second"), list(itertools.product(VALUES, repeat=2)))
def test_and_and_or_say_what_holds_in_all_cases(first, second):
    for told, exact in ((every, all), (some, any)):
        outcomes = {exact(case) for case in itertools.product(possible(first), possible(second))}
        assert told((first, second)) == (outcomes.pop() if len(outcomes) == 1 else None)


def test_negation_keeps_the_unknown():
    assert [negation(value) for value in VALUES] == [False, True, None]


def test_of_nothing_every_holds_and_some_does_not():
    assert (every(()), some(())) == (True, False)


spans = st.tuples(st.integers(0, 5), st.one_of(st.none(), st.integers(0, 5))).map(
    lambda pair: Span(pair[0], None if pair[1] is None else pair[0] + pair[1])
)


def numbers(span):
    return range(int(span.least), 16 if span.most is None else int(span.most) + 1)


@given(spans, spans)
def test_comparing_spans_says_what_holds_for_all_their_numbers(first, second):
    for told, exact in (
        (first.is_more(second), lambda a, b: a > b),
        (first.is_equal(second), lambda a, b: a == b),
    ):
        outcomes = {exact(a, b) for a in numbers(first) for b in numbers(second)}
        assert told == (outcomes.pop() if len(outcomes) == 1 else None)


WIDTH, APART = 0.1, 0.5  # m


def seen(number, places=3, whole=True, at=None):
    """A book without identity, seen from some places."""
    item = ObservedObject(-number)
    x = APART * number if at is None else at
    low, high = (x, 0.0, 0.0), (x + WIDTH, 0.1, 0.3)
    for place in range(places):
        view = Viewpoint(2.0 * place, -1.0, 1.0, 0.0, 0.0)
        shown = Detection(0, "book", "", "", 0.9, 900, (0, 0, 30, 30), low, low, high, truncated=not whole)
        item.add(shown, place, view)
    return SeenObject(-number, "book", low, high, item)


def closing():
    return SearchCompleteness(True, 0.9, Space.ROOM, "")


def counted(claimed, sure, maybe=()):
    found = Selection(tuple(sure), dict.fromkeys(maybe, ()), closing).as_many_as(claimed)
    assert not found.maybe
    return len(found.sure)


@pytest.mark.parametrize(("claimed", "number"), [(1, 2), (2, 2), (3, 3), (4, 4), (5, 2)])
def test_what_may_belong_counts_where_that_makes_a_claimed_number_right(claimed, number):
    assert counted(claimed, [seen(1), seen(2)], [seen(4), seen(6)]) == number


@pytest.mark.parametrize(("claimed", "number"), [(2, 2), (3, 3), (1, 2), (4, 2)])
def test_what_one_place_alone_showed_makes_no_number_wrong(claimed, number):
    assert counted(claimed, [seen(1), seen(2), seen(4, places=1)]) == number


def test_a_part_that_one_place_alone_showed_does_not_count():
    assert counted(3, [seen(1), seen(2), seen(4, places=1, whole=False)]) == 2


def test_what_may_belong_and_stands_in_a_row_with_what_does_counts():
    between = seen(9, at=APART + WIDTH + 0.02)
    assert counted(1, [seen(1), seen(2)], [between, seen(6)]) == 3


def test_where_one_place_showed_all_of_them_they_count():
    assert counted(5, [seen(1, places=1), seen(2, places=1)]) == 2
