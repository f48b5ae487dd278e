"""A model that is asked for marks, and how an answer is put to it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from vantage.benchmarks.judging.reply_marks import UnclearMarkError, mark_of
from vantage.errors import EmptyReplyError, ModelError
from vantage.models import Model, prompt
from vantage.types import Answer, NoiseType

_PATIENCE = 3  # failures in a row after which the model is left alone
_REST = 60.0  # s
_LONGEST = 4000  # characters of an answer that are shown to the model


class MarkingModel:
    """A model that is asked for marks.

    One that fails several times in a row is not asked for a while, so that a dead server costs minutes and not the
    deadline of every call.

    Args:
        retries: how often it is asked again where a reply has no clear mark.
    """

    def __init__(self, model: Model, clock: Callable[[], float] = time.monotonic, retries: int = 0) -> None:
        self._model, self._clock, self._retries = model, clock, retries
        self._failures, self._silent_until = 0, -float("inf")

    def mark(self, text: str, **seen: Any) -> int:
        """The mark, 1 to 5, in its reply to a prompt.

        Args:
            seen: images and what else ``Model.chat`` takes.

        Raises:
            ModelError: it did not reply, or not with one mark, however often it was asked.
        """
        asked = text
        for _ in range(self._retries):
            try:
                return mark_of(self._reply(asked, seen))
            except (UnclearMarkError, EmptyReplyError) as fault:
                asked = prompt("judge_again").fill(prompt=text, fault=fault)
        return mark_of(self._reply(asked, seen))

    def _reply(self, text: str, seen: Mapping[str, Any]) -> str:
        if self._clock() < self._silent_until:
            raise ModelError(f"{self._model.name} failed {_PATIENCE} times in a row and is left alone for {_REST:g} s")
        try:
            reply = self._model.chat(text, **seen)
        except EmptyReplyError:
            raise  # somebody is there
        except ModelError:
            self._failures += 1
            if self._failures >= _PATIENCE:
                self._failures, self._silent_until = 0, self._clock() + _REST
            raise
        self._failures = 0
        return reply


def listed(accepted: tuple[str, ...]) -> str:
    """Other right wordings, for a prompt."""
    return "; ".join(accepted) or "nothing else"


def response_text(answer: Answer) -> str:
    """What a person who reads the answer would see: verdict, text and report."""
    noise = answer.noise
    lines = [f"Verdict: {answer.verdict.name.lower().replace('_', ' ')}", answer.text]
    if noise.noise_type != NoiseType.NONE:
        lines += [f"Called false: {noise.false_claim}", f"Corrected to: {noise.correction}"]
        lines += [f"Corrected question: {noise.corrected_question}", f"Explanation: {noise.explanation}"]
    said = "\n".join(lines).replace("</machine>", "< /machine>")
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST]} [cut]"
