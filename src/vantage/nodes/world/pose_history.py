"""Where things were at the looks since the newest reset of a world in which they can be moved."""

from __future__ import annotations

import copy
import threading
from collections import OrderedDict
from typing import Any

import numpy as np

from vantage.recording import Codec, read_time
from vantage.types import Poses
from vantage.worlds import Changing, poses_of

_KEPT = 64  # commands after which the world may still be asked


class PoseHistory:
    """Takes note after each reset and each command, because nothing is moved between them. Thread-safe."""

    def __init__(self, world: Changing) -> None:
        self._world = world
        self._lock = threading.Lock()
        self._episode_id = ""
        self._start: tuple[int, Poses] | None = None
        self._told: tuple[Poses, Any] | None = None  # poses of a start, and the message that tells them
        self._known: OrderedDict[int, Poses] = OrderedDict()  # by the stamp of the first look that shows them, ns

    def begin(self, stamp: int, episode_id: str) -> None:
        """The world was reset, and first shown with this stamp."""
        poses = poses_of(self._world)
        with self._lock:
            self._episode_id, self._start = episode_id, (stamp, poses)
            self._known = OrderedDict({stamp: poses})

    def note(self, stamp: int) -> None:
        """A command was carried out, and is shown by the look of this stamp."""
        poses = poses_of(self._world)
        with self._lock:
            self._known[stamp] = poses
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)

    def answer(self, codec: Codec, request: Any, response: Any) -> Any:
        """The response of RecallPoses; not ``ok`` where the look is of before the reset, or of too long ago."""
        stamp = read_time(request.observation_stamp)
        with self._lock:
            start, episode_id = self._start, self._episode_id
            found = next((poses for key, poses in reversed(self._known.items()) if key <= stamp), None)
        if start is None or found is None:
            response.message = f"where things were at {stamp} ns is not known; ask about looks since the newest reset"
            return response
        response.ok = True
        if self._told is None or self._told[0] is not start[1]:
            self._told = start[1], codec.poses(start[0], episode_id, start[1])
        response.start = self._told[1]
        if _are_the_same(found, start[1]):
            response.poses = copy.copy(response.start)
            response.poses.header = codec.header(stamp)
        else:
            response.poses = codec.poses(stamp, episode_id, found)
        return response


def _are_the_same(one: Poses, other: Poses) -> bool:
    """Whether nothing was moved, switched or taken between two looks."""

    def rest(poses: Poses) -> tuple[Any, ...]:
        return list(poses.things), poses.joints, poses.switched, poses.held, poses.changes

    if rest(one) != rest(other):
        return False
    return all(np.array_equal(one.things[name], pose) for name, pose in other.things.items())
