"""Whoever waits is told how far it is, and not too often."""

from __future__ import annotations

from vantage.runs.pace import paced


def test_what_is_done_is_told_in_between() -> None:
    told: list[str] = []
    assert list(paced("abc", "scored", told.append, every=0.0)) == ["a", "b", "c"]
    assert told == ["scored 1 of 3", "scored 2 of 3"]


def test_short_work_is_done_in_silence() -> None:
    told: list[str] = []
    assert list(paced(range(1000), "scored", told.append)) == list(range(1000))
    assert told == []
