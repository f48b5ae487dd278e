"""The robot's bodies in MuJoCo are where its kinematics has them, and its servos hold it."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest
from touch_room import touch_room

from vantage.worlds.house.robot.description import T_world_base, load_robot
from vantage.worlds.house.robot.robot_bodies import (
    CAMERA_SITE,
    FORCE,
    GRIPPER,
    PREFIX,
    ROBOT_BIT,
    SEEN_GROUP,
    TOOL_SITE,
    TOUCHED_GROUP,
)

pytestmark = pytest.mark.needs("house")
ROBOT = load_robot()
START = (0.3, -0.2, 0.7)


@pytest.fixture
def data() -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = touch_room(START).model
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def pose(data: mujoco.MjData, site: str) -> np.ndarray:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = data.site(site).xmat.reshape(3, 3), data.site(site).xpos
    return T


def test_bodies_follow_the_chain(data: tuple[mujoco.MjModel, mujoco.MjData]) -> None:
    model, state = data
    assert [state.joint(name).qpos[0] for name in ("robot/x", "robot/y", "robot/yaw")] == pytest.approx(START)
    rng = np.random.default_rng(0)
    for _ in range(10):
        q = rng.uniform(ROBOT.chain.lower, ROBOT.chain.upper)
        x, y, yaw, pitch = rng.uniform(-0.5, 0.5, 4)
        placed = {"x": x, "y": y, "yaw": yaw, "tilt": pitch, **dict(zip(ROBOT.joint_names, q, strict=True))}
        for name, value in placed.items():
            state.joint(PREFIX + name).qpos = value
        mujoco.mj_forward(model, state)
        base = T_world_base(x, y, yaw)
        np.testing.assert_allclose(pose(state, TOOL_SITE), base @ ROBOT.T_base_tool(q), atol=1e-9)
        np.testing.assert_allclose(pose(state, CAMERA_SITE), base @ ROBOT.T_base_camera(pitch), atol=1e-9)


def test_what_is_touched_and_what_is_seen_are_apart(data: tuple[mujoco.MjModel, mujoco.MjData]) -> None:
    model = data[0]
    own = [g for g in range(model.ngeom) if model.geom(g).name.startswith(PREFIX)]
    assert {int(model.geom_group[g]) for g in own} == {SEEN_GROUP, TOUCHED_GROUP}
    for geom in own:
        touched = model.geom_group[geom] == TOUCHED_GROUP
        assert model.geom_contype[geom] == (ROBOT_BIT if touched else 0)
        assert model.geom_conaffinity[geom] & ROBOT_BIT == 0


def test_masses_are_those_of_the_file(data: tuple[mujoco.MjModel, mujoco.MjData]) -> None:
    model = data[0]
    for link, mass in ROBOT.masses.items():
        assert float(model.body(PREFIX + link).mass[0]) == pytest.approx(mass)


def test_servos_hold_and_the_wrist_feels_the_hand(data: tuple[mujoco.MjModel, mujoco.MjData]) -> None:
    model, state = data
    for name in ("x", "y", "yaw", "tilt", *ROBOT.joint_names):
        state.actuator(PREFIX + name).ctrl = state.joint(PREFIX + name).qpos[0]
    before = state.qpos.copy()
    mujoco.mj_step(model, state, 250)
    np.testing.assert_allclose(state.qpos[:13], before[:13], atol=1e-6)
    weight = 9.81 * sum(ROBOT.masses[link] for link in ("hand_link", "finger_left_link", "finger_right_link"))
    assert float(np.linalg.norm(state.sensor(FORCE).data)) == pytest.approx(weight, rel=1e-3)


def test_the_gripper_closes_and_opens_both_fingers(data: tuple[mujoco.MjModel, mujoco.MjData]) -> None:
    model, state = data
    for name in ("x", "y", "yaw", "tilt", *ROBOT.joint_names):
        state.actuator(PREFIX + name).ctrl = state.joint(PREFIX + name).qpos[0]
    for force, width in ((-3.0, 0.0), (3.0, ROBOT.hand.opening)):
        state.actuator(GRIPPER).ctrl = force
        mujoco.mj_step(model, state, 150)
        fingers = [float(state.joint(f"{PREFIX}finger_{side}").qpos[0]) for side in ("left", "right")]
        assert fingers == pytest.approx([0.5 * width] * 2, abs=2e-3)
