"""Baselines that have never seen the place: what a training set tells of the answers to such questions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from vantage.config import Settings
from vantage.perception import BlindPerceiver
from vantage.planning.answer_prior import AnswerPrior
from vantage.planning.language_prior import LanguagePrior
from vantage.planning.needs import Need
from vantage.types import Answer, Detection, Done, Episode, Observation, Question, SearchView, StepResult, Verdict
from vantage.worlds import WorldInfo


class TrainedGuesser(ABC):
    """Answers every question at once by what it learned; it neither looks nor moves nor reasons, and is done at once
    where nothing is asked."""

    name = ""
    perception = BlindPerceiver.name
    doing = ""

    def __init__(self) -> None:
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
        guess, share = self._guess(question.text)
        verdict = Verdict.ANSWERED if guess else Verdict.UNANSWERABLE
        return Answer(question.question_id, guess, verdict, share, perception=self.perception, phase=question.phase)

    def detections(self) -> tuple[Detection, ...]:
        return ()

    def view(self) -> SearchView:
        return SearchView(doing=self.doing)

    @abstractmethod
    def _guess(self, text: str) -> tuple[str, float]:
        """An answer, empty for none, and how likely it is right, 0..1."""


class PriorAgent(TrainedGuesser):
    """Gives the commonest training answer to questions that begin alike.

    Args:
        prior: counts of a training set; without them it knows no answer.
    """

    name = "prior"
    needs = frozenset({Need.PRIOR})
    doing = "answering by what is common"

    def __init__(self, settings: Settings, prior: AnswerPrior | None = None, **_: Any) -> None:
        super().__init__()
        self._prior = AnswerPrior({}) if prior is None else prior

    def _guess(self, text: str) -> tuple[str, float]:
        return self._prior.guess(text)


class LanguageAgent(TrainedGuesser):
    """Gives what a model of words, fitted on a training set, makes of the whole question.

    Args:
        language: the model; without one it knows no answer.
    """

    name = "language"
    needs = frozenset({Need.LANGUAGE})
    doing = "answering by the words of the question"

    def __init__(self, settings: Settings, language: LanguagePrior | None = None, **_: Any) -> None:
        super().__init__()
        self._language = LanguagePrior.fit([]) if language is None else language

    def _guess(self, text: str) -> tuple[str, float]:
        return self._language.answer(text)
