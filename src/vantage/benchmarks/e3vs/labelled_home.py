"""A home whose questions can be labelled: what the stages ask of it, made once for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.e3vs.e3vs_plan import HomePlan
from vantage.benchmarks.labelling import (
    LimitedWays,
    QuestionViews,
    SceneLabeller,
    SceneVisibility,
    SceneWorld,
    StartSettings,
    open_scene_world,
)
from vantage.benchmarks.sets import Home, SceneBounds
from vantage.errors import SceneError
from vantage.planning import make_actions
from vantage.questions.generation import Facts
from vantage.scenes.graph import SceneGraph
from vantage.spatial import Intrinsics, Viewpoint
from vantage.types import TruthQuestion

_DRAWN = 8  # positions from which the largest connected part of a lattice is looked for


class HomeLabels:
    """What labels the questions about one home of ``plan``.

    Attributes:
        reached: (P,) which positions of the lattice lead to each other; the largest such part.

    Raises:
        SceneError: it has no graph, or no room for the camera.
    """

    def __init__(self, plan: HomePlan, home: Home, world: SceneWorld) -> None:
        self.plan, self.name, self.seed = plan, home.name, home.seed
        place = world.place(home.name)
        if place.scene.graph is None:
            raise SceneError(f"scene '{home.name}' has no graph to ask about")
        self.graph: SceneGraph = place.scene.graph
        self.bounds = SceneBounds(place.scene.bounds_min, place.scene.bounds_max)
        self.judge = SceneVisibility.of_scene(scene_folder(plan, home.name), self.graph, plan.labels.visibility)
        self.intrinsics: Intrinsics = world.intrinsics
        starts = StartSettings(fewest_actions=plan.labels.fewest_actions, most_actions=plan.labels.most_actions)
        settings = plan.settings
        self.labeller = SceneLabeller(
            world,
            home.name,
            self.judge,
            make_actions(settings.actions),
            settings.world.body_radius,
            starts,
            seed=home.seed,
        )
        self.lattice = self.labeller.lattice
        self.ways = LimitedWays(self.lattice, plan.labels.max_steps)
        self.facts = Facts(self.graph, settings.relations)
        self._space = place.space
        self._views: dict[TruthQuestion, QuestionViews] = {}
        self.reached = self._largest_part()

    def rng(self, stage: str, number: int = 0) -> np.random.Generator:
        """For what is random in a stage, and in its question of a number."""
        return np.random.default_rng([self.plan.seed, self.seed, *stage.encode(), number])

    def views(self, question: TruthQuestion) -> QuestionViews:
        """Which viewpoints answer a question; each is judged once, whatever stage asks for it."""
        key = replace(question, question_id="")
        if key not in self._views:
            self._views[key] = self.labeller.views(key)
        return self._views[key]

    def penetrates(self, viewpoint: Viewpoint) -> bool:
        """Whether the camera would look out of something solid, or be pressed against it."""
        return self._space.view_penetrates(viewpoint, self.intrinsics)

    @property
    def start(self) -> Viewpoint:
        """A viewpoint of the largest part."""
        return self.lattice.viewpoint(int(np.flatnonzero(self.reached)[0]), self.lattice.level(0))

    def _largest_part(self) -> NDArray[np.bool_]:
        number = len(self.lattice.positions)
        if not number:
            return np.zeros(0, dtype=np.bool_)
        drawn = self.rng("parts").integers(number, size=_DRAWN)
        parts = [self.lattice.distances(int(k)) >= 0 for k in drawn]
        return max(parts, key=lambda part: int(part.sum()))


def scene_folder(plan: HomePlan, name: str) -> Path:
    """Where the scene of a home lies until the set is put together."""
    return scenes_folder(plan) / name


def scenes_folder(plan: HomePlan) -> Path:
    return plan.stages / "scenes"


@contextmanager
def opened_world(plan: HomePlan) -> Iterator[SceneWorld]:
    """A world over the homes, for one worker process."""
    world = replace(plan.settings.world, threads=1)
    with closing(open_scene_world(replace(plan.settings, world=world), scenes_folder(plan))) as found:
        yield found
