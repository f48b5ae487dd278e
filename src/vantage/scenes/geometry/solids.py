"""Upright prisms that stand for parts, and the questions a placement asks: do they enter, touch or contain each other.

Every part is taken as its outline seen from above, extruded over its height. Objects only turn about z, so this is
exact for boxes and cylinders and on the safe side for ellipsoids, cones and what leans, such as a lid that stands ajar.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.spec import ObjectSpec, Part, part_reach
from vantage.types import Point

Array = NDArray[np.float64]
Outline = NDArray[np.float64]
Flags = NDArray[np.bool_]

_CIRCLE = np.stack(
    [np.cos(np.arange(16) * math.tau / 16), np.sin(np.arange(16) * math.tau / 16)], axis=1
)  # an inscribed polygon: 2 % of the radius short between its corners
_UPRIGHT = 1e-9  # rad: what is turned less about a level axis does not lean
_SQUARE = np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])


@dataclass(frozen=True)
class Prism:
    """An upright solid in the world frame, m.

    Attributes:
        outline: corners (K, 2), convex, counter-clockwise.
        bottom, top: its extent along z.
        hollow: whether it is a thin shell that other objects may lie in.
    """

    outline: Outline
    bottom: float
    top: float
    hollow: bool = False


@dataclass(frozen=True)
class Shape:
    """The parts of an object in its own frame, as arrays.

    Attributes:
        centers, halves: centres and half sizes (P, 3), m; of what leans, those of the box around it.
        round: those (P,) with the outline of an ellipse.
        hollow: thin shells (P,) that other objects may lie in.
        angles: by which parts are turned about z (P,), rad.
        leaning: those (P,) that are turned about another axis.
    """

    centers: Array
    halves: Array
    round: Flags
    hollow: Flags
    angles: Array
    leaning: Flags

    @staticmethod
    def of(parts: Sequence[Part], solid: bool = False) -> Shape:
        """The shape of parts; no box with an open face counts as hollow where the object is ``solid``."""
        centers = np.array([part.center for part in parts])
        halves = 0.5 * np.array([part.size for part in parts])
        round_ = np.array([part.is_round for part in parts])
        hollow = np.array([bool(part.open_faces) and not solid for part in parts])
        angles, leaning = np.zeros(len(parts)), np.zeros(len(parts), dtype=np.bool_)
        for k, part in enumerate(parts):
            if part.is_turned and max(map(abs, part.rotation[:2])) < _UPRIGHT:
                angles[k] = part.rotation[2]
            elif part.is_turned:
                halves[k], round_[k], leaning[k] = part_reach(part), False, True
        return Shape(centers, halves, round_, hollow, angles, leaning)

    def placed(self, position: Point, yaw: float) -> Solid:
        """Put it somewhere, turned about z by a yaw in rad."""
        c, s = math.cos(yaw), math.sin(yaw)
        turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        centers = self.centers @ turn.T + position
        reach = np.where(self.round[:, None], np.sqrt(self.halves**2 @ (turn**2).T), self.halves @ np.abs(turn).T)
        straight = ~self.round if min(abs(c), abs(s)) < 1e-6 else np.zeros(len(centers), dtype=np.bool_)
        for k in np.flatnonzero(self.angles).tolist():
            own = _turn(yaw + float(self.angles[k]))
            across = self.halves[k, :2]
            reach[k, :2] = np.sqrt(own**2 @ across**2) if self.round[k] else np.abs(own) @ across
        straight &= ~self.leaning & (self.angles == 0.0)
        return Solid(self, centers, turn[:2, :2], centers - reach, centers + reach, straight)


@dataclass(frozen=True)
class Solid:
    """An object in its place.

    Attributes:
        shape: in its own frame.
        centers: of its parts in the world (P, 3), m.
        turn: from its frame to the world (2, 2).
        low, high: world-aligned boxes around its parts (P, 3), m.
        straight: parts (P,) that fill these boxes.
    """

    shape: Shape
    centers: Array
    turn: Array
    low: Array
    high: Array
    straight: Flags

    @staticmethod
    def of(obj: ObjectSpec) -> Solid:
        """The solid of an object of a scene."""
        return Shape.of(obj.parts, obj.is_structure).placed(obj.position, obj.yaw)

    @cached_property
    def bounds(self) -> Array:
        """Its box: min and max (2, 3), m."""
        return np.stack([self.low.min(axis=0), self.high.max(axis=0)])

    def outline(self, part: int) -> Outline:
        """Corners of a part seen from above (K, 2)."""
        corners = (_CIRCLE if self.shape.round[part] else _SQUARE) * self.shape.halves[part, :2]
        if self.shape.angles[part]:
            corners = corners @ _turn(float(self.shape.angles[part])).T
        outline: Outline = corners @ self.turn.T + self.centers[part, :2]
        return outline

    def enters(self, other: Solid, depth: float, nested: bool = False) -> bool:
        """Whether they share more than ``depth`` m in every direction; a negative depth asks whether they touch.

        ``nested`` allows one of them to be within the hollow parts of the other.
        """
        shared = np.minimum(self.high[:, None], other.high) - np.maximum(self.low[:, None], other.low)
        pairs = (shared > depth).all(axis=2)
        if nested:
            pairs &= ~(self.shape.hollow[:, None] | other.shape.hollow)
        if not pairs.any():
            return False
        if (pairs & self.straight[:, None] & other.straight).any():
            return True
        return any(outlines_gap(self.outline(j), other.outline(k)) < -depth for j, k in np.argwhere(pairs).tolist())

    def rests_on(self, other: Solid, tolerance: float) -> bool:
        """Whether all its lowest parts stand within one level part of another object that is not hollow."""
        base = self.low[:, 2].min()
        feet = np.flatnonzero(self.low[:, 2] - base <= tolerance).tolist()
        flat = ~other.shape.hollow & ~other.shape.leaning
        level = np.flatnonzero((np.abs(other.high[:, 2] - base) <= tolerance) & flat).tolist()
        return any(
            all(contains(other.outline(under), self.outline(foot), tolerance) for foot in feet) for under in level
        )


def _turn(angle: float) -> Array:
    """Rotation (2, 2) about z."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s], [s, c]])


def object_prisms(obj: ObjectSpec) -> list[Prism]:
    """One prism for each part, in the order of the parts."""
    solid = Solid.of(obj)
    return [
        Prism(solid.outline(k), float(low[2]), float(high[2]), bool(hollow))
        for k, (low, high, hollow) in enumerate(zip(solid.low, solid.high, solid.shape.hollow, strict=True))
    ]


def outlines_gap(first: Outline, second: Outline) -> float:
    """Largest separation along any edge normal, m: negative depth when they overlap (separating axis theorem)."""
    gap = -math.inf
    for one, other in ((first, second), (second, first)):
        normals = _edge_normals(one)
        reach = np.max(one @ normals.T, axis=0)
        gap = max(gap, float(np.max(np.min(other @ normals.T, axis=0) - reach)))
    return gap


def contains(outer: Outline, inner: Outline, tolerance: float) -> bool:
    """Whether one convex outline lies within another, up to a tolerance in m."""
    normals = _edge_normals(outer)
    reach = np.max(outer @ normals.T, axis=0)
    return bool(np.all(np.max(inner @ normals.T, axis=0) <= reach + tolerance))


def _edge_normals(outline: Outline) -> Outline:
    edges = np.roll(outline, -1, axis=0) - outline
    normals: Outline = np.stack([edges[:, 1], -edges[:, 0]], axis=1)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return normals
