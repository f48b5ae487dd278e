"""Printed text on objects, read only once a question turns on it, because reading takes longer than detection."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from vantage.errors import MissingExtraError
from vantage.perception import BUILDING
from vantage.perception.map import ObservedObject, ObservedScene
from vantage.perception.perceivers import TextReading, TextReadings
from vantage.questions import inner_steps, programs as steps
from vantage.questions.lexicon import canonical, loosely
from vantage.spatial import Viewpoint, wrap_angle
from vantage.types import Detection, Observation, Point

_FAR = 4.0  # m beyond which no print on an object of a home is legible
_NEAR, _LARGE = 1.5, 40  # m, and pixels of the shorter side of its box: a view that would show print if there were any
_FRUITLESS = 3  # such views that show no print, from all around, after which an object has none
_UNSEEN = math.radians(200.0)  # arc without such a view that may be left: print around a bottle is hidden from there
_ALIKE = math.radians(20.0)  # between two views of which the smaller shows nothing new
_BETTER = 1.2  # times the pixels of the best alike view, from which on another is worth reading
_MOST_HEARD = 256  # programs
_MOST_AT_ONCE = 4  # objects whose print is read in one view


class TextReader(Protocol):
    """Reads print in images."""

    def text_on(self, observation: Observation, detection: Detection) -> TextReading | None:
        """What a view shows of the print on a detected object; None where it shows too little to tell."""


@dataclass(frozen=True)
class _Look:
    """A view in which print was read: from which direction (rad, seen from the object), how large and how complete."""

    view: Viewpoint
    direction: float
    pixels: int
    truncated: bool


@dataclass
class _Record:
    """What was read on one object."""

    prints: TextReadings = field(default_factory=TextReadings)
    looks: list[_Look] = field(default_factory=list)
    fruitless: dict[Viewpoint, float] = field(default_factory=dict)

    def is_news(self, look: _Look) -> bool:
        """Whether a view may show more than those before it; where letters were seen, any other view may."""
        return not any(
            look.view == known.view
            or (
                self.prints.is_blank
                and not known.truncated
                and look.pixels < _BETTER * known.pixels
                and abs(wrap_angle(look.direction - known.direction)) <= _ALIKE
            )
            for known in self.looks
        )

    @property
    def is_blank(self) -> bool:
        """Near views from all around, but for the side that a wall may hide, show no print."""
        ways = sorted(self.fruitless.values())
        if len(ways) < _FRUITLESS or not self.prints.is_blank:
            return False
        arcs = [later - way for way, later in zip(ways, [*ways[1:], ways[0] + 2.0 * math.pi], strict=True)]
        return max(arcs) <= _UNSEEN


class TextMemory:
    """Takes views into a memory, with the print on objects once that is wanted.

    Attributes:
        unreadable: why print cannot be read, in a sentence; empty when it can.
    """

    def __init__(self, memory: ObservedScene, make_reader: Callable[[], TextReader]) -> None:
        """
        Args:
            make_reader: called when print is wanted for the first time.
        """
        self._memory = memory
        self._make_reader = make_reader
        self._reader: TextReader | None = None
        self._wanted: set[str] = set()
        self._any = False
        self._heard: dict[int, steps.Program] = {}  # by their identity; asked again at every step of a search
        self._last: tuple[Observation, tuple[Detection, ...]] | None = None
        self._records: dict[int, _Record] = defaultdict(_Record)
        self.unreadable = ""

    def reset(self) -> None:
        """Forget what was looked at, and what was asked."""
        self._last = None
        self._records.clear()
        self._wanted.clear()
        self._heard.clear()
        self._any = False

    @property
    def unprinted(self) -> frozenset[int]:
        """Keys of objects that were looked at from near enough, all around as far as walls allow, and bear no print."""
        return frozenset(key for key, record in self._records.items() if record.is_blank)

    def want_for(self, program: steps.Program) -> None:
        """Read the print that a program asks for from now on, beginning with the last view."""
        if self._heard.get(id(program)) is program:
            return
        if len(self._heard) >= _MOST_HEARD:
            self._heard.clear()
        self._heard[id(program)] = program
        if self.unreadable or not asks_for_text(program):
            return
        labels = labels_with_text(program)
        new = (self._any, set(self._wanted)) != (self._any or labels is None, self._wanted | (labels or frozenset()))
        if self._reader is not None and not new:
            return
        self._any = self._any or labels is None
        self._wanted |= labels or frozenset()
        if self._reader is None:
            try:
                self._reader = self._make_reader()
            except MissingExtraError as error:
                self.unreadable = f"I cannot read print: {error}."
                return
        if self._last is not None:
            self.take_in(*self._last)

    def take_in(self, observation: Observation, detections: Sequence[Detection]) -> tuple[Detection, ...]:
        """Add a view to the memory; gives its detections, with the print on them as far as it is settled."""
        self._last = observation, tuple(detections)
        keys = self._memory.add(observation, detections)
        self._follow_memory()
        read = list(detections)
        for k in self._to_read(observation, detections, keys):
            words = self._read(observation, detections[k], keys[k])
            obj = self._memory.get(keys[k])
            if words and obj is not None:
                read[k] = replace(detections[k], text=words)
                obj.add(read[k], observation.stamp, observation.viewpoint)
        return tuple(read)

    def _follow_memory(self) -> None:
        """Keep records of the objects that are remembered, by their present names."""
        for key in list(self._records):
            obj = self._memory.get(key)
            if obj is None or obj.instance_id != key:
                record = self._records.pop(key)
                if obj is not None:
                    self._records.setdefault(obj.instance_id, record)

    def _read(self, observation: Observation, detection: Detection, key: int) -> str:
        """The print on an object after one more look; empty while it is not settled."""
        record, view = self._records[key], observation.viewpoint
        found = self._reader.text_on(observation, detection) if self._reader is not None else None
        if found is None:
            return ""
        obj = self._memory.get(key)
        if obj is not None and found.spot is not None:
            obj.print_spot = found.spot
        record.looks.append(_look(view, detection))
        record.prints.add((view.x, view.y, view.z), _direction(view, detection.center), found)
        if not found.words and _is_near(view, detection):
            record.fruitless[view] = _direction(view, detection.center)
        return record.prints.words

    def _to_read(self, observation: Observation, detections: Sequence[Detection], keys: Sequence[int]) -> Sequence[int]:
        """Places in the list of the objects with the largest views whose print is wanted and not known yet."""
        if self._reader is None:
            return ()
        view = observation.viewpoint
        worth = [
            k
            for k, detection in enumerate(detections)
            if (obj := self._memory.get(keys[k])) is not None
            and not obj.text
            and self._is_wanted(detection, obj)
            and math.dist(view.position, detection.center) <= _FAR
            and self._records[keys[k]].is_news(_look(view, detection))
        ]
        return sorted(worth, key=lambda k: -detections[k].pixels)[:_MOST_AT_ONCE]

    def _is_wanted(self, detection: Detection, obj: ObservedObject) -> bool:
        labels = {canonical(detection.label), canonical(obj.label)}
        return not self._wanted.isdisjoint(labels) or (self._any and labels.isdisjoint(BUILDING))


def asks_for_text(program: steps.Program) -> bool:
    """Whether the print on objects matters for a program."""
    return any(True for _ in _asking(program))


def labels_with_text(program: steps.Program) -> frozenset[str] | None:
    """Labels of the objects whose print matters for a program, with those they are mixed up with; None for all."""
    found: set[str] = set()
    for step in _asking(program):
        named = set(_labels(step))
        if not named:
            return None
        found.update(*(loosely(label) | {label} for label in named))
    return frozenset(found)


_Asking = steps.Filter | steps.Query | steps.QueryEach | steps.Verify | steps.Alike
_BY_OTHERS = (steps.Between, steps.Compared, steps.Same)


def _asking(program: steps.Program) -> Iterator[_Asking]:
    for step in inner_steps(program):
        if isinstance(step, _Asking) and step.attribute == "text":
            yield step


def _labels(step: steps.Step) -> Iterator[str]:
    """The labels that a step may be about, not those of what objects are placed by."""
    if isinstance(step, steps.Filter) and step.attribute == "label":
        yield canonical(step.value)
        return
    for name in ("objects", "one", "first", "second"):
        part = getattr(step, name, None)
        if part is not None and not (isinstance(step, _BY_OTHERS) and name != "objects"):
            yield from _labels(part)


def _look(view: Viewpoint, detection: Detection) -> _Look:
    return _Look(view, _direction(view, detection.center), detection.pixels, detection.truncated)


def _direction(view: Viewpoint, center: Point) -> float:
    """In which direction a view lies from a point, in the plane, rad."""
    return math.atan2(view.y - center[1], view.x - center[0])


def _is_near(view: Viewpoint, detection: Detection) -> bool:
    near = math.dist(view.position, detection.center) <= _NEAR
    return near and min(detection.box[2:]) >= _LARGE and not detection.truncated
