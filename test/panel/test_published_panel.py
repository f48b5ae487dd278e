"""The table of agreement in docs/validity.md is that of the published replies, and the rule stands where readers do."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from vantage import reader_thresholds
from vantage.panel.frames import LAST_LOOK, read_frames

DOCS = Path(__file__).parents[2] / "docs"
TABLES = {"thresholds": 335, "last looks": 132, "tops": 35}


def replies() -> list[dict[str, str]]:
    with (DOCS / "panel" / "replies.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def told(row: dict[str, str]) -> int:
    return sum(row[reader] == row["right"] for reader in ("reader_a", "reader_b"))


@pytest.mark.parametrize("panel", TABLES)
def test_agreement_is_that_of_the_replies(panel: str) -> None:
    rows = [row for row in replies() if row["panel"] == panel and row["half"] == "test" and row["foil"] == "0"]
    agree = sum((told(row) > 0) == (row["passes"] == "1") for row in rows)
    passed = [row for row in rows if row["passes"] == "1"]
    untold = sum(told(row) == 0 for row in passed)
    assert len(rows) == TABLES[panel]
    line = f"rule 2 | {len(rows)} | {agree / len(rows):.1%}".replace("%", " %")
    assert line in (text := (DOCS / "validity.md").read_text(encoding="utf-8"))
    assert f"{untold / len(passed):.1%}".replace("%", " %") in text.split(line)[1].splitlines()[0]


def test_readers_agree_with_each_other_as_often_as_it_says() -> None:
    rows = [row for row in replies() if row["foil"] == "0"]
    same = sum(told(row) != 1 for row in rows)
    assert f"{same / len(rows):.1%} of {len(rows):,} frames".replace("%", " %") in (DOCS / "validity.md").read_text()


def test_every_reply_is_of_a_frame_that_can_be_drawn_again() -> None:
    names = {row["panel"]: {each["name"] for each in replies() if each["panel"] == row["panel"]} for row in replies()}
    for panel, known in names.items():
        frames = read_frames(DOCS / "panel" / f"frames-{panel.replace(' ', '-')}.csv")
        assert {frame.name for frame in frames} == known
        assert (panel == "last looks") == any(frame.kind == LAST_LOOK for frame in frames)


def test_larger_letters_and_things_are_told_more_often_than_the_rule_asks_for() -> None:
    for kind, least in (("size", reader_thresholds.SIZE_PIXELS), ("letter", reader_thresholds.LETTER_PIXELS)):
        rows = [row for row in replies() if row["kind"] == kind and row["foil"] == "0" and row["value"]]
        above = [told(row) / 2 for row in rows if float(row["value"]) >= least]
        below = [told(row) / 2 for row in rows if float(row["value"]) < least / 2]
        assert sum(above) / len(above) >= 0.9 > sum(below) / len(below)
