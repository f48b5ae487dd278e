"""The guard's warrants: for feasible goals, for confirmed ones that wait for that, and for no others."""

from __future__ import annotations

from typing import Any

import pytest
from row_tables import each_row

from vantage.goals import Feasibility, Ruling
from vantage.planning.guard import MANIPULATIONS_FOR, Capability, WarrantOffice
from vantage.worlds.warrants import GUARD, MANIPULATIONS, Warrant, WarrantError, WarrantFault, require_signed

FEASIBLE = Ruling(Feasibility.FEASIBLE)


def issued(ruling: Ruling = FEASIBLE, **changes: Any) -> Warrant:
    values: dict[str, Any] = {"capabilities": {Capability.OPEN}, "objects": {"fridge_7"}}
    values |= {"episode_id": "e", "issued": 5, "seconds": 60.0, "commands": 9, "goal": "open the fridge"} | changes
    return WarrantOffice("planner").issue(ruling, **values)


def fault(ruling: Ruling = FEASIBLE, **changes: Any) -> WarrantFault:
    with pytest.raises(WarrantError) as caught:
        issued(ruling, **changes)
    assert "\n" not in str(caught.value)
    return caught.value.fault


def test_a_feasible_goal_gets_a_warrant_for_what_it_takes() -> None:
    warrant = issued()
    require_signed(warrant)
    assert (warrant.issuer, warrant.source, warrant.episode_id) == (GUARD, "planner", "e")
    assert warrant.manipulations == {"open", "close", "move_arm"}
    assert warrant.objects == {"fridge_7"}
    assert (warrant.commands, warrant.issued, warrant.expires) == (9, 5, 5 + 60 * 10**9)
    assert issued(capabilities={Capability.PUT}, further={"open"}).manipulations == {"take", "put", "open", "move_arm"}
    assert all(kinds <= MANIPULATIONS for kinds in MANIPULATIONS_FOR.values())


@each_row("ruling", [each for each in Feasibility if each is not Feasibility.FEASIBLE])
def test_no_other_ruling_gets_one(ruling: Feasibility) -> None:
    assert fault(Ruling(ruling)) is WarrantFault.NO_RULING
    if ruling is not Feasibility.NEEDS_CONFIRMATION:
        assert fault(Ruling(ruling), confirmed=True) is WarrantFault.NO_RULING


def test_a_confirmation_counts_where_the_goal_waits_for_one() -> None:
    waiting = Ruling(Feasibility.NEEDS_CONFIRMATION)
    assert issued(waiting, confirmed=True).issuer == GUARD
    assert fault(waiting, confirmed="yes") is WarrantFault.NO_RULING


@each_row(
    "changes, expected",
    [
        ({"objects": ()}, WarrantFault.OTHER_OBJECT),
        ({"capabilities": ()}, WarrantFault.OTHER_MANIPULATION),
        ({"capabilities": {Capability.COOK}}, WarrantFault.OTHER_MANIPULATION),
        ({"capabilities": {Capability.LOOK}}, WarrantFault.OTHER_MANIPULATION),
        ({"further": {"burn"}}, WarrantFault.MALFORMED),
        ({"commands": 0}, WarrantFault.MALFORMED),
        ({"seconds": float("nan")}, WarrantFault.MALFORMED),
    ],
)
def test_what_no_arm_may_do_gets_none(changes: dict[str, Any], expected: WarrantFault) -> None:
    assert fault(**changes) is expected
