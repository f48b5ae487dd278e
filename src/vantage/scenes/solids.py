"""Upright prisms that stand for parts, and the three questions a placement asks: do they overlap, contain, touch.

Every part is taken as its outline seen from above, extruded over its height. Objects only turn about z, so this is
exact for boxes and cylinders and on the safe side for ellipsoids and cones.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.spec import ObjectSpec

Outline = NDArray[np.float64]

_CIRCLE = np.stack(
    [np.cos(np.arange(16) * math.tau / 16), np.sin(np.arange(16) * math.tau / 16)], axis=1
)  # an inscribed polygon: 2 % of the radius short between its corners
_SQUARE = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])


@dataclass(frozen=True)
class Prism:
    """An upright solid in the world frame, m.

    Attributes:
        outline: corners (K, 2), convex, counter-clockwise.
        bottom, top: its extent along z.
        hollow: whether it is a thin shell that other things may lie in.
    """

    outline: Outline
    bottom: float
    top: float
    hollow: bool = False


def object_prisms(thing: ObjectSpec) -> list[Prism]:
    """One prism for each part, in the order of the parts."""
    c, s = math.cos(thing.yaw), math.sin(thing.yaw)
    turn = np.array([[c, s], [-s, c]])
    prisms = []
    for part in thing.parts:
        outline = (_CIRCLE if part.is_round else _SQUARE) * (0.5 * part.size[0], 0.5 * part.size[1])
        outline = (outline + part.center[:2]) @ turn + thing.position[:2]
        middle, half = thing.position[2] + part.center[2], 0.5 * part.size[2]
        prisms.append(Prism(outline, middle - half, middle + half, bool(part.open_faces) and not thing.is_structure))
    return prisms


def _edge_normals(outline: Outline) -> Outline:
    edges = np.roll(outline, -1, axis=0) - outline
    normals: Outline = np.stack([edges[:, 1], -edges[:, 0]], axis=1)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return normals


def outlines_gap(first: Outline, second: Outline) -> float:
    """Largest separation along any edge normal, m: negative depth when they overlap (separating axis theorem)."""
    gap = -math.inf
    for one, other in ((first, second), (second, first)):
        normals = _edge_normals(one)
        reach = np.max(one @ normals.T, axis=0)
        gap = max(gap, float(np.max(np.min(other @ normals.T, axis=0) - reach)))
    return gap


def overlap(first: Prism, second: Prism, tolerance: float) -> bool:
    """Whether two prisms enter each other by more than a tolerance in m."""
    if min(first.top, second.top) - max(first.bottom, second.bottom) <= tolerance:
        return False
    if np.any(first.outline.max(axis=0) - second.outline.min(axis=0) <= tolerance) or np.any(
        second.outline.max(axis=0) - first.outline.min(axis=0) <= tolerance
    ):
        return False
    return outlines_gap(first.outline, second.outline) < -tolerance


def contains(outer: Outline, inner: Outline, tolerance: float) -> bool:
    """Whether one convex outline lies within another, up to a tolerance in m."""
    normals = _edge_normals(outer)
    reach = np.max(outer @ normals.T, axis=0)
    return bool(np.all(np.max(inner @ normals.T, axis=0) <= reach + tolerance))
