"""Whoever waits is told how far it is, and not too often."""

from __future__ import annotations

from vantage.runs.progress import Remaining, paced


def test_what_is_done_is_told_in_between() -> None:
    told: list[str] = []
    assert list(paced("abc", "scored", told.append, every=0.0)) == ["a", "b", "c"]
    assert told == ["scored 1 of 3", "scored 2 of 3"]


def test_short_work_is_done_in_silence() -> None:
    told: list[str] = []
    assert list(paced(range(1000), "scored", told.append)) == list(range(1000))
    assert told == []


class Clock:
    """Time as it is told to be, s."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


def test_the_time_that_is_left_is_told_as_it_shows() -> None:
    told, clock = list[str](), Clock()
    tell = Remaining({"first": 10.0, "second": 300.0}, told.append, every=10.0, now=clock)
    tell.begin("first")
    clock.time = 4.0
    tell(0.1)  # too soon to be told
    clock.time = 20.0
    tell(1.0)  # twice as long as was expected
    tell.begin("second")
    clock.time = 140.0
    tell(0.4)
    clock.time = 141.0
    tell(0.41)
    assert told == [
        "first, about 5 min left in all",
        "first 100 %, about 10 min left in all",
        "second, about 10 min left in all",
        "second 40 %, about 3 min left in all",
    ]
    clock.time = 310.0
    tell(0.99)
    assert told[-1] == "second 99 %, about 3 s left in all"


def test_what_is_left_goes_down_to_nothing() -> None:
    clock = Clock()
    tell = Remaining({"only": 100.0}, lambda line: None, now=clock)
    left = []
    for share in (0.0, 0.05, 0.1, 0.2, 0.5, 0.9, 1.0):
        clock.time = 100.0 * share
        left.append(tell.left(share))
    assert left[0] == 100.0
    assert left == sorted(left, reverse=True)
    assert left[-1] == 0.0
