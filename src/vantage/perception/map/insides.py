"""What was seen of the insides of things that the hand opens, drawer by drawer and door by door.

Each handle stands for one compartment: the part of the inside that is nearer to it than to other handles on that side,
or what comes out with a drawer. Points in it count as seen once a view looks through to them while it is open, and stay
seen when it is closed again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vantage.perception.map.extents import Extent
from vantage.spatial import apply, invert
from vantage.types import Observation, Point

ENOUGH = 0.35  # share of the points of a compartment from which on it was looked into: boards and contents hide many

_GLANCE, _GLANCES, _APART = 0.08, 3, 0.25  # share seen at once, from how many places that is enough, so many m apart
_SAME, _SAME_SHUT = 0.1, 0.05  # m between the handle of a compartment, open and shut, and one that is taken for it
_GRID = 0.07  # m between points
_DEPTHS = (0.2, 0.5)  # share of the way from the front to the back, or from the top down, of points behind a door
_BOARD = 0.05  # m of the outside that is boards
_FARTHEST = 3.0  # m from which on nothing small in it is made out
_SLACK = 0.03  # m before a point up to which a view has to reach
_LEAST_WAY = 0.06  # m that a handle moves with a drawer
_STRAIGHT = 0.93  # share of that which leads straight out
_BELOW_HANDLE = (0.02, 0.05)  # m below the handle of a drawer, where its inside shows
_MOST_POINTS = 24

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Inside:
    """How much of the inside of a thing was seen.

    Attributes:
        seen: share, 0..1; compartments count alike.
        complete: each was looked into as far as that is needed to say what is in it.
        shut: where the handles are of those that have to be opened, m.
        unseen: points in those that stand open, m.
        opened: how many the hand opened at some time.
    """

    seen: float = 0.0
    complete: bool = False
    shut: tuple[Point, ...] = ()
    unseen: tuple[Point, ...] = ()
    opened: int = 0


@dataclass
class _Compartment:
    handle: Point  # while it is closed
    opened: Point  # while it is open
    points: Floats  # (N, 3)
    seen: NDArray[np.bool_]  # (N,)
    key: int = 0  # of the handle
    moved: bool = False  # its handle was felt to move
    is_drawer: bool = False
    is_open: bool = True
    places: set[tuple[int, ...]] = field(default_factory=set)  # from which some of it was seen at once

    @property
    def share(self) -> float:
        return float(self.seen.mean())

    @property
    def is_known(self) -> bool:
        """It was looked into, as far as it shows."""
        return self.share >= ENOUGH or len(self.places) >= _GLANCES

    def away(self, handle: Point) -> float:
        """How far a handle is from where that of it is, open or shut, as a share of how far it may be."""
        return min(math.dist(handle, self.handle) / _SAME_SHUT, math.dist(handle, self.opened) / _SAME)

    def look(self, observation: Observation) -> None:
        shown = _shown(observation, self.points)
        self.seen |= shown
        if shown.mean() >= _GLANCE:
            self.places.add(tuple(math.floor(x / _APART + 0.5) for x in observation.viewpoint.position))


class InsideMemory:
    """The compartments that the hand opened, by the identity of what they belong to."""

    def __init__(self) -> None:
        self._compartments: dict[int, list[_Compartment]] = {}
        self._known: set[int] = set()

    def reset(self) -> None:
        """Forget everything."""
        self._compartments.clear()
        self._known.clear()

    def opened(
        self, owner: int, box: Extent, handle: Point, others: Iterable[Point], way: Floats, key: int = 0
    ) -> None:
        """The hand opened one of the compartments of a thing.

        Args:
            box: of the thing, before.
            handle, others: centers of the handle that was pulled and of the others on the thing, before, m.
            way: (3,) that the handle was moved, m.
            key: identity of the handle, where it has one for good (positive).
        """
        x, y, z = (float(a + b) for a, b in zip(handle, way, strict=True))
        known = self._reopened(owner, handle, key)
        if known is not None:
            known.is_open, known.opened = True, (x, y, z)
            return
        drawn = _drawn_out(box, handle, others, way)
        points = _behind(box, handle, others) if drawn is None else drawn
        moved = float(np.linalg.norm(way)) >= _LEAST_WAY
        found = _Compartment(handle, (x, y, z), points, np.zeros(len(points), np.bool_), key, moved, drawn is not None)
        self._compartments.setdefault(owner, []).append(found)

    def closed(self, owner: int, handle: Point | None = None) -> None:
        """One of the compartments of a thing was closed again, all of them without the place (m) of a ``handle``."""
        for each in self._compartments.get(owner, ()):
            if handle is None or each is self._found(owner, handle):
                each.is_open = False

    def looked(self, observation: Observation) -> None:
        """Take in what a view shows of the insides that stand open."""
        if observation.depth is None:
            return
        for compartments in self._compartments.values():
            for each in compartments:
                if each.is_open and not each.seen.all():
                    each.look(observation)

    def is_swung_open(self, owner: int) -> bool:
        """Whether doors or lids of a thing stand open, and no drawer."""
        stand_open = [each for each in self._compartments.get(owner, ()) if each.is_open]
        return bool(stand_open) and all(each.moved and not each.is_drawer for each in stand_open)

    def is_drawn_out(self, owner: int) -> bool:
        """Whether a drawer of a thing stands open."""
        return any(each.is_drawer and each.is_open for each in self._compartments.get(owner, ()))

    def know(self, owner: int) -> None:
        """All that is inside a thing is known from now on."""
        self._known.add(owner)

    def of(self, owner: int, handles: Iterable[Point]) -> Inside:
        """How much of the inside of a thing was seen on which there are ``handles`` (centers, m)."""
        if owner in self._known:
            return Inside(1.0, True)
        compartments = self._compartments.get(owner, [])
        other = _without(list(handles), compartments)
        lacking = [each for each in compartments if not each.is_known]
        shut = (*other, *(each.handle for each in lacking if not each.is_open))
        unseen = [each.points[~each.seen] for each in lacking if each.is_open]
        seen = sum(each.share for each in compartments) / max(len(compartments) + len(other), 1)
        complete = bool(compartments) and not lacking and not other
        return Inside(seen, complete, shut, _some(np.concatenate(unseen)) if unseen else (), opened=len(compartments))

    def renamed(self, former: int, now: int) -> None:
        """Two things turned out to be one."""
        if former in self._compartments:
            self._compartments.setdefault(now, []).extend(self._compartments.pop(former))
        if former in self._known:
            self._known.discard(former)
            self._known.add(now)

    def has_opened(self, owner: int, handle: Point) -> bool:
        """Whether a handle (m) of a thing is that of a compartment which the hand opened at some time."""
        return self._found(owner, handle) is not None

    def _reopened(self, owner: int, handle: Point, key: int) -> _Compartment | None:
        """The compartment that was opened before by a handle; none that stands open by another one beside it."""
        if key > 0:
            return next((each for each in self._compartments.get(owner, ()) if each.key == key), None)
        known = self._found(owner, handle)
        by_another = known is not None and known.is_open and math.dist(known.opened, known.handle) > _SAME
        return None if by_another else known

    def _found(self, owner: int, handle: Point) -> _Compartment | None:
        near = [each for each in self._compartments.get(owner, ()) if each.away(handle) <= 1.0]
        return min(near, key=lambda each: each.away(handle), default=None)


def _without(handles: list[Point], compartments: Sequence[_Compartment]) -> list[Point]:
    """The handles that are those of none of some compartments, each of which has one."""
    for each in compartments:
        nearest = min(handles, key=each.away, default=None)
        if nearest is not None and each.away(nearest) <= 1.0:
            handles.remove(nearest)
    return handles


def _some(points: Floats) -> tuple[Point, ...]:
    return tuple((float(x), float(y), float(z)) for x, y, z in points[:: 1 + len(points) // _MOST_POINTS])


def _shown(observation: Observation, points: Floats) -> NDArray[np.bool_]:
    """Which of some points (N, 3) a view looks through to, (N,)."""
    assert observation.depth is not None
    camera = observation.depth_camera
    optical = apply(invert(observation.viewpoint.T_world_camera_optical()), points)
    found = np.zeros(len(points), np.bool_)
    ahead = np.flatnonzero((optical[:, 2] > 0.05) & (np.linalg.norm(optical, axis=1) < _FARTHEST))
    pixels = np.floor(camera.project(optical[ahead])).astype(np.int64).reshape(-1, 2)
    height, width = observation.depth.shape
    inside = ((pixels >= 0) & (pixels < (width, height))).all(axis=1)
    at = pixels[inside]
    found[ahead[inside]] = observation.depth[at[:, 1], at[:, 0]] >= optical[ahead[inside], 2] - _SLACK
    return found


def _side(box: Extent, handle: Point) -> tuple[int, float]:
    """The axis along which a side of a box looks, and the way out of it, that a handle is on: a front or the top."""
    low, high = box
    ranked = [(abs(handle[axis] - low[axis]), axis, -1.0) for axis in (0, 1)]
    ranked += [(abs(handle[axis] - high[axis]), axis, 1.0) for axis in (0, 1, 2)]
    _, axis, sign = min(ranked)
    return axis, sign


def _lattice(low: Sequence[float], high: Sequence[float]) -> Floats:
    """Points (N, 3) in a box, at least one."""
    axes = []
    for a, b in zip(low, high, strict=True):
        count = max(1, math.ceil((b - a) / _GRID))
        axes.append(a + (b - a) * (np.arange(count) + 0.5) / count)
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)


def _nearest_to(points: Floats, handle: Point, others: Iterable[Point], axis: int) -> Floats:
    """Those of some points that are nearer to a handle than to any other, seen along an axis; all where none is."""
    across = [k for k in range(3) if k != axis]
    own = np.linalg.norm(points[:, across] - np.array(handle)[across], axis=1)
    keep = np.ones(len(points), np.bool_)
    for other in others:
        keep &= own <= np.linalg.norm(points[:, across] - np.array(other)[across], axis=1) + 1e-6
    return points[keep] if keep.any() else points


def _behind(box: Extent, handle: Point, others: Iterable[Point]) -> Floats:
    """Points (N, 3) behind a door or under a lid."""
    axis, sign = _side(box, handle)
    inset = [min(_BOARD, 0.25 * (b - a)) for a, b in zip(*box, strict=True)]
    low = [a + by for a, by in zip(box[0], inset, strict=True)]
    high = [b - by for b, by in zip(box[1], inset, strict=True)]
    layers = []
    for depth in _DEPTHS:
        share = depth if sign < 0.0 else 1.0 - depth
        at = box[0][axis] + share * (box[1][axis] - box[0][axis])
        low[axis] = high[axis] = at
        layers.append(_lattice(low, high))
    points = np.concatenate(layers)
    same_side = [other for other in others if _side(box, other) == (axis, sign)]
    return _nearest_to(points, handle, same_side, axis)


def _drawn_out(box: Extent, handle: Point, others: Iterable[Point], way: Floats) -> Floats | None:
    """Points (N, 3) in what came out of a box with a handle; None where that is no drawer."""
    axis, sign = _side(box, handle)
    length = float(np.linalg.norm(way))
    if axis == 2 or length < _LEAST_WAY or sign * float(way[axis]) < _STRAIGHT * length:
        return None
    low, high = list(box[0]), list(box[1])
    front = high[axis] if sign > 0.0 else low[axis]
    ends = sorted((front + sign * 0.2 * length, front + sign * 0.85 * length))
    low[axis], high[axis] = ends
    across = 1 - axis
    low[across], high[across] = low[across] + _BOARD, max(high[across] - _BOARD, low[across] + _BOARD + 1e-3)
    low[2], high[2] = handle[2] - _BELOW_HANDLE[1], handle[2] - _BELOW_HANDLE[0]
    level = [other for other in others if abs(other[2] - handle[2]) <= _SAME]
    return _nearest_to(_lattice(low, high), handle, level, axis)
