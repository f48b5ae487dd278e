"""The observed scene: detections of many views fused into objects, where they are, and how well they were seen."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vantage.perception.coverage import CoverageMap
from vantage.perception.inspection import Inspection, inspect
from vantage.perception.placement import Box, Placement, place
from vantage.perception.surfaces import SurfaceMap
from vantage.spatial import Viewpoint
from vantage.types import Detection, Evidence, Observation, Point

MAX_OBJECTS = 4096
_KEPT_EVIDENCE = 5
_KEPT_VIEWS = 64
_SAME_VIEW = 0.1  # m and rad: closer viewpoints show the same thing and prove nothing twice
_SAME_PLACE = 0.25  # m between centres of one thing that comes without an identity
_CERTAIN = 0.99
_STRONG = 0.4  # share of the most pixels from which on the bounds of a single view are trusted
_AGREE = 0.05  # m between the bounds of two views that confirm each other


@dataclass(frozen=True)
class _View:
    """What one viewpoint contributed."""

    low: Point
    high: Point
    pixels: int
    confidence: float


@dataclass
class ObservedObject:
    """A thing that was seen, as far as it was seen.

    Attributes:
        instance_id: the perceiver's identity, or a negative number given here where it has none.
        pixels: of the best view.
        whole: some view showed it clear of the image border.
    """

    instance_id: int
    pixels: int = 0
    whole: bool = False
    _labels: Counter[str] = field(default_factory=Counter)
    _colors: Counter[str] = field(default_factory=Counter)
    _materials: Counter[str] = field(default_factory=Counter)
    _states: tuple[str, ...] = ()
    _states_pixels: int = 0
    _views: dict[tuple[int, ...], _View] = field(default_factory=dict)
    _bounds: tuple[Point, Point] | None = None
    _evidence: list[tuple[int, Evidence]] = field(default_factory=list)

    @property
    def label(self) -> str:
        return _winner(self._labels)

    @property
    def color(self) -> str:
        """Empty while it has not been made out."""
        return _winner(self._colors)

    @property
    def material(self) -> str:
        """Empty while it has not been made out."""
        return _winner(self._materials)

    @property
    def states(self) -> tuple[str, ...]:
        return self._states

    @property
    def views(self) -> int:
        """From how many different viewpoints it was seen (at most 64 are told apart)."""
        return len(self._views)

    @property
    def confidence(self) -> float:
        """1 - product over viewpoints of (1 - detection confidence), at most 0.99; more views never lower it."""
        doubt = math.prod(1.0 - view.confidence for view in self._views.values())
        return min(_CERTAIN, 1.0 - doubt)

    @property
    def bounds_min(self) -> Point:
        """Lowest corner of the visible surface over all views, world frame, m."""
        return self._fused_bounds()[0]

    @property
    def bounds_max(self) -> Point:
        """Highest corner of the visible surface over all views, world frame, m."""
        return self._fused_bounds()[1]

    def _fused_bounds(self) -> tuple[Point, Point]:
        """Union over the views, in which the edge that a weak view claims needs another view that agrees."""
        if self._bounds is None:
            views = list(self._views.values())
            strong = np.array([view.pixels for view in views]) >= _STRONG * max(view.pixels for view in views)
            low = _confirmed(np.array([view.low for view in views]), strong)
            high = -_confirmed(-np.array([view.high for view in views]), strong)
            self._bounds = _point(low), _point(np.maximum(low, high))
        return self._bounds

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The frames that show it best, best first."""
        return tuple(evidence for _, evidence in self._evidence)

    @property
    def center(self) -> Point:
        """Of the bounds, m."""
        x, y, z = (0.5 * (low + high) for low, high in zip(self.bounds_min, self.bounds_max, strict=True))
        return x, y, z

    @property
    def box(self) -> Box:
        return Box(self.instance_id, self.label, self.bounds_min, self.bounds_max, self.states)

    def _add(self, detection: Detection, stamp: int, viewpoint: Viewpoint) -> None:
        self.whole = self.whole or not detection.truncated
        weight = detection.pixels
        self._labels[detection.label] += weight
        if detection.color:
            self._colors[detection.color] += weight
        if detection.material:
            self._materials[detection.material] += weight
        if detection.states and detection.pixels >= self._states_pixels:
            self._states, self._states_pixels = detection.states, detection.pixels
        key = _view_key(viewpoint)
        if key in self._views or len(self._views) < _KEPT_VIEWS:
            known = self._views.get(key)
            confidence = min(max(detection.confidence, 0.0), 1.0)
            if known is None or known.pixels <= detection.pixels:
                confidence = max(confidence, known.confidence if known is not None else 0.0)
                self._views[key] = _View(detection.bounds_min, detection.bounds_max, detection.pixels, confidence)
                self._bounds = None
        self.pixels = max(self.pixels, detection.pixels)
        same = [k for k, (_, kept) in enumerate(self._evidence) if _view_key(kept.viewpoint) == key]
        if same and self._evidence[same[0]][0] >= detection.pixels:
            return
        for k in same:
            del self._evidence[k]
        self._evidence.append((detection.pixels, Evidence(stamp, viewpoint)))
        self._evidence.sort(key=lambda item: -item[0])
        del self._evidence[_KEPT_EVIDENCE:]


class ObservedScene:
    """What was seen so far. It grows with each view and holds no more than ``MAX_OBJECTS`` objects.

    Attributes:
        floor_z: height of the floor until a floor is seen, m.
        surfaces: what was looked at from near enough for ``min_pixels`` pixels of a small thing.
    """

    def __init__(self, floor_z: float = 0.0, min_pixels: int = 60) -> None:
        self.floor_z = floor_z
        self.surfaces = SurfaceMap(min_pixels)
        self.frames = 0
        self._objects: dict[int, ObservedObject] = {}
        self._placements: dict[int, Placement | None] | None = None

    def reset(self) -> None:
        """Forget everything."""
        self.surfaces.reset()
        self.frames = 0
        self._objects.clear()
        self._placements = None

    @property
    def objects(self) -> tuple[ObservedObject, ...]:
        """All observed things, structure included, in the order in which they were first seen."""
        return tuple(self._objects.values())

    def get(self, instance_id: int) -> ObservedObject | None:
        """The thing with an identity, or None."""
        return self._objects.get(instance_id)

    def find(self, labels: Iterable[str]) -> tuple[ObservedObject, ...]:
        """All observed things with one of the labels."""
        wanted = set(labels)
        return tuple(thing for thing in self._objects.values() if thing.label in wanted)

    def add(self, observation: Observation, detections: Sequence[Detection]) -> None:
        """Fuse the detections of one view; its depth image, if any, tells which surfaces were seen.

        Only detections name things here: instance ids and legend of the observation are not looked at.
        """
        self.frames += 1
        self.surfaces.add(observation)
        for detection in detections:
            thing = self._associate(detection)
            if thing is not None:
                thing._add(detection, observation.stamp, observation.viewpoint)
        if detections:
            self._placements = None

    def _associate(self, detection: Detection) -> ObservedObject | None:
        key = detection.instance_id
        if key <= 0:
            key = self._same_thing(detection)
        thing = self._objects.get(key)
        if thing is None:
            if len(self._objects) >= MAX_OBJECTS:
                return None
            thing = ObservedObject(key)
            self._objects[key] = thing
        return thing

    def _same_thing(self, detection: Detection) -> int:
        nearest, best = _SAME_PLACE, 0
        for thing in self._objects.values():
            if thing.instance_id < 0 and thing.label == detection.label:
                distance = math.dist(thing.center, detection.center)
                if distance < nearest:
                    nearest, best = distance, thing.instance_id
        return best or min((0, *self._objects)) - 1

    def support_of(self, thing: ObservedObject) -> Placement | None:
        """What a thing is on or in; None while the views do not tell. ``Placement.key`` 0 is a floor never seen."""
        if self._placements is None:
            boxes = {key: item.box for key, item in self._objects.items()}
            floor = self.floor_level
            self._placements = {key: place(box, boxes.values(), floor) for key, box in boxes.items()}
        return self._placements.get(thing.instance_id)

    @property
    def floor_level(self) -> float:
        """Height of the floor, m: as seen, or ``floor_z``."""
        floors = [thing for thing in self._objects.values() if thing.label == "floor"]
        if not floors:
            return self.floor_z
        return max(floors, key=lambda thing: thing.pixels).bounds_max[2]

    def things_at(self, support: ObservedObject, relation: str = "") -> tuple[ObservedObject, ...]:
        """The things on or in a support, or only those with one ``relation``."""
        found = []
        for thing in self._objects.values():
            placement = self.support_of(thing)
            if placement is None or placement.key != support.instance_id:
                continue
            if relation in ("", placement.relation):
                found.append(thing)
        return tuple(found)

    def count_at(self, support: ObservedObject, labels: Iterable[str]) -> int:
        """How many observed things with one of the labels are on or in a support."""
        wanted = set(labels)
        return sum(thing.label in wanted for thing in self.things_at(support))

    def inspection_of(self, support: ObservedObject, coverage: CoverageMap | None) -> Inspection:
        """How much of the places on or in a support was looked at, and where it was not."""
        there = [thing.box for thing in self.things_at(support)]
        others = [thing.box for thing in self._objects.values() if thing is not support]
        return inspect(support.box, support.whole, there, others, self.surfaces, coverage)

    def closed_containers(self) -> tuple[ObservedObject, ...]:
        """Things seen that may hide other things inside."""
        return tuple(thing for thing in self._objects.values() if thing.box.is_closed_container)


def _winner(votes: Counter[str]) -> str:
    return max(votes, key=lambda word: (votes[word], word)) if votes else ""


def _confirmed(lows: NDArray[np.float64], strong: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Per axis, the lowest of the values (N, 3) that comes from a strong view or has another within 5 cm; (3,)."""
    gaps = np.diff(np.sort(lows, axis=0), axis=0)
    order = np.argsort(lows, axis=0)
    found = lows[strong].min(axis=0)
    for axis in range(3):
        for k, gap in enumerate(gaps[:, axis]):
            value = lows[order[k, axis], axis]
            if value >= found[axis]:
                break
            if gap <= _AGREE:
                found[axis] = value
                break
    return np.asarray(found)


def _point(values: NDArray[np.float64]) -> Point:
    return float(values[0]), float(values[1]), float(values[2])


def _view_key(viewpoint: Viewpoint) -> tuple[int, ...]:
    values = (viewpoint.x, viewpoint.y, viewpoint.z, viewpoint.yaw, viewpoint.pitch)
    return tuple(math.floor(value / _SAME_VIEW + 0.5) for value in values)
