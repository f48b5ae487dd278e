"""What a person may permit: all but what a rule of the robot calls unsafe, and never all things at once."""

from __future__ import annotations

import pytest
from row_tables import each_row

from vantage.errors import UsageError
from vantage.planning.guard import GRANTS, grant_of_person, read_robot
from vantage.worlds.warrants import MANIPULATIONS, PERSON, Warrant, WarrantError, WarrantFault, require_signed

ROBOT = read_robot("household")


def granted(*kinds: str, objects: tuple[str, ...] = ("mug_59",), seconds: float = 60.0, commands: int = 5) -> Warrant:
    return grant_of_person(
        ROBOT, kinds, objects, episode_id="e", source="planner", issued=7, seconds=seconds, commands=commands
    )


def test_it_allows_what_was_said_and_no_more() -> None:
    warrant = granted("pick")
    require_signed(warrant)
    assert (warrant.issuer, warrant.manipulations, warrant.objects) == (PERSON, {"take"}, {"mug_59"})
    assert (warrant.commands, warrant.issued, warrant.expires) == (5, 7, 7 + 60 * 10**9)
    assert granted("open", "close").manipulations == {"open", "close"}
    assert granted("put", objects=("mug_59", "table_3")).manipulations == {"take", "put"}
    assert {each for kinds in GRANTS.values() for each in kinds} == MANIPULATIONS


@each_row(
    "kinds, objects, reason",
    [
        (("put",), ("newspaper_4", "oven_2"), "burns"),
        (("put",), ("fork_1", "microwave_2"), "metal"),
        (("pick",), ("piano_1",), "heavier than the robot may lift"),
        (("put",), ("refrigerator_1", "floor"), "heavier than the robot may lift"),
    ],
)
def test_what_is_unsafe_nobody_may_allow(kinds: tuple[str, ...], objects: tuple[str, ...], reason: str) -> None:
    with pytest.raises(UsageError, match=f"nobody may allow that.*{reason}"):
        granted(*kinds, objects=objects)


@each_row("objects", [(), ("",), ("mug", " ")])
def test_all_things_at_once_are_not_granted(objects: tuple[str, ...]) -> None:
    with pytest.raises(UsageError, match="name those that may be touched"):
        granted("pick", objects=objects)


def test_what_no_warrant_can_be_is_told() -> None:
    for wrong in ({"seconds": 1e9}, {"commands": 10**9}):
        with pytest.raises(WarrantError) as caught:
            granted("pick", **wrong)
        assert caught.value.fault is WarrantFault.MALFORMED
