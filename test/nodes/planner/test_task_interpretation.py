"""What the planner says that it makes of a task."""

from types import SimpleNamespace

import pytest

from vantage.nodes.planner.task_interpretation import interpret_task


def interpreted(task):
    return interpret_task(SimpleNamespace(task=task), SimpleNamespace(understood=False, message=""))


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
