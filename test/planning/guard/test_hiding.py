"""What may be opened to look for something: what usually keeps it, by the rules of the robot."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vantage.goals import EdgeGoal, Feasibility, Goal, SceneFacts, SceneObject, TaskText
from vantage.planning.guard import Guard, instead_of_hidden, keeps, may_open_to_look, read_robot

WISH = "Put the apple on the table."
SCENE = SceneFacts(
    tuple(SceneObject(name, ("closed",), ("closed", "open")) for name in ("fridge_1", "wardrobe_2", "cabinet_3")), ()
)


@pytest.mark.parametrize(
    ("place", "thing", "kept"),
    [
        ("fridge", "apple", True),
        ("wardrobe", "hat", True),
        ("cabinet", "mug", True),
        ("fridge", "hat", False),
        ("wardrobe", "apple", False),
        ("cabinet", "sofa", False),
        ("door", "mug", False),
        ("no such thing", "mug", False),
    ],
)
def test_things_are_kept_where_people_keep_them(place: str, thing: str, kept: bool) -> None:
    assert keeps(place, thing) is kept


def test_only_what_keeps_the_thing_is_opened() -> None:
    guard = Guard(read_robot("household"))
    ruling = may_open_to_look(guard, "fridge_1", "apple", SCENE, WISH)
    assert ruling is not None
    assert ruling.passes
    assert may_open_to_look(guard, "wardrobe_2", "apple", SCENE, WISH) is None


def test_a_robot_that_cannot_open_does_not() -> None:
    ruling = may_open_to_look(Guard(read_robot("camera")), "fridge_1", "apple", SCENE, WISH)
    assert ruling is not None
    assert ruling.feasibility is Feasibility.INFEASIBLE


def test_what_is_not_there_is_not_opened() -> None:
    gone = replace(SCENE, objects=SCENE.objects[1:])
    ruling = may_open_to_look(Guard(read_robot("household")), "fridge_1", "apple", gone, WISH)
    assert ruling is not None
    assert not ruling.passes


def replaced(said: str, *names: str) -> list[str]:
    """What the first of several things that are there takes the place of, in a goal about it."""
    scene = SceneFacts(tuple(map(SceneObject, (*names, "table_9"))), ())
    goal = Goal.of([EdgeGoal(names[0], "on", "table_9")])
    return [reason.detail for reason in instead_of_hidden(TaskText("", said), goal, scene)]


def test_a_mug_is_not_taken_for_a_cup_that_may_be_hidden() -> None:
    assert replaced("Put the cup on the table.", "mug_1") == ["instead of cup"]
    assert replaced("Put the bottle on the table.", "shampoo_1") == ["instead of bottle"]


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("Put the mug on the table.", ("mug_1",)),
        ("Put the cup on the table.", ("cup_1", "mug_2")),
        ("Put the cup or the mug on the table.", ("mug_1",)),
        ("Put the coffee cup on the table.", ("mug_1",)),
        ("Put the chair on the table.", ("armchair_1",)),
        ("Put the dishes on the table.", ("plate_1",)),
        ("", ("mug_1",)),
    ],
)
def test_what_the_words_license_takes_no_other_things_place(said: str, names: tuple[str, ...]) -> None:
    assert replaced(said, *names) == []
