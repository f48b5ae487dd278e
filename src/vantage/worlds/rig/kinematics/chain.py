"""A serial chain of prismatic and revolute joints that carries a camera: where its links and the camera are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from vantage.spatial import Matrix, Viewpoint, rigid
from vantage.types import Point

MOST_JOINTS = 7
PRISMATIC, REVOLUTE = "prismatic", "revolute"
RESERVED_FRAMES = ("map", "camera_link", "camera_optical")  # which worlds publish themselves


@dataclass(frozen=True, eq=False)
class Joint:
    """One joint; positions are m (prismatic) or rad (revolute).

    Attributes:
        axis: unit vector in the joint's own frame.
        T_parent_joint: (4, 4) pose of the joint's frame at position 0 in the link before it (or in the base).
        lower, upper: soft limits.
        speed, acceleration: largest, m/s or rad/s, m/s^2 or rad/s^2.
        resolution: one step of the motor.
        link: name of the frame that the joint moves.
    """

    name: str
    kind: str
    axis: Point
    T_parent_joint: Matrix = field(default_factory=lambda: np.eye(4))
    lower: float = -math.inf
    upper: float = math.inf
    speed: float = 0.1
    acceleration: float = 0.5
    resolution: float = 1e-5
    link: str = ""

    @property
    def unit(self) -> str:
        return "m" if self.kind == PRISMATIC else "rad"

    def motion(self, position: float) -> Matrix:
        """(4, 4): what the joint does to its frame at a position."""
        axis = np.asarray(self.axis)
        if self.kind == PRISMATIC:
            return rigid(np.eye(3), axis * position)
        return rigid(turn(axis, position), np.zeros(3))


def turn(axis: Matrix, angle: float) -> Matrix:
    """Rotation matrix (3, 3) about a unit vector (Rodrigues)."""
    x, y, z = axis
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + math.sin(angle) * k + (1.0 - math.cos(angle)) * (k @ k))


def transform(xyz: Sequence[float], roll: float, pitch: float, yaw: float) -> Matrix:
    """(4, 4) from a translation, m, and rotations about fixed x, y and z, rad, in this order (URDF)."""
    x, y, z = np.eye(3)
    return rigid(turn(z, yaw) @ turn(y, pitch) @ turn(x, roll), np.array(xyz, dtype=np.float64))


@dataclass(frozen=True, eq=False)
class Chain:
    """Joints from a base that stands in the world to a camera. Joint positions ``q`` have shape (N,).

    Attributes:
        T_world_base: (4, 4).
        T_tip_camera: (4, 4) pose of ``camera_link`` (x forward, z up) in the link of the last joint.
        base: name of the base's frame.
    """

    joints: tuple[Joint, ...]
    T_world_base: Matrix = field(default_factory=lambda: np.eye(4))
    T_tip_camera: Matrix = field(default_factory=lambda: np.eye(4))
    base: str = "rig_base"

    @property
    def size(self) -> int:
        return len(self.joints)

    @cached_property
    def lower(self) -> Matrix:
        return np.array([joint.lower for joint in self.joints])

    @cached_property
    def upper(self) -> Matrix:
        return np.array([joint.upper for joint in self.joints])

    @cached_property
    def speed(self) -> Matrix:
        return np.array([joint.speed for joint in self.joints])

    @cached_property
    def resolution(self) -> Matrix:
        return np.array([joint.resolution for joint in self.joints])

    def link_poses(self, q: Matrix) -> list[Matrix]:
        """T_world_link (4, 4) of the base and then of each joint's link: N + 1 of them."""
        poses = [self.T_world_base]
        for joint, position in zip(self.joints, q, strict=True):
            poses.append(poses[-1] @ joint.T_parent_joint @ joint.motion(float(position)))
        return poses

    def T_world_camera(self, q: Matrix) -> Matrix:
        """(4, 4): pose of ``camera_link``."""
        return np.asarray(self.link_poses(q)[-1] @ self.T_tip_camera)

    def jacobian(self, q: Matrix) -> Matrix:
        """(6, N): velocity of ``camera_link``'s origin, then its angular velocity, per joint velocity; world axes."""
        poses = self.link_poses(q)
        camera = (poses[-1] @ self.T_tip_camera)[:3, 3]
        columns = np.zeros((6, self.size))
        for i, (joint, pose) in enumerate(zip(self.joints, poses[1:], strict=True)):
            axis = pose[:3, :3] @ np.asarray(joint.axis)
            if joint.kind == PRISMATIC:
                columns[:3, i] = axis
            else:
                columns[:3, i], columns[3:, i] = np.cross(axis, camera - pose[:3, 3]), axis
        return columns

    def viewpoint(self, q: Matrix) -> Viewpoint:
        """Where the camera is; a roll is dropped."""
        return Viewpoint.from_T_world_body(self.T_world_camera(q))
