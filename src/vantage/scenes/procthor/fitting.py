"""Designs of the catalogue, stretched to the size of another object of their class."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from vantage.scenes.geometry import Design, closed_parts, moved
from vantage.scenes.spec import Joint, Part
from vantage.types import Point

_THINNEST = 1e-3  # m

Axes = tuple[Callable[[float], float], Callable[[float], float], Callable[[float], float]]


@dataclass(frozen=True)
class Ledge:
    """A level face of a design, in its frame: its height and its edges (x and y of two corners), m."""

    z: float
    low: tuple[float, float]
    high: tuple[float, float]

    def share_of(self, low: tuple[float, float], high: tuple[float, float]) -> float:
        """Share of a rectangle that lies on it, 0..1."""
        shared = [min(self.high[k], high[k]) - max(self.low[k], low[k]) for k in (0, 1)]
        return max(shared[0], 0.0) * max(shared[1], 0.0) / ((high[0] - low[0]) * (high[1] - low[1]))


def ledges(parts: Sequence[Part]) -> list[Ledge]:
    """Tops of the solid primitives."""
    found = []
    for part in parts:
        if not part.open_faces:
            (x, y, z), (dx, dy, dz) = part.center, part.size
            found.append(Ledge(z + 0.5 * dz, (x - 0.5 * dx, y - 0.5 * dy), (x + 0.5 * dx, y + 0.5 * dy)))
    return found


def closed_extent(design: Design) -> tuple[Point, Point]:
    """Corners of the box around a design with its doors and drawers closed, in its frame, m."""
    parts = closed_parts(design.parts, design.joints)
    low = np.min([np.subtract(part.center, np.multiply(0.5, part.size)) for part in parts], axis=0)
    high = np.max([np.add(part.center, np.multiply(0.5, part.size)) for part in parts], axis=0)
    (x0, y0, z0), (x1, y1, z1) = low.tolist(), high.tolist()
    return (x0, y0, z0), (x1, y1, z1)


def fitted(design: Design, size: Point, levels: Sequence[tuple[float, float]] = ()) -> Design:
    """A design stretched so that it fills a box of a size (depth, width, height; m) centred on the origin's z axis.

    Doors, drawers and lids that stand open still do; the box is that of the closed object.

    Args:
        levels: pairs of a height that the stretched design has and the height that it should have instead, m.
    """
    low, high = closed_extent(design)
    knots = [(0.0, 0.0), *sorted(levels)]
    if knots[-1][0] < size[2] - _THINNEST:
        knots.append((size[2], size[2]))
    heights, wanted = zip(*knots, strict=True)

    def level(z: float) -> float:
        linear = (z - low[2]) * size[2] / (high[2] - low[2])
        return float(np.interp(linear, heights, wanted))

    return stretched(design, (_linear(low[0], high[0], size[0]), _linear(low[1], high[1], size[1]), level))


def stretched(design: Design, axes: Axes) -> Design:
    """A design whose coordinates are mapped along each axis by a growing function; surfaces are left out."""
    parts = [_stretched_part(part, axes) for part in closed_parts(design.parts, design.joints)]
    joints = tuple(_stretched_joint(joint, axes) for joint in design.joints)
    travels = {joint.part: (joint, joint.position - joint.low) for joint in joints if joint.position != joint.low}
    parts = [moved(part, *travels[part.name]) if part.name in travels else part for part in parts]
    return Design(tuple(parts), (), joints)


def _linear(low: float, high: float, size: float) -> Callable[[float], float]:
    return lambda value: (value - 0.5 * (low + high)) * size / max(high - low, _THINNEST)


def _stretched_part(part: Part, axes: Axes) -> Part:
    center, size = [], []
    for middle, extent, along in zip(part.center, part.size, axes, strict=True):
        low, high = along(middle - 0.5 * extent), along(middle + 0.5 * extent)
        center.append(0.5 * (low + high))
        size.append(max(high - low, _THINNEST))
    return replace(part, center=(center[0], center[1], center[2]), size=(size[0], size[1], size[2]))


def _stretched_joint(joint: Joint, axes: Axes) -> Joint:
    x, y, z = (along(value) for along, value in zip(axes, joint.origin, strict=True))
    if joint.kind == "hinge":
        return replace(joint, origin=(x, y, z))

    def travel(way: float) -> float:
        ends = [along(value + way * part) for along, value, part in zip(axes, joint.origin, joint.axis, strict=True)]
        return math.copysign(math.dist(ends, (x, y, z)), way)

    low, high, position = (travel(value) for value in (joint.low, joint.high, joint.position))
    return replace(joint, origin=(x, y, z), low=low, high=high, position=position)
