"""A difference is found and named: where it is, what was held and what is made now."""

from __future__ import annotations

import pytest
from golden_texts.comparing import line_differences, value_differences


def test_a_value_is_named_by_its_keys_and_the_episode() -> None:
    held = {"episodes": [{"bag": "one", "spl": 0.5}, {"bag": "two", "spl": 0.25}], "gone": 1}
    now = {"episodes": [{"bag": "one", "spl": 0.5 + 1e-12}, {"bag": "two", "spl": 0.2500001}], "new": [True]}
    assert list(value_differences(held, now)) == [
        "episodes[two].spl: was 0.25, is 0.2500001",
        "gone: was 1, is gone",
        "new: was not there, is [true]",
    ]


@pytest.mark.parametrize(("held", "now"), [(1, True), (0.0, None), (None, ""), ("1", 1), ([1], [1, 2]), ({}, [])])
def test_values_of_other_kinds_differ(held: object, now: object) -> None:
    assert list(value_differences({"key": held}, {"key": now}))


def test_lines_may_differ_in_last_digits_alone() -> None:
    held = "1 x+ to (0.250000, -1.5e-07, 3); done\nq1: 'red'\n"
    assert not list(line_differences(held, held.replace("0.250000", "0.250001"), 2e-6))
    for wrong in ("0.250003", "-0.250000", "0.25x"):
        [told] = line_differences(held, held.replace("0.250000", wrong), 2e-6)
        assert told.startswith("line 1: was ")
        assert wrong in told
    assert list(line_differences(held, held.replace("1 x+", "2 x+"), 2e-6)), "whole numbers are exact"
    assert list(line_differences(held, held.replace("0.250000", "0.250001"))), "as are all where nothing is allowed"


def test_lines_that_come_or_go_are_told_once() -> None:
    told = list(line_differences("a\nb\nc\n", "a\nc\nd\n"))
    assert told == [
        'line 2: was "b", is gone',
        'line 3: was not there, is "d"',
    ]
