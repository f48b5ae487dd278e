"""Goals of tasks in words, in three ways of writing, and refusals."""

from __future__ import annotations

import pytest
from row_tables import each_row

from vantage.goals import (
    ActionGoal,
    EdgeGoal,
    Fact,
    Literal,
    NodeGoal,
    SceneFacts,
    SceneObject,
    TaskText,
    read_scene,
    ungrounded,
)
from vantage.planning.goals import GoalInterpreter, Lesson, Lessons, learn, scene_schema

HOME = SceneFacts(
    (
        SceneObject("character", (), ("SITTING", "LYING")),
        SceneObject("television", ("OFF",), ("ON", "OFF", "PLUGGED_IN")),
        SceneObject("freezer", ("CLOSED",), ("OPEN", "CLOSED", "PLUGGED_IN", "PLUGGED_OUT")),
        SceneObject("food_food", (), ("CLEAN",)),
        SceneObject("couch", (), ("CLEAN",)),
    )
)
HOUSE = SceneFacts(
    (
        SceneObject("cup.n.01_1", (), ("Stained",)),
        SceneObject("cup.n.01_2", (), ("Stained",)),
        SceneObject("cabinet.n.01_1", (), ("Open", "Dusty")),
        SceneObject("floor.n.01_1", (), ("Dusty", "Stained")),
        SceneObject("lamp.n.02_1", (), ("Toggled_On",)),
    ),
    (Fact("dusty", ("cabinet.n.01_1",)),),
)
ROOM = SceneFacts(
    (
        SceneObject("fridge", ("closed",), ("open", "closed")),
        SceneObject("mug"),
        SceneObject("table"),
        SceneObject("lamp", (), ("on", "off")),
    ),
    (Fact("beside", ("table", "fridge")),),
)


def goals(text: str, scene: SceneFacts, name: str = "", lessons: Lessons | None = None) -> list[str]:
    found = GoalInterpreter(lessons).interpret(TaskText(name, text), scene)
    assert not ungrounded(found.goal, scene)
    return sorted(map(told, found.goal.literals))


def told(goal: Literal) -> str:
    holds = "" if isinstance(goal, ActionGoal) or goal.holds else "not "
    return holds + "/".join(goal.key[1:] if isinstance(goal, ActionGoal) else goal.key[2:])


@each_row(
    "text, scene, found",
    [
        ("Turn on the TV.", HOME, ["on/television", "pluggedin/television"]),
        ("put groceries in fridge", HOME, ["inside/food_food/freezer"]),
        ("Put all cups into the cabinet.", HOUSE, [f"inside/cup.n.01_{k}/cabinet.n.01_1" for k in (1, 2)]),
        ("Clean the dusty cabinet.", HOUSE, ["not dusty/cabinet.n.01_1"]),
        ("Clean the cabinets.", HOUSE, ["not dusty/cabinet.n.01_1"]),
        (
            "Place the lamp on the floor and turn it on.",
            HOUSE,
            ["onfloor/lamp.n.02_1/floor.n.01_1", "toggledon/lamp.n.02_1"],
        ),
        ("Close the cabinet past the piano.", HOUSE, ["not open/cabinet.n.01_1"]),
        ("Could you open the fridge for me?", ROOM, ["open/fridge"]),
        ("Switch off the lamp.", ROOM, ["off/lamp"]),
        ("Put the mug in the refrigerator.", ROOM, ["inside/mug/fridge"]),
        ("Bring the mug over to the table.", ROOM, ["on/mug/table"]),
    ],
)
def test_goals_name_what_the_scene_has(text: str, scene: SceneFacts, found: list[str]) -> None:
    assert goals(text, scene) == found


def test_the_name_of_a_task_says_what_it_is_about() -> None:
    found = goals("sit on the couch", HOME, "Watch TV")
    assert found == [
        "facing/character/television",
        "on/television",
        "pluggedin/television",
        "watch",
    ]


@each_row(
    "text, scene, missing",
    [
        ("Turn on the radio.", HOME, ("radio",)),
        ("Put the groceries in the dishwasher.", HOME, ("dishwasher",)),
        ("Put all plates into the cabinet.", HOUSE, ("plates",)),
        ("Put all cups into the cabinet.", HOUSE.without("cup.n.01_1"), ("one cup",)),
        ("Put 3 cups into the cabinet.", HOUSE, ("3 cups",)),
        ("Put the mug in the microwave.", ROOM, ("microwave",)),
        ("Open the fridge.", SceneFacts(), ("fridge",)),
        ("Sing.", ROOM, ()),
        (" ", ROOM, ()),
        ("\u0441up \ud83d\ude00 {{{", ROOM, ()),
    ],
)
def test_what_the_scene_lacks_is_refused_with_its_name(text: str, scene: SceneFacts, missing: tuple[str, ...]) -> None:
    found = GoalInterpreter().interpret(TaskText("", text), scene)
    assert (found.refused, found.missing, found.goal.parts) == (True, missing, ())


def test_on_and_off_at_once_is_refused() -> None:
    found = GoalInterpreter().interpret(TaskText("", "Turn on the lamp. Turn off the lamp."), HOUSE)
    assert found.refused
    assert "contradicts" in found.reason


def solved(text: str, scene: SceneFacts, *found: NodeGoal | EdgeGoal) -> Lesson:
    return Lesson(TaskText("", text), scene, found)


def test_other_words_for_things_are_learned_from_scenes_that_differ_in_them_alone() -> None:
    done, renamed = NodeGoal("lamp", "on"), ROOM.renamed({"lamp": "glimmer"})
    lessons = learn(
        [solved("Turn on the lamp.", ROOM, done), solved("Turn on the lamp.", renamed, NodeGoal("glimmer", "on"))]
    )
    assert goals("Switch off the lamp.", renamed) == []
    assert goals("Switch off the lamp.", renamed, lessons=lessons) == ["off/glimmer"]


def test_reasons_that_were_wrong_count_no_longer() -> None:
    text = "Open the fridge and turn on the lamp."
    lessons = learn([solved(text, ROOM, NodeGoal("lamp", "on"))] * 3)
    assert goals(text, ROOM) == ["on/lamp", "open/fridge"]
    assert goals(text, ROOM, lessons=lessons) == ["on/lamp"]


def test_a_lack_that_did_not_matter_does_not_matter() -> None:
    text = "Put the mug in the crate and turn on the lamp."
    lessons = learn([solved(text, ROOM, NodeGoal("lamp", "on"))] * 3)
    assert goals(text, ROOM) == []
    assert goals(text, ROOM, lessons=lessons) == ["on/lamp"]


def test_no_lessons_teach_nothing() -> None:
    assert learn([]) == Lessons()


@pytest.mark.parametrize("scene", [HOUSE, SceneFacts(), read_scene("none")], ids=["house", "nothing", "no scene"])
def test_a_schema_of_a_scene_names_its_things_alone(scene: SceneFacts) -> None:
    from vantage.models import fault
    from vantage.models.json_replies import check_schema

    schema = scene_schema(scene, instances=True)
    check_schema(schema)
    assert fault({"node goals": [], "edge goals": []}, schema) is None
    there = {
        "node goals": [["not", ["Dusty", "cabinet.n.01_1"]]],
        "edge goals": [["Inside", "cup.n.01_1", "cabinet.n.01_1"]],
    }
    assert (fault(there, schema) is None) == bool(scene.objects)
    for wrong in (["Dusty", "cup.n.01_1"], ["Dusty", "oven.n.01_1"], ["Stained"]):
        assert fault({"node goals": [wrong], "edge goals": []}, schema)
