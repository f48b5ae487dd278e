"""What agents share that choose actions without reasoning about views: they look, remember, and answer in the end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace

from vantage.answering.engine import QuestionAnswering
from vantage.config import Settings
from vantage.planning.actions import ActionSpace
from vantage.registry import PERCEIVERS
from vantage.spatial import Viewpoint
from vantage.types import Answer, Command, Detection, Episode, Observation, Point, Question, SearchView, StepResult
from vantage.worlds.limits import MotionLimits
from vantage.worlds.protocol import WorldInfo


class LookingAgent(ABC):
    """Takes in every observation; a subclass says which action comes next and what to answer in the end.

    Args:
        settings: groups ``actions``, ``agent`` and ``world.voxel`` are used.
    """

    name = ""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._actions = ActionSpace(settings.actions.translation, settings.actions.rotation)
        self._perceiver = PERCEIVERS.create(settings.agent.perception, min_pixels=settings.agent.min_pixels)
        self._qa = QuestionAnswering(self._perceiver, voxel=settings.world.voxel)
        self._detections: tuple[Detection, ...] = ()
        self._view = SearchView()
        self._open: list[Question] = []
        self._stamp = -1
        self._limits = MotionLimits()

    @property
    def perception(self) -> str:
        return self._settings.agent.perception

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        low = _shifted(info.limits.bounds_min, -info.body_radius)
        high = _shifted(info.limits.bounds_max, info.body_radius)
        self._qa = QuestionAnswering(self._perceiver, low, high, self._settings.world.voxel)
        self._open = list(episode.questions)
        self._stamp = -1
        self._limits = info.limits
        self._detections, self._view = (), SearchView()

    def act(self, observation: Observation, last: StepResult | None) -> Command | Answer:
        if observation.stamp != self._stamp:
            self._stamp = observation.stamp
            self._detections = self._qa.observe(observation)
        action = self._next_action(observation.viewpoint, last)
        if action is None:
            self._view = SearchView(doing="answering")
            question = self._open.pop(0)
            return replace(self._answer(question), perception=self.perception)
        return Command(target=self._actions.apply(action, observation.viewpoint), action=action)

    def detections(self) -> tuple[Detection, ...]:
        return self._detections

    def view(self) -> SearchView:
        return self._view

    @abstractmethod
    def _next_action(self, here: Viewpoint, last: StepResult | None) -> str | None:
        """The next action, or None when it is time to answer."""

    @abstractmethod
    def _answer(self, question: Question) -> Answer:
        """The answer from what was seen."""


def _shifted(point: Point, by: float) -> Point:
    x, y, z = point
    return x + by, y + by, z + by
