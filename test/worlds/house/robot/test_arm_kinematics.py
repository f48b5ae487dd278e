"""Where the arm reaches, and that it keeps off the robot."""

from __future__ import annotations

import math

import numpy as np
import pytest

from vantage.errors import UnreachableError
from vantage.worlds.house.robot.arm_kinematics import (
    DOWN,
    FORWARD,
    SLANTED,
    ArmKinematics,
    arm_of,
    reach_table,
    reachable,
    reachable_point,
    tool_pose,
)
from vantage.worlds.house.robot.description import T_world_base, load_robot

ROBOT = load_robot()
DISTANCES = (0.35, 0.45, 0.55, 0.65, 0.75, 0.8)


@pytest.fixture(scope="module")
def arm() -> ArmKinematics:
    return arm_of(ROBOT)


@pytest.mark.parametrize(
    ("direction", "heights", "distances"),
    [
        (FORWARD, (0.05, 0.1, 0.2), DISTANCES[1:]),
        (FORWARD, (0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.7), DISTANCES),
        (DOWN, (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2), DISTANCES),
        (SLANTED, (0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2), DISTANCES),
        (SLANTED, (1.4, 1.5), DISTANCES[1:]),
        (SLANTED, (1.7,), DISTANCES[1:4]),
    ],
)
def test_the_hand_reaches_from_the_floor_to_above_the_head(
    direction: str, heights: tuple[float, ...], distances: tuple[float, ...]
) -> None:
    table = reach_table(ROBOT, heights, distances)[direction]
    assert [place for place, there in table.items() if not there] == []


def test_postures_found_are_right_and_free(arm: ArmKinematics) -> None:
    rng, home = np.random.default_rng(0), ROBOT.pose("home")
    for _ in range(60):
        place = (rng.uniform(0.4, 0.7), rng.uniform(-0.3, 0.3), rng.uniform(0.2, 1.2))
        goal = tool_pose(place, rng.uniform(-0.5, 0.5), rng.uniform(0.0, 1.2))
        q = arm.solve(goal, home)
        np.testing.assert_allclose(ROBOT.T_base_tool(q), goal, atol=1e-7)
        assert (q >= ROBOT.chain.lower).all()
        assert (q <= ROBOT.chain.upper).all()
        assert arm.self_collision(q) is None


def test_named_poses_are_free_and_lead_to_each_other(arm: ArmKinematics) -> None:
    home, carry = ROBOT.pose("home"), ROBOT.pose("carry")
    for lift in (0.15, 0.3, 0.45):
        for pose in (home, carry):
            raised = pose.copy()
            raised[0] = lift
            assert arm.self_collision(raised) is None
    assert len(arm.between(home, carry)) == 2


@pytest.mark.parametrize(
    ("joints", "told"),
    [
        ({"arm_2": -0.45}, "upper arm would meet the robot's own mast"),
        ({"lift": 0.8, "arm_2": 0.0, "arm_3": 0.0}, "upper arm would meet the robot's own head"),
        ({"lift": 0.0, "arm_2": 2.4, "arm_3": 1.2}, "would meet the"),
        ({"arm_2": 0.3, "arm_3": 2.75, "arm_5": 2.0}, "would meet the robot's own"),
    ],
)
def test_what_would_meet_the_robot_is_told(arm: ArmKinematics, joints: dict[str, float], told: str) -> None:
    q = np.array([joints.get(name, value) for name, value in zip(ROBOT.joint_names, ROBOT.pose("home"), strict=True)])
    assert told in str(arm.self_collision(q))


def test_a_way_that_is_barred_goes_by_a_named_pose_or_not_at_all(arm: ArmKinematics) -> None:
    left, right = (np.array([0.5, side, 0.9, 1.2, 0.0, -0.5, 0.0]) for side in (2.0, -2.0))
    way = arm.between(left, right)
    assert arm.way_violation(way) is None
    into_mast = ROBOT.pose("home")
    into_mast[2] = -0.45
    with pytest.raises(UnreachableError, match="on the way there the upper arm would meet"):
        arm.between(ROBOT.pose("home"), into_mast)


def test_reach_depends_on_where_the_base_stands() -> None:
    tool = tool_pose((2.0, 1.0, 0.8), 0.5 * math.pi, 0.0)
    assert reachable(ROBOT, T_world_base(2.0, 0.4, 0.5 * math.pi), tool)
    assert not reachable(ROBOT, T_world_base(2.0, -0.4, 0.5 * math.pi), tool)
    assert not reachable(ROBOT, T_world_base(2.0, 1.6, 0.5 * math.pi), tool)
    assert reachable_point(ROBOT, T_world_base(1.4, 1.0, 0.0), (2.0, 1.0, 0.8)) == FORWARD
    assert reachable_point(ROBOT, T_world_base(1.66, 1.0, 0.0), (2.0, 1.0, 0.06)) == DOWN
    assert reachable_point(ROBOT, T_world_base(1.4, 1.0, 0.0), (2.0, 1.0, 2.4)) is None


def test_targets_that_are_no_poses_are_refused(arm: ArmKinematics) -> None:
    home = ROBOT.pose("home")
    for target in (np.full((4, 4), np.nan), 2.0 * np.eye(4), np.eye(4) * 1e9):
        with pytest.raises(UnreachableError):
            arm.solve(target, home)
