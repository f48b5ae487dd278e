"""Rulings of a guard as plain data: the gravest reason decides, and text goes there and back."""

from __future__ import annotations

import pytest
from row_tables import each_row

from vantage.errors import FormatError
from vantage.goals import Feasibility, Guarded, Reason, ReasonKind, Ruling, guarded_text, read_guarded

MISSING = Reason(ReasonKind.MISSING_OBJECT, "lamp", "", ("floor_lamp",))
ASKED = Reason(ReasonKind.REPURPOSED, "cup", "instead of mug")
UNSAFE = Reason(ReasonKind.UNSAFE, "paper oven", "what burns near heat")


@each_row(
    "reasons, feasibility",
    [
        ((), Feasibility.FEASIBLE),
        ((ASKED,), Feasibility.NEEDS_CONFIRMATION),
        ((ASKED, UNSAFE), Feasibility.UNSAFE),
        ((UNSAFE, ASKED, MISSING), Feasibility.INFEASIBLE),
        ((ASKED, Reason(ReasonKind.UNSEEN_OBJECT, "cup")), Feasibility.UNKNOWN),
    ],
)
def test_the_gravest_reason_decides(reasons: tuple[Reason, ...], feasibility: Feasibility) -> None:
    ruling = Ruling.of(reasons)
    assert (ruling.feasibility, ruling.passes) == (feasibility, not reasons)
    assert {*ruling.reasons} == {*reasons}


def test_words_tell_the_gravest_reasons_first_and_what_comes_nearest() -> None:
    told = Ruling.of((ASKED, MISSING)).words
    assert told.startswith("infeasible: 'lamp': it is not there; nearest: floor_lamp; 'cup' (instead of mug)")
    many = Ruling.of(Reason(ReasonKind.UNLICENSED, str(number)) for number in range(1000))
    assert many.words.endswith("and 96 more")


def test_a_ruling_and_the_reply_go_there_and_back() -> None:
    guarded = Guarded(Ruling.of((MISSING, ASKED)), 'a "reply"\nof Ünicode')
    assert read_guarded(guarded_text(guarded), "here") == guarded
    assert read_guarded("told 1 times what was wrong", "here") is None


@each_row(
    "text",
    [
        '{"guard":',
        '{"guard":"NO SUCH","reasons":[],"reply":""}',
        '{"guard":"FEASIBLE","reasons":{},"reply":""}',
        '{"guard":"FEASIBLE","reasons":[["MISSING_OBJECT","x","",[1]]],"reply":""}',
        '{"guard":"FEASIBLE","reasons":[7],"reply":""}',
        '{"guard":["FEASIBLE"],"reasons":[],"reply":""}',
    ],
)
def test_a_damaged_ruling_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="here"):
        read_guarded(text, "here")
