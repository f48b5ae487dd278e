"""Another thing of the kind is held back where a wish says where the meant one is."""

from __future__ import annotations

from row_tables import each_row

from vantage.goals import Fact, Feasibility, Goal, NodeGoal, ReasonKind, SceneFacts, SceneObject, TaskText
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
