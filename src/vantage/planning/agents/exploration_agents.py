"""Agents that look wherever most unknown space would be seen: ``coverage``, and ``vlm``, which has a model answer."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vantage.config import Settings
from vantage.planning.agents.observing_agent import NextBestViewAgent
from vantage.planning.needs import Need, check_named_model
from vantage.planning.view_planning import Goal
from vantage.types import Observation, Question, SearchView


class CoverageAgent(NextBestViewAgent):
    """Next-best views by information gain per action on a voxel map carved from depth, in five degrees of freedom.

    It answers as soon as what it happened to see settles the question, like ``search``, so that the two differ in where
    they look alone.
    """

    name = "coverage"

    def __init__(self, settings: Settings, **_: Any) -> None:
        super().__init__(settings)

    def _choose(self, observation: Observation, question: Question) -> Goal | None:
        goal = self._planner.choose(observation.viewpoint, observation.intrinsics, self._left, self._even)
        if goal is not None:
            self._view = SearchView(goal.path, (), "looking at what was not seen yet", worth=goal.worth)
        return goal

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
