"""A camera with a hand in a drawn map: from where it tries again what did not come off, and how it gets nearer."""

from __future__ import annotations

import math
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from vantage.goals import Fact, SceneFacts, SceneObject
from vantage.perception.map import FREE, OCCUPIED, UNKNOWN, CoverageMap
from vantage.planning.actions import GantryActions
from vantage.planning.execution import Belief, KinematicBody
from vantage.planning.goals import PlannedAction, Verb
from vantage.planning.skills import Failure, SkillResult
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Cause, Command, Status, StepResult
from vantage.worlds import MotionLimits, WorldInfo

CAMERA = Intrinsics.from_fov(64, 48, 1.2)
INFO = WorldInfo("drawn", frozenset(), frozenset(), 0.1, MotionLimits((0.2, 0.2, 0.2), (5.8, 2.8, 1.8)))
NEAR = Viewpoint(4.0, 1.5, 1.0, 0.0, 0.0)
WARDROBE = SimpleNamespace(
    instance_id=7, label="wardrobe", bounds_min=(4.7, 1.0, 0.0), bounds_max=(5.2, 2.0, 1.9), center=(4.95, 1.5, 0.95)
)
BELIEF = Belief(SceneFacts((SceneObject("wardrobe_7", ("closed",), ("open", "closed")),)), {"wardrobe_7": 7})
OPEN, GO_TO = PlannedAction(Verb.OPEN, ("wardrobe_7",)), PlannedAction(Verb.GO_TO, ("wardrobe_7",))


def shows(at: Viewpoint, shown: bool = True) -> Any:
    """What the camera sees: the front of the wardrobe, or nothing."""
    ids = np.full((48, 64), 7 if shown else 0)
    depth = np.full((48, 64), max(4.75 - at.x, 0.1))
    return SimpleNamespace(viewpoint=at, intrinsics=CAMERA, depth_camera=CAMERA, instances=ids, depth=depth)


def body(unknown: slice = slice(0), *things: Any, left: int = 60) -> KinematicBody:
    coverage = CoverageMap((0, 0, 0), (6, 3, 2))
    coverage._states[:] = FREE
    coverage._states[unknown] = UNKNOWN
    coverage._states[47:52, 10:20, :19] = OCCUPIED
    memory: Any = SimpleNamespace(get={each.instance_id: each for each in (WARDROBE, *things)}.get)
    return KinematicBody(memory, coverage, GantryActions(0.25, math.pi / 6), INFO, NEAR, lambda: left, 1.5)


def refused(command: Command, cause: Cause) -> StepResult:
    return StepResult(Status.REJECTED, "no", command, shows(NEAR), cause)


def moved(command: Command, to: Viewpoint) -> StepResult:
    return StepResult(Status.DONE, "", command, shows(to))


def next_try(made: KinematicBody, told: Command, cause: Cause) -> tuple[list[Viewpoint], Command | SkillResult]:
    """Where it goes after a refusal, and what it does there."""
    at, result = [NEAR], refused(told, cause)
    while True:
        now = made.next(shows(at[-1]), result)
        if isinstance(now, SkillResult) or now.arm is not None:
            return at, now
        assert now.target is not None
        assert len(at) < 30
        at.append(now.target)
        result = moved(now, at[-1])


def test_what_met_the_camera_is_tried_from_farther_away() -> None:
    made = body()
    made.begin(OPEN, BELIEF)
    told = made.next(shows(NEAR), None)
    assert isinstance(told, Command)
    assert told.arm is not None
    at, again = next_try(made, told, Cause.CHECK)
    assert isinstance(again, Command), again
    assert 4.7 - at[-1].x > 4.7 - NEAR.x + 0.1


@pytest.mark.parametrize("cause", [Cause.CHECK, Cause.FAR, Cause.UNWARRANTED])
def test_nothing_is_tried_twice_from_one_place_and_not_for_ever(cause: Cause) -> None:
    made, at, tries = body(), NEAR, []
    made.begin(OPEN, BELIEF)
    result = None
    for _ in range(80):
        told = made.next(shows(at), result)
        if isinstance(told, SkillResult):
            assert not told.done
            break
        if told.arm is not None:
            tries.append(at)
            result = refused(told, cause)
        else:
            assert told.target is not None
            at, result = told.target, moved(told, told.target)
    else:
        pytest.fail("it never gave up")
    assert tries
    assert all(math.dist(one.position, other.position) > 0.05 for k, one in enumerate(tries) for other in tries[:k])


def test_a_view_of_what_is_in_sight_leads_nearer_or_it_says_so() -> None:
    made, at = body(), Viewpoint(1.0, 1.5, 1.0, 0.0, 0.0)
    made.begin(GO_TO, BELIEF)
    result, way = None, [at]
    for _ in range(40):
        told = made.next(shows(way[-1]), result)
        if isinstance(told, SkillResult):
            assert told.done
            break
        assert told.target is not None
        way.append(told.target)
        result = moved(told, way[-1])
    assert 4.7 - way[-1].x <= 1.2 + 1e-6
    turned = sum(math.dist(one.position, other.position) < 1e-6 for one, other in pairwise(way))
    assert turned <= 2, "it does not turn to and fro where it sees the thing already"


def test_where_no_way_is_known_it_looks_for_one_between_here_and_the_thing() -> None:
    made = body(slice(15, 46))
    made.begin(GO_TO, BELIEF)
    told = made.next(shows(Viewpoint(1.0, 1.5, 1.0, 0.0, 0.0)), None)
    assert isinstance(told, Command), told
    made = body(slice(15, 46), left=0)
    made.begin(GO_TO, BELIEF)
    told = made.next(shows(Viewpoint(1.0, 1.5, 1.0, 0.0, 0.0)), None)
    assert isinstance(told, SkillResult)
    assert told.failure in (Failure.NO_WAY, Failure.NOT_SEEN)


def test_into_a_room_it_goes_first_on_what_stands_on_floor_seen_there() -> None:
    floor = SimpleNamespace(
        instance_id=1, label="floor", bounds_min=(0.0, 0.0, 0.0), bounds_max=(2.0, 3.0, 0.0), center=(1.0, 1.5, 0.0)
    )
    beyond, inside = (
        SimpleNamespace(
            instance_id=key, label=label, bounds_min=(x, 1, 0), bounds_max=(x + 1, 2, 1), center=(x, 1.5, 0.5)
        )
        for key, label, x in ((2, "table", 2.5), (3, "sofa", 1.0))
    )
    names = ("table_2", "sofa_3", "cup_4")
    facts = SceneFacts(tuple(map(SceneObject, ("hall", *names))), tuple(Fact("in", (name, "hall")) for name in names))
    keys = {"hall": 1, "table_2": 2, "sofa_3": 3, "cup_4": 4}
    made = body(slice(0), floor, beyond, inside)
    spots = made._spots_for(PlannedAction(Verb.PLACE_IN, ("cup_4", "hall")), 1, Belief(facts, keys))
    assert spots[:2] == [("put_on", 3), ("put_on", 2)]
