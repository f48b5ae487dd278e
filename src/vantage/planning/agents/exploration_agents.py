"""Agents that look wherever most unknown space would be seen: ``coverage``, and ``vlm``, which has a model answer."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.config import Settings
from vantage.perception.map import UNKNOWN
from vantage.planning.agents.observing_agent import EXPLORATION, NextBestViewAgent
from vantage.planning.agents.reentry import Reentry
from vantage.planning.needs import Need, check_named_model
from vantage.planning.view_planning import Goal
from vantage.types import Answer, Episode, Observation, Question, SearchView
from vantage.worlds import WorldInfo


class CoverageAgent(NextBestViewAgent):
    """Next-best views by information gain per action on a voxel map carved from depth, in five degrees of freedom.

    It answers as soon as what it happened to see settles the question, like ``search``, so that the two differ in where
    they look alone. Where it may look again after it was asked, it goes on as long as that is expected to pay.
    """

    name = "coverage"

    def __init__(self, settings: Settings, **_: Any) -> None:
        super().__init__(settings)

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        super().begin(episode, info, seed)
        self._again = Reentry(self._qa.look_for, partial(self._qa.ask, last=True), self._settings.agent.step_discount)

    def begin_phase(self, episode: Episode) -> None:
        super().begin_phase(episode)
        self._again.asked(episode.questions, self._stamp)

    def _answer(self, question: Question) -> Answer:
        return self._again.answered(question, super()._answer(question))

    def _choose(self, observation: Observation, question: Question) -> Goal | None:
        goal = self._planner.choose(observation.viewpoint, observation.intrinsics, self._left, self._even)
        if goal is not None and question is EXPLORATION and self._again.questions and not self._pays(goal):
            return None
        if goal is not None:
            self._view = SearchView(goal.path, (), "looking at what was not seen yet", worth=goal.worth)
        return goal

    def _pays(self, goal: Goal) -> bool:
        """Whether a look is worth its way where questions were answered before: each part of what was not seen may tell
        as much of what they turn on."""
        unknown = float(np.count_nonzero(self._coverage.states == UNKNOWN))
        stakes = self._again.stakes(self._stamp)
        gain = sum(stake.gain for stake in stakes) * min(1.0, goal.worth / max(unknown, 1.0))
        return self._again.pays(gain, float(len(goal.actions)), self._stamp)

    def _even(self, leads: bool) -> NDArray[np.float32]:
        return np.ones(self._coverage.shape, np.float32)


class VlmAgent(CoverageAgent):
    """Puts the confidence question to each new view, stops at the first that suffices, and answers in the set mode.

    It goes where ``coverage`` goes, whatever was seen, so that the two differ in who answers alone.

    Raises:
        UsageError: the settings name no model.
    """

    name = "vlm"
    needs = CoverageAgent.needs | {Need.NAMED_MODEL}

    def __init__(self, settings: Settings, **_: Any) -> None:
        super().__init__(settings)
        check_named_model(self.name, self, settings)
