"""What a manipulation changes of facts, and goals followed over a trace of such scenes."""

from __future__ import annotations

from vantage.goals import (
    EdgeGoal,
    Fact,
    Goal,
    Monitor,
    NodeGoal,
    SceneFacts,
    SceneObject,
    Verdict,
    changed,
    formula_of,
    holds_in,
    room_of,
    rooms_of,
    step_of,
)

HOME = SceneFacts(
    (
        SceneObject("tray_1"),
        SceneObject("cup_2"),
        SceneObject("table_3"),
        SceneObject("box_4", ("closed",), ("open", "closed")),
        SceneObject("lamp_5", ("off",), ("on", "off")),
        SceneObject("kitchen"),
        SceneObject("hall"),
    ),
    (
        Fact("on", ("tray_1", "table_3")),
        Fact("on", ("cup_2", "tray_1")),
        *(Fact("in", (name, "kitchen")) for name in ("tray_1", "cup_2", "table_3")),
        *(Fact("in", (name, "hall")) for name in ("box_4", "lamp_5")),
    ),
)


def test_states_turn() -> None:
    scene = changed(changed(HOME, "open", "box_4"), "switch_on", "lamp_5")
    assert holds_in(Goal.of((NodeGoal("box_4", "open"), NodeGoal("lamp_5", "on"))), scene)
    assert not holds_in(Goal.of((NodeGoal("box_4", "closed"),)), scene)


def test_what_is_carried_comes_along() -> None:
    held = changed(HOME, "take", "tray_1")
    assert holds_in(Goal.of((EdgeGoal("robot", "holds", "tray_1"), EdgeGoal("cup_2", "on", "tray_1"))), held)
    assert room_of(held, "tray_1") == room_of(held, "cup_2") == ""
    put = changed(held, "put_in", "tray_1", "box_4")
    assert holds_in(Goal.of((EdgeGoal("tray_1", "in", "box_4"), EdgeGoal("cup_2", "in", "hall"))), put)
    assert not holds_in(Goal.of((EdgeGoal("robot", "holds", "tray_1"),)), put)
    assert not holds_in(Goal.of((EdgeGoal("tray_1", "on", "table_3"),)), put)


def test_on_the_floor_of_a_room_it_is_in_that_room_alone() -> None:
    put = changed(changed(HOME, "take", "cup_2"), "put_on", "cup_2", "hall")
    assert [fact.objects for fact in put.facts if fact.objects[0] == "cup_2"] == [("cup_2", "hall")]


def test_what_is_not_there_changes_nothing() -> None:
    for verb, thing in (("open", "ghost_9"), ("dance", "cup_2")):
        scene = changed(HOME, verb, thing)
        assert {fact.objects for fact in scene.facts} <= {fact.objects for fact in HOME.facts}
        assert scene.objects == HOME.objects
    assert not holds_in(Goal(), HOME), "what asks for nothing is never reached"


def test_a_monitor_follows_a_goal_with_a_choice() -> None:
    goal = Goal(
        (((NodeGoal("box_4", "open"),), (NodeGoal("lamp_5", "on"),)), ((EdgeGoal("cup_2", "on", "table_3", False),),))
    )
    monitor = Monitor(formula_of(goal))
    assert monitor.observe(step_of(HOME)) is Verdict.OPEN
    assert monitor.observe(step_of(changed(HOME, "switch_on", "lamp_5"))) is Verdict.SATISFIED


def test_what_is_held_with_something_in_it_is_no_room() -> None:
    pairs = (("apple_1", "bowl_2"), ("bowl_2", "hall"), ("apple_1", "hall"), ("desk_3", "hall"))
    things = tuple(map(SceneObject, ("apple_1", "bowl_2", "hall", "desk_3")))
    scene = SceneFacts(things, tuple(Fact("in", pair) for pair in pairs))
    assert rooms_of(changed(scene, "take", "bowl_2")) == {"hall"}
