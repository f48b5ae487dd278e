"""What was seen, as the reasoner reads it: objects and rooms at one moment, and which space was looked at.

Everything here is worked out at most once for each state of the memory, for questions ask the same objects often.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vantage.config import RelationSettings
from vantage.perception import HANGING, LARGE, LIMP, WALLS
from vantage.perception.map import (
    UNKNOWN,
    Box,
    CoverageMap,
    Inspection,
    ObservedObject,
    ObservedRoom,
    ObservedScene,
    Place,
    Placement,
    room_at,
)
from vantage.questions.lexicon import appearances, canonical
from vantage.scenes.spec import STRUCTURE_LABELS
from vantage.types import Evidence, Point

T = TypeVar("T")

THOROUGH = 0.8  # share of all places where an object could be that must be looked at, before it is nowhere

_MOST_POINTS = 60
_SAMPLE = 1500  # points from which unseen space is judged
_ONE_WITNESS = 0.75  # how sure a word is at most that was told from one place, from afar
_ENOUGH_VIEWS = 4  # of an object that is too large or too near to be seen whole
_GLIMPSE = 0.5  # share of its usual length below which no more than a part of an object was seen
_SOLID = 0.05  # m inside the box of an object from which on nothing else can be there


@dataclass(frozen=True, eq=False)
class SeenObject:
    """An observed object or room, or a mere place; two of them are equal only when they are the same one.

    Attributes:
        key: the identity it has in the memory; rooms and objects count apart.
        label: as perceived, ``kind`` the same in its one canonical word.
        bounds_min, bounds_max: world frame, m.
        seen: as it is remembered, where it is an object.
        is_room: it is a room.
    """

    key: int
    label: str
    bounds_min: Point
    bounds_max: Point
    seen: ObservedObject | None = None
    is_room: bool = False

    @cached_property
    def kind(self) -> str:
        return canonical(self.label)

    @property
    def center(self) -> Point:
        """Of its box, m."""
        x, y, z = (0.5 * (low + high) for low, high in zip(self.bounds_min, self.bounds_max, strict=True))
        return x, y, z

    @property
    def extents(self) -> Point:
        """Of its box, m."""
        x, y, z = (high - low for low, high in zip(self.bounds_min, self.bounds_max, strict=True))
        return x, y, z

    def word(self, attribute: str) -> str:
        """Its color, material, shape or text, or its states; empty while not made out."""
        if self.seen is None:
            return ""
        return " and ".join(self.seen.states) if attribute == "state" else str(getattr(self.seen, attribute))

    def likeliest(self, attribute: str) -> str:
        """The word that most views say, however many do not; empty without any."""
        votes = None if self.seen is None else self.seen.votes.get(attribute)
        return "" if votes is None else votes.first

    def is_plain(self, attribute: str) -> bool:
        """Whether its color, material, shape or text was told from near, or from several places alike; of objects that
        bring their identity along, always."""
        votes = None if self.seen is None or self.key > 0 else self.seen.votes.get(attribute)
        return votes is None or not votes.first or votes.plain

    def agreement(self, attribute: str) -> float:
        """Share of the places, weighted by pixels, that agree on its color, material, shape or text, 0..1; no more than
        0.75 while one place tells it, from afar."""
        votes = None if self.seen is None else self.seen.votes.get(attribute)
        if votes is None:
            return 1.0
        share = votes.share((self.word(attribute) or votes.first,))
        return share if self.is_plain(attribute) else min(share, _ONE_WITNESS)

    def said(self, attribute: str, word: str) -> float:
        """Share of the views, weighted by pixels, that say a word of its color, material, shape or text, 0..1."""
        votes = None if self.seen is None else self.seen.votes.get(attribute)
        return 0.0 if votes is None else votes.share((word,))

    @property
    def states(self) -> tuple[str, ...]:
        return () if self.seen is None else self.seen.states

    @property
    def pixels(self) -> int:
        """Of its best view."""
        return 0 if self.seen is None else self.seen.pixels

    @property
    def views(self) -> int:
        """From how many viewpoints it was seen."""
        return 0 if self.seen is None else self.seen.views

    @property
    def witnesses(self) -> int:
        """From how many viewpoints it was seen wherever it was, which tells what it looks like."""
        return 0 if self.seen is None else self.seen.witnesses

    @property
    def confidence(self) -> float:
        """That it is there and is what it is called, 0..1."""
        return 1.0 if self.seen is None else self.seen.confidence

    @property
    def whole(self) -> bool:
        """Some view showed it clear of the image border."""
        return self.seen is None or self.seen.whole

    @property
    def cut_off(self) -> bool:
        """Few views showed it, all of them cut off at the image border."""
        return self.seen is not None and not self.whole and self.views < _ENOUGH_VIEWS

    @property
    def passing(self) -> bool:
        """One place alone showed it, which brings no identity along: it may be another object at a wrong depth."""
        return self.seen is not None and self.key < 0 and self.seen.places == 1

    @property
    def glimpsed(self) -> bool:
        """Few views showed it, and no more than a part of it, for furniture of the kind is far longer."""
        usual = appearances().get(self.kind)
        if self.seen is None or usual is None or self.kind not in LARGE or self.views >= _ENOUGH_VIEWS:
            return False
        longest = max(high - low for low, high in zip(self.bounds_min, self.bounds_max, strict=True))
        return longest < _GLIMPSE * max(usual.extents)

    @property
    def closed(self) -> bool:
        """It may hide objects inside."""
        return self.seen is not None and self.seen.box.is_closed_container

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The frames that show it best, best first."""
        return () if self.seen is None else self.seen.evidence


@dataclass(frozen=True)
class SeenShare:
    """How much of some space was looked at: a share 0..1, and points in what was not (at most 60), m."""

    share: float
    unseen: tuple[Point, ...]


class ObservedFacts:
    """The memory at one moment.

    Attributes:
        exhausted: all reachable space has been looked at.
        settings: when objects count as next to each other and so on.
        unprinted: keys of objects that were looked at from near enough and bear no print.
        unreadable: why print cannot be read, in a sentence; empty when it can.
        hidden: what is inside closed containers counts.
    """

    def __init__(
        self,
        memory: ObservedScene,
        coverage: CoverageMap | None,
        exhausted: bool,
        settings: RelationSettings,
        unprinted: frozenset[int] = frozenset(),
        unreadable: str = "",
        known: dict[object, object] | None = None,
        hidden: bool = False,
    ) -> None:
        """
        Args:
            known: what was worked out already, shared by all facts of one moment.
        """
        self.memory = memory
        self.coverage = coverage
        self.exhausted = exhausted
        self.settings = settings
        self.unprinted = unprinted
        self.unreadable = unreadable
        self.hidden = hidden
        self._known: dict[object, object] = {} if known is None else known

    def once(self, key: object, work: Callable[[], T]) -> T:
        """The result of some work, whether all space was looked at or not, done when it is asked for the first time."""
        if key not in self._known:
            self._known[key] = work()
        return self._known[key]  # type: ignore[return-value]

    def is_looked_out(self, place: Place) -> bool:
        """Whether no further look at a place beside an object would show more of it, for now."""
        return self.exhausted or place in self.memory.given_up

    @cached_property
    def _all(self) -> dict[int, SeenObject]:
        return self.once(
            "all",
            lambda: {
                item.instance_id: SeenObject(item.instance_id, item.label, *self.memory.found_box(item), item)
                for item in self.memory.objects
            },
        )

    @cached_property
    def objects(self) -> tuple[SeenObject, ...]:
        """Everything but floors, walls and ceilings, and cloth in mid-air beside more of its kind: seen at a wrong
        depth."""
        return self.once("objects", self._find_objects)

    def _find_objects(self) -> tuple[SeenObject, ...]:
        loose = [obj for obj in self._all.values() if obj.kind not in STRUCTURE_LABELS]
        settled = {obj.kind for obj in loose if not self._floats(obj)}
        return tuple(obj for obj in loose if obj.kind not in settled or not self._floats(obj))

    def _floats(self, obj: SeenObject) -> bool:
        if not obj.passing or obj.kind not in LIMP:
            return False
        placement = self.placement(obj)
        return placement is None or placement.guess

    @cached_property
    def structure(self) -> tuple[SeenObject, ...]:
        """Floors, walls and ceilings."""
        return tuple(obj for obj in self._all.values() if obj.kind in STRUCTURE_LABELS)

    @cached_property
    def _observed_rooms(self) -> tuple[ObservedRoom, ...]:
        return self.memory.rooms

    @cached_property
    def _rooms(self) -> dict[int, SeenObject]:
        return self.once(
            "rooms",
            lambda: {
                room.key: SeenObject(room.key, room.label, room.low, room.high, is_room=True)
                for room in self._observed_rooms
            },
        )

    @cached_property
    def _walls(self) -> list[Box]:
        return [item.box for item in self.memory.objects if item.label in WALLS]

    @property
    def rooms(self) -> tuple[SeenObject, ...]:
        """Rooms whose floors were seen."""
        return tuple(self._rooms.values())

    @cached_property
    def closed_containers(self) -> tuple[SeenObject, ...]:
        """Objects that may hide others inside."""
        return tuple(obj for obj in self.objects if obj.closed)

    def placement(self, obj: SeenObject) -> Placement | None:
        """What an object is on or in, or None while the views do not tell."""
        return None if obj.seen is None else self.memory.support_of(obj.seen)

    def support(self, obj: SeenObject) -> SeenObject | None:
        """The object that it is on or in."""
        placement = self.placement(obj)
        return None if placement is None else self._all.get(placement.key)

    def is_shut_in(self, obj: SeenObject) -> bool:
        """Whether it is known to be inside of something closed, where contents count: no look shows more of it."""
        return self.hidden and self.once(("shut in", obj.key), lambda: self._find_shut_in(obj))

    def _find_shut_in(self, obj: SeenObject) -> bool:
        placement, support = self.placement(obj), self.support(obj)
        return placement is not None and placement.relation == "in" and support is not None and support.closed

    def room_of(self, obj: SeenObject) -> SeenObject | None:
        """The room that an object is in, or None while that is not known; of a room, itself."""
        return obj if obj.is_room else self.once(("room of", obj.key), lambda: self._find_room(obj))

    def _find_room(self, obj: SeenObject) -> SeenObject | None:
        support = self.support(obj)
        if support is not None and support.kind not in STRUCTURE_LABELS:
            return self.room_of(support)
        room = room_at(obj.center, self._observed_rooms, self._walls)
        return None if room is None else self._rooms.get(room.key)

    def inspection(self, support: SeenObject, relation: str) -> Inspection:
        """How well the places ``on``, ``in`` or both ("at") of a support were looked at; a floor's never completely."""
        item = support.seen
        if item is None or support.kind == "floor":
            return Inspection(0.0, 0.0, ())
        where = "" if relation == "at" else relation
        return self.once(
            ("inspection", support.key, where), lambda: self.memory.inspection_of(item, self.coverage, where)
        )

    def room_seen(self, room: SeenObject) -> float:
        """Share of a room that was looked at, 0..1, up to the height of a person's reach."""
        item = next(item for item in self._observed_rooms if item.key == room.key)
        if self.coverage is None:
            return 0.0
        coverage = self.coverage
        return self.once(("room seen", room.key), lambda: self.memory.room_seen(item, coverage))

    def room_unseen(self, room: SeenObject) -> tuple[Point, ...]:
        """Points in a room that was not looked at completely, m."""
        return self.region_seen(room.bounds_min, room.bounds_max).unseen or (room.center,)

    def searched(self, label: str, within: SeenObject | None = None) -> float:
        """Share of all places, or of those in a room, that were looked at in which an object with a label (anything
        without) could be, 0..1."""
        if self.coverage is None:
            return float(self.exhausted)
        coverage, key = self.coverage, 0 if within is None else within.key
        room = None if within is None else next(item for item in self._observed_rooms if item.key == key)
        return self.once(("searched", label, key), lambda: self.memory.searched_share(label, coverage, room))

    def noticed(self, label: str, within: SeenObject | None = None) -> bool:
        """Whether an object with a label (anything without) would have been seen wherever it is, if not hidden."""
        return self.searched(label, within) >= THOROUGH and self.looked_into(label, within)

    def looked_into(self, label: str, within: SeenObject | None = None) -> bool:
        """Whether no open container in sight, or in a room, is left that may hold an object with a label."""
        if self.exhausted or self.coverage is None or label in LARGE | HANGING:
            return True
        key = 0 if within is None else within.key
        room = None if within is None else next(item for item in self._observed_rooms if item.key == key)
        return self.once(("looked into", label, key), lambda: self.memory.containers_looked_into(label, room))

    def region_seen(self, low: Point, high: Point) -> SeenShare:
        """How much of a box (m) was looked at; what is filled by observed objects counts as seen."""
        return self.once(("region", low, high), lambda: self._look_at_region(low, high))

    def _look_at_region(self, low: Point, high: Point) -> SeenShare:
        """Judged from a lattice of points: all is known but unknown space outside of all observed objects."""
        if self.coverage is None:
            return SeenShare(0.0, ())
        extent = np.maximum(np.array(high) - np.array(low), self.coverage.voxel)
        step = max(self.coverage.voxel, float(np.cbrt(np.prod(extent) / _SAMPLE)))
        axes = [np.linspace(a, b, max(round((b - a) / step), 1) + 1) for a, b in zip(low, high, strict=True)]
        middles = [0.5 * (axis[1:] + axis[:-1]) for axis in axes]
        lattice = np.stack(np.meshgrid(*middles, indexing="ij"), axis=-1).reshape(-1, 3)
        points = lattice[self.coverage.state(lattice) == UNKNOWN]
        for obj in self.objects:
            if all(obj.bounds_min[k] < high[k] and obj.bounds_max[k] > low[k] for k in range(3)):
                inside = points > np.array(obj.bounds_min) + _SOLID
                inside &= points < np.array(obj.bounds_max) - _SOLID
                points = points[~inside.all(axis=1)]
        return SeenShare(1.0 - len(points) / len(lattice), _some_points(points))


def _some_points(points: NDArray[np.float64]) -> tuple[Point, ...]:
    """At most ``_MOST_POINTS`` of them, evenly spread."""
    return tuple((float(x), float(y), float(z)) for x, y, z in points[:: 1 + len(points) // _MOST_POINTS])
