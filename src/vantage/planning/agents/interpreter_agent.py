"""An agent that puts tasks before a model, or interprets them itself, and tells the replies: goals of a scene that the
task itself describes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from vantage.answering import SYMBOLIC
from vantage.config import Settings
from vantage.errors import MissingExtraError, ModelError, UsageError
from vantage.goals import (
    ACTIONS,
    Feasibility,
    Goal,
    ReasonKind,
    ReplyForm,
    Ruling,
    SceneFacts,
    fault_of,
    object_key,
    read_known,
    read_reply,
    read_scene,
    read_task,
    reply_text,
    require_mending,
    task_to_json,
)
from vantage.models import Limiting, Model, Reply, ThinksAloud, Turn, prompt
from vantage.planning.agents.model_answers import HALF_SURE, stopped_answer, unasked
from vantage.planning.agents.single_view_agents import SingleViewAgent
from vantage.planning.controls import GUARD, SCHEMA, Control
from vantage.planning.goals import GoalInterpreter, Lessons, scene_schema
from vantage.planning.guard import Guard, read_robot
from vantage.planning.needs import Need
from vantage.planning.task_pictures import TEXT, ShownTask, TaskPictures
from vantage.types import Answer, Episode, NoiseReport, Observation, Question, Truth, Verdict
from vantage.worlds import WorldInfo

KAF, SCW = "kaf", "scw"
_LONGEST = 50_000  # characters of a reply
_HELD = {Feasibility.UNKNOWN: Verdict.NEEDS_LOOK, Feasibility.NEEDS_CONFIRMATION: Verdict.NEEDS_CONFIRMATION}
_UNLIMITED = "the server does not keep replies to a schema, so that this one was only checked by it"


class InterpreterAgent(SingleViewAgent):
    """Sends each question to the model as it stands, each in a conversation of its own, and answers with the raw reply.

    With ``control.input`` it is shown pictures, too, or instead of what words tell of the scene
    (``vantage.planning.task_pictures``).

    With ``control.mitigation``, the model is told once or more what is wrong with its reply: that it contradicts the
    scene (kaf), or which things are not there (scw). What it is told rests on the scene as the prompt tells it; where
    pictures alone show it, on the names that goals may use. Or its reply is kept to the names and states of that scene
    while it is made (schema). A guard rules on the reply instead: a goal that it holds back becomes a refusal in words,
    and the answer tells the ruling and the raw reply.

    Where the settings name no model, the embedded interpreter replies (``vantage.planning.goals``). Its goals never
    contradict the scene, so that no mitigation but the guard changes them.

    Args:
        settings: groups ``agent``, ``control`` and ``model`` are used.
        truths: gold data by episode id, for a stand-in whose replies are to be of a known kind; no other model is shown
            any.
        lessons: what solved tasks taught, for the embedded interpreter; without them it goes by its verbs alone.
        pictures: of the tasks, where ``control.input`` asks for any.

    Raises:
        MissingExtraError: replies are to be read, and what reads broken ones is not installed.
        ConfigError: the guard's robot is unknown, or its file is wrong.
        UsageError: pictures are to be shown, and none are given.
    """

    name = "interpreter"
    needs = frozenset({Need.MODEL, Need.LESSONS, Need.PICTURES})
    controls = frozenset({Control.MITIGATION, Control.ROBOT, Control.THINKING, Control.INPUT})

    def __init__(
        self,
        settings: Settings,
        truths: Mapping[str, Truth] | None = None,
        lessons: Lessons | None = None,
        pictures: TaskPictures | None = None,
        **_: Any,
    ) -> None:
        super().__init__(settings)
        mitigation = settings.control.mitigation
        self._embedded = GoalInterpreter(lessons) if settings.agent.model == SYMBOLIC else None
        if mitigation in (KAF, SCW, GUARD) and self._embedded is None:
            require_mending()
        self._guard = Guard(read_robot(settings.control.robot)) if mitigation == GUARD else None
        self._truths = dict(truths or {})
        if settings.control.input != TEXT and pictures is None:
            raise UsageError(
                f"--input {settings.control.input} shows pictures of tasks; give their episode set with --episodes"
            )
        self._pictures = pictures
        self._episode_id = ""

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        self._episode_id = episode.episode_id
        super().begin(episode, info, seed)

    def _answer(self, question: Question, observation: Observation) -> Answer:
        if not question.text.strip():
            return unasked(question, "The task is empty.")
        if self._embedded is not None:
            answer = self._ruled(question, _interpreted(question, self._embedded))
            return replace(answer, model=f"{SYMBOLIC}/{self.name}")
        model = self._model()
        try:
            said, rounds = self._asked(question)
        except ModelError as error:
            return replace(stopped_answer(question, error, HALF_SURE), model=f"{model.name}/{self.name}")
        note = NoiseReport(explanation=f"told {rounds} times what was wrong") if rounds else NoiseReport()
        if self._settings.control.mitigation == SCHEMA and isinstance(model, Limiting) and not model.limits_decoding:
            note = NoiseReport(explanation=_UNLIMITED)
        reply, goal = said.text[:_LONGEST], _goal(said.text)
        verdict = Verdict.UNANSWERABLE if goal is not None and not goal.parts else Verdict.ANSWERED
        answer = Answer(question.question_id, reply, verdict, HALF_SURE, note, phase=question.phase)
        answer = replace(self._ruled(question, answer), model=f"{model.name}/{self.name}")
        return replace(answer, goal=goal or Goal(), thinking=said.thoughts)

    def _ruled(self, question: Question, answer: Answer) -> Answer:
        """What the guard, where there is one, lets pass of an answer."""
        if self._guard is None or answer.verdict is not Verdict.ANSWERED:
            return answer
        return _guarded(self._guard, question.text, answer)

    def _asked(self, question: Question) -> tuple[Reply, int]:
        """The last reply, and how often the model was told what was wrong with one before."""
        model, control, gold = self._model(), self._settings.control, self._gold(question)
        shown = self._shown(question)
        asked, turns = shown.prompt, list[Turn]()
        given: dict[str, Any] = {"system": gold}
        if shown.pictures:
            given |= {"images": shown.pictures, "image_names": shown.names}
        if control.mitigation == SCHEMA:
            schema = scene_schema(read_known(asked), instances=ACTIONS not in asked)
            return _said(model, asked, schema=schema, **given), 0
        reply = _said(model, asked, **given)
        if control.mitigation not in (KAF, SCW):
            return reply, 0
        scene = read_known(asked)
        for _ in range(control.mitigation_rounds):
            feedback = _feedback(control.mitigation, control.mitigation_always, reply.text, scene)
            if not feedback:
                break
            turns.append(Turn(asked, reply.text))
            asked = feedback
            reply = _said(model, asked, earlier=turns, **given)
        return reply, len(turns)

    def _shown(self, question: Question) -> ShownTask:
        """What the model is sent of a question; every round shows the pictures again."""
        if self._pictures is None or self._settings.control.input == TEXT:
            return ShownTask(question.text)
        return self._pictures.shown(self._episode_id, question.question_id)

    def _gold(self, question: Question) -> str:
        """What a stand-in is told of the question; empty for every other model."""
        truth = self._truths.get(self._episode_id)
        golds = truth.questions if truth else ()
        task = next((each.task for each in golds if each.is_about(question)), None)
        return "" if task is None else json.dumps(task_to_json(task), ensure_ascii=False)


def _guarded(guard: Guard, asked: str, answer: Answer) -> Answer:
    """The answer with the guard's ruling; a goal that is held back is no longer in its text. What is no goal passes."""
    reading = read_reply(answer.text)
    if reading.form is not ReplyForm.GOALS:
        return answer
    ruling = guard.judge(read_task(asked), Goal.of(reading.goals), read_scene(asked), unread=reading.unread)
    if ruling.passes:
        return replace(answer, ruling=ruling)
    verdict = _HELD.get(ruling.feasibility, Verdict.UNANSWERABLE)
    held = replace(answer, text=ruling.words, verdict=verdict, noise=_held_note(ruling))
    return replace(held, ruling=ruling, reply=answer.text)


def _held_note(ruling: Ruling) -> NoiseReport:
    missing = [
        reason for reason in ruling.reasons if reason.kind in (ReasonKind.MISSING_OBJECT, ReasonKind.UNSEEN_OBJECT)
    ]
    near = dict.fromkeys(name for reason in missing for name in reason.nearest)
    claimed, offered = ", ".join(reason.name for reason in missing), ", ".join(near)
    return NoiseReport(false_claim=claimed, correction=offered)


def _interpreted(question: Question, interpreter: GoalInterpreter) -> Answer:
    """The reply of the embedded interpreter, in the way of writing that the question asks for."""
    found = interpreter.interpret(read_task(question.text), read_scene(question.text))
    if found.refused:
        return Answer(question.question_id, found.reason, Verdict.UNANSWERABLE, HALF_SURE, phase=question.phase)
    reply = reply_text(found.goal.literals, instances=ACTIONS not in question.text)
    answer = Answer(question.question_id, reply, Verdict.ANSWERED, HALF_SURE, phase=question.phase)
    return replace(answer, goal=found.goal)


def _said(model: Model, asked: str, **given: Any) -> Reply:
    """What a model replied, with its thoughts where it tells them."""
    return model.said(asked, **given) if isinstance(model, ThinksAloud) else Reply(model.chat(asked, **given))


def _feedback(mitigation: str, always: bool, reply: str, scene: SceneFacts) -> str:
    """What the model is told next; empty where there is nothing to tell."""
    goals = read_reply(reply).goals
    names = {object_key(name): name for goal in goals for name in goal.objects if not scene.has(name)}
    if mitigation == SCW:
        return prompt("feedback_scw").fill(objects=", ".join(names.values())) if names else ""
    wrong = always or any(fault_of(goal, scene) is not None for goal in goals)
    return prompt("feedback_kaf").fill() if wrong else ""


def _goal(reply: str) -> Goal | None:
    """What a reply asks for, nothing where it refuses; None where it cannot be read, which counts as an answer that
    scores call unparsable."""
    try:
        reading = read_reply(reply)
    except MissingExtraError:
        return None
    if reading.form is ReplyForm.UNPARSABLE or (reading.form is ReplyForm.GOALS and not reading.goals):
        return None
    return Goal.of(reading.goals)
