"""What a shortfall of a view says."""

from __future__ import annotations

import math

import pytest
from row_tables import each_row

from vantage.types import NOTHING_TO_SEE, ViewShortfall
from vantage.types.view_shortfalls import UNITS


@each_row(
    "shortfall, words",
    [
        (
            ViewShortfall("letter height", 4.1, 11.69, 7, 1.1, math.radians(49.2)),
            "print at 1.10 m and 49 degrees: 4.1 px a letter, 11.7 needed",
        ),
        (
            ViewShortfall("print angle", math.radians(52), math.pi / 4, 7, 0.6, math.radians(52)),
            "print at 0.60 m seen from 52 degrees aside, 45 allowed",
        ),
        (ViewShortfall("print visible", 0.8, 0.95), "80 % of the print visible, 95 % needed"),
        (ViewShortfall("pixels", 574.2, 800.0), "574 px, 800 needed"),
        (ViewShortfall("elevation", math.radians(12), 0.5), "seen from 12 degrees above, 28.6 needed"),
        (ViewShortfall("front angle", 1.4, 1.3), "seen from 80.2 degrees off its front, 74.5 allowed"),
        (ViewShortfall("hidden", 0.62, 0.5), "62 % hidden, 50 % allowed"),
        (ViewShortfall("cut off", 0.7, 0.65), "70 % outside of the picture, 65 % allowed"),
        (ViewShortfall("visible", 0.3, 0.35), "30 % visible, 35 % needed"),
        (ViewShortfall("top visible", 0.71, 0.9), "71 % of its top visible, 90 % needed"),
        (ViewShortfall("part visible", 0.2, 0.3), "20 % of a part that moves visible, 30 % needed"),
        (
            ViewShortfall("off axis", math.radians(71), math.radians(38)),
            "71 degrees off the middle of the picture, 38 allowed",
        ),
        (NOTHING_TO_SEE, "0 things named that one look could show, 1 needed"),
    ],
)
def test_it_names_what_was_measured_and_what_is_needed(shortfall: ViewShortfall, words: str) -> None:
    assert shortfall.words == words


@pytest.mark.parametrize("test", UNITS)
def test_what_misses_by_a_hair_does_not_read_as_if_it_passed(test: str) -> None:
    told = ViewShortfall(test, 0.34996, 0.35).words
    assert told != ViewShortfall(test, 0.35, 0.35).words
    assert told != ViewShortfall(test, 0.34996, 0.34996).words


def test_a_test_that_nobody_knows_is_told_as_it_is() -> None:
    assert ViewShortfall("glare", 3.0, 2.5).words == "'glare': 3, 2.5 needed"
    assert ViewShortfall("glare", 3.0, 2.5).unit == ""
    assert "nan" in ViewShortfall("pixels", math.nan, math.inf).words
