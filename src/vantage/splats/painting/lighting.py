"""Light that is baked into a cloud: sky and bounce light with soft shadows, sun through windows, lamps, highlights.

Soft shadows follow the idea of voxel cone tracing (Crassin et al., 2011): the share of filled space along the normal,
looked up in ever coarser grids, is the share of light that does not arrive.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.solids import object_prisms
from vantage.scenes.spec import ObjectSpec, SceneSpec

Array = NDArray[np.float64]
Grid = NDArray[np.float32]

_VOXEL = 0.03  # m
_LEVELS = 4
_SHADOW = (0.30, 0.26, 0.26, 0.30)  # weight of each level, finest first
_DARKEST = 0.60  # what is left in the deepest corner
_SUN = np.array([1.0, 0.93, 0.78])
_LAMP = np.array([1.0, 0.86, 0.60])
_SKY = np.array([0.985, 0.995, 1.02])


@dataclass(frozen=True)
class Opening:
    """A pane of daylight: its middle (3,), the horizontal direction into the room, its width and height, m."""

    middle: Array
    inward: Array
    width: float
    height: float


class Lighting:
    """The light of one scene. Built from the places of all its samples."""

    def __init__(self, spec: SceneSpec, points: Array) -> None:
        self._low = np.asarray(spec.bounds_min)
        self._high = np.asarray(spec.bounds_max)
        self._openings = [opening for thing in spec.objects for opening in _openings(thing)]
        self._lamps = [position for thing in spec.objects for position in _lamps(thing)]
        self._levels = self._pyramid(spec, points)
        self.key = self._key_direction()

    def shade(self, points: Array, normals: Array) -> Array:
        """Light (N, 3) that arrives at surfaces: 1 leaves their color as it is."""
        reach = self._unshadowed(points, normals)
        ambient = 0.86 + 0.07 * normals[:, 2] + 0.10 * np.clip(-normals[:, 2], 0.0, None)  # the floor reflects, too
        key = 0.18 * np.clip(normals @ self.key, 0.0, None)
        light: Array = ((ambient + key) * reach)[:, None] * _SKY
        light += self._sun(points, normals)
        for lamp in self._lamps:
            offset = lamp - points
            distance = np.linalg.norm(offset, axis=1)
            facing = 0.35 + 0.65 * np.clip((offset * normals).sum(axis=1) / np.maximum(distance, 1e-6), 0.0, 1.0)
            light += (0.24 * facing * np.exp(-((distance / 0.75) ** 2)))[:, None] * _LAMP
        return light

    def highlight(self, points: Array, normals: Array, sharpness: Array) -> Array:
        """Strength (N,) of the highlight towards an eye in the middle of the room (Blinn's half vector)."""
        eye = np.array([*(0.5 * (self._low + self._high))[:2], 1.5])
        to_eye = eye - points
        to_eye /= np.maximum(np.linalg.norm(to_eye, axis=1, keepdims=True), 1e-6)
        half = to_eye + self.key
        half /= np.maximum(np.linalg.norm(half, axis=1, keepdims=True), 1e-6)
        strength: Array = np.clip((normals * half).sum(axis=1), 0.0, 1.0) ** sharpness
        return strength

    def _key_direction(self) -> Array:
        """Towards the brightest part of the room's light: the window and up."""
        direction = np.array([0.3, 0.2, 1.1])
        for opening in self._openings[:1]:
            direction = np.array([0.0, 0.0, 1.0]) - 0.9 * opening.inward
        unit: Array = direction / np.linalg.norm(direction)
        return unit

    def _pyramid(self, spec: SceneSpec, points: Array) -> list[Grid]:
        inner = np.round((self._high - self._low) / _VOXEL).astype(int)
        shape = inner + -inner % 2 ** (_LEVELS - 1)
        fine = np.ones(shape, np.float32)
        fine[: inner[0], : inner[1], : inner[2]] = 0.0
        cells = np.floor((points - self._low) / _VOXEL).astype(int)
        inside = ((cells >= 0) & (cells < shape)).all(axis=1)
        fine[tuple(cells[inside].T)] = 1.0
        for thing in spec.objects:
            straight = abs(math.remainder(thing.yaw, 0.5 * math.pi)) < 1e-3
            if thing.is_structure or not straight:
                continue
            for part, prism in zip(thing.parts, object_prisms(thing), strict=True):
                if part.shape == "box" and not part.open_faces:
                    low = np.array([*prism.outline.min(axis=0), prism.bottom])
                    high = np.array([*prism.outline.max(axis=0), prism.top])
                    a = np.maximum(np.round((low - self._low) / _VOXEL).astype(int), 0)
                    b = np.minimum(np.round((high - self._low) / _VOXEL).astype(int), shape)
                    fine[a[0] : b[0], a[1] : b[1], a[2] : b[2]] = 1.0
        levels = [fine]
        for _ in range(_LEVELS - 1):
            g = levels[-1]
            n = [size // 2 for size in g.shape]
            levels.append(g.reshape(n[0], 2, n[1], 2, n[2], 2).mean(axis=(1, 3, 5)))
        return [np.pad(level, 1, constant_values=1.0) for level in levels]

    def _unshadowed(self, points: Array, normals: Array) -> Array:
        """Share (N,) of the light from all around that arrives."""
        left = np.ones(len(points))
        for level, (grid, weight) in enumerate(zip(self._levels, _SHADOW, strict=True)):
            voxel = _VOXEL * 2**level
            left *= 1.0 - weight * self._filled(grid, points + normals * (1.6 * voxel), voxel)
        full = 1.0 - np.asarray(_SHADOW)
        share: Array = _DARKEST + (1.0 - _DARKEST) * (left - full.prod()) / (1.0 - full.prod())
        return share

    def _filled(self, grid: Grid, points: Array, voxel: float) -> Array:
        """Trilinear look-up; everything outside of the room is solid."""
        values, steps = grid.ravel(), (grid.shape[1] * grid.shape[2], grid.shape[2], 1)
        flat, weights = np.zeros(len(points), np.int64), []
        for axis, step in enumerate(steps):
            place = np.clip((points[:, axis] - self._low[axis]) / voxel + 0.5, 0.0, grid.shape[axis] - 1.001)
            cell = place.astype(np.int64)
            flat += cell * step
            weights.append((1.0 - (place - cell), place - cell))
        total = np.zeros(len(points))
        for i, j, k in np.ndindex(2, 2, 2):
            value = values[flat + (i * steps[0] + j * steps[1] + k)]
            total += weights[0][i] * weights[1][j] * weights[2][k] * value
        return total

    def _sun(self, points: Array, normals: Array) -> Array:
        """Sunlight (N, 3) that falls through the panes and meets nothing on its way."""
        light = np.zeros((len(points), 3))
        for opening in self._openings:
            side = np.array([-opening.inward[1], opening.inward[0], 0.0])
            ray = 0.80 * opening.inward + 0.30 * side - np.array([0.0, 0.0, 0.62])
            ray /= np.linalg.norm(ray)
            facing = np.clip(-(normals @ ray), 0.0, None)
            distance = ((points - opening.middle) @ opening.inward) / float(ray @ opening.inward)
            hit = points - distance[:, None] * ray - opening.middle
            across, up = np.abs(hit @ side), np.abs(hit[:, 2])
            lit = (facing > 0.03) & (distance > 0.0) & (across < 0.5 * opening.width) & (up < 0.5 * opening.height)
            index = np.flatnonzero(lit)
            free = self._free_path(points[index] + normals[index] * 0.045, -ray, distance[index] - 0.20)
            light[index] += (0.50 * facing[index] * free)[:, None] * _SUN
        return light

    def _free_path(self, start: Array, direction: Array, length: Array) -> Array:
        """1 where a straight path of a length (N,) meets no filled voxel, else 0."""
        grid = self._levels[0]
        free = np.ones(len(start))
        for step in np.arange(0.0, float(length.max()) if len(length) else 0.0, 0.8 * _VOXEL):
            cell = np.floor((start + direction * step - self._low) / _VOXEL).astype(int) + 1
            cell = np.clip(cell, 0, np.asarray(grid.shape) - 1)
            free[(step < length) & (grid[tuple(cell.T)] > 0.5)] = 0.0
        return free


def _world(thing: ObjectSpec, local: tuple[float, float, float]) -> Array:
    c, s = math.cos(thing.yaw), math.sin(thing.yaw)
    x, y, z = thing.position
    return np.array([x + c * local[0] - s * local[1], y + s * local[0] + c * local[1], z + local[2]])


def _openings(thing: ObjectSpec) -> list[Opening]:
    inward = np.array([math.cos(thing.yaw), math.sin(thing.yaw), 0.0])
    return [
        Opening(_world(thing, part.center), inward, part.size[1], part.size[2])
        for part in thing.parts
        if part.look == "sky"
    ]


def _lamps(thing: ObjectSpec) -> list[Array]:
    """Places of bulbs; flames and toy eyes are too small to light a room."""
    return [_world(thing, part.center) for part in thing.parts if part.look == "light" and min(part.size) > 0.04]
