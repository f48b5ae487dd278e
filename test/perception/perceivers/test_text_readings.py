"""Print put together from several views: parts count for the whole, and what is cut off is not settled."""

import math

import pytest

from vantage.perception.perceivers.text_readings import TextReading, TextReadings


def told(*readings):
    """What readings (words, score, whole) from places 1 degree apart settle."""
    prints = TextReadings()
    for k, (words, score, whole) in enumerate(readings):
        prints.add(k, math.radians(k), TextReading(words, score, whole, 20.0))
    return prints.words


@pytest.mark.parametrize(
    ("readings", "words"),
    [
        ([], ""),
        ([("", 0.0, False)], ""),
        ([("CRUNCH", 0.99, True)], "CRUNCH"),
        ([("RUNCH", 0.99, False)], ""),
        ([("CRUNCH", 0.9, True)], ""),
        ([("RUNCH", 0.99, False), ("CRUNCH", 0.99, True)], "CRUNCH"),
        ([("CRUNCH", 0.96, True), ("CRUNCH", 0.96, False)], "CRUNCH"),
        ([("RUNCH", 0.99, False)] * 2, ""),
        ([("RUNCH", 0.99, False)] * 3, "RUNCH"),
        ([("PASTI", 0.8, False)] * 16, "PASTI"),
        ([("PASTI", 0.82, False), ("PASTI", 0.9, False), ("PASTA", 0.99, True)], "PASTA"),
    ],
)
def test_what_readings_settle(readings, words):
    assert told(*readings) == words


def test_two_directions_would_not_cut_off_the_same_letter():
    prints = TextReadings()
    for place, direction in enumerate((0.0, 0.4)):
        prints.add(place, direction, TextReading("OIL", 0.99, False, 20.0))
    assert prints.words == "OIL"


def test_one_place_votes_once_with_its_best_reading():
    prints = TextReadings()
    prints.add("here", 0.0, TextReading("OL", 0.9, False, 20.0))
    for _ in range(5):
        prints.add("here", 0.0, TextReading("OIL", 0.95, False, 20.0))
    assert prints.words == ""
    assert not prints.is_blank


def test_small_letters_need_a_second_view():
    assert TextReading("HOUSE", 0.99, True, 20.0).is_sure
    assert not TextReading("HOUS", 0.99, True, 9.0).is_sure
