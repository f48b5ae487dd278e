"""Covers the inner faces of a building: walls without what furniture hides, floors laid piece by piece."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.spec import FACES, ObjectSpec, Part, SceneSpec
from vantage.splats.painting.looks import SKIRTING, Patch
from vantage.splats.painting.surfaces import UNCUT, Cuts, Samples, box_face, join, rectangle

Array = NDArray[np.float64]

_LAYING = {  # length and width of a piece (m), and by which share of its length each row is shifted
    "tiles": (0.45, 0.45, 0.0),
    "boards": (1.70, 0.18, 0.41),
}
_BEHIND_FIXTURE = 0.004  # m: how far a wall reaches behind what is fixed to it
_BEHIND_FURNITURE = 0.035  # m: the same for furniture, past which one can look along the wall
_CLOSED_FIXTURE = 0.84  # share of its rectangle that a thing on a wall must cover for the wall to be left out there
_CLOSED_BACK = 0.97  # the same for furniture, below which one can look


def slab_patches(thing: ObjectSpec, part: Part, spec: SceneSpec, spacing: float, seed: int) -> list[Patch]:
    """The inner face of a floor, wall or ceiling; a floor is laid plank by plank or tile by tile."""
    width, depth = (spec.bounds_max[k] - spec.bounds_min[k] for k in range(2))
    x, y = spec.bounds_min[0] - thing.position[0], spec.bounds_min[1] - thing.position[1]
    top = part.center[2] + 0.5 * part.size[2]
    if part.look in _LAYING:
        patches = _laid(part, (x, y, top), width, depth, _LAYING[part.look], spacing, seed)
        return [Patch(part, each.samples.select(_uncovered(each.samples, thing, spec)), each.seed) for each in patches]
    rectangles = [hidden for other in spec.objects if (hidden := _hidden_wall(other, thing)) is not None]
    start = 0.5 * part.size[1]
    fixed = [hidden for hidden in rectangles if hidden.fixed]
    sharp = [hidden for hidden in rectangles if hidden.fixed or hidden.shallow]
    cuts_u = Cuts(
        tuple(start + edge for hidden in sharp for edge in (hidden.low[0], hidden.high[0])),
        tuple((start + float(hidden.low[0]) - 0.05, start + float(hidden.high[0]) + 0.05) for hidden in fixed),
    )
    cuts_v = Cuts(
        (SKIRTING, *(edge for hidden in sharp for edge in (hidden.low[1], hidden.high[1]))),
        tuple((float(hidden.low[1]) - 0.05, float(hidden.high[1]) + 0.05) for hidden in fixed),
    )
    cuts = (cuts_u, cuts_v) if part.look == "wall" else (UNCUT, UNCUT)
    faces = [box_face(part.size, face, spacing, *cuts) for face in FACES if face not in part.open_faces]
    local = join(faces)
    points = local.points + np.asarray(part.center)
    keep = np.ones(len(points), dtype=bool)
    for hidden in rectangles:
        reach = _BEHIND_FIXTURE if hidden.fixed else _BEHIND_FURNITURE
        keep &= ~((points[:, 1:] > hidden.low + reach) & (points[:, 1:] < hidden.high - reach)).all(axis=1)
    samples = Samples(points, local.tangents, local.normals, local.widths, local.uv)
    return [Patch(part, samples.select(keep), seed)]


@dataclass(frozen=True)
class _Hidden:
    """A rectangle of a wall (y and z of two corners, m, in its frame) of which a thing hides every bit.

    Attributes:
        fixed: whether the thing hangs on the wall.
        shallow: whether only a thin board hides the wall from a person in front of it.
    """

    low: Array
    high: Array
    fixed: bool
    shallow: bool


def _hidden_wall(thing: ObjectSpec, wall: ObjectSpec) -> _Hidden | None:
    """What of a wall a thing hides, and what would show through its edges; None for things with gaps at their back."""
    place = wall_distance(thing, wall)
    if place is None:
        return None
    back = min(part.center[0] - 0.5 * part.size[0] for part in thing.parts)
    boxes = [box for part in thing.parts if (box := _solid_back(part, back)) is not None]
    if not boxes:
        return None
    low, high = np.min([box[0] for box in boxes], axis=0), np.max([box[1] for box in boxes], axis=0)
    fixed = thing.parent == wall.instance_id
    needed = _CLOSED_FIXTURE if fixed else _CLOSED_BACK
    if sum(float(np.prod(box[1] - box[0])) for box in boxes) < needed * float(np.prod(high - low)):
        return None
    offset = np.array([place, thing.position[2]])
    front = max(part.center[0] + 0.5 * part.size[0] for part in thing.parts)
    widest = max(part.size[1] * part.size[2] for part in thing.parts)
    boards = [part for part in thing.parts if part.size[1] * part.size[2] > 0.4 * widest]
    shallow = max(part.center[0] + 0.5 * part.size[0] for part in boards) < back + 0.2 * (front - back)
    return _Hidden(low + offset, high + offset, fixed, shallow)


def wall_distance(thing: ObjectSpec, wall: ObjectSpec) -> float | None:
    """How far along a wall (m, y of its frame) a thing stands with its back to it; None when it does not."""
    c, s = math.cos(wall.yaw), math.sin(wall.yaw)
    dx, dy = thing.position[0] - wall.position[0], thing.position[1] - wall.position[1]
    back = min(part.center[0] - 0.5 * part.size[0] for part in thing.parts)
    inner = max(part.center[0] + 0.5 * part.size[0] for part in wall.parts)
    turned = abs(math.remainder(thing.yaw - wall.yaw, math.tau)) > 1e-3
    if thing.is_structure or turned or not -0.01 < c * dx + s * dy + back - inner < 0.05:
        return None
    return c * dy - s * dx


def _solid_back(part: Part, back: float) -> tuple[Array, Array] | None:
    """The rectangle (y, z) that a part covers when it reaches to within 2 cm of the back of its object."""
    center, half = np.asarray(part.center)[1:], 0.5 * np.asarray(part.size)[1:]
    if part.center[0] - 0.5 * part.size[0] - back >= 0.02 or part.shape in ("ellipsoid", "cone"):
        return None
    if part.shape == "cylinder" and part.axis != "x" and part.size[0] > 0.1:
        return None  # it touches the wall along one line only
    if part.shape == "cylinder":
        half = half * {"x": (0.7, 0.7), "y": (0.95, 0.5), "z": (0.95, 1.0)}[part.axis]
    return center - half, center + half


def _uncovered(samples: Samples, floor: ObjectSpec, spec: SceneSpec) -> NDArray[np.bool_]:
    """Which samples of a floor no rug lies on."""
    keep = np.ones(len(samples), dtype=bool)
    for thing in spec.objects:
        flat = [part for part in thing.parts if part.shape == "box" and part.center[2] + 0.5 * part.size[2] < 0.03]
        if thing.relation or thing.is_structure or len(flat) < len(thing.parts):
            continue
        c, s = math.cos(thing.yaw), math.sin(thing.yaw)
        offset = samples.points[:, :2] + np.subtract(floor.position, thing.position)[:2]
        local = offset @ np.array([[c, -s], [s, c]])
        for part in flat:
            keep &= (np.abs(local - part.center[:2]) > 0.5 * np.asarray(part.size[:2]) - 0.03).any(axis=1)
    return keep


def _laid(
    part: Part,
    corner: tuple[float, float, float],
    width: float,
    depth: float,
    laying: tuple[float, float, float],
    spacing: float,
    seed: int,
) -> list[Patch]:
    """Pieces that fill a floor row by row."""
    length, height, stagger = laying
    patches = []
    rows = math.ceil(depth / height - 1e-9)
    for row in range(rows):
        low_y, high_y = row * height, min(depth, (row + 1) * height)
        first = -((row * stagger) % 1.0) * length
        for column in range(math.ceil((width - first) / length - 1e-9)):
            low_x, high_x = max(0.0, first + column * length), min(width, first + (column + 1) * length)
            if high_x - low_x < 0.02 or high_y - low_y < 0.005:
                low_x = min(low_x, width - 0.02)
                if low_x >= high_x:
                    continue
            samples = rectangle(
                (corner[0] + low_x, corner[1] + low_y, corner[2]),
                (high_x - low_x, 0.0, 0.0),
                (0.0, high_y - low_y, 0.0),
                spacing,
            )
            patches.append(Patch(part, samples, seed + 97 * row + 7 * column))
    return patches
