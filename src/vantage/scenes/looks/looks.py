"""All looks by name: colors before light falls on them, gloss and glow, and patterns of floors and tiled walls."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.errors import SceneError
from vantage.registry import did_you_mean
from vantage.scenes.looks import materials, textures
from vantage.scenes.looks.textures import Array, Finish, Patch, hashed, mottled, plain, smooth_noise
from vantage.scenes.spec import ObjectSpec, Part

LOOKS: dict[str, Finish] = {
    "": Finish(plain),
    "wood": Finish(materials.wood, gloss=0.05, sharpness=10, grain=3.0),
    "metal": Finish(materials.metal, gloss=0.28, sharpness=12),
    "plastic": Finish(materials.plastic, gloss=0.22, sharpness=18),
    "ceramic": Finish(materials.ceramic, gloss=0.45, sharpness=40),
    "glass": Finish(materials.glass, gloss=0.50, sharpness=36),
    "open glass": Finish(materials.glass, gloss=0.50, sharpness=36, opacity=0.15),
    "filled glass": Finish(materials.filled_glass, gloss=0.50, sharpness=36, opacity=0.30),
    "stone": Finish(materials.stone, gloss=0.12, sharpness=16),
    "fabric": Finish(materials.fabric),
    "leather": Finish(materials.leather, gloss=0.22, sharpness=8),
    "paper": Finish(materials.paper),
    "paint": Finish(plain),
    # The building.
    "ceiling": Finish(plain, spacing=0.075),
    "wall": Finish(textures.wall, spacing=0.08),
    "boards": Finish(plain, gloss=0.05, sharpness=8),
    "tiles": Finish(plain, gloss=0.06, sharpness=8),
    "carpet": Finish(mottled(0.09, 0.03), spacing=0.08),
    # Textures.
    "wicker": Finish(materials.wicker, spacing=0.010),
    "pages": Finish(textures.pages),
    "rug": Finish(textures.rug, spacing=0.028),
    "leaf": Finish(mottled(0.12, 0.02), gloss=0.06, sharpness=8),
    "soil": Finish(mottled(0.25, 0.01)),
    "skin": Finish(mottled(0.04, 0.015), gloss=0.25, sharpness=16),
    "ball": Finish(textures.ball, gloss=0.20, sharpness=14),
    "mesh": Finish(textures.mesh, spacing=0.006),
    "water": Finish(materials.water, spacing=0.02, gloss=0.35, sharpness=24),
    # What shows something of its own.
    "label": Finish(plain, spacing=0.03),
    "sky": Finish(textures.sky, spacing=0.03, glow=1.0),
    "glow": Finish(textures.lamp_shade, glow=0.75),
    "light": Finish(plain, glow=1.0),
    "clock face": Finish(textures.clock_face, spacing=0.008),
    "screen": Finish(textures.screen, spacing=0.009, glow=0.6),
    "dark screen": Finish(textures.dark_screen, spacing=0.02, glow=0.3),
    "film": Finish(textures.film, spacing=0.014, glow=0.65),
    "keys": Finish(textures.keys, spacing=0.008),
    "painting": Finish(textures.painting, spacing=0.013),
    "mirror": Finish(textures.mirror, spacing=0.035, glow=0.3),
    "globe": Finish(textures.globe, spacing=0.007, gloss=0.20, sharpness=16),
    "days": Finish(textures.days, spacing=0.010),
    "lines": Finish(textures.handwriting, spacing=0.012),
    "burner": Finish(textures.burner, spacing=0.007, glow=0.85),
}

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

    def joints(self, across: Array, along: Array) -> NDArray[np.bool_]:
        """Which places (N,) lie on joints: along the rows and from row to row, m in the frame of the object."""
        row = np.floor(along / self.width + 1e-6)
        beside = np.abs(np.remainder(along + 0.5 * self.width, self.width) - 0.5 * self.width)
        place = across + row * self.stagger % 1.0 * self.length
        ahead = np.abs(np.remainder(place + 0.5 * self.length, self.length) - 0.5 * self.length)
        on: NDArray[np.bool_] = np.minimum(beside, ahead) <= 0.5 * self.joint_width
        return on & (along <= self.top + 0.5 * self.joint_width)


def finish_of(obj: ObjectSpec, part: Part) -> Finish:
    """The look of a part, that of its object's material where it has none of its own; one sees into a drinking glass.

    Raises:
        SceneError: there is no such look.
    """
    look = part.look or obj.material
    if look == "glass" and "z+" in part.open_faces:
        look = "filled glass" if "full" in obj.states else "open glass"
    if look not in LOOKS:
        hint = did_you_mean(look, sorted(LOOKS))
        raise SceneError(f"{obj.label} {obj.instance_id} has the unknown look '{look}'{hint}")
    return LOOKS[look]


def pattern_of(structure: ObjectSpec, part: Part, room_label: str) -> Pattern | None:
    """What a part of the building is laid with in a kind of room, None for plain ones."""
    if structure.label == "floor":
        return _FLOORS.get(part.look)
    if structure.label == "wall" and room_label == _TILED_ROOM:
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
