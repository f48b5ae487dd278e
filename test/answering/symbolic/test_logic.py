"""Truth tables of three values, and numbers that are only known to lie in a span."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vantage.answering.symbolic.logic import Span, every, negation, some

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
