"""Opening and closing by a handle: the hand takes it and goes with it, and the robot drives along.

As in EXCALIBUR it is enough that the hand is near a handle; how fingers close around it is not modelled. The part is
pulled with a limited force along its joint, and the base drives as its handle moves, so that hand and handle stay
together; meanwhile the robot and this part do not press on each other. Where the base cannot go, the arm goes instead,
or half of the way each; last, the robot stands and pushes or pulls the part alone. What is blocked in all of these ways
is put back, and what was met is told.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import mujoco
import numpy as np

from vantage.spatial import Matrix
from vantage.types import OPEN, Cause, Status
from vantage.worlds.house.bodies import HELD_BIT, HouseModel, MovingPart
from vantage.worlds.house.physics.motions import Outcome
from vantage.worlds.house.physics.simulation import ARM, Simulation
from vantage.worlds.house.physics.stepping import put_in_place
from vantage.worlds.house.robot import arm_of

Stopped = Callable[[], bool]

REACH = 0.12  # m between tool and handle
_FORCE = 60.0  # N at the handle, the most with which it is pulled
_SPEED, _SHORTEST, _EXTRA = 0.35, 0.8, 0.4  # m/s of the handle, s, and s to come to rest
_STIFFNESS = 20.0  # rad/s: of the pull that leads the part along its way
_SHORT = 0.05  # share of the way that may be lacking
_BEHIND = 0.02  # m that the base may lag behind at the end
_PRESSING = 2.0  # N: contacts that press less are not in the way
# Of the way of the handle, out of the front and along it, what the base goes; the arm goes the rest. None: neither.
_SHARES = ((1.0, 1.0), (0.0, 0.0), (1.0, 0.0), (0.5, 0.5), (0.5, 0.0), (0.0, 1.0), (1.0, 0.5), None)
_WHOLE = (1.0, 1.0)
_ARM_BEHIND = 0.06  # m or rad that a joint of the arm may lag behind at the end
_JUMP = 0.2  # m or rad between two set points: more is no way of the arm
_ENTERED = -0.004  # m: so deep no part may be in the robot where it comes to rest


def nearest_part(house: HouseModel, sim: Simulation) -> MovingPart | None:
    """The part whose handle is nearest to the tool and in its reach."""
    sim.refresh()
    tool = sim.T_world_tool()[:3, 3]
    gaps = [(float(np.linalg.norm(_handle(sim, part) - tool)), number) for number, part in enumerate(house.parts)]
    gap, number = min(gaps, default=(math.inf, 0))
    return house.parts[number] if gap <= REACH else None


def turn_handle(house: HouseModel, sim: Simulation, way: str, stopped: Stopped) -> Outcome:
    """Open or close (``way``) the part whose handle is in the hand's reach.

    DONE also where it is so already; COLLIDED, with everything put back, where no handle is near or something is in the
    way; STOPPED where it is then.
    """
    part = nearest_part(house, sim)
    if part is None:
        reason = f"no handle is within {REACH:g} m of the tool; bring the hand to one first"
        return Outcome(Status.COLLIDED, reason, cause=Cause.NO_HANDLE)
    goal = part.high if way == OPEN else part.low
    if abs(sim.part_position(part) - goal) <= _SHORT * (part.high - part.low):
        return Outcome(Status.DONE, "")
    before = sim.snapshot()
    met: dict[int, float] = {}
    for share in _SHARES:
        motion = _Pull(house, sim, part, goal, share)
        status = motion.run(stopped)
        if status is not Status.COLLIDED:
            return Outcome(status, "stopped; clear the stop first" if status is Status.STOPPED else "")
        for instance, force in motion.met.items():
            met[instance] = max(met.get(instance, 0.0), force)
        sim.restore(before)
    instances = tuple(sorted(met, key=lambda instance: -met[instance]))
    labels = {obj.instance_id: obj.label for obj in house.home.objects}
    what = " and ".join(dict.fromkeys("the robot" if i == 0 else f"the {labels[i]}" for i in instances[:2]))
    thing = f"the {labels[part.instance]}"
    if not sim.names:
        what, thing = "something" if what else "", "it"
    told = f"it met {what}" if what else "it needs more force than the hand has"
    return Outcome(Status.COLLIDED, f"could not {way} {thing}: {told}; all is as before", instances)


class _Pull:
    """One try to move a part to the end of its way."""

    def __init__(
        self, house: HouseModel, sim: Simulation, part: MovingPart, goal: float, share: tuple[float, float] | None
    ) -> None:
        self._house, self._sim, self._part, self._goal, self._share = house, sim, part, goal, share
        self._arm = arm_of(sim.robot)
        self._T_base_tool = self._arm.T_base_tool(sim.goals[ARM])
        self._turn = sim.T_world_base()[:3, :3]
        self._out = self._outward()
        self.met: dict[int, float] = {}
        joint = sim.model.joint(part.joint)
        self._dof = int(joint.dofadr[0])
        self._begin = sim.part_position(part)
        self._lever = self._lever_arm()
        self._base, self._at = sim.goals[:2].copy(), _handle(sim, part)
        self._body = int(sim.model.jnt_bodyid[joint.id])
        self._inertia = float(sim.model.dof_M0[self._dof])
        self._geoms = np.flatnonzero((sim.model.geom_bodyid == self._body) & (sim.model.geom_contype != 0))

    def run(self, stopped: Stopped) -> Status:
        sim, model, data = self._sim, self._sim.model, self._sim.data
        length = abs(self._goal - self._begin) * self._lever
        seconds = max(_SHORTEST, length / _SPEED)
        tick = sim.tick
        ticks, extra = max(1, round(seconds / tick)), round(_EXTRA / tick)
        bits = model.geom_contype[self._geoms].copy()
        if self._share is not None:
            model.geom_contype[self._geoms] = HELD_BIT
        try:
            for k in range(1, ticks + extra + 1):
                if stopped():
                    sim.halt()
                    data.qvel[self._dof] = 0.0
                    sim.refresh()
                    return Status.STOPPED
                self._lead(min(k / ticks, 1.0), seconds)
                if not self._follow():
                    return Status.COLLIDED
                sim.steps(sim.interval)
                if k % 10 == 0 or k > ticks:
                    self._look()
        finally:
            data.qfrc_applied[self._dof] = 0.0
            model.geom_contype[self._geoms] = bits
        lagged = self._lags()
        sim.hold()
        sim.advance(tick)
        short = abs(sim.part_position(self._part) - self._goal) > _SHORT * (self._part.high - self._part.low)
        return Status.COLLIDED if short or lagged or self._is_entered() else Status.DONE

    def _follow(self) -> bool:
        """Set base and arm where they go with the handle; whether the arm gets there."""
        if self._share is None:
            return True
        sim = self._sim
        mujoco.mj_kinematics(sim.model, sim.data)
        way = _handle(sim, self._part) - self._at
        out = (way[:2] @ self._out) * self._out
        driven = self._share[0] * out + self._share[1] * (way[:2] - out)
        sim.goals[:2] = self._base + driven
        if self._share != _WHOLE:
            pose = self._T_base_tool.copy()
            pose[:3, 3] += self._turn.T @ (way - [*driven, 0.0])
            q = self._arm.follow(pose, sim.goals[ARM])
            if q is None or np.abs(q - sim.goals[ARM]).max() > _JUMP or self._arm.self_collision(q) is not None:
                return False
            sim.goals[ARM] = q
        sim.hold()
        return True

    def _outward(self) -> Matrix:
        """The level unit vector (2,) out of the front that the handle is on."""
        out = np.array(self._sim.data.site(self._part.handle).xmat[[0, 3]])
        return out / max(float(np.linalg.norm(out)), 1e-9)

    def _lags(self) -> bool:
        """At the end, whether base or arm were kept from where they should be; the base stays where it is."""
        if self._share is None:
            return False
        sim, at = self._sim, self._sim.positions()
        base = float(np.linalg.norm(at[:2] - sim.goals[:2]))
        arm = float(np.abs(at[ARM] - sim.goals[ARM]).max())
        sim.goals[:2] = at[:2]
        return base > _BEHIND or arm > _ARM_BEHIND

    def _is_entered(self) -> bool:
        """Whether the part came to rest in the robot, which it did not press on so far."""
        if self._share is None:
            return False
        sim, data = self._sim, self._sim.data
        put_in_place(sim.model, data)
        pairs = data.contact.geom[: data.ncon]
        own = (self._house.instance_of_geom[pairs] == 0).any(axis=1)
        part = (sim.model.geom_bodyid[pairs] == self._body).any(axis=1)
        deep = bool((data.contact.dist[: data.ncon][own & part] < _ENTERED).any())
        if deep:
            self.met[0] = _FORCE
        return deep

    def _lead(self, share: float, seconds: float) -> None:
        """Pull towards where the part should be after a share of the time, along a way of least jerk."""
        sim, way = self._sim, self._goal - self._begin
        place = self._begin + way * share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
        speed = way * 30.0 * share**2 * (1.0 - share) ** 2 / seconds
        gap = place - sim.part_position(self._part)
        lag = speed - float(sim.data.qvel[self._dof])
        push = self._inertia * (_STIFFNESS**2 * gap + 2.0 * _STIFFNESS * lag)
        push += float(sim.model.dof_damping[self._dof]) * speed
        push += math.copysign(float(sim.model.dof_frictionloss[self._dof]), way)
        most = _FORCE * self._lever
        sim.data.qfrc_applied[self._dof] = min(max(push, -most), most)

    def _lever_arm(self) -> float:
        """m that the handle moves for each rad or m of the joint."""
        if self._part.kind == "slide":
            return 1.0
        sim = self._sim
        joint = sim.model.joint(self._part.joint).id
        axis, anchor = sim.data.xaxis[joint], sim.data.xanchor[joint]
        return max(float(np.linalg.norm(np.cross(axis, _handle(sim, self._part) - anchor))), 0.05)

    def _look(self) -> None:
        """Note what presses against the part or the robot."""
        sim, data, model = self._sim, self._sim.data, self._sim.model
        for instance, force in sim.robot_contacts().items():
            if force > _PRESSING and instance != self._part.instance:
                self.met[instance] = max(self.met.get(instance, 0.0), force)
        bodies = model.geom_bodyid[data.contact.geom[: data.ncon]]
        pressing = np.zeros(6)
        for number in np.flatnonzero((bodies == self._body).any(axis=1)):
            mujoco.mj_contactForce(model, data, int(number), pressing)
            force = float(np.linalg.norm(pressing[:3]))
            other = int(data.contact.geom[number][1 if bodies[number, 0] == self._body else 0])
            instance = int(self._house.instance_of_geom[other])
            if instance in self._house.movable:  # what a drawer carries presses down on it, and is not in the way
                force = self._against(int(number), pressing[:3])
            if force > _PRESSING and instance != self._part.instance:
                self.met[instance] = max(self.met.get(instance, 0.0), force)

    def _against(self, contact: int, pressing: Matrix) -> float:
        """N at the handle with which a contact, whose force (3,) is in its own frame, holds the part back."""
        data, model = self._sim.data, self._sim.model
        joint = model.joint(self._part.joint).id
        push = data.contact.frame[contact].reshape(3, 3).T @ pressing
        if model.geom_bodyid[data.contact.geom[contact, 0]] == self._body:
            push = -push  # that on the second geom is told
        if self._part.kind == "hinge":
            push = np.cross(data.contact.pos[contact] - data.xanchor[joint], push)
        ahead = math.copysign(1.0, self._goal - self._begin)
        return -ahead * float(push @ data.xaxis[joint]) / self._lever


def _handle(sim: Simulation, part: MovingPart) -> Matrix:
    """(3,) m, world frame."""
    return np.array(sim.data.site(part.handle).xpos)
