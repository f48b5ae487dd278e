"""The baseline that reads questions and sees nothing: what their words alone tell, learned on a training set."""

from __future__ import annotations

from typing import Any

from vantage.config import Settings
from vantage.perception import BlindPerceiver
from vantage.planning.language_prior import LanguagePrior
from vantage.planning.needs import Need
from vantage.types import Answer, Detection, Done, Episode, Observation, Question, SearchView, StepResult, Verdict
from vantage.worlds import WorldInfo


class LanguageAgent:
    """Answers every question at once by its words; it neither looks nor moves, and is done at once where nothing is
    asked.

    Args:
        language: a model fitted on a training set; without one it knows no answer.
    """

    name = "language"
    needs = frozenset({Need.LANGUAGE})
    perception = BlindPerceiver.name

    def __init__(self, settings: Settings, language: LanguagePrior | None = None, **_: Any) -> None:
        self._language = LanguagePrior.fit([]) if language is None else language
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
        guess, share = self._language.answer(question.text)
        verdict = Verdict.ANSWERED if guess else Verdict.UNANSWERABLE
        return Answer(question.question_id, guess, verdict, share, perception=self.perception, phase=question.phase)

    def detections(self) -> tuple[Detection, ...]:
        return ()

    def view(self) -> SearchView:
        return SearchView(doing="answering by the words of the question")
