"""The upper bound of every score: an agent that replays stored actions to a decisive view and gives the gold answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from vantage.config import Settings
from vantage.errors import EpisodeError
from vantage.planning.actions import make_actions
from vantage.planning.needs import Need
from vantage.types import (
    Answer,
    Decision,
    Detection,
    Done,
    Episode,
    Evidence,
    NoiseReport,
    NoiseType,
    Observation,
    Question,
    SearchView,
    StepResult,
    Truth,
    TruthQuestion,
    Verdict,
)
from vantage.worlds import WorldInfo


class OracleAgent:
    """Replays the stored shortest actions, then gives the gold answer with its last frame as evidence.

    It sees nothing and reasons about nothing, so whatever it does not score the labels and the judge disagree about.
    Episodes without an oracle are answered from the first view. Actions that the budget of a phase does not allow are
    taken in the next phase that asks.

    Args:
        settings: group ``actions`` is used.
        truths: gold data by episode id; the only agent that is given any.
    """

    name = "oracle"
    needs = frozenset({Need.GOLD})
    perception = ""

    def __init__(self, settings: Settings, truths: Mapping[str, Truth] | None = None, **_: Any) -> None:
        self._actions = make_actions(settings.actions)
        self._truths = dict(truths or {})
        self._plan: list[str] = []
        self._truth: tuple[TruthQuestion, ...] = ()
        self._open: list[tuple[Question, TruthQuestion]] = []
        self._left = 0  # steps of the phase
        self._view = SearchView()

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        """
        Raises:
            EpisodeError: the gold data do not hold this episode.
        """
        truth = self._truths.get(episode.episode_id)
        if truth is None:
            raise EpisodeError(
                f"the oracle has no gold data for episode '{episode.episode_id}'; give it the truth of its episode set"
            )
        self._truth = truth.questions
        self._plan = list(truth.oracle_actions or ())
        self._view = SearchView()
        self.begin_phase(episode)

    def begin_phase(self, episode: Episode) -> None:
        self._open = [(asked, self._gold(asked)) for asked in episode.questions]
        self._left = episode.max_steps

    def _gold(self, question: Question) -> TruthQuestion:
        return next(truth for truth in self._truth if truth.is_about(question))

    def act(self, observation: Observation, last: StepResult | None) -> Decision:
        """The next stored action, and the gold answers after the last one; nothing in a phase that asks nothing."""
        if not self._open:
            return Done()
        here = observation.viewpoint
        if self._plan and self._left > 0:
            self._left -= 1
            path = tuple(self._actions.replay(here, self._plan))
            self._view = SearchView(path=path, doing="following the oracle")
            action = self._plan.pop(0)
            return self._actions.decision(action, here)
        self._view = SearchView(doing="answering")
        asked, truth = self._open.pop(0)
        return replace(_gold_answer(truth, Evidence(observation.stamp, here)), phase=asked.phase)

    def detections(self) -> tuple[Detection, ...]:
        return ()

    def view(self) -> SearchView:
        return self._view


def _gold_answer(truth: TruthQuestion, evidence: Evidence) -> Answer:
    """What the gold data say, as an agent would say it."""
    if truth.premise_holds:
        return Answer(truth.question_id, truth.answer, Verdict.ANSWERED, 1.0, evidence=(evidence,))
    latent = truth.noise_type == NoiseType.LATENT
    noise = NoiseReport(
        truth.noise_type, truth.false_claim, truth.correction, truth.corrected_question, 1.0, truth.correction
    )
    return Answer(
        truth.question_id,
        truth.correction if latent else truth.answer,
        Verdict.UNANSWERABLE if latent else Verdict.CORRECTED,
        1.0,
        noise,
        (evidence,),
    )
