"""Rooms into which something is to be brought, explored until something is seen there on which it can be put."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from vantage.goals import kind_of, object_key, room_of
from vantage.perception.map import CoverageMap, ObservedScene
from vantage.planning.agents.doer_budget import EXPLORING
from vantage.planning.agents.search_agent import by_height
from vantage.planning.execution import BEARING, Belief
from vantage.planning.goals import PlannedAction, Verb

_BEYOND = 1.5  # m around the part of a room that was seen, in which it may go on


def room_without_furniture(actions: Iterable[PlannedAction], belief: Belief) -> str:
    """The room into which a plan puts something and in which nothing was seen that bears it; empty for none."""
    into = (action.objects[1] for action in actions if action.verb is Verb.PLACE_IN)
    rooms = (name for name in into if object_key(name) in belief.rooms)
    return next((room for room in rooms if not is_furnished(room, belief)), "")


def is_furnished(room: str, belief: Belief) -> bool:
    """Whether anything was seen in a room on which things are put."""
    there = (name for name in belief.keys if room_of(belief.facts, name) == object_key(room))
    return any(kind_of(name) in BEARING for name in there)


class RoomLooks:
    """Of one task: looks into the room into which something is brought.

    Attributes:
        room: its name.
    """

    def __init__(self, memory: ObservedScene, coverage: CoverageMap) -> None:
        self._memory, self._coverage = memory, coverage
        self.room, self._looks = "", 0

    def begin(self, actions: Iterable[PlannedAction], belief: Belief) -> bool:
        """Whether a plan brings something into a room that should be looked into first."""
        self.room = room_without_furniture(actions, belief)
        return bool(self.room) and self._looks < EXPLORING

    def next(self, belief: Belief) -> NDArray[np.float32] | None:
        """Weights of all voxels for the next look; None where none is needed or may be taken any more."""
        if is_furnished(self.room, belief) or self._looks >= EXPLORING:
            return None
        self._looks += 1
        return in_room(self._coverage, self._memory, self.room)

    def give_up(self) -> None:
        """No look shows more of it."""
        self._looks = EXPLORING


def in_room(coverage: CoverageMap, memory: ObservedScene, name: str) -> NDArray[np.float32]:
    """Weights of all voxels: only those count that belong to rooms of a kind, or to what these may go on to."""
    label = kind_of(name).replace("_", " ")
    weights = np.zeros(coverage.shape, np.float32)
    everywhere = by_height(coverage, memory.floor_level, 1.0)
    ends = np.array(coverage.shape[:2])
    for room in memory.rooms:
        if room.label == label:
            low = np.floor((np.array(room.low[:2]) - _BEYOND - coverage.origin[:2]) / coverage.voxel)
            high = np.ceil((np.array(room.high[:2]) + _BEYOND - coverage.origin[:2]) / coverage.voxel)
            (x0, y0), (x1, y1) = (np.clip(corner, 0, ends).astype(int) for corner in (low, high))
            weights[x0:x1, y0:y1] = everywhere[x0:x1, y0:y1]
    return weights
