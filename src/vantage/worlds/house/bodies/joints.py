"""How drawers, doors, lids and flaps move: what holds them back, and where they are taken by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vantage.scenes.geometry import Handle
from vantage.scenes.spec import Joint
from vantage.spatial import Matrix, rigid, rotation_matrix
from vantage.worlds.house.bodies.touch_pieces import Piece

_GRAVITY = 9.81  # m/s^2
_UPRIGHT = 0.9  # upward part of the front's direction from which the front is on top


@dataclass(frozen=True)
class Travel:
    """What a joint does against being moved.

    Attributes:
        damping: N s/m or N m s/rad.
        friction: N or N m.
        armature: kg or kg m^2.
        balanced: share of its weight that springs hold, 0..1.
    """

    damping: float
    friction: float
    armature: float
    balanced: float


def travel_of(joint: Joint, pieces: Sequence[Piece], mass: float, loose: bool) -> Travel:
    """What a part of a mass (kg) does on its joint.

    What moves on fixed furniture is balanced by springs and runs easily. On things that can be picked up (``loose``)
    springs would change their weight, so that friction holds flaps and lids wherever they are.
    """
    if joint.kind == "slide":
        return Travel(5.0 + 4.0 * mass, 1.0 + 0.4 * mass, 0.1, 0.0 if loose else 1.0)
    arm, turning = _lever(joint, pieces)
    inertia = mass * turning**2
    if loose:
        return Travel(0.005 + inertia, 0.005 + 1.3 * _GRAVITY * mass * arm, 1e-4 + 0.1 * inertia, 0.0)
    return Travel(0.1 + inertia, 0.1 + 0.03 * mass, 0.01 + 0.05 * inertia, 1.0)


def _lever(joint: Joint, pieces: Sequence[Piece]) -> tuple[float, float]:
    """Distance from a hinge's axis of the middle of mass of pieces, and their radius of gyration, m."""
    axis, weights = np.array(joint.axis), np.array([piece.volume for piece in pieces])
    centers = np.array([piece.center for piece in pieces]) - np.array(joint.origin)
    across = centers - np.outer(centers @ axis, axis)
    middle = np.average(across, axis=0, weights=weights)
    spread = np.average((across**2).sum(axis=1), weights=weights)
    return float(np.linalg.norm(middle)), math.sqrt(float(spread))


def handle_frame(handle: Handle) -> Matrix:
    """T_object_handle (4, 4) of a handle: x out of the front, y level where it can be."""
    x = np.array(handle.outward)
    up = np.array([0.0, 0.0, 1.0]) if abs(x[2]) < _UPRIGHT else np.array([-1.0, 0.0, 0.0])
    y = np.cross(up, x) / np.linalg.norm(np.cross(up, x))
    return rigid(np.column_stack([x, y, np.cross(x, y)]), np.array(handle.center))


def handle_reach(handle: Handle, joint: Joint) -> Matrix:
    """Half extents (3,) of a handle along the axes of its frame, m."""
    axes = handle_frame(handle)[:3, :3]
    if joint.kind == "hinge":
        x, y, z = ((joint.low - joint.position) * np.array(joint.axis)).tolist()
        axes = rotation_matrix((x, y, z)) @ axes
    return np.asarray(0.5 * np.abs(axes).T @ np.array(handle.size))
