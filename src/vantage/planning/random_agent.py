"""A random walk: the floor that every search has to beat."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from vantage.config import Settings
from vantage.planning.looking import LookingAgent
from vantage.questions.kinds import QuestionKind
from vantage.questions.parser import parse
from vantage.spatial import Viewpoint
from vantage.types import Answer, Episode, NoiseReport, Question, SearchView, StepResult, Verdict
from vantage.worlds.protocol import WorldInfo

_UNKNOWN = (Verdict.NEEDS_LOOK, Verdict.NEEDS_MODEL)
# What is most often right about furnished rooms, for questions on which nothing was seen.
_COMMON = {
    QuestionKind.EXISTENCE: "yes",
    QuestionKind.COLOR: "white",
    QuestionKind.MATERIAL: "wood",
    QuestionKind.COUNT: "2",
    QuestionKind.LOCATION: "on the table",
}


class RandomAgent(LookingAgent):
    """Draws evenly from the ten motions and "stop", as the random policy of E3VS-Bench does (arXiv 2604.17969).

    Motions that the limits forbid are not drawn. It answers from what it happened to see, and guesses what is common
    where it saw nothing. The walk depends on the seeds of the episode and of the run alone.
    """

    name = "random"

    def __init__(self, settings: Settings, **_: Any) -> None:
        super().__init__(settings)
        self._rng = np.random.default_rng(0)
        self._steps_left = 0

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        super().begin(episode, info, seed)
        self._rng = np.random.default_rng([episode.seed, seed])
        self._steps_left = episode.max_steps

    def _next_action(self, here: Viewpoint, last: StepResult | None) -> str | None:
        possible = [
            name
            for name in self._actions.NAMES
            if self._limits.violation(here, self._actions.apply(name, here)) is None
        ]
        drawn = int(self._rng.integers(len(possible) + 1))
        if self._steps_left <= 0 or drawn == len(possible):
            self._steps_left = 0
            return None
        self._steps_left -= 1
        action = possible[drawn]
        self._view = SearchView(path=(here, self._actions.apply(action, here)), doing="wandering about")
        return action

    def _answer(self, question: Question) -> Answer:
        answer = self._qa.ask(question)
        if answer.verdict not in _UNKNOWN:
            return answer
        parsed = parse(question.text)
        guess = _COMMON[parsed.kind] if parsed is not None else "yes"
        return replace(answer, text=guess, verdict=Verdict.ANSWERED, confidence=0.0, noise=NoiseReport())
