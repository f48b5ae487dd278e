"""What a robot takes to be loose, and which rooms it knows, by what it saw."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from drawn_room import TABLE_TOP, empty_room, put, seen_from

from vantage.perception.map.placement import Placement
from vantage.planning.execution.belief import believed

FLOOR = 1
ON_TABLE, ON_WALL = 60, 61


def thing(key: int, label: str) -> Any:
    return SimpleNamespace(instance_id=key, label=label, states=())


def seen(label: str, placement: Placement | None, held: bool = False) -> Any:
    """A scene with one thing, an empty hall, and what the views say of where the thing is."""
    own, floor = thing(5, label), thing(FLOOR, "floor")
    room = SimpleNamespace(key=FLOOR, label="hall")
    return SimpleNamespace(
        objects=(floor, own),
        rooms=(room,),
        get={5: own, FLOOR: floor}.get,
        support_of=lambda obj: placement if obj is own else None,
        room_of=lambda obj: None,
        held=own if held else None,
    )


@pytest.mark.parametrize(
    ("label", "placement", "loose"),
    [
        ("mug", None, True),
        ("wardrobe", Placement("on", FLOOR, "floor"), False),
        ("stool", Placement("on", FLOOR, "floor"), True),
        ("clock", None, False),
        ("clock", Placement("on", 9, "wall"), False),
        ("clock", Placement("on", 9, "cabinet", guess=True), False),
        ("clock", Placement("on", 9, "cabinet"), True),
        ("clock", Placement("in", 9, "chest", guess=True), True),
        ("towel", None, True),
    ],
)
def test_what_hangs_is_fixed_unless_it_is_seen_to_stand_or_lie(
    label: str, placement: Placement | None, loose: bool
) -> None:
    assert believed(seen(label, placement)).light == ((f"{label}_5",) if loose else ())


def test_what_is_in_the_hand_is_loose() -> None:
    assert believed(seen("clock", None, held=True)).light == ("clock_5",)


def test_a_room_in_which_nothing_was_seen_is_a_room() -> None:
    assert believed(seen("mug", None)).rooms == {"hall"}


@pytest.fixture(scope="module")
def light() -> tuple[str, ...]:
    world = empty_room()
    put(world, ON_TABLE, "clock", 1.6, 1.5, TABLE_TOP, "red", "plastic", (0.15, 0.1, 0.15))
    world.add(ON_WALL, "clock", (2.0, 3.96, 1.4), (2.3, 4.0, 1.7), "white", "plastic")
    return believed(seen_from(world).memory).light


def test_a_clock_that_is_seen_to_stand_is_lifted_and_one_on_a_wall_is_not(light: tuple[str, ...]) -> None:
    assert f"clock_{ON_TABLE}" in light
    assert f"clock_{ON_WALL}" not in light


def test_furniture_is_not_lifted(light: tuple[str, ...]) -> None:
    assert not [name for name in light if name.startswith(("table", "bed", "cabinet"))]
