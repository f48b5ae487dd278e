"""What the hand holds things with in the model: a ball that it reaches with, and a weld that ties one thing to it."""

from __future__ import annotations

import mujoco
import numpy as np

from vantage.worlds.house.robot import HAND_LINK, PREFIX, SITE_GROUP, RobotDescription

REACH = "robot/reach"
WELD = "robot/grasp"
REACH_RADIUS = 0.06  # m around the tool, as of the hand of ManipulaTHOR
HELD_BIT = 4  # contype of what the hand has: it meets the world, but not the robot
_STIFFNESS = (0.008, 1.0)


def add_grasp(spec: mujoco.MjSpec, robot: RobotDescription) -> None:
    """Add both; the weld ties nothing until ``tie``."""
    hand = f"{PREFIX}{HAND_LINK}"
    spec.body(hand).add_geom(
        name=REACH,
        type=mujoco.mjtGeom.mjGEOM_SPHERE,
        size=[REACH_RADIUS, 0.0, 0.0],
        pos=[robot.hand.tool, 0.0, 0.0],
        group=SITE_GROUP,
        contype=0,
        conaffinity=0,
        mass=0.0,
        rgba=[0.0, 0.0, 0.0, 0.0],
    )
    spec.add_equality(
        name=WELD,
        type=mujoco.mjtEq.mjEQ_WELD,
        objtype=mujoco.mjtObj.mjOBJ_BODY,
        name1=hand,
        name2="world",
        active=False,
        solref=list(_STIFFNESS),
    )


def tie(model: mujoco.MjModel, data: mujoco.MjData, body: int) -> None:
    """Weld a body to the hand as it lies there."""
    weld = model.equality(WELD).id
    hand = int(model.eq_obj1id[weld])
    turned = data.xmat[hand].reshape(3, 3).T
    back, relative = np.zeros(4), np.zeros(4)
    mujoco.mju_negQuat(back, data.xquat[hand])
    mujoco.mju_mulQuat(relative, back, data.xquat[body])
    model.eq_obj2id[weld] = body
    model.eq_data[weld, :3] = 0.0
    model.eq_data[weld, 3:6] = turned @ (data.xpos[body] - data.xpos[hand])
    model.eq_data[weld, 6:10] = relative
    model.eq_data[weld, 10] = 1.0
    data.eq_active[weld] = 1


def untie(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Let go of what is welded, if anything is, and wake it: what sleeps would stay in the air."""
    weld = model.equality(WELD).id
    if data.eq_active[weld]:
        data.eq_active[weld] = 0
        data.qvel[model.body_dofadr[int(model.eq_obj2id[weld])] + 2] -= 1e-3


def tension(model: mujoco.MjModel, data: mujoco.MjData, weld: int) -> float | None:
    """Force (N) that the weld holds with; None while nothing is tied, or all sleeps."""
    if not data.eq_active[weld]:
        return None
    rows = np.flatnonzero((data.efc_id[: data.nefc] == weld) & (data.efc_type[: data.nefc] == _EQUALITY))
    return float(np.linalg.norm(data.efc_force[rows[:3]])) if len(rows) >= 3 else None


_EQUALITY = int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)
