"""Start poses and oracles: from where a question is asked, and the fewest actions after which one look answers it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vantage.benchmarks.visibility import SceneVisibility
from vantage.planning.actions import ActionSpace
from vantage.planning.shortest import ShortestPath, shortest_path
from vantage.spatial import Viewpoint, wrap_angle
from vantage.splats.space.occupancy import OccupancyGrid
from vantage.types import Episode, Observation, Point, Question, TruthQuestion
from vantage.worlds.limits import MotionLimits
from vantage.worlds.splat import SplatWorld


@dataclass(frozen=True)
class StartSettings:
    """Where episodes start.

    Attributes:
        lowest, highest: height of the camera above the floor, m.
        fewest_actions, most_actions: how long the oracle may be, so that episodes are neither solved nor hopeless.
        per_question: starts to try for one question.
        glances: spots from which a question is tried before it is labelled.
    """

    lowest: float = 0.9
    highest: float = 1.5
    fewest_actions: int = 3
    most_actions: int = 25
    per_question: int = 8
    glances: int = 150


@dataclass(frozen=True)
class Label:
    """A start, the shortest way to an answer, and what is seen there."""

    start: Viewpoint
    path: ShortestPath
    view: Observation


class SceneLabeller:
    """Labels questions about one scene from its geometry; only goals are rendered."""

    def __init__(
        self,
        world: SplatWorld,
        scene: str,
        visibility: SceneVisibility,
        actions: ActionSpace,
        body_radius: float,
        starts: StartSettings,
    ) -> None:
        place = world.place(scene)
        self._world, self._scene, self._visibility = world, scene, visibility
        self._actions, self._radius, self._starts = actions, body_radius, starts
        self._occupancy: OccupancyGrid = place.occupancy
        self._limits: MotionLimits = place.limits
        self._everywhere = _free_spots(place.occupancy, place.limits, body_radius)
        height = self._everywhere[:, 2] - place.scene.floor
        self._spots = self._everywhere[(height >= starts.lowest) & (height <= starts.highest)]

    def label(self, truth: TruthQuestion, rng: np.random.Generator) -> Label | None:
        """A random start with its oracle, or None when none of the starts tried has one of the right length."""
        if not self._promising(truth, rng):
            return None
        for start in self._draw_starts(rng):
            found = self.shortest(truth, start)
            if found is None:
                return None
            if len(found.actions) >= self._starts.fewest_actions:
                return Label(start, found, self.look(found.goal))
        return None

    def _promising(self, truth: TruthQuestion, rng: np.random.Generator) -> bool:
        """Whether any of some free spots, looked from straight at the first target, shows the answer.

        A shortest path takes long to find where there is none; this takes a moment.
        """
        targets = truth.target_instances
        if not targets or not len(self._everywhere):
            return False
        center = self._visibility.center(targets[0])
        for k in rng.integers(len(self._everywhere), size=self._starts.glances):
            view = Viewpoint.looking_at(self._everywhere[int(k)], center)
            pitch = min(max(view.pitch, self._limits.pitch_min), self._limits.pitch_max)
            if self._visibility.answers(truth, replace(view, pitch=pitch), self._world.intrinsics):
                return True
        return False

    def shortest(self, truth: TruthQuestion, start: Viewpoint) -> ShortestPath | None:
        """The oracle of one start, None where there is none of the longest length allowed."""

        def satisfies(viewpoint: Viewpoint) -> bool:
            return self._visibility.answers(truth, viewpoint, self._world.intrinsics)

        return shortest_path(
            start, self._actions, self._limits, self.move_free, satisfies, max_actions=self._starts.most_actions
        )

    def move_free(self, a: Point, b: Point) -> bool:
        """The world's own collision test."""
        return self._occupancy.path_free(a, b, self._radius)

    def look(self, viewpoint: Viewpoint) -> Observation:
        """What the world shows from a viewpoint."""
        question = Question("look", "What is here?")
        return self._world.reset(Episode("look", "search", self._scene, viewpoint, (question,), 1), 0)

    def _draw_starts(self, rng: np.random.Generator) -> Iterator[Viewpoint]:
        headings = max(1, round(math.tau / self._actions.rotation))
        for _ in range(self._starts.per_question if len(self._spots) else 0):
            x, y, z = (float(value) for value in self._spots[int(rng.integers(len(self._spots)))])
            yaw = wrap_angle(int(rng.integers(headings)) * self._actions.rotation)
            start = Viewpoint(x, y, z, yaw, 0.0)
            if self._occupancy.sphere_free((x, y, z), self._radius) and self._limits.pose_violation(start) is None:
                yield start


def _free_spots(occupancy: OccupancyGrid, limits: MotionLimits, radius: float) -> NDArray[np.float64]:
    """Middles of voxels at which the body can be, (N, 3), m, rounded to millimetres."""
    points = np.round(occupancy.centers()[occupancy.free_centers(radius)], 3)
    low, high = np.asarray(limits.bounds_min), np.asarray(limits.bounds_max)
    return np.asarray(points[(points >= low).all(axis=1) & (points <= high).all(axis=1)])
