"""What was moved in a world since its episode began, told each time it changes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from vantage.types import Poses

_MOVED, _TURNED = 0.002, 0.01  # m, and largest change of an entry of a rotation matrix: less is how things settle


class MovedThings:
    """Compares the poses of a world with those that were told last, or with those at the start of the episode.

    Attributes:
        moved: all that is not where it was at the start, or was told to have been elsewhere since; another object each
            time that something changed.
    """

    def __init__(self) -> None:
        self.moved = Poses()
        self._told = Poses()
        self._begun = False

    def begin(self) -> None:
        """An episode begins: with its first look, things are where its scene has them."""
        self.moved, self._told, self._begun = Poses(), Poses(), False

    def look(self, now: Poses) -> Poses:
        """What was moved since the last look; false where nothing was.

        Args:
            now: of all that can be moved; kept, so that nobody may change it.
        """
        if not self._begun:
            self._told, self._begun = now, True
            return Poses()
        same = _unmoved(now.things, self._told.things)
        things = {key: pose for key, pose in now.things.items() if key not in same}
        joints = {
            key: position
            for key, position in now.joints.items()
            if abs(position - self._told.joints.get(key, np.inf)) > _MOVED
        }
        switched = {key: on for key, on in now.switched.items() if self._told.switched.get(key) != on}
        news = Poses(things, joints, switched, now.held, now.changes)
        if news:
            self._told, self.moved = self._told.updated(news), self.moved.updated(news)
        return news


def _unmoved(now: Mapping[int, NDArray[np.float64]], before: Mapping[int, NDArray[np.float64]]) -> set[int]:
    """Things that are where they were."""
    known = [key for key in now if key in before]
    ways = np.array([now[key] for key in known]).reshape(-1, 4, 4)[:, :3]
    ways -= np.array([before[key] for key in known]).reshape(-1, 4, 4)[:, :3]
    moved = np.linalg.norm(ways[:, :, 3], axis=1) > _MOVED
    moved |= np.abs(ways[:, :, :3]).max(axis=(1, 2), initial=0.0) > _TURNED
    return {key for key, went in zip(known, moved.tolist(), strict=True) if not went}
