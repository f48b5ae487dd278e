"""A random walk: the floor that every search has to beat."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from vantage.config import Settings
from vantage.planning.agents.observing_agent import LookingAgent
from vantage.questions.parsing.parser import parse
from vantage.questions.programs import Count, Program, Query
from vantage.spatial import wrap_angle
from vantage.types import Answer, Episode, NoiseReport, Observation, Question, SearchView, Verdict
from vantage.worlds.protocol import WorldInfo

_UNKNOWN = (Verdict.NEEDS_LOOK, Verdict.NEEDS_MODEL)
# What is most often right about homes, for questions on which nothing was seen.
_COMMON = {
    "label": "book",
    "color": "white",
    "material": "wood",
    "shape": "rectangular",
    "size": "small",
    "state": "closed",
    "text": "books",
    "room": "living room",
    "place": "on the table",
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

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        super().begin(episode, info, seed)
        self._rng = np.random.default_rng([episode.seed, seed])

    def _next_action(self, observation: Observation) -> str | None:
        here, limits = observation.viewpoint, self._info.limits
        aims = {name: self._actions.apply(name, here) for name in self._actions.names}
        possible = [
            name
            for name, aim in aims.items()
            if aim != here
            and limits.violation(here, aim) is None
            and limits.can_turn(here.yaw, wrap_angle(aim.yaw - here.yaw))
        ]
        drawn = int(self._rng.integers(len(possible) + 1))
        if drawn == len(possible):
            return None
        path = (here, aims[possible[drawn]])
        self._view = SearchView(path=path, doing="wandering about")
        return possible[drawn]

    def _answer(self, question: Question) -> Answer:
        answer = self._qa.ask(question)
        if answer.verdict not in _UNKNOWN:
            return answer
        parsed = parse(question.text)
        guess = "yes" if parsed is None else _guess(parsed.program)
        return replace(answer, text=guess, verdict=Verdict.ANSWERED, confidence=0.0, noise=NoiseReport())


def _guess(program: Program) -> str:
    if isinstance(program, Count):
        return "2"
    return _COMMON[program.attribute] if isinstance(program, Query) else "yes"
