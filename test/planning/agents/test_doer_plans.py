"""What failed for a reason that lasts is not tried again where the goal may be reached without it."""

from __future__ import annotations

import pytest

from vantage.goals import EdgeGoal, Fact, Goal, SceneFacts, SceneObject
from vantage.planning.agents.doer_plans import plan_of, tried_in_vain
from vantage.planning.execution import Belief
from vantage.planning.goals import Outcome, PlannedAction, Verb
from vantage.planning.guard import read_robot
from vantage.planning.skills import Failure, SkillResult

NAMES = ("kitchen", "mug_1", "chair_2", "chair_3", "table_4")
BELIEF = Belief(
    SceneFacts(
        tuple(map(SceneObject, NAMES)),
        (Fact("on", ("mug_1", "table_4")), *(Fact("in", (name, "kitchen")) for name in NAMES[1:])),
    ),
    {name: key for key, name in enumerate(NAMES)},
    ("mug_1",),
)
PUT = PlannedAction(Verb.PLACE_ON, ("mug_1", "chair_2"))


def put_on(*chairs: str) -> Goal:
    return Goal((tuple((EdgeGoal("mug_1", "on", chair),) for chair in chairs),))


def chair_of(goal: Goal, avoided: set[int]) -> str:
    plan = plan_of(goal, BELIEF, read_robot("household"), "", avoided)
    assert plan.outcome is Outcome.FOUND, plan.reason
    return plan.actions[-1].objects[1]


def test_of_a_failed_put_the_place_is_avoided_and_of_other_actions_the_thing() -> None:
    assert tried_in_vain(PUT, (1, 2), SkillResult(Failure.NO_ROOM, "full")) == {2}
    assert tried_in_vain(PlannedAction(Verb.PICK, ("mug_1", "table_4")), (1, 4), SkillResult(Failure.NO_WAY, "")) == {1}
    assert tried_in_vain(PUT, (1, 2), SkillResult(Failure.SLIPPED, "fell")) == set()
    assert tried_in_vain(PUT, (1, 2), SkillResult()) == set()


@pytest.mark.needs("planning")
def test_another_alternative_is_planned_where_there_is_one() -> None:
    goal = put_on("chair_2", "chair_3")
    assert chair_of(goal, {2}) == "chair_3"
    assert chair_of(goal, {3}) == "chair_2"
    assert chair_of(put_on("chair_2"), {2}) == "chair_2", "the only one is tried again"


@pytest.mark.needs("planning")
@pytest.mark.parametrize(("volume", "outcome"), [(0.003, Outcome.FOUND), (9.0, Outcome.UNSOLVABLE)])
def test_a_car_as_small_as_a_toy_is_lifted(volume: float, outcome: Outcome) -> None:
    names = ("kitchen", "car_1", "table_4", "chair_2")
    facts = (Fact("on", ("car_1", "table_4")), *(Fact("in", (name, "kitchen")) for name in names[1:]))
    belief = Belief(
        SceneFacts(tuple(map(SceneObject, names)), facts),
        {name: key for key, name in enumerate(names)},
        ("car_1",),
        {"car_1": volume},
    )
    goal = Goal.of([EdgeGoal("car_1", "on", "chair_2")])
    assert plan_of(goal, belief, read_robot("house"), "").outcome is outcome
