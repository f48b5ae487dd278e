"""Ways of the arm: straight lines of the tool where there are some, and steps of the hand."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import pytest

from vantage.errors import UnreachableError
from vantage.spatial import Matrix
from vantage.types import ArmStep
from vantage.worlds.house.robot.arm_kinematics import tool_pose
from vantage.worlds.house.robot.arm_paths import ArmPaths
from vantage.worlds.house.robot.description import T_world_base, load_robot

ROBOT = load_robot()
READY = np.array([0.5, 0.0, 0.6, 1.6, 0.0, -0.63, 0.0])
STILL = np.eye(4)


@pytest.fixture(scope="module")
def paths() -> ArmPaths:
    return ArmPaths(ROBOT)


def along(paths: ArmPaths, way: list[Matrix]) -> Matrix:
    """(M, 3): where the tool is on a way, between its postures too."""
    shares = np.linspace(0.0, 1.0, 5)[:-1]
    postures = [a + (b - a) * share for a, b in pairwise(way) for share in shares]
    return np.array([paths.arm.T_base_tool(q)[:3, 3] for q in [*postures, way[-1]]])


@pytest.mark.parametrize(
    ("step", "moved"),
    [
        (ArmStep(forward=0.05), (0.05, 0.0, 0.0)),
        (ArmStep(left=-0.1), (0.0, -0.1, 0.0)),
        (ArmStep(up=0.1), (0.0, 0.0, 0.1)),
        (ArmStep(height=-0.2), (0.0, 0.0, -0.2)),
        (ArmStep(forward=0.1, up=0.05, height=0.1), (0.1, 0.0, 0.15)),
        (ArmStep(roll=0.3), (0.0, 0.0, 0.0)),
    ],
)
def test_a_step_leads_the_tool_straight_there(
    paths: ArmPaths, step: ArmStep, moved: tuple[float, float, float]
) -> None:
    way = paths.find(READY, STILL, step)
    places = along(paths, way)
    np.testing.assert_allclose(places[-1] - places[0], moved, atol=1e-8)
    if step.height == 0.0:
        assert {float(q[0]) for q in way} == {READY[0]}
        wanted = np.array(moved)
        if np.any(wanted):
            direction = wanted / np.linalg.norm(wanted)
            offsets = places - places[0]
            assert np.abs(offsets - np.outer(offsets @ direction, direction)).max() < 5e-4
    before, after = (paths.arm.T_base_tool(q) for q in (way[0], way[-1]))
    np.testing.assert_allclose(after[:3, 0], before[:3, 0], atol=1e-8)
    assert float(np.arccos(np.clip(before[:3, 1] @ after[:3, 1], -1.0, 1.0))) == pytest.approx(step.roll, abs=1e-6)


def test_a_pose_is_gone_to_in_a_straight_line_where_that_is_free(paths: ArmPaths) -> None:
    base = T_world_base(2.0, 1.0, 0.7)
    goal = base @ tool_pose((0.6, 0.1, 0.9), 0.2, 0.3)
    way = paths.find(READY, base, goal)
    np.testing.assert_allclose(base @ paths.arm.T_base_tool(way[-1]), goal, atol=1e-7)
    places = along(paths, way)
    line = places[-1] - places[0]
    offsets = places - places[0]
    assert np.linalg.norm(np.cross(offsets, line), axis=1).max() / np.linalg.norm(line) < 1e-3


def test_every_pose_in_reach_has_a_way_from_home(paths: ArmPaths) -> None:
    rng, home = np.random.default_rng(0), ROBOT.pose("home")
    for _ in range(40):
        place = (rng.uniform(0.45, 0.7), rng.uniform(-0.2, 0.2), rng.uniform(0.2, 1.2))
        goal = tool_pose(place, rng.uniform(-0.5, 0.5), rng.choice([0.0, 0.8, 1.57]))
        way = paths.find(home, STILL, goal)
        np.testing.assert_allclose(way[0], home)
        assert paths.arm.way_violation(way) is None


def test_joints_not_named_stay(paths: ArmPaths) -> None:
    way = paths.find(READY, STILL, {"arm_6": 1.0, "lift": 0.2})
    expected = READY.copy()
    expected[0], expected[6] = 0.2, 1.0
    np.testing.assert_allclose(way[-1], expected)


@pytest.mark.parametrize("goal", [ArmStep(forward=0.05), {"lift": 0.2}, tool_pose((0.6, 0.0, 0.9), 0.0, 0.0)])
def test_a_way_that_was_found_is_remembered(paths: ArmPaths, goal: Mapping[str, float] | Matrix | ArmStep) -> None:
    way = paths.find(READY, STILL, goal)
    assert paths.find(READY.copy(), STILL, goal) is way
    assert paths.find(READY + 0.01, STILL, goal) is not way


def test_a_goal_out_of_reach_is_told_each_time(paths: ArmPaths) -> None:
    for _ in range(2):
        with pytest.raises(UnreachableError, match="does not reach there"):
            paths.find(READY, STILL, ArmStep(forward=3.0))
