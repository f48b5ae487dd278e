"""The observed scene as facts."""

from __future__ import annotations

from made_detections import detection, remembered

from vantage.goals import Fact, SceneObject
from vantage.perception.map import ObservedScene, observed_facts


def test_nothing_seen_is_nothing_known() -> None:
    found = observed_facts(ObservedScene())
    assert (found.objects, found.facts) == ((), ())


def test_things_are_told_with_states_and_what_carries_them() -> None:
    found = observed_facts(
        remembered(
            detection(1, "floor", (0.0, 0.0, -0.05), (8.0, 4.0, 0.0), room="kitchen"),
            detection(7, "coffee table", (4.5, 1.5, 0.0), (5.5, 2.5, 0.5)),
            detection(8, "mug", (4.9, 1.9, 0.5), (5.0, 2.0, 0.6)),
            detection(9, "fridge", (6.0, 0.0, 0.0), (6.6, 0.6, 1.8), states=("open",)),
            detection(10, "wall", (0.0, -0.1, 0.0), (8.0, 0.0, 2.5)),
        )
    )
    assert {item.name for item in found.objects} >= {"coffee_table_7", "mug_8", "fridge_9"}
    assert not any("wall" in item.name or "floor" in item.name for item in found.objects)
    assert SceneObject("fridge_9", ("open",), ("open", "closed")) in found.objects
    assert Fact("on", ("mug_8", "coffee_table_7")) in found.facts
