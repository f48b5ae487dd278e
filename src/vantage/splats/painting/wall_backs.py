"""What of a wall furniture and fixtures hide, so that nothing is painted there that would shine through their edges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vantage.scenes.spec.spec import ObjectSpec, Part
from vantage.splats.painting.pieces import UPRIGHT, place_in
from vantage.splats.painting.samples import Array

_CLOSED_FIXTURE = 0.84  # share of its rectangle that a thing on a wall must cover for the wall to be left out there
_CLOSED_BACK = 0.97  # the same for furniture, below which one can look
_GAP = 0.05  # m: furniture that stands farther from a wall hides nothing of it


@dataclass(frozen=True)
class Hidden:
    """A rectangle of a wall (y and z of two corners, m, in its frame) of which a thing hides every bit.

    Attributes:
        fixed: whether the thing hangs on the wall.
        shallow: whether only a thin board hides the wall from a person in front of it.
    """

    low: Array
    high: Array
    fixed: bool
    shallow: bool


def hidden_wall(thing: ObjectSpec, wall: ObjectSpec) -> Hidden | None:
    """What of a wall a thing hides; None for things with gaps at their back."""
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
    offset = np.array([place, thing.position[2] - wall.position[2]])
    front = max(part.center[0] + 0.5 * part.size[0] for part in thing.parts)
    widest = max(part.size[1] * part.size[2] for part in thing.parts)
    boards = [part for part in thing.parts if part.size[1] * part.size[2] > 0.4 * widest]
    shallow = max(part.center[0] + 0.5 * part.size[0] for part in boards) < back + 0.2 * (front - back)
    return Hidden(low + offset, high + offset, fixed, shallow)


def wall_distance(thing: ObjectSpec, wall: ObjectSpec) -> float | None:
    """How far along a wall (m, y of its frame) a thing stands with its back to it; None when it does not."""
    x, y, _, turned = place_in(thing, wall)
    if thing.is_structure or abs(turned) > UPRIGHT:
        return None
    back = min(part.center[0] - 0.5 * part.size[0] for part in thing.parts)
    inner = max(part.center[0] + 0.5 * part.size[0] for part in wall.parts)
    ends = [part.center[1] + side * part.size[1] for part in wall.parts for side in (-0.5, 0.5)]
    if not -0.01 < x + back - inner < _GAP or not min(ends) < y < max(ends):
        return None
    return y


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
