"""A search within one picture: a model may have parts of it enlarged before it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vantage.answering.vlm import prompt_question
from vantage.config import Settings
from vantage.errors import ModelError
from vantage.models import prompt
from vantage.planning.agents.model_answers import HALF_SURE, stopped_answer, unasked
from vantage.planning.agents.model_replies import STOP, Asking, Choice, read_choice
from vantage.planning.agents.pose_words import pose_text
from vantage.planning.agents.recent_steps import NONE, numbered
from vantage.planning.agents.single_view_agents import SingleViewAgent
from vantage.planning.controls import FULL, PAPER, Control, prompt_version
from vantage.planning.needs import Need
from vantage.types import Answer, Evidence, Observation, Question

PROMPTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        PAPER: ("crop_system", "crop_step_paper", "crop_form", "pilot_again"),
        FULL: ("crop_system", "crop_step", "camera_pose", "crop_form", "pilot_again"),
    }
)
NO_BOX = "no box of a part"
_WRONG_BOX = (
    'with the action "look", the field "box" must be [left, top, right, bottom] in whole numbers from 0 to {scale}, '
    "right at least {least} above left, and bottom at least {least} above top"
)
_LOOK = "look"
_SCALE = 1000  # of the coordinates in which a model names a part of a picture
_LEAST_SIDE = 20  # of these, along either side of a part
_WHOLE, _PART = "WHOLE_PICTURE", "ENLARGED_PART"
_CHOOSE = "Choose one action."
_LAST = 'No look is left: reply with the action "stop" and your best answer.'

Look = tuple[str, str]  # the box in words, and what the model reasoned
Box = tuple[int, int, int, int]  # left, top, right, bottom, from 0 to _SCALE


class CropAgent(SingleViewAgent):
    """The model looks at the first picture, and at ``control.crops`` enlarged parts of it at most.

    A reply without a part or an answer is asked for again, ``control.retries`` times at most; after that what stands as
    the answer counts.

    Args:
        settings: groups ``agent``, ``control`` and ``model`` are used.

    Raises:
        UsageError: the settings name no model.
    """

    name = "crop"
    needs = frozenset({Need.VIEWS, Need.NAMED_MODEL})
    controls = SingleViewAgent.controls | {Control.PROMPT}

    @classmethod
    def prompts_for(cls, settings: Settings) -> tuple[str, ...]:
        """Names of the prompts that the model is asked with."""
        return PROMPTS[settings.control.prompt]

    def _answer(self, question: Question, observation: Observation) -> Answer:
        model, asked = self._model(), prompt_question(question.text)
        asking = Asking(model, self._settings.control.retries)
        said: Choice | ModelError
        if not asked.text:
            answer = unasked(question, asked.note)
        else:
            try:
                said = self._searched(asked.text, observation, asking)
            except ModelError as error:
                said = error
            answer = stopped_answer(question, said, HALF_SURE, (asked.note, asking.remark))
        evidence = (Evidence(observation.stamp, observation.viewpoint),)
        version = prompt_version(self, self._settings)
        return replace(answer, model=f"{model.name}/{self.name}#{version}", evidence=evidence)

    def _searched(self, question: str, observation: Observation, asking: Asking) -> Choice:
        """What the model says once it looks no further."""
        whole = observation.rgb
        images: dict[str, NDArray[np.uint8]] = {_WHOLE: whole}
        looks: list[Look] = []
        for left in range(self._settings.control.crops, -1, -1):
            actions = (_LOOK,) if left > 0 else ()
            choice = asking.ask(
                self._told(question, observation, left, looks),
                tuple(images.values()),
                tuple(images),
                prompt("crop_system").fill(scale=_SCALE, form=_form((_LOOK,))),
                partial(_read_look, actions=actions),
                _form(actions),
            )
            if not choice.usable or choice.action != _LOOK or choice.fields is None:
                break
            box = box_in(choice.fields)
            assert box is not None  # of a look that is usable
            images = {_WHOLE: whole, _PART: enlarged(whole, box)}
            looks.append((str(list(box)), prompt_question(choice.reasoning).text))
        return choice

    def _told(self, question: str, observation: Observation, left: int, looks: Sequence[Look]) -> str:
        last, reasoning = looks[-1] if looks else (NONE, NONE)
        common = {"question": question, "left": left, "last": last, "choose": _CHOOSE if left else _LAST}
        if self._settings.control.prompt == PAPER:
            return prompt("crop_step_paper").fill(**common)
        return prompt("crop_step").fill(
            **common,
            pose=pose_text(observation.viewpoint, self._info),
            reasoning=reasoning or NONE,
            history=numbered([box for box, _ in looks]),
        )


def _form(actions: Sequence[str]) -> str:
    return prompt("crop_form").fill(action=" or ".join((*actions, STOP)))


def _read_look(text: str, actions: Sequence[str]) -> Choice:
    choice = read_choice(text, actions)
    if not choice.usable or choice.action != _LOOK:
        return choice
    if choice.fields is None:  # prose or broken JSON, in which no part can be read
        return replace(choice, usable=False)
    if box_in(choice.fields) is None:
        wrong = _WRONG_BOX.format(scale=_SCALE, least=_LEAST_SIDE)
        return replace(choice, fault=NO_BOX, usable=False, wrong=wrong)
    return choice


def box_in(fields: Mapping[str, Any]) -> Box | None:
    """The part that a reply names under ``box``, at least 2 % of either side and within the picture; None for none."""
    value = fields.get("box")
    if not isinstance(value, list) or len(value) != 4:
        return None
    if not all(isinstance(each, (int, float)) and not isinstance(each, bool) and abs(each) <= _SCALE for each in value):
        return None
    left, top, right, bottom = (max(0, round(each)) for each in value)
    return (left, top, right, bottom) if min(right - left, bottom - top) >= _LEAST_SIDE else None


def enlarged(picture: NDArray[np.uint8], box: Box) -> NDArray[np.uint8]:
    """A part of a picture (H, W, 3), enlarged as far as it goes into one of the same size."""
    height, width = picture.shape[:2]
    left, right = (round(value * width / _SCALE) for value in (box[0], box[2]))
    top, bottom = (round(value * height / _SCALE) for value in (box[1], box[3]))
    part = picture[top : max(bottom, top + 1), left : max(right, left + 1)]
    scale = min(height / part.shape[0], width / part.shape[1])
    return np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8)
