"""Another thing of the kind is held back where a wish says where the meant one is."""

from __future__ import annotations

from row_tables import each_row

from vantage.goals import EdgeGoal, Fact, Feasibility, Goal, NodeGoal, ReasonKind, SceneFacts, SceneObject, TaskText
from vantage.planning.guard import Guard, read_robot

HOME = SceneFacts(
    (
        SceneObject("window_4", ("closed",), ("open", "closed")),
        *map(SceneObject, ("chair_5", "sofa_6", "kitchen", "bedroom")),
    ),
    (*(Fact("in", (name, "bedroom")) for name in ("window_4", "sofa_6")), Fact("in", ("chair_5", "kitchen"))),
)


def judged(text: str) -> tuple[Feasibility, list[ReasonKind]]:
    ruling = Guard(read_robot("household")).judge(TaskText("", text), Goal.of((NodeGoal("window_4", "open"),)), HOME)
    return ruling.feasibility, [reason.kind for reason in ruling.reasons]


@each_row(
    "text",
    [
        "It smells in the kitchen, so open the window there.",
        "Open the window that is in the kitchen.",
        "Could you open the window of the kitchen?",
        "Open the window to the balcony.",
        "The kitchen is full of smoke. Open the window in there.",
    ],
)
def test_what_is_said_to_be_elsewhere_is_not_this(text: str) -> None:
    assert judged(text) == (Feasibility.NEEDS_CONFIRMATION, [ReasonKind.REPURPOSED])


@each_row(
    "text",
    [
        "Open the window.",
        "Open the window in the bedroom.",
        "It smells in the bedroom, so open the window there.",
        "There is a chair in the kitchen. Open the window.",
    ],
)
def test_what_is_where_it_is_said_to_be_passes(text: str) -> None:
    assert judged(text) == (Feasibility.FEASIBLE, [])


KITCHEN = SceneFacts(
    (
        *map(SceneObject, ("bread_1", "pillow_2", "sofa_3", "table_4", "cereal_box_5", "orange_6", "bowl_7", "bowl_8")),
        *map(SceneObject, ("apple_9", "knife_10", "kitchen", "lounge")),
        SceneObject("stove_11", ("on",), ("on", "off")),
    ),
    (
        *(Fact("in", (name, "kitchen")) for name in ("bread_1", "table_4", "cereal_box_5", "bowl_7", "stove_11")),
        *(Fact("in", (name, "lounge")) for name in ("sofa_3", "bowl_8", "pillow_2")),
        Fact("on", ("bread_1", "table_4")),
        Fact("in", ("apple_9", "bowl_7")),
        Fact("in", ("orange_6", "bowl_8")),
        Fact("on", ("knife_10", "table_4")),
    ),
)


def ruled(text: str, goal: EdgeGoal | NodeGoal) -> Feasibility:
    return Guard(read_robot("household")).judge(TaskText("", text), Goal.of((goal,)), KITCHEN).feasibility


@each_row(
    "text, goal",
    [
        ("Put the bread bin on the table.", EdgeGoal("bread_1", "on", "table_4")),
        ("Put the bread on the bedside table.", EdgeGoal("bread_1", "on", "table_4")),
        ("Sit the teddy on the couch next to the cushions.", EdgeGoal("pillow_2", "on", "sofa_3")),
        ("Put the apple next to the orange in the bowl.", EdgeGoal("orange_6", "in", "bowl_7")),
        ("Carry the apple to the living room.", EdgeGoal("apple_9", "in", "kitchen")),
    ],
)
def test_what_is_named_by_a_part_or_as_a_place_alone_is_held_back(text: str, goal: EdgeGoal) -> None:
    assert ruled(text, goal) is Feasibility.NEEDS_CONFIRMATION


@each_row(
    "text, goal",
    [
        ("Put the bread knife on the table.", EdgeGoal("knife_10", "on", "table_4")),
        ("Fetch some cereal and place it on the table.", EdgeGoal("cereal_box_5", "on", "table_4")),
        ("You can kill the heat on the cooker now.", NodeGoal("stove_11", "off")),
        ("I'd rather have the cushion on the settee.", EdgeGoal("pillow_2", "on", "sofa_3")),
        ("Get the orange out of the bowl and put it in the one with the apple.", EdgeGoal("orange_6", "in", "bowl_7")),
        ("The bread's been on the table all day. Put it in the bowl.", EdgeGoal("bread_1", "in", "bowl_7")),
        ("Put the bread in the bowl and take that to the table.", EdgeGoal("bowl_7", "on", "table_4")),
    ],
)
def test_what_is_named_by_a_word_of_its_own_passes(text: str, goal: EdgeGoal | NodeGoal) -> None:
    assert ruled(text, goal) is Feasibility.FEASIBLE
