"""Of an answer with its reasons, what follows ``Answer:`` is judged."""

from __future__ import annotations

import pytest

from vantage.benchmarks.excalibur.exact_matches import is_right
from vantage.types import Answer, TruthQuestion, Verdict


def said(kind: str, gold: str, text: str) -> bool:
    return is_right(TruthQuestion("q", kind, gold), Answer("q", text, Verdict.ANSWERED, 0.5))


@pytest.mark.parametrize(
    ("kind", "gold", "text"),
    [
        ("query", "fabric", "I could not look everywhere. Answer: fabric."),
        ("query", "fabric, metal", "I have seen two of them. Answer: metal and fabric."),
        ("yes/no", "yes", "There is no cup on the table, but one on the bed. Answer: yes."),
        ("count", "3", "I have looked at 2 of the rooms. Answer: 3."),
        ("query", "fabric", "fabric"),
    ],
)
def test_reasons_do_not_count(kind: str, gold: str, text: str) -> None:
    assert said(kind, gold, text)


@pytest.mark.parametrize(
    ("kind", "gold", "text"),
    [
        ("query", "fabric", "It is fabric. Answer: metal."),
        ("yes/no", "yes", "Yes. Answer: no."),
        ("count", "3", "3 of them. Answer: 4."),
        ("query", "fabric", "fabric Answer:"),
        ("yes/no", "yes", "Answer: yes. Answer: no."),
    ],
)
def test_what_is_said_last_counts(kind: str, gold: str, text: str) -> None:
    assert not said(kind, gold, text)
