"""Goals, facts and whether a scene has what a goal names."""

import json

import pytest
from hypothesis import given, strategies as st
from row_tables import each_row

from vantage.errors import FormatError
from vantage.goals import (
    ActionGoal,
    EdgeGoal,
    Fact,
    FaultKind,
    Goal,
    NodeGoal,
    SceneFacts,
    SceneObject,
    facts_from_json,
    facts_to_json,
    goal_from_json,
    goal_to_json,
    kind_of,
    objects_of,
    read_scene,
    renamed,
    scene_lines,
    ungrounded,
)

SCENE = SceneFacts(
    (SceneObject("lamp", ("OFF",), ("ON", "OFF")), SceneObject("Coffee Cup"), SceneObject("box.n.01_1", (), ("Open",))),
    (Fact("inside", ("Coffee Cup", "box.n.01_1")), Fact("Toggled_On", ("lamp",), False)),
)
ON, INSIDE = NodeGoal("lamp", "ON"), EdgeGoal("coffee_cup", "Inside", "box.n.01_1")
NAMES = st.text("abcdefgh.n01_", min_size=1, max_size=12)
LITERALS = st.one_of(
    st.builds(NodeGoal, NAMES, NAMES, st.booleans()),
    st.builds(EdgeGoal, NAMES, NAMES, NAMES, st.booleans()),
    st.builds(ActionGoal, NAMES, NAMES),
)
GOALS = st.builds(Goal, st.lists(st.lists(st.lists(LITERALS, max_size=3).map(tuple), max_size=3).map(tuple)).map(tuple))


@each_row(
    "goal, kinds",
    [
        (Goal.of([ON, INSIDE, ActionGoal("WASH")]), []),
        (Goal.of([NodeGoal("lamp", "ToggledOn")]), []),
        (Goal(), []),
        (Goal.of([NodeGoal("oven", "ON")]), [FaultKind.MISSING_OBJECT]),
        (Goal.of([NodeGoal("oven", "ON", False)]), [FaultKind.MISSING_OBJECT]),
        (Goal.of([NodeGoal("lamp", "FROZEN")]), [FaultKind.IMPOSSIBLE_STATE]),
        (Goal.of([EdgeGoal("lamp", "ON", "table")]), [FaultKind.MISSING_OBJECT]),
        (Goal.of([ON, NodeGoal("lamp", "on", False)]), [FaultKind.CONTRADICTION]),
        (Goal((((NodeGoal("oven", "ON"),), (ON,)),)), []),
        (
            Goal((((NodeGoal("oven", "ON"), NodeGoal("sink", "ON")), (NodeGoal("tap", "ON"),)),)),
            [FaultKind.MISSING_OBJECT],
        ),
        (Goal((((ON,),), ((ON,), (NodeGoal("lamp", "ON", False),)))), []),
    ],
)
def test_a_goal_is_grounded_where_one_alternative_of_each_part_is(goal, kinds):
    assert [fault.kind for fault in ungrounded(goal, SCENE)] == kinds


def test_a_scene_without_a_thing_tells_nothing_of_it():
    left = SCENE.without("coffee cup")
    assert not left.has("coffee_cup")
    assert left.facts == (Fact("Toggled_On", ("lamp",), False),)
    assert ungrounded(Goal.of([INSIDE]), left)[0].name == "coffee_cup"


def test_names_are_changed_in_goals_and_facts_alike():
    names = {"coffee_cup": "mug"}
    scene, goal = SCENE.renamed(names), renamed(Goal.of([INSIDE]), names)
    assert objects_of(goal) == ("mug", "box.n.01_1")
    assert not ungrounded(goal, scene)
    assert scene.facts[0].objects == ("mug", "box.n.01_1")


@each_row("name, kind", [("cup.n.01_2", "cup"), ("paper_towel", "paper_towel"), ("chair_2", "chair"), ("Cup", "cup")])
def test_a_kind_is_told_from_a_name(name, kind):
    assert kind_of(name) == kind


@given(GOALS)
def test_goals_are_read_back_from_json(goal):
    plain = json.loads(json.dumps(goal_to_json(goal)))
    found = goal_from_json(plain, "here")
    assert goal_to_json(found) == goal_to_json(goal)
    assert [literal.key for literal in found.literals] == [literal.key for literal in goal.literals]


def test_scenes_are_read_back_from_json_and_from_lines():
    assert facts_from_json(json.loads(json.dumps(facts_to_json(SCENE))), "here") == SCENE
    assert read_scene(f"Do it.\n\n{scene_lines(SCENE)}\n\nTask: lamp | is ON\n- oven | is ON\n") == SCENE
    assert read_scene("Do it.") == SceneFacts()


def test_scenes_are_read_as_simulators_write_them():
    text = (
        "Relevant objects in the scene are:\nlamp, initial states: ['OFF'], possible states: ['ON', 'OFF']\n"
        "box.n.01_1: ['Open']\nno object at all\n\nAll initial states in the scene are:\n"
        "['inside', 'lamp', 'box.n.01_1']\n['not', 'open', 'box.n.01_1']\n\nbin: ['Open']\n"
        "Relevant objects in the scene are:\noven: ['Open']\n"
    )
    found = read_scene(text)
    assert found.objects == (SceneObject("lamp", ("OFF",), ("ON", "OFF")), SceneObject("box.n.01_1", (), ("Open",)))
    assert found.facts == (Fact("inside", ("lamp", "box.n.01_1")), Fact("open", ("box.n.01_1",), False))


@each_row(
    "value",
    [
        {},
        [[["node"]]],
        [[["node", "a"]]],
        [[["not", "action", "A"]]],
        [[[1, 2, 3]]],
        ["ab"],
        [[["edge", "a", "b"]]],
        None,
    ],
)
def test_what_is_no_goal_is_refused(value):
    with pytest.raises(FormatError, match=r"^here"):
        goal_from_json(value, "here")


@each_row(
    "value",
    [
        [],
        {"objects": []},
        {"objects": [{}], "facts": []},
        {"objects": [{"name": 1, "initial": [], "possible": []}], "facts": []},
        {"objects": [], "facts": [["not", "open"]]},
        {"objects": [], "facts": [[]]},
        {"objects": [], "facts": [], "more": []},
    ],
)
def test_what_is_no_scene_is_refused(value):
    with pytest.raises(FormatError, match=r"^here"):
        facts_from_json(value, "here")
