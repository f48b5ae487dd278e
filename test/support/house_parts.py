"""A robot in the room of ``touch_home``, its hand brought to things without a planner."""

from __future__ import annotations

import mujoco
import numpy as np
from touch_home import touch_home

from vantage.config import HouseSettings
from vantage.spatial import rigid
from vantage.types import Status
from vantage.worlds.house import build_house, load_robot
from vantage.worlds.house.physics.hand import Hand
from vantage.worlds.house.physics.motions import move_arm
from vantage.worlds.house.physics.simulation import Simulation


def never() -> bool:
    return False


class Bench:
    """Simulation and hand in a home of bodies without looks."""

    def __init__(self, home=None, **settings) -> None:
        self.robot = load_robot()
        self.house = build_house(home or touch_home(), robot=self.robot, appearance=False)
        self.sim = Simulation(self.house, self.robot)
        self.hand = Hand(self.house, self.sim, HouseSettings(**settings))

    def start(self, x=0.0, y=0.0, yaw=0.0, seed=0) -> None:
        self.sim.reset(x, y, yaw, 0.0)
        self.hand.reset(seed)

    def put_in_hand(self, instance: int, beside: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> None:
        """Let a thing float between the fingers, its middle at the tool or m beside; gravity begins with ``drop``."""
        sim = self.sim
        body = sim.model.body(self.house.movable[instance])
        q, v = int(sim.model.jnt_qposadr[body.jntadr[0]]), int(sim.model.body_dofadr[body.id])
        size = next(obj for obj in self.house.home.objects if obj.instance_id == instance).parts[0].size
        sim.model.opt.gravity[:] = 0.0
        sim.data.qvel[v + 2] = 1e-6  # wakes it
        mujoco.mj_step(sim.model, sim.data)
        sim.data.qvel[v : v + 6] = 0.0
        sim.data.qpos[q : q + 3] = sim.T_world_tool()[:3, 3] + beside - (0.0, 0.0, 0.5 * size[2])
        sim.data.qpos[q + 3 : q + 7] = (1.0, 0.0, 0.0, 0.0)
        mujoco.mj_forward(sim.model, sim.data)

    def drop(self) -> None:
        self.sim.model.opt.gravity[:] = (0.0, 0.0, -9.81)

    def hand_to(self, point, approach) -> None:
        """Bring the tool to a point (3,), m, pointing along ``approach`` (3,)."""
        x = np.asarray(approach, float) / np.linalg.norm(approach)
        y = np.cross((0.0, 0.0, 1.0), x) if abs(x[2]) < 0.9 else np.array([0.0, 1.0, 0.0])
        y /= np.linalg.norm(y)
        pose = rigid(np.column_stack([x, y, np.cross(x, y)]), np.asarray(point, float))
        outcome = move_arm(self.sim, pose, never)
        assert outcome.status is Status.DONE, outcome

    def height(self, instance: int) -> float:
        self.sim.refresh()
        return float(self.sim.data.body(self.house.movable[instance]).xpos[2])
