"""Any model as judge: marks for LLM-Match on clean questions (OpenEQA), NoisyEQA's scale on noisy ones.

Only the comparison of an answer with the gold data is the model's. Whether a clean premise was called false, and
whether the target was visible, is settled by the same rules as by the rule judge, whose version is part of this one's.

A mark is never guessed: a model whose replies hold none, however often it is asked, raises ModelError, and the episode
is reported as not scored.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from vantage.benchmarks.judging.exact_answers import is_exact
from vantage.benchmarks.judging.judges import Case, Judge, Judgement
from vantage.benchmarks.judging.marking_model import MarkingModel, listed, response_text
from vantage.benchmarks.judging.model_end_judge import ModelEndJudge
from vantage.benchmarks.judging.objections import alarms
from vantage.benchmarks.judging.rule_judge import GROUNDED_AT, RuleJudge
from vantage.errors import UsageError
from vantage.models import Model, prompt
from vantage.types import Answer, TruthQuestion

if TYPE_CHECKING:
    from vantage.config import Settings


class ModelJudge:
    """Marks one answer at a time by asking a model."""

    def __init__(self, model: Model, clock: Callable[[], float] = time.monotonic, retries: int = 0) -> None:
        self._model, self._marking = model, MarkingModel(model, clock, retries)
        self._clean, self._noisy = prompt("judge"), prompt("judge_noisy")
        self._end = ModelEndJudge(model, self._marking)
        asked = f"{model.name}#{self._clean.version}+{self._noisy.version}"
        self.name, self.version = f"model:{asked}", f"{asked}+rules{RuleJudge.version}"

    def judge(self, case: Case) -> Judgement:
        """As ``RuleJudge.judge``.

        Raises:
            ModelError: the model did not reply, or not with one mark; the answer has no score then.
        """
        truth, answer, visible, question = case.truth, case.answer, case.visible, case.question
        if answer is None:
            return Judgement(1, "no answer was given")
        if not truth.premise_holds:
            mark = self._marking.mark(self._noisy_prompt(truth, answer, question))
            reason = f"marked {mark} by {self._model.name}"
            return Judgement(mark, reason, mark in (2, 5), True, mark >= 3, mark >= 4)
        if alarms(truth, answer, is_exact(truth, answer, question), question):
            return Judgement(1, "the premise holds, but the answer calls it false", false_alarm=True)
        grounded = visible is None or visible >= GROUNDED_AT
        mark = self._marking.mark(
            self._clean.fill(
                question=question, answer=truth.answer, accepted=listed(truth.accepted), response=response_text(answer)
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
            accepted=listed(truth.accepted),
            response=response_text(answer),
        )

    def by_end(self) -> Judge:
        """The judge that asks the same model what the last look bears out."""
        return self._end


def make_model_judge(which: str, settings: Settings) -> ModelJudge:
    """The judge that asks the model ``NAME:WHICH``.

    Raises:
        UsageError: no model is named.
        UnknownNameError, ModelError, MissingExtraError: the model cannot be made.
    """
    from vantage.models import make_model

    if which in ("", "symbolic"):
        raise UsageError("judge 'model' needs a model; name it as in --judge model:openai:NAME")
    return ModelJudge(make_model(which, settings), retries=settings.judge.retries)
