"""Turning a cloud upright: which of its axes points up, or a unit quaternion, as a rotation to Z up."""

from __future__ import annotations

import math

import numpy as np

from vantage.errors import ConfigError
from vantage.spatial import Matrix, rotation_from_quaternion
from vantage.wording import shown

_ROWS = {
    "x": [[0, 0, -1], [0, 1, 0], [1, 0, 0]],
    "-x": [[0, 0, 1], [0, 1, 0], [-1, 0, 0]],
    "y": [[1, 0, 0], [0, 0, -1], [0, 1, 0]],
    "-y": [[1, 0, 0], [0, 0, 1], [0, -1, 0]],
    "z": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "-z": [[1, 0, 0], [0, -1, 0], [0, 0, -1]],
}
UP_AXES = tuple(_ROWS)


def turning(up: str) -> Matrix:
    """R_world_cloud (3, 3) that brings an axis of the cloud, one of ``UP_AXES``, to Z."""
    return np.array(_ROWS[up], dtype=np.float64)


def axis_of(up: str) -> Matrix:
    """The unit vector (3,) of an axis such as ``-y``."""
    return np.asarray(turning(up)[2])


def nearest_axis(direction: Matrix) -> str:
    """The name of the axis closest to a direction (3,)."""
    return max(UP_AXES, key=lambda name: float(axis_of(name) @ direction))


def upright_rotation(up: str | None, rotation: tuple[float, ...] | None, where: str) -> Matrix:
    """R_world_cloud (3, 3) from what a file says: ``up`` or a unit quaternion x, y, z, w; neither means Z is up.

    Raises:
        ConfigError: both are given, no such axis, or no unit quaternion.
    """
    if up is not None and rotation is not None:
        raise ConfigError(f"{where}: give 'up' or 'rotation', not both")
    if up is not None and up not in UP_AXES:
        raise ConfigError(f"{where}: 'up' must be one of {', '.join(UP_AXES)}, got {shown(up)}")
    if rotation is None:
        return turning(up or "z")
    if abs(math.hypot(*rotation) - 1.0) > 1e-3:
        raise ConfigError(f"{where}: 'rotation' must be a unit quaternion [x, y, z, w], got {list(rotation)}")
    return rotation_from_quaternion(*rotation)


def yaw_rotation(yaw: float) -> Matrix:
    """Rz(yaw), (3, 3)."""
    c, s = math.cos(yaw), math.sin(yaw)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def turn_between(a: Matrix, b: Matrix) -> Matrix:
    """The smallest rotation (3, 3) that brings the unit vector a to the unit vector b (Rodrigues' formula)."""
    axis, cosine = np.cross(a, b), float(a @ b)
    if cosine < -1.0 + 1e-12:
        other = np.eye(3)[int(np.argmin(np.abs(a)))]
        axis = np.cross(a, other)
        axis /= np.linalg.norm(axis)
        return np.asarray(2.0 * np.outer(axis, axis) - np.eye(3))
    skew = np.array([[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]])
    return np.asarray(np.eye(3) + skew + skew @ skew / (1.0 + cosine))
