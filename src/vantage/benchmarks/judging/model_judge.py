"""Any model as judge: marks for LLM-Match on clean questions (OpenEQA), NoisyEQA's scale on noisy ones.

Only the comparison of an answer with the gold data is the model's. Whether a clean premise was called false, and
whether the target was visible, is settled by the same rules as by the rule judge, whose version is part of this one's.

A mark is never guessed: a model whose replies hold none, however often it is asked, raises ModelError, and the episode
is reported as not scored.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from vantage.benchmarks.judging.exact_answers import is_exact
from vantage.benchmarks.judging.judges import Case, Judge, Judgement
from vantage.benchmarks.judging.look_rules import Look, best_look
from vantage.benchmarks.judging.marking_model import MarkingModel, listed, response_text
from vantage.benchmarks.judging.model_end_judge import ModelEndJudge
from vantage.benchmarks.judging.objections import alarms
from vantage.benchmarks.judging.rule_judge import RuleJudge
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
        truth, look = case.truth, best_look(case) if case.truth.premise_holds else Look()
        if case.answer is None:
            mark = Judgement(1, "no answer was given", right=False)
        elif truth.premise_holds:
            mark = self._mark_clean(case, case.answer, look)
        else:
            mark = self._mark_noisy(case, case.answer)
        return replace(mark, shown=look.shown, shortfall=look.why)

    def _mark_noisy(self, case: Case, answer: Answer) -> Judgement:
        mark = self._marking.mark(self._noisy_prompt(case.truth, answer, case.question))
        reason = f"marked {mark} by {self._model.name}"
        return Judgement(mark, reason, mark in (2, 5), detected=mark >= 3, corrected=mark >= 4, right=mark == 5)

    def _mark_clean(self, case: Case, answer: Answer, look: Look) -> Judgement:
        truth, question = case.truth, case.question
        if alarms(truth, answer, is_exact(truth, answer, question), question):
            return Judgement(1, "the premise holds, but the answer calls it false", false_alarm=True, right=False)
        mark = self._marking.mark(
            self._clean.fill(
                question=question, answer=truth.answer, accepted=listed(truth.accepted), response=response_text(answer)
            )
        )
        reason = f"marked {mark} by {self._model.name}"
        if look.why is not None:
            unseen = f"{reason}, but neither the evidence nor the last look shows it: {look.why.words}"
            return Judgement(1, unseen, mark == 5, right=mark == 5)
        return Judgement(mark, reason, mark == 5, right=mark == 5)

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
