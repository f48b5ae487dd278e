"""Plans that need no planner: simple goals, and nothing else."""

from __future__ import annotations

import pytest

from vantage.goals import EdgeGoal, Fact, Goal, NodeGoal, SceneFacts, SceneObject
from vantage.planning.goals import Outcome, PlanningTask, Situation, plain_plan

HOME = SceneFacts(
    (
        SceneObject("fridge_1", ("closed",), ("open", "closed")),
        SceneObject("milk_2"),
        SceneObject("cup_3"),
        SceneObject("table_4"),
        SceneObject("tray_5"),
        SceneObject("kitchen"),
    ),
    (
        Fact("in", ("milk_2", "fridge_1")),
        Fact("on", ("cup_3", "table_4")),
        *(Fact("in", (name, "kitchen")) for name in ("fridge_1", "milk_2", "cup_3", "table_4", "tray_5")),
    ),
)
MASSES = {"milk_2": 1.0, "cup_3": 0.3, "tray_5": 0.5}


def planned(literal: NodeGoal | EdgeGoal, held: tuple[str, ...] = ()) -> list[str] | None:
    plan = plain_plan(PlanningTask(HOME, Goal.of((literal,)), start=Situation(held=held), masses=MASSES))
    assert plan.outcome in (Outcome.FOUND, Outcome.MISSING)
    assert bool(plan.reason) == (plan.outcome is Outcome.MISSING)
    return [str(action) for action in plan.actions] if plan.outcome is Outcome.FOUND else None


def test_a_state_and_a_place() -> None:
    assert planned(NodeGoal("fridge_1", "open")) == ["go_to(fridge_1)", "open(fridge_1)"]
    assert planned(NodeGoal("fridge_1", "closed")) == []
    assert planned(EdgeGoal("cup_3", "on", "tray_5")) == [
        "go_to(table_4)",
        "pick(cup_3)",
        "go_to(tray_5)",
        "place_on(cup_3, tray_5)",
    ]


@pytest.mark.parametrize(
    "literal",
    [
        EdgeGoal("milk_2", "on", "table_4"),  # shut in
        EdgeGoal("cup_3", "in", "fridge_1"),  # shut
        EdgeGoal("fridge_1", "on", "table_4"),
        NodeGoal("ghost", "open"),
        NodeGoal("cup_3", "open"),
    ],
)
def test_what_is_not_simple_takes_a_planner(literal: NodeGoal | EdgeGoal) -> None:
    assert planned(literal) is None


def test_a_full_hand_is_not_simple() -> None:
    assert planned(NodeGoal("fridge_1", "open"), ("cup_3",)) is None
