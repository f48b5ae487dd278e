"""What may be opened to look for something: what usually keeps it, by the rules of the robot."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vantage.goals import Feasibility, SceneFacts, SceneObject
from vantage.planning.guard import Guard, keeps, may_open_to_look, read_robot

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
    ruling = may_open_to_look(guard, "fridge_1", "apple", SCENE)
    assert ruling is not None
    assert ruling.passes
    assert may_open_to_look(guard, "wardrobe_2", "apple", SCENE) is None


def test_a_robot_that_cannot_open_does_not() -> None:
    ruling = may_open_to_look(Guard(read_robot("camera")), "fridge_1", "apple", SCENE)
    assert ruling is not None
    assert ruling.feasibility is Feasibility.INFEASIBLE


def test_what_is_not_there_is_not_opened() -> None:
    gone = replace(SCENE, objects=SCENE.objects[1:])
    ruling = may_open_to_look(Guard(read_robot("household")), "fridge_1", "apple", gone)
    assert ruling is not None
    assert not ruling.passes
