"""The light that falls on the bitmaps of a home, and what shiny ones throw back.

What can be carried about gets light from all around, without the shadows of the place where it stands.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.spec import ObjectSpec, SceneSpec
from vantage.splats.synthesis import Lighting, SceneVoxels
from vantage.worlds.house.looks.bitmaps import Bitmap, rotation_of, turned
from vantage.worlds.house.looks.surfaces import Array

_CARRIED = 5.0  # kg: lighter things may be carried about
_GAIN, _WARMTH = (0.82, 1.08), 0.06  # of random light


def light_on(bitmaps: Sequence[Bitmap], home: SceneSpec, seed: int | None = None) -> list[NDArray[np.float32]]:
    """For each bitmap (rows, columns, 4): what its colors are multiplied by, and what shines towards the middle of the
    room; in its ``light_size``.

    Args:
        seed: of random brightness and warmth of each room; None for usual light.
    """
    grids = [each.grid(each.light_size) for each in bitmaps]
    counts = [len(points) for points, _ in grids]
    points, normals = _in_world(bitmaps, counts, grids)
    rooms = np.repeat(np.array([each.room for each in bitmaps], dtype=np.int64), counts)
    lighting = Lighting(home, SceneVoxels(home, points))
    carried = np.repeat(np.array([can_be_carried(each.obj) for each in bitmaps]), counts)
    light = np.empty((len(points), 3))
    fixed = np.flatnonzero(~carried)
    light[fixed] = lighting.shade(points[fixed], normals[fixed], rooms[fixed])
    light[carried] = _all_around(normals[carried], lighting.keys[rooms[carried]])[:, None]
    if seed is not None:
        light *= _gains(len(lighting.keys), seed)[rooms]
    glow = np.repeat(np.array([each.coat.finish.glow for each in bitmaps]), counts)[:, None]
    light = glow + (1.0 - glow) * light
    gloss, sharpness = (
        np.repeat(np.array([getattr(each.coat.finish, name) for each in bitmaps]), counts)
        for name in ("gloss", "sharpness")
    )
    shine = np.zeros(len(points))
    shiny = np.flatnonzero(gloss > 0)
    shine[shiny] = gloss[shiny] * lighting.highlight(points[shiny], normals[shiny], rooms[shiny], sharpness[shiny])
    found = np.concatenate([light, shine[:, None]], axis=1).astype(np.float32)
    ends = np.cumsum(counts)
    return [
        found[end - count : end].reshape(each.light_size[1], each.light_size[0], 4)
        for each, count, end in zip(bitmaps, counts, ends, strict=True)
    ]


def can_be_carried(obj: ObjectSpec) -> bool:
    """Whether somebody might lift it off."""
    return not obj.is_structure and 0.0 < obj.mass < _CARRIED


def _all_around(normals: Array, keys: Array) -> Array:
    """Light (N,) on things that are not in the shade of others."""
    ambient = 0.86 + 0.07 * normals[:, 2] + 0.10 * np.clip(-normals[:, 2], 0.0, None)
    found: Array = ambient + 0.18 * np.clip((normals * keys).sum(axis=1), 0.0, None)
    return found


def _gains(rooms: int, seed: int) -> Array:
    """Random brightness and warmth (R, 3) of the light of each room."""
    rng = np.random.default_rng([seed, rooms])
    warm = rng.uniform(-_WARMTH, _WARMTH, rooms)
    found: Array = rng.uniform(*_GAIN, rooms)[:, None] * np.stack([1.0 + warm, np.ones(rooms), 1.0 - warm], axis=1)
    return found


def _in_world(
    bitmaps: Sequence[Bitmap], counts: Sequence[int], grids: Sequence[tuple[Array, Array]]
) -> tuple[Array, Array]:
    points = np.concatenate([turned(each.part, grid[0]) for each, grid in zip(bitmaps, grids, strict=True)])
    normals = np.concatenate(
        [
            grid[1] if not any(each.part.rotation) else grid[1] @ rotation_of(each.part).T
            for each, grid in zip(bitmaps, grids, strict=True)
        ]
    )
    yaw = np.repeat(np.array([each.obj.yaw for each in bitmaps]), counts)
    c, s = np.cos(yaw), np.sin(yaw)

    def about_z(vectors: Array) -> Array:
        x, y, z = vectors.T
        return np.stack([c * x - s * y, s * x + c * y, z], axis=1)

    place = np.repeat(np.array([each.obj.position for each in bitmaps]), counts, axis=0)
    return about_z(points) + place, about_z(normals)
