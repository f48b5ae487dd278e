"""What is left out of collision detection could not have touched anything."""

from __future__ import annotations

import numpy as np
import pytest
from touch_room import touch_simulation

from vantage.spatial import Viewpoint
from vantage.types import ArmStep, Status
from vantage.worlds.house.physics.collision_scope import CollisionScope
from vantage.worlds.house.physics.motions import move_arm, move_base
from vantage.worlds.house.physics.simulation import Simulation
from vantage.worlds.house.robot.arm_kinematics import tool_pose

pytestmark = pytest.mark.needs("house")


def active(sim: Simulation) -> set[str]:
    on = (sim.model.body_contype | sim.model.body_conaffinity) != 0
    return {sim.model.body(int(b)).name for b in np.flatnonzero(on)} - {"world"}


def test_far_from_everything_nothing_is_looked_at() -> None:
    sim = touch_simulation()
    sim.advance(2.0)
    assert active(sim) == set()
    sim.reset(0.0, 0.65, 0.0, 0.0)
    sim.advance(0.02)
    assert {"object/ball", "robot/base_link"} <= active(sim)


def test_motions_end_alike_with_and_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def play() -> tuple[list[Status], np.ndarray]:
        sim = touch_simulation()
        sim.advance(0.5)
        outcomes = [
            move_base(sim, Viewpoint(0.0, 0.8, 1.4, 1.5, -0.3)),
            move_base(sim, Viewpoint(0.0, -1.5, 1.4, 1.5, -0.3)),
            move_base(sim, Viewpoint(1.0, 0.0, 1.4, 0.0, -0.3)),
            move_arm(sim, tool_pose((1.4, 0.0, 0.95), 0.0, 1.2)),
            move_arm(sim, tool_pose((1.65, 0.0, 0.9), 0.0, 1.2)),
            move_arm(sim, ArmStep(up=-0.2)),
            move_base(sim, Viewpoint(1.5, 0.0, 1.4, 0.0, -0.3)),
        ]
        sim.advance(0.5)
        return [outcome.status for outcome in outcomes], sim.data.qpos.copy()

    statuses, positions = play()
    assert set(statuses) == {Status.DONE, Status.COLLIDED}
    monkeypatch.setattr(CollisionScope, "update", CollisionScope.everything)
    all_statuses, all_positions = play()
    assert statuses == all_statuses
    np.testing.assert_allclose(positions, all_positions, atol=1e-4)
