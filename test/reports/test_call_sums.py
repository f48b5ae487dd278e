"""Sums of calls, by episode and setup."""

from __future__ import annotations

import math
from pathlib import Path

from vantage.benchmarks.statistics import EpisodeScore
from vantage.recording import write_calls
from vantage.reports.call_sums import (
    CallSum,
    estimate,
    key_of,
    sum_of,
    sums_by_setup,
    table_of,
    told_sums,
    total,
)

SENT = {"pictures": ["a", "b"], "tokens_in": 100, "tokens_out": 10, "seconds": 1.5, "cost": 0.25, "retries": 1}
KEPT = {"pictures": ["a"], "cached": True, "tokens_in": None}
FAILED = {"pictures": [], "error": "busy", "tokens_in": None, "seconds": 2.0}


def test_calls_of_an_episode_are_added_up() -> None:
    assert sum_of([SENT, SENT, KEPT, FAILED]) == CallSum(3, 1, 4, 200, 20, 5.0, 0.5, 2, 1)
    assert sum_of([]) == CallSum()


def test_tokens_that_nobody_counted_are_unknown_and_not_nothing() -> None:
    found = sum_of([SENT, {**SENT, "tokens_in": None, "tokens_out": None}])
    assert (found.calls, found.tokens_in, found.tokens_out) == (2, None, None)
    assert total([found, CallSum(1, tokens_in=5)]).tokens_in is None


def test_records_that_somebody_changed_count_as_far_as_they_can() -> None:
    odd = {"pictures": 3, "tokens_in": "many", "tokens_out": True, "seconds": "x", "cost": math.nan, "retries": -1}
    assert sum_of([odd]) == CallSum(1, tokens_in=None, tokens_out=None)
    assert sum_of([{"seconds": 10**400}]).seconds == 0.0


def test_each_recording_counts_once_however_many_judges_marked_it() -> None:
    scores = [
        EpisodeScore(name, bag=name, benchmark="noisyeqa", agent="search", model="m", judge=judge, complete=True)
        for name in ("a", "b")
        for judge in ("rules", "model")
    ]
    calls = {key_of(score): CallSum(calls=number) for number, score in enumerate(scores[::2], 1)}
    told = told_sums(sums_by_setup(scores, calls))
    assert [(each["setup"], each["episodes"], each["calls"]) for each in told] == [("noisyeqa, search, m", 2, 3)]
    assert told[0]["calls_an_episode"] == {"median": 1.5, "p95": 1.95, "most": 2}


def test_tables_hold_a_row_for_each_setup_and_none_without_calls() -> None:
    told = told_sums({"search, m": [sum_of([SENT])], "pilot, m": [CallSum(2, tokens_in=None)]})
    text, page = table_of(told), table_of(told, markdown=True)
    assert "search, m" in text
    assert "?" in text.splitlines()[-1]
    assert page.splitlines()[2].startswith("| search, m | 1 | 1 | 1 |")
    assert table_of([]) == ""


def test_a_long_run_is_estimated_from_its_first_episodes(tmp_path: Path) -> None:
    bags = [tmp_path / name for name in "abcde"]
    for bag in bags:
        write_calls(bag, [SENT, SENT])
    (told,) = estimate(bags, 100, 360.0)
    assert told.startswith(
        "by the first 5 of 100 episodes, all take about 200 calls, 22,000 tokens, 2.0 hours and 50.00 of money"
    )
    write_calls(bags[0], [{**SENT, "tokens_in": None}])
    (told,) = estimate(bags, 100, 360.0)
    assert "tokens" not in told, "where they are not counted"
    assert list(estimate([tmp_path / "none"], 100, 1.0)) == []
