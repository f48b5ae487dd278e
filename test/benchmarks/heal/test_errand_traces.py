"""What a home is after physics moved things in it: by recorded poses and joints, the same facts as its shapes tell."""

from __future__ import annotations

import numpy as np
import pytest
from touch_home import BLOCK, CABINET, MUG, TABLE, TOP, touch_home

from vantage.benchmarks.heal.errand_sets import ErrandTruth
from vantage.benchmarks.heal.errand_traces import Holds, facts_after
from vantage.benchmarks.heal.home_facts import HomeFacts
from vantage.errors import SceneError
from vantage.goals import EdgeGoal, Goal, NodeGoal, holds_in
from vantage.recording import Hold
from vantage.spatial import Matrix
from vantage.types import Poses


@pytest.fixture(scope="module")
def truth() -> ErrandTruth:
    home = HomeFacts.of(touch_home())
    return ErrandTruth(Goal(), True, home.facts, home.names, home.spec)


def at(x: float, y: float, z: float) -> Matrix:
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


def on(thing: str, place: str) -> Goal:
    return Goal.of([EdgeGoal(thing, "on", place)])


def test_what_did_not_move_is_as_it_was(truth: ErrandTruth) -> None:
    assert facts_after(truth, Poses()) == truth.facts
    assert holds_in(on(truth.names[MUG], truth.names[TABLE]), truth.facts)
    nearly = Poses({MUG: at(1.01, 0.0, TOP)})
    assert facts_after(truth, nearly) == truth.facts, "it was pushed a little"


def test_what_fell_to_the_floor_is_in_its_room_and_on_nothing(truth: ErrandTruth) -> None:
    scene = facts_after(truth, Poses({MUG: at(-1.0, 0.5, 0.0)}))
    mug = truth.names[MUG]
    assert not holds_in(on(mug, truth.names[TABLE]), scene)
    assert holds_in(Goal.of([EdgeGoal(mug, "in", "kitchen")]), scene)


def test_what_stands_on_a_moved_thing_is_on_that(truth: ErrandTruth) -> None:
    scene = facts_after(truth, Poses({MUG: at(1.0, -0.25, TOP + 0.10)}))
    assert holds_in(on(truth.names[MUG], truth.names[BLOCK]), scene)


def test_what_is_in_the_hand_is_nowhere_else(truth: ErrandTruth) -> None:
    scene = facts_after(truth, Poses({MUG: at(0.0, 0.0, 1.1)}), held=MUG)
    assert not holds_in(on(truth.names[MUG], truth.names[TABLE]), scene)
    assert any(fact.predicate == "holds" and truth.names[MUG] in fact.objects for fact in scene.facts)


@pytest.mark.parametrize(("share", "state"), [(1.0, "open"), (0.05, "closed"), (-0.001, "closed"), (1.001, "open")])
def test_a_thing_is_open_once_a_part_went_a_tenth_of_its_way(truth: ErrandTruth, share: float, state: str) -> None:
    assert truth.home is not None
    (joint,) = next(obj.joints for obj in truth.home.objects if obj.instance_id == CABINET)
    position = joint.low + share * (joint.high - joint.low)
    scene = facts_after(truth, Poses(joints={(CABINET, joint.part): position}))
    assert holds_in(Goal.of([NodeGoal(truth.names[CABINET], state)]), scene)


def test_things_that_the_home_lacks_are_told(truth: ErrandTruth) -> None:
    with pytest.raises(SceneError):
        facts_after(truth, Poses(joints={(CABINET, "lid 9"): 0.1}))


def test_the_hand_holds_what_it_held_at_a_look() -> None:
    holds = Holds([Hold(MUG, {10: 0.7, 20: 0.8}), Hold(0, {40: 0.5})])
    assert [holds.at(stamp) for stamp in (5, 10, 20, 30, 40)] == [None, MUG, MUG, None, 0]
