"""A home of which only views are known: its lattice, candidate views by lot, and what they show."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.e3vs.candidates import CandidateView
from vantage.benchmarks.e3vs.e3vs_plan import BENCHMARK, HomePlan
from vantage.benchmarks.labelling import LimitedWays, Oracle, SceneWorld, ViewLattice, scene_lattice
from vantage.benchmarks.sets import Home
from vantage.planning import make_actions
from vantage.spatial import Viewpoint
from vantage.types import Episode, Question


class LabelledViews:
    """Views that a model labelled; all others do not answer."""

    def __init__(self, lattice: ViewLattice, views: Sequence[CandidateView]) -> None:
        self.possible: NDArray[np.bool_] = np.zeros((len(lattice.positions), len(lattice.yaws)), dtype=np.bool_)
        for view in views:
            self.possible[view.position, view.heading] |= view.answers

    def answer(self, position: int, heading: int) -> bool:
        return bool(self.possible[position, heading])


class ViewedHome:
    """What the stages ask of a capture without a graph.

    Raises:
        SceneError: it has no room for the camera.
    """

    def __init__(self, plan: HomePlan, home: Home, world: SceneWorld) -> None:
        self.plan, self.name, self.seed = plan, home.name, home.seed
        self._world, self._space = world, world.place(home.name).space
        settings = plan.settings
        actions, radius = make_actions(settings.actions), settings.world.body_radius
        self.lattice = scene_lattice(world.place(home.name), home.name, actions, radius, home.seed)
        self.ways = LimitedWays(self.lattice, plan.labels.max_steps)

    def rng(self, what: str) -> np.random.Generator:
        return np.random.default_rng([self.plan.seed, self.seed, *what.encode()])

    @cached_property
    def candidates(self) -> tuple[tuple[int, int], ...]:
        """Viewpoints by lot, level or one rotation up or down, all of them reached from the first."""
        rng, lattice = self.rng("views"), self.lattice
        reached = np.flatnonzero(lattice.distances(int(rng.integers(len(lattice.positions)))) >= 0)
        level = np.flatnonzero(np.abs(lattice.pitches) <= lattice.actions.rotation + 1e-6)
        drawn = zip(
            rng.choice(reached, self.plan.labels.candidates),
            rng.choice(level, self.plan.labels.candidates),
            strict=True,
        )
        return tuple(dict.fromkeys((int(position), int(heading)) for position, heading in drawn))

    def look(self, position: int, heading: int) -> NDArray[np.uint8]:
        """What a viewpoint shows, (H, W, 3)."""
        viewpoint = self.lattice.viewpoint(position, heading)
        asked = (Question("look", "What is here?"),)
        return self._world.reset(Episode("look", BENCHMARK, self.name, viewpoint, asked, 1), 0).rgb

    def penetrates(self, viewpoint: Viewpoint) -> bool:
        """Whether the camera would look out of something solid, or be pressed against it."""
        return self._space.view_penetrates(viewpoint, self._world.intrinsics)

    def oracle(self, views: LabelledViews, position: int, heading: int) -> Oracle | None:
        """The fewest actions to a view that was labelled answering; None where it takes more than ``most_actions``."""
        ways = self.lattice.ways(position, heading)
        cost = np.where(views.possible & (ways.actions >= 0), ways.actions, np.iinfo(np.int64).max)
        spot, goal = (int(k) for k in np.unravel_index(int(cost.argmin()), cost.shape))
        if cost[spot, goal] > self.plan.labels.most_actions:
            return None
        length = float(ways.moves[spot, goal]) * self.lattice.actions.translation
        return Oracle(ways.names(spot, goal), self.lattice.viewpoint(spot, goal), length, True)
