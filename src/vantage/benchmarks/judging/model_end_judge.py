"""A model as judge of what the last look bears out: E3VS-Bench's rule (arXiv 2604.17969, figure 17) in our own words.

The model is shown the last look of the phase and what the goal viewpoint shows, and decides by itself whether the
answer rests on what can be seen. It marks words and look together, so that nobody can tell whether the words alone are
right; whether the look shows what the question needs is told by the view rule, and does not change the mark. Questions
that take something false for granted are not part of that benchmark.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from vantage.benchmarks.judging.exact_answers import is_exact
from vantage.benchmarks.judging.judges import Case, Judgement
from vantage.benchmarks.judging.look_rules import last_look
from vantage.benchmarks.judging.marking_model import MarkingModel, listed, response_text
from vantage.benchmarks.judging.objections import alarms
from vantage.benchmarks.judging.rule_judge import RuleJudge
from vantage.errors import RecordingError
from vantage.models import Model, prompt


class ModelEndJudge:
    """Marks one answer at a time by showing a model the last look.

    Args:
        marking: asks the model, and knows how often it failed.
    """

    def __init__(self, model: Model, marking: MarkingModel) -> None:
        self._model, self._marking = model, marking
        self._rules, self._case = prompt("judge_end"), prompt("judge_end_case")
        asked = f"{model.name}#{self._rules.version}+{self._case.version}"
        self.name, self.version = f"model:{asked}", f"{asked}+rules{RuleJudge.version}"

    def judge(self, case: Case) -> Judgement:
        """
        Raises:
            ModelError: the model did not reply, or not with one mark; the answer has no score then.
            RecordingError: there is no picture of the last look, or the premise of the question is false.
        """
        look = last_look(case)
        return replace(self._marked(case), shown=look.shown, shortfall=look.why)

    def _marked(self, case: Case) -> Judgement:
        truth, answer = case.truth, case.answer
        if answer is None:
            return Judgement(1, "no answer was given")
        if not truth.premise_holds:
            raise RecordingError("no answer to a question with a false premise is marked by the last look")
        if alarms(truth, answer, is_exact(truth, answer, case.question), case.question):
            return Judgement(1, "the premise holds, but the answer calls it false", false_alarm=True)
        mark = self._marking.mark(
            self._case.fill(
                question=case.question,
                response=response_text(answer),
                answer=truth.answer,
                accepted=listed(truth.accepted),
            ),
            **self._seen(case),
        )
        return Judgement(mark, f"marked {mark} by {self._model.name}, shown the last look", mark == 5)

    def _seen(self, case: Case) -> dict[str, Any]:
        end, goal = case.end_image(), case.goal_image()
        if end is None:
            raise RecordingError("there is no picture of the last look; record the episode with pictures")
        named = {"END_IMAGE": end} | ({} if goal is None else {"GOAL_IMAGE": goal})
        return {"system": self._rules.fill(), "images": tuple(named.values()), "image_names": tuple(named)}
