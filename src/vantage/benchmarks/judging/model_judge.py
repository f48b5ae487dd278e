"""Any model as judge: LLM-Match on clean questions (OpenEQA), NoisyEQA's scale on noisy ones.

Only the comparison of an answer with the gold data is the model's. Whether a clean premise was called false, and
whether the target was visible, is settled by the same rules as by the rule judge.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from vantage.benchmarks.judging.case import Case
from vantage.benchmarks.judging.mark_replies import mark_of
from vantage.benchmarks.judging.objections import alarms
from vantage.benchmarks.judging.rule_judge import GROUNDED_AT, Judgement, is_exact
from vantage.errors import ModelError, UsageError
from vantage.models.prompts import prompt
from vantage.models.protocol import Model
from vantage.types import Answer, NoiseType, TruthQuestion

if TYPE_CHECKING:
    from vantage.config import Settings

_PATIENCE = 3  # failures in a row after which the model is left alone
_REST = 60.0  # s
_LONGEST = 4000  # characters of an answer that are shown to the model


class ModelJudge:
    """Marks one answer at a time by asking a model.

    A model that fails several times in a row is not asked for a while, so that a dead server costs minutes and not the
    deadline of every call.
    """

    def __init__(self, model: Model, clock: Callable[[], float] = time.monotonic) -> None:
        self._model, self._clock = model, clock
        self._clean, self._noisy = prompt("judge"), prompt("judge_noisy")
        self._failures, self._silent_until = 0, -float("inf")
        self.name = f"model:{model.name}#{self._clean.version}+{self._noisy.version}"

    def judge(self, case: Case) -> Judgement:
        """As ``RuleJudge.judge``.

        Raises:
            ModelError: the model did not reply, or not with one mark; the answer has no score then.
        """
        truth, answer, visible, question = case.truth, case.answer, case.visible, case.question
        if answer is None:
            return Judgement(1, "no answer was given")
        if not truth.premise_holds:
            mark = self._mark(self._noisy_prompt(truth, answer, question))
            reason = f"marked {mark} by {self._model.name}"
            return Judgement(mark, reason, mark in (2, 5), True, mark >= 3, mark >= 4)
        if alarms(truth, answer, is_exact(truth, answer), question):
            return Judgement(1, "the premise holds, but the answer calls it false", false_alarm=True)
        grounded = visible is None or visible >= GROUNDED_AT
        mark = self._mark(
            self._clean.fill(
                question=question, answer=truth.answer, accepted=_listed(truth.accepted), response=_response(answer)
            )
        )
        if not grounded:
            return Judgement(1, f"marked {mark} by {self._model.name}, but the target was not seen", mark == 5, False)
        return Judgement(mark, f"marked {mark} by {self._model.name}", mark == 5, True)

    def _noisy_prompt(self, truth: TruthQuestion, answer: Answer, question: str) -> str:
        return self._noisy.fill(
            question=question,
            false_claim=truth.false_claim,
            correction=truth.correction,
            corrected_question=truth.corrected_question or "none: the thing is not there",
            answer=truth.answer or "none: the thing is not there",
            accepted=_listed(truth.accepted),
            response=_response(answer),
        )

    def _mark(self, text: str) -> int:
        if self._clock() < self._silent_until:
            raise ModelError(f"{self._model.name} failed {_PATIENCE} times in a row and is left alone for {_REST:g} s")
        try:
            reply = self._model.chat(text)
        except ModelError:
            self._failures += 1
            if self._failures >= _PATIENCE:
                self._failures, self._silent_until = 0, self._clock() + _REST
            raise
        self._failures = 0
        return mark_of(reply)


def make_model_judge(which: str, settings: Settings) -> ModelJudge:
    """The judge that asks the model ``NAME:WHICH``.

    Raises:
        UsageError: no model is named.
        UnknownNameError, ModelError, MissingExtraError: the model cannot be made.
    """
    from vantage.models.model_factory import make_model

    if which in ("", "symbolic"):
        raise UsageError("judge 'model' needs a model; name it as in --judge model:openai:NAME")
    return ModelJudge(make_model(which, settings))


def _listed(accepted: tuple[str, ...]) -> str:
    return "; ".join(accepted) or "nothing else"


def _response(answer: Answer) -> str:
    """What a person who reads the answer would see: verdict, text and report."""
    noise = answer.noise
    lines = [f"Verdict: {answer.verdict.name.lower().replace('_', ' ')}", answer.text]
    if noise.noise_type != NoiseType.NONE:
        lines += [f"Called false: {noise.false_claim}", f"Corrected to: {noise.correction}"]
        lines += [f"Corrected question: {noise.corrected_question}", f"Explanation: {noise.explanation}"]
    said = "\n".join(lines).replace("</machine>", "< /machine>")
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST]} [cut]"
