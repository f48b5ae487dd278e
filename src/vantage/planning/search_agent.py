"""The search agent: look where the question can be decided, in all five degrees of freedom, and stop when it is.

At each decision it weighs every heading at every position that it can reach through space seen free: how much would
that view reveal of what the question cares about, and how many actions away is it? Whatever the reasoner still
wants to see counts most; unknown space anywhere counts a little, so that a search without a clue covers the room.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vantage.answering.assessment import LookAt, LookFor
from vantage.answering.engine import QuestionAnswering
from vantage.config import Settings
from vantage.perception.coverage import OCCUPIED, CoverageMap
from vantage.perception.placement import SHELVES
from vantage.planning.actions import ActionSpace
from vantage.planning.gain import Panorama, closeness, near, steepness
from vantage.planning.reach import Cell, Lattice, Reach, free_cells, turns
from vantage.registry import PERCEIVERS
from vantage.spatial import Intrinsics, Viewpoint, wrap_angle
from vantage.types import (
    Answer,
    Command,
    Detection,
    Episode,
    Observation,
    Phase,
    Point,
    Question,
    SearchView,
    Status,
    StepResult,
    Verdict,
)
from vantage.worlds.protocol import WorldInfo

_EFFORT = 3.0  # actions that any look costs besides the way to it
_CLOSE = 1.0  # m from which a thing is seen well
_POINT_WORTH = 1500.0  # of a look at one open point, in weighted voxels
_LEADING = 100.0  # weighted voxels from which on a hint leads the search
_NEGLIGIBLE = 25.0  # weighted voxels below which a look is not worth its way
_HEIGHTS = ((1.3, 1.0), (2.3, 0.35), (math.inf, 0.03))  # up to which height (m) unknown space has which weight
_ELSEWHERE = 0.2  # weight of unknown space that the question cares little about
_BESIDE = 0.4  # m
_MAX_POINTS = 24
_MAX_CELLS = 600
_STUCK = 12  # reachable positions below which the agent squeezes through
_REPLAN = 4  # actions after which a plan is made anew


@dataclass(frozen=True)
class _Goal:
    viewpoint: Viewpoint
    worth: float
    actions: tuple[str, ...]


class SearchAgent:
    """Runs on any world with depth and a perceiver.

    Args:
        settings: groups ``actions``, ``agent`` and ``world.voxel`` are used.
    """

    name = "search"

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._actions = ActionSpace(settings.actions.translation, settings.actions.rotation)
        self._perceiver = PERCEIVERS.create(settings.agent.perception, min_pixels=settings.agent.min_pixels)
        self._view = SearchView()
        self._detections: tuple[Detection, ...] = ()

    @property
    def perception(self) -> str:
        return self._settings.agent.perception

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        low = np.array(info.limits.bounds_min) - info.body_radius
        high = np.array(info.limits.bounds_max) + info.body_radius
        self._coverage = CoverageMap(
            _point(low), _point(high), self._settings.world.voxel, open_space=self._settings.agent.open_space
        )
        self._qa = QuestionAnswering(self._perceiver, coverage=self._coverage)
        self._episode, self._info = episode, info
        self._open = list(episode.questions)
        self._lattice = Lattice(episode.start, self._actions.translation, info.limits)
        self._panorama: Panorama | None = None
        self._plan: list[str] = []
        self._blocked: set[tuple[Cell, Cell]] = set()
        self._looked: set[tuple[int, ...]] = set()
        self._tries: dict[tuple[int, ...], int] = {}
        self._steps = 0
        self._since_plan = 0
        self._stamp = -1
        self._exhausted = False

    def act(self, observation: Observation, last: StepResult | None) -> Command | Answer:
        if observation.stamp != self._stamp:
            self._take_in(observation, last)
        question = self._open[0]
        answer = self._assess(question)
        if self._settled(answer) or self._steps >= self._episode.max_steps:
            return self._give(answer)
        if not self._plan or self._since_plan >= _REPLAN:
            goal = self._choose(observation, question)
            if goal is None:
                return self._give(self._assess(question))
            self._plan = list(goal.actions)
            self._since_plan = 0
        return self._move(observation.viewpoint)

    def detections(self) -> tuple[Detection, ...]:
        return self._detections

    def view(self) -> SearchView:
        return self._view

    def _take_in(self, observation: Observation, last: StepResult | None) -> None:
        self._stamp = observation.stamp
        self._coverage.add(observation)
        self._detections = self._qa.observe(observation)
        self._looked.add(self._key(observation.viewpoint))
        self._count_tries(observation)
        if last is not None and last.status != Status.DONE:
            self._plan = []
            if last.command.target is not None:
                here, there = self._lattice.cell(observation.viewpoint), self._lattice.cell(last.command.target)
                self._blocked |= {(here, there), (there, here)}

    def _count_tries(self, observation: Observation) -> None:
        """A point that was looked at and is still open becomes less attractive: something may hide it for good."""
        if self._panorama is None or self._open[0].phase == Phase.EXPLORE.value:
            return
        for hint in self._qa.look_for(self._open[0].text):
            points = np.array(hint.points[:: 1 + len(hint.points) // _MAX_POINTS])
            if len(points):
                for point in points[self._panorama.shows(self._coverage, observation.viewpoint, points)]:
                    self._tries[_spot(point)] = self._tries.get(_spot(point), 0) + 1

    def _assess(self, question: Question) -> Answer:
        """The answer as things stand; to explore is to see all that can be reached, whatever it shows."""
        if question.phase != Phase.EXPLORE.value:
            return self._qa.ask(question, exhausted=self._exhausted)
        known = self._coverage.known_fraction
        verdict = Verdict.ANSWERED if self._exhausted else Verdict.NEEDS_LOOK
        return Answer(
            question.question_id, f"{100 * known:.0f} % of the space was seen", verdict, known, phase=question.phase
        )

    def _settled(self, answer: Answer) -> bool:
        if answer.verdict == Verdict.NEEDS_LOOK:
            return False
        sure = answer.verdict in (Verdict.NEEDS_MODEL, Verdict.NEEDS_CONFIRMATION)
        return sure or self._exhausted or answer.confidence >= self._settings.agent.confidence

    def _give(self, answer: Answer) -> Answer:
        self._open.pop(0)
        self._plan = []
        self._exhausted = False
        return replace(answer, perception=self.perception)

    def _move(self, current: Viewpoint) -> Command:
        action = self._plan.pop(0)
        self._steps += 1
        self._since_plan += 1
        return Command(target=self._actions.apply(action, current), action=action)

    def _choose(self, observation: Observation, question: Question) -> _Goal | None:
        """The best view by worth per action, or None when none within the budget is worth its way any more."""
        current = observation.viewpoint
        panorama = self._panorama or self._make_panorama(current, observation.intrinsics)
        reach = self._reach(current)
        cells = list(reach.steps)
        cells = cells[:: 1 + len(cells) // _MAX_CELLS]
        positions = np.array([self._lattice.position(cell) for cell in cells])
        hints = () if question.phase == Phase.EXPLORE.value else self._qa.look_for(question.text)
        wanted = np.zeros((len(positions), len(panorama.yaws), len(panorama.pitches)), np.float32)
        for hint in hints:
            wanted += self._hint_worth(panorama, hint, positions, current)
        led = float(wanted.max()) >= _LEADING
        worth = wanted + panorama.gains(self._coverage, self._weights(question, astray=not led), positions)
        effort = np.array([reach.steps[cell] for cell in cells])[:, None, None] + self._turning(panorama, current)
        for index in self._looked_at(panorama, cells):
            worth[index] = 0.0
        self._exhausted = not (worth >= _NEGLIGIBLE).any()  # a view that is only too far away may still show it
        budget = self._episode.max_steps - self._steps
        rate = np.where((worth >= _NEGLIGIBLE) & (effort <= budget), worth / (effort + _EFFORT), 0.0)
        best = np.unravel_index(int(np.argmax(rate)), rate.shape)
        if rate[best] <= 0.0:
            return None
        x, y, z = (float(value) for value in positions[best[0]])
        goal = Viewpoint(x, y, z, float(panorama.yaws[best[1]]), float(panorama.pitches[best[2]]))
        actions = (*turns(current, goal, self._actions.rotation), *reach.actions(cells[int(best[0])]))
        self._view = self._explained(current, actions, hints)
        return _Goal(goal, float(worth[best]), actions)

    def _reach(self, current: Viewpoint) -> Reach:
        """Ways through space seen free; half a voxel closer to things where there are hardly any otherwise."""
        here, radius = self._lattice.cell(current), self._info.body_radius
        for margin in (radius, radius - 0.5 * self._coverage.voxel):
            free = free_cells(self._lattice, self._coverage, margin)
            reach = Reach(self._lattice, free, here, self._blocked)
            if len(reach.steps) >= _STUCK:
                break
        return reach

    def _weights(self, question: Question, astray: bool) -> NDArray[np.float32]:
        """What an unknown voxel is worth: little while a hint leads, less high up, where few things rest.

        To explore is to see things from all sides, so there only space beside something seen is of interest.
        """
        weights = np.full(self._coverage.shape, 1.0 if astray else _ELSEWHERE, np.float32)
        if question.phase == Phase.EXPLORE.value:
            weights[~near(self._coverage.states == OCCUPIED, round(_BESIDE / self._coverage.voxel))] *= _ELSEWHERE**2
            return weights
        heights = self._coverage.origin[2] + (np.arange(self._coverage.shape[2]) + 0.5) * self._coverage.voxel
        tops = np.array([top for top, _ in _HEIGHTS])
        weights *= np.array([weight for _, weight in _HEIGHTS], np.float32)[np.searchsorted(tops, heights)]
        return weights

    def _hint_worth(
        self, panorama: Panorama, hint: LookFor, positions: NDArray[np.float64], current: Viewpoint
    ) -> NDArray[np.float32] | float:
        """Worth of the views (positions, yaws, pitches) for what the reasoner wants to see."""
        if not hint.points:
            return 0.0
        points = np.array(hint.points[:: 1 + len(hint.points) // _MAX_POINTS])
        if hint.what is LookAt.OBJECT:
            gained = closeness(positions, points, _CLOSE) - closeness(current.position[None], points, _CLOSE)
        else:
            gained = closeness(positions, points, 3 * _CLOSE)
            if hint.label not in SHELVES:
                gained = gained * steepness(positions, points)
        tries = np.array([self._tries.get(_spot(point), 0) for point in points])
        each = _POINT_WORTH / len(points) * np.maximum(gained, 0.05) / (1.0 + tries) ** 2
        return panorama.points_in_view(self._coverage, positions, points, each)

    def _looked_at(self, panorama: Panorama, cells: Sequence[Cell]) -> list[tuple[int, int, int]]:
        """Indices of the views that were taken already."""
        index = {cell: k for k, cell in enumerate(cells)}
        yaws = {self._heading(yaw, 0.0)[0]: k for k, yaw in enumerate(panorama.yaws)}
        pitches = {self._heading(0.0, pitch)[1]: k for k, pitch in enumerate(panorama.pitches)}
        found = []
        for *cell, yaw, pitch in self._looked:
            at = index.get((cell[0], cell[1], cell[2]))
            if at is not None and yaw in yaws and pitch in pitches:
                found.append((at, yaws[yaw], pitches[pitch]))
        return found

    def _explained(self, current: Viewpoint, actions: tuple[str, ...], hints: Sequence[LookFor]) -> SearchView:
        path = [current]
        for action in actions:
            path.append(self._actions.apply(action, path[-1]))
        points = [point for hint in hints for point in hint.points]
        points = points[:: 1 + len(points) // _MAX_POINTS]
        wanted = ", ".join(dict.fromkeys(hint.label for hint in hints if hint.label))
        return SearchView(tuple(path), tuple(points), f"looking for {wanted}" if wanted else "looking around")

    def _make_panorama(self, current: Viewpoint, intrinsics: Intrinsics) -> Panorama:
        """Headings that rotations lead to from the current one."""
        rotation, limits = self._actions.rotation, self._info.limits
        count = max(1, round(2 * np.pi / rotation))
        yaws = np.array([wrap_angle(current.yaw + k * rotation) for k in range(count)])
        steps = np.arange(-count, count + 1)
        pitches = current.pitch + steps * rotation
        allowed = pitches[(pitches >= limits.pitch_min - 1e-6) & (pitches <= limits.pitch_max + 1e-6)]
        self._panorama = Panorama(intrinsics, yaws, np.asarray(allowed, np.float64))
        return self._panorama

    def _turning(self, panorama: Panorama, current: Viewpoint) -> NDArray[np.int64]:
        """Rotations from the current heading to each other, shape (1, yaws, pitches)."""
        rotation = self._actions.rotation
        yaw = [abs(round(wrap_angle(value - current.yaw) / rotation)) for value in panorama.yaws]
        pitch = np.rint(np.abs(panorama.pitches - current.pitch) / rotation)
        return np.asarray(np.array(yaw)[None, :, None] + pitch.astype(np.int64)[None, None, :])

    def _heading(self, yaw: float, pitch: float) -> tuple[int, int]:
        """Rotations from the heading at the start."""
        rotation, start = self._actions.rotation, self._episode.start
        around = round(2 * np.pi / rotation)
        return round(wrap_angle(yaw - start.yaw) / rotation) % around, round((pitch - start.pitch) / rotation)

    def _key(self, viewpoint: Viewpoint) -> tuple[int, ...]:
        """Identifies a pose on the lattice of positions and headings."""
        return (*self._lattice.cell(viewpoint), *self._heading(viewpoint.yaw, viewpoint.pitch))


def _spot(point: Sequence[float]) -> tuple[int, ...]:
    """The 10 cm cube in which a point lies."""
    return tuple(math.floor(value / 0.1) for value in point)


def _point(values: NDArray[np.float64]) -> Point:
    return float(values[0]), float(values[1]), float(values[2])
