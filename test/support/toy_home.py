"""A toy world for skills: boxes in a room, a round robot without physics that obeys at once, and a hand that holds."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from box_world import BoxWorld

from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Cause, Status, StepResult, Touch
from vantage.worlds import MotionLimits, WorldInfo

LENS = Intrinsics.from_fov(160, 120, 1.4)
RADIUS, HEIGHT = 0.22, 1.4
HOME = {"lift": 0.1}
LIMITS = MotionLimits((0.3, 0.3, HEIGHT - 0.001), (4.7, 3.7, HEIGHT + 0.001), -1.2, 0.7, 0.5, 1.0)


class ToyBody:
    """Reaches everything from 0.4 to 0.9 m ahead, up to 1.6 m high."""

    radius, camera_height, opening, force = RADIUS, HEIGHT, 0.12, 80.0

    def posture(self, name):
        return HOME

    def hand_way(self, joints, here, goal, translation, rotation):
        return []

    def reaches(self, distance, height, pitch, side=0.0):
        return 0.25 <= distance <= 0.95 and 0.0 <= height <= 1.8


class ToyHome:
    """Moves as told unless the way leads through a box; things are tied to the tool when it grasps near them."""

    def __init__(self, world: BoxWorld, movable=(), masses=None):
        self.world, self.movable, self.masses = world, set(movable), masses or {}
        self.info = WorldInfo(
            "toy", frozenset({"rgb", "depth", "instances", "touch"}), frozenset({"viewpoint", "arm"}), RADIUS, LIMITS
        )
        self.here = Viewpoint(2.5, 0.6, HEIGHT, math.pi / 2, -0.4)
        self.arm = np.eye(4)
        self.arm[:3, 3] = 0.3, 0.0, 0.6
        self.held, self.force = 0, 0.0
        self.opened: set[int] = set()
        self.handles: dict[int, tuple[int, tuple[float, float, float]]] = {}
        self.commands = []

    def T_world_tool(self):
        c, s = math.cos(self.here.yaw), math.sin(self.here.yaw)
        base = np.array([[c, -s, 0, self.here.x], [s, c, 0, self.here.y], [0, 0, 1, 0], [0, 0, 0, 1]])
        return base @ self.arm

    def observe(self):
        seen = self.world.observe(self.here, LENS)
        touch = Touch(self.T_world_tool(), np.full(3, np.nan), np.full(3, np.nan), 0.05, bool(self.held))
        return replace(seen, touch=touch)

    def step(self, command):
        self.commands.append(command)
        status, reason, cause = self._obeyed(command)
        return StepResult(status, reason, command, self.observe(), cause)

    def _obeyed(self, command):
        before = self.T_world_tool()
        if command.target is not None:
            refusal = LIMITS.violation(self.here, command.target)
            if refusal:
                return Status.REJECTED, refusal, Cause.LIMIT
            if self._blocked(command.target):
                return Status.COLLIDED, "the robot met a box and went back", Cause.NONE
            self.here = command.target
            self._carry(before)
            return Status.DONE, "", Cause.NONE
        arm = command.arm
        if arm.handle is not None:
            return self._turned(arm.handle)
        if arm.gripper_width is not None:
            return self._gripped(arm)
        if arm.T_world_tool is not None:
            self.arm = np.linalg.inv(self.T_world_tool() @ np.linalg.inv(self.arm)) @ arm.T_world_tool
        elif arm.step is not None:
            self.arm = self.arm.copy()
            self.arm[:3, 3] += arm.step.forward, arm.step.left, arm.step.up + arm.step.height
        else:
            self.arm = np.eye(4)
            self.arm[:3, 3] = 0.3, 0.0, 0.9
        self._carry(before)
        return Status.DONE, "", Cause.NONE

    def _blocked(self, target):
        for _, low, high in self.world.boxes:
            if high[2] < 0.05 or low[2] > HEIGHT:
                continue
            for share in np.linspace(0.0, 1.0, 8):
                x = self.here.x + share * (target.x - self.here.x)
                y = self.here.y + share * (target.y - self.here.y)
                dx, dy = max(low[0] - x, x - high[0], 0.0), max(low[1] - y, y - high[1], 0.0)
                if math.hypot(dx, dy) < RADIUS - 0.02 and not self._is_held_box(low, high):
                    return True
        return False

    def _is_held_box(self, low, high):
        return any(key == self.held and box_low == low for key, box_low, _ in self.world.boxes)

    def _turned(self, way):
        tool = self.T_world_tool()[:3, 3]
        for owner, place in self.handles.values():
            if math.dist(tool, place) <= 0.12:
                (self.opened.add if way == "open" else self.opened.discard)(owner)
                label = self.world.legend[owner]
                self.world.legend[owner] = replace(label, states=("open",) if way == "open" else ("closed",))
                return Status.DONE, "", Cause.NONE
        return Status.COLLIDED, "no handle is within 0.12 m of the tool", Cause.NO_HANDLE

    def _gripped(self, arm):
        if arm.gripper_force <= 0.0:
            self._drop()
            return Status.DONE, "", Cause.NONE
        self.force = arm.gripper_force
        tool = self.T_world_tool()[:3, 3]
        if not self.held:
            for key, low, high in self.world.boxes:
                away = [max(a - x, x - b, 0.0) for a, x, b in zip(low, tool, high, strict=True)]
                if key in self.movable and math.hypot(*away) <= 0.06:
                    self.held = key
                    break
        if not self.held:
            return Status.COLLIDED, "nothing held", Cause.NONE
        if self.masses.get(self.held, 0.1) * 9.81 > 1.01 * self.force:
            self._drop()
            return Status.DONE, "it slipped from the hand", Cause.NONE
        return Status.DONE, "", Cause.NONE

    def _drop(self):
        """Down to what is below."""
        if not self.held:
            return
        for number, (key, low, high) in enumerate(self.world.boxes):
            if key == self.held:
                x, y = 0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])
                tops = [
                    b[2]
                    for other, a, b in self.world.boxes
                    if other != key and a[0] <= x <= b[0] and a[1] <= y <= b[1] and b[2] <= low[2] + 0.01
                ]
                fall = low[2] - max(tops, default=0.0)
                self.world.boxes[number] = (key, (*low[:2], low[2] - fall), (*high[:2], high[2] - fall))
        self.held = 0

    def _carry(self, before):
        if not self.held:
            return
        by = self.T_world_tool()[:3, 3] - before[:3, 3]
        self.world.boxes = [
            (key, tuple(np.add(low, by)), tuple(np.add(high, by))) if key == self.held else (key, low, high)
            for key, low, high in self.world.boxes
        ]
