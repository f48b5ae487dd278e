"""Light that is baked into a cloud: sky and bounce light with soft shadows, sun through windows, lamps, highlights.

Soft shadows follow the idea of voxel cone tracing (Crassin et al., 2011): the share of filled space along the normal,
looked up in ever coarser grids, is the share of light that does not arrive.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.jit import kernel
from vantage.scenes.looks import SKY, SUN, Pane, light_sources
from vantage.scenes.spec import RoomMap, SceneSpec, rooms_of
from vantage.splats.synthesis.samples import Array
from vantage.splats.synthesis.voxels import SceneVoxels

Grid = NDArray[np.float32]

_LEVELS = 4
_SHADOW = (0.30, 0.26, 0.26, 0.30)  # weight of each level, finest first
_DARKEST = 0.60  # what is left in the deepest corner
_PANE = 0.20  # m: how far sunlight has come when it enters the grid of voxels


class Lighting:
    """The light of one scene, room by room; rooms are given by their number in the scene."""

    def __init__(self, spec: SceneSpec, air: SceneVoxels) -> None:
        rooms = rooms_of(spec)
        sources = light_sources(spec)
        self._air = air
        self._panes, self._lamps, self.keys = sources.panes, sources.lamps, sources.keys
        low, high = RoomMap(rooms).boxes
        self._eyes = np.column_stack([0.5 * (low + high), np.full(len(rooms), spec.bounds_min[2] + 1.5)])
        self._levels = _pyramid(air.filled)

    def shade(self, points: Array, normals: Array, rooms: NDArray[np.int64]) -> Array:
        """Light (N, 3) that arrives at surfaces in rooms (N,): 1 leaves their color as it is."""
        reach = self._unshadowed(points, normals)
        ambient = 0.86 + 0.07 * normals[:, 2] + 0.10 * np.clip(-normals[:, 2], 0.0, None)  # the floor reflects, too
        key = 0.18 * np.clip((normals * self.keys[rooms]).sum(axis=1), 0.0, None)
        light: Array = ((ambient + key) * reach)[:, None] * SKY
        lit = {pane.room for pane in self._panes} | {lamp.room for lamp in self._lamps}
        members = {room: np.flatnonzero(rooms == room) for room in lit}
        for pane in self._panes:
            self._add_sun(pane, points, normals, members[pane.room], light)
        for lamp in self._lamps:
            index = members[lamp.room]
            offset = lamp.place - points[index]
            distance = np.sqrt((offset * offset).sum(axis=1))
            toward = offset / np.maximum(distance, 1e-6)[:, None]
            facing = np.clip((toward * normals[index]).sum(axis=1), 0.0, 1.0)
            strength = lamp.strength * (0.35 + 0.65 * facing) * np.exp(-((distance / lamp.reach) ** 2))
            if lamp.shadows:
                start = points[index] + normals[index] * (1.5 * self._air.voxel)
                strength *= self._air.path_is_free(start, toward, distance - 2.0 * self._air.voxel)
            light[index] += (strength * reach[index])[:, None] * lamp.color
        return light

    def highlight(self, points: Array, normals: Array, rooms: NDArray[np.int64], sharpness: Array) -> Array:
        """Strength (N,) of the highlight towards an eye in the middle of the room (Blinn's half vector)."""
        to_eye = self._eyes[rooms] - points
        to_eye /= np.maximum(np.linalg.norm(to_eye, axis=1, keepdims=True), 1e-6)
        half = to_eye + self.keys[rooms]
        half /= np.maximum(np.linalg.norm(half, axis=1, keepdims=True), 1e-6)
        strength: Array = np.clip((normals * half).sum(axis=1), 0.0, 1.0) ** sharpness
        return strength

    def _unshadowed(self, points: Array, normals: Array) -> Array:
        """Share (N,) of the light from all around that arrives."""
        left = np.ones(len(points))
        points, normals = np.ascontiguousarray(points), np.ascontiguousarray(normals)
        for level, (grid, weight) in enumerate(zip(self._levels, _SHADOW, strict=True)):
            _shadow(grid, self._air.low, self._air.voxel * 2**level, points, normals, 1.6, weight, left)
        full = 1.0 - np.asarray(_SHADOW)
        share: Array = _DARKEST + (1.0 - _DARKEST) * (left - full.prod()) / (1.0 - full.prod())
        return share

    def _add_sun(self, pane: Pane, points: Array, normals: Array, index: NDArray[np.int64], light: Array) -> None:
        """Sunlight that falls through a pane onto surfaces of its room and meets nothing on its way."""
        ray, side = pane.sunray, np.array([-pane.inward[1], pane.inward[0], 0.0])
        facing = np.clip(-(normals[index] @ ray), 0.0, None)
        distance = ((points[index] - pane.middle) @ pane.inward) / float(ray @ pane.inward)
        hit = points[index] - distance[:, None] * ray - pane.middle
        across, up = np.abs(hit @ side), np.abs(hit[:, 2])
        lit = (facing > 0.03) & (distance > 0.0) & (across < 0.5 * pane.width) & (up < 0.5 * pane.height)
        index, facing = index[lit], facing[lit]
        start = points[index] + normals[index] * (1.5 * self._air.voxel)
        free = self._air.path_is_free(start, -ray, distance[lit] - _PANE)
        light[index] += (0.50 * facing * free)[:, None] * SUN


def _pyramid(filled: NDArray[np.bool_]) -> list[Grid]:
    """Ever coarser means of a grid, each with a border of filled cells."""
    pad = [(0, -size % 2 ** (_LEVELS - 1)) for size in filled.shape]
    level = np.pad(filled, pad, constant_values=True).astype(np.float32)
    levels = [level]
    for _ in range(_LEVELS - 1):
        for axis in range(3):
            level = level.reshape(*level.shape[:axis], -1, 2, *level.shape[axis + 1 :]).mean(axis=axis + 1)
        levels.append(level)
    return [np.pad(each, 1, constant_values=1.0) for each in levels]


@kernel
def _shadow(
    grid: Any, low: Any, voxel: float, points: Any, normals: Any, ahead: float, weight: float, left: Any
) -> None:
    """Multiply what is left of the light by what a trilinear look-up before each surface lets through."""
    cell, share = np.empty(3, np.int64), np.empty((3, 2))
    for n in range(len(points)):
        for k in range(3):
            at = (points[n, k] + normals[n, k] * ahead * voxel - low[k]) / voxel + 0.5
            at = min(max(at, 0.0), grid.shape[k] - 1.001)
            cell[k] = math.floor(at)
            share[k, 1] = at - cell[k]
            share[k, 0] = 1.0 - share[k, 1]
        total = 0.0
        for a in range(2):
            for b in range(2):
                for c in range(2):
                    part = share[0, a] * share[1, b] * share[2, c]
                    total += part * grid[cell[0] + a, cell[1] + b, cell[2] + c]
        left[n] *= 1.0 - weight * total
