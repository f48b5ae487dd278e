"""An observed object: what its views say of it, put together.

A word (label, color, material, ...) is decided by a weighted vote in which each viewpoint counts once, because what
makes a camera misread an object once from there does so again. It is known when the vote is clear.
"""

from __future__ import annotations

import math
from collections import defaultdict
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from vantage.perception.compiled import compiled
from vantage.perception.label_confusions import state_axis
from vantage.perception.map.association import Sighting, spread_of
from vantage.perception.map.extents import Extent, as_point
from vantage.perception.map.mass_interval import MassInterval, agreed
from vantage.perception.map.placement import Box
from vantage.perception.map.word_votes import KEPT_VIEWS, WordVotes, weight_of
from vantage.perception.object_categories import PLANES
from vantage.perception.print_spot import PrintSpot
from vantage.spatial import Viewpoint
from vantage.types import Detection, Evidence, Point

_KEPT_EVIDENCE = 5
_SAME_VIEW = 0.1  # m and rad: closer viewpoints show the same object and prove nothing twice
_SAME_PLACE = 0.5  # m within which a camera that misses or misreads an object does so again
_CERTAIN = 0.99
_STRONG = 0.4  # share of the most pixels from which on the bounds of a single view are trusted
_AGREE = 0.05  # m between the bounds of two views that confirm each other
_DOUBT = 2.0  # standard deviations
_ASTRAY = 0.12  # m from the middle that all views tell, beyond which a spot is that of something else
_BETTER = 0.8  # share of the largest area from which on a newer view tells the spot of an object: else part is hidden

Floats = NDArray[np.float64]
ViewKey = tuple[int, ...]


class ObservedObject:
    """An object that was seen, as far as it was seen.

    Attributes:
        instance_id: the perceiver's identity, or a negative number given here where it has none.
        pixels: of the best view.
        whole: some view showed it clear of the image border.
        room: the kind of room that a floor belongs to.
        print_spot: where words were read on it; None where none were, or no depth told.
        spot: where its middle is, by its box in the picture and the depth in there, of the newest view that shows about
            as much of it as any, m; None where no robot with a hand was near enough.
        mass: least and largest that it can be, kg, the largest infinite where it was too heavy to be lifted; None where
            nobody weighed it.
    """

    def __init__(self, instance_id: int) -> None:
        self.instance_id = instance_id
        self.pixels = 0
        self.whole = False
        self.room = ""
        self.print_spot: PrintSpot | None = None
        self.mass: MassInterval | None = None
        self.spot: Point | None = None
        self._spot_area = 0.0
        self.votes: dict[str, WordVotes] = {
            word: WordVotes() for word in ("label", "color", "material", "shape", "text")
        }
        self._states: dict[str, WordVotes] = defaultdict(WordVotes)
        self._views: dict[ViewKey, int] = {}
        self._stamps = np.zeros(KEPT_VIEWS, np.int64)
        self._presumed: tuple[Point, Point] | None = None
        self._former_views = 0
        self._lows, self._highs = np.empty((KEPT_VIEWS, 3)), np.empty((KEPT_VIEWS, 3))
        self._sizes = np.empty(KEPT_VIEWS)
        self._bounds: tuple[Point, Point] | None = None
        self._box: Box | None = None
        self._looks: Sighting | None = None
        self._evidence: dict[ViewKey, tuple[int, Evidence]] = {}
        self._seen_from: dict[ViewKey, float] = {}
        self._missed_from: set[ViewKey] = set()

    @property
    def label(self) -> str:
        return self.votes["label"].first

    @property
    def color(self) -> str:
        """Empty while it has not been made out, or while views disagree."""
        return self.votes["color"].clear

    @property
    def material(self) -> str:
        """Empty while it has not been made out, or while views disagree."""
        return self.votes["material"].clear

    @property
    def shape(self) -> str:
        """Empty while it has not been made out, or while views disagree."""
        return self.votes["shape"].clear

    @property
    def text(self) -> str:
        """Words read from its print; empty where none were read, or where views disagree."""
        return self.votes["text"].clear

    @property
    def states(self) -> tuple[str, ...]:
        """At most one of each pair such as open and closed, in the order in which they were first seen."""
        return tuple(state for votes in self._states.values() if (state := votes.clear))

    @property
    def views(self) -> int:
        """From how many different viewpoints it was seen (at most 64 are told apart)."""
        return len(self._views)

    @property
    def witnesses(self) -> int:
        """From how many viewpoints it was seen, also before it was moved."""
        return self._former_views + len(self._views)

    @property
    def places(self) -> int:
        """From how many places, half a metre apart, it was seen."""
        return len(self._seen_from)

    @property
    def existence(self) -> float:
        """How sure it is that this object is one, 0..1: of an object without an identity, the share of the places with
        a clear view of it from which it was seen."""
        missed = len(self._missed_from - self._seen_from.keys())
        return len(self._seen_from) / (len(self._seen_from) + missed) if missed else 1.0

    @property
    def is_refuted(self) -> bool:
        """Clear views of where it should be show that it is not there."""
        missed = len(self._missed_from - self._seen_from.keys())
        return missed >= 2 and missed >= 2 * len(self._seen_from)

    @property
    def confidence(self) -> float:
        """1 - product over places of (1 - best detection confidence), at most 0.99, times ``existence``."""
        doubt = math.prod(1.0 - confidence for confidence in self._seen_from.values())
        return min(_CERTAIN, 1.0 - doubt) * self.existence

    @property
    def bounds_min(self) -> Point:
        """Lowest corner of the visible surface over all views, world frame, m."""
        return self._fused_bounds()[0]

    @property
    def bounds_max(self) -> Point:
        """Highest corner of the visible surface over all views, world frame, m."""
        return self._fused_bounds()[1]

    def _fused_bounds(self) -> tuple[Point, Point]:
        """Union over the views, in which the edge that a weak view claims needs another view that agrees.

        Where a plane lies is what most of its pixels say: views along it mix it with all that stands before it.
        """
        if not self._views and self._presumed is not None:
            return self._presumed
        if self._bounds is None:
            count = len(self._views)
            sizes = self._sizes[:count]
            exact = self.instance_id > 0
            doubts = np.zeros(count) if exact else _DOUBT * spread_of(sizes)
            low = _outermost(self._lows[:count], sizes, doubts)
            high = -_outermost(-self._highs[:count], sizes, doubts)
            if self.label in PLANES:
                across = int(np.argmin(high - low))
                low[across] = _middle(self._lows[:count, across], sizes)
                high[across] = _middle(self._highs[:count, across], sizes)
            self._bounds = _point(low), _point(np.maximum(low, high))
        return self._bounds

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The frames that show it best, best first."""
        return tuple(evidence for _, evidence in sorted(self._evidence.values(), key=lambda kept: -kept[0]))

    @property
    def center(self) -> Point:
        """Of the bounds, m."""
        x, y, z = (0.5 * (low + high) for low, high in zip(self.bounds_min, self.bounds_max, strict=True))
        return x, y, z

    @property
    def reached_at(self) -> Extent:
        """Its bounds where the hand finds it: around its spot, unless that is so far off as to be of another."""
        low, high = self.bounds_min, self.bounds_max
        if self.spot is None:
            return low, high
        shift = np.subtract(self.spot, self.center)
        if float(np.linalg.norm(shift)) > _ASTRAY:
            return low, high
        return as_point(low + shift), as_point(high + shift)

    @property
    def box(self) -> Box:
        """Its bounds with what decides what it can hold."""
        if self._box is None:
            self._box = Box(self.instance_id, self.label, self.bounds_min, self.bounds_max, self.states)
        return self._box

    @property
    def looks(self) -> Sighting:
        """What all views together say, for comparison with others."""
        if self._looks is None:
            label, color, material, shape = (self.votes[w].first for w in ("label", "color", "material", "shape"))
            spread = float(spread_of(self.pixels))
            self._looks = Sighting(
                self.bounds_min, self.bounds_max, spread, self.whole, label, color, material, shape, self.room
            )
        return self._looks

    def add(self, detection: Detection, stamp: int, viewpoint: Viewpoint) -> None:
        """Take in what one view shows."""
        key, place = _view(viewpoint), _place(viewpoint)
        self._box = self._looks = None
        self.whole = self.whole or not detection.truncated
        self.room = self.room or detection.room
        weight = weight_of(detection.pixels)
        for word, votes in self.votes.items():
            votes.cast(place, getattr(detection, word), weight)
        for state in detection.states:
            self._states[state_axis(state)].cast(place, state, weight)
        confidence = min(max(detection.confidence, 0.0), 1.0)
        self._add_view(key, detection.bounds_min, detection.bounds_max, detection.pixels, stamp)
        self._seen_from[place] = max(confidence, self._seen_from.get(place, 0.0))
        self._add_evidence(key, detection.pixels, Evidence(stamp, viewpoint))

    def _add_view(self, key: ViewKey, low: Point, high: Point, pixels: float, stamp: int) -> None:
        at = self._views.get(key)
        if at is None:
            if len(self._views) >= KEPT_VIEWS:
                self.pixels = max(self.pixels, int(pixels))
                return
            at = self._views[key] = len(self._views)
            self._sizes[at] = 0
        if pixels >= self._sizes[at]:
            self._lows[at], self._highs[at], self._sizes[at], self._stamps[at] = low, high, pixels, stamp
            self._bounds = None
        self.pixels = max(self.pixels, int(pixels))

    def _add_evidence(self, key: ViewKey, pixels: int, evidence: Evidence) -> None:
        kept = self._evidence.get(key)
        if kept is not None and kept[0] >= pixels:
            return
        self._evidence[key] = pixels, evidence
        if len(self._evidence) > _KEPT_EVIDENCE:
            del self._evidence[min(self._evidence, key=lambda view: self._evidence[view][0])]

    def spotted(self, place: Point, area: float) -> None:
        """Note where a view shows its middle by box and depth (m), with a box of so large an area there (m^2)."""
        if area >= _BETTER * self._spot_area:
            self.spot, self._spot_area = place, max(area, self._spot_area)

    def miss(self, viewpoint: Viewpoint) -> None:
        """Note that a clear view of where it should be did not show it."""
        self._missed_from.add(_place(viewpoint))

    def moved_to(self, low: Point, high: Point) -> None:
        """It was taken elsewhere: it is where it was put (corners of its box, m) until views show it there, and what
        former views say of its place, and of its absence, counts no more. Its looks are what they were."""
        self._presumed = low, high
        self._former_views += len(self._views)
        self._views.clear()
        self._missed_from.clear()
        self.print_spot = self.spot = None
        self._spot_area = 0.0
        self._box = self._looks = self._bounds = None

    def changed(self, state: str) -> None:
        """It was brought into a state, such as open, by the robot's own hand: from now on newer views decide."""
        votes = self._states[state_axis(state)] = WordVotes()
        votes.cast(None, state, weight_of(1))  # as told, until it is seen
        self._box = None

    def forget_views_since(self, stamp: int) -> None:
        """What views from a stamp (ns) on say of its place counts no more, as far as older ones are left."""
        kept = [(key, at) for key, at in self._views.items() if self._stamps[at] < stamp]
        if not kept or len(kept) == len(self._views):
            return
        order = [at for _, at in kept]
        for values in (self._lows, self._highs, self._sizes, self._stamps):
            values[: len(order)] = values[order]
        self._views = {key: number for number, (key, _) in enumerate(kept)}
        self._box = self._looks = self._bounds = None

    def take_over(self, other: ObservedObject) -> None:
        """Take in all views of another, which turned out to be this one."""
        self._box = self._looks = None
        self.whole = self.whole or other.whole
        self.room = self.room or other.room
        self.print_spot = self.print_spot or other.print_spot
        if other.spot is not None:
            self.spotted(other.spot, other._spot_area)
        self.mass = agreed(self.mass, other.mass)
        for word, votes in self.votes.items():
            votes.take_over(other.votes[word])
        for axis, votes in other._states.items():
            self._states[axis].take_over(votes)
        for key, at in other._views.items():
            low, high = _point(other._lows[at]), _point(other._highs[at])
            self._add_view(key, low, high, other._sizes[at], int(other._stamps[at]))
        for place, confidence in other._seen_from.items():
            self._seen_from[place] = max(confidence, self._seen_from.get(place, 0.0))
        self._missed_from |= other._missed_from
        self._former_views += other._former_views
        for key, (pixels, evidence) in other._evidence.items():
            self._add_evidence(key, pixels, evidence)


@compiled
def _outermost(lows: Floats, sizes: Floats, doubts: Floats) -> Floats:
    """Per axis, the lowest of the values (N, 3) that comes from a strong view or has another within 5 cm; (3,).

    Of values with ``doubts`` (N,), m, the lowest is too low. So each must be lower by its doubt to count, and the mean
    of all that agree with the one found, weighted by their ``sizes`` (N,), is taken.
    """
    found = np.empty(3)
    count, strongest = len(sizes), 0.0
    for k in range(count):
        strongest = max(strongest, sizes[k])
    for axis in range(3):
        lowest = np.inf
        for k in range(count):
            value = lows[k, axis] + doubts[k]
            if value >= lowest:
                continue
            confirmed = sizes[k] >= _STRONG * strongest
            for other in range(count):
                above = lows[other, axis] + doubts[other] - value
                confirmed = confirmed or (other != k and 0.0 <= above <= _AGREE)
            if confirmed:
                lowest = value
        total, weight = 0.0, 0.0
        for k in range(count):
            if lowest - 2.0 * doubts[k] <= lows[k, axis] <= lowest:
                total += lows[k, axis] * sizes[k]
                weight += sizes[k]
        found[axis] = total / weight
    return found


def _middle(values: Floats, weights: Floats) -> float:
    """The weighted median of values (N,)."""
    order = np.argsort(values, kind="stable")
    share = np.cumsum(weights[order])
    return float(values[order[int(np.searchsorted(share, 0.5 * share[-1]))]])


def _cell(*values: float, size: float) -> ViewKey:
    return tuple(math.floor(value / size + 0.5) for value in values)


@lru_cache(maxsize=16)
def _view(viewpoint: Viewpoint) -> ViewKey:
    """The same for viewpoints that show the same."""
    return _cell(viewpoint.x, viewpoint.y, viewpoint.z, viewpoint.yaw, viewpoint.pitch, size=_SAME_VIEW)


@lru_cache(maxsize=16)
def _place(viewpoint: Viewpoint) -> ViewKey:
    return _cell(viewpoint.x, viewpoint.y, viewpoint.z, size=_SAME_PLACE)


def _point(values: Floats) -> Point:
    return float(values[0]), float(values[1]), float(values[2])
