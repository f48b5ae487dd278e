"""Print on things: read only once a question turns on it, for reading takes much longer than seeing."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from vantage.answering.descriptions import inner_steps
from vantage.errors import MissingExtraError
from vantage.perception.memory import ObservedScene
from vantage.questions import programs as steps
from vantage.spatial import Viewpoint
from vantage.types import Detection, Observation

_NEAR = 1.2  # m from which print that is meant to be read can be read
_FRUITLESS = 3  # near looks at a thing that show no print, after which it has none
_MOST_AT_ONCE = 6  # things whose print is read in one view


class TextReader(Protocol):
    """Reads print in images."""

    def read(self, observation: Observation, detection: Detection) -> str:
        """The words on a detected thing, empty where none can be read."""


class Reading:
    """Takes views into a memory, with the print on near things once that is wanted.

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
        self._last: tuple[Observation, tuple[Detection, ...]] | None = None
        self._fruitless: dict[int, set[Viewpoint]] = defaultdict(set)
        self.unreadable = ""

    def reset(self) -> None:
        """Forget what was looked at."""
        self._last = None
        self._fruitless.clear()

    @property
    def unprinted(self) -> frozenset[int]:
        """Keys of things that were looked at from near enough and bear no print."""
        return frozenset(key for key, views in self._fruitless.items() if len(views) >= _FRUITLESS)

    def want_for(self, program: steps.Program) -> None:
        """Read print from now on, beginning with the last view, if a program asks for it."""
        if self._reader is not None or self.unreadable or not asks_for_print(program):
            return
        try:
            self._reader = self._make_reader()
        except MissingExtraError as error:
            self.unreadable = f"I cannot read print: {error}."
            return
        if self._last is not None:
            self.take_in(*self._last)

    def take_in(self, observation: Observation, detections: Sequence[Detection]) -> tuple[Detection, ...]:
        """Add a view to the memory; gives its detections, with the print that was read on them."""
        self._last = observation, tuple(detections)
        near = self._to_read(observation, detections)
        read = [replace(d, text=self._read(observation, d)) if k in near else d for k, d in enumerate(detections)]
        keys = self._memory.add(observation, read)
        for k in near:
            if not read[k].text:
                self._fruitless[keys[k]].add(observation.viewpoint)
        return tuple(read)

    def _read(self, observation: Observation, detection: Detection) -> str:
        return detection.text or (self._reader.read(observation, detection) if self._reader is not None else "")

    def _to_read(self, observation: Observation, detections: Sequence[Detection]) -> list[int]:
        """Places in the list of the nearest things whose print is not known yet."""
        if self._reader is None:
            return []
        ways = [math.dist(observation.viewpoint.position, d.center) for d in detections]
        known = [self._memory.get(d.instance_id) for d in detections]
        near = [k for k, way in enumerate(ways) if way <= _NEAR and ((thing := known[k]) is None or not thing.text)]
        return sorted(near, key=lambda k: ways[k])[:_MOST_AT_ONCE]


def asks_for_print(program: steps.Program) -> bool:
    """Whether the print on things matters for a program."""
    return any(
        isinstance(step, (steps.Filter, steps.Query, steps.Verify)) and step.attribute == "text"
        for step in inner_steps(program)
    )
