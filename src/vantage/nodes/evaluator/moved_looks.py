"""What was moved in the world of an episode, as the world tells it of the looks that are judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from vantage.runs import MovedThings
from vantage.types import Poses


@dataclass(frozen=True)
class Recalled:
    """Where things were at a look.

    Attributes:
        episode_id: of the episode for which the world was reset.
        begun: stamp of the first look since then, ns.
        start: of all that can be moved, at that first look.
        poses: likewise, at the look that was asked about.
    """

    episode_id: str
    begun: int
    start: Poses
    poses: Poses


# Takes where things were, None where nothing can be moved; and why that is not known, in words, empty where it is.
Told = Callable[[Recalled | None, str], None]
Recall = Callable[[int, Told], None]


def nothing_moves(stamp: int, told: Told) -> None:
    """Tell that nothing can be moved."""
    told(None, "")


class MovedLooks:
    """Compares looks with the first one since the world was reset, whether that was judged or not."""

    def __init__(self) -> None:
        self._things = MovedThings()
        self._begun = -1

    @property
    def moved(self) -> Poses:
        """All that was moved since the reset, as ``MovedThings.moved``."""
        return self._things.moved

    def look(self, found: Recalled) -> Poses:
        """What was moved since the look before; false where nothing was."""
        if found.begun != self._begun:
            self._begun = found.begun
            self._things.begin()
            self._things.look(found.start)
        return self._things.look(found.poses)
