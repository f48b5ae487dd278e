"""What a goal cannot have at once."""

from __future__ import annotations

from row_tables import each_row

from vantage.goals import ActionGoal, EdgeGoal, Goal, Literal, NodeGoal, SceneFacts, SceneObject, contradictions

SCENE = SceneFacts(tuple(SceneObject(name) for name in ("box", "bag", "cup", "lamp", "book", "book")))


@each_row(
    "literals, names",
    [
        ([NodeGoal("lamp", "ON"), NodeGoal("lamp", "Off")], ["lamp"]),
        ([NodeGoal("lamp", "Toggled_On"), NodeGoal("lamp", "OFF")], ["lamp"]),
        ([NodeGoal("lamp", "ON"), NodeGoal("cup", "OFF")], []),
        ([NodeGoal("lamp", "ON"), NodeGoal("lamp", "OFF", False)], []),
        ([EdgeGoal("box", "INSIDE", "bag"), EdgeGoal("bag", "inside", "box")], ["bag", "box"]),
        ([EdgeGoal("box", "INSIDE", "bag"), EdgeGoal("bag", "ON", "cup"), EdgeGoal("cup", "ontop", "box")], 3),
        ([EdgeGoal("box", "in", "bag"), EdgeGoal("bag", "in", "box")], ["bag", "box"]),
        ([EdgeGoal("box", "INSIDE", "bag"), EdgeGoal("bag", "INSIDE", "cup")], []),
        ([EdgeGoal("box", "INSIDE", "box")], ["box"]),
        ([EdgeGoal("box", "NextTo", "bag"), EdgeGoal("bag", "NextTo", "box")], []),
        ([EdgeGoal("book", "ON", "book")], []),
        ([ActionGoal("OPEN"), ActionGoal("CLOSE")], []),
    ],
)
def test_opposites_and_circles_are_told(literals: list[Literal], names: list[str] | int) -> None:
    found = [fault.name for fault in contradictions(Goal.of(literals), SCENE)]
    assert (sorted(found) if isinstance(names, list) else len(found)) == names


def test_what_leaves_a_choice_contradicts_nothing() -> None:
    on, off = NodeGoal("lamp", "ON"), NodeGoal("lamp", "OFF")
    assert not contradictions(Goal((((on,), (off,)), ((off,),))), SCENE)


def test_ten_thousand_goals_take_no_time() -> None:
    names = [f"cup_{number}" for number in range(5000)]
    chain = [EdgeGoal(one, "ON", other) for one, other in zip(names[1:], names, strict=False)]
    states = [NodeGoal("cup_0", f"S{number}") for number in range(5000)]
    scene = SceneFacts(tuple(map(SceneObject, names)))
    assert not contradictions(Goal.of((*reversed(chain), *states)), scene)
