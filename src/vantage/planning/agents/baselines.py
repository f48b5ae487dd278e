"""The agent that never looks: the text-only control of question answering."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from vantage.answering.engine import QuestionAnswering
from vantage.answering.factory import SYMBOLIC
from vantage.answering.vlm.model_question import one_line, prompt_question
from vantage.config import Settings
from vantage.errors import ModelError
from vantage.models.model_factory import shared_model
from vantage.models.prompts import prompt
from vantage.models.protocol import Model
from vantage.perception.blind import BlindPerceiver
from vantage.types import Answer, Detection, Episode, Observation, Question, SearchView, StepResult, Verdict
from vantage.worlds.protocol import WorldInfo

_LONGEST = 300  # characters of an answer
_HALF_SURE = 0.5  # of what a model says that saw nothing


class BlindAgent:
    """Answers every question at once, from its words alone.

    A model guesses what is likeliest. The embedded reasoner knows nothing about places that it has not seen, and says
    what it would have to see.

    Args:
        settings: groups ``agent``, ``model`` and ``relations`` are used.
    """

    name = "blind"
    perception = BlindPerceiver.name

    def __init__(self, settings: Settings, **_: Any) -> None:
        self._settings = settings
        self._open: list[Question] = []

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        self._open = list(episode.questions)

    def act(self, observation: Observation, last: StepResult | None) -> Answer:
        """The answer to the next question; never a motion."""
        question, agent = self._open.pop(0), self._settings.agent
        if agent.model == SYMBOLIC:
            engine = QuestionAnswering(BlindPerceiver(), relations=self._settings.relations, mode=agent.mode)
            return replace(engine.ask(question), perception=self.perception)
        return self._guess(question, shared_model(agent.model, self._settings.model))

    def _guess(self, question: Question, model: Model) -> Answer:
        words, asked = prompt("blind"), prompt_question(question.text)
        name = f"{model.name}/{self.name}#{words.version}"
        if not asked.text:
            return Answer(question.question_id, asked.note, Verdict.UNANSWERABLE, 0.0, model=name, phase=question.phase)
        try:
            said = one_line(model.chat(words.fill(question=asked.text)), _LONGEST)
            verdict, sure = (Verdict.ANSWERED, _HALF_SURE) if said else (Verdict.UNANSWERABLE, 0.0)
        except ModelError as error:
            said, verdict, sure = f"The model could not answer: {error}", Verdict.NEEDS_MODEL, 0.0
        return Answer(
            question.question_id, said, verdict, sure, perception=self.perception, model=name, phase=question.phase
        )

    def detections(self) -> tuple[Detection, ...]:
        return ()

    def view(self) -> SearchView:
        return SearchView(doing="answering unseen")
