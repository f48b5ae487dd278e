"""Agents that a model steers, one action at a time, as E3VS-Bench has it (arXiv 2604.17969, section 4).

What the model is told at each step is a control. With the prompt ``paper`` that is what the paper's step prompt has
(figure 16): the question, the number of the step, the position, the last action and what became of it. With ``full`` it
is told besides where it looks, what it did before and thought last, between which limits it moves, and what a picture
must show for an answer to count. It is shown the current picture and ``control.frames`` - 1 before it, and replies with
one action, or with a stop and the answer. The prompts are this project's own words.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

from vantage.answering.vlm import prompt_question
from vantage.config import Settings
from vantage.errors import ModelError
from vantage.models import prompt, shared_model
from vantage.perception import BlindPerceiver
from vantage.planning.agents.model_answers import HALF_SURE, stopped_answer, unasked
from vantage.planning.agents.model_replies import STOP, Asking, Choice, read_choice
from vantage.planning.agents.pose_words import frame_words, limit_words, pose_text
from vantage.planning.agents.recent_steps import NONE, RecentSteps, numbered
from vantage.planning.controls import FULL, PAPER, Control, allowed_actions, control_text, prompt_version
from vantage.planning.needs import Need, check_named_model
from vantage.spatial import Viewpoint
from vantage.types import (
    Answer,
    Command,
    Decision,
    Detection,
    Done,
    Episode,
    Evidence,
    Observation,
    Question,
    SearchView,
    StepResult,
)
from vantage.worlds import WorldInfo

PROMPTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        PAPER: ("pilot_system_paper", "pilot_step_paper", "pilot_form", "pilot_again"),
        FULL: (
            *("pilot_system", "pilot_step", "camera_pose", "pilot_form", "pilot_again"),
            *("shown_in_short", "shown_by_share", "shown_by_view"),
        ),
    }
)
_CHOOSE = "Choose one action."
_LAST = 'No step is left: reply with the action "stop" and your best answer.'
_ABOVE = "one of the names above"
_CHOSEN = "none; your replies could not be used, so that the last action was chosen for you"


class PilotAgent:
    """Has the model of ``agent.model`` choose every action, within the budget and the limits whatever it says.

    A reply without one known action is asked for again, ``control.retries`` times at most. After that the first of
    several actions is taken, and otherwise the first rotation of the action space, which touches nothing; where no step
    is left, what stands as the answer counts. An answer without an action is a stop. A model of which no reply comes is
    a verdict: NEEDS_MODEL. How many replies were not as asked is told in the explanation of the answer.

    Args:
        settings: groups ``actions``, ``agent``, ``control`` and ``model`` are used.
        view_rule_text: what a picture must show for an answer to count, in words; empty where nobody says.

    Raises:
        UsageError: the settings name no model.
    """

    name = "pilot"
    needs = frozenset({Need.VIEWS, Need.NAMED_MODEL, Need.VIEW_RULE})
    controls = frozenset({Control.GOAL, Control.FRAMES, Control.PROMPT, Control.THINKING, Control.DOF})

    def __init__(self, settings: Settings, view_rule_text: str = "", **_: Any) -> None:
        check_named_model(self.name, self, settings)
        self._settings = settings
        self._actions = allowed_actions(settings)
        self._moves = tuple(name for name in self._actions.names if name != STOP)
        self._shown = view_rule_text or prompt("shown_in_short").text
        self.control = control_text(settings)
        self._view = SearchView()

    @classmethod
    def prompts_for(cls, settings: Settings) -> tuple[str, ...]:
        """Names of the prompts that the model is asked with."""
        return PROMPTS[settings.control.prompt]

    @property
    def perception(self) -> str:
        return BlindPerceiver.name

    def begin(self, episode: Episode, info: WorldInfo, seed: int) -> None:
        self._recent = RecentSteps(self._settings.control.frames)
        self._info = info
        self._view = SearchView()
        self.begin_phase(episode)

    def begin_phase(self, episode: Episode) -> None:
        """The pictures are kept, and the actions unless the world was put back since."""
        if episode.restored:
            self._recent.forget_actions()
        self._episode = episode
        self._open = list(episode.questions)
        self._steps = 0
        self._reasoning = ""
        self._asking: Asking | None = None

    def act(self, observation: Observation, last: StepResult | None) -> Decision:
        """The action that the model chooses; the answer once it stops or the budget is used up."""
        if self._recent.saw(observation, last):
            self._take_in(observation, last)
        if not self._open:
            return Done()
        question = self._open[0]
        words = prompt_question(question.text)
        model = shared_model(self._settings.agent.model, self._settings.model)
        name = f"{model.name}/{self.name}#{prompt_version(self, self._settings)}"
        signed = partial(replace, model=name, perception=self.perception)
        if not words.text:
            self._open.pop(0)
            return signed(unasked(question, words.note))
        if self._asking is None:
            self._asking = Asking(model, self._settings.control.retries)
        left = self._episode.max_steps - self._steps
        moves = self._moves if left > 0 else ()
        try:
            choice = self._asking.ask(
                self._told(words.text, observation.viewpoint, left),
                tuple(self._recent.pictures),
                _names(len(self._recent.pictures)),
                self._system(),
                partial(read_choice, actions=moves),
                prompt("pilot_form").fill(action=f"one of {', '.join((*moves, STOP))}" if moves else STOP),
            )
        except ModelError as error:
            return signed(self._answered(question, observation, error, words.note))
        if left <= 0 or (choice.action == STOP and choice.answer):
            return signed(self._answered(question, observation, choice, words.note))
        return self._moved(choice, observation.viewpoint)

    def detections(self) -> tuple[Detection, ...]:
        return ()

    def view(self) -> SearchView:
        return self._view

    def _take_in(self, observation: Observation, last: StepResult | None) -> None:
        """What else is made of a new observation, and of the motion that led to it."""

    def _notes(self) -> str:
        """What is told besides at each step; begins on a line of its own."""
        return ""

    def _moved(self, choice: Choice, here: Viewpoint) -> Command | Done:
        action = choice.action if choice.action in self._moves else self._turn(here)
        self._steps += 1
        self._reasoning = prompt_question(choice.reasoning).text if choice.usable else _CHOSEN
        path = (here, self._actions.apply(action, here))
        self._view = SearchView(path=path, doing=f"{action}: {choice.reasoning or choice.fault}")
        return self._actions.decision(action, here)

    def _turn(self, here: Viewpoint) -> str:
        """The first action that leaves the position as it is; the first of all where none does."""
        turns = (name for name in self._moves if _turns(here, self._actions.apply(name, here)))
        return next(turns, self._moves[0])

    def _answered(self, question: Question, observation: Observation, said: Choice | ModelError, note: str) -> Answer:
        self._open.pop(0)
        self._view = SearchView(doing="answering")
        remark = self._asking.remark if self._asking is not None else ""
        self._asking = None
        evidence = (Evidence(observation.stamp, observation.viewpoint),)
        return replace(stopped_answer(question, said, HALF_SURE, (note, remark)), evidence=evidence)

    def _told(self, question: str, here: Viewpoint, left: int) -> str:
        common = {
            "question": question,
            "step": self._steps + 1,
            "action": self._recent.action,
            "result": self._recent.result,
            "notes": self._notes(),
        }
        if self._settings.control.prompt == PAPER:
            x, y, z = (f"{value:.2f}" for value in here.position)
            return prompt("pilot_step_paper").fill(**common, x=x, y=y, z=z, last="" if left > 0 else f"\n{_LAST}")
        return prompt("pilot_step").fill(
            **common,
            steps=self._episode.max_steps,
            left=max(0, left),
            pose=pose_text(here, self._info),
            reasoning=self._reasoning or NONE,
            history=numbered([f"{action}: {result}" for action, result in self._recent.history]),
            choose=_CHOOSE if left > 0 else _LAST,
        )

    def _system(self) -> str:
        common = {
            "actions": "\n".join(f"- {name}" for name in self._moves),
            "translation": f"{self._actions.translation:g}",
            "rotation": f"{math.degrees(self._actions.rotation):.0f}",
            "steps": self._episode.max_steps,
            "form": prompt("pilot_form").fill(action=_ABOVE),
        }
        if self._settings.control.prompt == PAPER:
            return prompt("pilot_system_paper").fill(**common)
        return prompt("pilot_system").fill(
            **common,
            frame=frame_words(self._actions.frame),
            limits=limit_words(self._info),
            radius=f"{self._info.body_radius:g}",
            shown=self._shown,
        )


def _names(count: int) -> tuple[str, ...]:
    """Of so many pictures, the current one last."""
    return (*(f"IMAGE_{back}_STEPS_AGO" for back in range(count - 1, 0, -1)), "CURRENT_IMAGE")


def _turns(here: Viewpoint, there: Viewpoint) -> bool:
    return here != there and here.distance(there) == 0.0
