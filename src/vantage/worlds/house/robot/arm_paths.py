"""Ways of the arm: postures on the way to joint positions, to a pose of the tool, or by a step of the hand.

A pose is gone to along a straight line of the tool where that is possible, otherwise straight in joint space, or by way
of a named pose. What of the robot would meet itself on a way bars it; what stands around is felt on the way.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from vantage.errors import UnreachableError
from vantage.spatial import Matrix, quaternion
from vantage.types import ArmStep
from vantage.worlds.house.robot.arm_kinematics import arm_of
from vantage.worlds.house.robot.description import RobotDescription, in_base
from vantage.worlds.rig import joint_positions
from vantage.worlds.rig.kinematics import transform, turn

Goal = Mapping[str, float] | Matrix | ArmStep  # joint positions by name, T_world_tool (4, 4), or a step

_STRIDE = 0.015, 0.06  # m and rad of the tool between two postures on a line
_JUMP = 0.35  # m or rad: a joint that moves farther for one stride is on another branch
_LARGEST_STEP = 10.0  # m or rad: more in one step is a mistake


class ArmPaths:
    """Finds ways for the arm of one robot; remembers the last, because a gate asks before a motion does."""

    def __init__(self, robot: RobotDescription) -> None:
        self.arm = arm_of(robot)
        self._last: tuple[object, list[Matrix] | str] = (None, "")

    def find(self, now: Matrix, T_world_base: Matrix, goal: Goal) -> list[Matrix]:
        """Postures (N,) of the chain on the way from ``now`` (N,), which is the first of them.

        Raises:
            UnreachableError: there is no way; says why.
        """
        key = now.tobytes(), T_world_base.tobytes(), _key(goal)
        if self._last[0] != key:
            found: list[Matrix] | str
            try:
                found = self._find(now, T_world_base, goal)
            except UnreachableError as error:
                found = str(error)
            self._last = key, found
        if isinstance(self._last[1], str):
            raise UnreachableError(self._last[1])
        return self._last[1]

    def _find(self, now: Matrix, T_world_base: Matrix, goal: Goal) -> list[Matrix]:
        if isinstance(goal, ArmStep):
            return self._step(now, goal)
        if isinstance(goal, Mapping):
            positions, reason = joint_positions(self.arm.robot.chain, goal, now)
            reason = reason or self.arm.self_collision(positions)
            if reason is not None:
                raise UnreachableError(reason)
            return self.arm.between(now, positions)
        T_world_tool = np.asarray(goal, np.float64)
        if T_world_tool.shape != (4, 4) or not np.isfinite(T_world_tool).all():
            raise UnreachableError("the target pose is not 4 x 4 finite numbers; give a rigid transform")
        T_base_tool = in_base(T_world_base, T_world_tool)
        line = self._line(now, T_base_tool, lift_stays=False)
        return line if line is not None else self.arm.between(now, self.arm.solve(T_base_tool, now))

    def _step(self, now: Matrix, step: ArmStep) -> list[Matrix]:
        """
        Raises:
            UnreachableError: a number is not finite, or the hand does not get there in a straight line.
        """
        parts = (step.forward, step.left, step.up, step.height, step.roll)
        if not all(math.isfinite(value) and abs(value) <= _LARGEST_STEP for value in parts):
            raise UnreachableError(f"the step {parts} holds a number that is not finite or above {_LARGEST_STEP:g}")
        way = [now]
        if step.height != 0.0:
            name = self.arm.robot.joint_names[0]
            raised, reason = joint_positions(self.arm.robot.chain, {name: float(now[0]) + step.height}, now)
            reason = reason or self.arm.way_violation([now, raised])
            if reason is not None:
                raise UnreachableError(reason)
            way.append(raised)
        if any((step.forward, step.left, step.up, step.roll)):
            T_base_tool = self.arm.T_base_tool(way[-1])
            if step.roll != 0.0:
                T_base_tool = T_base_tool @ transform((0.0, 0.0, 0.0), step.roll, 0.0, 0.0)
            T_base_tool[:3, 3] += step.forward, step.left, step.up
            line = self._line(way[-1], T_base_tool, lift_stays=True)
            if line is None:
                raise UnreachableError("the arm does not reach there from where it is; move the base or the lift")
            way += line[1:]
        return way

    def _line(self, now: Matrix, T_base_tool: Matrix, lift_stays: bool) -> list[Matrix] | None:
        """Postures on a straight line of the tool from ``now`` to a pose, or None where there is none that is free."""
        start = self.arm.T_base_tool(now)
        way = T_base_tool[:3, 3] - start[:3, 3]
        axis, angle = _rotation(T_base_tool[:3, :3] @ start[:3, :3].T)
        count = max(1, math.ceil(max(float(np.linalg.norm(way)) / _STRIDE[0], angle / _STRIDE[1])))
        postures = [np.array(now)]
        for k in range(1, count + 1):
            place = T_base_tool if k == count else start.copy()
            if k < count:
                place[:3, 3] += way * (k / count)
                if angle > 0.0:
                    place[:3, :3] = turn(axis, angle * k / count) @ start[:3, :3]
            q = self.arm.follow(place, postures[-1], lift_stays)
            if q is None or np.abs(q - postures[-1]).max() > _JUMP or self.arm.self_collision(q) is not None:
                return None
            postures.append(q)
        return postures


def _key(goal: Goal) -> object:
    if isinstance(goal, Mapping):
        return tuple(sorted(goal.items()))
    return goal if isinstance(goal, ArmStep) else np.asarray(goal, np.float64).tobytes()


def _rotation(rotation: Matrix) -> tuple[Matrix, float]:
    """Axis (3,) and angle in [0, pi] of a rotation matrix (3, 3)."""
    x, y, z, w = quaternion(rotation)
    sine = math.sqrt(x * x + y * y + z * z)
    axis = np.array([x, y, z]) / sine if sine > 1e-12 else np.array([1.0, 0.0, 0.0])
    return axis, 2.0 * math.atan2(sine, w) if sine > 1e-12 else 0.0
