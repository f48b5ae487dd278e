"""Where lift and arm can bring the tool: inverse kinematics within limits, without meeting the robot itself.

All poses are in the frame of the base, ``base_link``. The local solver follows the posture at hand; where that fails,
typical postures are tried, and last the search of ``worlds.rig.kinematics.inverse``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import numpy as np

from vantage.errors import UnreachableError
from vantage.spatial import Matrix, invert, rigid
from vantage.worlds.house.robot.description import CARRY, HOME, RobotDescription, in_base
from vantage.worlds.rig.collision import RoomMap, make_model, spacings
from vantage.worlds.rig.kinematics import LocalSolver, inverse, transform

FORWARD, DOWN, SLANTED = "forward", "down", "forward-down"
TOOL_PITCHES = {FORWARD: 0.0, DOWN: 0.5 * math.pi, SLANTED: 0.25 * math.pi}  # rad that the tool points below level

_TILTED = 0.04  # m or rad of a joint between two looks at what the arm might meet
_CLOSE = 0.5  # m or rad: what is found so close is taken at once
_LIFTS = 9  # heights of the lift that are tried


class ArmKinematics:
    """Of one robot; safe from any thread."""

    def __init__(self, robot: RobotDescription) -> None:
        self.robot = robot
        self._local = LocalSolver(robot.chain)
        self._model = make_model(robot.chain, robot.safety)
        self._room = RoomMap.empty().grid
        points = [pose[:3, 3] for pose in robot.chain.link_poses(np.zeros(robot.chain.size))[1:]]
        _, _, self._shoulder, elbow, _, wrist, _ = points
        self._upper, self._fore = (float(np.linalg.norm(way)) for way in (elbow - self._shoulder, wrist - elbow))
        self._T_tool_wrist = invert(self.T_base_tool(np.zeros(robot.chain.size))) @ rigid(np.eye(3), wrist)

        home = robot.pose(HOME)
        self.follow(self.T_base_tool(home), home)  # compiles, so that no motion waits for it
        self.self_collision(home)

    def T_base_tool(self, positions: Matrix) -> Matrix:
        """(4, 4) at joint positions (N,)."""
        return self._local.T_world_tool(positions)

    def follow(self, T_base_tool: Matrix, near: Matrix, lift_stays: bool = False) -> Matrix | None:
        """Joint positions (N,) of a pose, reached from a posture (N,) close by, or None."""
        return self._local.solve(T_base_tool, near, (0,) if lift_stays else ())

    def solve(self, T_base_tool: Matrix, near: Matrix) -> Matrix:
        """Joint positions (N,) that bring the tool to a pose (4, 4) and meet nothing of the robot, close to ``near``.

        Raises:
            UnreachableError: there are none, or the target is no rigid transform; says why.
        """
        found = self._typical(T_base_tool, near)
        if found is None:
            found = inverse.solve_pose(self.robot.chain, T_base_tool, near)
            reason = self.self_collision(found)
            if reason is not None:
                raise UnreachableError(f"with the tool there, {reason}; choose another place")
        return found

    def _typical(self, T_base_tool: Matrix, near: Matrix) -> Matrix | None:
        """The closest to ``near`` of what is found from there and from typical postures at every height of the lift."""
        chain = self.robot.chain
        q = self.follow(T_base_tool, near)
        if q is not None and np.abs(q - near).max() < _CLOSE and self.self_collision(q) is None:
            return q
        found = [] if q is None or self.self_collision(q) is not None else [q]
        for seed in self._typical_postures(T_base_tool):
            q = self.follow(T_base_tool, seed, lift_stays=True)
            if q is not None and self.self_collision(q) is None:
                found.append(q)
        return min(found, key=lambda q: float((np.abs(q - near) / chain.speed).max()), default=None)

    def _typical_postures(self, T_base_tool: Matrix) -> Iterator[Matrix]:
        """Postures (N,) that bring the wrist where it belongs, the elbow above or below, at every height of the lift.

        The upper arm and the forearm are two links in an upright plane, for which the law of cosines gives the angles.
        """
        chain = self.robot.chain
        wrist = (T_base_tool @ self._T_tool_wrist)[:3, 3]
        pitch = math.acos(min(max(float(T_base_tool[2, 0]), -1.0), 1.0))  # of the tool, from straight up
        for lift in np.linspace(chain.lower[0], chain.upper[0], _LIFTS):
            way = wrist - self._shoulder - [0.0, 0.0, lift]
            level, distance = math.hypot(way[0], way[1]), float(np.linalg.norm(way))
            bend = (distance**2 - self._upper**2 - self._fore**2) / (2.0 * self._upper * self._fore)
            if not -1.0 <= bend <= 1.0:
                continue
            for elbow in (math.acos(bend), -math.acos(bend)):
                aside = math.atan2(self._fore * math.sin(elbow), self._upper + self._fore * math.cos(elbow))
                lean = math.atan2(level, way[2]) - aside
                yield np.array([lift, math.atan2(way[1], way[0]), lean, elbow, 0.0, pitch - lean - elbow, 0.0])

    def self_collision(self, positions: Matrix) -> str | None:
        """What of the robot would meet what at a posture (N,), in words, or None."""
        rules, model = self.robot.safety, self._model
        gaps = spacings(model, self._room, np.asarray(positions, np.float64), rules.clearance)
        boxed = len(model.radii) * len(model.boxes)
        carried = np.repeat(model.links > 0, len(model.boxes))
        worst = int(np.argmin(np.where(carried, gaps[:boxed], math.inf)))
        if carried[worst] and gaps[worst] < 0.0:
            body, box = divmod(worst, len(model.boxes))
            return f"the {_words(rules.bodies[body].name)} would meet the {_words(rules.boxes[box].name)}"
        if len(model.pairs):
            pair = int(np.argmin(gaps[boxed : boxed + len(model.pairs)]))
            if gaps[boxed + pair] < 0.0:
                a, b = (_words(rules.bodies[n].name) for n in model.pairs[pair])
                return f"the {b} would meet the robot's own {a}"
        return None

    def way_violation(self, postures: Sequence[Matrix]) -> str | None:
        """What of the robot would meet what on the straight ways in joint space between postures (N,), or None."""
        for a, b in itertools.pairwise(postures):
            count = max(1, math.ceil(float(np.abs(b - a).max()) / _TILTED))
            for k in range(1, count + 1):
                reason = self.self_collision(a + (b - a) * (k / count))
                if reason is not None:
                    return reason
        return None

    def reaches(self, T_base_tool: Matrix) -> bool:
        """Whether there are joint positions for a pose (4, 4); one that only a long search finds counts as none."""
        return self._typical(T_base_tool, self.robot.pose(HOME)) is not None

    def between(self, start: Matrix, goal: Matrix) -> list[Matrix]:
        """Postures (N,) from one to another, straight in joint space or by way of a named pose, meeting nothing own.

        Raises:
            UnreachableError: no such way is free.
        """
        reason = None
        for stops in ((), (CARRY,), (HOME,), (CARRY, HOME), (HOME, CARRY)):
            way = [start, *(self.robot.pose(name) for name in stops), goal]
            barred = self.way_violation(way)
            if barred is None:
                return way
            reason = reason or barred
        raise UnreachableError(f"on the way there {reason}; go by another posture")


def _words(name: str) -> str:
    return name.replace("_", " ")


@lru_cache(maxsize=4)
def arm_of(robot: RobotDescription) -> ArmKinematics:
    """The kinematics of a robot, made once."""
    return ArmKinematics(robot)


def tool_pose(point: Iterable[float], yaw: float, pitch: float) -> Matrix:
    """(4, 4): the tool at a point (3,), m, heading ``yaw`` and pointing ``pitch`` rad below level, its y axis level."""
    x, y, z = point
    return transform((x, y, z), 0.0, pitch, yaw)


def reachable(robot: RobotDescription, T_world_base: Matrix, T_world_tool: Matrix) -> bool:
    """Whether the tool can be brought to a pose (4, 4) with the base at another one (4, 4)."""
    return arm_of(robot).reaches(in_base(T_world_base, T_world_tool))


def reachable_point(robot: RobotDescription, T_world_base: Matrix, point: Iterable[float]) -> str | None:
    """How the tool can be at a point (3,), m, world frame, pointing away from the base: forward, slanted or down.

    Returns:
        ``forward``, ``forward-down``, ``down``, or None where it cannot.
    """
    x, y, z = point
    yaw = math.atan2(y - T_world_base[1, 3], x - T_world_base[0, 3])
    for name in (FORWARD, SLANTED, DOWN):
        if reachable(robot, T_world_base, tool_pose((x, y, z), yaw, TOOL_PITCHES[name])):
            return name
    return None


def reach_table(
    robot: RobotDescription, heights: Sequence[float], distances: Sequence[float]
) -> dict[str, dict[tuple[float, float], bool]]:
    """By direction of the tool, then by height and distance in front of the base's axis, m: whether it gets there."""
    arm = arm_of(robot)
    return {
        name: {
            (height, distance): arm.reaches(tool_pose((distance, 0.0, height), 0.0, pitch))
            for height in heights
            for distance in distances
        }
        for name, pitch in TOOL_PITCHES.items()
    }
