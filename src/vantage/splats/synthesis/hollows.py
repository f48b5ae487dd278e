"""How much light gets into what is open at the top: mugs, pots, bins and baskets are darker inside, and do not shine.

The share of the light from all around that comes straight through the opening is the configuration factor between a
place on the wall or on the floor of a cylinder and its open end (Howell et al., "A Catalog of Radiation Heat Transfer
Configuration Factors"); what the inside itself reflects adds the geometric series of an integrating sphere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vantage.scenes.spec import ObjectSpec, Part
from vantage.splats.synthesis.pieces import Piece
from vantage.splats.synthesis.samples import Array, Samples

_WALL = 0.001  # m: what is nearer to the outline of a hollow, or farther out, is its outer side
_INWARD = 0.3  # sample normals of which a larger share points away from the axis are those of what lies in it
_LEAST_DEPTH = 0.03  # m: plates and saucers are no hollows
_SCATTERED = 0.30  # share of the light from all around that the air, walls and other things bring in anyway


class Hollow(NamedTuple):
    """The inside of a round part, upright in the frame of its object, m.

    Attributes:
        x, y: of its axis.
        low, high: its ends; the opening is at the high one.
        wide: its radius at the opening, and ``narrow`` at the low end.
    """

    x: float
    y: float
    low: float
    high: float
    wide: float
    narrow: float


def hollows_of(obj: ObjectSpec) -> list[Hollow]:
    """The hollows of an object, none for what has no round opening at its top."""
    return [_hollow(part) for part in obj.parts if _is_hollow(part)]


def openness(samples: Samples, pieces: Sequence[Piece]) -> Array:
    """Share (N,) of the light from all around that comes straight in, 1 outside of hollows.

    Args:
        samples: in the frames of their objects.
    """
    found = np.ones(len(samples))
    for number, piece in enumerate(pieces):
        hollows = [] if piece.turn is not None else hollows_of(piece.obj)
        if hollows:
            rows = np.flatnonzero(samples.pieces == number)
            points, normals = samples.points[rows], samples.normals[rows]
            found[rows] = np.min([_share_in(hollow, points, normals) for hollow in hollows], axis=0)
    return found


def brightness(share: Array, colors: Array) -> Array:
    """Factor (N,) for the light at places that ``share`` of it reaches straight, of some colors (N, 3)."""
    reflected = np.clip(colors.mean(axis=1), 0.0, 0.95)
    filled: Array = share / (1.0 - reflected * (1.0 - share))
    return _SCATTERED + (1.0 - _SCATTERED) * filled


def _is_hollow(part: Part) -> bool:
    return (
        part.shape in ("cylinder", "cone")
        and part.axis == "z"
        and "z+" in part.open_faces
        and part.size[2] >= _LEAST_DEPTH
        and not part.text
        and not part.is_turned
    )


def _hollow(part: Part) -> Hollow:
    x, y, z = part.center
    low, high = (1.0, 1.0) if part.shape == "cylinder" else part.ends
    radius, half = 0.25 * (part.size[0] + part.size[1]), 0.5 * part.size[2]
    return Hollow(x, y, z - half, z + half, high * radius, low * radius)


def _share_in(hollow: Hollow, points: Array, normals: Array) -> Array:
    """Share (N,) of the light that comes straight in at places (N, 3), 1 where these are not inside of a hollow."""
    x, y = points[:, 0] - hollow.x, points[:, 1] - hollow.y
    radius = np.hypot(x, y)
    outward = (x * normals[:, 0] + y * normals[:, 1]) / np.maximum(radius, 1e-6)
    depth = hollow.high - points[:, 2]
    along = np.clip(1.0 - depth / (hollow.high - hollow.low), 0.0, 1.0)
    outline = hollow.narrow + (hollow.wide - hollow.narrow) * along
    inside = (radius < outline - _WALL) & (outward < _INWARD) & (depth > 0) & (points[:, 2] > hollow.low - _WALL)
    steep = np.maximum(depth, 0.0) / (2.0 * hollow.wide)
    wall = (steep**2 + 0.5) / np.sqrt(steep**2 + 1.0) - steep
    floor = 1.0 / (1.0 + 4.0 * steep**2)
    level = np.clip(normals[:, 2], 0.0, 1.0)
    return np.where(inside, level * floor + (1.0 - level) * wall, 1.0)
