"""The baseline that has never seen the place: the commonest training answer to questions of the same kind."""

from __future__ import annotations

from typing import Any

from vantage.config import Settings
from vantage.perception import BlindPerceiver
from vantage.planning.answer_prior import AnswerPrior
from vantage.planning.needs import Need
from vantage.types import Answer, Detection, Done, Episode, Observation, Question, SearchView, StepResult, Verdict
from vantage.worlds import WorldInfo


class PriorAgent:
    """Answers every question at once by what is common; it neither looks nor moves nor reasons.

    Args:
        prior: counts of a training set; without them it knows no answer.
    """

    name = "prior"
    needs = frozenset({Need.PRIOR})
    perception = BlindPerceiver.name

    def __init__(self, settings: Settings, prior: AnswerPrior | None = None, **_: Any) -> None:
        self._prior = AnswerPrior({}) if prior is None else prior
        self._open: list[Question] = []

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        self.begin_phase(episode)

    def begin_phase(self, episode: Episode) -> None:
        self._open = list(episode.questions)

    def act(self, observation: Observation, last: StepResult | None) -> Answer | Done:
        """The answer to the next question; never a motion."""
        if not self._open:
            return Done()
        question = self._open.pop(0)
        guess, share = self._prior.guess(question.text)
        verdict = Verdict.ANSWERED if guess else Verdict.UNANSWERABLE
        return Answer(question.question_id, guess, verdict, share, perception=self.perception, phase=question.phase)

    def detections(self) -> tuple[Detection, ...]:
        return ()

    def view(self) -> SearchView:
        return SearchView(doing="answering by what is common")
