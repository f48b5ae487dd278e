"""What counts as hallucinated of a task that was carried out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vantage.benchmarks.heal.errand_scores import hallucinations
from vantage.benchmarks.heal.errand_sets import ErrandTruth
from vantage.goals import Deed, EdgeGoal, End, Errand, Goal, SceneFacts, SceneObject

MUG, CUP, TABLE = 1, 2, 3
NAMES = {MUG: "mug_1", CUP: "cup_2", TABLE: "table_3", -1: "living_room"}
FACTS = SceneFacts(tuple(SceneObject(name) for name in NAMES.values()))
GOAL = Goal.of([EdgeGoal("mug_1", "in", "living_room")])
TRUTH = ErrandTruth(GOAL, True, FACTS, NAMES, None)  # type: ignore[arg-type]  # no shapes are asked for
PUT = Deed(4, "place_in", ("mug_1", "living_room"), reached=True)


def counted(*deeds: Deed, touched: tuple[int, ...], reached: bool = True) -> dict[str, int]:
    truth = {0: False, 4: reached}
    return hallucinations(TRUTH, Errand(End.FAILED, deeds), lambda deed: touched, truth, False)


def test_what_is_put_on_furniture_of_a_room_is_put_in_the_room() -> None:
    assert not any(counted(PUT, touched=(MUG, TABLE)).values())


def test_another_thing_in_the_hand_is_acted_on_astray() -> None:
    assert counted(PUT, touched=(CUP, TABLE))["acted"] == 1
    on_table = replace(PUT, verb="place_on", objects=("mug_1", "table_3"))
    assert counted(on_table, touched=(MUG, CUP))["acted"] == 1


@pytest.mark.parametrize(("search", "expected"), [(False, 1), (True, 0)])
def test_who_still_searches_believes_nothing_of_the_goal(search: bool, expected: int) -> None:
    assert counted(replace(PUT, search=search), touched=(MUG, TABLE), reached=False)["believed"] == expected
