"""A room like a capture's: a round shell of faint Gaussians in layers, with a hole, haze inside and floaters."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from vantage.splats.cloud import GaussianCloud, concatenate

RADIUS = 2.0  # m, around the origin


def discs(points: Any, normals: Any, size: float, thickness: float, opacity: float) -> GaussianCloud:
    """Round flat Gaussians at points (N, 3), facing along unit normals (N, 3), m."""
    points, normals = np.asarray(points, dtype=np.float64), np.asarray(normals, dtype=np.float64)
    n = len(points)
    w = 1.0 + normals[:, 2]  # the shortest rotation from z to the normal
    turn = np.column_stack([w, -normals[:, 1], normals[:, 0], np.zeros(n)])
    turn[w < 1e-9] = (0, 1, 0, 0)
    return GaussianCloud(
        points,
        np.tile([size, size, thickness], (n, 1)),
        turn / np.linalg.norm(turn, axis=1, keepdims=True),
        np.full(n, opacity),
        np.full((n, 1, 3), 0.5),
        np.zeros(n),
    )


def sphere(n: int) -> np.ndarray:
    """Unit vectors (n, 3), evenly spread along a spiral."""
    number = np.arange(n)
    z = 1 - (2 * number + 1) / n
    angle = number * math.pi * (3 - math.sqrt(5))
    level = np.sqrt(1 - z * z)
    return np.column_stack([level * np.cos(angle), level * np.sin(angle), z])


def shell(hole: float, toward: Any = (1.0, 0.0, 0.0), layers: int = 12, opacity: float = 0.2) -> GaussianCloud:
    """A shell of radius 2 m; no Gaussian alone is solid. The hole has a radius of ``hole`` m around a direction."""
    directions = sphere(6000)
    axis = np.asarray(toward, dtype=np.float64)
    angle = np.arccos(np.clip(directions @ axis / np.linalg.norm(axis), -1, 1))
    directions = directions[angle > (hole + 0.06 if hole > 0 else -1) / RADIUS]
    return concatenate(
        [discs(directions * (RADIUS + 0.005 * k), directions, 0.05, 0.004, opacity) for k in range(layers)]
    )


def haze(seed: int = 1) -> GaussianCloud:
    """Large faint balls all over the place, and small opaque floaters far from one another."""
    rng = np.random.default_rng(seed)
    balls = discs(rng.uniform(-1.6, 1.6, (300, 3)), np.tile([0.0, 0.0, 1.0], (300, 1)), 0.15, 0.15, 0.05)
    floaters = discs(0.8 * sphere(12), sphere(12), 0.006, 0.006, 0.9)
    return concatenate([balls, floaters])
