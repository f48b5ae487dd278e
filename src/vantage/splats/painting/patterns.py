"""Boards, tiles and carpets: what floors are laid with, and the tiles on the walls of bathrooms."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vantage.scenes.spec.spec import ObjectSpec, Part
from vantage.splats.painting.finish import Finish, Patch
from vantage.splats.painting.looks import LOOKS
from vantage.splats.painting.noise import hashed, smooth_noise
from vantage.splats.painting.pieces import Neighbours
from vantage.splats.painting.samples import Array

_TILED_ROOM = "bathroom"
_TILE_WHITE = np.array([0.93, 0.95, 0.95])


@dataclass(frozen=True)
class Pattern:
    """Equal pieces laid in rows.

    Attributes:
        length, width: of a piece, m; rows run along the first axis of the face.
        stagger: by which share of its length each row is shifted.
        cells: into which a piece is divided along its length and width.
        joint: color of the joints relative to that of the part.
        joint_width: m.
        top: height up to which the pieces reach, m.
    """

    finish: Finish
    length: float
    width: float
    stagger: float
    cells: tuple[int, int]
    joint: float
    joint_width: float
    top: float = math.inf

    def shift(self, row: int) -> float:
        """How far a row is shifted, m."""
        return (row * self.stagger) % 1.0 * self.length


def pattern_of(structure: ObjectSpec, part: Part, near: Neighbours) -> Pattern | None:
    """What a part of the building is laid with, None for plain ones."""
    if structure.label == "floor":
        return _FLOORS.get(part.look)
    if structure.label == "wall" and near.room_label(structure.room) == _TILED_ROOM:
        return _WALL_TILES
    return None


def _number(patch: Patch, length: float, width: float, stagger: float) -> Array:
    """A random number in [-1, 1) (N,) for the piece that each sample lies on."""
    row = np.floor(patch.points[:, 1] / width + 1e-6)
    column = np.floor((patch.points[:, 0] + row * stagger % 1.0 * length) / length + 1e-6)
    return hashed(np.stack([column, row, np.zeros_like(row)], axis=1), patch.seeds)


def _boards(patch: Patch) -> Array:
    tone = _number(patch, 1.70, 0.18, 0.41)
    grain = smooth_noise(patch.points * (2.5, 45.0, 1.0), patch.seeds)
    rings = smooth_noise(patch.points * (1.2, 14.0, 1.0), patch.seeds + 1)
    return patch.scaled(1.0 + 0.15 * tone + 0.04 * grain + 0.05 * rings)


def _tiles(patch: Patch) -> Array:
    cloud = smooth_noise(patch.points * 5.0, patch.seeds)
    return patch.scaled(1.0 + 0.05 * _number(patch, 0.45, 0.45, 0.0) + 0.05 * cloud)


def _wall_tiles(patch: Patch) -> Array:
    """White tiles below, the paint of the wall above, and a darker band between them."""
    height = patch.points[:, 2]
    painted = patch.scaled(1.0 + 0.015 * smooth_noise(patch.points / 0.35, patch.seeds))
    tiled = _TILE_WHITE * (1.0 + 0.02 * smooth_noise(patch.points / 0.15, patch.seeds))[:, None]
    return np.where((height < _WALL_TILES.top)[:, None], tiled, painted)


_FLOORS = {
    "boards": Pattern(LOOKS["boards"].painted(_boards), 1.70, 0.18, 0.41, (28, 3), 0.55, 0.007),
    "tiles": Pattern(LOOKS["tiles"].painted(_tiles), 0.45, 0.45, 0.0, (8, 8), 0.70, 0.008),
}
_WALL_TILES = Pattern(LOOKS["tiles"].painted(_wall_tiles), 0.30, 0.20, 0.0, (1, 1), 0.80, 0.005, 1.6)
