"""What skills have to know of the robot's own body: its size, and where its hand gets to."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

import numpy as np

from vantage.spatial import Matrix

_CELL, _TURN = 0.02, math.radians(5.0)  # m and rad in which what was found out is remembered


class Body(Protocol):
    """A round base with a hand before it.

    Attributes:
        radius: m of the circle that the driving robot never leaves.
        camera_height: m above the floor.
        opening: m between the fingers of the open hand.
        force: N with which the hand grasps at most.
    """

    @property
    def radius(self) -> float: ...

    @property
    def camera_height(self) -> float: ...

    @property
    def opening(self) -> float: ...

    @property
    def force(self) -> float: ...

    def posture(self, name: str) -> Mapping[str, float]:
        """Positions of the joints of lift and arm in a named posture: ``home``, in which it drives, or ``carry``."""
        ...

    def reaches(self, distance: float, height: float, pitch: float, side: float = 0.0) -> bool:
        """Whether the tool gets to a point ahead of the base's axis (m), so high above the floor, and ``side`` m to its
        left, pointing ahead and ``pitch`` rad below level."""
        ...


class HouseBody:
    """The robot of the house world, by its description alone; needs no physics."""

    def __init__(self, path: str = "") -> None:
        """
        Args:
            path: of the file that describes it; empty for the usual one.

        Raises:
            ConfigError: the file is wrong.
        """
        from vantage.worlds.house import load_robot

        self._robot = load_robot(path)
        self._reaches = _reach_of(path)

    @property
    def radius(self) -> float:
        return self._robot.radius

    @property
    def camera_height(self) -> float:
        return self._robot.camera_height

    @property
    def opening(self) -> float:
        return self._robot.hand.opening

    @property
    def force(self) -> float:
        return self._robot.hand.force

    def posture(self, name: str) -> Mapping[str, float]:
        """See ``Body.posture``.

        Raises:
            UnknownNameError: no such posture.
        """
        return dict(zip(self._robot.joint_names, self._robot.pose(name).tolist(), strict=True))

    def reaches(self, distance: float, height: float, pitch: float, side: float = 0.0) -> bool:
        """See ``Body.reaches``; to 2 cm and 5 degrees."""
        return self._reaches(round(distance / _CELL), round(height / _CELL), round(pitch / _TURN), round(side / _CELL))


@lru_cache(maxsize=4)
def _reach_of(path: str) -> Callable[[int, int, int, int], bool]:
    """Whether the tool gets to a cell, by its numbers; remembered by all bodies of one description."""
    from vantage.worlds.house import arm_of, load_robot, tool_pose

    arm = arm_of(load_robot(path))

    @lru_cache(maxsize=200_000)
    def reaches(distance: int, height: int, pitch: int, side: int) -> bool:
        point = np.array([distance * _CELL, side * _CELL, height * _CELL])
        return arm.reaches(tool_pose(point, 0.0, pitch * _TURN))

    return reaches


def tool_at(point: Matrix, yaw: float, pitch: float, roll: float = 0.0) -> Matrix:
    """(4, 4): the tool at a point (3,), m, heading ``yaw`` and pointing ``pitch`` rad below level; rolled about the
    direction in which it points, its y axis is level without."""
    cy, sy, cp, sp, cr, sr = (f(a) for a in (yaw, pitch, roll) for f in (math.cos, math.sin))
    heading = np.array([[cy, -sy, 0.0], [sy, cy, 0.0], [0.0, 0.0, 1.0]])
    down = np.array([[cp, 0.0, sp], [0.0, 1.0, 0.0], [-sp, 0.0, cp]])
    about = np.array([[1.0, 0.0, 0.0], [0.0, cr, -sr], [0.0, sr, cr]])
    pose = np.eye(4)
    pose[:3, :3] = heading @ down @ about
    pose[:3, 3] = point
    return pose


@dataclass(frozen=True)
class Approach:
    """Where the base stands, heading ``yaw``, and poses (4, 4) of the tool: at its place, and a little before it.

    Attributes:
        advance: m behind its stand at which the base unfolds the arm, to drive straight ahead from there.
    """

    x: float
    y: float
    yaw: float
    pitch: float
    T_world_tool: Matrix
    T_world_before: Matrix
    cost: float
    advance: float = 0.0

    @property
    def behind(self) -> tuple[float, float]:
        """Where the base unfolds the arm, m."""
        return self.x - self.advance * math.cos(self.yaw), self.y - self.advance * math.sin(self.yaw)

    def shifted(self, by: Matrix) -> Approach:
        """With the tool (3,) m elsewhere."""
        before, there = self.T_world_before.copy(), self.T_world_tool.copy()
        before[:3, 3] += by
        there[:3, 3] += by
        return replace(self, T_world_tool=there, T_world_before=before)


@dataclass(frozen=True)
class Taken:
    """How something was taken: from where, and how the base left with it.

    Attributes:
        approach: the stand of the base and the pose of the tool; ``behind`` is where the base folded the arm.
        joints: of lift and arm before it folded, by name.
        height: m of the tool above its pose then.
    """

    approach: Approach
    joints: Mapping[str, float]
    height: float = 0.0
