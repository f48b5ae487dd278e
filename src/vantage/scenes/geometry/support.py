"""What rests on what, what is in what and what hangs where, found from the geometry of the primitives alone.

An object is inside another that has walls all around it, if only when its doors are closed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vantage.scenes.geometry.movement import closed_parts
from vantage.scenes.geometry.solids import Outline, Shape, Solid, contains, outlines_gap
from vantage.scenes.spec import OPENINGS, ObjectSpec, Part, SceneSpec

Array = NDArray[np.float64]

_RIM = 0.03  # m: what rises less around an object does not make it be in something
_RAYS = 16
_STOPPED = 14  # of the rays around an object that is in something; there are gaps between doors
_THIN = 0.001  # m
_SIDES = ("y+", "x-", "y-", "x+")  # in the order of the edges of a box's outline

CONTACT = 0.003  # m: gap across which one object still rests on another
HUNG = 0.012  # m: gap across which an object still hangs on a wall, a ceiling or another object
DROP = 0.10  # m: an object in the air that far above another is taken to be on it

_LEVEL = 0.002  # m: faces whose heights differ less are equally near
_FLAT = 1e-4  # m: how far outlines overlap at least where one carries the other


def encloses(outer: ObjectSpec, solid: Solid, obj: Solid) -> bool:
    """Whether an object has walls of another all around, be it only when the doors of that are closed.

    What is larger than the other, seen from above, is not in it: a chair that stands over a basket.

    Args:
        outer: the other one, and ``solid``, where it is.
        object: where the object is.
    """
    low, high = obj.bounds
    level = float(low[2]) + _RIM, max(float(high[2]), float(low[2]) + _RIM + _THIN)
    around = solid.bounds[1] - solid.bounds[0]
    if solid.bounds[1][2] <= level[0] or np.prod((high - low)[:2]) > np.prod(around[:2]):
        return False
    middle = 0.5 * (low[:2] + high[:2])
    if _surround(solid, outer.parts, middle, level):
        return True
    if all(joint.position == joint.low for joint in outer.joints):
        return False
    parts = closed_parts(outer.parts, outer.joints)
    return _surround(Shape.of(parts).placed(outer.position, outer.yaw), parts, middle, level)


def _surround(solid: Solid, parts: Sequence[Part], middle: Array, level: tuple[float, float]) -> bool:
    """Whether nearly all level rays from a point (2,) meet sides of parts that reach into a range of heights."""
    edges = []
    for k in np.flatnonzero((solid.high[:, 2] > level[0]) & (solid.low[:, 2] < level[1])).tolist():
        outline = solid.outline(k)
        ends = np.stack([outline, outline[[*range(1, len(outline)), 0]]], axis=1)
        around = bool(((solid.low[k, :2] < middle) & (middle < solid.high[k, :2])).all())
        if solid.shape.hollow[k] and not solid.shape.round[k]:
            edges.append(ends[[side not in parts[k].open_faces for side in _SIDES]])
        elif solid.shape.hollow[k] or not (around and contains(outline, middle[None], 0.0)):
            edges.append(ends)
    if not edges:
        return False
    segments = np.concatenate(edges)
    starts, ways = segments[:, 0] - middle, segments[:, 1] - segments[:, 0]
    angles = math.tau * (np.arange(_RAYS) + 0.37) / _RAYS  # askew, so that no ray runs along a face
    rays = np.stack([np.cos(angles), np.sin(angles)], axis=1)[:, None]
    turn = _cross(rays, ways)
    with np.errstate(divide="ignore", invalid="ignore"):
        reach, along = _cross(starts, ways) / turn, _cross(starts, rays) / turn
    return int(((reach > 0) & (along >= 0) & (along <= 1)).any(axis=1).sum()) >= _STOPPED


def _cross(a: Array, b: Array) -> Array:
    product: Array = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return product


def supports(spec: SceneSpec) -> dict[int, tuple[str, int]]:
    """Relation (``on``, ``in`` or empty) and parent (0 for the floor) of each object, {instance id: (relation, id)}.

    An object rests on the level face on which most of its base lies, and is ``in`` that object when it has walls all
    around, or would have them with its doors closed. What rests nowhere hangs on a wall, on the ceiling or on another
    object. Doors, doorways and windows are on a wall.
    """
    if not spec.objects:
        return {}
    scene = _Solids(spec)
    found = {}
    for index, obj in enumerate(spec.objects):
        carrier = None if obj.is_structure else scene.carrier(index)
        if carrier is None or spec.objects[carrier].label == "floor":
            found[obj.instance_id] = ("", 0)
            continue
        outer = spec.objects[carrier]
        inside = not outer.is_structure and encloses(outer, scene.solids[carrier], scene.solids[index])
        found[obj.instance_id] = ("in" if inside else "on", outer.instance_id)
    return found


class _Solids:
    """The primitives of a whole scene: boxes around all of them at once, exact outlines where they matter."""

    def __init__(self, spec: SceneSpec) -> None:
        self._objects = spec.objects
        self._openings = {opening.instance for opening in spec.openings}
        self.solids = [Solid.of(obj) for obj in spec.objects]
        self._low = np.concatenate([solid.low for solid in self.solids])
        self._high = np.concatenate([solid.high for solid in self.solids])
        self._straight = np.concatenate([solid.straight for solid in self.solids])
        counts = [len(solid.low) for solid in self.solids]
        self._owner = np.repeat(np.arange(len(counts)), counts)
        self._first = np.cumsum([0, *counts])
        parts = [part for obj in spec.objects for part in obj.parts]
        hollow = np.concatenate([solid.shape.hollow for solid in self.solids])
        leaning = np.concatenate([solid.shape.leaning for solid in self.solids])
        lidless = leaning | (hollow & np.array(["z+" in part.open_faces for part in parts]))
        bottomless = leaning | ~hollow | np.array(["z-" in part.open_faces for part in parts])
        tops, bottoms = np.flatnonzero(~lidless), np.flatnonzero(~bottomless)
        self._ledge_part = np.concatenate([tops, bottoms])
        self._ledge_z = np.concatenate([self._high[tops, 2], self._low[bottoms, 2]])
        lows, highs = (
            np.array([pick.reduce(side[a:b], axis=0) for a, b in zip(self._first, self._first[1:], strict=False)])
            for pick, side in ((np.minimum, self._low), (np.maximum, self._high))
        )
        volumes = np.prod(highs - lows, axis=1)
        self._rank = np.lexsort((-volumes, lows[:, 2])).argsort()  # what carries comes before what is carried
        self._outlines: dict[int, Outline] = {}

    def carrier(self, index: int) -> int | None:
        """Index of what holds an object, None when nothing does."""
        obj = self._objects[index]
        if obj.label in OPENINGS or obj.instance_id in self._openings:
            return self._hanger(index, ("wall",))
        found = self._rest(index, 0.0)
        for labels in (("wall",), ("ceiling",), ()):
            if found is None:
                found = self._hanger(index, labels)
        return self._rest(index, DROP) if found is None else found

    def _rest(self, index: int, drop: float) -> int | None:
        """The object with the level face, at most ``drop`` m below, on which most of an object's base lies."""
        own = slice(self._first[index], self._first[index + 1])
        bottom = float(self._low[own, 2].min())
        feet = np.flatnonzero(self._low[own, 2] <= bottom + CONTACT) + self._first[index]
        low, high = self._low[feet, :2].min(axis=0), self._high[feet, :2].max(axis=0)
        fall = bottom - self._ledge_z
        near = (fall >= -CONTACT) & (fall <= drop + CONTACT)
        near[near] = self._meets(self._ledge_part[near], low, high) & self._may_carry(self._ledge_part[near], index)
        shares: dict[int, float] = {}
        falls: dict[int, float] = {}
        for ledge in np.flatnonzero(near):
            part = int(self._ledge_part[ledge])
            owner = int(self._owner[part])
            area = sum(self._shared(int(foot), part) for foot in feet)
            if area > 0:
                shares[owner] = shares.get(owner, 0.0) + area
                falls[owner] = min(falls.get(owner, math.inf), abs(float(fall[ledge])))
        if not shares:
            return None

        def order(owner: int) -> tuple[int, float, int]:
            return round(falls[owner] / _LEVEL), -round(shares[owner], 6), -int(self._rank[owner])

        return min(shares, key=order)

    def _hanger(self, index: int, labels: tuple[str, ...]) -> int | None:
        """The structure of these labels, or without labels the object, that an object touches with a side."""
        own = slice(self._first[index], self._first[index + 1])
        low, high = self._low[own].min(axis=0) - HUNG, self._high[own].max(axis=0) + HUNG
        boxed = np.all((self._low <= high) & (self._high >= low), axis=1)
        wanted = self._wanted(labels)[self._owner] & boxed
        if not labels:
            wanted &= self._may_carry(np.arange(len(wanted)), index)
        best, chosen = (math.inf, math.inf), None
        for part, other in self._near(np.arange(own.start, own.stop), np.flatnonzero(wanted)):
            owner = int(self._owner[other])
            turned = (
                abs(math.remainder(self._objects[index].yaw - self._objects[owner].yaw, math.tau)) if labels else 0.0
            )
            rank = round(turned, 1), self._gap(part, other)
            if rank[1] <= HUNG and rank < best:
                best, chosen = rank, owner
        return chosen

    def _near(self, own: NDArray[np.intp], others: NDArray[np.intp]) -> list[tuple[int, int]]:
        """Pairs of primitives whose boxes come near enough that one could hang on the other."""
        apart = np.maximum(self._low[own, None] - self._high[others], self._low[others] - self._high[own, None])
        pairs = np.argwhere(apart.max(axis=2) <= HUNG)
        return [(int(own[a]), int(others[b])) for a, b in pairs]

    def _wanted(self, labels: tuple[str, ...]) -> NDArray[np.bool_]:
        return self._of_label.get(labels, self._of_label[()])

    @cached_property
    def _of_label(self) -> dict[tuple[str, ...], NDArray[np.bool_]]:
        return {
            (): np.array([not obj.is_structure for obj in self._objects]),
            ("wall",): np.array([obj.label == "wall" for obj in self._objects]),
            ("ceiling",): np.array([obj.label == "ceiling" for obj in self._objects]),
        }

    def _may_carry(self, parts: NDArray[np.intp], index: int) -> NDArray[np.bool_]:
        earlier: NDArray[np.bool_] = self._rank[self._owner[parts]] < self._rank[index]
        return earlier

    def _meets(self, parts: NDArray[np.intp], low: Array, high: Array) -> NDArray[np.bool_]:
        met: NDArray[np.bool_] = np.all((self._low[parts, :2] < high) & (self._high[parts, :2] > low), axis=1)
        return met

    def _shared(self, foot: int, under: int) -> float:
        """Area (m^2) of the boxes that a foot and what is under it share; 0 when their outlines do not overlap."""
        sides = np.minimum(self._high[foot, :2], self._high[under, :2]) - np.maximum(
            self._low[foot, :2], self._low[under, :2]
        )
        if sides.min() <= _FLAT or not self._overlap(foot, under):
            return 0.0
        return float(sides[0] * sides[1])

    def _overlap(self, foot: int, under: int) -> bool:
        """Whether the outlines overlap of two primitives whose boxes do."""
        if self._straight[under]:
            middle = 0.5 * (self._low[foot, :2] + self._high[foot, :2])
            if self._straight[foot] or ((middle > self._low[under, :2]) & (middle < self._high[under, :2])).all():
                return True
        return outlines_gap(self._outline(foot), self._outline(under)) < -_FLAT

    def _gap(self, first: int, second: int) -> float:
        """Distance between two primitives that are near each other, m: exact along their faces, 0 where they meet."""
        apart = np.maximum(self._low[first] - self._high[second], self._low[second] - self._high[first])
        level = float(apart[:2].max())
        if not (self._straight[first] and self._straight[second]):
            level = outlines_gap(self._outline(first), self._outline(second))
        return max(float(apart[2]), level, 0.0)

    def _outline(self, part: int) -> Outline:
        if part not in self._outlines:
            owner = int(self._owner[part])
            self._outlines[part] = self.solids[owner].outline(part - int(self._first[owner]))
        return self._outlines[part]
