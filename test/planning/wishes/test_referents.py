"""Which things of a home a wish means."""

from __future__ import annotations

from row_tables import each_row

from vantage.goals import Fact, SceneFacts, SceneObject, TaskText
from vantage.planning.goals import GoalInterpreter

TURNED, OPENED = ("on", "off"), ("open", "closed")
HOME = SceneFacts(
    (
        SceneObject("lamp_1", ("on",), TURNED),
        SceneObject("lamp_2", ("off",), TURNED),
        SceneObject("lamp_3", ("off",), TURNED),
        SceneObject("window_4", ("closed",), OPENED),
        SceneObject("window_5", ("closed",), OPENED),
        SceneObject("fridge_6", ("open",), OPENED),
        SceneObject("towel_7", ("clean",), ("clean", "dirty")),
        SceneObject("towel_8", ("dirty",), ("clean", "dirty")),
        *map(SceneObject, ("desk_9", "shelf_10", "cup_11", "cup_12", "basket_13", "kitchen", "bedroom", "hall")),
    ),
    (
        *(Fact("in", (name, "bedroom")) for name in ("desk_9", "lamp_1", "lamp_2", "window_4", "towel_7")),
        *(Fact("in", (name, "kitchen")) for name in ("shelf_10", "window_5", "fridge_6", "basket_13", "towel_8")),
        Fact("in", ("lamp_3", "hall")),
        Fact("on", ("lamp_2", "desk_9")),
        Fact("on", ("cup_11", "desk_9")),
        Fact("on", ("cup_12", "shelf_10")),
    ),
)


def goals(text: str) -> list[str]:
    found = GoalInterpreter().interpret(TaskText("", text), HOME)
    return [" ".join(literal.key[2:]) for literal in found.goal.literals]


@each_row(
    "text, goal",
    [
        ("Turn on the lamp in the hall.", ["on lamp_3"]),
        ("Turn on the lamp that's on the desk.", ["on lamp_2"]),
        ("One of the lamps in the bedroom is still on. Switch it off.", ["off lamp_1"]),
        ("Open the kitchen window.", ["open window_5"]),
        ("It's warm in the bedroom, so open the window in there.", ["open window_4"]),
        ("Put the dirty towel in the basket.", ["in towel_8 basket_13"]),
        ("The towel that is dirty should go in the basket.", ["in towel_8 basket_13"]),
        ("Take the cup from the shelf and leave it on the desk.", ["on cup_12 desk_9"]),
        ("Turn on the desk lamp.", ["on lamp_2"]),
        ("Turn on some light in the hall, please.", ["on lamp_3"]),
        ("There are two cups lying around. Put them on the shelf.", ["on cup_11 shelf_10", "on cup_12 shelf_10"]),
        ("There is one of the cups on the desk. Put it on the shelf with the other.", ["on cup_11 shelf_10"]),
        ("A towel is in the kitchen. The dirty one belongs in the basket.", ["in towel_8 basket_13"]),
        ("The draught comes from the window in the hall, and the fridge is open. Shut it.", ["closed fridge_6"]),
        ("Bring a cup to the hall. It's on the shelf.", ["in cup_12 hall"]),
        ("Put both cups in the basket.", ["in cup_11 basket_13", "in cup_12 basket_13"]),
        (
            "There's a cup on the desk. Put it in the basket and shut the fridge.",
            ["in cup_11 basket_13", "closed fridge_6"],
        ),
        ("The lamp in the bedroom is on. Switch it off.", ["off lamp_1"]),
        (
            "There's a cup on the desk and another on the shelf. Put them in the basket.",
            ["in cup_11 basket_13", "in cup_12 basket_13"],
        ),
        ("The window in the bedroom is shut. Open the one in the kitchen.", ["open window_5"]),
        ("Open the windows in the bedroom and the kitchen.", ["open window_4", "open window_5"]),
        ("Close the fridge door.", ["closed fridge_6"]),
        ("Put the cup on the bedside table.", []),
        ("Open the window in the hall.", []),
        ("Put the cup that's in the basket on the desk.", []),
        ("Is there a spoon on the desk? Put it in the basket.", []),
        ("Open the garage window.", []),
    ],
)
def test_the_thing_that_is_said_is_meant(text: str, goal: list[str]) -> None:
    assert goals(text) == goal


def test_circles_of_carrying_come_to_an_end() -> None:
    circle = SceneFacts(
        (SceneObject("cup_1"), SceneObject("box_2"), SceneObject("desk_3"), SceneObject("kitchen")),
        (Fact("in", ("cup_1", "box_2")), Fact("in", ("box_2", "cup_1")), Fact("in", ("desk_3", "kitchen"))),
    )
    found = GoalInterpreter().interpret(TaskText("", "Put the cup that's in the kitchen on the desk."), circle)
    assert found.refused
