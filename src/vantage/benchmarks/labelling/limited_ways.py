"""Which limited ways to move reach an answering view within a budget: what a question takes of five degrees of freedom.

A limited way is a camera that keeps some of x, y, z, yaw and pitch as they are at the start. All of them move on the
lattice of the labeller, by the actions that the oracle is counted in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol, cast

import numpy as np

from vantage.benchmarks.labelling.lattice import ViewLattice
from vantage.benchmarks.labelling.ray_crossings import Flags
from vantage.planning import PITCH, YAW, ActionSpace, Offset
from vantage.spatial import Viewpoint

START, ROTATION, ALL = "start", "rotation", "all"
LEVEL, HEIGHT, PITCHED = "x,y,yaw", "x,y,z,yaw", "x,y,yaw,pitch"

WAYS: Mapping[str, frozenset[str]] = {  # the axes that may change, by name
    START: frozenset(),
    ROTATION: frozenset((YAW, PITCH)),
    LEVEL: frozenset(("x", "y", YAW)),
    HEIGHT: frozenset(("x", "y", "z", YAW)),
    PITCHED: frozenset(("x", "y", YAW, PITCH)),
    ALL: frozenset(("x", "y", "z", YAW, PITCH)),
}


class AnsweringViews(Protocol):
    """Which viewpoints of a lattice answer one question; ``possible`` (P, H) are those worth a judgement."""

    possible: Flags

    def answer(self, position: int, heading: int) -> bool: ...


class LimitedWays:
    """The ways on one lattice.

    Args:
        budget: actions that each may take.
    """

    def __init__(self, lattice: ViewLattice, budget: int) -> None:
        self._budget = budget
        self._lattices = {
            name: replace(lattice, actions=cast(ActionSpace, _Limited(lattice.actions, axes)))
            for name, axes in WAYS.items()
        }

    def solving(self, views: AnsweringViews, position: int, heading: int) -> tuple[str, ...]:
        """Names of the ways that reach an answering view from a start, in the order of ``WAYS``; what a part of a way
        reaches, it reaches too."""
        solved: list[str] = []
        for name, axes in WAYS.items():
            if any(WAYS[other] <= axes for other in solved) or self._reaches(name, views, position, heading):
                solved.append(name)
        return tuple(solved)

    def _reaches(self, name: str, views: AnsweringViews, position: int, heading: int) -> bool:
        """Whether some view answers, those of fewest actions tried first."""
        actions = self._lattices[name].ways(position, heading).actions
        spots, headings = np.nonzero(views.possible & (actions >= 0) & (actions <= self._budget))
        order = np.argsort(actions[spots, headings], kind="stable")
        return any(views.answer(int(spots[k]), int(headings[k])) for k in order)


@dataclass(frozen=True)
class _Limited:
    """What a lattice asks of an action space, of one that keeps to some axes."""

    whole: ActionSpace
    axes: frozenset[str]

    @property
    def frame(self) -> str:
        return self.whole.frame

    @property
    def rotation(self) -> float:
        return self.whole.rotation

    @property
    def turns(self) -> Mapping[tuple[str, int], str]:
        return {turn: name for turn, name in self.whole.turns.items() if turn[0] in self.axes}

    def lattice_moves(self, viewpoint: Viewpoint) -> tuple[tuple[str, Offset], ...]:
        found = self.whole.lattice_moves(viewpoint)
        return tuple((name, offset) for name, offset in found if "xyz"[_axis(offset)] in self.axes)


def _axis(offset: Offset) -> int:
    return next(axis for axis, steps in enumerate(offset) if steps)
