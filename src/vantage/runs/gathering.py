"""What an agent came to know of a place while it explored: things seen and opened, floor in view. Gold data."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from vantage.benchmarks.labelling import PlaceSight
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import Gathered, Poses

_NOWHERE = Poses()


class Gathering:
    """One episode.

    Args:
        targets: instance ids of what its questions are about.
    """

    def __init__(self, sight: PlaceSight, targets: Collection[int]) -> None:
        self._sight = sight
        self._targets = tuple(dict.fromkeys(targets))
        self._unseen = dict.fromkeys(sight.things)
        self._opened: set[int] = set()
        self._floor = np.zeros(0, np.bool_)  # in view so far
        self._begun = False

    def look(
        self, viewpoint: Viewpoint, intrinsics: Intrinsics, moved: Poses | None
    ) -> tuple[dict[int, float], Gathered | None]:
        """Take in a look.

        Args:
            moved: where things are that were moved; the same object as before stands for the same places.

        Returns:
            The visible fraction of each target, and what the look adds; None where that is nothing. The first look
            always adds something: how much there is.

        Raises:
            SceneError: the poses are not those of the scene.
        """
        moved = _NOWHERE if moved is None else moved
        asked = tuple(dict.fromkeys((*self._targets, *self._unseen)))
        shown = self._sight.look(viewpoint, intrinsics, asked, ~self._floor, moved)
        seen = tuple(key for key in asked if key in self._unseen and key in shown.enough)
        opened = tuple(sorted(self._sight.opened(moved) - self._opened))
        news = bool(seen or opened or not self._begun or (shown.floor & ~self._floor).any())
        self._floor = self._floor | shown.floor if self._begun else shown.floor
        self._begun = True
        for key in seen:
            del self._unseen[key]
        self._opened.update(opened)
        fractions = {key: shown.fractions[key] for key in self._targets}
        return fractions, self._gathered(seen, opened) if news else None

    def _gathered(self, seen: tuple[int, ...], opened: tuple[int, ...]) -> Gathered:
        sight = self._sight
        return Gathered(seen, opened, sight.area(self._floor), len(sight.things), len(sight.openable), sight.floor_area)
