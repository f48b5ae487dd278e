"""Inverse kinematics from a posture that is close already, fast enough for every step along a line of the tool.

Damped least squares on the joints that no limit holds, the damping in proportion to the squared error: T. Sugihara,
Solvability-Unconcerned Inverse Kinematics by the Levenberg-Marquardt Method, IEEE Transactions on Robotics 27(5), 2011.
Unlike ``inverse`` it follows one posture, finds no other, and gives up where it is stuck.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from vantage.jit import kernel
from vantage.spatial import Matrix
from vantage.worlds.rig.kinematics.chain import PRISMATIC, Chain, Joint

_ROUNDS = 40
_CLOSE = 1e-9  # m or rad
_STRIDE = 0.4  # m or rad that a joint moves in one round at most


class JointSteps:
    """What each of some joints does to the frame that carries it, for all of them at once."""

    def __init__(self, joints: Sequence[Joint]) -> None:
        self.frames = np.array([joint.T_parent_joint for joint in joints], np.float64)
        self.axes = np.array([joint.axis for joint in joints], np.float64)
        self.slides = np.array([joint.kind == PRISMATIC for joint in joints])

    def at(self, q: Matrix) -> Matrix:
        """(N, 4, 4): T_parent_link of the joints at positions (N,)."""
        steps = np.empty((len(self.slides), 4, 4))
        _fill_steps(self.frames, self.axes, self.slides, np.asarray(q, np.float64), steps)
        return steps


class LocalSolver:
    """Follows poses of the tool of one chain. Safe from any thread."""

    def __init__(self, chain: Chain) -> None:
        joints = JointSteps(chain.joints)
        self._frames, self._axes, self._slides = joints.frames, joints.axes, joints.slides
        self._base = np.ascontiguousarray(chain.T_world_base, np.float64)
        self._tool = np.ascontiguousarray(chain.T_tip_camera, np.float64)
        self._low, self._high = chain.lower, chain.upper

    def T_world_tool(self, q: Matrix) -> Matrix:
        """(4, 4): pose of the tool at joint positions (N,)."""
        poses = np.empty((len(self._slides) + 1, 4, 4))
        T_world_tool, at = np.empty((4, 4)), np.asarray(q, np.float64)
        _place(self._base, self._frames, self._axes, self._slides, self._tool, at, poses, T_world_tool)
        return T_world_tool

    def solve(self, T_world_tool: Matrix, near: Matrix, held: Sequence[int] = ()) -> Matrix | None:
        """Joint positions (N,) within the limits that bring the tool to a pose (4, 4), reached from ``near`` (N,).

        Args:
            held: numbers of joints that stay where they are.

        Returns:
            None where the way from ``near`` ends before it is there.
        """
        low, high = self._low, self._high
        start = np.clip(np.asarray(near, np.float64), low, high)
        if held:
            low, high = low.copy(), high.copy()
            for i in held:
                low[i] = high[i] = start[i]
        goal = np.ascontiguousarray(T_world_tool, np.float64)
        found, miss = _descend(self._base, self._frames, self._axes, self._slides, self._tool, low, high, start, goal)
        return found if miss <= _CLOSE else None


@kernel
def _place(base: Any, frames: Any, axes: Any, slides: Any, tool: Any, q: Any, poses: Any, tip: Any) -> None:
    """Fill ``poses`` (N + 1, 4, 4) of the base and the links, and ``tip`` (4, 4) of the tool."""
    motion = np.empty((4, 4))
    poses[0] = base
    for i in range(len(q)):
        _fill_motion(axes[i], slides[i], q[i], motion)
        _multiply(poses[i], frames[i], tip)
        _multiply(tip, motion, poses[i + 1])
    _multiply(poses[len(q)], tool, tip)


@kernel
def _fill_steps(frames: Any, axes: Any, slides: Any, q: Any, steps: Any) -> None:
    motion = np.empty((4, 4))
    for i in range(len(q)):
        _fill_motion(axes[i], slides[i], q[i], motion)
        _multiply(frames[i], motion, steps[i])


@kernel
def _fill_motion(axis: Any, slides: bool, q: float, motion: Any) -> None:
    """Fill the (4, 4) that a joint does to its frame at a position; rotations by Rodrigues' formula."""
    motion[:] = 0.0
    for k in range(4):
        motion[k, k] = 1.0
    x, y, z = axis[0], axis[1], axis[2]
    if slides:
        motion[0, 3], motion[1, 3], motion[2, 3] = x * q, y * q, z * q
    else:
        s, c = math.sin(q), math.cos(q)
        v = 1.0 - c
        motion[0, 0], motion[0, 1], motion[0, 2] = c + v * x * x, v * x * y - s * z, v * x * z + s * y
        motion[1, 0], motion[1, 1], motion[1, 2] = v * x * y + s * z, c + v * y * y, v * y * z - s * x
        motion[2, 0], motion[2, 1], motion[2, 2] = v * x * z - s * y, v * y * z + s * x, c + v * z * z


@kernel
def _multiply(a: Any, b: Any, product: Any) -> None:
    for r in range(4):
        for c in range(4):
            total = 0.0
            for k in range(4):
                total += a[r, k] * b[k, c]
            product[r, c] = total


@kernel
def _miss(tip: Any, goal: Any, error: Any) -> float:
    """Fill ``error`` (6,): the way, m, and the rotation, rad, that are left from ``tip`` to ``goal``; its size."""
    for r in range(3):
        error[r] = goal[r, 3] - tip[r, 3]
    turned = np.empty((3, 3))
    for r in range(3):
        for c in range(3):
            total = 0.0
            for k in range(3):
                total += goal[r, k] * tip[c, k]
            turned[r, c] = total
    x, y, z = turned[2, 1] - turned[1, 2], turned[0, 2] - turned[2, 0], turned[1, 0] - turned[0, 1]
    sine = 0.5 * math.sqrt(x * x + y * y + z * z)
    cosine = 0.5 * (turned[0, 0] + turned[1, 1] + turned[2, 2] - 1.0)
    angle = math.atan2(sine, cosine)
    scale = 0.5 if sine < 1e-12 else 0.5 * angle / sine
    error[3], error[4], error[5] = scale * x, scale * y, scale * z
    square = max(angle, 0.0) ** 2 if sine < 1e-12 else 0.0  # turned by half a turn, its axis is lost
    for k in range(6):
        square += error[k] * error[k]
    return math.sqrt(square)


@kernel
def _descend(
    base: Any, frames: Any, axes: Any, slides: Any, tool: Any, low: Any, high: Any, start: Any, goal: Any
) -> tuple[Any, float]:
    """Joint positions (N,) from ``start``, and by how much the tool still misses the goal."""
    n = len(start)
    poses, tip = np.empty((n + 1, 4, 4)), np.empty((4, 4))
    q, trial = start.copy(), start.copy()
    error, next_error = np.empty(6), np.empty(6)
    slopes, square, step = np.empty((6, n)), np.empty((6, 6)), np.empty(n)
    axis = np.empty(3)
    _place(base, frames, axes, slides, tool, q, poses, tip)
    miss = _miss(tip, goal, error)
    damping = 1e-3
    for _ in range(_ROUNDS):
        if miss <= 0.01 * _CLOSE:
            break
        for i in range(n):
            pose = poses[i + 1]
            for r in range(3):
                axis[r] = pose[r, 0] * axes[i, 0] + pose[r, 1] * axes[i, 1] + pose[r, 2] * axes[i, 2]
            if slides[i]:
                for r in range(3):
                    slopes[r, i], slopes[3 + r, i] = axis[r], 0.0
            else:
                x, y, z = tip[0, 3] - pose[0, 3], tip[1, 3] - pose[1, 3], tip[2, 3] - pose[2, 3]
                slopes[0, i] = axis[1] * z - axis[2] * y
                slopes[1, i] = axis[2] * x - axis[0] * z
                slopes[2, i] = axis[0] * y - axis[1] * x
                for r in range(3):
                    slopes[3 + r, i] = axis[r]
            pull = 0.0
            for r in range(6):
                pull += slopes[r, i] * error[r]
            if (q[i] <= low[i] and pull <= 0.0) or (q[i] >= high[i] and pull >= 0.0):
                for r in range(6):
                    slopes[r, i] = 0.0
        for r in range(6):
            for c in range(r + 1):
                total = 0.0
                for k in range(n):
                    total += slopes[r, k] * slopes[c, k]
                square[r, c] = total
            square[r, r] += damping * miss * miss + 1e-10
        _solve_in_place(square, error, next_error)
        largest = 0.0
        for i in range(n):
            total = 0.0
            for r in range(6):
                total += slopes[r, i] * next_error[r]
            step[i] = total
            largest = max(largest, abs(total))
        scale = min(1.0, _STRIDE / largest) if largest > 0.0 else 1.0
        for i in range(n):
            trial[i] = min(max(q[i] + scale * step[i], low[i]), high[i])
        _place(base, frames, axes, slides, tool, trial, poses, tip)
        new_miss = _miss(tip, goal, next_error)
        if new_miss < miss:
            q[:] = trial
            error[:] = next_error
            miss = new_miss
            damping = max(damping * 0.2, 1e-6)
        else:
            if damping * miss * miss > 1e3:
                break
            damping *= 10.0
            _place(base, frames, axes, slides, tool, q, poses, tip)
    return q, miss


@kernel
def _solve_in_place(square: Any, right: Any, solution: Any) -> None:
    """Solve a symmetric positive system (6, 6), of which the lower half is given, by Cholesky's method."""
    size = len(right)
    for r in range(size):
        for c in range(r + 1):
            total = square[r, c]
            for k in range(c):
                total -= square[r, k] * square[c, k]
            square[r, c] = math.sqrt(max(total, 1e-300)) if r == c else total / square[c, c]
    for r in range(size):
        total = right[r]
        for k in range(r):
            total -= square[r, k] * solution[k]
        solution[r] = total / square[r, r]
    for r in range(size - 1, -1, -1):
        total = solution[r]
        for k in range(r + 1, size):
            total -= square[k, r] * solution[k]
        solution[r] = total / square[r, r]
