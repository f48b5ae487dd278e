"""The best that an agent of these eyes can do: it is led to a view that decides the question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vantage.config import Settings
from vantage.errors import EpisodeError
from vantage.planning.looking import LookingAgent
from vantage.planning.shortest import replay
from vantage.spatial import Viewpoint
from vantage.types import Answer, Episode, Question, SearchView, StepResult, Truth, Verdict
from vantage.worlds.protocol import WorldInfo


class OracleAgent(LookingAgent):
    """Replays the stored shortest actions, then answers from what it saw on the way.

    It is told that the goal shows all there is to see, so there it may call a thing absent that it did not see.
    Episodes without an oracle are answered from the first view.

    Args:
        truths: gold data by episode id; the only agent that is given any.
    """

    name = "oracle"

    def __init__(self, settings: Settings, truths: Mapping[str, Truth] | None = None, **_: Any) -> None:
        super().__init__(settings)
        self._truths = dict(truths or {})
        self._plan: list[str] = []

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        """
        Raises:
            EpisodeError: the gold data do not hold this episode.
        """
        super().begin(episode, info, seed)
        truth = self._truths.get(episode.episode_id)
        if truth is None:
            raise EpisodeError(
                f"the oracle has no gold data for episode '{episode.episode_id}'; give it the truth of its episode set"
            )
        self._plan = list(truth.oracle_actions or ())

    def _next_action(self, here: Viewpoint, last: StepResult | None) -> str | None:
        if not self._plan:
            return None
        self._view = SearchView(
            path=tuple(replay(here, self._actions, tuple(self._plan))), doing="following the oracle"
        )
        return self._plan.pop(0)

    def _answer(self, question: Question) -> Answer:
        answer = self._qa.ask(question)
        return self._qa.ask(question, exhausted=True) if answer.verdict == Verdict.NEEDS_LOOK else answer
