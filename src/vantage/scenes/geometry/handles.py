"""Where a hand takes hold of a door, drawer, lid or flap."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vantage.errors import SceneError
from vantage.scenes.geometry.movement import moved
from vantage.scenes.spec import Joint, ObjectSpec, part_reach
from vantage.spatial import rotation_matrix
from vantage.types import Point

Array = NDArray[np.float64]

_STANDS_OUT = 0.004  # m: what rises less from the front is no handle
_EQUAL = 0.003  # m: what stands out nearly as far as the farthest is asked for its place
_SMALL = 0.25  # share of the front that a handle may cover,
_SHORT = 0.35  # and of the way from the hinge to the free edge: what is longer is a band or a board
_GRIP = (0.12, 0.04)  # m: length and depth of an edge that is taken hold of where there is no handle


@dataclass(frozen=True)
class Handle:
    """Where a moving part is taken hold of, as it stands now.

    Attributes:
        center: in the object frame, m.
        outward: unit vector in the object frame, out of the front, away from what the part closes.
        free: unit vector in the object frame from the hinge to the free edge, across both; zero for drawers.
        size: full extents along the object's axes while the part is closed, m; they turn with the part.
        index: of the primitive among the parts of the object, None where an edge of the part is the handle.
    """

    center: Point
    outward: Point
    free: Point
    size: Point
    index: int | None


def handle_of(obj: ObjectSpec, joint: Joint) -> Handle:
    """The handle of a moving part: the small primitive that stands out farthest from its front.

    The front is the side towards which the part opens. Of primitives that stand out equally far, it is the one farthest
    from the hinge. Where nothing stands out of the front, a clasp may at the free edge. Else the handle is the middle
    of that edge, of a drawer the middle of its front.

    Raises:
        SceneError: no primitive has the name of the joint's part.
    """
    indices = [index for index, part in enumerate(obj.parts) if part.name == joint.part]
    if not indices:
        raise SceneError(f"{obj.label} {obj.instance_id} has no part '{joint.part}' that a hand could hold; name one")
    closed = [moved(obj.parts[index], joint, joint.low - joint.position) for index in indices]
    centers = np.array([part.center for part in closed])
    halves = np.array([part_reach(part) for part in closed])
    low, high = (centers - halves).min(axis=0), (centers + halves).max(axis=0)
    out, free = _directions(joint, 0.5 * (low + high))
    found = _grip(centers, halves, out, free, out)
    if found is None and joint.kind == "hinge":
        found = _grip(centers, halves, out, free, free)
    index = None if found is None else indices[found]
    if found is None:
        center, size = _edge(low, high, out, free)
    else:
        center, size = centers[found], 2.0 * halves[found]
    grip = replace(closed[0], shape="box", center=_point(center), size=_point(size), rotation=(0.0, 0.0, 0.0), text="")
    now = moved(grip, joint, joint.position - joint.low)
    turn = np.eye(3)
    if joint.kind == "hinge":
        turn = rotation_matrix(_point((joint.position - joint.low) * np.asarray(joint.axis)))
    return Handle(now.center, _point(turn @ out), _point(turn @ free), _point(size), index)


def _directions(joint: Joint, middle: Array) -> tuple[Array, Array]:
    """Unit vectors of a closed part: out of its front, and from the hinge to its free edge (zero for slides)."""
    axis = np.asarray(joint.axis, dtype=np.float64)
    if joint.kind == "slide":
        return axis, np.zeros(3)
    arm = middle - np.asarray(joint.origin)
    arm -= (arm @ axis) * axis
    along = int(np.abs(axis).argmax())
    # Thin parts have their hinge in the plane of their front, so the arm is nearly along one axis of the object.
    free = np.zeros(3)
    across = [k for k in range(3) if k != along]
    longest = max(across, key=lambda k: abs(arm[k]))
    free[longest] = math.copysign(1.0, arm[longest])
    out = np.cross(axis, free)
    return out / np.linalg.norm(out), free


def _grip(centers: Array, halves: Array, out: Array, free: Array, side: Array) -> int | None:
    """Which of the closed primitives is the handle that stands out towards a side, None for none."""
    sides = np.abs(out) > 0.5  # the axis of the front
    areas = np.prod(np.where(sides, 1.0, 2.0 * halves), axis=1)
    fronts = centers @ side + halves @ np.abs(side)
    way = (centers @ free + halves @ np.abs(free)).max() - (centers @ free - halves @ np.abs(free)).min()
    main = (areas > _SMALL * areas.max()) | (2.0 * halves @ np.abs(free) > _SHORT * max(float(way), 1e-9))
    rise = fronts - fronts[main].max()
    small = np.flatnonzero(~main & (rise > _STANDS_OUT))
    if not len(small):
        return None
    best = small[rise[small] > rise[small].max() - _EQUAL]
    far = centers[best] @ free
    return int(best[np.lexsort((best, -areas[best].round(9), -far.round(6)))[0]])


def _edge(low: Array, high: Array, out: Array, free: Array) -> tuple[Array, Array]:
    """Middle and size of the free edge of a closed part, or of the middle of a drawer's front."""
    middle, extent = 0.5 * (low + high), high - low
    length, depth = _GRIP
    size = np.where(np.abs(out) > 0.5, np.minimum(extent, depth), np.minimum(extent, length))
    size = np.where(np.abs(free) > 0.5, np.minimum(extent, depth), size)
    center = middle + 0.5 * (extent - size) * (np.rint(out) + free)
    return center, size


def _point(values: Sequence[float] | Array) -> Point:
    x, y, z = (float(value) + 0.0 for value in values)
    return x, y, z
