"""What the planner says that it makes of a task."""

from types import SimpleNamespace

import pytest
from row_tables import each_row

from vantage.goals import EdgeGoal, Fact, Feasibility, Goal, NodeGoal, ReasonKind, SceneFacts, SceneObject
from vantage.nodes.planner.task_interpretation import TaskInterpretation
from vantage.planning.guard import Guard, read_robot
from vantage.recording import Codec, RosbagsFactory
from vantage.recording.goal_messages import read_goal, read_ruling

SEEN = SceneFacts(
    (SceneObject("fridge_3", ("open",), ("open", "closed")), SceneObject("mug_4"), SceneObject("table_5")),
    (Fact("on", ("mug_4", "table_5")),),
)


def interpreted(task, facts=SEEN):
    service = TaskInterpretation(Codec(RosbagsFactory()), lambda timeout: facts, Guard(read_robot("household")))
    response = SimpleNamespace(understood=False, message="", goal=None, ruling=None)
    return service(SimpleNamespace(task=task), response)


@pytest.mark.parametrize(
    ("task", "kind"),
    [
        ("Is there a cup?", "existence"),
        ("How many cups are there?", "count"),
        ("What color is the cup?", "color"),
        ("Is the cup on the table?", "relation"),
        ("What is on the table?", "relation"),
        ("What is the largest thing on the table?", "superlative"),
        ("Where is the cup?", "location"),
        ("Which room is the cup in?", "room"),
        ("Is the lamp on?", "state"),
        ("What does the box say?", "text"),
        ("Are there more cups than mugs?", "comparison"),
        ("Is the cup bigger than the mug?", "comparison"),
        ("Is the cup the same color as the mug?", "sameness"),
        ("Is anything heavier than the cup?", "existence"),
        ("Is the cup heavy?", "comparison"),
        ("What colors are the cups?", "color"),
        ("What things are on the table?", "relation"),
    ],
)
def test_kinds(task, kind):
    assert interpreted(task).kind == kind


def test_what_to_look_for_and_what_is_taken_for_granted():
    found = interpreted("What color are the two red cups on the table in the kitchen?")
    assert found.understood
    assert found.look_for == ["cup", "table", "kitchen"]
    assert found.premises == ["there are two red cups on the table in the kitchen", "there is a table in the kitchen"]


def test_a_task_that_is_not_understood_says_so():
    found = interpreted("Sing a song.")
    assert not found.understood
    assert "language model" in found.message
    assert (found.goal, found.ruling) == (None, None)


@each_row(
    "task, facts, goal, feasibility, look_for",
    [
        ("Close the fridge.", SEEN, [NodeGoal("fridge_3", "closed")], "FEASIBLE", ["fridge"]),
        (
            "Put the mug in the fridge.",
            SEEN,
            [EdgeGoal("mug_4", "inside", "fridge_3")],
            "FEASIBLE",
            ["mug", "fridge"],
        ),
        ("Close the fridge.", SceneFacts(), [], "UNKNOWN", ["fridge"]),
        ("Put the mug on the shelf.", SEEN, [], "UNKNOWN", ["shelf"]),
    ],
)
def test_an_instruction_is_ruled_on_by_what_was_observed(task, facts, goal, feasibility, look_for):
    found = interpreted(task, facts)
    assert (found.understood, found.kind, found.look_for) == (True, "instruction", look_for)
    assert read_goal(found.goal) == Goal.of(goal)
    ruling = read_ruling(found.ruling)
    assert ruling.feasibility is Feasibility[feasibility]
    assert all(reason.kind is ReasonKind.UNSEEN_OBJECT for reason in ruling.reasons)
    assert found.message == ruling.words


def test_what_is_too_long_or_too_late_is_told():
    assert "10000 at most" in interpreted("close " * 2000).message
    late = interpreted("Close the fridge.", None)
    assert not late.understood
    assert "within 5 s" in late.message
    assert interpreted("What color is the cup?", None).understood
    assert not interpreted("").understood
