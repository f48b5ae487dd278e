"""Times of day are compared as a clock shows them, however they are said."""

from __future__ import annotations

from row_tables import each_row

from vantage.benchmarks.judging.times_of_day import is_time, tells_time


@each_row(
    "said, gold, same",
    [
        ("half past ten", "10:30", True),
        ("It is ten thirty.", "10:30", True),
        ("10.30 pm", "10:30", True),
        ("22:30", "10:30", True),
        ("quarter to eleven", "10:45", True),
        ("twenty five past three", "3:25", True),
        ("ten o'clock", "10:00", True),
        ("12:15", "0:15", True),
        ("ten thirty-five", "10:35", True),
        ("ten fifty-five", "10:55", True),
        ("twenty-five to eleven", "10:35", True),
        ("half past nine", "10:30", False),
        ("10:30 am", "10:30 pm", False),
        ("10:30 or 11:30", "10:30", False),
        ("thirty", "10:30", False),
        ("no idea", "10:30", False),
    ],
)
def test_one_time_is_said_in_many_ways(said: str, gold: str, same: bool) -> None:
    assert tells_time(said, gold) == same


@each_row("gold, time", [("10:30", True), ("9:05 pm", True), ("25:10", False), ("10", False), ("16:9 screen", False)])
def test_only_what_is_nothing_else_is_a_time(gold: str, time: bool) -> None:
    assert is_time(gold) == time
