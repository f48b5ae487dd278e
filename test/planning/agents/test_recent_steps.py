"""What is told of the steps before: every action with its result, until the world is put back."""

from __future__ import annotations

from dataclasses import replace

from box_room import BoxRoom, furnished_room

from vantage.planning.agents.recent_steps import RecentSteps, numbered
from vantage.spatial import Viewpoint
from vantage.types import Command, Episode, Question, Status, StepResult

EPISODE = Episode("e", "search", "boxes", Viewpoint(2.7, 1.6, 1.4, 0.0, 0.0), (Question("q", "Red?"),), 3)


def test_actions_are_kept_with_their_results_and_forgotten_without_the_pictures() -> None:
    recent, first = RecentSteps(2), BoxRoom(furnished_room(), 64, 48).reset(EPISODE, 0)
    assert recent.saw(first, None)
    assert not recent.saw(first, None), "it is known already"
    assert (recent.action, recent.result, recent.history) == ("none", "none", [])
    for number, (action, status) in enumerate((("x+", Status.DONE), ("y+", Status.COLLIDED)), start=1):
        seen = replace(first, stamp=first.stamp + number)
        assert recent.saw(seen, StepResult(status, "", Command(action=action), seen))
    assert recent.history == [("x+", "Done"), ("y+", "Collision occurred. You remained at the same position")]
    assert (recent.action, len(recent.pictures)) == ("y+", 2)
    recent.forget_actions()
    assert (recent.action, recent.result, recent.history, len(recent.pictures)) == ("none", "none", [], 2)


def test_lines_have_their_numbers() -> None:
    assert numbered(["a", "b"]) == "1. a\n2. b"
    assert numbered([]) == "none"
