"""Whether drawers, doors, lids and flaps run through their whole ranges, and what they meet on their ways."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import mujoco
import numpy as np

from vantage.worlds.house.bodies import HouseModel, MovingPart

_FORCE = 60.0  # N at the handle
_SPEED = {"hinge": 1.2, "slide": 0.4}  # rad/s, m/s: at most about twice as much in the middle of the way
_LEAST, _HELD = 0.5, 0.2  # s that a way takes, and s that its end is held
_STIFFNESS = 30.0  # rad/s: of the pull that leads the part along its way
_STEPS = 5  # of physics between two set points
_SHORT = 0.05  # share of the range that may be lacking
_PRESSING = 2.0  # N
_TOUCHING = 0.01  # m between what touches


@dataclass(frozen=True)
class JointRun:
    """How far a part came, driven slowly to both ends.

    Attributes:
        lowest, highest: m or rad.
        met: instance ids of what pressed against it where it did not come to an end.
        cleared: instance ids of what had to be taken away first.
    """

    part: MovingPart
    lowest: float
    highest: float
    met: tuple[int, ...]
    cleared: tuple[int, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether it ran through its whole range."""
        short = _SHORT * (self.part.high - self.part.low)
        return self.lowest <= self.part.low + short and self.highest >= self.part.high - short


def run_part(house: HouseModel, part: MovingPart) -> JointRun:
    """Open and close one part of a home in which nothing has moved; see ``run_joint``."""
    return run_joint(house, mujoco.MjData(house.model), part)


def carried_by(house: HouseModel, part: MovingPart) -> tuple[int, ...]:
    """Instance ids of what can be picked up and touches a part of a home in which nothing has moved."""
    model, data = house.model, mujoco.MjData(house.model)
    mujoco.mj_kinematics(model, data)
    solid = model.geom_contype != 0
    own = np.flatnonzero(solid & (model.geom_bodyid == model.jnt_bodyid[model.joint(part.joint).id]))
    line, found = np.zeros(6), []
    for instance in house.movable:
        others = np.flatnonzero(solid & (house.instance_of_geom == instance))
        gaps = (mujoco.mj_geomDistance(model, data, int(a), int(b), _TOUCHING, line) for a in own for b in others)
        if instance != part.instance and any(gap < _TOUCHING for gap in gaps):
            found.append(instance)
    return tuple(found)


def run_joint(house: HouseModel, data: mujoco.MjData, part: MovingPart) -> JointRun:
    """Open and close a part of a home in which nothing has moved; ``data`` is reset before.

    Where it is in the way of something that can be picked up, this is taken away and the part is run again.
    """
    away: tuple[int, ...] = ()
    while True:
        run = _run(house, data, part, away)
        more = tuple(instance for instance in run.met if instance in house.movable and instance not in away)
        if run.complete or not more:
            return run
        away += more


def _run(house: HouseModel, data: mujoco.MjData, part: MovingPart, away: tuple[int, ...]) -> JointRun:
    with _without(house, away):
        mujoco.mj_resetData(house.model, data)
        mujoco.mj_forward(house.model, data)
        place = int(house.model.jnt_qposadr[house.model.joint(part.joint).id])
        met: dict[int, float] = {}
        ends = [float(data.qpos[place])]
        short = _SHORT * (part.high - part.low)
        for goal in (part.high, part.low):
            ends.append(_drive(house, data, part, goal))
            if not abs(ends[-1] - goal) <= short:
                met |= pressing(house, data, part)
    order = tuple(sorted(met, key=lambda instance: -met[instance]))
    return JointRun(part, min(ends), max(ends), order, away)


@contextmanager
def _without(house: HouseModel, instances: tuple[int, ...]) -> Iterator[None]:
    """Let nothing touch some things for a while."""
    model, geoms = house.model, np.isin(house.instance_of_geom, instances)
    before = model.geom_contype.copy(), model.geom_conaffinity.copy()
    model.geom_contype[geoms] = model.geom_conaffinity[geoms] = 0
    try:
        yield
    finally:
        model.geom_contype[:], model.geom_conaffinity[:] = before


def _drive(house: HouseModel, data: mujoco.MjData, part: MovingPart, goal: float) -> float:
    """Pull a part to a place along a way of least jerk; returns where it is then."""
    model = house.model
    joint = model.joint(part.joint).id
    place, dof = int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
    begin = float(data.qpos[place])
    way = goal - begin
    seconds = max(_LEAST, abs(way) / _SPEED[part.kind])
    lever = max(_lever(model, data, part), 0.05)
    inertia, damping, friction = (
        float(values[dof]) for values in (model.dof_M0, model.dof_damping, model.dof_frictionloss)
    )
    count = math.ceil((seconds + _HELD) / model.opt.timestep / _STEPS)
    for number in range(count):
        share = min(1.0, (number + 1) * _STEPS * model.opt.timestep / seconds)
        at = begin + way * share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
        speed = way * 30.0 * share**2 * (1.0 - share) ** 2 / seconds
        gap, lag = at - float(data.qpos[place]), speed - float(data.qvel[dof])
        push = inertia * (_STIFFNESS**2 * gap + 2.0 * _STIFFNESS * lag) + damping * speed
        push += math.copysign(friction, way)
        data.qfrc_applied[dof] = min(max(push, -_FORCE * lever), _FORCE * lever)
        mujoco.mj_step(model, data, _STEPS)
    data.qfrc_applied[dof] = 0.0
    return float(data.qpos[place])


def _lever(model: mujoco.MjModel, data: mujoco.MjData, part: MovingPart) -> float:
    """m that the handle moves for each m or rad of the joint."""
    if part.kind == "slide":
        return 1.0
    joint = model.joint(part.joint).id
    arm = data.site(part.handle).xpos - data.xanchor[joint]
    return float(np.linalg.norm(np.cross(data.xaxis[joint], arm)))


def pressing(house: HouseModel, data: mujoco.MjData, part: MovingPart) -> dict[int, float]:
    """What presses against a part, by instance id, N; what it carries as well."""
    model = house.model
    body = int(model.jnt_bodyid[model.joint(part.joint).id])
    found: dict[int, float] = {}
    wrench = np.zeros(6)
    for number in range(data.ncon):
        geoms = data.contact.geom[number]
        bodies = model.geom_bodyid[geoms]
        if body not in bodies:
            continue
        mujoco.mj_contactForce(model, data, number, wrench)
        other = int(house.instance_of_geom[geoms[1 if bodies[0] == body else 0]])
        if wrench[0] > _PRESSING and other != part.instance:
            found[other] = max(found.get(other, 0.0), float(wrench[0]))
    return found
