"""A bare room to touch: a floor, a table, a heavy box and a light ball, with the robot in it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import mujoco
import numpy as np

from vantage.worlds.house.bodies.house_model import HouseModel
from vantage.worlds.house.physics.simulation import Simulation
from vantage.worlds.house.robot.description import load_robot
from vantage.worlds.house.robot.robot_bodies import add_robot

FLOOR, TABLE, CRATE, BALL = 1, 2, 3, 4
LABELS = {FLOOR: "floor", TABLE: "table", CRATE: "crate", BALL: "ball"}
TABLE_TOP = 0.72  # m
_GEOM = mujoco.mjtGeom


def touch_room(start: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> HouseModel:
    """The table stands from x = 1.5 on, the crate of 40 kg at y = -1.5, the ball of 0.2 kg lies at y = 1."""
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    spec.option.timestep = 0.004
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    spec.option.impratio, spec.option.noslip_iterations = 10.0, 3
    spec.option.enableflags |= mujoco.mjtEnableBit.mjENBL_SLEEP
    add_robot(spec, load_robot(), start)
    world = spec.worldbody
    world.add_geom(name="floor", type=_GEOM.mjGEOM_PLANE, size=[5, 5, 0.1])
    world.add_geom(name="top", type=_GEOM.mjGEOM_BOX, size=[0.5, 0.6, 0.015], pos=[2.0, 0, TABLE_TOP - 0.015])
    world.add_geom(name="leg", type=_GEOM.mjGEOM_BOX, size=[0.05, 0.05, 0.35], pos=[1.7, 0, 0.35])
    for name, kind, size, pos, mass in (
        ("crate", _GEOM.mjGEOM_BOX, [0.2, 0.2, 0.2], [0.0, -1.5, 0.2], 40.0),
        ("ball", _GEOM.mjGEOM_SPHERE, [0.08, 0, 0], [0.0, 1.0, 0.08], 0.2),
    ):
        body = world.add_body(name=f"object/{name}", pos=pos)
        body.add_freejoint(name=f"free/{name}")
        body.add_geom(name=name, type=kind, size=size, mass=mass)
    model = spec.compile()
    ids = np.zeros(model.ngeom, np.int32)
    names = {"floor": FLOOR, "top": TABLE, "leg": TABLE, "crate": CRATE, "ball": BALL}
    for name, instance in names.items():
        ids[model.geom(name).id] = instance
    home = SimpleNamespace(objects=[SimpleNamespace(instance_id=i, label=label) for i, label in LABELS.items()])
    return HouseModel(cast(Any, home), model, (), {CRATE: "object/crate", BALL: "object/ball"}, ids, ids)


def touch_simulation() -> Simulation:
    return Simulation(touch_room(), load_robot())
