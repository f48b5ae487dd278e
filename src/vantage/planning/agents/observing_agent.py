"""What all agents share that see for themselves: they look, map, remember, and answer in the end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

from vantage.answering.factory import make_answering
from vantage.answering.protocol import Answering
from vantage.config import Settings
from vantage.perception.map.coverage import CoverageMap
from vantage.planning.actions import make_actions
from vantage.registry import PERCEIVERS
from vantage.types import (
    Answer,
    Decision,
    Detection,
    Done,
    Episode,
    Observation,
    Phase,
    Point,
    Question,
    SearchView,
    StepResult,
    Verdict,
)
from vantage.worlds.protocol import WorldInfo

EXPLORATION = Question("", "", Phase.EXPLORE.value)  # what is to be done in a phase that asks nothing


class LookingAgent(ABC):
    """Takes in every observation; a subclass says which action comes next and what to answer in the end.

    Args:
        settings: groups ``actions``, ``agent``, ``degraded``, ``model``, ``relations`` and ``world.voxel`` are used.
    """

    name = ""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._actions = make_actions(settings.actions)
        self._detections: tuple[Detection, ...] = ()
        self._view = SearchView()

    @property
    def perception(self) -> str:
        return self._settings.agent.perception

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        self._episode, self._info = episode, info
        low = _shifted(info.limits.bounds_min, -info.body_radius)
        high = _shifted(info.limits.bounds_max, info.body_radius)
        agent = self._settings.agent
        perceiver = PERCEIVERS.create(
            agent.perception, min_pixels=agent.min_pixels, settings=self._settings, seed=episode.seed + seed
        )
        self._coverage = CoverageMap(low, high, self._settings.world.voxel, open_space=agent.open_space)
        self._qa: Answering = make_answering(self._settings, perceiver, coverage=self._coverage)
        self._open = list(episode.questions)
        self._stamp = -1
        self._steps = 0
        self._detections, self._view = (), SearchView()

    def begin_phase(self, episode: Episode) -> None:
        """What was seen is kept."""
        self._episode = episode
        self._open = list(episode.questions)
        self._steps = 0

    def act(self, observation: Observation, last: StepResult | None) -> Decision:
        if observation.stamp != self._stamp:
            self._take_in(observation, last)
        action = None if self._steps >= self._episode.max_steps else self._next_action(observation)
        if action is None and not self._open:
            return Done()
        if action is None:
            return replace(self._answer(self._open.pop(0)), perception=self.perception)
        self._steps += 1
        return self._actions.decision(action, observation.viewpoint)

    def detections(self) -> tuple[Detection, ...]:
        return self._detections

    def view(self) -> SearchView:
        return replace(self._view, known=self._coverage.known_fraction)

    def _take_in(self, observation: Observation, last: StepResult | None) -> None:
        """A new observation, and the result of the motion that led to it."""
        self._stamp = observation.stamp
        self._coverage.add(observation)
        self._detections = self._qa.observe(observation)

    @abstractmethod
    def _next_action(self, observation: Observation) -> str | None:
        """The next action, or None when it is time to answer. Not asked once the budget is used up."""

    @abstractmethod
    def _answer(self, question: Question) -> Answer:
        """The answer from what was seen."""

    def _explored(self, question: Question, exhausted: bool) -> Answer:
        """The answer to a task that is to see everything."""
        known = self._coverage.known_fraction
        verdict = Verdict.ANSWERED if exhausted else Verdict.NEEDS_LOOK
        text = f"{100 * known:.0f} % of the space was seen"
        return Answer(question.question_id, text, verdict, known, phase=Phase.EXPLORE.value)


def _shifted(point: Point, by: float) -> Point:
    x, y, z = point
    return x + by, y + by, z + by
