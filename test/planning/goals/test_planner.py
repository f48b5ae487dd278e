"""Plans in a small flat, carried out in a model of it that shares nothing with the planner's."""

from __future__ import annotations

from dataclasses import replace

import pytest
from row_tables import each_row

from vantage.goals import ActionGoal, EdgeGoal, Fact, Goal, NodeGoal, SceneFacts, SceneObject
from vantage.planning.goals import ABLE, Outcome, Plan, PlannedAction, PlanningTask, Situation, Verb, plan_goal
from vantage.planning.guard import Capability, Robot

OPENS, SWITCHES = ("open", "closed"), ("on", "off")
THINGS = (
    SceneObject("kitchen"),
    SceneObject("hall"),
    SceneObject("fridge_1", ("closed",), OPENS),
    SceneObject("table_2"),
    SceneObject("lamp_3", ("off",), SWITCHES),
    SceneObject("milk_4"),
    SceneObject("box_5", ("closed",), OPENS),
    SceneObject("ring_6"),
    SceneObject("plate_7"),
    SceneObject("apple_8"),
    SceneObject("bench_9"),
    SceneObject("safe_10", ("closed",), ("closed",)),
    SceneObject("coin_11"),
    SceneObject("rug_12"),
)
WHERE = (
    ("in", "fridge_1", "kitchen"),
    ("in", "table_2", "kitchen"),
    ("in", "safe_10", "kitchen"),
    ("on", "bench_9", "rug_12"),
    ("in", "bench_9", "hall"),
    ("in", "rug_12", "hall"),
    ("on", "lamp_3", "table_2"),
    ("in", "milk_4", "fridge_1"),
    ("in", "box_5", "fridge_1"),
    ("in", "ring_6", "box_5"),
    ("on", "plate_7", "table_2"),
    ("on", "apple_8", "plate_7"),
    ("in", "coin_11", "safe_10"),
    ("in", "milk_4", "kitchen"),
)
TWICE = (("milk_4", "kitchen"), ("bench_9", "hall"))
FLAT = SceneFacts(THINGS, tuple(Fact(relation, names) for relation, *names in map(tuple, WHERE)))
MASSES = {
    "milk_4": 1.0,
    "box_5": 0.5,
    "ring_6": 0.01,
    "plate_7": 0.5,
    "apple_8": 0.2,
    "lamp_3": 6.0,
    "coin_11": 0.01,
    "rug_12": 2.0,
}


def planned(*goals: NodeGoal | EdgeGoal | ActionGoal, robot: Robot = ABLE, near: str = "") -> Plan:
    return plan_goal(PlanningTask(FLAT, Goal.of(goals), robot, Situation(near), MASSES), 120.0)


class Flat:
    """The flat, in which actions are carried out; what is impossible is an error."""

    def __init__(self) -> None:
        self.at = {one: (relation, other) for relation, one, other in WHERE if (one, other) not in TWICE}
        self.open: set[str] = set()
        self.on: set[str] = set()
        self.hand = self.near = ""

    def reach(self, name: str) -> None:
        """The robot stands at what is around it, and nothing around it is closed."""
        around = [name]
        while around[-1] in self.at and around[-1] != self.near:
            relation, owner = self.at[around[-1]]
            can_open = owner in ("fridge_1", "box_5", "safe_10")
            assert not (relation == "in" and can_open and owner not in self.open), f"{name} is shut in {owner}"
            around.append(owner)
        assert self.near in around, f"{name} is not near {self.near}"

    def do(self, action: PlannedAction) -> None:
        name, *others = action.objects
        if action.verb is Verb.GO_TO:
            self.near = name
            return
        if action.verb in (Verb.OPEN, Verb.CLOSE, Verb.SWITCH_ON, Verb.SWITCH_OFF):
            assert not self.hand
            self.reach(name)
            states = self.open if action.verb in (Verb.OPEN, Verb.CLOSE) else self.on
            begins = action.verb in (Verb.OPEN, Verb.SWITCH_ON)
            assert (name in states) is not begins
            (states.add if begins else states.discard)(name)
        elif action.verb is Verb.PICK:
            assert not self.hand
            assert self.at[name][1] == others[0]
            assert MASSES[name] <= 5.0
            assert name not in [owner for relation, owner in self.at.values() if relation == "on"]
            self.reach(name)
            self.hand = name
            del self.at[name]
        else:
            assert self.hand == name
            self.reach(others[0])
            relation = {Verb.PLACE_IN: "in", Verb.PLACE_ON: "on", Verb.PLACE_BESIDE: "beside"}[action.verb]
            assert relation != "in" or others[0] not in ("fridge_1", "box_5") or others[0] in self.open
            self.at[name] = relation, others[0]
            self.hand = ""


def done(plan: Plan) -> Flat:
    """The flat after a plan."""
    assert plan.outcome is Outcome.FOUND, plan.reason
    assert plan.cost == len(plan.actions)
    flat = Flat()
    for action in plan.actions:
        flat.do(action)
    return flat


@pytest.mark.needs("planning")
def test_states_are_reached() -> None:
    flat = done(planned(NodeGoal("fridge_1", "OPEN"), NodeGoal("lamp_3", "ON")))
    assert (flat.open, flat.on) == ({"fridge_1"}, {"lamp_3"})


@pytest.mark.needs("planning")
def test_what_is_shut_in_two_things_is_fetched_and_they_are_closed_again() -> None:
    goals = (EdgeGoal("ring_6", "on", "bench_9"), NodeGoal("box_5", "closed"), NodeGoal("fridge_1", "open", False))
    flat = done(planned(*goals))
    assert flat.at["ring_6"] == ("on", "bench_9")
    assert not flat.open


@pytest.mark.needs("planning")
def test_a_plate_is_cleared_before_it_is_lifted() -> None:
    plan = planned(EdgeGoal("plate_7", "on", "bench_9"))
    assert done(plan).at["plate_7"] == ("on", "bench_9")
    picked = [action.objects[0] for action in plan.actions if action.verb is Verb.PICK]
    assert picked == ["apple_8", "plate_7"]


@pytest.mark.needs("planning")
def test_a_room_and_a_neighbour_are_goals_of_carrying() -> None:
    assert done(planned(EdgeGoal("milk_4", "in", "hall"))).at["milk_4"] == ("in", "hall")
    assert done(planned(EdgeGoal("milk_4", "next_to", "bench_9"))).at["milk_4"] == ("beside", "bench_9")
    assert planned(EdgeGoal("apple_8", "in", "kitchen")).cost == 0


@pytest.mark.needs("planning")
def test_the_cheapest_alternative_is_taken_and_parts_hold_together() -> None:
    goal = Goal(
        (
            ((EdgeGoal("ring_6", "on", "table_2"),), (EdgeGoal("apple_8", "on", "bench_9"),)),
            ((NodeGoal("lamp_3", "on"),), (EdgeGoal("ghost", "on", "table_2"),)),
        )
    )
    flat = done(plan_goal(PlanningTask(FLAT, goal, masses=MASSES), 120.0))
    assert flat.at["apple_8"] == ("on", "bench_9")
    assert flat.on == {"lamp_3"}


@pytest.mark.needs("planning")
def test_actions_are_goals_where_the_robot_has_them() -> None:
    assert planned(ActionGoal("GRAB")).actions[-1].verb is Verb.PICK
    assert planned(ActionGoal("Toggle_On")).actions[-1] == PlannedAction(Verb.SWITCH_ON, ("lamp_3",))
    unknown = planned(ActionGoal("SLEEP"))
    assert unknown.outcome is Outcome.UNSOLVABLE
    assert "no action 'SLEEP'" in unknown.reason


@pytest.mark.needs("planning")
@each_row(
    "goals, robot",
    [
        ([EdgeGoal("coin_11", "on", "table_2")], {}),  # its safe does not open
        ([EdgeGoal("lamp_3", "on", "bench_9")], {}),  # too heavy
        ([EdgeGoal("table_2", "in", "hall")], {}),
        ([EdgeGoal("rug_12", "in", "kitchen")], {}),  # a bench stands on it
        ([EdgeGoal("milk_4", "in", "milk_4")], {}),
        ([EdgeGoal("milk_4", "on", "plate_7"), EdgeGoal("plate_7", "on", "milk_4")], {}),
        ([EdgeGoal("milk_4", "on", "table_2"), EdgeGoal("milk_4", "on", "bench_9")], {}),
        ([NodeGoal("fridge_1", "open")], {"able": ABLE.able - {Capability.OPEN}}),
        ([NodeGoal("fridge_1", "open")], {"able": ABLE.able - {Capability.GO}}),
        ([NodeGoal("fridge_1", "open")], {"hands": 0}),
        ([EdgeGoal("apple_8", "on", "bench_9")], {"able": ABLE.able - {Capability.HOLD}}),
        ([EdgeGoal("milk_4", "on", "table_2")], {"lifts": 0.9}),
        ([NodeGoal("lamp_3", "on")], {"able": ABLE.able - {Capability.SWITCH}}),
        ([NodeGoal("ghost", "open")], {}),
        ([NodeGoal("lamp_3", "open")], {}),
    ],
)
def test_what_cannot_be_is_proven(goals, robot):
    plan = planned(*goals, robot=replace(ABLE, **robot))
    assert plan.outcome is Outcome.UNSOLVABLE
    assert plan.reason
    assert not plan.actions


@pytest.mark.needs("planning")
def test_two_hands_carry_two_things() -> None:
    goals = (EdgeGoal("milk_4", "on", "bench_9"), EdgeGoal("apple_8", "on", "bench_9"))
    assert planned(*goals, robot=replace(ABLE, hands=2)).cost < planned(*goals).cost


@pytest.mark.needs("planning")
def test_who_stands_there_need_not_go() -> None:
    assert [each.verb for each in planned(NodeGoal("lamp_3", "on"), near="lamp_3").actions] == [Verb.SWITCH_ON]


@pytest.mark.needs("planning")
def test_what_is_held_is_put_down() -> None:
    facts = FLAT.without("apple_8")
    facts = SceneFacts((*facts.objects, SceneObject("apple_8")), facts.facts)
    task = PlanningTask(facts, Goal.of([EdgeGoal("apple_8", "on", "table_2")]), start=Situation("", ("apple_8",)))
    assert list(map(str, plan_goal(task, 120.0).actions)) == ["go_to(table_2)", "place_on(apple_8, table_2)"]


@pytest.mark.needs("planning")
def test_a_thing_of_which_no_place_is_known_can_be_gone_to() -> None:
    facts = SceneFacts(
        (SceneObject("cup.n.01_1"), SceneObject("sink.n.01_1")), (Fact("inside", ("rag", "sink.n.01_1")),)
    )
    plan = plan_goal(PlanningTask(facts, Goal.of([EdgeGoal("cup.n.01_1", "OnTop", "sink.n.01_1")])), 120.0)
    assert plan.outcome is Outcome.FOUND
    assert plan.actions[0] == PlannedAction(Verb.GO_TO, ("cup.n.01_1",))


@pytest.mark.needs("planning")
def test_circles_and_unknown_relations_are_no_error() -> None:
    facts = SceneFacts(
        (SceneObject("a"), SceneObject("b"), SceneObject("c")),
        (Fact("on", ("a", "b")), Fact("on", ("b", "a")), Fact("admires", ("a", "c"))),
    )
    assert plan_goal(PlanningTask(facts, Goal.of([EdgeGoal("a", "on", "c")])), 120.0).outcome is Outcome.UNSOLVABLE
    assert plan_goal(PlanningTask(facts, Goal.of([EdgeGoal("a", "admires", "c")])), 120.0).cost == 0


@pytest.mark.needs("planning")
def test_the_same_task_has_the_same_plan() -> None:
    goals = EdgeGoal("ring_6", "on", "bench_9"), NodeGoal("lamp_3", "on")
    assert planned(*goals) == planned(*goals)
