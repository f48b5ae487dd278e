"""Rooms and captures in arbitrary frames and units, as a reconstruction leaves them."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from vantage.scenes.generator.generator import generate_home
from vantage.spatial import rigid, rotation_from_quaternion
from vantage.splats.cloud import GaussianCloud
from vantage.splats.synthesis.from_spec import cloud_from_spec


@lru_cache(maxsize=4)
def sparse_room(seed: int) -> GaussianCloud:
    """A generated room of some 40,000 Gaussians: Z up, in metres, its floor at z = 0."""
    return cloud_from_spec(generate_home(seed), density=0.25)


def ceiling(seed: int) -> float:
    """Height of that room, m."""
    return generate_home(seed).rooms[0].height


def turned(cloud: GaussianCloud, quaternion: tuple[float, ...], unit: float, shift: tuple[float, ...] = (0, 0, 0)):
    """The cloud with 1 m as ``unit`` units, turned and moved; and its up direction (3,) and a point of its z = 0."""
    rotation = rotation_from_quaternion(*np.asarray(quaternion, dtype=float) / np.linalg.norm(quaternion))
    moved = cloud.transformed(rigid(rotation, np.array(shift, dtype=float)), unit)
    return moved, rotation[:, 2], np.array(shift, dtype=float)


def table_with_box(seed: int = 0, noise: float = 0.003) -> GaussianCloud:
    """A round plate of radius 0.5 at z = 0 with a box of 0.3 x 0.2 x 0.6 on it, seen from outside; no bottom face."""
    rng = np.random.default_rng(seed)
    angle, radius = rng.uniform(0, 2 * np.pi, 8000), 0.5 * np.sqrt(rng.uniform(0, 1, 8000))
    plate = np.stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros(8000)], axis=1)
    half = np.array([0.15, 0.1, 0.3])
    faces = []
    for axis, side in ((0, -1), (0, 1), (1, -1), (1, 1), (2, 1)):
        face = rng.uniform(-half, half, (3000, 3))
        face[:, axis] = side * half[axis]
        faces.append(face + np.array([0, 0, 0.3]))
    points = np.concatenate([plate, *faces])
    n = len(points)
    return GaussianCloud(
        points + rng.normal(0, noise, (n, 3)),
        np.full((n, 3), 0.006),
        np.tile([1.0, 0.0, 0.0, 0.0], (n, 1)),
        rng.uniform(0.3, 1.0, n),
        np.zeros((n, 1, 3)),
        np.zeros(n),
    )


def blob(n: int = 3000) -> GaussianCloud:
    """Gaussians around one point, with no surface at all."""
    rng = np.random.default_rng(1)
    return GaussianCloud(
        rng.normal(size=(n, 3)),
        np.full((n, 3), 0.02),
        np.tile([1.0, 0.0, 0.0, 0.0], (n, 1)),
        np.full(n, 0.5),
        np.zeros((n, 1, 3)),
        np.zeros(n),
    )
