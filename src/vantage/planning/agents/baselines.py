"""Baselines that see: the static agent and the random walk.

``static`` is NoisyEQA's static control, and ``random`` is the least that every search must exceed.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from vantage.config import Settings
from vantage.planning.actions import YAW
from vantage.planning.agents.observing_agent import ObservingAgent
from vantage.planning.plausible_answers import plausible_answer
from vantage.questions import Count, Program, Query
from vantage.questions.parsing import parse
from vantage.spatial import wrap_angle
from vantage.types import (
    Answer,
    Episode,
    NoiseReport,
    Observation,
    Phase,
    Question,
    SearchView,
    Status,
    StepResult,
    Verdict,
)
from vantage.worlds import WorldInfo


class StaticAgent(ObservingAgent):
    """Turns once on the spot, by yaw alone, and answers from what it saw.

    It never stops early and never looks up, down or from elsewhere. Where a turn to the left is refused, it turns to
    the right as far as it goes. Any reasoner or model answers, as for agents that move.
    """

    name = "static"

    def __init__(self, settings: Settings, **_: Any) -> None:
        super().__init__(settings)
        self._headings = max(1, math.ceil(math.tau / settings.actions.rotation - 1e-6))
        self._can_turn = {(YAW, 1), (YAW, -1)} <= set(self._actions.turns)

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        super().begin(episode, info, seed)
        self._side, self._turns = 1, self._headings - 1 if self._can_turn else 0

    def _take_in(self, observation: Observation, last: StepResult | None) -> None:
        super()._take_in(observation, last)
        if last is None or last.status is Status.DONE:
            return
        self._turns = self._headings - 1 if self._side > 0 else 0
        self._side = -1

    def _next_action(self, observation: Observation) -> str | None:
        if self._turns == 0:
            return None
        self._turns -= 1
        action = self._actions.turns[YAW, self._side]
        path = (observation.viewpoint, self._actions.apply(action, observation.viewpoint))
        self._view = SearchView(path=path, doing="looking round on the spot")
        return action

    def _answer(self, question: Question) -> Answer:
        if question.phase == Phase.EXPLORE.value:
            return self._explored(question, exhausted=False)
        return self._qa.ask(question, last=True)


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


class RandomAgent(ObservingAgent):
    """Draws evenly from the ten motions and "stop", as the random policy of E3VS-Bench does (arXiv 2604.17969).

    Motions that the limits forbid are not drawn. It answers from what it happened to see, and guesses what is common
    where it saw nothing. The walk depends on the seeds of the episode and of the run alone.

    Where an episode begins with exploring unasked, it takes no step at all and draws plausible answers: the same one
    where a question is put again (EXCALIBUR, CVPR 2023, Table 2).
    """

    name = "random"

    def __init__(self, settings: Settings, **_: Any) -> None:
        super().__init__(settings)
        self._rng = np.random.default_rng(0)

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        super().begin(episode, info, seed)
        self._rng = np.random.default_rng([episode.seed, seed])
        self._blind = not episode.questions
        self._drawn: dict[str, str] = {}

    def _next_action(self, observation: Observation) -> str | None:
        if self._blind:
            return None
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
        if self._blind:
            text = self._drawn.setdefault(question.text, plausible_answer(question.text, self._rng))
            return Answer(question.question_id, text, Verdict.ANSWERED, 0.0, phase=question.phase)
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
