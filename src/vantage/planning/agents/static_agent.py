"""The agent that does not move: the static control of NoisyEQA."""

from __future__ import annotations

import math
from typing import Any

from vantage.config import Settings
from vantage.planning.agents.observing_agent import LookingAgent
from vantage.types import Answer, Episode, Observation, Phase, Question, SearchView, Status, StepResult
from vantage.worlds.protocol import WorldInfo


class StaticAgent(LookingAgent):
    """Turns once on the spot, by yaw alone, and answers from what it saw.

    It never stops early and never looks up, down or from elsewhere. Where a turn to the left is refused, it turns to
    the right as far as it goes. Any reasoner or model answers, as for agents that move.
    """

    name = "static"

    def __init__(self, settings: Settings, **_: Any) -> None:
        super().__init__(settings)
        self._headings = max(1, math.ceil(math.tau / settings.actions.rotation - 1e-6))

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        super().begin(episode, info, seed)
        self._way, self._turns = "yaw+", self._headings - 1

    def _take_in(self, observation: Observation, last: StepResult | None) -> None:
        super()._take_in(observation, last)
        if last is None or last.status is Status.DONE:
            return
        self._turns = self._headings - 1 if self._way == "yaw+" else 0
        self._way = "yaw-"

    def _next_action(self, observation: Observation) -> str | None:
        if self._turns == 0:
            return None
        self._turns -= 1
        path = (observation.viewpoint, self._actions.apply(self._way, observation.viewpoint))
        self._view = SearchView(path=path, doing="looking round on the spot")
        return self._way

    def _answer(self, question: Question) -> Answer:
        if question.phase == Phase.EXPLORE.value:
            return self._explored(question, exhausted=False)
        return self._qa.ask(question, last=True)
