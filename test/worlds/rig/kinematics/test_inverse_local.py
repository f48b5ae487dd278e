"""Inverse kinematics from a posture close by."""

from __future__ import annotations

import numpy as np
import pytest
from chains import arm as six_hinges

from vantage.worlds.rig.kinematics import JointSteps, LocalSolver
from vantage.worlds.rig.kinematics.chain import Chain


@pytest.fixture(scope="module")
def chain() -> Chain:
    return six_hinges()


@pytest.fixture(scope="module")
def solver(chain: Chain) -> LocalSolver:
    return LocalSolver(chain)


def test_the_tool_is_where_the_chain_has_it(chain: Chain, solver: LocalSolver) -> None:
    rng = np.random.default_rng(0)
    for _ in range(20):
        q = rng.uniform(chain.lower, chain.upper)
        np.testing.assert_allclose(solver.T_world_tool(q), chain.T_world_camera(q), atol=1e-12)
        steps = JointSteps(chain.joints).at(q)
        for joint, position, step in zip(chain.joints, q, steps, strict=True):
            np.testing.assert_allclose(step, joint.T_parent_joint @ joint.motion(float(position)), atol=1e-12)


def test_poses_close_by_are_reached(chain: Chain, solver: LocalSolver) -> None:
    rng, found = np.random.default_rng(1), 0
    for _ in range(200):
        near = rng.uniform(0.8 * chain.lower, 0.8 * chain.upper)
        goal = chain.T_world_camera(np.clip(near + rng.normal(0.0, 0.1, chain.size), chain.lower, chain.upper))
        q = solver.solve(goal, near)
        if q is not None:
            found += 1
            np.testing.assert_allclose(chain.T_world_camera(q), goal, atol=1e-8)
            assert (q >= chain.lower).all()
            assert (q <= chain.upper).all()
    assert found >= 195


def test_joints_that_are_held_stay(chain: Chain, solver: LocalSolver) -> None:
    near = 0.3 * chain.upper
    moved = near.copy()
    moved[1] += 0.05
    q = solver.solve(chain.T_world_camera(moved), near, held=(0,))
    assert q is not None
    assert q[0] == near[0]
    assert solver.solve(chain.T_world_camera(moved), near, held=range(chain.size)) is None


def test_what_is_far_away_is_not_reached(chain: Chain, solver: LocalSolver) -> None:
    goal = np.eye(4)
    goal[0, 3] = 100.0
    assert solver.solve(goal, np.zeros(chain.size)) is None
    assert solver.solve(np.full((4, 4), np.nan), np.zeros(chain.size)) is None
