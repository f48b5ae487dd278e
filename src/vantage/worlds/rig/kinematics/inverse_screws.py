"""A chain as a product of exponentials, for many joint positions at once.

Source: K. Lynch, F. Park, Modern Robotics, 2017, section 4.1.2 (space form).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vantage.spatial import Matrix
from vantage.worlds.rig.kinematics.chain import PRISMATIC, Chain


@dataclass(frozen=True, eq=False)
class Screws:
    """Where the joints' axes and the camera are, in the world, with every joint at 0.

    Attributes:
        slides: (N,) bool, true for prismatic joints.
        axes: (N, 3) unit vectors.
        points: (N, 3) m, one on each axis.
        camera: (4, 4) T_world_camera.
    """

    slides: NDArray[np.bool_]
    axes: Matrix
    points: Matrix
    camera: Matrix

    def poses(self, q: Matrix) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        """Of the camera at B joint positions (B, N): rotation (B, 3, 3) and position (B, 3), m.

        Then how they change with each joint: rotation axis, zero for prismatic joints, and velocity, both (B, N, 3).
        """
        turns = self._turns(q)
        rotation: Matrix = np.broadcast_to(np.eye(3), (len(q), 3, 3))
        position: Matrix = np.zeros((len(q), 3))
        axes, points = np.empty((*q.shape, 3)), np.empty((*q.shape, 3))
        for i in range(q.shape[1]):
            axes[:, i] = rotation @ self.axes[i]
            points[:, i] = rotation @ self.points[i] + position
            if self.slides[i]:
                position = position + axes[:, i] * q[:, i, None]
            else:
                rotation = rotation @ turns[:, i]
                position = points[:, i] - rotation @ self.points[i]
        position = rotation @ self.camera[:3, 3] + position
        velocities = np.where(self.slides[:, None], axes, _cross(axes, position[:, None] - points))
        return rotation @ self.camera[:3, :3], position, np.where(self.slides[:, None], 0.0, axes), velocities

    def _turns(self, q: Matrix) -> Matrix:
        """(B, N, 3, 3): rotations about the axes (Rodrigues)."""
        x, y, z = self.axes.T
        zero = np.zeros_like(x)
        k = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=1).reshape(-1, 3, 3)
        sine, cosine = np.sin(q)[..., None, None], np.cos(q)[..., None, None]
        return np.asarray(np.eye(3) + sine * k + (1.0 - cosine) * (k @ k))


@lru_cache(maxsize=16)
def screws_of(chain: Chain) -> Screws:
    """The screws of a chain; those of the chains used last are kept."""
    poses = chain.link_poses(np.zeros(chain.size))
    axes = [pose[:3, :3] @ np.asarray(joint.axis) for joint, pose in zip(chain.joints, poses[1:], strict=True)]
    slides = np.array([joint.kind == PRISMATIC for joint in chain.joints])
    points = np.array([pose[:3, 3] for pose in poses[1:]])
    return Screws(slides, np.array(axes), points, poses[-1] @ chain.T_tip_camera)


def _cross(a: Matrix, b: Matrix) -> Matrix:
    """As ``np.cross``, quicker for many vectors of three."""
    return np.asarray(a[..., [1, 2, 0]] * b[..., [2, 0, 1]] - a[..., [2, 0, 1]] * b[..., [1, 2, 0]])
