"""Agents that answer at once, without a motion: from the words alone, or from the first picture."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import Any

from vantage.answering import SYMBOLIC, QuestionAnswering
from vantage.answering.vlm import filled
from vantage.config import Settings
from vantage.models import Model, prompt, shared_model
from vantage.perception import BlindPerceiver
from vantage.planning.agents.model_answers import plain_answer
from vantage.planning.agents.pose_words import pose_text
from vantage.planning.controls import BIRD, PAPER, Control, control_text, prompt_version
from vantage.planning.needs import Need, check_named_model
from vantage.spatial import Viewpoint
from vantage.types import Answer, Detection, Done, Episode, Evidence, Observation, Question, SearchView, StepResult
from vantage.worlds import WorldInfo


class SingleViewAgent(ABC):
    """Answers every question at once; never a motion."""

    name = ""
    needs: frozenset[Need] = frozenset()
    controls: frozenset[Control] = frozenset({Control.GOAL, Control.THINKING})
    perception = BlindPerceiver.name

    def __init__(self, settings: Settings, **_: Any) -> None:
        check_named_model(self.name, self, settings)
        self._settings = settings
        self.control = control_text(settings)
        self._open: list[Question] = []

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        self._info = info
        self.begin_phase(episode)

    def begin_phase(self, episode: Episode) -> None:
        self._open = list(episode.questions)

    def act(self, observation: Observation, last: StepResult | None) -> Answer | Done:
        """The answer to the next question."""
        if not self._open:
            return Done()
        return replace(self._answer(self._open.pop(0), observation), perception=self.perception)

    def detections(self) -> tuple[Detection, ...]:
        return ()

    def view(self) -> SearchView:
        return SearchView(doing="answering")

    @abstractmethod
    def _answer(self, question: Question, observation: Observation) -> Answer: ...

    def _model(self) -> Model:
        return shared_model(self._settings.agent.model, self._settings.model)


class BlindAgent(SingleViewAgent):
    """Answers every question at once, from its words alone.

    A model guesses what is likeliest. The embedded reasoner knows nothing about places that it has not seen, and says
    what it would have to see.

    Args:
        settings: groups ``agent``, ``model`` and ``relations`` are used.
    """

    name = "blind"
    needs = frozenset({Need.MODEL})
    controls = frozenset({Control.THINKING})

    def view(self) -> SearchView:
        return SearchView(doing="answering unseen")

    def _answer(self, question: Question, observation: Observation) -> Answer:
        agent = self._settings.agent
        if agent.model == SYMBOLIC:
            engine = QuestionAnswering(BlindPerceiver(), relations=self._settings.relations, mode=agent.mode)
            return engine.ask(question)
        model, words = self._model(), prompt("blind")
        answer = plain_answer(question, lambda text: model.chat(words.fill(question=text)))
        return replace(answer, model=f"{model.name}/{self.name}#{words.version}")


class VqaAgent(SingleViewAgent):
    """A model answers from the first picture alone: at the start, at the goal, or from above.

    Args:
        settings: groups ``agent``, ``control`` and ``model`` are used.

    Raises:
        UsageError: the settings name no model.
    """

    name = "vqa"
    needs = frozenset({Need.VIEWS, Need.NAMED_MODEL})
    controls = frozenset({Control.GOAL, Control.BIRD, Control.PROMPT, Control.THINKING})

    @classmethod
    def prompts_for(cls, settings: Settings) -> tuple[str, ...]:
        """Names of the prompts that the model is asked with."""
        asks = "from_above" if settings.control.start == BIRD else "plain"
        return (asks,) if settings.control.prompt == PAPER else (asks, "posed_picture", "camera_pose")

    def _answer(self, question: Question, observation: Observation) -> Answer:
        model = self._model()
        version = prompt_version(self, self._settings)

        def ask(text: str) -> str:
            return model.chat(self._told(text, observation.viewpoint), (observation.rgb,))

        evidence = (Evidence(observation.stamp, observation.viewpoint),)
        answer = plain_answer(question, ask)
        return replace(answer, model=f"{model.name}/{self.name}#{version}", evidence=evidence)

    def _told(self, question: str, at: Viewpoint) -> str:
        asks, *posed = self.prompts_for(self._settings)
        told = filled(asks, 1, question=question)
        return prompt("posed_picture").fill(prompt=told, pose=pose_text(at, self._info)) if posed else told
