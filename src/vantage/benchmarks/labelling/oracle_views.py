"""Start poses and oracles: from where a question is asked, and the fewest actions after which one look answers it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from vantage.benchmarks.labelling.framing import MOST_OFF_AXIS, goal_distance, is_goal_view, may_be_goal
from vantage.benchmarks.labelling.lattice import ViewLattice, Ways
from vantage.benchmarks.labelling.projection import half_cone
from vantage.benchmarks.labelling.ray_crossings import Flags, Floats
from vantage.benchmarks.labelling.scene_world import LabelledPlace, SceneWorld
from vantage.benchmarks.labelling.visibility import SceneVisibility
from vantage.errors import SceneError
from vantage.planning import ActionSpace
from vantage.spatial import Intrinsics, Viewpoint
from vantage.splats.space import OccupancyGrid
from vantage.types import FIRST_VIEW_RULE, Episode, Observation, Point, Question, TruthQuestion
from vantage.worlds import MotionLimits

_GOOD_DISTANCE = 1.5  # m: from where most objects are seen well
_SLACK = 1e-6  # rad


@dataclass(frozen=True)
class StartSettings:
    """Where episodes start.

    Attributes:
        lowest, highest: height of the camera above the floor, m.
        fewest_actions, most_actions: how long the oracle may be, so that episodes are neither solved nor hopeless.
        per_question: starts to try for one question.
        fewest_moves, most_moves: how far from the first target a start may be, in translations.
    """

    lowest: float = 0.9
    highest: float = 1.5
    fewest_actions: int = 3
    most_actions: int = 30
    per_question: int = 6
    fewest_moves: int = 6
    most_moves: int = 28


@dataclass(frozen=True)
class Oracle:
    """The fewest actions that lead to a view which answers.

    Attributes:
        actions: translations first, then yaw, then pitch; where translations follow the heading, turns to one at
            which they lead along the lattice come before them.
        goal: the viewpoint that the actions lead to.
        length: of the path, m.
        is_bound: there may be ways with fewer actions, on which translations are made at other headings.
    """

    actions: tuple[str, ...]
    goal: Viewpoint
    length: float
    is_bound: bool = False


@dataclass(frozen=True)
class Label:
    """A start, the shortest way to an answer, and what is seen there."""

    start: Viewpoint
    path: Oracle
    view: Observation


class QuestionViews:
    """Which viewpoints of a lattice answer one question; each is judged once.

    Attributes:
        possible: (P, H) those that are worth a judgement.
        goals: (P, H) those of them at which an oracle may end.
    """

    def __init__(
        self,
        visibility: SceneVisibility,
        truth: TruthQuestion,
        intrinsics: Intrinsics,
        lattice: ViewLattice,
        possible: Flags,
        goals: Flags,
    ) -> None:
        self.possible, self.goals = possible, goals
        self._visibility, self._truth, self._intrinsics, self._lattice = visibility, truth, intrinsics, lattice
        self._positions: dict[int, bool] = {}
        self._goal_positions: dict[int, bool] = {}
        self._viewpoints: dict[tuple[int, int], bool] = {}

    def answer(self, position: int, heading: int) -> bool:
        """Whether one of them shows what has to be seen."""
        if position not in self._positions:
            spot = _point(self._lattice.positions[position])
            self._positions[position] = self._visibility.could_answer(self._truth, spot)
        key = position, heading
        if self._positions[position] and key not in self._viewpoints:
            viewpoint = self._lattice.viewpoint(position, heading)
            self._viewpoints[key] = self._visibility.answers(self._truth, viewpoint, self._intrinsics)
        return self._positions[position] and self._viewpoints[key]

    def is_goal(self, position: int, heading: int) -> bool:
        """Whether one of ``goals`` answers, with all targets whole and near the middle of the picture."""
        if position not in self._goal_positions:
            spot = _point(self._lattice.positions[position])
            self._goal_positions[position] = may_be_goal(self._visibility, self._truth, spot)
        if not self._goal_positions[position]:
            return False
        viewpoint = self._lattice.viewpoint(position, heading)
        return is_goal_view(self._visibility, self._truth, viewpoint, self._intrinsics)


class _KnownGoals(QuestionViews):
    """Views of which it is known whether they are goals."""

    def __init__(self, goals: Flags) -> None:
        self.possible = self.goals = goals

    def is_goal(self, position: int, heading: int) -> bool:
        return bool(self.goals[position, heading])


class SceneLabeller:
    """Labels questions about one scene from its geometry; only goals are rendered.

    All starts lie on one lattice of viewpoints, so that what is visible from where is found out once for all of them.

    Args:
        seed: decides where the lattice lies.
        anchor: a position of the lattice, m, world frame, where it is known.
        intrinsics: of the camera that questions are answered with, where it is not the world's.
        centered: whether only those views count as goals which look straight at what they show, as far as the headings
            of the lattice allow.
    """

    def __init__(
        self,
        world: SceneWorld,
        scene: str,
        visibility: SceneVisibility,
        actions: ActionSpace,
        body_radius: float,
        starts: StartSettings,
        seed: int = 0,
        anchor: Point | None = None,
        intrinsics: Intrinsics | None = None,
        centered: bool = False,
    ) -> None:
        place = world.place(scene)
        self._centered = centered
        self._intrinsics = intrinsics or world.intrinsics
        self._world, self._scene, self._visibility = world, scene, visibility
        self._actions, self._starts = actions, starts
        self._lattice = scene_lattice(place, scene, actions, body_radius, seed, anchor)
        height = self._lattice.positions[:, 2] - place.scene.floor
        self._reach: dict[int, Flags] = {}
        self._reachable_views: dict[tuple[TruthQuestion, int], Viewpoint | None] = {}
        self._may_start: Flags = (height >= starts.lowest) & (height <= starts.highest)

    def label(self, truth: TruthQuestion, rng: np.random.Generator) -> Label | None:
        """A random start with its oracle, or None when none of the starts tried has one of the right length.

        Of the starts tried, the one whose oracle comes nearest to a length drawn evenly; otherwise most would be short.
        """
        labels = self.label_together((truth,), rng)
        return None if labels is None else labels[0]

    def label_together(self, truths: Sequence[TruthQuestion], rng: np.random.Generator) -> tuple[Label, ...] | None:
        """One random start for several questions, each with its own oracle; as ``label``, drawn around the first.

        None when no start tried suits all: each question must be answerable from it, and none by the look there.
        """
        if not all(truth.target_instances for truth in truths):
            return None
        views = [self.views(truth) for truth in truths]
        if not all(view.goals.any() for view in views):
            return None
        found: list[tuple[Viewpoint, tuple[Oracle, ...]]] = []
        for position, heading in self._draw_starts(truths[0], rng):
            paths = tuple(self._paths(views, position, heading))
            if len(paths) == len(views):
                found.append((self._lattice.viewpoint(position, heading), paths))
        if not found:
            return None
        wanted = int(rng.integers(self._starts.fewest_actions, self._starts.most_actions + 1))
        start, paths = min(found, key=lambda pair: abs(len(pair[1][0].actions) - wanted))
        return tuple(Label(start, path, self.look(path.goal)) for path in paths)

    def _paths(self, views: Sequence[QuestionViews], position: int, heading: int) -> Iterator[Oracle]:
        """The oracles of several questions from one start, up to the first that has none of the right length."""
        for view in views:
            path = self._shortest(view, position, heading)
            if path is None or len(path.actions) < self._starts.fewest_actions or view.answer(position, heading):
                return
            yield path

    def shortest(self, truth: TruthQuestion, position: int, heading: int) -> Oracle | None:
        """The oracle of one start of the lattice, None where there is none of the longest length allowed."""
        return self.shortest_of(self.views(truth), position, heading)

    def views(self, truth: TruthQuestion) -> QuestionViews:
        """Which viewpoints of the lattice answer a question; to be kept where several starts are tried."""
        possible = self._possible(truth)
        goals = self._goals(truth, possible)
        return QuestionViews(self._visibility, truth, self._intrinsics, self._lattice, possible, goals)

    def shortest_of(self, views: QuestionViews, position: int, heading: int) -> Oracle | None:
        """As ``shortest``, of views that were judged for other starts before."""
        return self._shortest(views, position, heading)

    def shortest_among(self, goals: Flags, position: int, heading: int) -> Oracle | None:
        """As ``shortest``, where it is known which viewpoints (P, H) are goals."""
        return self._shortest(_KnownGoals(goals), position, heading)

    def answering(self, truth: TruthQuestion) -> Flags:
        """Which viewpoints (P, H) of the lattice answer a question."""
        views = self.views(truth)
        found = np.zeros_like(views.possible)
        for position, heading in np.argwhere(views.possible):
            found[position, heading] = views.answer(int(position), int(heading))
        return found

    def reachable_positions(self, start: Viewpoint) -> Floats:
        """Where the camera can go from a viewpoint of the lattice, (N, 3), m, world frame."""
        reached: Floats = self._lattice.positions[self._reached(start)]
        return reached

    def reachable_view(self, truth: TruthQuestion, start: Viewpoint) -> Viewpoint | None:
        """A viewpoint that answers and can be reached from ``start``, however far; None where there is none."""
        reached = self._reached(start)
        key = truth, int(reached.argmax())  # the same from all positions that lead to each other
        if key not in self._reachable_views:
            self._reachable_views[key] = self._nearest_view(truth, reached)
        return self._reachable_views[key]

    def _nearest_view(self, truth: TruthQuestion, reached: Flags) -> Viewpoint | None:
        """Of the viewpoints at some positions (P,) that answer, the one from the best distance."""
        views = self.views(truth)
        center, _ = self._visibility.sphere(truth.target_instances[0])
        away = np.abs(np.linalg.norm(self._lattice.positions - np.array(center), axis=1) - _GOOD_DISTANCE)
        worth = reached & views.possible.any(axis=1)
        for position in np.argsort(away, kind="stable"):
            for heading in np.flatnonzero(views.possible[position]) if worth[position] else ():
                if views.answer(int(position), int(heading)):
                    return self._lattice.viewpoint(int(position), int(heading))
        return None

    def _reached(self, start: Viewpoint) -> Flags:
        """Which positions of the lattice can be reached, (P,)."""
        nearest = int(np.linalg.norm(self._lattice.positions - start.position, axis=1).argmin())
        if nearest not in self._reach:
            self._reach[nearest] = self._lattice.distances(nearest) >= 0
        return self._reach[nearest]

    @property
    def lattice(self) -> ViewLattice:
        """All viewpoints at which episodes may start or end."""
        return self._lattice

    def look(self, viewpoint: Viewpoint) -> Observation:
        """What the world shows from a viewpoint."""
        question = Question("look", "What is here?")
        return self._world.reset(Episode("look", "search", self._scene, viewpoint, (question,), 1), 0)

    def _goals(self, truth: TruthQuestion, possible: Flags) -> Flags:
        """Which of the viewpoints (P, H) worth a judgement may be goals."""
        goals = possible.copy()
        middles = [self._visibility.sphere(target)[0] for target in truth.target_instances]
        if self._centered:
            ways = np.mean(middles, axis=0) - self._lattice.positions
            straight = np.argmax(ways @ self._lattice.directions.T, axis=1)
            goals &= np.arange(possible.shape[1]) == straight[:, None]
        if self._visibility.settings.view_rule != FIRST_VIEW_RULE:
            which = np.flatnonzero(goals.any(axis=1))
            for middle in middles:
                goals[which] &= self._lattice.towards(which, middle, 0.0, MOST_OFF_AXIS + _SLACK)
            for target in truth.target_instances:
                center, radius = self._visibility.sphere(target)
                away = np.linalg.norm(self._lattice.positions - np.array(center), axis=1)
                goals &= (away <= radius + goal_distance(self._visibility, truth, target, self._intrinsics))[:, None]
        return goals

    def _possible(self, truth: TruthQuestion) -> Flags:
        """Which viewpoints (P, H) have all targets before them and are not too far from any."""
        lens = self._intrinsics
        positions = self._lattice.positions
        possible = np.zeros((len(positions), len(self._lattice.yaws)), dtype=np.bool_)
        near = np.ones(len(positions), dtype=np.bool_)
        spheres = [self._visibility.sphere(target) for target in truth.target_instances]
        for target, (center, radius) in zip(truth.target_instances, spheres, strict=True):
            distance = np.linalg.norm(positions - np.array(center), axis=1)
            near &= distance <= radius + self._visibility.farthest(truth, target, lens)
        for target in truth.target_instances:
            near[near] = self._visibility.past_walls(target, positions[near])
        which = np.flatnonzero(near)
        shown = np.ones((len(which), len(self._lattice.yaws)), dtype=np.bool_)
        for center, radius in spheres:
            shown &= self._lattice.towards(which, center, radius, half_cone(lens))
        possible[which] = shown
        return possible

    def _shortest(self, views: QuestionViews, start: int, heading: int) -> Oracle | None:
        """Tries viewpoints in the order of the actions to them."""
        lattice = self._lattice
        ways = lattice.ways(start, heading)
        for position, goal in self._in_order(ways, views.goals):
            if views.is_goal(position, goal):
                actions = ways.names(position, goal)
                end = self._actions.replay(lattice.viewpoint(start, heading), actions)[-1]
                length = float(ways.moves[position, goal]) * self._actions.translation
                return Oracle(actions, end, length, not lattice.is_shortest(heading, len(actions)))
        return None

    def _in_order(self, ways: Ways, goals: Flags) -> Iterator[tuple[int, int]]:
        """Possible goals as (position, heading), the ones of fewest actions, and then of fewest moves, first."""
        allowed = goals & (ways.actions >= 0) & (ways.actions <= self._starts.most_actions)
        positions, headings = np.nonzero(allowed)
        moves, total = ways.moves[allowed], ways.actions[allowed]
        for k in np.lexsort((headings, positions, moves, total)):
            yield int(positions[k]), int(headings[k])

    def _draw_starts(self, truth: TruthQuestion, rng: np.random.Generator) -> Iterator[tuple[int, int]]:
        """Positions within reach of the first target, with a level heading.

        Near and far ones are as likely, though a home has more of those at a middling distance.
        """
        center, _ = self._visibility.sphere(truth.target_instances[0])
        distance: Floats = np.linalg.norm(self._lattice.positions - np.array(center), axis=1)
        reached = self._lattice.distances(int(distance.argmin()))
        starts = self._starts
        allowed = (reached >= starts.fewest_moves) & (reached <= starts.most_moves) & self._may_start
        away = np.unique(reached[allowed])
        headings = round(math.tau / self._actions.rotation)
        for _ in range(starts.per_question if len(away) else 0):
            options = np.flatnonzero(allowed & (reached == away[int(rng.integers(len(away)))]))
            yield int(options[int(rng.integers(len(options)))]), self._lattice.level(int(rng.integers(headings)))


def scene_lattice(
    place: LabelledPlace, scene: str, actions: ActionSpace, radius: float, seed: int, anchor: Point | None = None
) -> ViewLattice:
    """The viewpoints of a scene that are whole actions apart, for a body of a radius (m).

    Args:
        seed: decides where it lies, where ``anchor`` is not known, a position of it (m, world frame).

    Raises:
        SceneError: there is no room for the body.
    """
    if anchor is None:
        anchor = _free_spot(place.occupancy, place.limits, radius, scene, np.random.default_rng(seed))
    return ViewLattice.of(place.occupancy, place.limits, radius, actions, anchor)


def _free_spot(
    occupancy: OccupancyGrid, limits: MotionLimits, radius: float, scene: str, rng: np.random.Generator
) -> Point:
    """The middle of a voxel at which the body can be, m, rounded to millimetres."""
    points = np.round(occupancy.centers()[occupancy.free_centers(radius)], 3)
    low, high = np.asarray(limits.bounds_min), np.asarray(limits.bounds_max)
    inside = points[(points >= low).all(axis=1) & (points <= high).all(axis=1)]
    if not len(inside):
        raise SceneError(f"scene '{scene}' has no room for a body of {radius} m; use a smaller world.body_radius")
    return _point(inside[int(rng.integers(len(inside)))])


def _point(values: Floats) -> Point:
    x, y, z = (float(value) for value in values)
    return x, y, z
