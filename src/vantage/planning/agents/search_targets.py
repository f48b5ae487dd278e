"""What a search wants to see, how well a view would show it, and how well it was seen so far.

A look that was taken counts against those that would show no more. At an object that has to be made out, what a camera
misread from one place it may read from another, so that a look from elsewhere is worth as much as the first one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vantage.answering import LookAt, LookFor
from vantage.perception.map import Place
from vantage.planning.view_planning import SLACK, closeness, facing, steepness, surface_closeness
from vantage.types import Point

_AGAIN = 0.05  # share of the worth that a look has which shows nothing better than one before: from another side
_ELSEWHERE = 0.5  # m from an earlier look from which on one at an object to be made out counts as the first
OBJECT_WORTH = 1500.0  # of a look at an object, in weighted voxels
_CLOSE = 1.0  # m from which an object is seen well
_FAR = 2.5  # m from which all of an object is seen well
_TRIED = 0.6  # how well a look must show it to count as a try
_SIDES = 8  # of an object, all around
_TOGETHER = 3  # of these that one view shows
_UP = (0.0, 0.0, 1.0)
_FLAT = 0.5  # of its shorter edge, up to which the height of an object is that of one that lies flat
READING_FOCAL = 467.7  # px: focal length of the camera for which it is said from how near print is read
_BORDER = 1.2  # times the size of an object as far as it was seen that must be in view to show all of it
_INSIDE = 0.2  # share of a box from its sides within which its inside is looked at
_ANYHOW = 0.4  # of the worth of a look at all of an object that any look has which is not the same

Spot = tuple[tuple[int, ...], tuple[float, ...]]


@dataclass(frozen=True)
class Target:
    """Something worth seeing.

    Attributes:
        points: (N, 3), m.
        worth: of seeing all of it well, in weighted voxels.
        near: distance within which it is seen well, m; of a level surface, straight from above.
        tried: how well a look must show it to count as a try, 0..1.
        level: it is a level surface, which has to be seen from above.
        steep: sine of the angle from which on one sees over a rim; 0 for what has none.
        normals: (N, 3), unit vectors out of the sides to be seen; None where any side will do.
        slack: m before a point that the object itself may fill.
        margin: m around a point that has to be in the view.
        key: of an object that is looked at as one, however its box grows, 0 for others.
        again: share of the worth that a look has which shows nothing better than one before.
        anew: a look from elsewhere is worth as much as the first.
        place: of which the reasoner wants to see more; None for others.
        given_up: no look at that place was worth anything for a while: it counts again once one is.
        share: of its worth that counts, next to that of others; it may be more than 1.
    """

    points: NDArray[np.float64]
    worth: float
    near: float
    tried: float
    level: bool = False
    steep: float = 0.0
    normals: NDArray[np.float64] | None = None
    slack: float = SLACK
    margin: float = 0.0
    key: int = 0
    again: float = _AGAIN
    anew: bool = False
    place: Place | None = None
    given_up: bool = False
    share: float = 1.0

    def quality(self, positions: NDArray[np.float64]) -> NDArray[np.float64]:
        """How well the points are seen from positions (M, 3) where nothing hides them, 0..1, shape (M, N)."""
        seen = (surface_closeness if self.level else closeness)(positions, self.points, self.near)
        if self.normals is not None:
            seen = seen * facing(positions, self.points, self.normals)
        return seen * steepness(positions, self.points, self.steep) if self.steep else seen

    @cached_property
    def spots(self) -> list[Spot]:
        """What looks at each point are remembered by; a look that does for one purpose need not do for another."""
        kind = self.near, float(self.level), self.steep, self.again, self.margin
        return [((self._name(k)), kind) for k in range(len(self.points))]

    def _name(self, number: int) -> tuple[int, ...]:
        if not self.key:
            return _spot(self.points[number])
        return (self.key,) if self.normals is None else (self.key, number)


def targets_at(hint: LookFor, focal: float = READING_FOCAL) -> list[Target]:
    """What is worth seeing of one object that the reasoner wants to look at; ``focal``: focal length, pixels."""
    center = np.array(hint.points[:1])
    slack = SLACK + 0.5 * sorted(hint.extents)[1]
    if hint.what is LookAt.WHOLE:  # any other view may show all of it, best one that leaves room around it
        margin = 0.5 * _BORDER * max(hint.extents)
        shares = ((0.0, _ANYHOW), (margin, 1.0 - _ANYHOW)) if margin else ((0.0, 1.0),)
        return [
            Target(center, share * OBJECT_WORTH, _FAR, 0.0, slack=slack, margin=each, key=hint.instance_id, again=1.0)
            for each, share in shares
        ]
    near = hint.closeness or _CLOSE
    if hint.what is LookAt.SIDES:
        normals = _sides(hint)
        worth = OBJECT_WORTH * max(len(normals) / _TOGETHER, 1.0)
        points = center + normals * [0.0, 0.0, 0.5 * hint.extents[2]]  # the top is above the centre
        near *= min(focal / READING_FOCAL, 1.0)
        return [Target(points, worth, near, _TRIED, normals=normals, slack=slack, key=hint.instance_id)]
    return [Target(center, OBJECT_WORTH, near, _TRIED, slack=slack, key=hint.instance_id, anew=True)]


def _sides(hint: LookFor) -> NDArray[np.float64]:
    """Unit vectors out of the sides of an object that may bear print, (N, 3), the top first: that alone of what lies
    flat."""
    width, depth, height = hint.extents
    if 0.0 < height < _FLAT * min(width, depth):
        return np.array([_UP])
    around = np.arange(_SIDES) * math.tau / _SIDES
    return np.concatenate([[_UP], np.stack([np.cos(around), np.sin(around), np.zeros(_SIDES)], axis=1)])


def inside_of(low: Point, high: Point, front: Point | None = None) -> Target:
    """The inside of something that stands open.

    Args:
        low, high: its box while it was closed, m.
        front: the side to which it opens; None where it is not known, so that a look from any side will do.
    """
    corners = np.array([low, high])
    shares = np.linspace(_INSIDE, 1.0 - _INSIDE, 3)
    grid = np.stack(np.meshgrid(shares, shares, shares, indexing="ij"), axis=-1).reshape(-1, 3)
    points = corners[0] + grid * (corners[1] - corners[0])
    normals = None if front is None else np.broadcast_to(np.array(front), points.shape)
    return Target(points, OBJECT_WORTH, _CLOSE, _TRIED, normals=normals)


class LooksTaken:
    """How well targets were seen so far."""

    def __init__(self) -> None:
        self._tries: dict[Spot, int] = {}
        self._best: dict[Spot, float] = {}
        self._from: dict[Spot, dict[tuple[int, ...], tuple[Point, float]]] = {}

    def add(self, target: Target, position: NDArray[np.float64], shown: NDArray[np.bool_]) -> None:
        """Note a look from a position (3,) that showed some points (N,) of a target."""
        quality = target.quality(position[None])[0]
        is_near = (quality >= target.tried) & (quality > 0.0)
        for k in np.flatnonzero(shown):
            spot = target.spots[k]
            is_try = bool(is_near[k])
            if target.anew:
                x, y, z = (float(value) for value in position)
                looks = self._from.setdefault(spot, {})
                place = tuple(math.floor(value / _ELSEWHERE) for value in (x, y, z))
                is_try = is_try and place not in looks
                if place not in looks or looks[place][1] < quality[k]:
                    looks[place] = (x, y, z), float(quality[k])
            else:
                self._best[spot] = max(self._best.get(spot, 0.0), float(quality[k]))
            self._tries[spot] = self._tries.get(spot, 0) + int(is_try)

    def worth(self, target: Target, positions: NDArray[np.float64]) -> NDArray[np.float64]:
        """What seeing each point from each position (M, 3) is worth where nothing hides it, shape (M, N)."""
        quality = target.quality(positions)
        gained = np.maximum(quality - self._seen(target, positions), target.again * quality)
        tries = np.array([self._tries.get(spot, 0) for spot in target.spots])
        return np.asarray(target.worth / len(target.points) * gained / (1.0 + tries) ** 2)

    def _seen(self, target: Target, positions: NDArray[np.float64]) -> NDArray[np.float64]:
        """How well each point was seen as far as that tells of a look from each position, shape (M, N) or (N,)."""
        if not target.anew:
            return np.array([self._best.get(spot, 0.0) for spot in target.spots])
        seen = np.zeros((len(positions), len(target.points)))
        for k, spot in enumerate(target.spots):
            for place, quality in self._from.get(spot, {}).values():
                away = np.linalg.norm(positions - np.array(place), axis=1)
                seen[:, k] = np.maximum(seen[:, k], quality * np.clip(1.0 - away / _ELSEWHERE, 0.0, 1.0))
        return seen


def _spot(point: Sequence[float]) -> tuple[int, ...]:
    """The 10 cm cube in which a point lies."""
    return tuple(math.floor(value / 0.1) for value in point)
