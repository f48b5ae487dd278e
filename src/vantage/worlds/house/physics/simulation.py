"""The physics of one home with the robot in it: time, set points, snapshots and what touches what.

The same calls give the same bytes of state. Time passes in ``advance`` alone, a few steps at a time; between them
``watchers`` may act, for instance to let go of what is too heavy.
"""

from __future__ import annotations

import copy
import math
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import mujoco
import numpy as np
from numpy.typing import NDArray

from vantage.errors import UnreachableError
from vantage.spatial import Matrix, Viewpoint, wrap_angle
from vantage.types import Link, Posture
from vantage.worlds.house.bodies import HouseModel, MovingPart
from vantage.worlds.house.physics.collision_scope import CollisionScope
from vantage.worlds.house.physics.mujoco_log import log_warnings
from vantage.worlds.house.physics.stepping import PhysicsError, begin_anew, put_in_place, take_steps, tie_as, tied
from vantage.worlds.house.robot import (
    BASE_JOINTS,
    BASE_LINK,
    HAND_LINK,
    HEAD_LINK,
    HOME,
    PREFIX,
    TOOL_LINK,
    WORLD_FRAME,
    ArmPaths,
    Goal,
    RobotDescription,
    T_world_base,
)
from vantage.worlds.rig.kinematics import JointSteps, LocalSolver, transform

CAMERA_LINK = "camera_link"
ARM = slice(4, 11)  # of the set points: the chain's joints
_TICK = 0.016  # s, the most between two looks: of set points, of a stop, of contacts and of watchers

_STATE = mujoco.mjtState.mjSTATE_INTEGRATION
_FASTEST = 200.0  # m/s or rad/s: nothing in a home moves like this
_UNLIMITED, _SLACK = 100.0, 1.02  # m or rad from which on a limit is none; by which a way may be longer, as measured
_DEEPEST = -1.0  # m: nothing in a home is so far below the floor
_BUMP, _PRESS = 25.0, 30.0  # N with which base and mast, or arm and hand, may touch something in passing
_WARNINGS = (
    mujoco.mjtWarning.mjWARN_BADQPOS,
    mujoco.mjtWarning.mjWARN_BADQVEL,
    mujoco.mjtWarning.mjWARN_BADQACC,
    mujoco.mjtWarning.mjWARN_BADCTRL,
    mujoco.mjtWarning.mjWARN_INERTIA,
)
_NO_WARNINGS = bytes(4 * int(mujoco.mjtWarning.mjNWARNING))


class Keeper(Protocol):
    """Has a state of its own that goes into snapshots."""

    def begin(self) -> None:
        """Be as at the beginning; the data is so already, but no contact has been looked for."""

    def kept(self) -> object:
        """The state."""

    def keep(self, state: Any) -> None:
        """Be in a state of ``kept`` again."""


@dataclass(frozen=True, eq=False)
class Snapshot:
    """All of a simulation at one moment: MuJoCo's data with what sleeps and what touches, set points, what is held."""

    data: mujoco.MjData
    goals: Matrix
    held: int | None
    ties: tuple[NDArray[Any], ...]
    kept: tuple[object, ...]

    def tobytes(self) -> bytes:
        """Equal for equal states."""
        data = self.data
        state = np.empty(mujoco.mj_stateSize(data.model, _STATE))
        mujoco.mj_getState(data.model, data, state, _STATE)
        arrays = (state, data.tree_asleep, data.xpos, data.contact.geom, data.efc_force, self.goals, *self.ties)
        return b"".join([*(array.tobytes() for array in arrays), repr((self.held, self.kept)).encode()])


class Simulation:
    """One home and the robot, for one thread at a time.

    Attributes:
        house: with the robot in its model.
        model, data: of MuJoCo. Poses of bodies in ``data`` are those of the moment after every method.
        goals: (11,) set points of x, y, yaw (counted on beyond pi), tilt and the chain's joints: where the robot was
            last told to be.
        held: instance that the hand holds, or None; set by the hand. It counts as part of the robot where contacts are
            concerned.
        names: whether words tell what was met, and not only that something was.
        laden: how many times slower, and with how many times less acceleration, the robot moves with something in the
            hand; set by the hand.
        watchers: called after every few steps of time.
        keepers: whose states go into snapshots, too.
    """

    def __init__(
        self, house: HouseModel, robot: RobotDescription, hand_limits: tuple[float, float] = (math.inf, math.inf)
    ) -> None:
        """
        Args:
            hand_limits: m and rad that one command may move and turn the hand relative to the base.

        Raises:
            KeyError: the robot is not in the model.
        """
        log_warnings()
        self.house, self.robot = house, robot
        self._hand_limits = hand_limits
        self.model = house.model
        self.data = mujoco.MjData(self.model)
        self.held: int | None = None
        self.names = True
        self.laden = 2.0, 4.0
        self.keepers: list[Keeper] = []
        self._spare: list[mujoco.MjData] = []
        self._warned: NDArray[np.int32] = self.data.warning.number  # follows the data
        self.watchers: list[Callable[[], None]] = []
        model = self.model
        names = [*BASE_JOINTS, *(f"{PREFIX}{joint.name}" for joint in (robot.tilt, *robot.chain.joints))]
        joints = [model.joint(name).id for name in names]
        self._positions = np.array([model.jnt_qposadr[j] for j in joints])
        self._speeds = np.array([model.jnt_dofadr[j] for j in joints])
        self._servos = np.array([model.actuator(name).id for name in names])
        self._fingers = np.array(
            [model.jnt_qposadr[model.joint(f"{PREFIX}{joint.name}").id] for joint in robot.finger_joints]
        )
        gain, damping = model.actuator_gainprm[self._servos, 0], -model.actuator_biasprm[self._servos, 2]
        self._lead = damping / gain  # s that a servo's position lags behind its set point at constant speed
        self._heft = 0.25 * self._lead**2  # s^2: inertia over gain, of critically damped servos
        base = model.body(f"{PREFIX}{BASE_LINK}").id
        self._own_bodies = model.body_rootid == base
        self._own_dofs = np.flatnonzero(self._own_bodies[model.dof_bodyid])
        self._own_geoms = self._own_bodies[model.geom_bodyid]
        self._base_geoms = model.geom_bodyid == base
        self._instances = np.asarray(house.instance_of_geom)
        self._names = {thing.instance_id: f"the {thing.label} ({thing.instance_id})" for thing in house.home.objects}
        self._chain = LocalSolver(robot.chain)
        self._paths = ArmPaths(robot)
        moving = (robot.tilt, *robot.chain.joints, *robot.finger_joints)
        parents = [BASE_LINK, BASE_LINK, *(joint.link for joint in robot.chain.joints[:-1]), HAND_LINK, HAND_LINK]
        self._steps = JointSteps(moving)
        self._links = [(parent, joint.link) for parent, joint in zip(parents, moving, strict=True)]
        T_hand_tool = transform((robot.hand.tool, 0.0, 0.0), 0.0, 0.0, 0.0)
        self._fixed_links = (
            Link(HEAD_LINK, CAMERA_LINK, np.eye(4)),
            Link(robot.chain.joints[-1].link, HAND_LINK, robot.hand.T_last_hand),
            Link(HAND_LINK, TOOL_LINK, T_hand_tool),
        )
        self._movable = np.array([model.body(name).id for name in house.movable.values()], np.intp)
        self._scope = CollisionScope(model, self.data, self._own_bodies, base)
        self.goals: Matrix = np.zeros(len(names))
        self.reset(0.0, 0.0, 0.0, 0.0)

    # Time -----------------------------------------------------------------------------------------------------------

    def reset(self, x: float, y: float, yaw: float, pitch: float) -> None:
        """Everything as the home has it, the base at (x, y), m, heading ``yaw``, the head at ``pitch``, rad, the arm
        at home with open fingers.

        Raises:
            PhysicsError: things cannot be put where the home has them.
        """
        self._scope.everything()  # what touches sleeps together, and so wakes together
        begin_anew(self.model, self.data)
        self.held = None
        self.goals = np.concatenate([[x, y, yaw, pitch], self.robot.pose(HOME)])
        self.data.qpos[self._positions] = self.goals
        self.data.qpos[self._fingers] = 0.5 * self.robot.hand.opening
        self.hold()
        for keeper in self.keepers:
            keeper.begin()
        put_in_place(self.model, self.data)

    @property
    def time(self) -> float:
        """s since the reset."""
        return float(self.data.time)

    @property
    def interval(self) -> int:
        """Physics steps between two looks, which take no more than 16 ms."""
        return max(1, int(_TICK / self.model.opt.timestep + 1e-9))

    @property
    def tick(self) -> float:
        """s between two looks."""
        return self.interval * float(self.model.opt.timestep)

    def advance(self, seconds: float) -> None:
        """Let time pass while the robot holds its set points."""
        left, interval = round(seconds / self.model.opt.timestep), self.interval
        self.hold()
        while left > 0:
            self.steps(min(left, interval))
            left -= interval
        self.refresh()

    def steps(self, count: int) -> None:
        """``count`` physics steps with the controls as they are, then the watchers. ``refresh`` has to follow.

        Raises:
            PhysicsError: the physics broke down; the state is of no use until a reset or ``restore``.
        """
        self._scope.update()
        begun = self.time
        take_steps(self.model, self.data, count)
        if self._warned.tobytes() != _NO_WARNINGS:
            fault = self._fault()
            if fault is not None:
                raise PhysicsError(_told(fault, begun))
        for watcher in self.watchers:
            watcher()

    def refresh(self) -> None:
        """Bring the poses of bodies, which lag one step behind after a step, up to the joints' positions."""
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_camlight(self.model, self.data)

    # The robot ------------------------------------------------------------------------------------------------------

    def positions(self) -> Matrix:
        """(11,): x, y, yaw, tilt and the chain's joints as they are, in the order of ``goals``."""
        return np.array(self.data.qpos[self._positions])

    def velocities(self) -> Matrix:
        """(11,) m/s and rad/s."""
        return np.array(self.data.qvel[self._speeds])

    def controls(self, positions: Matrix, velocities: Matrix, accelerations: Matrix) -> Matrix:
        """What makes the joints follow moving set points without lagging behind; all (T, 11)."""
        return np.asarray(positions + self._lead * velocities + self._heft * accelerations)

    def steer(self, controls: Matrix) -> None:
        """Set the servos of the joints (11,)."""
        self.data.ctrl[self._servos] = controls

    def hold(self) -> None:
        """Set the servos to the set points."""
        self.data.ctrl[self._servos] = self.goals

    def halt(self) -> None:
        """Brake: all of the robot stands still at once, and where it is becomes its set point."""
        self.data.qvel[self._own_dofs] = 0.0
        self.goals = self.positions()
        self.hold()

    def arm_way(self, goal: Goal) -> list[Matrix]:
        """Postures (N,) of the chain from where it was last told to be to a goal; the first is where it is told to be.

        Raises:
            UnreachableError: there is no way, or a longer one than one command may take; says why.
        """
        way = self._paths.find(self.goals[ARM], T_world_base(*self.goals[:3]), goal)
        most, largest = self._hand_limits
        if most < _UNLIMITED or largest < _UNLIMITED:
            moved, turned = self._paths.travel(way)
            if moved > _SLACK * most or turned > _SLACK * largest:
                raise UnreachableError(
                    f"a way of the hand of {moved:.3f} m with a turn of {turned:.3f} rad exceeds the limits of "
                    f"{most:.3f} m and {largest:.3f} rad per command; go there in several"
                )
        return way

    def settle(self, indices: NDArray[np.intp], most: float) -> None:
        """Put joints (of the (11,)) that are within ``most`` of their set points exactly there, at rest."""
        addresses = self._positions[indices]
        if np.all(np.abs(self.data.qpos[addresses] - self.goals[indices]) <= most):
            self.data.qpos[addresses] = self.goals[indices]
            self.data.qvel[self._speeds[indices]] = 0.0

    def base_pose(self) -> tuple[float, float, float]:
        """x, y, m, and yaw, rad in (-pi, pi], of the base."""
        x, y, yaw = (float(value) for value in self.data.qpos[self._positions[:3]])
        return x, y, wrap_angle(yaw)

    def T_world_base(self) -> Matrix:
        """(4, 4)."""
        return T_world_base(*self.base_pose())

    def viewpoint(self) -> Viewpoint:
        """Of the camera."""
        return self.robot.viewpoint(*self.base_pose(), float(self.data.qpos[self._positions[3]]))

    def T_world_tool(self) -> Matrix:
        """(4, 4): between the fingertips, x from the wrist to what is grasped."""
        return np.asarray(self.T_world_base() @ self._chain.T_world_tool(self.data.qpos[self._positions[4:]]))

    def gripper_width(self) -> float:
        """m between the fingers."""
        return float(self.data.qpos[self._fingers].sum())

    def joint_positions(self) -> dict[str, float]:
        """Positions by name, m or rad, of tilt, lift, arm and fingers, as the URDF names them."""
        names = (self.robot.tilt.name, *self.robot.joint_names)
        values = dict(zip(names, self.data.qpos[self._positions[3:]].tolist(), strict=True))
        fingers = (joint.name for joint in self.robot.finger_joints)
        return values | dict(zip(fingers, self.data.qpos[self._fingers].tolist(), strict=True))

    def posture(self) -> Posture:
        """Joints and links from the world frame by base and head to the camera, and by the arm to tool and fingers."""
        values = self.joint_positions()
        steps = self._steps.at(np.array(list(values.values())))
        links = [Link(parent, child, step) for (parent, child), step in zip(self._links, steps, strict=True)]
        links[-2:-2] = self._fixed_links  # before the fingers, which hang on one of them
        return Posture(values, (Link(WORLD_FRAME, BASE_LINK, self.T_world_base()), *links))

    # What else there is ---------------------------------------------------------------------------------------------

    def part_position(self, part: MovingPart) -> float:
        """Of a drawer, door, lid or flap: rad or m, as in the specification."""
        return float(self.data.joint(part.joint).qpos[0])

    def thing_poses(self) -> dict[int, Matrix]:
        """T_world_object (4, 4) of all that can be picked up, by instance id; arrays of their own."""
        found = np.tile(np.eye(4), (len(self._movable), 1, 1))
        found[:, :3, :3] = self.data.xmat[self._movable].reshape(-1, 3, 3)
        found[:, :3, 3] = self.data.xpos[self._movable]
        return dict(zip(self.house.movable, found, strict=True))

    def robot_contacts(self) -> dict[int, float]:
        """The greatest force, N, of any contact of the robot, or of what it holds, with each other instance."""
        return {instance: max(forces) for instance, forces in self._contact_forces().items()}

    def pressing(self) -> dict[int, float]:
        """The instances that the robot presses on harder than it may in passing, and the forces, N."""
        found = self._contact_forces()
        return {i: max(by_base, by_arm) for i, (by_base, by_arm) in found.items() if by_base > _BUMP or by_arm > _PRESS}

    def _contact_forces(self) -> dict[int, list[float]]:
        """By instance: the greatest force, N, at base, mast and head, and that at arm, hand and what it holds."""
        data = self.data
        found: dict[int, list[float]] = {}
        if data.ncon == 0:
            return found
        pairs = data.contact.geom[: data.ncon]
        instances = self._instances[pairs]
        own = self._own_geoms[pairs]
        if self.held is not None:
            own = own | (instances == self.held)
        force = np.zeros(6)
        for k in np.flatnonzero(own[:, 0] != own[:, 1]):
            mine, its = (0, 1) if own[k, 0] else (1, 0)
            other = int(instances[k, its])
            if other != 0:
                mujoco.mj_contactForce(self.model, data, k, force)
                forces = found.setdefault(other, [0.0, 0.0])
                which = 0 if self._base_geoms[pairs[k, mine]] else 1
                forces[which] = max(forces[which], math.sqrt(force[0] ** 2 + force[1] ** 2 + force[2] ** 2))
        return found

    def told(self, instances: Sequence[int]) -> str:
        """What was met, in words; empty for nothing."""
        if self.names or not instances:
            return " and ".join(self.name_of(instance) for instance in instances)
        return "something"

    def name_of(self, instance: int) -> str:
        """An instance in words."""
        return self._names.get(instance, f"instance {instance}")

    def broken(self) -> str | None:
        """What shows that the physics has gone wrong, in one sentence, or None."""
        fault = self._fault()
        return None if fault is None else _told(fault, self.time)

    def _fault(self) -> str | None:
        data = self.data
        for kind in _WARNINGS:
            if self._warned[kind]:
                return str(mujoco.mju_warningText(kind, 0)).rstrip(".")
        if not (np.isfinite(data.qpos).all() and np.isfinite(data.qvel).all()):
            return "a position or a speed is not a number"
        fastest = int(np.argmax(np.abs(data.qvel))) if self.model.nv else 0
        if abs(data.qvel[fastest]) > _FASTEST:
            body = self.model.body(int(self.model.dof_bodyid[fastest])).name
            return f"'{body}' moves at {data.qvel[fastest]:.0f} m/s or rad/s"
        fallen = np.flatnonzero(data.xpos[self._movable, 2] < _DEEPEST)
        if len(fallen):
            return f"{self.name_of(list(self.house.movable)[int(fallen[0])])} fell through the floor"
        return None

    # Snapshots ------------------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """All that decides what comes next."""
        data = self._spare.pop() if self._spare else copy.copy(self.data)
        mujoco.mj_copyData(data, self.model, self.data)
        kept = tuple(keeper.kept() for keeper in self.keepers)
        found = Snapshot(data, self.goals.copy(), self.held, tied(self.model), kept)
        weakref.finalize(found, self._spare.append, data).atexit = False
        return found

    def restore(self, snapshot: Snapshot) -> None:
        """Everything exactly as it was at a snapshot of this simulation."""
        mujoco.mj_copyData(self.data, self.model, snapshot.data)
        tie_as(self.model, snapshot.ties)
        self.goals, self.held = snapshot.goals.copy(), snapshot.held
        for keeper, kept in zip(self.keepers, snapshot.kept, strict=True):
            keeper.keep(kept)


def _told(fault: str, seconds: float) -> str:
    return f"the physics broke down at {seconds:.3f} s: {fault}"
