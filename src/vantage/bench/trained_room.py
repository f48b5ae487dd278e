"""A synthetic cloud of any size with the statistics of trained splats, on which renderers are timed; seeded.

Trained clouds differ from generated ones in what rendering costs: opacities gather near 0 and near 1, sizes scatter
widely with a tail of large ones, flat Gaussians lie on surfaces, and a haze of faint ones floats before them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.spatial import Intrinsics, Matrix, Viewpoint
from vantage.splats import GaussianCloud, harmonics
from vantage.types import Point

Array = NDArray[np.float64]

SIZE: Point = (6.0, 5.0, 2.8)  # m
MIDDLE: Point = (3.0, 2.5, 1.2)
FLOATING = 0.06  # share of Gaussians that belong to nothing
_SOLID = 0.6  # share of Gaussians whose opacity is near 1
_LARGE = 0.015
_HAZE = 0.2  # opacity of what floats, at most: a body can pass through it
_DENSER = 3.0  # objects get this many times the Gaussians of a wall per area
_OBJECTS = 20


@dataclass(frozen=True)
class _Surface:
    area: float
    sample: Callable[[int], tuple[Array, Array]]  # how many -> points and unit normals, both (n, 3)
    instance: int
    color: Array


def trained_room(count: int, degree: int = 3, seed: int = 0) -> GaussianCloud:
    """``count`` Gaussians of a room of ``SIZE`` with one corner at the origin; its middle is free."""
    rng = np.random.default_rng(seed)
    surfaces = [*_walls(rng), *_objects(rng)]
    floating = round(FLOATING * count)
    weights = np.array([surface.area * (_DENSER if surface.instance > 3 else 1.0) for surface in surfaces])
    shares = np.floor(weights / weights.sum() * (count - floating)).astype(int)
    shares[0] += count - floating - shares.sum()
    sampled = [surface.sample(n) for surface, n in zip(surfaces, shares, strict=True)]
    haze = rng.normal(size=(floating, 3))
    haze /= np.linalg.norm(haze, axis=1, keepdims=True)
    points = np.concatenate([*(points for points, _ in sampled), rng.uniform(0.05, 0.95, (floating, 3)) * SIZE])
    normals = np.concatenate([*(normals for _, normals in sampled), haze])
    spacing = [math.sqrt(surface.area / max(n, 1)) for surface, n in zip(surfaces, shares, strict=True)]
    spacing.append(0.6 * (math.prod(SIZE) / max(count, 1)) ** (1 / 3))
    sizes = np.repeat(spacing, [*shares, floating])[:, None] * 0.75 * rng.lognormal(0.0, 0.55, (count, 3))
    sizes[rng.random(count) < _LARGE, :2] *= 4.0
    sizes[:, 2] = np.minimum(0.15 * sizes[:, 2], 0.01)
    opacity = np.where(rng.random(count) < _SOLID, rng.beta(6.0, 1.3, count), rng.beta(0.8, 3.5, count))
    opacity[count - floating :] = np.minimum(rng.beta(0.8, 8.0, floating), _HAZE)
    colors = np.repeat([surface.color for surface in surfaces], shares, axis=0)
    colors = np.concatenate([colors, rng.uniform(0.0, 1.0, (floating, 3))])
    colors += 0.1 * np.sin(points @ rng.uniform(-12.0, 12.0, (3, 3))) + rng.normal(0.0, 0.03, (count, 3))
    sh = 0.025 * rng.standard_normal((count, harmonics.COEFFICIENTS[degree], 3), dtype=np.float32)
    sh[:, 0] = (np.clip(colors, 0.01, 0.99) - 0.5) / harmonics.C0
    cloud = GaussianCloud(
        (points + normals * rng.normal(0.0, 0.004, (count, 1))).astype(np.float32),
        sizes.astype(np.float32),
        _facing(normals, rng.uniform(0.0, math.tau, count)).astype(np.float32),
        np.clip(opacity, 0.006, 0.995).astype(np.float32),
        sh,
        np.repeat([*(surface.instance for surface in surfaces), 0], [*shares, floating]).astype(np.int32),
    )
    return cloud.select(rng.permutation(count))


def orbit(count: int = 8) -> list[Matrix]:
    """Poses (4, 4) of an optical frame on a ring in the middle of the room, each looking across it."""
    poses = []
    for angle in np.linspace(0.0, math.tau, count, endpoint=False):
        eye = np.array(MIDDLE) + np.array([1.3 * math.cos(angle), math.sin(angle), 0.2 * math.sin(3 * angle)])
        across = np.array(MIDDLE) - np.array([1.2 * math.cos(angle + 0.4), 1.2 * math.sin(angle + 0.4), 0.4])
        poses.append(Viewpoint.looking_at(eye, across).T_world_camera_optical())
    return poses


def ring_around(cloud: GaussianCloud, count: int = 8) -> list[Matrix]:
    """Poses (4, 4) of an optical frame on a ring around a cloud of any size, each looking at its middle."""
    means = cloud.means.astype(np.float64)
    middle = np.median(means, axis=0)
    distance = 2.5 * max(float(np.quantile(np.linalg.norm(means - middle, axis=1), 0.9)), 1e-3)
    poses = []
    for angle in np.linspace(0.0, math.tau, count, endpoint=False):
        eye = middle + distance * np.array([math.cos(angle), math.sin(angle), 0.2])
        poses.append(Viewpoint.looking_at(eye, middle).T_world_camera_optical())
    return poses


def lens(width: int, height: int) -> Intrinsics:
    """A camera with the field of view of the settings' default."""
    return Intrinsics.from_fov(width, height, 1.2)


def _walls(rng: np.random.Generator) -> list[_Surface]:
    """Floor (id 1), ceiling (id 2) and four walls (id 3)."""
    x, y, z = np.diag(SIZE)
    corners = ((0 * x, x, y, 1), (z, x, y, 2), (0 * x, x, z, 3), (y, x, z, 3), (0 * x, y, z, 3), (x, y, z, 3))
    return [_face(rng, *corner, rng.uniform(0.4, 0.9, 3)) for corner in corners]


def _objects(rng: np.random.Generator) -> list[_Surface]:
    """Boxes, balls and pillars around the free middle, with ids from 4 on."""
    surfaces: list[_Surface] = []
    for k in range(_OBJECTS):
        angle, color = math.tau * (k + 0.3 * rng.random()) / _OBJECTS, rng.uniform(0.1, 0.95, 3)
        foot = np.array([3.0 + 2.5 * math.cos(angle), 2.5 + 2.05 * math.sin(angle), 0.0])
        if k % 3 == 0:
            x, y, z = np.diag(rng.uniform(0.2, 0.6, 3))
            low = foot - 0.5 * (x + y)
            faces = ((low, x, y), (low + z, x, y), (low, x, z), (low + y, x, z), (low, y, z), (low + x, y, z))
            surfaces += [_face(rng, *face, 4 + k, color) for face in faces]
        elif k % 3 == 1:
            radius = rng.uniform(0.12, 0.4)
            foot[2] = radius + rng.uniform(0.0, 0.8)
            surfaces.append(_ball(rng, foot, radius, 4 + k, color))
        else:
            surfaces.append(_pillar(rng, foot, rng.uniform(0.08, 0.25), rng.uniform(0.3, 1.2), 4 + k, color))
    return surfaces


def _face(rng: np.random.Generator, corner: Array, u: Array, v: Array, instance: int, color: Array) -> _Surface:
    normal = np.cross(u, v)
    area = float(np.linalg.norm(normal))

    def sample(n: int) -> tuple[Array, Array]:
        a = rng.random((n, 2))
        return corner + a[:, :1] * u + a[:, 1:] * v, np.tile(normal / area, (n, 1))

    return _Surface(area, sample, instance, color)


def _ball(rng: np.random.Generator, center: Array, radius: float, instance: int, color: Array) -> _Surface:
    def sample(n: int) -> tuple[Array, Array]:
        normals = rng.normal(size=(n, 3))
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        return center + radius * normals, normals

    return _Surface(4 * math.pi * radius**2, sample, instance, color)


def _pillar(
    rng: np.random.Generator, foot: Array, radius: float, height: float, instance: int, color: Array
) -> _Surface:
    def sample(n: int) -> tuple[Array, Array]:
        angle = rng.uniform(0.0, math.tau, n)
        normals = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(n)])
        return foot + radius * normals + np.array([0.0, 0.0, height]) * rng.random((n, 1)), normals

    return _Surface(math.tau * radius * height, sample, instance, color)


def _facing(normals: Array, turns: Array) -> Array:
    """Unit quaternions w x y z (N, 4) that take z to the normals, after a turn about z by an angle, rad."""
    x, y, z = normals.T
    w = np.sqrt(np.maximum(0.5 * (1.0 + z), 0.0))  # half the angle between z and the normal
    opposite = w < 1e-6
    below = np.where(opposite, 1.0, 2.0 * w)
    cos, sin = np.cos(0.5 * turns), np.sin(0.5 * turns)
    qx, qy = np.where(opposite, 1.0, -y / below), np.where(opposite, 0.0, x / below)
    found = np.column_stack([w * cos, qx * cos + qy * sin, qy * cos - qx * sin, w * sin])
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True))
