"""Rulings of a guard as plain data: the gravest reason decides, and words tell it."""

from __future__ import annotations

from row_tables import each_row

from vantage.goals import Feasibility, Reason, ReasonKind, Ruling

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
