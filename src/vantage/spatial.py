"""Viewpoints, rigid transforms and pinhole intrinsics.

SI units and radians. World: Z up, right-handed. Body: x forward, y left, z up. ``camera_optical``: z forward, x right,
y down (REP-103). ``R_world_body = Rz(yaw) @ Ry(-pitch)``: positive yaw turns left, positive pitch looks up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

R_BODY_OPTICAL: Matrix = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])


def wrap_angle(angle: float) -> float:
    """The same angle in (-pi, pi]."""
    wrapped = math.remainder(angle, math.tau)
    return math.pi if wrapped == -math.pi else wrapped


@dataclass(frozen=True)
class Viewpoint:
    """A camera pose in five degrees of freedom: metres and radians in the world frame, no roll."""

    x: float
    y: float
    z: float
    yaw: float
    pitch: float

    @property
    def position(self) -> Matrix:
        """Shape (3,), m."""
        return np.array([self.x, self.y, self.z])

    @property
    def is_finite(self) -> bool:
        return all(math.isfinite(value) for value in (self.x, self.y, self.z, self.yaw, self.pitch))

    def distance(self, other: Viewpoint) -> float:
        """Distance between the positions, m."""
        return math.dist((self.x, self.y, self.z), (other.x, other.y, other.z))

    def rotation(self) -> Matrix:
        """R_world_body, shape (3, 3)."""
        cy, sy, cp, sp = math.cos(self.yaw), math.sin(self.yaw), math.cos(self.pitch), math.sin(self.pitch)
        return np.array([[cy * cp, -sy, -cy * sp], [sy * cp, cy, -sy * sp], [sp, 0.0, cp]])

    def T_world_body(self) -> Matrix:
        """Shape (4, 4)."""
        return rigid(self.rotation(), self.position)

    def T_world_camera_optical(self) -> Matrix:
        """Shape (4, 4): camera frame with z forward, x right, y down."""
        return self._T_world_camera_optical.copy()

    @cached_property
    def _T_world_camera_optical(self) -> Matrix:
        return rigid(self.rotation() @ R_BODY_OPTICAL, self.position)

    @staticmethod
    def from_T_world_body(T_world_body: Matrix) -> Viewpoint:
        """The viewpoint of a body pose; a roll, which a viewpoint cannot hold, is dropped."""
        forward = T_world_body[:3, 0]
        left = T_world_body[:3, 1]
        level = math.hypot(forward[0], forward[1])
        yaw = math.atan2(forward[1], forward[0]) if level > 1e-9 else math.atan2(-left[0], left[1])
        x, y, z = (float(value) for value in T_world_body[:3, 3])
        return Viewpoint(x, y, z, yaw, math.atan2(forward[2], level))

    @staticmethod
    def looking_at(position: Any, target: Any) -> Viewpoint:
        """The viewpoint at ``position`` whose optical axis meets ``target`` (both shape (3,), m)."""
        dx, dy, dz = (float(t) - float(p) for t, p in zip(target, position, strict=True))
        x, y, z = (float(value) for value in position)
        return Viewpoint(x, y, z, math.atan2(dy, dx), math.atan2(dz, math.hypot(dx, dy)))


def rigid(rotation: Matrix, translation: Matrix) -> Matrix:
    """A homogeneous transform, shape (4, 4), from R (3, 3) and t (3,)."""
    transform = np.eye(4)
    transform[:3, :3] = rotation
    transform[:3, 3] = translation
    return transform


def invert(transform: Matrix) -> Matrix:
    """The inverse of a rigid transform: T_b_a from T_a_b, shape (4, 4)."""
    rotation = transform[:3, :3].T
    return rigid(rotation, -rotation @ transform[:3, 3])


def apply(transform: Matrix, points: NDArray[Any]) -> NDArray[Any]:
    """Points of shape (N, 3) in frame b, given in frame a by T_a_b."""
    rotation = transform[:3, :3].astype(points.dtype, copy=False)
    translation = transform[:3, 3].astype(points.dtype, copy=False)
    return np.asarray(points @ rotation.T + translation)


def quaternion(rotation: Matrix) -> tuple[float, float, float, float]:
    """Unit quaternion (x, y, z, w) of a rotation matrix (3, 3), with w >= 0 (Shepperd's method).

    Raises:
        ValueError: the matrix is not finite.
    """
    m = rotation
    if not np.isfinite(m).all():
        raise ValueError(f"a matrix that is not finite is no rotation: {m.tolist()}")
    trace = float(np.trace(m))
    diagonal = [trace, float(m[0, 0]), float(m[1, 1]), float(m[2, 2])]
    k = int(np.argmax(diagonal))
    if k == 0:
        q = [m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], 1.0 + trace]
    else:
        i = k - 1
        j, l = (i + 1) % 3, (i + 2) % 3  # noqa: E741
        q = [0.0, 0.0, 0.0, 0.0]
        q[i] = 1.0 + 2.0 * m[i, i] - trace
        q[j] = m[j, i] + m[i, j]
        q[l] = m[l, i] + m[i, l]
        q[3] = m[l, j] - m[j, l]
    scale = math.copysign(1.0 / math.sqrt(sum(value * value for value in q)), q[3] if q[3] != 0.0 else 1.0)
    x, y, z, w = (float(value * scale) for value in q)
    return x, y, z, w


def rotation_from_quaternion(x: float, y: float, z: float, w: float) -> Matrix:
    """Rotation matrix (3, 3) of a quaternion, which need not be of unit length.

    Raises:
        ValueError: the quaternion is zero, or so large or small that its length is not finite or zero.
    """
    n = x * x + y * y + z * z + w * w
    if n == 0.0:
        raise ValueError("the zero quaternion is no rotation")
    if not math.isfinite(n) or not math.isfinite(2.0 / n):
        raise ValueError(f"a quaternion of ({x}, {y}, {z}, {w}) is no rotation")
    s = 2.0 / n
    return np.array(
        [
            [1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)],
            [s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)],
            [s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)],
        ]
    )


def rotation_matrix(vector: tuple[float, float, float]) -> Matrix:
    """Rotation matrix (3, 3) of a rotation vector, rad (Rodrigues' formula)."""
    angle = math.hypot(*vector)
    if angle == 0.0:
        return np.eye(3)
    x, y, z = (value / angle for value in vector)
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    turn: Matrix = np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * (cross @ cross)
    return turn


def rotation_vector(rotation: Matrix) -> tuple[float, float, float]:
    """Rotation vector of a rotation matrix (3, 3), rad, no longer than pi."""
    *axis, w = quaternion(rotation)
    length = math.hypot(*axis)
    scale = 2.0 if length < 1e-12 else 2.0 * math.atan2(length, w) / length
    x, y, z = (scale * value + 0.0 for value in axis)
    return x, y, z


@dataclass(frozen=True)
class Intrinsics:
    """A pinhole camera without distortion; pixel centres lie at half-integers, as in gsplat."""

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float

    def __post_init__(self) -> None:
        if self.width < 1 or self.height < 1 or not (self.fx > 0 and self.fy > 0):
            raise ValueError(
                f"intrinsics need a positive size and focal length, got {self.width} x {self.height}, "
                f"fx {self.fx}, fy {self.fy}"
            )

    @staticmethod
    def from_fov(width: int, height: int, horizontal_fov: float) -> Intrinsics:
        """Square pixels and a centred principal point from a horizontal field of view in rad."""
        focal = 0.5 * width / math.tan(0.5 * horizontal_fov)
        return Intrinsics(width, height, focal, focal, 0.5 * width, 0.5 * height)

    @property
    def horizontal_fov(self) -> float:
        """rad"""
        return math.atan2(self.cx, self.fx) + math.atan2(self.width - self.cx, self.fx)

    def matrix(self) -> Matrix:
        """K, shape (3, 3)."""
        return np.array([[self.fx, 0.0, self.cx], [0.0, self.fy, self.cy], [0.0, 0.0, 1.0]])

    def enlarged(self, image: NDArray[Any]) -> NDArray[Any]:
        """An image (h, w) of the same view with fewer pixels, or as many, at the pixels of this camera: (H, W), each
        the nearest of the image; the image itself where it has this size."""
        height, width = image.shape[:2]
        if (height, width) == (self.height, self.width):
            return image
        rows = (2 * np.arange(self.height) + 1) * height // (2 * self.height)
        columns = (2 * np.arange(self.width) + 1) * width // (2 * self.width)
        return np.asarray(image[rows[:, None], columns])

    def project(self, points_optical: NDArray[Any]) -> NDArray[Any]:
        """Pixel coordinates (N, 2) of points (N, 3) in the optical frame; only meaningful where z > 0."""
        z = points_optical[:, 2]
        return np.stack(
            [self.fx * points_optical[:, 0] / z + self.cx, self.fy * points_optical[:, 1] / z + self.cy], axis=1
        )

    def backproject(self, depth: NDArray[Any], step: int = 1) -> NDArray[np.float32]:
        """Points (M, 3) in the optical frame of every ``step``-th valid pixel of a depth image (H, W) in m."""
        v, u = np.mgrid[0 : self.height : step, 0 : self.width : step]
        z = depth[::step, ::step].astype(np.float32)
        valid = np.isfinite(z) & (z > 0)
        z = z[valid]
        x = (u[valid].astype(np.float32) + np.float32(0.5 - self.cx)) * z / np.float32(self.fx)
        y = (v[valid].astype(np.float32) + np.float32(0.5 - self.cy)) * z / np.float32(self.fy)
        return np.stack([x, y, z], axis=1).astype(np.float32)
