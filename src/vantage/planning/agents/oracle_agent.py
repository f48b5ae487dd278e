"""The upper bound of every score: it is led to a view that decides the question, and knows the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vantage.config import Settings
from vantage.errors import EpisodeError
from vantage.planning.actions import ActionSpace
from vantage.planning.needs import Need
from vantage.types import (
    Answer,
    Command,
    Detection,
    Episode,
    Evidence,
    NoiseReport,
    NoiseType,
    Observation,
    SearchView,
    StepResult,
    Truth,
    TruthQuestion,
    Verdict,
)
from vantage.worlds.protocol import WorldInfo


class OracleAgent:
    """Replays the stored shortest actions, then gives the gold answer with its last frame as evidence.

    It sees nothing and reasons about nothing, so whatever it does not score the labels and the judge disagree about.
    Episodes without an oracle are answered from the first view.

    Args:
        settings: group ``actions`` is used.
        truths: gold data by episode id; the only agent that is given any.
    """

    name = "oracle"
    needs = frozenset({Need.GOLD})
    perception = ""

    def __init__(self, settings: Settings, truths: Mapping[str, Truth] | None = None, **_: Any) -> None:
        self._actions = ActionSpace(settings.actions.translation, settings.actions.rotation)
        self._truths = dict(truths or {})
        self._plan: list[str] = []
        self._open: list[TruthQuestion] = []
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
        answers = {question.question_id: question for question in truth.questions}
        self._plan = list(truth.oracle_actions or ())
        self._open = [answers[question.question_id] for question in episode.questions]
        self._view = SearchView()

    def act(self, observation: Observation, last: StepResult | None) -> Command | Answer:
        """The next stored action, and the gold answers after the last one."""
        here = observation.viewpoint
        if self._plan:
            path = tuple(self._actions.replay(here, self._plan))
            self._view = SearchView(path=path, doing="following the oracle")
            action = self._plan.pop(0)
            return Command(target=path[1], action=action)
        self._view = SearchView(doing="answering")
        return _gold_answer(self._open.pop(0), Evidence(observation.stamp, here))

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
