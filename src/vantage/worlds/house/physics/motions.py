"""Motions of the robot: base and head to a viewpoint, lift and arm to joint positions, to a pose or by a step.

Set points move along the way with minimum jerk (T. Flash, N. Hogan, The Coordination of Arm Movements, Journal of
Neuroscience 5(7), 1985). A motion that is blocked, or presses on something, is undone: everything is again as it was
before it. One that is stopped stays where it is, at rest. All motions raise ``PhysicsError`` where the physics breaks
down.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from vantage.errors import UnreachableError
from vantage.spatial import Matrix, Viewpoint, wrap_angle
from vantage.types import Cause, Status
from vantage.worlds.house.physics.simulation import ARM, Simulation, Snapshot
from vantage.worlds.house.robot import Goal

_PEAK_SPEED = 1.875  # of a minimum-jerk motion, in ways per duration
_PEAK_ACCELERATION = 10.0 / math.sqrt(3.0)  # in ways per squared duration
_LOST = np.array([0.03, 0.03, 0.06, 0.1, 0.02, *[0.06] * 6])  # m or rad behind the set point: blocked
_MISSED = np.array([0.005, 0.005, 0.01, 0.01, 0.005, *[0.015] * 6])  # m or rad from the goal at the end: not there
_THERE = np.array([0.001, 0.001, 0.002, 0.002, 0.001, *[0.002] * 6])  # m or rad: as good as there
_SLOW = 0.05  # m/s or rad/s: as good as at rest
_SETTLING = 15  # intervals that the end of a motion may take
_STRIKES = 2  # looks in a row that find something pressed on
_DRIVEN = np.arange(4)  # base and tilt, which brakes hold exactly at their set points
_BRAKED = 0.002  # m or rad
_NO_HARDER = 1.1  # times the force with which something was pressed on before a motion, which may last during it


@dataclass(frozen=True)
class Outcome:
    """What became of a motion: ``DONE``, ``COLLIDED`` (and undone), ``STOPPED`` or ``REJECTED``; why, in words.

    Attributes:
        met: instances that were in the way.
        cause: what was lacking, where it has a name.
    """

    status: Status
    reason: str = ""
    met: tuple[int, ...] = ()
    cause: Cause = Cause.NONE


def never() -> bool:
    """No stop."""
    return False


def move_base(simulation: Simulation, target: Viewpoint, stopped: Callable[[], bool] = never) -> Outcome:
    """Drive straight to a viewpoint, turning and tilting on the way; the shorter way round. Its height is not read."""
    goal = simulation.goals.copy()
    goal[0], goal[1], goal[3] = target.x, target.y, target.pitch
    goal[2] += wrap_angle(target.yaw - goal[2])
    return _go(simulation, [simulation.goals.copy(), goal], stopped, "the robot")


def move_arm(simulation: Simulation, goal: Goal, stopped: Callable[[], bool] = never) -> Outcome:
    """Bring lift and arm to joint positions by name, the tool to a pose T_world_tool (4, 4), or by an ``ArmStep``.

    Joints that are not named stay. Steps start where the arm was last told to be.
    """
    try:
        way = simulation.arm_way(goal)
    except UnreachableError as error:
        return Outcome(Status.REJECTED, str(error))
    postures = []
    for chain in way:
        posture = simulation.goals.copy()
        posture[ARM] = chain
        postures.append(posture)
    return _go(simulation, postures, stopped, "the arm")


class _Way:
    """Set points along postures (11,), in time."""

    def __init__(self, postures: Sequence[Matrix], simulation: Simulation) -> None:
        robot = simulation.robot
        drive, joints = robot.drive, (robot.tilt, *robot.chain.joints)
        speeds = np.array([drive.speed, drive.turn_speed, *(joint.speed for joint in joints)])
        accelerations = np.array([drive.acceleration, drive.turn_acceleration, *(j.acceleration for j in joints)])
        self._postures = np.array(postures)
        ways = np.diff(self._postures, axis=0)
        lengths = np.concatenate([np.hypot(ways[:, :1], ways[:, 1:2]), np.abs(ways[:, 2:])], axis=1)
        costs = (lengths / speeds).max(axis=1)
        kept = costs > 1e-12
        self._postures = self._postures[np.concatenate([[True], kept])]
        costs = costs[kept]
        self._marks = np.concatenate([[0.0], np.cumsum(costs)])
        self._total = float(self._marks[-1])
        push = float((lengths.sum(axis=0) / accelerations).max(initial=0.0))
        slower, gentler = (1.0, 1.0) if simulation.held is None else simulation.laden
        self.duration = max(slower * _PEAK_SPEED * self._total, math.sqrt(gentler * _PEAK_ACCELERATION * push))
        self._slopes = np.diff(self._postures, axis=0) / np.maximum(costs, 1e-12)[:, None]

    @property
    def goal(self) -> Matrix:
        return np.asarray(self._postures[-1])

    def at(self, times: Matrix) -> tuple[Matrix, Matrix, Matrix]:
        """Position, velocity and acceleration, all (T, 11), after so many s (T,)."""
        if self._total == 0.0:
            still = np.zeros((len(times), len(self.goal)))
            return still + self.goal, still, still
        u = np.minimum(times / self.duration, 1.0)
        along = self._total * u**3 * (10.0 - 15.0 * u + 6.0 * u * u)
        speed = self._total * 30.0 * (u * (1.0 - u)) ** 2 / self.duration
        acceleration = self._total * 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u) / self.duration**2
        k = np.minimum(np.searchsorted(self._marks, along, side="right") - 1, len(self._slopes) - 1)
        slopes = self._slopes[k]
        positions = self._postures[k] + slopes * (along - self._marks[k])[:, None]
        positions[u >= 1.0] = self.goal
        return positions, slopes * speed[:, None], slopes * acceleration[:, None]


def _go(simulation: Simulation, postures: Sequence[Matrix], stopped: Callable[[], bool], who: str) -> Outcome:
    way = _Way(postures, simulation)
    leant = simulation.pressing()  # else a robot that has come to lean on something could never leave it
    before = simulation.snapshot()
    steps = simulation.interval
    interval = steps * float(simulation.model.opt.timestep)
    count = math.ceil(way.duration / interval - 1e-9)
    looks = np.arange(count + _SETTLING, dtype=np.float64)
    near = _THERE if simulation.held is None else _MISSED  # a load bends the arm down a little
    controls = simulation.controls(*way.at((looks + 0.5) * interval))
    due = way.at((looks + 1.0) * interval)[0]
    strikes: int = 0
    met: dict[int, float] = {}
    touched: dict[int, float] = {}  # what was pressed on last, which may have sprung away since
    for k in range(count + _SETTLING):
        if stopped():
            simulation.halt()
            simulation.refresh()
            return Outcome(Status.STOPPED, "stopped on the way")
        simulation.steer(controls[k])
        simulation.steps(steps)
        met = {i: force for i, force in simulation.pressing().items() if force > _NO_HARDER * leant.get(i, 0.0)}
        strikes, touched = (strikes + 1, met) if met else (0, touched)
        position = simulation.positions()
        if strikes >= _STRIKES or (np.abs(position - due[k]) > _LOST).any():
            return _undone(simulation, before, touched or simulation.robot_contacts(), who)
        if k >= count - 1 and not met:
            arrived = (np.abs(position - way.goal) <= near).all()
            if arrived and (np.abs(simulation.velocities()) <= _SLOW).all():
                break
    if met or (np.abs(simulation.positions() - way.goal) > _MISSED).any():
        return _undone(simulation, before, touched or simulation.robot_contacts(), who)
    simulation.goals = way.goal.copy()
    simulation.settle(_DRIVEN, _BRAKED)
    simulation.hold()
    simulation.refresh()
    return Outcome(Status.DONE)


def _undone(simulation: Simulation, before: Snapshot, met: dict[int, float], who: str) -> Outcome:
    simulation.restore(before)
    instances = tuple(sorted(met, key=lambda instance: -met[instance]))
    things = simulation.told(instances)
    reason = f"{who} met {things} and went back" if things else f"{who} did not get there and went back"
    return Outcome(Status.COLLIDED, reason, instances)
