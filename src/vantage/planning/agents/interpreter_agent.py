"""An agent that puts tasks before a model and tells its replies: goals of a scene that the task itself describes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from vantage.config import Settings
from vantage.errors import MissingExtraError, ModelError
from vantage.goals import ReplyForm, SceneFacts, fault_of, object_key, read_reply, read_scene, require_mending
from vantage.models import Turn, prompt
from vantage.planning.agents.model_answers import HALF_SURE, stopped_answer, unasked
from vantage.planning.agents.single_view_agents import SingleViewAgent
from vantage.planning.controls import Control
from vantage.planning.needs import Need
from vantage.types import Answer, Episode, NoiseReport, Observation, Question, Truth, Verdict
from vantage.worlds import WorldInfo

KAF, SCW = "kaf", "scw"
_LONGEST = 50_000  # characters of a reply


class InterpreterAgent(SingleViewAgent):
    """Sends each question to the model as it stands, each in a conversation of its own, and answers with the raw reply.

    With ``control.mitigation``, the model is told once or more what is wrong with its reply: that it contradicts the
    scene (kaf), or which things are not there (scw). What it is told rests on the scene as the question tells it.

    Args:
        settings: groups ``agent``, ``control`` and ``model`` are used.
        truths: gold data by episode id, for a stand-in whose replies are to be of a known kind; no other model is shown
            any.

    Raises:
        UsageError: the settings name no model.
        MissingExtraError: replies are to be read, and what reads broken ones is not installed.
    """

    name = "interpreter"
    needs = frozenset({Need.NAMED_MODEL})
    controls = frozenset({Control.MITIGATION, Control.THINKING})

    def __init__(self, settings: Settings, truths: Mapping[str, Truth] | None = None, **_: Any) -> None:
        super().__init__(settings)
        if settings.control.mitigation in (KAF, SCW):
            require_mending()
        self._truths = dict(truths or {})
        self._episode_id = ""

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        self._episode_id = episode.episode_id
        super().begin(episode, info, seed)

    def _answer(self, question: Question, observation: Observation) -> Answer:
        if not question.text.strip():
            return unasked(question, "The task is empty.")
        model = self._model()
        try:
            reply, rounds = self._asked(question)
        except ModelError as error:
            return replace(stopped_answer(question, error, HALF_SURE), model=f"{model.name}/{self.name}")
        note = NoiseReport(explanation=f"told {rounds} times what was wrong") if rounds else NoiseReport()
        answer = Answer(question.question_id, reply[:_LONGEST], _verdict(reply), HALF_SURE, note, phase=question.phase)
        return replace(answer, model=f"{model.name}/{self.name}")

    def _asked(self, question: Question) -> tuple[str, int]:
        """The last reply, and how often the model was told what was wrong with one before."""
        model, control, gold = self._model(), self._settings.control, self._gold(question)
        asked, turns = question.text, list[Turn]()
        reply = model.chat(asked, system=gold)
        if control.mitigation not in (KAF, SCW):
            return reply, 0
        scene = read_scene(question.text)
        for _ in range(control.mitigation_rounds):
            feedback = _feedback(control.mitigation, control.mitigation_always, reply, scene)
            if not feedback:
                break
            turns.append(Turn(asked, reply))
            asked = feedback
            reply = model.chat(asked, system=gold, earlier=turns)
        return reply, len(turns)

    def _gold(self, question: Question) -> str:
        """What a stand-in is told of the question; empty for every other model."""
        truth = self._truths.get(self._episode_id)
        return next((each.program for each in truth.questions if each.is_about(question)), "") if truth else ""


def _feedback(mitigation: str, always: bool, reply: str, scene: SceneFacts) -> str:
    """What the model is told next; empty where there is nothing to tell."""
    goals = read_reply(reply).goals
    names = {object_key(name): name for goal in goals for name in goal.objects if not scene.has(name)}
    if mitigation == SCW:
        return prompt("feedback_scw").fill(objects=", ".join(names.values())) if names else ""
    wrong = always or any(fault_of(goal, scene) is not None for goal in goals)
    return prompt("feedback_kaf").fill() if wrong else ""


def _verdict(reply: str) -> Verdict:
    """Nothing to pursue is no answer; what cannot be read counts as one, which scores call unparsable."""
    try:
        form = read_reply(reply).form
    except MissingExtraError:
        return Verdict.ANSWERED
    return Verdict.UNANSWERABLE if form in (ReplyForm.EMPTY, ReplyForm.REFUSED) else Verdict.ANSWERED
