"""One wish in many wordings: each is understood in a generated home, whose scene nobody taught."""

from __future__ import annotations

from row_tables import each_row

from vantage.goals import EdgeGoal, Fact, Literal, NodeGoal, SceneFacts, SceneObject, TaskText
from vantage.planning.goals import GoalInterpreter

HOME = SceneFacts(
    (
        SceneObject("fridge_40", ("closed",), ("open", "closed")),
        SceneObject("wardrobe_12", ("open",), ("open", "closed")),
        SceneObject("lamp_31", ("off",), ("on", "off")),
        SceneObject("television_7", ("on",), ("on", "off")),
        *map(SceneObject, ("mug_59", "banana_61", "table_20", "basket_28", "sofa_22", "kitchen", "bedroom")),
    ),
    (
        Fact("in", ("fridge_40", "kitchen")),
        Fact("in", ("table_20", "kitchen")),
        Fact("in", ("wardrobe_12", "bedroom")),
        Fact("on", ("mug_59", "table_20")),
        Fact("in", ("banana_61", "basket_28")),
        Fact("in", ("sofa_22", "bedroom")),
    ),
)
OPEN, SHUT = NodeGoal("fridge_40", "open"), NodeGoal("wardrobe_12", "closed")
ON, OFF = NodeGoal("lamp_31", "on"), NodeGoal("television_7", "off")
PUT_IN, PUT_ON = EdgeGoal("mug_59", "in", "basket_28"), EdgeGoal("mug_59", "on", "sofa_22")
TO_ROOM = EdgeGoal("banana_61", "in", "bedroom")


def understood(text: str) -> tuple[Literal, ...]:
    return tuple(GoalInterpreter().interpret(TaskText("", text), HOME).goal.literals)


@each_row(
    "text, goal",
    [
        ("Open up the fridge.", OPEN),
        ("The fridge should be open.", OPEN),
        ("Would you mind opening the refrigerator?", OPEN),
        ("I want the fridge opened.", OPEN),
        ("Leave the fridge open, please.", OPEN),
        ("Get the fridge open for me", OPEN),
        ("See that the fridge stands wide open.", OPEN),
        ("The fridge needs opening.", OPEN),
        ("Shut the wardrobe.", SHUT),
        ("Don't leave the wardrobe open.", SHUT),
        ("The wardrobe must be closed.", SHUT),
        ("Please see to it that the wardrobe is shut.", SHUT),
        ("The wardrobe is open; close it, please.", SHUT),
        ("Turn the lamp on.", ON),
        ("Switch the light on, would you?", ON),
        ("Can you put the lamp on?", ON),
        ("I'd like the lamp on.", ON),
        ("Flick on the lamp.", ON),
        ("It's dark. Light the lamp.", ON),
        ("Get the lamp switched on.", ON),
        ("Turn off the TV.", OFF),
        ("Power down the television.", OFF),
        ("Shut the telly off.", OFF),
        ("The television is on. Turn it off.", OFF),
        ("Have the television off, please.", OFF),
        ("Please stop the television.", OFF),
        ("Stick the mug in the basket.", PUT_IN),
        ("Could the mug go in the basket?", PUT_IN),
        ("Take the mug and pop it into the basket.", PUT_IN),
        ("The mug belongs in the basket.", PUT_IN),
        ("I want the mug inside the basket.", PUT_IN),
        ("Bring the mug to the basket.", PUT_IN),
        ("Grab the mug off the table and drop it in the basket.", PUT_IN),
        ("The mug needs putting in the basket.", PUT_IN),
        ("Set the mug down on the couch.", PUT_ON),
        ("Bring the mug to the sofa.", PUT_ON),
        ("Move the mug from the table onto the sofa.", PUT_ON),
        ("Take the mug over to the couch.", PUT_ON),
        ("The mug should end up on the sofa.", PUT_ON),
        ("Fetch the mug from the table and leave it on the sofa, please.", PUT_ON),
        ("Bring the banana to the bedroom.", TO_ROOM),
        ("Carry the banana into the bedroom.", TO_ROOM),
        ("The banana is wanted in the bedroom.", TO_ROOM),
        ("I need the banana in the bedroom.", TO_ROOM),
        ("The kettle's light is broken. Some light, please.", ON),
        ("Who keeps leaving the wardrobe open? Shut it.", SHUT),
        ("My hat is in the wardrobe. Close it again.", SHUT),
        ("The mug is on the table. Get it, drop it in the basket.", PUT_IN),
        ("The mug on the table belongs to Tom. Basket, please.", PUT_IN),
        ("I wanna eat my banana in the bedroom. Bring it there.", TO_ROOM),
        ("Somebody breaks his neck on that mug. Put it on the sofa.", PUT_ON),
        ("The mug wants to lie on the sofa.", PUT_ON),
        ("There's a mug on the table and I want it on the sofa.", PUT_ON),
    ],
)
def test_wishes_are_understood_in_many_wordings(text: str, goal: Literal) -> None:
    assert understood(text) == (goal,)


@each_row(
    "text",
    [
        "Open the dishwasher.",
        "Could the spoon go in the basket?",
        "Bring the mug to the bathroom.",
        "Don't open the fridge.",
        "Never switch on the lamp.",
        "The television is on.",
        "Turn the lamp on and off.",
        "Could you sing?",
        "The spoon is on the table. Bring it to the bedroom.",
        "The mug is on the table, and the doll is on the sofa. Put it in the basket.",
        "Some music, please.",
        "Open the door to the balcony.",
    ],
)
def test_what_is_not_there_or_not_wished_is_refused(text: str) -> None:
    assert understood(text) == ()
